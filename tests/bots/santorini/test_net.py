"""The net: what it adds up turn by turn is what it adds up from nothing."""

from __future__ import annotations

from random import Random

from tests.bots.santorini.test_turns import random_states

from boardwire.bots.santorini.core.state import State
from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.proof import ends
from boardwire.bots.santorini.weights import net


def test_the_sums_of_a_state_follow_from_those_of_the_state_before() -> None:
    luck, turns, judge = Random(2), Turns(0, 0), net()
    for before in random_states(3, 2):
        found = [state for state in ends(turns, before) if not state.won]
        if found:
            after = luck.choice(found)
            judge.begin(before, 1)
            judge.follow(before, after, 2)
            judge.begin(after, 3)
            assert judge.worth(2) == judge.worth(3)


def test_a_state_is_judged_alike_from_both_sides() -> None:
    here = State()
    here.w0, here.w1, here.w2, here.w3 = 6, 8, 16, 18
    judge = net()
    judge.begin(here, 1)
    alike = judge.worth(1)
    here.w0, here.w1, here.w2, here.w3 = 8, 6, 18, 16
    judge.begin(here, 1)
    assert judge.worth(1) == alike
