"""Draws of students: exact membership, exhaustive iteration, and luck that is fair."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from itertools import islice

import pytest

from boardwire.games.eriantys import (
    Colour,
    DealEntrances,
    PlayAssistant,
    Refill,
    Restock,
    StockCharacters,
    StockIslands,
)
from boardwire.games.eriantys.deals import Deal, Scatter
from boardwire.games.eriantys.piles import hands, pile, present, size
from boardwire.games.eriantys.stages import Kind
from boardwire.games.game import Draw

FULL = pile((24,) * 5)


@pytest.mark.parametrize("deal", [Deal(Kind.REFILL, FULL, (3, 3)), Scatter()])
def test_a_deal_is_a_draw(deal: object) -> None:
    assert isinstance(deal, Draw)


@pytest.mark.parametrize(
    "deal",
    [
        Deal(Kind.REFILL, pile((1, 2, 0, 0, 5)), (3, 2)),
        Deal(Kind.REFILL, pile((1, 2, 0, 0, 5)), (3, 0)),
        Deal(Kind.RESTOCK, pile((1, 0, 0, 3, 0)), (1,)),
        Deal(Kind.STOCK, pile((2, 3, 0, 3, 4)), (4, 0, 6)),
        Deal(Kind.REFILL, FULL, (3, 3)),
    ],
)
def test_iteration_is_exhaustive_and_each_outcome_is_a_member(deal: Deal) -> None:
    outcomes = list(deal)
    assert len(outcomes) == len(set(outcomes)) == len(deal)
    assert all(outcome in deal for outcome in outcomes)
    luck = random.Random(1)
    assert {deal.draw(luck.randrange) for _ in range(200)} <= set(outcomes)


def test_a_large_deal_is_counted_without_making_it() -> None:
    deal = Deal(Kind.ENTRANCES, FULL, (7, 7))
    assert len(deal) == 330 * 330
    assert all(outcome in deal for outcome in islice(deal, 50))
    assert deal.draw(random.Random(1).randrange) in deal


def test_what_the_bag_cannot_give_is_no_member() -> None:
    deal = Deal(Kind.REFILL, pile((3, 1, 0, 0, 2)), (3, 3))
    assert Refill(((3, 0, 0, 0, 0), (0, 1, 0, 0, 2))) in deal
    assert Refill(((3, 0, 0, 0, 0), (1, 0, 0, 0, 2))) not in deal
    assert Refill(((2, 1, 0, 0, 0), (1, 1, 0, 0, 1))) not in deal
    assert Refill(((3, 0, 0, 0, 0),)) not in deal
    assert Refill(((4, 0, 0, 0, -1), (0, 1, 0, 0, 2))) not in deal
    assert StockCharacters(((3, 0, 0, 0, 0), (0, 1, 0, 0, 2))) not in deal
    assert DealEntrances(((3, 0, 0, 0, 0), (0, 1, 0, 0, 2))) not in deal
    assert Restock(Colour.GREEN) not in deal
    assert PlayAssistant(3) not in deal


def test_large_hands_are_checked_too() -> None:
    deal = Deal(Kind.ENTRANCES, FULL, (7, 7))
    assert DealEntrances(((7, 0, 0, 0, 0), (0, 0, 0, 0, 7))) in deal
    assert DealEntrances(((8, 0, 0, 0, -1), (0, 0, 0, 0, 7))) not in deal
    assert DealEntrances(((6, 0, 0, 0, 0), (0, 0, 0, 0, 7))) not in deal


def test_every_student_of_the_bag_is_as_likely() -> None:
    deal = Deal(Kind.RESTOCK, pile((1, 0, 0, 3, 4)), (1,))
    seen = Counter(deal.draw(partial(min, index)) for index in range(8))
    assert seen == {Restock(Colour.GREEN): 1, Restock(Colour.PINK): 3, Restock(Colour.BLUE): 4}


def test_the_first_ten_students_come_in_any_order() -> None:
    scatter = Scatter()
    assert len(scatter) == 113_400
    first = next(iter(scatter))
    assert first in scatter
    assert scatter.draw(random.Random(1).randrange) in scatter
    assert StockIslands((Colour.RED,) * 10) not in scatter
    assert PlayAssistant(1) not in scatter
    assert len(set(islice(scatter, 1000))) == 1000


def test_piles_tell_what_they_hold() -> None:
    students = pile((3, 0, 26, 0, 1))
    assert size(students) == 30
    assert present(students) == (0, 2, 4)
    assert size(pile((26,) * 5)) == 130
    assert len(hands(3)) == 35
