"""Interleaved rounds: each round runs every contender once, so that other load on the machine affects all equally."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

Name = TypeVar("Name")
Result = TypeVar("Result")

WARM_TOLERANCE: Final = 0.03
"""A contender is warm once its last two rounds differ by at most this share."""
MIN_WARM_ROUNDS: Final = 3
"""Two early rounds may agree by chance, for instance before a just-in-time compiler has started."""
MAX_WARM_ROUNDS: Final = 6
"""Limit for machines too noisy for two rounds to agree."""


def round_order(contenders: Sequence[Name], number: int) -> Sequence[Name]:
    """Return the order of a round: reversed in every second one, so that no contender always follows the same one."""
    return contenders[::-1] if number % 2 else contenders


def run_in_turns(
    contenders: Mapping[Name, Callable[[], Result]],
    rounds: int,
    on_start: Callable[[int, Name], None] = lambda *_: None,
) -> dict[Name, list[Result]]:
    """Run all rounds and return each contender's results; `on_start` is called before each run."""
    found: dict[Name, list[Result]] = {name: [] for name in contenders}
    for number in range(rounds):
        for name in round_order(list(contenders), number):
            on_start(number, name)
            found[name].append(contenders[name]())
    return found


def last_change(rates: Sequence[float]) -> float:
    """Return the relative difference of the last two rates; infinite for fewer than two."""
    return abs(rates[-1] / rates[-2] - 1) if len(rates) > 1 else float("inf")


def warm_up(
    contenders: Mapping[Name, Callable[[], float]], on_start: Callable[[int, Name], None] = lambda *_: None
) -> dict[Name, list[float]]:
    """Run interleaved rounds until each contender's last two rates agree; return all rates."""
    found: dict[Name, list[float]] = {name: [] for name in contenders}
    for number in range(MAX_WARM_ROUNDS):
        cold = [name for name in contenders if number < MIN_WARM_ROUNDS or last_change(found[name]) > WARM_TOLERANCE]
        for name in round_order(cold, number):
            on_start(number, name)
            found[name].append(contenders[name]())
    return found
