"""What `plain` works out in one go is what the general machine comes to."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from boardwire.games.santorini import CATALOGUE, Draft, Options, apply, new
from boardwire.games.santorini.actions import Build, Move
from boardwire.games.santorini.events import Event
from boardwire.games.santorini.fast_steps import plain_step
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import God, compatible
from boardwire.games.santorini.powers.registry import HOOKS
from boardwire.games.santorini.step import attempt
from boardwire.games.santorini.steps import parse_action
from boardwire.games.santorini.turn import settle

PAIRS = [(one, other) for one in CATALOGUE for other in CATALOGUE if one is not other and compatible((one, other))]


def compare(options: Options, seats: int, seed: int) -> Counter[tuple[type, bool]]:
    """A random match, with every choice done both ways; how many steps of each kind were plain, and how many not."""
    luck = Random(seed)
    position: Position = new(options, seats)
    found: Counter[tuple[type, bool]] = Counter()
    while (decision := position.decision) is not None:
        action = luck.choice(tuple(decision.choices))
        if position.setup is None:
            told: list[Event] = []
            quick = plain_step(position, action, told)
            found[type(action), quick is not None] += 1
            if quick is not None:
                general: list[Event] = []
                slow = settle(attempt(position, action, general), general)
                assert (quick, told) == (slow, general), f"{options.gods}: {action} at ply {position.ply}"
        position, _ = apply(position, decision.seats[0], action)
    return found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_without_gods_nearly_every_step_is_plain_and_the_same(seats: int) -> None:
    found = sum((compare(Options(Draft.NONE), seats, seed) for seed in range(3)), Counter())
    for kind in (Move, Build):
        assert found[kind, True] > 9 * found[kind, False], kind


def test_a_plain_step_of_any_two_gods_is_what_their_powers_come_to() -> None:
    found: Counter[tuple[type, bool]] = Counter()
    for number, gods in enumerate(Random(7).sample(PAIRS, 40)):
        found += compare(Options(Draft.GIVEN, gods=gods), 2, number)
    assert min(found[kind, plain] for kind in (Move, Build) for plain in (True, False)) > 50


@pytest.mark.slow
def test_a_plain_step_of_every_two_gods_is_what_their_powers_come_to() -> None:
    for number, gods in enumerate(PAIRS):
        compare(Options(Draft.GIVEN, gods=gods), 2, number)


@pytest.mark.parametrize(
    ("position", "action"),
    [
        ("2300000000000000000000000/1/mortal:A5,E1/mortal:C3,E3", "A5>B5"),  # wins
        ("0000000000000000000000000/1/minotaur:B3,D1/mortal:C3,E1", "B3>C3"),  # someone is in the way
        ("0000000000000000000000000/1/pan:B3,D1/mortal:C3,E1", "B3>A3"),  # a power judges every move
    ],
)
def test_what_needs_more_than_the_plain_rule_is_left_to_the_machine(position: str, action: str) -> None:
    line = Line(position)
    assert line.can(action)
    assert plain_step(line.position, parse_action(action), []) is None


def test_a_choice_that_was_read_from_a_wire_is_the_same_as_the_one_that_was_offered() -> None:
    position = Line("0000000000000000000000000/1/mortal:B3,D1/mortal:C3,E1").position
    assert position.decision is not None
    (offered, *_) = position.decision.choices
    assert isinstance(offered, Move)
    read = Move(offered.frm, offered.to)
    assert read is not offered
    assert apply(position, 0, read) == apply(position, 0, offered)


def test_gods_know_which_hooks_are_their_own() -> None:
    lineup = Line("0000000000000000000000000/1/athena:B3,D1/mortal:C3,E1").position.lineup
    athena, mortal = lineup.powers
    assert "limit_moves" in HOOKS[type(athena)]
    assert HOOKS[type(mortal)] == frozenset()
    assert God.MORTAL is mortal.god
