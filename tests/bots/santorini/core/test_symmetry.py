"""Twins: the same state on a board that is turned or mirrored."""

from __future__ import annotations

import pytest
from tests.bots.santorini.core.test_turns import random_states

from boardwire.bots.santorini.core.search import Search
from boardwire.bots.santorini.core.state import State, key
from boardwire.bots.santorini.core.symmetry import SYMMETRIES, symmetries_of, transform
from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.views import state_of
from boardwire.games import santorini
from boardwire.games.santorini.line import Line

MIRRORED = "0000000000000000000000000/1/mortal:B2,D4/mortal:B4,D2"
"""Both diagonals, and half a transform, leave it as it is."""
LOPSIDED = "1000000000000000000000000/1/mortal:B2,D4/mortal:B4,D3"


def here(text: str) -> State:
    position = Line(text).position
    return state_of(santorini.view(position, 0), 0)


def after(state: State) -> list[State]:
    pool: list[State] = []
    return pool[: Turns(0, 0).all(state, pool)]


def twin(state: State, symmetry: int) -> State:
    made = State()
    transform(state, symmetry, made)
    return made


def test_a_twin_has_the_turns_of_the_other_seen_the_same_way() -> None:
    for state in random_states(1, 2):
        for symmetry in range(SYMMETRIES):
            seen = {key(twin(one, symmetry)) for one in after(state)}
            assert {key(one) for one in after(twin(state, symmetry))} == seen


def test_the_eight_ways_differ_and_the_first_changes_nothing() -> None:
    state = here(LOPSIDED)
    assert len({key(twin(state, symmetry)) for symmetry in range(SYMMETRIES)}) == SYMMETRIES
    assert key(twin(state, 0)) == key(state)


@pytest.mark.parametrize(("text", "count"), [(MIRRORED, 3), (LOPSIDED, 0)])
def test_a_search_knows_in_which_ways_its_start_is_its_own_twin(text: str, count: int) -> None:
    assert len(symmetries_of(after(here(text)))) == count


def test_twins_are_looked_at_once() -> None:
    spent, values = [], []
    for twins in (False, True):
        search, known = Search(), list[int]()
        search.twins = twins
        best = search.think(after(here(MIRRORED)), 10**9, 4, bool, known)
        spent.append(int(search.nodes))
        values.append(known[best])
    assert spent[1] < 0.7 * spent[0]
    assert abs(values[0] - values[1]) <= 10, "the same up to what late turns are spared"
