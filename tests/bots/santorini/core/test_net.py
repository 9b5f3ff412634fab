"""The net: incremental sums equal sums from scratch, and packed arithmetic equals a plain computation."""

from __future__ import annotations

from itertools import chain
from random import Random
from struct import pack
from typing import NamedTuple

from tests.bots.santorini.core.test_turns import random_states

from boardwire.bots.santorini import weights
from boardwire.bots.santorini.core.net import (
    BUCKET_BLOCKS,
    BUCKETS,
    FULL,
    HIDDEN,
    INPUTS,
    SQUARE_CONTENTS,
    VALUE_FACTOR,
    VALUE_SHIFT,
    Net,
)
from boardwire.bots.santorini.core.state import State
from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.proof import ends


class Weights(NamedTuple):
    """The weights of a net as plain lists."""

    rows: list[list[int]]
    bias: list[int]
    out: list[list[list[int]]]
    base: list[int]

    def net(self) -> Net:
        shorts = [*chain.from_iterable(self.rows), *self.bias, *chain.from_iterable(chain.from_iterable(self.out))]
        return Net(pack(f"<{len(shorts)}h{BUCKETS}i", *shorts, *self.base))


def some_weights(seed: int) -> Weights:
    luck = Random(seed)
    rows = [[luck.randrange(-90, 110) for _ in range(HIDDEN)] for _ in range(INPUTS)]
    bias = [luck.randrange(-50, 50) for _ in range(HIDDEN)]
    out = [[[luck.randrange(-127, 128) for _ in range(HIDDEN)] for _ in range(2)] for _ in range(BUCKETS)]
    return Weights(rows, bias, out, [luck.randrange(-(10**6), 10**6) for _ in range(BUCKETS)])


def test_the_sums_of_a_state_follow_from_those_of_the_state_before() -> None:
    luck, turns, judge = Random(2), Turns(0, 0), weights.net()
    followed = 0
    for before in random_states(3, 2):
        found = [state for state in ends(turns, before) if not state.won]
        for after in luck.sample(found, min(len(found), 3)):
            judge.begin(before, 1)
            judge.follow(before, after, 2)
            judge.begin(after, 3)
            assert judge.worth(after, 2) == judge.worth(after, 3)
            followed += 1
    assert followed > 50


def test_packed_sums_give_the_value_of_a_plain_computation() -> None:
    made = some_weights(4)
    judge = made.net()
    values = set()
    for state in random_states(5, 2):
        judge.begin(state, 1)
        assert judge.worth(state, 1) == plain_value(made, state)
        values.add(judge.worth(state, 1))
    assert len(values) > 20


def test_a_state_is_judged_from_the_point_of_view_of_the_side_to_move() -> None:
    here = State()
    here.w0, here.w1, here.w2, here.w3 = 6, 8, 16, 18
    here.b1 = here.b2 = 1 << 6
    judge = weights.net()
    judge.begin(here, 1)
    here.w0, here.w1, here.w2, here.w3 = 16, 18, 6, 8
    judge.begin(here, 2)
    assert judge.worth(here, 1) > judge.worth(here, 2), "the side that stands higher is better off"


def plain_value(made: Weights, state: State) -> int:
    sides = ({state.w0, state.w1}, {state.w2, state.w3})
    bucket = sum(int(blocks).bit_count() for blocks in (state.b1, state.b2, state.b3, state.domes)) // BUCKET_BLOCKS
    bucket = min(bucket, BUCKETS - 1)
    total = made.base[bucket]
    for (mine, theirs), factors in zip((sides, sides[::-1]), made.out[bucket], strict=True):
        sums = list(made.bias)
        for square in range(25):
            height = sum(blocks >> square & 1 for blocks in (state.b1, state.b2, state.b3))
            content = 5 + height if square in mine else 9 + height if square in theirs else height
            row = made.rows[square * SQUARE_CONTENTS + (4 if state.domes >> square & 1 else content)]
            sums = [one + other for one, other in zip(sums, row, strict=True)]
        total += sum(max(0, min(FULL, one)) ** 2 * factor for one, factor in zip(sums, factors, strict=True))
    return total * VALUE_FACTOR >> VALUE_SHIFT
