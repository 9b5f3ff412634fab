"""Whole Eriantys matches with both dialects, durable, beside tris-lines.

`python -m bench.eriantys DIALECT GAMES` plays concurrent matches once and compares the journal with the moves that the
players were notified of. It fails if a match is lost or a move is missing in the journal.
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
MAX_GAMES: Final = 200
"""A match has about 300 requests, so more concurrent matches would only take longer."""


def run_matches(dialect: str, games: int, data: str) -> Run:
    """Play concurrent matches on a new server; return the sample and all moves of which players were notified."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # the driver opens a connection per player
    with servers.boardwire(dialect, data) as (pid, port):
        driver = [sys.executable, "-m", "bench.eriantys_driver", dialect, *map(str, (pid, port, games, 0)), "--told"]
        done = subprocess.run(driver, stdout=subprocess.PIPE, check=True, timeout=300)
    return msgspec.json.decode(done.stdout, type=Run)


def run_verified(dialect: str, games: int) -> Run:
    """Play concurrent matches, and exit with an error unless the journal has all their moves."""
    with tempfile.TemporaryDirectory() as data:
        run = run_matches(dialect, games, data)
        stored = stored_moves(Path(data))
    for moves in run.moves:
        name = moves[0][0]
        if stored.get(name) != moves:
            raise SystemExit(f"match of {name}: the journal's moves differ from those that its players were shown")
    return run


def stored_moves(data: Path) -> dict[str, list[Move]]:
    """Return the moves of every finished match in a journal, by the name of the player that moved first."""
    stored: dict[str, list[Move]] = {}
    with Archive(data) as archive:
        for match in archive.names():
            events = archive.events(match)
            names = {event.seat: event.player.name for event in events if isinstance(event, ev.Joined)}
            moves = [_move(names[event.seat], event.action) for event in events if isinstance(event, ev.Acted)]
            if any(isinstance(event, ev.Ended) for event in events):
                stored[moves[0][0]] = moves
    return stored


def _move(name: str, action: dict[str, Any]) -> Move:
    """Convert an action of the journal."""
    kind: str = action["type"]
    return name, kind, int(action.get("card", action.get("colour", action.get("steps", 0))))


def contenders(data: str) -> dict[str, Contender]:
    """Return a durable server for each dialect, with its journal in this directory."""
    return {
        dialect: Contender(partial(servers.boardwire, dialect, f"{data}/{dialect}"), ("bench.eriantys_driver", dialect))
        for dialect in DIALECTS
    }


def run(config: RunConfig) -> None:
    """Print a table for each number of games."""
    for games in sorted({min(games, MAX_GAMES) for games in config.games}):
        print(f"Eriantys, durable, concurrent whole matches: {games}, rounds: {config.rounds}; a move is a request\n")
        with tempfile.TemporaryDirectory() as data:
            compared = {tris.DURABLE: tris.contenders(data)[tris.DURABLE], **contenders(data)}
            base = config.base if config.base in compared else tris.DURABLE
            print_table(measure(compared, games, config.moves_of(games), config.rounds), base)


def main() -> None:
    """Play and verify the matches named on the command line."""
    dialect, games = sys.argv[1], int(sys.argv[2])
    sample = run_verified(dialect, games).sample
    print_table({dialect: Measurement([sample], sample.memory)}, dialect)
    print("the journal has every move that was shown")


if __name__ == "__main__":
    main()
