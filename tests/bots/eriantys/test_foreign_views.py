"""Views as clients of foreign protocols build them: what they lack or guess never stops the engine.

`views.jsonl` holds views that client models built in matches on our own server, one a line, with the error that they
once raised in the search.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from boardwire.bots.engine import SearchLimits
from boardwire.bots.eriantys import ENGINE, forecast
from boardwire.bots.eriantys.core import slots
from boardwire.bots.eriantys.core.evaluation import Features, chances, weights_for_round
from boardwire.bots.eriantys.core.search import Search
from boardwire.bots.eriantys.core.steps import legal
from boardwire.bots.eriantys.views import state_of
from boardwire.bots.eriantys.weights import WEIGHTS, weights_key
from boardwire.bots.view_checks import flaw
from boardwire.games.eriantys import Action, Kind, View
from boardwire.games.game import Decision


class Recorded(msgspec.Struct):
    """A view with the decision it came with."""

    dialect: str
    raised: str
    view: View
    kind: Kind
    seat: int
    choices: tuple[Action, ...]


RECORDED = [
    msgspec.json.decode(line, type=Recorded)
    for line in Path(__file__).with_name("views.jsonl").read_bytes().splitlines()
]


def names(one: Recorded) -> str:
    return f"{one.dialect} {one.raised}"


@pytest.mark.parametrize("nodes", [20, 100, 3_000])
@pytest.mark.parametrize("one", RECORDED, ids=names)
def test_the_engine_answers_views_that_once_broke_it(one: Recorded, nodes: int) -> None:
    decision = Decision(one.kind, (one.seat,), one.choices)
    assert flaw(one.view, decision) == ""
    for seed in range(5):
        thought = ENGINE.think(one.view, decision, Random(seed).randrange, SearchLimits(nodes), bool)
        assert thought.turn[0] in one.choices
        assert thought.nodes <= nodes


@pytest.mark.parametrize("one", RECORDED, ids=names)
def test_the_last_round_is_known_by_empty_hands_and_empty_clouds(one: Recorded) -> None:
    assert one.view.clouds_closed is False, "the client was not told"
    state = state_of(replace(one.view, last_round=None))
    assert state[slots.LAST] == 1
    assert state[slots.BARREN] == (not any(map(any, one.view.clouds)))


def test_a_hand_that_others_show_is_longer_is_not_taken_for_played_out() -> None:
    view = RECORDED[0].view
    mine, other = view.boards
    state = state_of(replace(view, boards=(replace(mine, hand=(1, 2)), other)))
    assert state[slots.HAND + 1] == 0b111_1111_1110 & ~(1 << (other.card or 0))
    assert state[slots.LAST] == 0


def test_a_card_of_the_round_before_does_not_count_while_assistants_are_chosen() -> None:
    view = replace(RECORDED[0].view, asked=Kind.ASSISTANT, order=(1, 0, 1))
    state = state_of(view)
    assert (state[slots.ORDERED], state[slots.ASKED], state[slots.CARD]) == (1, 1, 0)


# --- no loop relies on its input ------------------------------------------------------------------------------------


def short_ring(sizes: dict[int, int]) -> list[int]:
    """A state whose islands do not add up to twelve tiles, or are not there at all."""
    state = state_of(RECORDED[0].view)
    for tile in range(12):
        state[slots.SIZE + tile] = sizes.get(tile, 0)
    state[slots.MOTHER] = 0
    return state


@pytest.mark.parametrize(
    "sizes", [{}, {0: 1, 1: 2, 3: 2, 5: 2, 7: 4}, {0: 7, 7: 7}, dict.fromkeys(range(12), 2)], ids=str
)
def test_islands_that_do_not_add_up_to_twelve_tiles_are_gone_round_once(sizes: dict[int, int]) -> None:
    state = short_ring(sizes)
    weights = WEIGHTS[weights_key(2, False)]
    found = chances(state, weights_for_round(weights, 3), Features())
    assert sum(found) == pytest.approx(1)
    assert legal(state)
    Search(weights, 200, 0, bool, Random(1).randrange).best_turn(state, legal(state))


def test_a_turn_that_cannot_be_finished_is_left_to_the_greedy_bot() -> None:
    one = RECORDED[1]
    board = one.view.boards[0]
    view = replace(one.view, boards=(replace(board, entrance=(0, 0, 0, 1, 0)), *one.view.boards[1:]))
    choices = tuple(choice for choice in one.choices if getattr(choice, "colour", None) == 3)
    thought = ENGINE.think(view, Decision(one.kind, (0,), choices), Random(1).randrange, SearchLimits(300), bool)
    assert thought.turn[0] in choices


def test_a_forecast_ends_whatever_the_view_lacks() -> None:
    for one in RECORDED:
        assert sum(forecast(one.view, Random(1).randrange, 2, bool).chances) == pytest.approx(1, abs=0.01)


def damaged(count: int, seed: int) -> int:
    """Search from this many states with wrong numbers in them; how many ended without an error.  Run by the test below
    in a process of its own, because a compiled search that hangs cannot be interrupted."""
    luck, ended = Random(seed), 0
    for number in range(count):
        state = state_of(RECORDED[number % len(RECORDED)].view)
        for _ in range(luck.choice((1, 2, 5, 20))):
            state[luck.randrange(slots.LENGTH)] = luck.choice((-1, 0, 1, 2, 3, 5, 9, 12, 26, 200))
        try:
            search = Search(WEIGHTS[weights_key(2, False)], 300, 0, bool, luck.randrange)
            actions: list[Any] = legal(state)
            if actions and state[slots.STAGE] == slots.PLAN:
                search.best_card(state, actions)
            elif actions:
                search.best_turn(state, actions)
            Search(WEIGHTS[weights_key(2, False)], 3_000, 0, bool, luck.randrange).play_on(state, 99, 20, True)
            ended += 1
        except (ArithmeticError, LookupError, ValueError):
            pass  # a fault is told; only a search that never ends is not
    return ended


def test_a_search_ends_whatever_numbers_a_state_holds() -> None:
    code = "from tests.bots.eriantys.test_foreign_views import damaged; assert damaged(250, 1) > 100"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120, cwd=Path(__file__).parents[3])
