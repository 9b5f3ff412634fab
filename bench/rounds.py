"""Contenders by turns: every round each of them once, so that what else the machine does meets all alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

Name = TypeVar("Name")
Result = TypeVar("Result")

WARM_TOLERANCE: Final = 0.03
"""A contender is warm as soon as its last round is within this share of the one before."""
MIN_WARM_ROUNDS: Final = 3
"""Rounds of warming that each has at least: two may agree before a compiler has begun."""
MAX_WARM_ROUNDS: Final = 6
"""Rounds after which warming ends on a machine on which no two rounds agree."""


def round_order(contenders: Sequence[Name], number: int) -> Sequence[Name]:
    """Who comes when in a round: every second round the other way round, so that no one always follows the same."""
    return contenders[::-1] if number % 2 else contenders


def run_in_turns(
    contenders: Mapping[Name, Callable[[], Result]], rounds: int, begun: Callable[[int, Name], None] = lambda *_: None
) -> dict[Name, list[Result]]:
    """All results of each contender, in the order of the rounds; `begun` is told which round of whom begins."""
    found: dict[Name, list[Result]] = {name: [] for name in contenders}
    for number in range(rounds):
        for name in round_order(list(contenders), number):
            begun(number, name)
            found[name].append(contenders[name]())
    return found


def last_change(rates: Sequence[float]) -> float:
    """By which share of the one before the last rate differs from it; infinite for fewer than two."""
    return abs(rates[-1] / rates[-2] - 1) if len(rates) > 1 else float("inf")


def warm_up(
    contenders: Mapping[Name, Callable[[], float]], begun: Callable[[int, Name], None] = lambda *_: None
) -> dict[Name, list[float]]:
    """The rates of the rounds that each contender took, by turns, until two successive ones agreed."""
    found: dict[Name, list[float]] = {name: [] for name in contenders}
    for number in range(MAX_WARM_ROUNDS):
        cold = [name for name in contenders if number < MIN_WARM_ROUNDS or last_change(found[name]) > WARM_TOLERANCE]
        for name in round_order(cold, number):
            begun(number, name)
            found[name].append(contenders[name]())
    return found
