"""Servers side by side: all are started, then driven by turns, round by round, and a table is made of the rounds.

A contender is a way to start a server and the driver for it.  The first round of all warms them up and is not counted;
one more, with fewer moves, counts system calls.  Every server runs on the same core, every driver on the other.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import partial
from typing import Final, NamedTuple

import msgspec

from bench.figures import Sample, ratios, spread
from bench.rounds import together

COUNTED: Final = 4
"""The round in which system calls are counted has this part of the others' moves."""
TIMEOUT: Final = 600

Start = Callable[[], AbstractContextManager[tuple[int, int | str]]]
"""Starts a server: its process number and its port; those of several nodes with commas between them."""


class Contender(NamedTuple):
    """How it is started, and what drives it: a module and its first arguments."""

    start: Start
    driver: tuple[str, ...]
    times: int = 1
    """How many times as many games it has as others."""


def drive(driver: Sequence[str], pid: int, port: int | str, games: int, moves: int, *more: str) -> Sample:
    """A round, from a driver process."""
    arguments = [sys.executable, "-m", *driver, *map(str, (pid, port, games, moves)), *more]
    done = subprocess.run(arguments, stdout=subprocess.PIPE, timeout=TIMEOUT)
    if done.returncode:
        raise SystemExit(f"this round could not be measured: {' '.join(arguments[1:])}")
    return msgspec.json.decode(done.stdout, type=Sample)


class Measured(NamedTuple):
    """All rounds of one contender, and the one in which its system calls were counted."""

    rounds: list[Sample]
    memory: int
    """Bytes for a match in the first round: a server that has had matches before has memory left."""
    counted: Sample | None = None


def measure(contenders: Mapping[str, Contender], games: int, moves: int, rounds: int) -> dict[str, Measured]:
    """Every contender's rounds."""
    with ExitStack() as stack:
        ways: dict[str, Callable[[], Sample]] = {}
        counts: dict[str, Callable[[], Sample]] = {}
        for name, contender in contenders.items():
            where = stack.enter_context(contender.start())
            own, size = games * contender.times, moves * contender.times
            ways[name] = partial(drive, contender.driver, *where, own, size)
            counts[name] = partial(drive, contender.driver, *where, own, max(1, size // COUNTED), "--count")
        warm, found, counted = together(ways, 1), together(ways, rounds), together(counts, 1)
    return {name: Measured(found[name], warm[name][0].memory, counted[name][0]) for name in contenders}


def table(found: Mapping[str, Measured], base: str) -> None:
    """Print two tables: how fast each contender is, with ratios to the base's same round, and what a move takes."""
    rates = {name: [sample.rate for sample in measured.rounds] for name, measured in found.items()}
    print(
        f"{'server':<22}{'moves/CPU-s':>12}{'quartiles':>18}{f'of {base}'[:14]:>15}{'quartiles':>14}{'moves/s':>10}"
        f"{'p50 ms':>9}{'p99 ms':>9}{'shown':>8}{'driver':>8}"
    )
    for name, measured in found.items():
        rate, ratio = spread(rates[name]), ratios(rates[name], rates[base])
        line = f"{name:<22}{rate.middle:>12,.0f}{f'{rate.low:,.0f}..{rate.high:,.0f}':>18}"
        line += f"{ratio.middle:>15.2f}{f'{ratio.low:.2f}..{ratio.high:.2f}':>14}"
        line += f"{_middle(measured, lambda one: one.moves / one.seconds):>10,.0f}"
        for seconds in (lambda one: one.p50, lambda one: one.p99):
            line += f"{_middle(measured, seconds) * 1000:>9.2f}"
        line += f"{_middle(measured, lambda one: one.shown) * 1000:>8.2f}"
        print(line + f"{_middle(measured, lambda one: one.driver / one.seconds):>8.0%}", flush=True)
    print(
        f"\n{'server':<22}{'bytes in':>10}{'bytes out':>11}{'to disk':>10}{'system calls':>14}{'KB/match':>10}"
        f"{'matches/CPU-s':>15}"
    )
    for name, measured in found.items():
        print(name.ljust(22) + _taken(measured), flush=True)
    print()


def _middle(measured: Measured, figure: Callable[[Sample], float]) -> float:
    return spread(map(figure, measured.rounds)).middle


def _taken(measured: Measured) -> str:
    counted = measured.counted
    calls = f"{counted.calls / counted.moves:.2f}" if counted is not None and counted.calls else "-"
    matches = _middle(measured, lambda one: one.matches / one.match_cpu if one.match_cpu else 0.0)
    return (
        f"{_middle(measured, lambda one: one.sent / one.moves):>10,.0f}"
        f"{_middle(measured, lambda one: one.received / one.moves):>11,.0f}"
        f"{_middle(measured, lambda one: one.disk / one.moves):>10,.0f}{calls:>14}{measured.memory / 1024:>10.1f}"
        f"{matches:>15,.0f}"
    )
