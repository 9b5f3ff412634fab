"""Santorini over its three protocols: our durable server beside tris-lines and the bare echo, 1 to 1000 games."""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile

import msgspec

from bench import servers, tris
from bench.tris_driver import Figures

GAMES = (1, 50, 200, 1000)
STEPS = 24_000
DIALECTS = {
    "santorini-actions": ("playStep", 2),
    "santorini-lobby": ("EXECUTE_ACTION", 1),
    "santorini-objects": ("Consolidate…", 1),
}
"""What a step is called, and how many requests a client makes for one: every turn of two playSteps also needs a
setStartTurn and a selectWorker."""


def drive(dialect: str, pid: int, port: int, games: int, steps: int) -> Figures:
    """The figures of one run, from a driver process."""
    arguments = [sys.executable, "-m", "bench.santorini_driver", dialect, *map(str, (pid, port, games, steps))]
    done = subprocess.run(arguments, stdout=subprocess.PIPE, text=True, check=True, timeout=240)
    return msgspec.json.decode(done.stdout, type=Figures)


def run() -> None:
    """Print the table; a step of tris-lines is a move."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    print("Santorini, durable (steps per server CPU-second is the figure to compare)\n")
    print(f"{'server':<34}{'games':>6}{'steps/s':>10}{'steps/CPU-s':>13}{'of echo':>9}{'p50 ms':>9}{'p99 ms':>9}"
          f"{'requests/CPU-s':>16}{'matches/CPU-s':>15}{'KB/game':>9}")  # fmt: skip
    for games in GAMES:
        steps = STEPS if games > 1 else STEPS // 20
        with servers.echo() as (pid, port):
            limit = tris.drive("echo", pid, port, games, steps)
        _row("echo", games, limit, limit)
        with tempfile.TemporaryDirectory() as data, servers.boardwire("tris-lines", data) as (pid, port):
            _row("tris-lines move", games, tris.drive("play", pid, port, games, steps), limit)
        for dialect, (word, requests) in DIALECTS.items():
            with tempfile.TemporaryDirectory() as data, servers.boardwire(dialect, data) as (pid, port):
                _row(f"{dialect} {word}", games, drive(dialect, pid, port, games, steps), limit, requests)
    print()
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _row(name: str, games: int, figures: Figures, limit: Figures, requests: int = 1) -> None:
    rate, most = figures.moves / figures.cpu, limit.moves / limit.cpu
    print(
        f"{name:<34}{games:>6}{figures.moves / figures.seconds:>10,.0f}{rate:>13,.0f}{rate / most:>9.2f}"
        f"{figures.p50 * 1000:>9.2f}{figures.p99 * 1000:>9.2f}",
        end="",
    )
    if figures.matches:
        print(
            f"{rate * requests:>16,.0f}{figures.matches / figures.match_cpu:>15,.0f}{figures.per_game / 1024:>9.1f}",
            end="",
        )
    print(flush=True)
