"""Tris moves on one and on several nodes, with PostgreSQL and NATS, beside one server on SQLite.

What counts is moves per CPU-second of our own processes: those of the database and of the bus are not among them.
`apart` is a match whose second player is at another node than the table; each other match has both at its table's node.
Of the same games each of several nodes has fewer, and so fewer moves share a commit: `full` has as many for each node.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
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
PACED: Final = 1000


@contextmanager
def nodes(store: str, bus: str = "", count: int = 1) -> Iterator[tuple[int, str]]:
    """The number of the process whose children the nodes are, and their ports."""
    with pinned(SERVER_CORE):
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.nodes", DIALECT, store, bus, str(count)], stdout=subprocess.PIPE, text=True
        )
    assert process.stdout is not None
    try:
        ports = [line.rsplit(":", 1)[1].strip() for line in iter(process.stdout.readline, "ready\n") if line]
        if len(ports) != count:
            raise RuntimeError("the nodes did not start")
        yield process.pid, ",".join(ports)
    finally:
        process.terminate()
        process.wait(60)
        process.stdout.close()


@contextmanager
def contenders() -> Iterator[dict[str, Contender]]:
    """One server on SQLite, one on PostgreSQL, and nodes; each with a database of its own."""
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory())
        database, bus = stack.enter_context(postgres()), stack.enter_context(nats())

        def own(name: str) -> str:
            with psycopg.connect(database.url, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}")
            return f"{database.url.rpartition('/')[0]}/{name}"

        together, apart = ("bench.driver", DIALECT), ("bench.driver", "--apart", DIALECT)
        found = {
            BASE: Contender(partial(servers.boardwire, DIALECT, data), together),
            "PostgreSQL": Contender(partial(nodes, own("alone")), together),
        }
        for count in (1, 2, 3):
            found[f"{count} node{'s' * (count > 1)}"] = Contender(
                partial(nodes, own(f"together{count}"), bus.url, count), together
            )
        for count in (2, 3):
            found[f"{count} nodes, full"] = Contender(
                partial(nodes, own(f"full{count}"), bus.url, count), together, count
            )
        for count in (2, 3):
            found[f"{count} nodes, apart"] = Contender(partial(nodes, own(f"apart{count}"), bus.url, count), apart)
        yield found


def run(config: RunConfig) -> None:
    """Print a table for each number of games, and how nodes do at a player's pace."""
    try:
        load()
    except NoCompilerError as problem:
        print(f"the cluster is not measured: {problem}\n")
        return
    for games in config.games:
        with contenders() as found:
            print(f"Tris on one and on several nodes, games at once: {games}, rounds: {config.rounds}\n")
            print_table(measure(found, games, config.moves_of(games), config.rounds), BASE)
    if max(config.games, default=PACED) >= PACED:
        print(f"Tris, one move a second in each of {PACED} games\n")
        with contenders() as found:
            paced = {}
            for name, contender in found.items():
                with contender.start() as (pid, port):
                    sample = drive(contender.driver, pid, port, PACED, 1, "--pace", "1")
                paced[name] = Measurement([sample], sample.memory)
            print_table(paced, BASE)


if __name__ == "__main__":
    run(RunConfig())
