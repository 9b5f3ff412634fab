"""The rules of Tris, by example and by walking the whole game."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
import pytest

from boardwire.errors import Illegal, Refused
from boardwire.games import tris
from boardwire.games.game import CHANCE, Outcome
from boardwire.games.tris import Forfeited, Kind, Marked, Options, Position, View

ROWS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
COLUMNS = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
DIAGONALS = ((0, 4, 8), (2, 4, 6))


def play(*cells: int) -> Position:
    """The position after these marks, the seats taking turns."""
    position = tris.new(Options(), 2)
    for number, cell in enumerate(cells):
        position, _ = tris.apply(position, number % 2, cell)
    return position


def elsewhere(line: tuple[int, ...], many: int) -> list[int]:
    """Cells off the line that make no line of their own."""
    for start in range(9):
        cells = [cell % 9 for cell in range(start, start + 9) if cell % 9 not in line][:many]
        if tuple(sorted(cells)) not in (*ROWS, *COLUMNS, *DIAGONALS):
            return cells
    raise AssertionError("every choice makes a line")


def test_a_match_begins_with_an_empty_board_and_seat_0_to_mark_any_cell() -> None:
    position = tris.new(Options(), 2)
    decision = tris.pending(position)
    assert decision is not None
    assert (decision.kind, decision.seats, tuple(decision.choices)) == (Kind.MARK, (0,), tuple(range(9)))
    assert tris.view(position, 0) == View((None,) * 9, 0)
    assert tris.outcome(position) is None


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_tris_is_for_two(seats: int) -> None:
    assert seats not in tris.seat_counts
    with pytest.raises(Illegal, match=f"2 players, not {seats}"):
        tris.new(Options(), seats)


def test_the_seats_take_turns_and_a_taken_cell_is_no_choice() -> None:
    position = play(4)
    decision = tris.pending(position)
    assert decision is not None
    assert decision.seats == (1,)
    assert tuple(decision.choices) == (0, 1, 2, 3, 5, 6, 7, 8)


def test_a_mark_is_announced_and_seen_by_all() -> None:
    position, events = tris.apply(play(4), 1, 0)
    assert events == (Marked(1, 0),)
    seen = View((1, None, None, None, 0, None, None, None, None), 0)
    assert tris.view(position, 0) == tris.view(position, 1) == tris.view(position, None) == seen
    assert all(tris.show(events[0], seat) == events[0] for seat in (0, 1, None))


@pytest.mark.parametrize("line", [*ROWS, *COLUMNS, *DIAGONALS])
def test_the_first_player_wins_with_each_of_the_eight_lines(line: tuple[int, int, int]) -> None:
    other = elsewhere(line, 2)
    position = play(line[0], other[0], line[1], other[1])
    assert tris.outcome(position) is None
    position, events = tris.apply(position, 0, line[2])
    assert events == (Marked(0, line[2], line),)
    assert tris.outcome(position) == Outcome("line", (0,))
    assert tris.pending(position) is None
    assert tris.view(position, 1).turn is None


@pytest.mark.parametrize("line", [*ROWS, *COLUMNS, *DIAGONALS])
def test_the_second_player_wins_with_each_of_the_eight_lines(line: tuple[int, int, int]) -> None:
    other = elsewhere(line, 3)
    position = play(other[0], line[0], other[1], line[1], other[2])
    position, events = tris.apply(position, 1, line[2])
    assert events == (Marked(1, line[2], line),)
    assert tris.outcome(position) == Outcome("line", (1,))


def test_the_ninth_mark_that_makes_a_line_wins() -> None:
    position, events = tris.apply(play(0, 1, 2, 4, 3, 5, 7, 6), 0, 8)
    assert tris.outcome(position) == Outcome("full board")
    position, events = tris.apply(play(0, 1, 2, 3, 4, 6, 5, 7), 0, 8)
    assert events == (Marked(0, 8, (2, 5, 8)),)
    assert tris.outcome(position) == Outcome("line", (0,))


def test_a_full_board_without_a_line_is_a_draw() -> None:
    position = play(0, 1, 2, 4, 3, 5, 7, 6, 8)
    assert tris.outcome(position) == Outcome("full board", ())
    assert tris.pending(position) is None


def test_a_move_out_of_turn_is_refused() -> None:
    for seat in (1, 2, CHANCE):
        with pytest.raises(Refused, match=r"it is player .'s turn"):
            tris.apply(play(), seat, 0)


def test_a_taken_cell_is_illegal_and_says_so() -> None:
    with pytest.raises(Illegal, match="cell 4 is taken"):
        tris.apply(play(4), 1, 4)


@pytest.mark.parametrize("action", [9, -1, 1000, "4", None, 4.0, True, 0.5])
def test_what_is_no_cell_is_illegal_and_says_so(action: Any) -> None:
    with pytest.raises(Illegal, match=r"there is no cell .*; cells are 0 to 8"):
        tris.apply(play(), 0, action)


def test_nothing_is_marked_after_the_end() -> None:
    with pytest.raises(Refused, match="over"):
        tris.apply(play(0, 3, 1, 4, 2), 1, 5)


@pytest.mark.parametrize("cells", [(), (4,)])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_who_forfeits_loses_also_out_of_turn(cells: tuple[int, ...], seat: int) -> None:
    position, events = tris.forfeit(play(*cells), seat)
    assert events == (Forfeited(seat),)
    assert tris.outcome(position) == Outcome("forfeit", (1 - seat,))
    assert tris.pending(position) is None
    assert tris.view(position, 0).cells == tris.view(play(*cells), 0).cells


def test_a_match_that_is_over_cannot_be_given_up() -> None:
    given_up, _ = tris.forfeit(play(4), 0)
    for position in (given_up, play(0, 3, 1, 4, 2), play(0, 1, 2, 4, 3, 5, 7, 6, 8)):
        with pytest.raises(Refused, match="over"):
            tris.forfeit(position, 1)


def test_there_is_nothing_to_settle() -> None:
    assert tris.settle(Options(), (tris.Wish(), None)) == Options()


def test_events_are_told_apart_on_the_wire() -> None:
    for event in (Marked(0, 4), Marked(1, 2, (0, 1, 2)), Forfeited(1)):
        assert msgspec.json.decode(msgspec.json.encode(event), type=tris.Event) == event


def test_the_whole_game_has_5478_positions_and_255168_games() -> None:
    """Known figures: 131,184 games are won by the first player, 77,904 by the second, 46,080 are drawn."""

    @cache
    def games(position: Position) -> tuple[int, int, int]:
        decision = tris.pending(position)
        result = tris.outcome(position)
        if decision is None:
            assert result is not None
            return (0 in result.winners, 1 in result.winners, not result.winners)
        assert result is None
        totals = [games(tris.apply(position, decision.seats[0], cell)[0]) for cell in decision.choices]
        first, second, drawn = map(sum, zip(*totals, strict=True))
        return first, second, drawn

    assert games(tris.new(Options(), 2)) == (131_184, 77_904, 46_080)
    assert games.cache_info().currsize == 5478


def test_a_match_can_begin_as_another_one_stands() -> None:
    position = tris.new(Options(), 2)
    for number, cell in enumerate((4, 0, 8)):
        position, _ = tris.apply(position, number % 2, cell)
    options = tris.begin_at(position)
    assert tris.new(options, 2) == position
    assert not tris.is_standard(options)
    assert tris.is_standard(Options())


@pytest.mark.parametrize(
    ("marks", "words"),
    [((1, 1), "one mark"), ((512, 0), "nine cells"), ((-1, 0), "nine cells"), ((7, 24), "from a finished position")],
)
def test_a_match_does_not_begin_where_it_could_not_stand(marks: tuple[int, int], words: str) -> None:
    with pytest.raises(Illegal, match=words):
        tris.new(Options(Position(marks)), 2)
