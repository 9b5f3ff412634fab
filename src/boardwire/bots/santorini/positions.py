"""Positions from views: the roots of a search with the full rules.

At the start of a turn, a seat's view lacks only hidden information. Hidden workers (Hecate) are placed at random; a
secret square stays unknown.
"""

from __future__ import annotations

from msgspec.structs import replace

from boardwire.errors import BoardwireError
from boardwire.games.game import Below
from boardwire.games.santorini import Options, View
from boardwire.games.santorini.board import NEIGHBOURS, squares_of
from boardwire.games.santorini.edits import free, with_worker
from boardwire.games.santorini.lineup import lineup
from boardwire.games.santorini.position import OFF, Position
from boardwire.games.santorini.turn import settle


def position_of(view: View, below: Below, hidden: tuple[int, ...] = ()) -> Position | None:
    """Return the position of a view at the start of a turn, or None if it cannot be reconstructed.

    Hidden workers are placed on the squares `hidden` or, by default, at random.
    """
    if view.turn is None or any(god is None for god in view.gods):
        return None
    cards = tuple(god for god in view.gods if god is not None)
    cast = lineup(view.powers, False, cards)
    p = Position(
        Options(), cast, view.workers, view.memos + view.kept, view.order,
        b1=_squares_from_level(view, 1), b2=_squares_from_level(view, 2), b3=_squares_from_level(view, 3),
        domes=sum(1 << at for at in view.domes),
        solid=sum(1 << at for at in view.closed), seat=view.turn, ply=view.ply, out=sum(1 << at for at in view.out),
        ram=view.ram, lent=view.lent,
    )  # fmt: skip
    p = replace(p, occupied=sum(1 << at for workers in view.workers for at in workers if at >= 0))
    for side in cast.hidden:
        if all(square == OFF for square in p.workers[side]):
            p = _with_workers(p, side, hidden) if hidden else _with_hidden_workers(p, side, below)
    try:
        for power in cast.powers:
            if power.inward:  # views omit memos that follow from the board
                p = power.at_start(p, [])
        return settle(p, [])
    except (BoardwireError, LookupError, AssertionError):
        return None


def _with_workers(p: Position, side: int, squares: tuple[int, ...]) -> Position:
    for number, square in enumerate(squares):
        p = with_worker(p, side, number, square)
    return p


def _with_hidden_workers(p: Position, side: int, below: Below) -> Position:
    """Place a side's hidden workers at random, mostly high up and beside squares to climb to, as players do."""
    for number in range(len(p.workers[side])):
        squares = tuple(squares_of(free(p) & ~p.b3)) or tuple(squares_of(free(p)))
        weights = [_attraction(p, square) for square in squares]
        ticket = below(sum(weights))
        for square, weight in zip(squares, weights, strict=True):
            ticket -= weight
            if ticket < 0:
                p = with_worker(p, side, number, square)
                break
    return p


def _attraction(p: Position, square: int) -> int:
    """Return the relative likelihood that a worker stands on a square.

    The weights are estimates: players climb, and prefer squares beside others to climb to.
    """
    near = NEIGHBOURS[square] & ~p.domes
    if p.b2 >> square & 1:
        return 12 + 12 * (near & p.b3).bit_count() + 2 * (near & p.b2).bit_count()
    if p.b1 >> square & 1:
        return 5 + 4 * (near & p.b2).bit_count()
    return 1 + (near & p.b1).bit_count()


def _squares_from_level(view: View, min_level: int) -> int:
    """Return the set of squares with at least this level."""
    return sum(1 << square for square, level in enumerate(view.levels) if level >= min_level)
