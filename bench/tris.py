"""Tris over tris-lines: our server in memory and durable, beside the bare echo, with 1 to 1000 games at once."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile

import msgspec

from bench import servers
from bench.tris_driver import Figures

GAMES = (1, 50, 200, 1000)
MOVES = 60_000
IDLE = 1000
"""Connections that do nothing, to see what one costs."""


def drive(what: str, pid: int, port: int, games: int, moves: int) -> Figures:
    """The figures of one run, from a driver process."""
    arguments = [sys.executable, "-m", "bench.tris_driver", what, *map(str, (pid, port, games, moves))]
    done = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=True, timeout=120)
    return msgspec.json.decode(done.stdout, type=Figures)


def measure(data: str, games: int, moves: int) -> Figures:
    """The figures of our server, which starts anew for each of the two memory figures."""
    with servers.boardwire("tris-lines", data) as (pid, port):
        idle = drive("idle", pid, port, IDLE, 0)
    with servers.boardwire("tris-lines", data) as (pid, port):
        figures = drive("play", pid, port, games, moves)
    return msgspec.structs.replace(figures, per_connection=idle.per_connection)


def run() -> None:
    """Print the table."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print("Tris over tris-lines (moves per server CPU-second is the figure to compare)\n")
    print(f"{'server':<18}{'games':>6}{'moves/s':>10}{'moves/CPU-s':>13}{'of echo':>9}{'p50 ms':>9}{'p99 ms':>9}"
          f"{'matches/CPU-s':>15}{'KB/conn':>9}{'KB/game':>9}")  # fmt: skip
    for games in GAMES:
        moves = MOVES if games > 1 else MOVES // 20
        with servers.echo() as (pid, port):
            limit = drive("echo", pid, port, games, moves)
        _row("echo", games, limit, limit)
        _row("in memory", games, measure(":memory:", games, moves), limit)
        with tempfile.TemporaryDirectory() as data:
            _row("durable journal", games, measure(data, games, moves), limit)
    print()
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _row(name: str, games: int, figures: Figures, limit: Figures) -> None:
    rate, most = figures.moves / figures.cpu, limit.moves / limit.cpu
    print(
        f"{name:<18}{games:>6}{figures.moves / figures.seconds:>10,.0f}{rate:>13,.0f}{rate / most:>9.2f}"
        f"{figures.p50 * 1000:>9.2f}{figures.p99 * 1000:>9.2f}",
        end="",
    )
    if figures.matches:
        print(
            f"{figures.matches / figures.match_cpu:>15,.0f}{figures.per_connection / 1024:>9.1f}"
            f"{figures.per_game / 1024:>9.1f}",
            end="",
        )
    print(flush=True)
