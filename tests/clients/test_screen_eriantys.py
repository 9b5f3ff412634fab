"""Eriantys in a terminal."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from boardwire.clients.paint import Paint
from boardwire.clients.screens import eriantys as screen
from boardwire.games.eriantys import (
    Character,
    CloudTime,
    Colour,
    Done,
    Kind,
    Mode,
    MoveMotherNature,
    Options,
    PlayAssistant,
    Position,
    Refill,
    Swap,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
    apply,
    new,
    pending,
    view,
)
from boardwire.games.eriantys.diagram import place
from boardwire.games.game import CHANCE, Decision, Draw, Illegal, Malformed

PLAIN = Paint(False)


def placed(given: str) -> Position:
    """A position, as `subject = value; ...`."""
    statements = [line.split("=", 1) for line in given.split(";")]
    return place([(subject.strip(), value.strip()) for subject, value in statements])


def shown(position: Position) -> str:
    """What the player who is asked sees."""
    return screen.draw(view(position, None), pending(position), PLAIN)


TABLE = placed(
    "characters = monk grandma jester; cloud-time = either; order = A B; card A = 3; card B = 7; hand A = 1 9; "
    "entrance A = red 3 blue 4; entrance B = pink 7; hall A = red 2 blue 1; professor red = A; coins A = 4; "
    "island 0 = red 1; island 4 = red 12 blue 3; group 4 = 4 5; owner 4 = black; no-entry 4 = 1; mother-nature = 4; "
    "cloud 0 = yellow 3; cloud 1 = green 2 pink 1; on monk = red 2 blue 2; on jester = pink 6"
)


def test_islands_stand_in_two_rows_that_make_a_ring() -> None:
    lines = shown(TABLE).splitlines()
    assert re.findall(r"\[(\d+)\]", lines[1]) == ["0", "1", "2", "3", "4", "5"]
    assert re.findall(r"\[(\d+)\]", lines[6]) == ["10", "9", "8", "7", "6"]
    assert lines[6].index("[6]") == lines[1].index("[5]")


def test_an_island_shows_its_size_students_towers_influence_and_guests() -> None:
    lines = shown(TABLE).splitlines()
    start = lines[1].index("[4]")
    cell = [line[start : start + 15].rstrip() for line in lines[1:5]]
    assert cell == ["[4]×2 ◆MN ⊘", "12R 3B", "♜B×2", "infl W12 B2"]


def test_clouds_boards_and_characters_are_shown() -> None:
    text = shown(TABLE)
    assert " Clouds  (0) 3Y    (1) 2G P\n" in text
    assert " ▶ ♖W player 1 (you)  towers left 8  coins 4  card 3 (up to 2)  hand 1 9\n" in text
    assert "     entrance 3R 4B                    hall G 0     R 2[R]  Y 0     P 0     B 1\n" in text
    assert "   ♜B player 2  towers left 6" in text
    assert " Characters  monk (1) 2R 2B    grandma (2) ⊘×4    jester (1) 6P" in text


def test_what_differs_only_in_the_island_stands_in_one_line() -> None:
    lines = shown(TABLE).splitlines()
    assert "  red to island        3:0 4:1 5:2 6:3 7:4 8:5 9:6 10:7 11:8 12:9 13:10" in lines
    (grandma,) = (line for line in lines if line.startswith("  grandma on island"))
    assert len(re.findall(r"\d+:\d+", grandma)) == 11
    assert any(re.fullmatch(r"  jester take pink for +\d+:red \d+:blue", line) for line in lines)


def test_every_choice_has_its_number_on_the_screen() -> None:
    decision = pending(TABLE)
    assert decision is not None
    text = shown(TABLE).partition("Characters")[2].partition("\n")[2]
    numbers = re.findall(r"(\d+)(?:\)|:)", text)
    assert sorted(map(int, numbers)) == list(range(1, len(decision.choices) + 1))


def test_the_last_round_the_active_character_and_who_is_gone_are_told() -> None:
    table = view(
        placed("characters = knight monk thief; last-round = bag; effect = knight; gone B = yes; round = 9"), None
    )
    text = screen.draw(table, None, PLAIN)
    assert " Round 9, the last (bag)\n" in text
    assert text.endswith("in use: knight")
    assert " ✗ ♜B player 2" in text
    assert "(you)" not in text


def test_a_round_whose_number_the_protocol_does_not_tell_is_not_called_round_0() -> None:
    text = screen.draw(replace(view(placed("round = 9"), None), round=0), None, PLAIN)
    assert "Round" not in text


def test_a_simplified_table_has_no_coins_and_no_characters() -> None:
    text = shown(placed("entrance A = red 7"))
    assert "coins" not in text
    assert "Characters" not in text


def test_colour_changes_nothing_but_colour() -> None:
    table, decision = view(TABLE, None), pending(TABLE)
    coloured = screen.draw(table, decision, Paint(True))
    assert "\x1b[1;31mR\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == screen.draw(table, decision, PLAIN)


@pytest.mark.parametrize(
    ("action", "label"),
    [
        (PlayAssistant(9), "assistant 9, up to 5"),
        (ToHall(Colour.RED), "red to the hall"),
        (ToIsland(Colour.BLUE, 6), "blue to island 5"),
        (MoveMotherNature(2), "2 to island 6"),
        (TakeCloud(1), "cloud 1"),
        (UseCharacter(Character.KNIGHT), "knight"),
        (UseCharacter(Character.MONK, Colour.RED, 7), "monk red island 6"),
        (UseCharacter(Character.THIEF, Colour.RED), "thief red"),
        (UseCharacter(Character.JESTER, Colour.RED, give=Colour.BLUE), "jester take red for blue"),
        (Swap(Colour.RED, Colour.BLUE), "take red for blue"),
        (Done(), "no more"),
        (Refill(()), "Refill(clouds=())"),
    ],
)
def test_a_choice_has_words(action: Any, label: str) -> None:
    assert screen.label(view(TABLE, None), action) == label


def test_a_number_chooses() -> None:
    table, decision = view(TABLE, None), pending(TABLE)
    assert decision is not None
    assert screen.question(table, decision).startswith("Which student goes where (3 to go)? A number from 1 to ")
    assert screen.parse("1", table, decision) == ToHall(Colour.RED)
    for text in ("0", "999"):
        with pytest.raises(Illegal, match=f"There is no choice {text}"):
            screen.parse(text, table, decision)
    for text in ("", "red", "-1", "²"):
        with pytest.raises(Malformed, match="Type the number"):
            screen.parse(text, table, decision)


def test_every_question_to_a_player_has_words() -> None:
    table = replace(view(TABLE, None), moved=1)
    for kind in list(Kind)[8:]:
        assert "?" in screen.question(table, Decision(kind, (0,), (Done(),)))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_match_fits_into_a_hundred_columns(seats: int) -> None:
    random = Random(seats)
    position = new(Options(Mode.EXPERT, CloudTime.EITHER), seats)
    while (decision := pending(position)) is not None:
        seat = decision.seats[0]
        if seat != CHANCE:
            text = screen.draw(view(position, None), decision, PLAIN)
            assert max(map(len, text.splitlines())) <= 100
        choices = decision.choices
        action = choices.draw(random.randrange) if isinstance(choices, Draw) else random.choice(tuple(choices))
        position, _ = apply(position, seat, action)
