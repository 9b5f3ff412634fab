"""Tris moves on one node and on several nodes with PostgreSQL and NATS, beside a single server on SQLite.

The main figure is moves per CPU-second of our own processes, without the database and the bus.

- `N nodes`: both players of a match connect to the node that hosts its table.
- `N nodes, full`: N times as many games. With the same games, several nodes have fewer games each, so fewer moves share
  a commit.
- `N nodes, apart`: the second player connects to another node than the table's.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import takewhile
from typing import Final

import psycopg
from scripts.nats import nats
from scripts.postgres import postgres
from training.c_library import NoCompilerError

from bench import servers
from bench.config import RunConfig
from bench.contenders import Contender, Measurement, drive, measure, print_table
from bench.hotloop import load
from bench.machine import SERVER_CORE, pinned

DIALECT: Final = "tris-lines"
BASE: Final = "SQLite"
PACED_GAMES: Final = 1000


@contextmanager
def nodes(store: str, bus: str = "", count: int = 1) -> Iterator[tuple[int, str]]:
    """Run nodes as children of one process; yield its process ID and the nodes' ports, separated by commas."""
    with pinned(SERVER_CORE):
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.nodes", DIALECT, store, bus, str(count)], stdout=subprocess.PIPE, text=True
        )
    assert process.stdout is not None
    try:
        listening = takewhile("ready\n".__ne__, process.stdout)  # ends with the nodes, too
        ports = [line.rsplit(":", 1)[1].strip() for line in listening]
        if len(ports) != count:
            raise RuntimeError(f"only {len(ports)} of {count} nodes started")
        yield process.pid, ",".join(ports)
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


@contextmanager
def contenders() -> Iterator[dict[str, Contender]]:
    """Yield the contenders: SQLite, PostgreSQL and one to three nodes, each with its own database."""
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory())
        database, bus = stack.enter_context(postgres()), stack.enter_context(nats())

        def new_database(name: str) -> str:
            with psycopg.connect(database.url, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}")
            return f"{database.url.rpartition('/')[0]}/{name}"

        together, apart = ("bench.driver", DIALECT), ("bench.driver", "--apart", DIALECT)
        found = {
            BASE: Contender(partial(servers.boardwire, DIALECT, data), together),
            "PostgreSQL": Contender(partial(nodes, new_database("alone")), together),
        }
        for count in (1, 2, 3):
            found[f"{count} node{'s' * (count > 1)}"] = Contender(
                partial(nodes, new_database(f"together{count}"), bus.url, count), together
            )
        for count in (2, 3):
            found[f"{count} nodes, full"] = Contender(
                partial(nodes, new_database(f"full{count}"), bus.url, count), together, count
            )
        for count in (2, 3):
            found[f"{count} nodes, apart"] = Contender(
                partial(nodes, new_database(f"apart{count}"), bus.url, count), apart
            )
        yield found


def run(config: RunConfig) -> None:
    """Print a table for each number of games, and one at a rate of one move per second and game."""
    try:
        load()
    except NoCompilerError as problem:
        print(f"cluster skipped: {problem}\n")
        return
    for games in config.games:
        with contenders() as found:
            print(f"Tris on one and several nodes, concurrent games: {games}, rounds: {config.rounds}\n")
            print_table(measure(found, games, config.moves_of(games), config.rounds), BASE)
    if max(config.games, default=PACED_GAMES) >= PACED_GAMES:
        print(f"Tris, one move per second in each of {PACED_GAMES} games\n")
        with contenders() as found:
            paced = {}
            for name, contender in found.items():
                with contender.start() as (pid, port):
                    sample = drive(contender.driver, pid, port, PACED_GAMES, 1, "--pace", "1")
                paced[name] = Measurement([sample], sample.memory)
            print_table(paced, BASE)


if __name__ == "__main__":
    run(RunConfig())
