"""Proofs by trying every answer: what counts as won, and when."""

from __future__ import annotations

from random import Random

import pytest
from tests.bots.santorini.compare import PAIRS, walk
from training.matches import start

from boardwire.bots.santorini.core.search import MAX_PLIES, PROVED, Search
from boardwire.bots.santorini.core.state import State
from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.proof import ends, is_stuck, winning_indices, wins_within
from boardwire.bots.santorini.views import POWERS, state_of
from boardwire.games import santorini
from boardwire.games.santorini import God
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.perft import divide
from boardwire.games.santorini.position import Position

STUCK = (
    "0121010000104010232300100/1/mortal:B1,B4/mortal:D1,E1",
    "0323112443012042404403122/1/minotaur:D3,C1/prometheus:A1,E5",
    "1403131241404021313221120/1/hypnus:B3,D3/athena:E3,A5",
    "1000011000000000001a00aa0/2/atlas:E1,D2/hades:B2,A4",
)
"""No one can step onto a third level here, but one turn leaves the other side without any."""


def won_at_once(p: Position) -> int:
    """The turns that win at once, by the rules."""
    return sum(end.outcome is not None and p.seat in end.outcome.winners for end in divide(p, 1))


@pytest.mark.parametrize("position", STUCK)
def test_a_player_without_a_turn_has_lost_by_the_turn_before(position: str) -> None:
    p = parse_position(position)
    turns = Turns(*(POWERS[god] for god in p.lineup.gods))
    here = state_of(santorini.view(p, p.seat), p.seat)
    assert not turns.wins(here)
    found = winning_indices(turns, here, 1)
    assert found
    assert won_at_once(p)
    assert wins_within(turns, here, 1)
    assert set(found) <= set(winning_indices(turns, here, 2))
    assert all(is_stuck(turns, ends(turns, here)[n]) for n in found)


def test_wins_at_once_are_those_of_the_rules() -> None:
    luck, seen = Random(4), 0
    slow = {God.HERMES, God.TRITON, God.POSEIDON, God.MORPHEUS}
    for one, other in luck.sample([pair for pair in PAIRS if not slow.intersection(pair)], 60):
        turns = Turns(POWERS[one], POWERS[other])
        p = list(walk(one, other, luck))[-1]
        here = state_of(santorini.view(p, p.seat), p.seat)
        assert bool(winning_indices(turns, here, 1)) == bool(won_at_once(p))
        seen += bool(won_at_once(p))
        for after in [one for one in ends(turns, here) if not one.won][::7]:
            assert is_stuck(turns, after) == (not ends(turns, after))
    assert seen > 20


@pytest.mark.slow
def test_a_loss_is_claimed_only_when_every_turn_was_tried() -> None:
    luck, turns, claims = Random(1), Turns(0, 0), 0
    for _ in range(400):
        roots = ends(turns, _late(luck, turns))
        if len(roots) < 2 or any(root.won for root in roots):
            continue
        for nodes in (150, 400, 1_000):
            if _is_lost(roots, nodes):
                claims += 1
                assert _is_lost(roots, 300_000)
    assert claims > 100


def _late(luck: Random, turns: Turns) -> State:
    """A state after many random turns."""
    here = start(luck, turns)
    for _ in range(luck.randrange(8, 40)):
        found = [state for state in ends(turns, here) if not state.won]
        if not found:
            break
        here = luck.choice(found)
    return here


def _is_lost(roots: list[State], nodes: int) -> bool:
    known: list[int] = []
    return known[Search(16).think(roots, nodes, MAX_PLIES, bool, known)] < -PROVED
