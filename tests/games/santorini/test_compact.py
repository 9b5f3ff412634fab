"""The rules beside a second writing of them (`compact.py`), over random matches of pairs of gods."""

from __future__ import annotations

import random
from typing import Final

import pytest

from boardwire.errors import Illegal
from boardwire.games import santorini
from boardwire.games.santorini import Draft, God, Options, Position
from boardwire.games.santorini.perft import Turns as Rules
from boardwire.games.santorini.turn import settle

from . import compact

POWERS: Final = {god: getattr(compact, god.name) for god in God if hasattr(compact, god.name)}


def packed(p: Position, own: int) -> tuple[int, int, int]:
    """A position as the second writing has it, seen by a seat."""
    men = 0
    for place, side in enumerate((own, 1 - own)):
        squares = [compact.OFF if square < 0 else square for square in p.workers[side]]
        if p.lineup.gods[side] is not God.SELENE:  # no one else minds which worker is which
            squares.sort()
        men |= (squares[0] | squares[1] << 5) << 10 * place
        if p.lineup.gods[side] is God.ATHENA and p.memos[side]:
            men |= 1 << 20 + 4 * place
    return p.b1 | p.b2 << 25, p.b3 | p.domes << 25, men


def begun(rng: random.Random, gods: tuple[God, God]) -> Position:
    """A match of two gods, workers placed anyhow."""
    p = santorini.new(Options(Draft.GIVEN, gods=gods), 2)
    while p.setup is not None and p.decision is not None:
        p, _ = santorini.apply(p, p.decision.seats[0], rng.choice(tuple(p.decision.choices)))
    return p


def compare(rng: random.Random, gods: tuple[God, God], turns: int) -> int:
    """Play at random, and see at each turn that both writings list the same ends; gives the number of turns."""
    p = begun(rng, gods)
    second = compact.Turns()
    for number in range(turns):
        if p.outcome is not None:
            return number
        own = p.seat
        ends = [end for end, _ in Rules(p).ends.values()]
        wins = any(end.outcome is not None and own in end.outcome.winners for end in ends)
        open_ = [settle(end, []) for end in ends if end.outcome is None]
        mine, theirs = (POWERS[p.lineup.gods[seat]] for seat in (own, 1 - own))
        second.find(*packed(p, own), mine, theirs)
        assert second.won == wins, (gods, p)
        if not wins:
            assert second.ends == {packed(end, 1 - own) for end in open_}, (gods, p)
        if not open_:
            return number
        p = rng.choice(open_)
    return turns


def pairs(rng: random.Random) -> tuple[God, God]:
    """Two gods that may meet."""
    while True:
        one, other = rng.sample(list(POWERS), 2)
        try:
            santorini.new(Options(Draft.GIVEN, gods=(one, other)), 2)
        except Illegal:
            continue
        return one, other


@pytest.mark.parametrize("god", POWERS, ids=str)
def test_both_writings_list_the_same_turns_of_every_god(god: God) -> None:
    assert compare(random.Random(god), (god, God.MORTAL), 2) == 2


@pytest.mark.slow
def test_both_writings_list_the_same_turns_of_many_pairs() -> None:
    rng = random.Random(7)
    assert sum(compare(rng, pairs(rng), 60) for _ in range(400)) > 15_000
