"""Whole Eriantys matches over both dialects, many at once on one durable server, and whether its journal has all.

`python -m bench.eriantys DIALECT GAMES` plays one crowd; it fails if a match is lost, or a move that was told is not in
the journal.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec

from bench import servers
from bench.eriantys_driver import Run
from bench.eriantys_seats import Move
from boardwire.store.sqlite import Archive
from boardwire.table import events as told

GAMES = {"eriantys-messages": (1, 50, 1000), "eriantys-objects": (1, 50, 300)}


def crowd(dialect: str, games: int, data: str, python: str = sys.executable) -> Run:
    """The figures of one crowd."""
    with servers.boardwire(dialect, data, python) as (pid, port):
        arguments = [sys.executable, "-m", "bench.eriantys_driver", dialect, *map(str, (pid, port, games))]
        done = subprocess.run(arguments, stdout=subprocess.PIPE, check=True, timeout=300)
    return msgspec.json.decode(done.stdout, type=Run)


def measure(dialect: str, games: int) -> Run:
    """The figures of one crowd, whose moves are all in the journal."""
    with tempfile.TemporaryDirectory() as data:
        run = crowd(dialect, games, data)
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
            names = {event.seat: event.player.name for event in events if isinstance(event, told.Joined)}
            moves = [_move(names[event.seat], event.action) for event in events if isinstance(event, told.Acted)]
            if any(isinstance(event, told.Ended) for event in events):
                kept[moves[0][0]] = moves
    return kept


def _move(name: str, action: dict[str, Any]) -> Move:
    """An action as the journal has it."""
    kind: str = action["type"]
    return name, kind, int(action.get("card", action.get("colour", action.get("steps", 0))))


def run() -> None:
    """Print the table."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print("Eriantys, durable, whole matches (every move that was told is in the journal)\n")
    _head()
    for dialect, crowds in GAMES.items():
        for games in crowds:
            _row(dialect, games, measure(dialect, games))
    print()
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _head() -> None:
    print(f"{'dialect':<20}{'games':>6}{'moves':>9}{'requests':>10}{'requests/s':>12}{'requests/CPU-s':>16}"
          f"{'p50 ms':>9}{'p99 ms':>9}{'KB/game':>9}")  # fmt: skip


def _row(dialect: str, games: int, run: Run) -> None:
    print(
        f"{dialect:<20}{games:>6}{sum(map(len, run.told)):>9,}{run.requests:>10,}{run.requests / run.seconds:>12,.0f}"
        f"{run.requests / run.cpu:>16,.0f}{run.p50 * 1000:>9.2f}{run.p99 * 1000:>9.2f}"
        f"{run.memory / games / 1024:>9.1f}",
        flush=True,
    )


def main() -> None:
    """One crowd."""
    dialect, games = sys.argv[1], int(sys.argv[2])
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    _head()
    _row(dialect, games, measure(dialect, games))
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


if __name__ == "__main__":
    main()
