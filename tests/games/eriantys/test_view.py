"""A view is put together from parts that are made once; it always tells what the position has."""

from __future__ import annotations

from random import Random

import pytest

from boardwire.games import eriantys
from boardwire.games.eriantys import Mode, Options
from boardwire.games.eriantys.nature import influence
from boardwire.games.eriantys.piles import counts, slot
from boardwire.games.eriantys.places import CLOUD, ENTRANCE, HALL
from boardwire.games.eriantys.position import Position, is_gone, owner
from boardwire.testing.laws import playthrough


def tell_all(position: Position) -> None:
    """Compare every part of the view with the position, without any of the view's own look-ups."""
    seen = eriantys.view(position, None)
    ring, expert, students = position.ring, position.expert, position.students
    assert [island.tiles for island in seen.islands] == list(ring.tiles)
    for island in seen.islands:
        head = island.tiles[0]
        assert island.students == counts(slot(position.islands, head))
        assert island.side == owner(position, head)
        assert island.towers == sum(owner(position, tile) is not None for tile in island.tiles)
        assert island.no_entry == (0 if expert is None else expert.no_entry[head])
        assert island.influence == tuple(influence(position, head))
        assert island.mother_nature is (position.mother in island.tiles)
    seats = range(position.terms.seats)
    assert seen.clouds == tuple(counts(slot(students, CLOUD + seat)) for seat in seats)
    for seat, board in enumerate(seen.boards):
        assert board.side == position.terms.sides[seat]
        assert (board.entrance, board.hall) == tuple(counts(slot(students, at[seat])) for at in (ENTRANCE, HALL))
        assert board.professors == tuple(c for c in eriantys.Colour if position.professors.holders[c] == seat)
        assert board.hand == tuple(card for card in range(1, 11) if position.hands >> 16 * seat + card & 1)
        assert board.card == (position.plan.cards[seat] or None)
        assert board.coins == (None if expert is None else expert.coins[seat])
        assert board.gone is is_gone(position, seat)


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_view_tells_what_the_position_has(mode: Mode, seats: int) -> None:
    """Two matches at a time, so that one is told what was learnt from the other."""
    one, other = (playthrough(eriantys, Options(mode=mode), seats, Random(seed).randrange) for seed in (1, 2))
    for plies in zip(one, other, strict=False):
        for ply in plies:
            tell_all(ply.position)


def test_who_has_given_up_shows() -> None:
    *_, last = (ply.position for ply in playthrough(eriantys, Options(), 3, Random(1).randrange, max_actions=60))
    tell_all(last)
    tell_all(eriantys.forfeit(last, 1)[0])


def test_islands_and_boards_that_did_not_change_are_the_same() -> None:
    plies = list(playthrough(eriantys, Options(), 2, Random(3).randrange))
    before = next(ply.position for ply in plies if ply.position.stage.name == "PLAN")
    decision = eriantys.pending(before)
    assert decision is not None
    after, _ = eriantys.apply(before, decision.seats[0], next(iter(decision.choices)))
    was, now = eriantys.view(before, None), eriantys.view(after, None)
    assert now.islands is was.islands
    assert now.boards[1 - decision.seats[0]] is was.boards[1 - decision.seats[0]]
