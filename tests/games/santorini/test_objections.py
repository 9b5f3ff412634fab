"""Why a step is not legal: the rule, and the god whose rule it is, by example and for every god."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

from boardwire.errors import Illegal, Objection, Refused
from boardwire.games import santorini
from boardwire.games.game import CHANCE
from boardwire.games.santorini.actions import Action, Move, PickGod
from boardwire.games.santorini.interned import BLOCKS, DOMES, MOVES, PLACES
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.powers.catalogue import God
from boardwire.testing import laws

FLAT: Final = "00000 00000 00000 00000 00000"
PLAIN: Final = f"{FLAT}/1/mortal:C3,E1/mortal:C4,A1"


def why(start: str, played: str, step: str) -> Objection | None:
    return Line(start).play(played).why_not(step)


@pytest.mark.parametrize(
    ("start", "played", "step", "rule"),
    [
        (PLAIN, "", "C3>C3", "here"),
        (PLAIN, "", "C3>C5", "far"),
        (PLAIN, "", "C3>C4", "taken"),
        (PLAIN, "", "C4>B4", "no worker"),
        (PLAIN, "", "C3^B3", "move first"),
        (PLAIN, "", "+B2", "not now"),
        (PLAIN, "C3>B3", "B3>B2", "moved"),
        (PLAIN, "C3>B3", "E1^E2", "other worker"),
        (PLAIN, "C3>B3", "B3^C4", "taken"),
        (PLAIN, "C3>B3", "B3^B2X", "no dome"),
        ("00000 00000 02000 00000 00000/1/mortal:C3,E1/mortal:C4,A1", "", "C3>B3", "high"),
        ("00000 00000 04000 00000 00000/1/mortal:C3,E1/mortal:C4,A1", "", "C3>B3", "dome"),
        ("00000 00000 00000 03000 00000/1/mortal:C3,E1/mortal:C4,A1", "C3>B3", "B3^B2", "only dome"),
    ],
)
def test_the_base_rules_have_a_code_each(start: str, played: str, step: str, rule: str) -> None:
    assert why(start, played, step) == Objection(rule)


@pytest.mark.parametrize(
    ("start", "played", "step", "card", "seat"),
    [
        # the own power
        (f"{FLAT}/1/artemis:C3,E1/mortal:C4,A1", "C3>B3", "B3>C3", "artemis", 0),
        (f"{FLAT}/1/demeter:C3,E1/mortal:C4,A1", "C3>B3 B3^B2", "B3^B2", "demeter", 0),
        (f"{FLAT}/1/minotaur:C4,E1/mortal:C5,A1", "", "C4>C5", "minotaur", 0),
        # a foe's
        ("00000 00000 01000 00000 00000/1/mortal:C3,E1/limus:B4,A1", "C3>C2", "C2^B3", "limus", 1),
        ("00000 00000 00100 00000 00000/1/mortal:C3,E1/hades:E4,A1", "", "C3>B3", "hades", 1),
    ],
)
def test_a_power_that_forbids_a_step_is_named(start: str, played: str, step: str, card: str, seat: int) -> None:
    assert why(start, played, step) == Objection("power", card, seat)


def test_a_step_after_which_the_turn_could_not_be_finished_names_the_god_that_binds_it() -> None:
    assert why(f"{FLAT}/1/mortal:B3,E1/aphrodite:C4,A1", "", "B3>A3") == Objection("unfinished", "aphrodite", 1)


def test_athena_is_named_when_she_forbids_climbing() -> None:
    line = Line("00000 01000 00010 00000 00000/1/athena:B5,E1/mortal:D2,A1").play("B5>B4 B4^A4")
    assert line.why_not("D2>D3") == Objection("power", "athena", 0)


def test_what_may_be_done_has_no_objection_and_others_are_not_answered() -> None:
    line = Line(PLAIN)
    assert line.why_not("C3>B3") is None
    with pytest.raises(Refused):
        santorini.objection(line.position, 1, MOVES[12][11])


def test_squares_that_are_not_on_the_board_are_nowhere() -> None:
    assert santorini.objection(Line(PLAIN).position, 0, Move(12, 25)) == Objection("nowhere")
    assert santorini.objection(Line(PLAIN).position, 0, Move(-1, 3)) == Objection("nowhere")


def test_in_the_set_up_a_square_is_taken_or_the_power_wants_another_and_a_god_is_not_on_offer() -> None:
    position = santorini.new(Options(Draft.GIVEN, gods=(God.BIA, God.MORTAL)), 2)
    assert santorini.objection(position, 0, PLACES[12]) == Objection("power", "bia", 0)
    position, _ = santorini.apply(position, 0, PLACES[0])
    assert santorini.objection(position, 0, PLACES[0]) == Objection("taken")
    assert santorini.objection(position, 0, PickGod(God.PAN)) == Objection("not now")


EVERY_STEP: Final[tuple[Action, ...]] = (
    *PLACES,
    *(step for table in (MOVES, BLOCKS, DOMES) for row in table for step in row),
)


def explained(god: God, seed: int, most: int = 30, part: float = 0.04) -> set[str]:
    """Ask in a match with this god about a part of all steps there are; gives the cards that were named."""
    luck = Random(f"{god} {seed}")
    others = [other for other in God if other not in (god, God.MORTAL)]
    for _ in range(50):
        gods = (god, luck.choice(others))
        try:
            options = Options(Draft.GIVEN, gods=gods if seed % 2 else gods[::-1], ply_cap=20)
            plies = list(laws.playthrough(santorini, options, 2, luck.randrange, most))
            break
        except Illegal:
            continue  # these two may not meet
    else:
        return set()
    named = set()
    for ply in plies:
        if ply.seat == CHANCE:
            continue
        for step in EVERY_STEP:
            if luck.random() < part:
                objection = santorini.objection(ply.position, ply.seat, step)
                assert (objection is None) == (step in ply.decision.choices), step
                if objection is not None:
                    laws.check_objection(santorini, objection)
                    named.add(objection.card)
    return named


@pytest.mark.parametrize("god", [god for god in God if god is not God.MORTAL])
def test_with_every_god_exactly_what_is_not_legal_is_explained(god: God) -> None:
    assert "mortal" not in explained(god, 0, most=12)


@pytest.mark.slow
@pytest.mark.parametrize("god", [god for god in God if god is not God.MORTAL])
def test_with_every_god_exactly_what_is_not_legal_is_explained_in_many_matches(god: God) -> None:
    for seed in range(1, 13):
        assert "mortal" not in explained(god, seed, most=60, part=0.2)
