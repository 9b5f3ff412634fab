"""Where the core does not know the rules in play, choices are legal, and do not change with what is hidden."""

from __future__ import annotations

from random import Random

import pytest
from tests.bots.santorini.test_engine import played

from boardwire.bots.engine import WON, SearchLimits
from boardwire.bots.santorini import SantoriniEngine
from boardwire.bots.santorini.positions import position_of
from boardwire.games import santorini
from boardwire.games.santorini import CATALOGUE, God
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.powers.catalogue import allowed
from boardwire.games.santorini.powers.power import Power
from boardwire.games.santorini.powers.registry import POWERS
from boardwire.testing import twins


@pytest.mark.parametrize(
    "gods",
    [
        (God.HECATE, God.TYCHE),
        (God.CASTOR, God.TARTARUS),
        (God.APOLLO, God.ATLAS, God.PAN),
        (God.ARES, God.BIA, God.ZEUS, God.HERA),
        (God.MORTAL, God.MORTAL, God.MORTAL, God.MORTAL),
    ],
)
def test_every_choice_is_legal_in_matches_that_the_core_does_not_know(gods: tuple[God, ...]) -> None:
    assert played(gods, 5, 30, 30) > len(gods)


def test_a_position_is_found_again_in_its_view() -> None:
    p = Line("0000000230000000000000000/1/aphrodite:C4,A1/castor:E1,E2").position
    found = position_of(santorini.view(p, 0), Random(1).randrange)
    assert found is not None
    assert (found.decision, found.memos, found.workers) == (p.decision, p.memos, p.workers)


def test_a_win_by_a_power_that_the_core_does_not_know_is_taken() -> None:
    p = Line("0000000130000000000000000/1/bellerophon:C4,A1/mortal:E1,E2").position
    assert p.decision is not None
    thought = SantoriniEngine().think(santorini.view(p, 0), p.decision, Random(1).randrange, SearchLimits(2000), bool)
    assert (thought.turn[0], thought.value) == (santorini.parse_action("C4>D4"), WON)


def test_where_every_way_leads_round_it_still_chooses() -> None:
    gods = "persephone:D3,C1/triton:A2,C5/aeolus[ne]:C4,B5"
    p = Line(f"0224400213001201031101000/2/{gods}/@28").position
    assert p.decision is not None
    thought = SantoriniEngine().think(santorini.view(p, 1), p.decision, Random(1).randrange, SearchLimits(20), bool)
    assert thought.turn[0] in p.decision.choices


@pytest.mark.parametrize("hidden", ["tartarus[{}]:C4,A1", "hecate:{},A1"])
def test_the_choice_does_not_change_with_what_is_hidden(hidden: str) -> None:
    turns = set()
    for square in ("B2", "C3", "D5"):
        p = Line(f"0000000100000000000000000/2/{hidden.format(square)}/mortal:E1,E2").position
        assert p.decision is not None
        view = santorini.view(p, 1)
        turns.add(SantoriniEngine().think(view, p.decision, Random(3).randrange, SearchLimits(300), bool).turn)
    assert len(turns) == 1


@pytest.mark.parametrize("god", [god for god in CATALOGUE if POWERS[god].conceal is not Power.conceal])
def test_twin_matches_that_differ_only_in_a_secret_get_the_same_choices(god: God) -> None:
    options = santorini.Options(santorini.Draft.GIVEN, (God.PAN, god), bans=False, ply_cap=20)
    asked = 0
    for seed in range(3):
        for one, other in twins.pairs(santorini, options, options, 2, 0, Random(seed).randrange, 30):
            positions = one.after, other.after
            due = one.after.decision
            if positions[0] != positions[1] and due is not None and 0 in due.seats and asked < 4:
                asked += 1
                said = [
                    SantoriniEngine().think(santorini.view(p, 0), due, Random(1).randrange, SearchLimits(40), bool)
                    for p in positions
                ]
                assert said[0] == said[1]
    assert asked


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_choice_is_illegal_in_any_mode(seats: int) -> None:
    luck, steps = Random(seats), 0
    gods = [god for god in God if god is not God.MORTAL and allowed(god, seats, False)]
    while steps < 100_000:
        steps += played(tuple(luck.sample(gods, seats)), luck.randrange(10**6), 20)
