"""Contenders by turns: every round each of them once, so that what else the machine does meets all alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

Name = TypeVar("Name")
Result = TypeVar("Result")


def order(contenders: Sequence[Name], number: int) -> Sequence[Name]:
    """Who comes when in a round: every second round the other way round, so that nobody always follows the same."""
    return contenders[::-1] if number % 2 else contenders


def together(contenders: Mapping[Name, Callable[[], Result]], rounds: int) -> dict[Name, list[Result]]:
    """All results of each contender, in the order of the rounds."""
    found: dict[Name, list[Result]] = {name: [] for name in contenders}
    for number in range(rounds):
        for name in order(list(contenders), number):
            found[name].append(contenders[name]())
    return found
