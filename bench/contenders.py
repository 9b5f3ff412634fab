"""Measure servers side by side and print a table.

A contender is a server and the driver for it.

- All servers start first and run until the end of the measurement: servers on one core, drivers on the other.
- Warm-up rounds run until two successive ones agree; they are not part of the result.
- Measured rounds alternate between contenders. One more round counts system calls, which slows the server down.
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

ROUND_TIMEOUT_SECONDS: Final = 600
PERSISTENT_DRIVER: Final = "bench.driver"
"""The driver that can play all rounds in one process (`--rounds`)."""

Start = Callable[[], AbstractContextManager[tuple[int, int | str]]]
"""Starts a server and yields its process ID and its port; ports of several nodes are separated by commas."""
Round = Callable[[bool], Sample]
"""Plays a round; True counts system calls."""


class Contender(NamedTuple):
    """A server to measure and its driver."""

    start: Start
    driver: tuple[str, ...]
    """The driver's module and its first arguments."""
    times: int = 1
    """Factor on the number of games and moves."""


def drive(driver: Sequence[str], pid: int, port: int | str, games: int, moves: int, *more: str) -> Sample:
    """Play one round in a new driver process."""
    arguments = [sys.executable, "-m", *driver, *map(str, (pid, port, games, moves)), *more]
    done = subprocess.run(arguments, stdout=subprocess.PIPE, timeout=ROUND_TIMEOUT_SECONDS)
    if done.returncode:
        raise _failed(arguments)
    return msgspec.json.decode(done.stdout, type=Sample)


def _failed(arguments: Sequence[str]) -> SystemExit:
    return SystemExit(f"driver failed: {' '.join(arguments[1:])}")


@contextmanager
def rounds_of(driver: Sequence[str], pid: int, port: int | str, games: int, moves: int) -> Iterator[Round]:
    """Yield a function that plays rounds in one driver process, which may keep its players seated between rounds."""
    arguments = [sys.executable, "-m", *driver, *map(str, (pid, port, games, moves)), "--rounds"]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        requests, samples = process.stdin, process.stdout
        assert requests is not None
        assert samples is not None

        def play(count: bool) -> Sample:
            try:
                print("count" if count else "play", file=requests, flush=True)
            except BrokenPipeError:
                raise _failed(arguments) from None
            if not (line := samples.readline()):
                raise _failed(arguments)
            return msgspec.json.decode(line, type=Sample)

        try:
            yield play
        finally:
            process.terminate()
            with suppress(BrokenPipeError):  # the driver has already exited
                requests.close()


@contextmanager
def single_rounds(driver: Sequence[str], pid: int, port: int | str, games: int, moves: int) -> Iterator[Round]:
    """Yield a function that plays each round in a new driver process."""
    yield lambda count: drive(driver, pid, port, games, moves, *(["--count"] if count else ()))


class Measurement(NamedTuple):
    """Results of one contender."""

    rounds: list[Sample]
    memory: int
    """Bytes per match in the first round. Later rounds reuse memory that the server has already allocated."""
    counted: Sample | None = None
    """The round in which system calls were counted."""
    warming: Sequence[float] = ()
    """Moves per CPU-second of the warm-up rounds."""


def measure(contenders: Mapping[str, Contender], games: int, moves: int, rounds: int) -> dict[str, Measurement]:
    """Measure all contenders and return their results by name."""
    progress = Progress()
    first: dict[str, Sample] = {}

    def warm(name: str, play: Round) -> float:
        sample = play(False)
        first.setdefault(name, sample)
        return sample.rate

    with ExitStack() as stack:
        plays: dict[str, Round] = {}
        for name, contender in contenders.items():
            progress.show("starting servers", f": {name}")
            address = stack.enter_context(contender.start())
            play_rounds = rounds_of if contender.driver[0] == PERSISTENT_DRIVER else single_rounds
            times = contender.times
            plays[name] = stack.enter_context(play_rounds(contender.driver, *address, games * times, moves * times))
        warming = warm_up(
            {name: partial(warm, name, play) for name, play in plays.items()},
            lambda number, name: progress.show(f"warming, round {number + 1}", f": {name}"),
        )
        found = run_in_turns(
            {name: partial(play, False) for name, play in plays.items()}, rounds,
            lambda number, name: progress.show(f"round {number + 1} of {rounds}", f": {name}"),
        )  # fmt: skip
        counted = run_in_turns(
            {name: partial(play, True) for name, play in plays.items()}, 1,
            lambda number, name: progress.show("counting system calls", f": {name}"),
        )  # fmt: skip
    progress.clear()
    return {name: Measurement(found[name], first[name].memory, counted[name][0], warming[name]) for name in contenders}


def print_table(found: Mapping[str, Measurement], base: str) -> None:
    """Print two tables: speed, with ratios to the base in the same round, and resources per move."""
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
        print(name.ljust(22) + _resources(measured), flush=True)
    if unstable := [
        f"{name} ({last_change(measured.warming):.0%})"
        for name, measured in found.items()
        if measured.warming and last_change(measured.warming) > WARM_TOLERANCE
    ]:
        print(
            f"\nnot warm: the last two warm-up rounds differ by more than {WARM_TOLERANCE:.0%}: {', '.join(unstable)}"
        )
    print()


def _median(measured: Measurement, figure: Callable[[Sample], float]) -> float:
    return quartiles(map(figure, measured.rounds)).median


def _resources(measured: Measurement) -> str:
    counted = measured.counted
    calls = f"{counted.calls / counted.moves:.2f}" if counted is not None and counted.calls else "-"
    matches = _median(measured, lambda run: run.matches / run.match_cpu if run.match_cpu else 0.0)
    matches_rate = f"{matches:,.0f}" if matches else "-"
    return (
        f"{_median(measured, lambda run: run.sent / run.moves):>10,.0f}"
        f"{_median(measured, lambda run: run.received / run.moves):>11,.0f}"
        f"{_median(measured, lambda run: run.disk / run.moves):>10,.0f}{calls:>14}{measured.memory / 1024:>10.1f}"
        f"{matches_rate:>15}"
    )
