"""Servers side by side: all are started, then driven by turns, round by round, and a table is made of the rounds.

A contender is a way to start a server and the driver for it.  Servers live as long as the measurement does.  They are
warmed first, each until two successive rounds agree; these rounds are not counted.  A last one, with fewer moves,
counts system calls.  Every server runs on the same core, every driver on the other.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from functools import partial
from typing import Final, NamedTuple

import msgspec

from bench.figures import Sample, quartiles, ratios
from bench.progress import Progress
from bench.rounds import WARM_TOLERANCE, last_change, run_in_turns, warm_up

TIMEOUT: Final = 600
LASTING: Final = "bench.driver"
"""The driver that can play round after round in one process."""

Start = Callable[[], AbstractContextManager[tuple[int, int | str]]]
"""Starts a server: its process number and its port; those of several nodes with commas between them."""
Round = Callable[[bool], Sample]
"""Plays a round; in one of True system calls are counted."""


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
        raise _failed(arguments)
    return msgspec.json.decode(done.stdout, type=Sample)


def _failed(arguments: Sequence[str]) -> SystemExit:
    return SystemExit(f"this round could not be measured: {' '.join(arguments[1:])}")


@contextmanager
def rounds_of(driver: Sequence[str], pid: int, port: int | str, games: int, moves: int) -> Iterator[Round]:
    """Round after round from one driver process, whose players may stay where they sit."""
    arguments = [sys.executable, "-m", *driver, *map(str, (pid, port, games, moves)), "--rounds"]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        asked, told = process.stdin, process.stdout
        assert asked is not None
        assert told is not None

        def play(count: bool) -> Sample:
            try:
                print("count" if count else "play", file=asked, flush=True)
            except BrokenPipeError:
                raise _failed(arguments) from None
            if not (line := told.readline()):
                raise _failed(arguments)
            return msgspec.json.decode(line, type=Sample)

        try:
            yield play
        finally:
            process.terminate()
            with suppress(BrokenPipeError):  # it has ended by itself
                asked.close()


@contextmanager
def single_rounds(driver: Sequence[str], pid: int, port: int | str, games: int, moves: int) -> Iterator[Round]:
    """Every round from a driver process of its own."""
    yield lambda count: drive(driver, pid, port, games, moves, *(["--count"] if count else ()))


class Measurement(NamedTuple):
    """All rounds of one contender, and the one in which its system calls were counted."""

    rounds: list[Sample]
    memory: int
    """Bytes for a match in the first round: a server that has had matches before has memory left."""
    counted: Sample | None = None
    warming: Sequence[float] = ()
    """The rates of the rounds that warmed it."""


def measure(contenders: Mapping[str, Contender], games: int, moves: int, rounds: int) -> dict[str, Measurement]:
    """Every contender's rounds."""
    progress = Progress()
    first: dict[str, Sample] = {}

    def warm(name: str, play: Round) -> float:
        sample = play(False)
        first.setdefault(name, sample)
        return sample.rate

    with ExitStack() as stack:
        plays: dict[str, Round] = {}
        for name, contender in contenders.items():
            progress.say("starting servers", f": {name}")
            where = stack.enter_context(contender.start())
            kind = rounds_of if contender.driver[0] == LASTING else single_rounds
            times = contender.times
            plays[name] = stack.enter_context(kind(contender.driver, *where, games * times, moves * times))
        warming = warm_up(
            {name: partial(warm, name, play) for name, play in plays.items()},
            lambda number, name: progress.say(f"warming, round {number + 1}", f": {name}"),
        )
        found = run_in_turns(
            {name: partial(play, False) for name, play in plays.items()}, rounds,
            lambda number, name: progress.say(f"round {number + 1} of {rounds}", f": {name}"),
        )  # fmt: skip
        counted = run_in_turns(
            {name: partial(play, True) for name, play in plays.items()}, 1,
            lambda number, name: progress.say("counting system calls", f": {name}"),
        )  # fmt: skip
    progress.done()
    return {name: Measurement(found[name], first[name].memory, counted[name][0], warming[name]) for name in contenders}


def print_table(found: Mapping[str, Measurement], base: str) -> None:
    """Print two tables: how fast each contender is, with ratios to the base's same round, and what a move takes."""
    rates = {name: [sample.rate for sample in measured.rounds] for name, measured in found.items()}
    print(
        f"{'server':<22}{'moves/CPU-s':>12}{'quartiles':>18}{f'of {base}'[:14]:>15}{'quartiles':>14}{'moves/s':>10}"
        f"{'p50 ms':>9}{'p99 ms':>9}{'shown':>8}{'driver':>8}"
    )
    for name, measured in found.items():
        rate, ratio = quartiles(rates[name]), ratios(rates[name], rates[base])
        line = f"{name:<22}{rate.median:>12,.0f}{f'{rate.low:,.0f}..{rate.high:,.0f}':>18}"
        line += f"{ratio.median:>15.2f}{f'{ratio.low:.2f}..{ratio.high:.2f}':>14}"
        line += f"{_median(measured, lambda run: run.moves / run.seconds):>10,.0f}"
        for seconds in (lambda run: run.p50, lambda run: run.p99):
            line += f"{_median(measured, seconds) * 1000:>9.2f}"
        line += f"{_median(measured, lambda run: run.shown) * 1000:>8.2f}"
        print(line + f"{_median(measured, lambda run: run.driver / run.seconds):>8.0%}", flush=True)
    print(
        f"\n{'server':<22}{'bytes in':>10}{'bytes out':>11}{'to disk':>10}{'system calls':>14}{'KB/match':>10}"
        f"{'matches/CPU-s':>15}"
    )
    for name, measured in found.items():
        print(name.ljust(22) + _taken(measured), flush=True)
    if restless := [
        f"{name} ({last_change(measured.warming):.0%})"
        for name, measured in found.items()
        if measured.warming and last_change(measured.warming) > WARM_TOLERANCE
    ]:
        print(f"\nthe last two rounds of warming differ by more than {WARM_TOLERANCE:.0%}: {', '.join(restless)}")
    print()


def _median(measured: Measurement, figure: Callable[[Sample], float]) -> float:
    return quartiles(map(figure, measured.rounds)).median


def _taken(measured: Measurement) -> str:
    counted = measured.counted
    calls = f"{counted.calls / counted.moves:.2f}" if counted is not None and counted.calls else "-"
    matches = _median(measured, lambda run: run.matches / run.match_cpu if run.match_cpu else 0.0)
    whole = f"{matches:,.0f}" if matches else "-"
    return (
        f"{_median(measured, lambda run: run.sent / run.moves):>10,.0f}"
        f"{_median(measured, lambda run: run.received / run.moves):>11,.0f}"
        f"{_median(measured, lambda run: run.disk / run.moves):>10,.0f}{calls:>14}{measured.memory / 1024:>10.1f}"
        f"{whole:>15}"
    )
