"""What positions share or pack: the tables must agree with the rules they were worked out from."""

from __future__ import annotations

import copy
import pickle
import random
from itertools import product

import pytest

from boardwire.errors import Illegal
from boardwire.games import eriantys
from boardwire.games.eriantys import Character, Colour, Mode, Options, Refill, Tower, UseCharacter
from boardwire.games.eriantys.characters import price
from boardwire.games.eriantys.diagram import build_position
from boardwire.games.eriantys.phases import phase_of
from boardwire.games.eriantys.piles import hands
from boardwire.games.eriantys.plans import NOBODY, PASSED, START, after, plan_of
from boardwire.games.eriantys.position import changed
from boardwire.games.eriantys.professors import professors_of
from boardwire.games.eriantys.stages import Stage
from boardwire.games.eriantys.views import _island
from boardwire.games.game import CHANCE


def test_a_refill_is_accepted_exactly_where_it_is_among_the_choices() -> None:
    position = build_position(
        [("asked", "refill"), ("cloud 0", "-"), ("cloud 1", "red 1"), ("bag", "green 2 red 1 pink 1 blue 3")]
    )
    decision = eriantys.pending(position)
    assert decision is not None
    accepted = 0
    for clouds in product((*hands(2), *hands(3)), repeat=2):
        try:
            eriantys.apply(position, CHANCE, Refill(clouds))
        except Illegal:
            assert Refill(clouds) not in decision.choices
        else:
            accepted += 1
            assert Refill(clouds) in decision.choices
    assert accepted == len(decision.choices)


@pytest.mark.parametrize("hand", [(9, 9, 9, 9, 9), (3, 1, 0, 0, -1), (1, 1)])
def test_a_refill_with_nothing_but_impossible_clouds_is_refused(hand: tuple[int, ...]) -> None:
    position = build_position([("asked", "refill"), ("cloud 0", "-"), ("cloud 1", "-")])
    with pytest.raises(Illegal):
        eriantys.apply(position, CHANCE, Refill((hand, hand)))  # type: ignore[arg-type]  # what a wire could bring


def test_plans_have_different_codes() -> None:
    plans = {(seats, first): START[seats][first] for seats in (2, 3, 4) for first in range(seats)}
    found = list(plans.values())
    for start in plans.values():
        layer = [start]
        for _ in range(min(3, len(start.cards))):
            layer = [after(plan, card) for plan in layer for card in (PASSED, 1, 4, 10)]
            found += layer
    values = {(plan.first, plan.asked, plan.cards, plan.order): plan.code for plan in found}
    assert len(set(values.values())) == len(values)
    assert all(plan_of(plan.first, plan.asked, plan.cards, plan.order) == plan for plan in found)


def test_the_lower_card_acts_first_and_of_equal_ones_the_one_played_first() -> None:
    plan = START[3][2]
    for card in (7, 3, 7):
        plan = after(plan, card)
    assert (plan.order, plan.seat, plan.follows) == ((0, 2, 1), 0, (2, NOBODY, 1))


def test_equal_options_start_from_equal_positions() -> None:
    assert eriantys.new(Options(), 3) == eriantys.new(Options(), 3)
    assert eriantys.new(Options(), 3) != eriantys.new(Options(), 2)


W, B = Tower.WHITE, Tower.BLACK
TABLES = [
    (Options(), 2),
    (Options(), 3),
    (Options(towers=(W, B, W, B)), 4),
    (Options(towers=(W, W, B, B)), 4),
    (Options(towers=(B, W, W, B)), 4),
    (Options(mode=Mode.EXPERT), 2),
    (Options(mode=Mode.EXPERT, characters=(Character.GRANDMA, Character.CENTAUR, Character.KNIGHT)), 3),
    (Options(mode=Mode.EXPERT, characters=(Character.GRANDMA, Character.MUSHROOM, Character.HERALD)), 2),
]


@pytest.mark.parametrize(("options", "seats"), TABLES)
def test_an_island_that_is_remembered_is_the_island_that_is_there(options: Options, seats: int) -> None:
    luck = random.Random(7)
    for _ in range(3):
        position = eriantys.new(options, seats)
        while (decision := eriantys.pending(position)) is not None:
            choices = decision.choices
            action = choices.draw(luck.randrange) if hasattr(choices, "draw") else luck.choice(tuple(choices))
            position, _ = eriantys.apply(position, decision.seats[0], action)
            shown = eriantys.view(position, None)
            assert shown.islands == tuple(_island(position, group) for group in range(len(position.ring.heads)))
            assert [board.professors for board in shown.boards] == [
                tuple(colour for colour in Colour if shown.professors[colour] == seat) for seat in range(seats)
            ]


def test_professors_have_different_codes() -> None:
    sides = [(0, 1), (0, 1, 2), (0, 1, 0, 1), (0, 0, 1, 1), (0, 1, 1, 0)]
    found = [
        professors_of(holders, seats).code
        for seats in sides
        for holders in product((NOBODY, *range(len(seats))), repeat=5)
    ]
    assert len(set(found)) == len(found)


def test_a_phase_leads_to_the_next_of_the_same_turn() -> None:
    phase = phase_of(Stage.STUDENTS, 2, 2, True)
    assert phase.moved is phase_of(Stage.STUDENTS, 2, 1, True)
    assert phase.moved.moved is phase_of(Stage.NATURE, 2, 0, True)
    assert phase.moved.moved.walked is phase_of(Stage.CLOUD, 2, 0, True)
    assert phase.asked[3] is phase_of(Stage.PLAN, 3, 2, True)
    assert phase.refilled is phase_of(Stage.REFILL, CHANCE, 2, True)


def test_positions_survive_copying_and_pickling() -> None:
    position = build_position(
        [("characters", "monk thief knight"), ("group 3", "3 4"), ("hall A", "red 2"), ("players", "3")]
    )
    for again in (pickle.loads(pickle.dumps(position)), copy.deepcopy(position)):
        assert again == position
        assert hash(again) == hash(position)
        assert again.phase is position.phase


def test_a_changed_position_is_another_one_and_the_rest_of_it_the_same() -> None:
    position = build_position([("players", "2")])
    moved = changed(position, mother=5, phase=position.phase.moved)
    assert (moved.mother, moved.left) == (5, position.left - 1)
    assert moved != position
    assert changed(moved, mother=position.mother, phase=position.phase) == position


def test_the_price_of_the_cheapest_character_is_kept() -> None:
    position = build_position([("characters", "postman thief herald"), ("coins A", "2")])
    assert position.expert is not None
    assert position.expert.lowest_price == 1
    position, _ = eriantys.apply(position, 0, UseCharacter(Character.POSTMAN))
    assert position.expert is not None
    assert position.expert.lowest_price == min(map(price, position.expert.cards)) == 2
