"""Positions and steps as text, read and written (rules page, 2.1)."""

from __future__ import annotations

import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardwire.games import santorini
from boardwire.games.game import Malformed, Refused
from boardwire.games.santorini.actions import Action, Aim, Banish, Bind, ChooseStart, DealCard, DealGod, Done, Force
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.notation import format_position, parse_position
from boardwire.games.santorini.options import Draft, Options
from boardwire.games.santorini.position import heights
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square as sq
from boardwire.games.santorini.steps import format_step, parse_step

FLAT = "0" * 25

EXAMPLES = [
    f"{FLAT}/1/mortal:B3,D3/mortal:C4,C2",
    "4101202110011400102000100/2/mortal:A3,C3/artemis:E4,A1",
    f"{FLAT}/2/athena[^]:B3,D3/mortal:C4,C2",
    "abc4000000000000000000000/1/atlas:B3,D3/pan:C4,C2/@17",
    f"{FLAT}/3/athena[^]:B3,D3/mortal:C4,C2/minotaur:A1,A2",
    f"{FLAT}/4/athena:B3,D3/mortal:C4,C2/pan/atlas",
    f"{FLAT}/1/mortal:B3,D3",
    f"{FLAT}/2/europa[C3]:B3,D3/medea[x]:C4,C2",
    f"{FLAT}/2/mortal+pan:B3,D3/mortal:C5,E1/@3 ramC3=pan",
    f"{FLAT}/1/medea+mortal{{1}}:B3,D3/mortal+athena[^]:C5,E1",
]


@pytest.mark.parametrize("text", EXAMPLES)
def test_what_is_read_is_written_again(text: str) -> None:
    assert format_position(parse_position(text)) == text


def test_heights_are_read_from_a5_to_e1() -> None:
    p = parse_position("1000000000000000000000023/1/mortal:B3,D3/mortal:C4,C2")
    levels = heights(p)
    assert (levels[sq("A5")], levels[sq("D1")], levels[sq("E1")]) == (1, 2, 3)


def test_other_characters_among_the_heights_are_ignored_and_none_means_flat() -> None:
    spaced = parse_position("00000 00000 00100 00000 00000/1/mortal:B3,D3/mortal:C4,C2")
    assert spaced.b1 == 1 << sq("C3")
    assert parse_position("/1/mortal:B3,D3/mortal:C4,C2").b1 == 0


def test_four_is_a_complete_tower_and_letters_are_low_domes() -> None:
    p = parse_position("4abc" + "0" * 21 + "/1/mortal:B3,D3/mortal:C4,C2")
    assert p.domes == 0b1111
    assert heights(p)[:4] == (3, 0, 1, 2)


def test_the_common_form_writes_any_dome_as_four_and_sorts_workers() -> None:
    p = parse_position("a" + "0" * 24 + "/1/mortal:D3,B3/mortal:C2,C4/@5")
    assert format_position(p, extended=False) == "4" + "0" * 24 + "/1/mortal:B3,D3/mortal:C4,C2"


def test_squares_may_be_names_of_any_case_or_numbers() -> None:
    p = parse_position(f"{FLAT}/1/mortal:b3,13/mortal:C4,22")
    assert p.workers == ((sq("B3"), sq("D3")), (sq("C4"), sq("C1")))


def test_a_hash_marks_the_winner() -> None:
    p = parse_position(f"{FLAT}/1/mortal:B3,D3/#mortal:C4,C2")
    assert p.outcome is not None
    assert p.outcome.winners == (1,)
    won = Line("23000 00000 00000 00000 00000/1/mortal:A5,A1/mortal:E5,E4").play("A5>B5")
    assert str(won) == "23" + "0" * 23 + "/1/#mortal:B5,A1/mortal:E5,E4"


def test_a_minus_is_the_old_sign_of_athenas_ban() -> None:
    text = "0000000000010000000000000/2/athena:A5,A1/{}mortal:C3,E1"
    assert Line(text.format("")).can("C3>B3")
    assert not Line(text.format("-")).can("C3>B3")
    with pytest.raises(Malformed, match="climbing"):
        parse_position(f"{FLAT}/1/mortal:B3,D3/-mortal:C4,C2")


