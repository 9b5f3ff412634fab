"""The rules of Forza Quattro, by example and by counting lines of play."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from boardwire.errors import Illegal, Malformed, Refused
from boardwire.games import forza
from boardwire.games.forza import Dropped, Forfeited, Kind, Options, Passed, Position, View
from boardwire.games.game import CHANCE, Outcome, Seat
from boardwire.testing import laws


def play(columns: str) -> Position:
    """The position after discs into these columns, the seats taking turns."""
    position = forza.new(Options(), 2)
    for number, column in enumerate(columns):
        position, _ = forza.apply(position, number % 2, forza.parse_action(column))
    return position


def last(columns: str) -> Dropped:
    """What the last of these discs did."""
    seat = (len(columns) - 1) % 2
    _, (event,) = forza.apply(play(columns[:-1]), seat, forza.parse_action(columns[-1]))
    assert isinstance(event, Dropped)
    return event


def test_a_match_begins_with_an_empty_board_and_seat_0_to_drop_a_disc_anywhere() -> None:
    position = forza.new(Options(), 2)
    decision = forza.pending(position)
    assert decision is not None
    assert (decision.kind, decision.seats, tuple(decision.choices)) == (Kind.DROP, (0,), tuple(range(7)))
    assert forza.view(position, 0) == View((None,) * 42, 0)
    assert forza.outcome(position) is None


@pytest.mark.parametrize("seats", [0, 1, 3])
def test_forza_quattro_is_for_two(seats: int) -> None:
    assert seats not in forza.seat_counts
    with pytest.raises(Illegal, match=f"2 players, not {seats}"):
        forza.new(Options(), seats)


def test_a_disc_falls_to_the_lowest_free_cell_and_the_seats_take_turns() -> None:
    assert [last(columns).cell for columns in ("4", "44", "441", "4417")] == [38, 31, 35, 41]
    view = forza.view(play("4417"), None)
    assert {cell: owner for cell, owner in enumerate(view.cells) if owner is not None} == {38: 0, 31: 1, 35: 0, 41: 1}
    assert view.turn == 0


def test_a_full_column_is_no_choice() -> None:
    position = play("333333")
    decision = forza.pending(position)
    assert decision is not None
    assert tuple(decision.choices) == (0, 1, 3, 4, 5, 6)
    with pytest.raises(Illegal, match="column 2 is full"):
        forza.apply(position, 0, 2)


@pytest.mark.parametrize(
    ("columns", "cell", "line"),
    [
        ("1122334", 38, (35, 36, 37, 38)),
        ("4455667", 41, (38, 39, 40, 41)),
        ("1212121", 14, (14, 21, 28, 35)),
        ("12233434464", 17, (17, 23, 29, 35)),
        ("76655454424", 17, (17, 25, 33, 41)),
        ("1122667755334", 38, (35, 36, 37, 38, 39, 40, 41)),
    ],
    ids=["level", "to-the-edge", "upright", "rising", "falling", "seven-at-once"],
)
def test_four_in_a_row_win_at_once(columns: str, cell: int, line: tuple[int, ...]) -> None:
    assert last(columns) == Dropped(0, int(columns[-1]) - 1, cell, line)
    position = play(columns)
    assert forza.outcome(position) == Outcome("line", (0,))
    assert forza.pending(position) is None
    assert forza.view(position, 1).turn is None


def test_the_second_player_wins_too() -> None:
    assert forza.outcome(play("14152627")) == Outcome("line", (1,))


def test_three_in_a_row_are_not_enough() -> None:
    assert last("1122337").line == ()
    assert forza.outcome(play("1122337")) is None


def lines(cells: tuple[Seat | None, ...]) -> Iterator[tuple[Seat, frozenset[int]]]:
    """Every four in a row, found by looking from each cell in each direction."""
    for row in range(6):
        for column in range(7):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                run = [(row + down * step, column + right * step) for step in range(4)]
                if all(0 <= y < 6 and 0 <= x < 7 for y, x in run):
                    four = frozenset(7 * y + x for y, x in run)
                    owners = {cells[cell] for cell in four}
                    owner = owners.pop()
                    if not owners and owner is not None:
                        yield owner, four


@pytest.mark.parametrize("seed", range(20))
def test_a_match_ends_by_exactly_the_lines_that_are_there_to_see(seed: int) -> None:
    for ply in laws.playthrough(forza, Options(), 2, Random(seed).randrange):
        found = list(lines(forza.view(ply.after, None).cells))
        assert {owner for owner, _ in found} <= {ply.seat}
        assert set(ply.events[0].line) == {cell for _, four in found for cell in four}
        assert bool(found) == (forza.outcome(ply.after) == Outcome("line", (ply.seat,)))


def test_a_full_board_without_a_line_is_a_draw() -> None:
    position = play("442761225377252342545563474175371666631311")
    assert forza.outcome(position) == Outcome("full board")
    assert forza.pending(position) is None
    assert None not in forza.view(position, None).cells


def test_the_last_disc_may_win() -> None:
    columns = "234726157224242441337634756633571565517116"
    assert len(columns) == 42
    assert last(columns).line == (5, 11, 17, 23)
    assert forza.outcome(play(columns)) == Outcome("line", (1,))


@pytest.mark.parametrize(
    ("seat", "action", "error", "words"),
    [
        (1, 3, Refused, "it is player 1's turn"),
        (CHANCE, 3, Refused, "it is player 1's turn"),
        (0, 7, Illegal, "no column 7; columns are 0 to 6"),
        (0, -1, Illegal, "no column -1"),
        (0, True, Illegal, "no column True"),
        (0, "3", Illegal, "no column 3"),
    ],
)
def test_what_is_against_the_rules_is_refused(seat: int, action: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        forza.apply(forza.new(Options(), 2), seat, action)


def test_nothing_goes_after_the_end() -> None:
    position = play("1212121")
    with pytest.raises(Refused, match="the match is over"):
        forza.apply(position, 1, 3)
    with pytest.raises(Refused, match="the match is over"):
        forza.forfeit(position, 1)
    with pytest.raises(Refused, match="the match is over"):
        forza.skip(position, 1)


def test_a_player_who_gives_up_loses_also_out_of_turn() -> None:
    position, events = forza.forfeit(play("4"), 0)
    assert events == (Forfeited(0),)
    assert forza.outcome(position) == Outcome("forfeit", (1,))
    assert forza.sides(position) == ((1,),)
    assert forza.pending(position) is None


def test_an_absent_player_passes_and_the_other_moves() -> None:
    position, events = forza.skip(play("4"), 1)
    assert events == (Passed(1),)
    decision = forza.pending(position)
    assert decision is not None
    assert decision.seats == (0,)
    with pytest.raises(Refused, match="the other player's turn"):
        forza.skip(position, 1)


@pytest.mark.parametrize("text", ["0", "8", "", "1 ", "44", "x", "\u0664"])
def test_what_is_no_column_cannot_be_read(text: str) -> None:
    with pytest.raises(Malformed, match="columns are 1 to 7"):
        forza.parse_action(text)


@cache
def perft(position: Position, depth: int) -> int:
    """How many lines of this many discs there are."""
    decision = forza.pending(position)
    if decision is None:
        return 0
    if depth == 1:
        return len(decision.choices)
    return sum(perft(forza.apply(position, decision.seats[0], column)[0], depth - 1) for column in decision.choices)


LINES_OF_PLAY = (7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234)
"""Seven to the power of the depth, but that seven discs do not fit into one column (7 lines less), and that a match may
end with the seventh."""


@pytest.mark.parametrize(("depth", "count"), [*enumerate(LINES_OF_PLAY[:6], 1)])
def test_the_lines_of_play_are_as_many_as_they_must_be(depth: int, count: int) -> None:
    assert perft(forza.new(Options(), 2), depth) == count


@pytest.mark.slow
@pytest.mark.parametrize(("depth", "count"), [*enumerate(LINES_OF_PLAY[6:], 7)])
def test_many_lines_of_play_are_as_many_as_they_must_be(depth: int, count: int) -> None:
    assert perft(forza.new(Options(), 2), depth) == count


def test_a_match_can_begin_as_another_one_stands() -> None:
    position = forza.new(forza.Options(), 2)
    for number, column in enumerate((3, 3, 2)):
        position, _ = forza.apply(position, number % 2, column)
    options = forza.begin_at(position)
    assert forza.new(options, 2) == position
    assert not forza.is_standard(options)
    assert forza.is_standard(forza.Options())


@pytest.mark.parametrize(
    ("discs", "words"),
    [
        ((2, 0), "must lie on another disc"),
        ((1, 1), "must lie on another disc"),
        ((64, 0), "must lie on another disc"),
        ((-1, 0), "must lie on another disc"),
        ((15, 0), "from a finished position"),
    ],
)
def test_a_match_does_not_begin_where_it_could_not_stand(discs: tuple[int, int], words: str) -> None:
    with pytest.raises(Illegal, match=words):
        forza.new(forza.Options(forza.Position(discs)), 2)
