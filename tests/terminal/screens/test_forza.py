"""Forza Quattro in a terminal."""

import pytest

from boardwire.dialects.dialect import Players
from boardwire.errors import Illegal, Malformed
from boardwire.games import forza
from boardwire.games.forza import Options, View
from boardwire.games.game import Decision
from boardwire.terminal.colours import Paint
from boardwire.terminal.screens import screen

from ..test_play import over_native

FORZA = screen("forza")
PEOPLE = Players(("Ada", "Bo"), 0)


def after(columns: str) -> tuple[View, Decision[int]]:
    position = forza.new(Options(), 2)
    for number, column in enumerate(columns):
        position, _ = forza.apply(position, number % 2, forza.parse_action(column))
    decision = forza.pending(position)
    assert decision is not None
    return forza.view(position, 0), decision


def test_the_board_shows_discs_and_the_numbers_of_open_columns() -> None:
    assert FORZA.draw(*after("44444413"), PEOPLE, Paint(False)).splitlines() == [
        "     1   2   3       5   6   7",
        "   │   │   │   │ O │   │   │   │",
        "   │   │   │   │ X │   │   │   │",
        "   │   │   │   │ O │   │   │   │",
        "   │   │   │   │ X │   │   │   │",
        "   │   │   │   │ O │   │   │   │",
        "   │ X │   │ O │ X │   │   │   │",
        "   └───┴───┴───┴───┴───┴───┴───┘",
    ]


def test_a_player_who_is_not_asked_sees_no_numbers() -> None:
    assert FORZA.draw(after("4")[0], None, PEOPLE, Paint(False)).splitlines()[0] == ""


def test_colour_changes_nothing_but_the_colour() -> None:
    coloured = FORZA.draw(*after("45"), PEOPLE, Paint(True))
    assert "\x1b[1;33mX\x1b[0m" in coloured
    assert "\x1b[1;36mO\x1b[0m" in coloured


def test_the_question_names_the_disc_and_the_open_columns() -> None:
    assert FORZA.question(*after("444444"), PEOPLE) == "Your turn (X). Which column: 1 2 3 5 6 7?"
    assert FORZA.question(*after("4"), PEOPLE).startswith("Your turn (O).")
    assert FORZA.choices(*after("4"), PEOPLE) == ""


def test_a_column_is_parsed_by_its_number() -> None:
    assert FORZA.parse("3", *after(""), PEOPLE) == 2


@pytest.mark.parametrize("text", ["", "x", "0", "8", "3.0", "34"])
def test_input_that_is_not_a_column_is_explained(text: str) -> None:
    with pytest.raises(Malformed, match="number of a column, 1 to 7"):
        FORZA.parse(text, *after(""), PEOPLE)


def test_a_full_column_is_said() -> None:
    with pytest.raises(Illegal, match="Column 4 is full"):
        FORZA.parse("4", *after("444444"), PEOPLE)


def test_the_disc_of_the_other_is_told() -> None:
    assert FORZA.changes(after("")[0], after("47")[0], 3, PEOPLE) == ["Bo drops a disc into column 7."]
    assert FORZA.changes(after("")[0], after("4")[0], 3, PEOPLE) == []


def test_a_person_plays_it_to_the_end_over_the_native_dialect(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = over_native(monkeypatch, "forza", r"Which column: (\d)")
    assert shown.startswith("forza over native at 127.0.0.1:")
    assert "Your turn (X). Which column: 1 2 3 4 5 6 7?" in shown
    assert "greedy bot 2 drops a disc into column " in shown
    assert shown.endswith(("You win (line).\n", "You lose (line).\n", "A draw (full board).\n"))
