"""Tris over the native WebSocket: our server in memory and durable, with 1 to 1000 games at once, as fast as they go
and at one move a second each; and our way from the socket to a message beside that of two libraries."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from importlib.util import find_spec

import msgspec

from bench import servers
from bench.native_driver import Figures

GAMES = (1, 50, 200, 1000)
MOVES = 60_000
SOCKETS = 200
LIBRARIES = {"ours": ("boardwire",), "picows": ("picows",), "uvicorn": ("uvicorn", "websockets")}
"""The echo servers, and the packages that each needs."""


def run() -> None:
    """Print the tables."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        _tables()
        _paced()
        _libraries()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _tables() -> None:
    print("Tris over the native WebSocket (moves per server CPU-second is the figure to compare)\n")
    print(f"{'server':<18}{'games':>6}{'moves/s':>10}{'moves/CPU-s':>13}{'p50 ms':>9}{'p99 ms':>9}"
          f"{'shown ms':>10}{'matches/CPU-s':>15}{'KB/game':>9}")  # fmt: skip
    for games in GAMES:
        moves = MOVES if games > 1 else MOVES // 20
        with tempfile.TemporaryDirectory() as data:
            for name, where in (("in memory", ":memory:"), ("durable journal", data)):
                with servers.native(where) as (pid, port):
                    figures = drive("play", pid, port, games, moves)
                _row(name, games, figures)
                print(f"{figures.matches / figures.match_cpu:>15,.0f}{figures.per_game / 1024:>9.1f}", flush=True)


def _paced() -> None:
    print("\nOne move a second in each of 1000 games\n")
    with tempfile.TemporaryDirectory() as data, servers.native(data) as (pid, port):
        _row("durable journal", 1000, drive("paced", pid, port, 1000, 0))
        print(flush=True)


def _libraries() -> None:
    print(f"\nEcho of a move's frame over {SOCKETS} WebSockets\n")
    for name, packages in LIBRARIES.items():
        missing = [package for package in packages if find_spec(package) is None]
        if missing:
            print(f"{name:<18}not measured: not installed is {', '.join(missing)}")
            continue
        with servers.program("-m", "bench.native_echo", name) as (pid, port):
            _row(name, SOCKETS, drive("echo", pid, port, SOCKETS, MOVES))
            print(flush=True)
    print()


def drive(what: str, pid: int, port: int, games: int, moves: int) -> Figures:
    """The figures of one run, from a driver process."""
    arguments = [sys.executable, "-m", "bench.native_driver", what, *map(str, (pid, port, games, moves))]
    done = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=True, timeout=120)
    return msgspec.json.decode(done.stdout, type=Figures)


def _row(name: str, games: int, figures: Figures) -> None:
    print(
        f"{name:<18}{games:>6}{figures.moves / figures.seconds:>10,.0f}{figures.moves / figures.cpu:>13,.0f}"
        f"{figures.p50 * 1000:>9.2f}{figures.p99 * 1000:>9.2f}{figures.shown * 1000:>10.2f}",
        end="",
    )
