"""Perfect play in Forza Quattro: solved boards agree with the rules and with the search, and so does the book."""

from __future__ import annotations

import pytest
from tests.bots.forza.test_engine import played, scattered, think, value

from boardwire.bots.forza import PERFECT_NODES, solver
from boardwire.games import forza
from boardwire.games.forza.rules import BITS, Position

needs_solver = pytest.mark.skipif(not solver.AVAILABLE, reason="the solver is not compiled")
ORDER = (3, 2, 4, 1, 5, 0, 6)


def board(position: Position) -> tuple[int, int]:
    """The cells of the side to move, and all taken cells."""
    view = forza.view(position, None)
    own = sum(bit for bit, owner in zip(BITS, view.cells, strict=True) if owner == view.turn)
    return own, sum(bit for bit, owner in zip(BITS, view.cells, strict=True) if owner is not None)


def solved(position: Position) -> solver.Solution:
    found = solver.solve(*board(position), ORDER, 10**9, bool)
    assert found is not None
    return found


@needs_solver
def test_solved_boards_near_the_end_have_the_value_of_trying_everything() -> None:
    results = set()
    for position in scattered(5, 25, 31, 38):
        found = solved(position)
        assert found.result == value(position)
        decision = forza.pending(position)
        assert decision is not None
        after, _ = forza.apply(position, decision.seats[0], found.column)
        assert -value(after) == found.result
        results.add(found.result)
    assert results >= {-1, 1}


@needs_solver
def test_the_solver_and_the_search_agree_on_wins_and_their_length() -> None:
    claims = 0
    for position in scattered(6, 30, 12, 30):
        thought = think(position, 3_000)
        if thought.proved:
            found, count = solved(position), board(position)[1].bit_count()
            claims += 1
            assert found.result * ((found.discs - count + 1) // 2) == thought.proved
    assert claims > 10


@needs_solver
def test_with_enough_nodes_a_board_of_twelve_discs_is_solved() -> None:
    position = played("444442223671")
    thought = think(position, 50 * PERFECT_NODES)
    assert thought.depth == 42 - 12
    assert (thought.proved != 0) == (abs(thought.value) == 1.0)


@needs_solver
def test_mirrored_boards_have_mirrored_solutions() -> None:
    for position in scattered(7, 8, 14, 24):
        own, taken = board(position)
        found = solved(position)
        other = solver.solve(solver.mirror(own), solver.mirror(taken), [6 - column for column in ORDER], 10**9, bool)
        assert other is not None
        assert (other.result, other.discs, other.column) == (found.result, found.discs, 6 - found.column)


@needs_solver
@pytest.mark.slow
def test_six_discs_in_the_middle_are_won_with_the_41st_disc() -> None:
    found = solved(played("444444"))
    assert (found.result, found.discs) == (1, 41)


@needs_solver
def test_a_solver_that_is_stopped_has_no_answer_and_the_search_chooses() -> None:
    assert solver.solve(0, 0, ORDER, 10**9, lambda: True) is None
    assert solver.solve(0, 0, ORDER, 10_000, bool) is None
    thought = think(played("17"), PERFECT_NODES)
    assert thought.turn[0] in range(7)
    assert thought.nodes <= PERFECT_NODES


@needs_solver
def test_invalid_boards_are_refused() -> None:
    with pytest.raises(ValueError, match="invalid board"):
        solver.solve(1, 0, ORDER, 10, bool)
    with pytest.raises(ValueError, match="no column 9"):
        solver.solve(0, 0, (9, *ORDER[1:]), 10, bool)


def test_a_book_is_read_as_it_was_written() -> None:
    entries = {solver.board_key(0, 0): (3, 1), solver.board_key(0, 1 << 21): (2, -1), solver.board_key(0, 1): (3, 0)}
    assert solver.read_book(solver.write_book(entries)) == entries


def test_the_book_begins_in_the_middle_and_knows_mirrored_boards() -> None:
    start = solver.in_book(0, 0)
    assert start is not None
    assert (start.column, start.result) == (3, 1)
    left, right = (solver.in_book(*board(played(columns))) for columns in ("42", "46"))
    assert left is not None
    assert right is not None
    assert (left.column + right.column, left.result, right.result) == (6, 1, 1)
    assert solver.in_book(*board(played("1234567"))) is None


@needs_solver
def test_a_perfect_player_follows_the_book_at_once() -> None:
    thought = think(played(""), PERFECT_NODES)
    assert (thought.turn, thought.nodes, thought.proved) == ((3,), 1, 0)
