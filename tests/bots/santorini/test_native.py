"""The search in C and the one in Python give the same results, node by node."""

from __future__ import annotations

import os
import subprocess
import sys
from random import Random

import pytest
from tests.bots.santorini.core.test_turns import random_states

from boardwire.bots.santorini import weights
from boardwire.bots.santorini.core.net import NET_BYTES, Net
from boardwire.bots.santorini.core.search import MAX_PLIES, Search
from boardwire.bots.santorini.core.state import State
from boardwire.bots.santorini.core.tables import OFF
from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.native import AVAILABLE, NativeSearch
from boardwire.bots.santorini.proof import ends

pytestmark = pytest.mark.skipif(not AVAILABLE, reason="the search in C is not compiled")

TABLE_BITS = 9
"""Small, so that entries are replaced."""


def compare(states: list[State], nodes: int, net: Net | None) -> int:
    """Search with both; return the number of searches that differ in nothing."""
    python, native, same = Search(TABLE_BITS), NativeSearch(TABLE_BITS), 0
    searches: tuple[Search | NativeSearch, ...] = (python, native)
    python.net = net
    native.net = net
    for here in states:
        roots = ends(Turns(0, 0), here)
        if not roots:
            continue
        known: list[list[int]] = [[], []]
        best = [search.think(roots, nodes, MAX_PLIES, bool, known[n]) for n, search in enumerate(searches)]
        assert known[0] == known[1]
        assert best[0] == best[1]
        assert (python.nodes, python.depth) == (native.nodes, native.depth)
        assert python.expected(roots[best[0]]) == native.expected(roots[best[0]])
        same += 1
    return same


def symmetric() -> State:
    here = State()
    here.w0, here.w1, here.w2, here.w3 = 6, 18, 8, 16
    return here


@pytest.mark.parametrize("judged", ["net", "plain"])
def test_both_searches_choose_the_same_with_the_same_values_and_nodes(judged: str) -> None:
    states = Random(8).sample(random_states(7, 6), 12)
    other_side = State()
    other_side.w0, other_side.w1, other_side.w2, other_side.w3, other_side.side = 7, 12, 13, 18, 1
    assert compare([symmetric(), other_side, *states], 600, weights.net() if judged == "net" else None) > 10


@pytest.mark.slow
def test_both_searches_agree_in_longer_searches() -> None:
    states = Random(9).sample(random_states(10, 30), 100)
    assert compare([symmetric(), *states], 20_000, weights.net()) > 90


PRINTED = """
from tests.bots.santorini.test_native import symmetric
from boardwire.bots.santorini import native, weights
from boardwire.bots.santorini.core.search import Search
from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.proof import ends
assert not native.AVAILABLE
search, known = Search(9), []
search.net = weights.net()
best = search.think(ends(Turns(0, 0), symmetric()), 512, 20, bool, known)
print(best, search.nodes, search.depth, known)
"""


def test_the_interpreted_search_gives_the_same_results() -> None:
    search, known = NativeSearch(TABLE_BITS), list[int]()
    search.net = weights.net()
    best = search.think(ends(Turns(0, 0), symmetric()), 512, 20, bool, known)
    interpreted = {**os.environ, "BOARDWIRE_INTERPRETED": "1"}
    done = subprocess.run([sys.executable, "-c", PRINTED], env=interpreted, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"{best} {search.nodes} {search.depth} {known}"


def test_the_search_in_c_stops_when_asked() -> None:
    calls: list[int] = []

    def stop() -> bool:
        calls.append(1)
        return len(calls) > 3

    search = NativeSearch()
    search.think(ends(Turns(0, 0), symmetric()), 10**9, MAX_PLIES, stop, [])
    assert search.nodes == 4 * 256


def test_an_exception_while_waiting_ends_the_search() -> None:
    def stop() -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        NativeSearch().think(ends(Turns(0, 0), symmetric()), 10**9, MAX_PLIES, stop, [])


def test_invalid_input_is_refused() -> None:
    search = NativeSearch()
    with pytest.raises(ValueError, match="bytes of weights"):
        search.net = Net(b"short")
    with pytest.raises(ValueError, match="invalid weights"):
        search.net = Net(b"\x7f" * NET_BYTES)
    off_board = State()
    with pytest.raises(ValueError, match="valid states"):
        search.think([off_board], 10, 1, bool, [])
    with pytest.raises(ValueError, match="2\\*\\*40"):
        NativeSearch(40)


def test_a_single_state_is_evaluated_alike_by_both_nets() -> None:
    quick, slow = weights.net(), Net(weights.net().weights)
    assert quick.quick is not None
    assert slow.quick is None
    gone = symmetric()
    gone.w1, gone.domes = OFF, 1 << 3
    for state in [gone, *random_states(11, 2)]:
        assert quick.judge(state) == slow.judge(state)
    beyond = symmetric()
    beyond.b1 = 1 << 25
    with pytest.raises(ValueError, match="out of range"):
        quick.judge(beyond)
