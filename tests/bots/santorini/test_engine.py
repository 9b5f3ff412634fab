"""The Santorini engine: legal, repeatable, and right where it says that something is proved."""

from __future__ import annotations

from random import Random

import pytest
from tests.bots.santorini.core.test_turns import random_states

from boardwire.bots.engine import WON, SearchLimits, SearchResult
from boardwire.bots.santorini import SantoriniEngine
from boardwire.bots.santorini.core.search import PROVED, WIN, Search
from boardwire.bots.santorini.core.state import State
from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.engine import NEAR_WIN
from boardwire.bots.santorini.proof import ends, wins_within
from boardwire.games import santorini
from boardwire.games.santorini import Draft, God, Options
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.position import Position


def asked(
    position: Position | str, nodes: int = 500, seed: int = 1, engine: SantoriniEngine | None = None
) -> SearchResult:
    p = Line(position).position if isinstance(position, str) else position
    assert p.decision is not None
    engine = engine or SantoriniEngine()
    view = santorini.view(p, p.decision.seats[0])
    return engine.think(view, p.decision, Random(seed).randrange, SearchLimits(nodes), bool)


def test_a_winning_step_is_taken_and_proved() -> None:
    thought = asked("0000000230000000000000000/1/mortal:C4,A1/mortal:E1,E2")
    assert [santorini.format_action(action) for action in thought.turn] == ["C4>D4"]
    assert (thought.value, thought.proved) == (WON, 1)


def test_a_threat_is_stopped() -> None:
    line = Line("0000000230000000000000000/2/mortal:C4,A1/mortal:E3,E1")
    thought = asked(line.position)
    for action in thought.turn:
        line.position, _ = santorini.apply(line.position, 1, action)
    assert asked(line.position).proved != 1


def test_what_cannot_be_stopped_is_a_proved_loss() -> None:
    thought = asked("0000003230000000000000000/2/mortal:C4,A1/mortal:E2,E1")
    assert (thought.value, thought.proved) == (-WON, -1)


def test_nothing_is_proved_against_morpheus_whose_many_builds_are_not_all_looked_at() -> None:
    board = "0000003230000000000000000/2/mortal:C4,A1"
    against_mortals = asked(f"{board}/mortal:E2,E1")
    thought = asked(f"{board}/morpheus[4]:E2,E1")
    assert (against_mortals.value, against_mortals.proved) == (-WON, -1)
    assert thought.proved == 0
    assert -WON < thought.value < 0
    at_once = asked("0000000230000000000000000/1/mortal:C4,A1/morpheus[4]:E1,E2")
    assert at_once.proved == 1, "a step that wins needs no answer"


@pytest.mark.parametrize(
    ("start", "step"),
    [
        ("1431223111410101220304221/1/triton:D4,D3/aphrodite:A4,C4", "D4>E3"),
        ("0000000010000100000101000/1/hermes:B3,C3/aphrodite:B2,D2", "B3>C2"),
        ("0010001000000001000001000/1/triton:D2,B4/persephone:A3,C1", "D2>E3"),
    ],
)
def test_a_walk_that_others_began_is_continued_legally(start: str, step: str) -> None:
    """What a foe demands by the end of the turn may need further moves, but a view does not show what was done."""
    line = Line(start).play(step)
    for action in asked(line.position, 25).turn:
        assert line.position.decision is not None
        assert action in line.position.decision.choices
        line.position, _ = santorini.apply(line.position, 0, action)


def test_nothing_is_proved_in_the_middle_of_a_turn_of_asteria_who_may_place_a_dome() -> None:
    line = Line("0203124413110420334000a11/1/asteria:E1,E3/aphrodite:A3,A5").play("E1>E2")
    thought = asked(line.position, 25)
    assert (thought.proved, thought.value) == (0, NEAR_WIN)
    assert "E2^A1X" in line.play("E2^D1").steps


def test_the_same_luck_gives_the_same_thought() -> None:
    start = "0001000110001000000000000/1/mortal:B3,D3/mortal:C4,C2"
    engine = SantoriniEngine()
    assert asked(start, 2000, 5, engine) == asked(start, 2000, 5, engine)


def test_a_thought_costs_no_more_nodes_than_it_may() -> None:
    assert asked("0001000110001000000000000/1/mortal:B3,D3/mortal:C4,C2", 3000).nodes <= 3000 + 256


def test_a_cancelled_wait_stops_it() -> None:
    p = Line("0001000110001000000000000/1/mortal:B3,D3/mortal:C4,C2").position
    assert p.decision is not None
    calls: list[int] = []

    def stop() -> bool:
        calls.append(1)
        return len(calls) > 3

    thought = SantoriniEngine().think(santorini.view(p, 0), p.decision, Random(1).randrange, SearchLimits(10**9), stop)
    assert thought.nodes <= 5 * 256


def played(gods: tuple[God, ...], seed: int, nodes: int, longest: int = 400) -> int:
    """A match of the engine against itself, and how many steps it took; every choice is legal."""
    luck, engine, steps = Random(seed), SantoriniEngine(), 0
    p = santorini.new(Options(Draft.GIVEN, gods=gods, bans=False), len(gods))
    while (decision := santorini.pending(p)) is not None and steps < longest:
        seat = decision.seats[0]
        if seat < 0:
            action = luck.choice(tuple(decision.choices))
        else:
            thought = engine.think(santorini.view(p, seat), decision, luck.randrange, SearchLimits(nodes), bool)
            action = thought.turn[0]
            assert action in decision.choices
        p, _ = santorini.apply(p, seat, action)
        steps += 1
    return steps


@pytest.mark.parametrize("gods", [(God.MORTAL, God.MORTAL), (God.ARTEMIS, God.PROMETHEUS), (God.POSEIDON, God.HERMES)])
def test_a_whole_match_is_legal(gods: tuple[God, ...]) -> None:
    assert played(gods, 4, 60) > 4


def test_what_the_search_proves_is_proved_by_trying_every_answer() -> None:
    claims = 0
    for here in random_states(4, 6)[::3]:
        turns = Turns(0, 0)
        search = Search(12)
        roots = ends(turns, here)
        known: list[int] = []
        if roots:
            best = known_value(search, roots, known)
            within = (WIN - best + 1) // 2
            if best > PROVED and within <= 2:
                claims += 1
                assert wins_within(turns, here, within)
                assert within == 1 or not wins_within(turns, here, within - 1)
    assert claims > 3


def known_value(search: Search, roots: list[State], known: list[int]) -> int:
    return known[search.think(roots, 3000, 20, bool, known)]
