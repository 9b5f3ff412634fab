"""The tables of the board."""

from __future__ import annotations

import pytest

from boardwire.games.santorini import board
from boardwire.games.santorini.squares import parse_square, square_name


def squares(text: str) -> int:
    return sum(1 << parse_square(name) for name in text.split())


def test_square_zero_is_a5_and_the_last_is_e1() -> None:
    assert [square_name(square) for square in (0, 4, 5, 12, 24)] == ["A5", "E5", "A4", "C3", "E1"]


def test_a_corner_has_three_neighbours_an_edge_five_and_the_middle_eight() -> None:
    assert board.NEIGHBOURS[parse_square("A5")] == squares("B5 A4 B4")
    assert board.NEIGHBOURS[parse_square("C5")].bit_count() == 5
    assert board.NEIGHBOURS[parse_square("C3")] == squares("B4 C4 D4 B3 D3 B2 C2 D2")


def test_touching_is_mutual_and_never_with_itself() -> None:
    for one in board.SQUARES:
        assert not board.NEIGHBOURS[one] >> one & 1
        for other in board.SQUARES:
            assert board.NEIGHBOURS[one] >> other & 1 == board.NEIGHBOURS[other] >> one & 1


@pytest.mark.parametrize(
    ("frm", "to", "behind"), [("A1", "B2", "C3"), ("C3", "C4", "C5"), ("C4", "C5", None), ("A3", "B3", "C3")]
)
def test_the_square_behind_lies_on_the_same_line(frm: str, to: str, behind: str | None) -> None:
    found = board.BEHIND[parse_square(frm)][parse_square(to)]
    assert found == (-1 if behind is None else parse_square(behind))


def test_there_is_nothing_behind_a_square_that_does_not_touch() -> None:
    assert board.BEHIND[parse_square("A1")][parse_square("C3")] == -1


def test_bearings_name_the_eight_directions() -> None:
    middle = parse_square("C3")
    around = ["C4", "D4", "D3", "D2", "C2", "B2", "B3", "B4"]
    assert [board.BEARING[middle][parse_square(name)] for name in around] == list(range(8))
    assert board.DIRECTIONS[board.BEARING[middle][parse_square("D4")]] == "ne"
    assert board.BEARING[middle][middle] == -1


def test_the_perimeter_has_sixteen_squares() -> None:
    assert board.PERIMETER.bit_count() == 16
    assert not board.PERIMETER & squares("B2 C3 D4")
    assert squares("A1 A5 E1 E5") == board.CORNERS


def test_wrapped_squares_have_eight_neighbours_across_edges_and_corners() -> None:
    assert all(mask.bit_count() == 8 for mask in board.WRAPPED)
    assert board.WRAPPED[parse_square("A5")] == squares("B5 A4 B4 E5 E4 A1 B1 E1")
    assert board.WRAPPED[parse_square("C3")] == board.NEIGHBOURS[parse_square("C3")]


def test_the_opposite_of_a_corner_is_two_edges() -> None:
    assert board.opposite_edges(parse_square("C5")) == squares("A1 B1 C1 D1 E1")
    assert board.opposite_edges(parse_square("A5")) == squares("A1 B1 C1 D1 E1 E2 E3 E4 E5")
    assert board.opposite_edges(parse_square("C3")) == 0


def test_blocks_of_four_are_named_by_their_upper_left_square() -> None:
    assert board.BLOCKS_OF_FOUR[parse_square("B3")] == squares("B3 C3 B2 C2")
    assert board.BLOCKS_OF_FOUR[parse_square("E3")] == board.BLOCKS_OF_FOUR[parse_square("A1")] == 0


def test_sets_are_walked_in_order() -> None:
    assert list(board.squares_of(squares("E1 A5 C3"))) == [0, 12, 24]
    assert board.next_to(squares("A5 E1")) == squares("B5 A4 B4 D1 D2 E2")
