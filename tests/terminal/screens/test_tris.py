"""Tris in a terminal."""

import pytest

from boardwire.dialects.dialect import Players
from boardwire.errors import Illegal, Malformed
from boardwire.games.game import Decision
from boardwire.games.tris import Kind, View
from boardwire.terminal.colours import Paint
from boardwire.terminal.screens import screen

TRIS = screen("tris")
NOBODY = Players(("", ""), 1)
VIEW = View((0, None, 1, None, 0, None, None, None, None), 1)
DECISION = Decision(Kind.MARK, (1,), (1, 3, 5, 6, 7, 8))


def test_the_board_shows_marks_and_the_numbers_of_free_cells() -> None:
    assert TRIS.draw(VIEW, DECISION, NOBODY, Paint(False)).splitlines() == [
        "    X │ 1 │ O",
        "   ───┼───┼───",
        "    3 │ X │ 5",
        "   ───┼───┼───",
        "    6 │ 7 │ 8",
    ]


def test_cells_that_cannot_be_chosen_have_no_number() -> None:
    assert TRIS.draw(VIEW, None, NOBODY, Paint(False)).splitlines()[0] == "    X │   │ O"
    partly = Decision(Kind.MARK, (1,), (3,))
    assert TRIS.draw(VIEW, partly, NOBODY, Paint(False)).splitlines()[2] == "    3 │ X │  "


def test_colour_changes_nothing_but_the_colour() -> None:
    coloured = TRIS.draw(VIEW, DECISION, NOBODY, Paint(True))
    assert "\x1b[1;33mX\x1b[0m" in coloured
    assert "\x1b[1;36mO\x1b[0m" in coloured


@pytest.mark.parametrize(("turn", "mark"), [(0, "X"), (1, "O")])
def test_the_question_names_the_mark_and_the_free_cells(turn: int, mark: str) -> None:
    question = TRIS.question(View(VIEW.cells, turn), DECISION, NOBODY)
    assert question == f"Your turn ({mark}). Which cell: 1 3 5 6 7 8?"


def test_a_free_cell_is_parsed() -> None:
    assert TRIS.parse("3", VIEW, DECISION, NOBODY) == 3


@pytest.mark.parametrize("text", ["", "x", "-1", "٣", "1.0", "1 3"])
def test_input_that_is_not_a_number_is_explained(text: str) -> None:
    with pytest.raises(Malformed, match="number of a free cell"):
        TRIS.parse(text, VIEW, DECISION, NOBODY)


@pytest.mark.parametrize(("text", "words"), [("0", "Cell 0 is taken"), ("9", "0 to 8"), ("999", "0 to 8")])
def test_a_cell_that_cannot_be_is_said(text: str, words: str) -> None:
    with pytest.raises(Illegal, match=words):
        TRIS.parse(text, VIEW, DECISION, NOBODY)


def test_the_opponents_mark_is_described() -> None:
    after = View((0, None, 1, None, 0, 1, None, 0, None), 1)
    assert TRIS.changes(VIEW, after, 5, NOBODY) == ["Your opponent takes cell 7."]
    assert TRIS.changes(VIEW, after, 5, Players(("ann", "bob"), 1)) == ["ann takes cell 7."]
    assert TRIS.choices(VIEW, DECISION, NOBODY) == "", "the board shows them"
