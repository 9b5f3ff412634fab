"""Eriantys in a terminal of 80 columns and 24 lines."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from boardwire.dialects.dialect import Players
from boardwire.errors import Illegal, Malformed
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
from boardwire.games.eriantys.diagram import build_position
from boardwire.games.game import CHANCE, Decision, Draw
from boardwire.terminal.colours import Paint
from boardwire.terminal.screens import eriantys as screen

PLAIN = Paint(False)
PEOPLE = Players(("Ann", "Bob"), 0)


def placed(given: str) -> Position:
    """A position, as `subject = value; ...`."""
    statements = [line.split("=", 1) for line in given.split(";")]
    return build_position([(subject.strip(), value.strip()) for subject, value in statements])


def shown(position: Position) -> str:
    """What the player who is asked sees."""
    return screen.draw(view(position, None), pending(position), PEOPLE, PLAIN)


TABLE = placed(
    "characters = monk grandma jester; cloud-time = either; order = A B; card A = 3; card B = 7; hand A = 1 9; "
    "entrance A = red 3 blue 4; entrance B = pink 7; hall A = red 2 blue 1; professor red = A; coins A = 4; "
    "island 0 = red 1; island 4 = red 12 blue 3; group 4 = 4 5; owner 4 = black; no-entry 4 = 1; mother-nature = 4; "
    "cloud 0 = yellow 3; cloud 1 = green 2 pink 1; on monk = red 2 blue 2; on jester = pink 6"
)


def listed(position: Position) -> list[str]:
    """What can be typed."""
    decision = pending(position)
    assert decision is not None
    return screen.choices(view(position, None), decision, PEOPLE).splitlines()


def test_islands_stand_in_two_rows_that_make_a_ring() -> None:
    lines = shown(TABLE).splitlines()
    assert re.findall(r"\[(\d+)\]", lines[0]) == ["0", "1", "2", "3", "4", "5"]
    assert re.findall(r"\[(\d+)\]", lines[3]) == ["10", "9", "8", "7", "6"]
    assert lines[3].index("[6]") == lines[0].index("[5]")


def test_an_island_shows_its_size_students_towers_influence_and_guests() -> None:
    lines = shown(TABLE).splitlines()
    start = lines[0].index("[4]")
    cell = [line[start : start + 12].rstrip() for line in lines[0:3]]
    assert cell == ["[4]×2 ◆MN ⊘", "12R 3B", "♜B×2 (W12 B2"]


def test_clouds_boards_and_characters_are_shown() -> None:
    text = shown(TABLE)
    assert " Clouds (0) 3Y   (1) 2G P   Round 1\n" in text
    assert " ▶ ♖W Ann (you): 8 towers, 4 coins, card 3 (≤2), hand 1 9\n" in text
    assert "     entrance 3R 4B              hall G 0    R 2[R] Y 0    P 0    B 1\n" in text
    assert "   ♜B Bob: 6 towers" in text
    assert " Characters (price) monk (1) 2R 2B  grandma (2) ⊘×4  jester (1) 6P" in text


def test_choices_that_differ_in_one_word_stand_in_one_line() -> None:
    assert listed(TABLE) == [
        "  red, blue to hall",
        "  red, blue to island 0-10",
        "  cloud 0, 1",
        "  monk red, blue on island 0-10",
        "  grandma on island 0-10",
        "  jester pink for red, blue",
    ]


def test_a_card_is_listed_with_its_steps_and_steps_with_their_island() -> None:
    cards = Decision(Kind.ASSISTANT, (0,), (PlayAssistant(2), PlayAssistant(10)))
    walks = Decision(Kind.STEPS, (0,), (MoveMotherNature(1), MoveMotherNature(7)))
    table = view(TABLE, None)
    assert screen.choices(table, cards, PEOPLE).splitlines() == ["  card    2 10", "  steps   1  5"]
    assert screen.choices(table, walks, PEOPLE) == "  1 (to island 5), 7 (to island 0)"


def test_the_last_round_the_active_character_and_who_is_gone_are_told() -> None:
    table = view(
        placed("characters = knight monk thief; last-round = bag; effect = knight; gone B = yes; round = 9"), None
    )
    text = screen.draw(table, None, Players(("Ann", "Bob")), PLAIN)
    assert "   Round 9, the last (bag)\n" in text
    assert "knight (2, in use)" in text
    assert " ✗ ♜B Bob" in text
    assert "(you)" not in text


def test_a_round_whose_number_the_protocol_does_not_tell_is_not_called_round_0() -> None:
    text = screen.draw(replace(view(placed("round = 9"), None), round=0), None, PEOPLE, PLAIN)
    assert "Round" not in text


def test_a_simplified_table_has_no_coins_and_no_characters() -> None:
    text = shown(placed("entrance A = red 7"))
    assert "coins" not in text
    assert "Characters" not in text


def test_colour_changes_nothing_but_colour() -> None:
    table, decision = view(TABLE, None), pending(TABLE)
    coloured = screen.draw(table, decision, PEOPLE, Paint(True))
    assert "\x1b[1;31mR\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == screen.draw(table, decision, PEOPLE, PLAIN)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (PlayAssistant(9), "9"),
        (ToHall(Colour.RED), "red hall"),
        (ToIsland(Colour.BLUE, 6), "blue 5"),
        (MoveMotherNature(2), "2"),
        (TakeCloud(1), "cloud 1"),
        (UseCharacter(Character.KNIGHT), "knight"),
        (UseCharacter(Character.MONK, Colour.RED, 7), "monk red 6"),
        (UseCharacter(Character.THIEF, Colour.RED), "thief red"),
        (UseCharacter(Character.JESTER, Colour.RED, give=Colour.BLUE), "jester red blue"),
        (Swap(Colour.RED, Colour.BLUE), "red blue"),
        (Done(), "done"),
        (Refill(()), "Refill(clouds=())"),
    ],
)
def test_a_choice_has_words_by_which_it_is_chosen(action: Any, words: str) -> None:
    table = view(TABLE, None)
    decision = Decision(Kind.STUDENT, (0,), (action,))
    assert screen.question(table, decision, PEOPLE).endswith(f"(For example: {words})")
    assert screen.parse(words, table, decision, PEOPLE) == action


def test_input_that_means_no_choice_or_several_is_explained() -> None:
    table, decision = view(TABLE, None), pending(TABLE)
    assert decision is not None
    assert screen.question(table, decision, PEOPLE).startswith("Which student goes where (3 to go)? (For example: ")
    assert screen.parse("r h", table, decision, PEOPLE) == ToHall(Colour.RED)
    for text in ("0", "red", "r 99"):
        with pytest.raises(Illegal, match=f"{text} (could be|is not among)"):
            screen.parse(text, table, decision, PEOPLE)
    with pytest.raises(Malformed, match="for example red hall"):
        screen.parse("", table, decision, PEOPLE)


def test_every_question_to_a_player_has_words() -> None:
    table = replace(view(TABLE, None), moved=1)
    for kind in list(Kind)[8:]:
        assert "?" in screen.question(table, Decision(kind, (0,), (Done(),)), PEOPLE)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_whole_match_fits_the_terminal_and_every_choice_can_be_typed(seats: int) -> None:
    random = Random(seats)
    people = Players(tuple(f"a name of {seats} for {seat}" for seat in range(seats)), 0)
    position = new(Options(Mode.EXPERT, CloudTime.EITHER), seats)
    while (decision := pending(position)) is not None:
        seat, choices = decision.seats[0], decision.choices
        action = choices.draw(random.randrange) if isinstance(choices, Draw) else random.choice(tuple(choices))
        if seat != CHANCE:
            table, people = view(position, None), replace(people, seat=seat)
            text = screen.draw(table, decision, people, PLAIN).splitlines()
            text += screen.choices(table, decision, people).splitlines()
            text.append(screen.question(table, decision, people))
            assert len(text) <= 23
            assert max(map(len, text)) < 80
            words = " ".join(screen._words(table, action)[0])
            assert screen.parse(words, table, decision, people) == action
        position, _ = apply(position, seat, action)


# --- news -----------------------------------------------------------------------------------------------------------


def test_the_other_players_steps_are_described() -> None:
    before = view(TABLE, None)
    bob = replace(before.boards[1], card=8, hall=(0, 1, 0, 2, 0))
    ring = list(before.islands)
    ring[0] = replace(ring[0], students=(0, 3, 0, 0, 0), side=1, towers=1)
    after = replace(
        before, boards=(before.boards[0], bob), islands=tuple(ring), mother_nature=0,
        professors=(0, 1, None, 1, None),
    )  # fmt: skip
    assert screen.changes(before, after, ToIsland(Colour.RED, 0), PEOPLE) == [
        "Bob plays assistant 8.",
        "Bob seats 1 red, 2 pink.",
        "Island 0 gets 1 red.",
        "Mother nature is on island 0.",
        "You now have the green professor.",
        "Bob now has the red and pink professors.",
        "Island 0 now has ♜B towers.",
    ]
    assert "Mother nature" not in " ".join(screen.changes(before, after, MoveMotherNature(3), PEOPLE))
    assert screen.changes(before, before, Done(), PEOPLE) == []


def test_islands_that_joined_are_the_same_ones_and_unknown_boards_tell_nothing() -> None:
    before = view(TABLE, None)
    first, second, *others = before.islands
    joined = replace(first, tiles=(*first.tiles, *second.tiles), students=(0, 1, 0, 0, 0))
    assert screen.changes(before, replace(before, islands=(joined, *others)), Done(), PEOPLE) == []
    strange = replace(first, tiles=(98, 99), students=(9, 9, 9, 9, 9))
    assert screen.changes(before, replace(before, islands=(strange, second, *others)), Done(), PEOPLE) == []
    assert screen.changes(replace(before, boards=before.boards[:1]), before, Done(), PEOPLE) == []
