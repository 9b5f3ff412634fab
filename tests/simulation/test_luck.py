"""Scripted luck and predictable names."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import pytest

from boardwire.games.game import CHANCE, Below, Decision
from boardwire.simulation.luck import CountedNames, ScriptedDealer


class Kind(StrEnum):
    """What luck is asked."""

    DIE = "die"


class Pair:
    """A Draw: two different numbers from 1 to 6."""

    def __contains__(self, action: object) -> bool:
        return isinstance(action, tuple) and len(set(action)) == 2

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return ((a, b) for a in range(1, 7) for b in range(1, 7) if a != b)

    def __len__(self) -> int:
        return 30

    def draw(self, below: Below) -> tuple[int, int]:
        first = below(6) + 1
        return first, first % 6 + 1


DIE = Decision(Kind.DIE, (CHANCE,), (1, 2, 3, 4, 5, 6))
PAIR = Decision(Kind.DIE, (CHANCE,), Pair())


def test_the_script_is_dealt_in_order() -> None:
    dealer = ScriptedDealer([3, 1, (2, 5)])
    assert [dealer.deal(DIE), dealer.deal(DIE), dealer.deal(PAIR)] == [3, 1, (2, 5)]


def test_a_script_that_deals_the_impossible_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="deals 7, which is not a choice of die"):
        ScriptedDealer([7]).deal(DIE)


def test_a_script_at_its_end_fails_the_test() -> None:
    with pytest.raises(AssertionError, match="is used up"):
        ScriptedDealer().deal(DIE)


def test_after_the_script_the_seed_decides_always_the_same() -> None:
    def deals(seed: int) -> list[object]:
        dealer = ScriptedDealer([6], seed)
        return [dealer.deal(DIE) for _ in range(20)] + [dealer.deal(PAIR) for _ in range(20)]

    assert deals(1) == deals(1) != deals(2)
    assert deals(1)[0] == 6
    assert set(deals(1)[:20]) <= {1, 2, 3, 4, 5, 6}
    assert all(pair in Pair() for pair in deals(1)[20:])


def test_names_are_counted() -> None:
    names = CountedNames()
    assert [names.match(), names.match(), names.code(), names.code()] == ["match-1", "match-2", "CODE1", "CODE2"]
    assert names.token() != names.token()
