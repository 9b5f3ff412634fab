"""The net: incremental sums equal sums from scratch, and packed arithmetic equals a plain computation."""

from __future__ import annotations

from random import Random

import msgspec
from tests.bots.santorini.test_turns import random_states

from boardwire.bots.santorini import weights
from boardwire.bots.santorini.core.net import FULL, HIDDEN, SHIFT, THINGS, Net
from boardwire.bots.santorini.core.state import State
from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.proof import ends


def some_net(seed: int) -> tuple[weights.Weights, Net]:
    luck = Random(seed)
    rows = [[luck.randrange(-40, 60) for _ in range(HIDDEN)] for _ in range(25 * THINGS)]
    bias, own, foe = ([luck.randrange(-50, 50) for _ in range(HIDDEN)] for _ in range(3))
    made = weights.Weights(rows, bias, own, foe, luck.randrange(-500, 500))
    return made, weights.net_of(msgspec.json.encode(made))


def test_the_sums_of_a_state_follow_from_those_of_the_state_before() -> None:
    luck, turns, judge = Random(2), Turns(0, 0), weights.net()
    followed = 0
    for before in random_states(3, 2):
        found = [state for state in ends(turns, before) if not state.won]
        for after in luck.sample(found, min(len(found), 3)):
            judge.begin(before, 1)
            judge.follow(before, after, 2)
            judge.begin(after, 3)
            assert judge.worth(2) == judge.worth(3)
            followed += 1
    assert followed > 50


def test_packed_sums_give_the_value_of_a_plain_computation() -> None:
    made, judge = some_net(4)
    values = set()
    for state in random_states(5, 2):
        judge.begin(state, 1)
        assert judge.worth(1) == plain_value(made, state)
        values.add(judge.worth(1))
    assert len(values) > 20


def test_a_state_is_judged_from_the_point_of_view_of_the_side_to_move() -> None:
    here = State()
    here.w0, here.w1, here.w2, here.w3 = 6, 8, 16, 18
    here.b1 = here.b2 = 1 << 6
    judge = weights.net()
    judge.begin(here, 1)
    here.w0, here.w1, here.w2, here.w3 = 16, 18, 6, 8
    judge.begin(here, 2)
    assert judge.worth(1) > judge.worth(2), "the side that stands higher is better off"


def plain_value(made: weights.Weights, state: State) -> int:
    sides = ({state.w0, state.w1}, {state.w2, state.w3})
    total = made.base
    for mine, theirs, factors in ((*sides, made.own), (*reversed(sides), made.foe)):
        sums = list(made.bias)
        for square in range(25):
            height = sum(blocks >> square & 1 for blocks in (state.b1, state.b2, state.b3))
            thing = 5 + height if square in mine else 9 + height if square in theirs else height
            row = made.rows[square * THINGS + (4 if state.domes >> square & 1 else thing)]
            sums = [one + other for one, other in zip(sums, row, strict=True)]
        total += sum(max(0, min(FULL, one)) * factor for one, factor in zip(sums, factors, strict=True))
    return total >> SHIFT
