"""Whole Eriantys matches over both dialects, durable, beside tris-lines; and whether the journal has all that was told.

`python -m bench.eriantys DIALECT GAMES` plays one crowd; it fails if a match is lost, or a move that was told is not in
the journal.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from bench import servers, tris
from bench.config import RunConfig
from bench.contenders import Contender, Measurement, measure, print_table
from bench.eriantys_driver import Run
from bench.eriantys_seats import Move
from boardwire.dialects import PROTOCOLS, of_game
from boardwire.store.archive import Archive
from boardwire.table import events as ev

DIALECTS: Final = tuple(name for name in of_game("eriantys") if name in PROTOCOLS and name != "native")
MOST: Final = 200
"""A match has some three hundred requests; more matches at once would only take longer."""


def run_matches(dialect: str, games: int, data: str) -> Run:
    """One crowd, with all that was told."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # the driver has a connection for every player
    with servers.boardwire(dialect, data) as (pid, port):
        driver = [sys.executable, "-m", "bench.eriantys_driver", dialect, *map(str, (pid, port, games, 0)), "--told"]
        done = subprocess.run(driver, stdout=subprocess.PIPE, check=True, timeout=300)
    return msgspec.json.decode(done.stdout, type=Run)


def run_verified(dialect: str, games: int) -> Run:
    """One crowd, whose moves are all in the journal."""
    with tempfile.TemporaryDirectory() as data:
        run = run_matches(dialect, games, data)
        kept = journals(Path(data))
    for moves in run.told:
        name = moves[0][0]
        if kept.get(name) != moves:
            raise SystemExit(f"the match of {name} has other moves in the journal than its players were told")
    return run


def journals(data: Path) -> dict[str, list[Move]]:
    """The moves of every match that is over, by the name of whoever moved first."""
    kept: dict[str, list[Move]] = {}
    with Archive(data) as archive:
        for match in archive.names():
            events = archive.events(match)
            names = {event.seat: event.player.name for event in events if isinstance(event, ev.Joined)}
            moves = [_move(names[event.seat], event.action) for event in events if isinstance(event, ev.Acted)]
            if any(isinstance(event, ev.Ended) for event in events):
                kept[moves[0][0]] = moves
    return kept


def _move(name: str, action: dict[str, Any]) -> Move:
    """An action as the journal has it."""
    kind: str = action["type"]
    return name, kind, int(action.get("card", action.get("colour", action.get("steps", 0))))


def contenders(data: str) -> dict[str, Contender]:
    """Both dialects, durable in this directory."""
    return {
        dialect: Contender(partial(servers.boardwire, dialect, f"{data}/{dialect}"), ("bench.eriantys_driver", dialect))
        for dialect in DIALECTS
    }


def run(config: RunConfig) -> None:
    """Print a table for each number of games."""
    for games in sorted({min(games, MOST) for games in config.games}):
        print(f"Eriantys, durable, whole matches at once: {games}, rounds: {config.rounds}; a move is a request\n")
        with tempfile.TemporaryDirectory() as data:
            all_of_them = {tris.DURABLE: tris.contenders(data)[tris.DURABLE], **contenders(data)}
            base = config.base if config.base in all_of_them else tris.DURABLE
            print_table(measure(all_of_them, games, config.moves_of(games), config.rounds), base)


def main() -> None:
    """One crowd."""
    dialect, games = sys.argv[1], int(sys.argv[2])
    sample = run_verified(dialect, games).sample
    print_table({dialect: Measurement([sample], sample.memory)}, dialect)
    print("every move that was told is in the journal")


if __name__ == "__main__":
    main()
