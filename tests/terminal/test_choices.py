"""Choices as words."""

from __future__ import annotations

from typing import Any

import pytest

from boardwire.errors import Illegal, Malformed
from boardwire.terminal.choices import WIDTH, Choice, columns, find, lines, paragraph

STUDENTS = [
    Choice(f"{colour} {place}", (colour, place), ("to",))
    for colour in ("green", "grey")
    for place in ("hall", *map(str, range(12)))
]
STEPS = [
    Choice("move", ("B5", "C5"), ("to",)),
    Choice("other", ("A5", "C5"), ("to",)),
    Choice("build", ("B5", "builds", "C5"), ("", "on")),
    Choice("dome", ("B5", "dome", "C4"), ("puts a", "on")),
    Choice("pair", ("Castor & Pollux",)),
]


@pytest.mark.parametrize(
    ("text", "choices", "action"),
    [
        ("green hall", STUDENTS, "green hall"),
        ("GREE, h", STUDENTS, "green hall"),
        ("grey 1", STUDENTS, "grey 1"),
        ("B5 C5", STEPS, "move"),
        ("a5 c5", STEPS, "other"),
        ("build C5", STEPS, "build"),
        ("c4", STEPS, "dome"),
        ("castor & pollux", STEPS, "pair"),
        ("castor", STEPS, "pair"),
        ("pollux", STEPS, "pair"),
    ],
)
def test_a_choice_is_found_by_its_words_or_enough_of_them(text: str, choices: list[Choice], action: Any) -> None:
    assert find(text, choices) == action


@pytest.mark.parametrize(
    ("text", "choices", "error", "words"),
    [
        (" ", STUDENTS, Malformed, "for example green hall."),
        ("red 1", STUDENTS, Illegal, "red 1 is not among your choices; one of them is green hall."),
        ("green 12", STUDENTS, Illegal, "not among your choices"),
        ("gr hall", STUDENTS, Illegal, "gr hall could be green hall, grey hall; type more of it."),
        ("green", STUDENTS, Illegal, "green could be green hall, green 0, green 1, green 2, ...; type more of it."),
        ("C5", STEPS, Illegal, "could be B5 C5, A5 C5, B5 builds C5; type"),
    ],
)
def test_ambiguous_or_unknown_input_is_explained(
    text: str, choices: list[Choice], error: type[Exception], words: str
) -> None:
    with pytest.raises(error) as raised:
        find(text, choices)
    assert words in str(raised.value)


def test_choices_that_have_all_but_one_word_in_common_stand_in_one_line() -> None:
    assert lines(STUDENTS) == ["  green, grey to hall, 0-11"]
    assert lines(STEPS) == [
        "  B5, A5 to C5",
        "  B5 builds on C5",
        "  B5 puts a dome on C4",
        "  Castor & Pollux",
    ]
    assert lines([Choice(card, (card,)) for card in ("1", "2", "4", "5", "6", "done")]) == ["  1, 2, 4-6, done"]


def test_nothing_is_wider_than_the_terminal_and_no_word_is_broken() -> None:
    squares = [f"{file}{rank}" for rank in "54321" for file in "ABCDE"]
    wide = lines([Choice(square, ("force", "A1", square), ("", "to")) for square in squares])
    assert len(wide) == 2
    assert wide[1].startswith(" " * len("  force A1 to ")), "it goes on below its beginning"
    assert max(map(len, [*wide, *columns(["Hephaestus"] * 60), *paragraph("a worker " * 30, 4)])) < WIDTH
    assert " ".join(wide).replace(",", "").split()[3:] == squares
    assert columns(["Pan", "Zeus"]) == ["  Pan   Zeus"]
