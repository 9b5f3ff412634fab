"""Choices before the first turn."""

from __future__ import annotations

from random import Random

from msgspec.structs import replace

from boardwire.bots.santorini import opening
from boardwire.games import santorini
from boardwire.games.santorini import Draft, God, Options
from boardwire.games.santorini.actions import Action, PlaceWorker
from boardwire.games.santorini.board import BEHIND, NEIGHBOURS, squares_of


def placed(squares: tuple[int, ...], offered: tuple[int, ...]) -> Action:
    """Return where the next worker is placed if only these squares are offered; of equal ones the last."""
    position = santorini.new(santorini.Options(), 2)
    for square in squares:
        decision = santorini.pending(position)
        assert decision is not None
        position, _ = santorini.apply(position, decision.seats[0], PlaceWorker(square))
    decision = santorini.pending(position)
    assert decision is not None
    narrowed = replace(decision, choices=tuple(PlaceWorker(square) for square in offered))
    found: Action = opening.think(santorini.view(position, decision.seats[0]), narrowed, lambda n: n - 1).turn[0]
    return found


def test_a_worker_is_placed_beside_a_foe_also_in_the_first_corner() -> None:
    assert placed((0, 22), (1, 3)) == PlaceWorker(1)


def test_a_worker_is_placed_near_the_middle() -> None:
    assert placed((), (0, 12, 24)) == PlaceWorker(12)


def test_workers_of_one_side_are_not_neighbours() -> None:
    assert placed((6,), (17, 7)) == PlaceWorker(17)


def test_no_worker_starts_where_the_first_move_of_bia_removes_it() -> None:
    luck = Random(1)
    for _ in range(20):
        p = santorini.new(Options(Draft.GIVEN, (God.BIA, God.SIREN), bans=False), 2)
        while p.setup is not None:
            assert p.decision is not None
            seat = p.decision.seats[0]
            choices = tuple(p.decision.choices)
            action = choices[luck.randrange(len(choices))]
            if seat == 1:
                action = opening.think(santorini.view(p, 1), p.decision, luck.randrange).turn[0]
            p, _ = santorini.apply(p, seat, action)
        for foe in p.workers[0]:
            for between in squares_of(NEIGHBOURS[foe]):
                assert BEHIND[foe][between] not in p.workers[1]