def test_with_workers_on_the_board_a_side_without_any_is_out() -> None:
    p = parse_position(f"{FLAT}/2/mortal/pan:B3,D3/atlas:C4,C2")
    assert p.out == 0b001
    assert p.outcome is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a position has"),
        (f"{FLAT}/1", "a position has"),
        (f"{FLAT}0/1/mortal:A1/mortal:B1", "25 heights, not 26"),
        (f"{FLAT}/3/mortal:A1/mortal:B1", "not the number of a player"),
        (f"{FLAT}/x/mortal:A1/mortal:B1", "not the number of a player"),
        (f"{FLAT}/1/zorro:A1/mortal:B1", "no god 'zorro'"),
        (f"{FLAT}/1/mortal:A1/mortal:A1", "on one square"),
        (f"{FLAT}/1/mortal:A9/mortal:A1", "'A9' is not a square"),
        (f"{FLAT}/1/mortal A1/mortal:A1", "a section has"),
        (f"{FLAT}/1/mortal:25/mortal:A1", "not a square"),
        ("4" * 25 + "/1/mortal:A1/mortal:B1", "on a dome"),
        (f"{FLAT}/1/athena[x]:A1/mortal:B1", "no power here can remember 'x'"),
        (f"{FLAT}/1/mortal:A1/mortal:B1/@x", "says nothing"),
        (f"{FLAT}/1/mortal:A1/mortal:B1/ramC3", "says nothing"),
        (f"{FLAT}/1/mortal:A1/mortal:B1/ramA1=pan", "on the Ram"),
        (f"{FLAT}/1/mortal:A1/mortal:B1/mortal:C1/mortal:D1", "first section"),
    ],
)
def test_what_cannot_be_read_is_malformed_with_a_reason(text: str, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        parse_position(text)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.one_of(st.text(max_size=60), st.text("01234abc/12:,-#[]^@xABCDEmortalpnr", max_size=60)))
def test_any_text_is_read_or_malformed(text: str) -> None:
    with contextlib.suppress(Malformed):
        parse_position(text)


def test_a_position_in_the_middle_of_a_turn_cannot_be_written() -> None:
    with pytest.raises(Refused):
        str(Line(f"{FLAT}/1/mortal:B3,D3/mortal:C4,C2").play("B3>B2"))


def test_every_position_between_turns_of_a_match_round_trips() -> None:
    rng = random.Random(7)
    for gods in ((God.ATHENA, God.ATLAS), (God.MINOTAUR, God.HERMES), (God.EUROPA, God.MEDEA)):
        p = santorini.new(Options(Draft.GIVEN, gods=gods), 2)
        while (decision := santorini.pending(p)) is not None:
            if decision.kind == santorini.Kind.OPEN and not p.turn.moves and not p.turn.built:
                again = parse_position(format_position(p), p.options)
                assert (again.workers, again.decision, again.memos) == (p.workers, p.decision, p.memos)
                assert format_position(again) == format_position(p)
            p, _ = santorini.apply(p, decision.seats[0], rng.choice(tuple(decision.choices)))


# Steps


STEPS = "B3>C3 B3^C2 B3^C2X . ! B3=>C3 B3<>C3 ~C3 xC3 B3&C3 +A1 *A1 @ne @- ?pan =pan 1st=pan 1st=2 luck=pan luck=3"


@pytest.mark.parametrize("text", STEPS.split())
def test_a_step_that_is_read_is_written_again(text: str) -> None:
    assert format_step(parse_step(text)) == text


def test_steps_name_what_they_say() -> None:
    steps: dict[str, Action] = {
        "B3=>C3": Force(sq("B3"), sq("C3")),
        "xC3": Banish(sq("C3")),
        "B3&C3": Bind(sq("B3"), sq("C3")),
        "@n": Aim(0),
        "@-": Aim(None),
        "1st=1": ChooseStart(0),
        "luck=pan": DealGod(God.PAN),
        "luck=0": DealCard(0),
        ".": Done(),
    }
    assert {text: parse_step(text) for text in steps} == steps


@pytest.mark.parametrize(
    "text", ["", "B3", "B3>", "B3>F1", "B3>C3X", "@nn", "?zorro", "1st=", "luck=", "+9", "b3 > c3"]
)
def test_what_is_not_a_step_is_malformed(text: str) -> None:
    with pytest.raises(Malformed, match="not a step"):
        parse_step(text)
