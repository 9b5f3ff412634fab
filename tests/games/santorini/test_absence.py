"""Absent players: what passes, what is answered for them, and who is left."""

from __future__ import annotations

import random

import msgspec
import pytest

from boardwire.errors import Refused
from boardwire.games import santorini
from boardwire.games.game import CHANCE
from boardwire.games.santorini.actions import PickGod, PlaceWorker, ProposeGod
from boardwire.games.santorini.edits import level
from boardwire.games.santorini.events import TurnSkipped, TurnStarted
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God
from boardwire.games.santorini.powers.registry import POWERS
from boardwire.games.santorini.squares import parse_square
from boardwire.testing import laws

THREE = "0000000000000000000000000/1/mortal:B3,D1/mortal:C3,E1/mortal:A1,A5"


def test_a_turn_that_has_not_begun_passes() -> None:
    before = parse_position(THREE)
    after, events = santorini.skip(before, 0)
    assert events == (TurnSkipped(0), TurnStarted(1, before.ply + 1))
    assert after.workers == before.workers
    decision = santorini.pending(after)
    assert decision is not None
    assert decision.seats == (1,)


def test_a_turn_without_its_build_ends_where_it_is() -> None:
    line = Line(THREE)
    line.play("B3>B2")
    after, events = santorini.skip(line.position, 0)
    assert events[0] == TurnSkipped(0)
    assert after.workers[0][0] == parse_square("B2")
    assert not after.b1
    assert santorini.pending(after).seats == (1,)


def test_what_happens_at_the_end_of_a_turn_happens_only_in_one_that_was_begun() -> None:
    high = "0000000000001000000000000/1/medusa:C3,A1/mortal:C4,E5"
    passed, _ = santorini.skip(parse_position(high), 0)
    assert passed.workers[1][0] == parse_square("C4")
    line = Line("0000000000001100000000000/1/medusa:C3,A1/mortal:C4,E5")
    line.play("C3>D3")
    begun, _ = santorini.skip(line.position, 0)
    assert begun.workers[1][0] < 0
    assert level(begun, parse_square("C4")) == 1


def test_additional_turns_of_an_absent_player_are_lost() -> None:
    position = parse_position(THREE)
    owed = msgspec.structs.replace(position, owed=(1,))
    after, _ = santorini.skip(owed, 0)
    assert (after.seat, after.owed) == (1, ())


def test_in_the_set_up_the_first_choice_is_taken_for_an_absent_player() -> None:
    position = santorini.new(Options(Draft.PRINTED, pool=(God.APOLLO, God.PAN, God.ATLAS)), 3)
    first = ProposeGod(God.APOLLO)
    assert santorini.skip(position, 0)[0] == santorini.apply(position, 0, first)[0]
    while not isinstance(next(iter(position.decision.choices)), PlaceWorker):
        seat = position.decision.seats[0]
        position, events = santorini.skip(position, seat)
        assert events[0] == TurnSkipped(seat)
    assert position.setup is not None
    assert None not in position.setup.gods
    square = next(iter(position.decision.choices))
    assert isinstance(square, PlaceWorker)
    placed, _ = santorini.skip(position, position.decision.seats[0])
    assert placed.workers[0] == (square.at,)
    assert PickGod not in map(type, placed.decision.choices)


def test_only_a_seat_that_is_asked_is_skipped_and_chance_never() -> None:
    with pytest.raises(Refused, match="not that seat's turn"):
        santorini.skip(parse_position(THREE), 1)
    dealing = santorini.new(Options(Draft.RANDOM), 2)
    assert dealing.decision is not None
    assert dealing.decision.seats == (CHANCE,)
    with pytest.raises(Refused, match="not that seat's turn"):
        santorini.skip(dealing, CHANCE)
    over, _ = santorini.forfeit(santorini.new(Options(), 2), 0)
    with pytest.raises(Refused, match="over"):
        santorini.skip(over, 1)


def test_the_sides_are_seats_or_teams_still_in_the_match() -> None:
    assert santorini.sides(santorini.new(Options(), 1)) == ((0,),)
    assert santorini.sides(santorini.new(Options(), 4)) == ((0, 2), (1, 3))
    three = santorini.new(Options(), 3)
    assert santorini.sides(santorini.forfeit(three, 1)[0]) == ((0,), (2,))


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_god_stands_the_absence_of_players(seats: int) -> None:
    pool = [god for god in CATALOGUE if god in POWERS]
    rng = random.Random(seats)
    for draft in (Draft.RANDOM, Draft.PRINTED, Draft.CHALLENGER, Draft.TWO_ROUNDS):
        for _ in range(250):
            options = Options(draft, pool=tuple(rng.sample(pool, 40)), bans=rng.random() < 0.5, ply_cap=60)
            laws.play_with_absences(santorini, options, seats, rng.randrange)
