"""The core's turns are those of the rules."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from tests.bots.santorini.compare import PAIRS, differences

from boardwire.bots.santorini.core.state import State
from boardwire.bots.santorini.core.turns import (
    Turns,
    mortal_stuck,
    mortal_turns,
    mortal_wins,
    threats,
)
from boardwire.bots.santorini.views import POWERS, action_of, is_pair_supported, state_of, step_of
from boardwire.games import santorini
from boardwire.games.santorini import God
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.notation import parse_position

PERFT = Path(__file__).parents[3] / "games" / "santorini" / "perft.json"
VECTORS = [
    vector
    for vector in msgspec.json.decode(PERFT.read_bytes(), type=dict[str, Any])["vectors"]
    if is_pair_supported(*map(God, vector["gods"]))
]


SLOW_BY_THE_RULES = {God.HERMES, God.TRITON, God.POSEIDON, God.MORPHEUS}
QUICK = Random(2).sample([pair for pair in PAIRS if not SLOW_BY_THE_RULES.intersection(pair)], 8)


def _named(vector: dict[str, Any]) -> str:
    return f"{vector['position']} {' '.join(vector['gods'])} {vector['depth']}"


def perft(turns: Turns, s: State, depth: int) -> int:
    pool: list[State] = []
    ends = pool[: turns.all(s, pool)]
    if depth == 1:
        return len({(t.b1, t.b2, t.b3, t.domes, min(t.w0, t.w1), max(t.w0, t.w1), min(t.w2, t.w3), max(t.w2, t.w3),
                     t.m0, t.m1, t.won) for t in ends})  # fmt: skip
    unlike = {(t.b1 | t.domes, t.b2 | t.domes, t.b3 | t.domes, t.domes, min(t.w2, t.w3), max(t.w2, t.w3),
               min(t.w0, t.w1), max(t.w0, t.w1), t.m1): t for t in ends if not t.won}  # fmt: skip
    return sum(perft(turns, t, depth - 1) for t in unlike.values())


def start_of(fen: str) -> tuple[Turns, State]:
    p = parse_position(fen)
    return Turns(*(POWERS[god] for god in p.lineup.gods)), state_of(santorini.view(p, p.seat), p.seat)


@pytest.mark.parametrize(
    "vector", [v for v in VECTORS if v["states"] < 6000], ids=lambda v: f"{v['position']}-{v['gods']}"
)
def test_as_many_positions_follow_as_were_counted(vector: dict[str, Any]) -> None:
    assert perft(*start_of(vector["fen"]), vector["depth"]) == vector["states"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "vector", [v for v in VECTORS if 6000 <= v["states"] < 20_000_000], ids=lambda v: str(v["gods"])
)
def test_as_many_positions_follow_further_on(vector: dict[str, Any]) -> None:
    assert perft(*start_of(vector["fen"]), vector["depth"]) == vector["states"]


@pytest.mark.parametrize(("one", "other"), QUICK)
def test_a_walk_finds_no_difference_from_the_rules(one: God, other: God) -> None:
    assert differences(one, other, Random(3), 5)[1] == ""


@pytest.mark.slow
@pytest.mark.parametrize("one", POWERS)
def test_no_pair_of_powers_differs_from_the_rules(one: God) -> None:
    for other in POWERS:
        if is_pair_supported(one, other):
            assert differences(one, other, Random(5))[1] == ""


def random_states(seed: int, matches: int) -> list[State]:
    """States of random matches without powers."""
    luck, turns, found = Random(seed), Turns(0, 0), list[State]()
    for _ in range(matches):
        here = State()
        here.w0, here.w1, here.w2, here.w3 = luck.sample(range(25), 4)
        while True:
            found.append(here)
            pool: list[State] = []
            ends = [t for t in pool[: turns.all(here, pool)] if not t.won]
            if not ends:
                break
            here = luck.choice(ends)
    return found


def test_the_quick_way_for_mortals_finds_the_same_turns() -> None:
    turns, threatened = Turns(0, 0), set[int]()
    for here in random_states(1, 5):
        slow: list[State] = []
        quick: list[State] = []
        found = slow[: turns.all(here, slow)]
        assert bool(mortal_wins(here)) == any(t.won for t in found)
        assert turns.wins(here) == any(t.won for t in found)
        assert mortal_stuck(here) == (not found)
        plain = {_flat(t) for t in found if not t.won}
        assert {_flat(t) for t in quick[: mortal_turns(here, quick, 0, False)]} == plain
        safe = {_flat(t) for t in quick[: mortal_turns(here, quick, threats(here), True)]}
        threatened.add(int(threats(here)).bit_count())
        if int(threats(here)).bit_count() < 2:
            assert {_flat(t) for t in found if not t.won and not mortal_wins(t)} <= safe <= plain
    assert threatened >= {0, 1}


def _flat(t: State) -> tuple[int, ...]:
    return t.b1, t.b2, t.b3, t.domes, t.w0, t.w1, t.w2, t.w3


def test_a_win_that_does_not_climb_counts_against_persephone_only_if_no_turn_climbs() -> None:
    """Eros may join his workers on the first level, but Persephone's foes must climb if they can."""
    can_climb = "0110010000120200020011120/2/persephone:D2,C5/eros:C1,C2"
    cannot = "0110010000120200020011110/2/persephone:D2,C5/eros:C1,C2"
    for fen, expected in ((can_climb, False), (cannot, True)):
        turns, here = start_of(fen)
        assert turns.wins(here) is expected


def test_a_turn_in_progress_that_has_climbed_may_be_continued_in_any_way_against_persephone() -> None:
    """Her demand is met; the legal steps come from the rules."""
    p = Line("0000000000001200000000000/1/artemis:B3,A1/persephone:E5,E1").play("B3>C3").position
    assert p.decision is not None
    turns = Turns(*(POWERS[god] for god in p.lineup.gods))
    turns.note_steps = True
    turns.begin(state_of(santorini.view(p, 0), 0), [])
    turns.go_on(1, 0, [step_of(action) for action in p.decision.choices], -1, 0)
    assert {action_of(path[0]) for path in turns.steps[: turns.end()]} == set(p.decision.choices)
