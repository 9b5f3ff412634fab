"""Interned moves, builds and placements, and the tuples of them that start at one square: a search creates millions."""

from __future__ import annotations

from typing import Final

from boardwire.games.santorini.actions import Actions, Build, Move, PlaceWorker
from boardwire.games.santorini.board import SQUARES, squares_of

MOVES: Final = tuple(tuple(Move(frm, to) for to in SQUARES) for frm in SQUARES)
BLOCKS: Final = tuple(tuple(Build(by, at) for at in SQUARES) for by in SQUARES)
DOMES: Final = tuple(tuple(Build(by, at, True) for at in SQUARES) for by in SQUARES)
PLACES: Final = tuple(PlaceWorker(at) for at in SQUARES)

_CACHE_LIMIT: Final = 512  # a square has 256 sets of neighbours; powers that reach further stay bounded too
_moves: Final[list[dict[int, Actions]]] = [{0: ()} for _ in SQUARES]
_blocks: Final[list[dict[int, Actions]]] = [{0: ()} for _ in SQUARES]
_domes: Final[list[dict[int, Actions]]] = [{0: ()} for _ in SQUARES]
_places: Final[dict[int, Actions]] = {}


def moves(frm: int, targets: int) -> Actions:
    """Return the moves from a square to each of a set."""
    try:
        return _moves[frm][targets]
    except KeyError:
        return _remember(_moves[frm], targets, tuple(MOVES[frm][to] for to in squares_of(targets)))


def blocks(by: int, targets: int) -> Actions:
    """Return the block builds of the worker on `by` on each of a set."""
    try:
        return _blocks[by][targets]
    except KeyError:
        return _remember(_blocks[by], targets, tuple(BLOCKS[by][at] for at in squares_of(targets)))


def domes(by: int, targets: int) -> Actions:
    """Return the dome builds of the worker on `by` on each of a set."""
    try:
        return _domes[by][targets]
    except KeyError:
        return _remember(_domes[by], targets, tuple(DOMES[by][at] for at in squares_of(targets)))


def places(targets: int) -> Actions:
    """Return the placements of a worker on each of a set."""
    try:
        return _places[targets]
    except KeyError:
        return _remember(_places, targets, tuple([place for at, place in enumerate(PLACES) if targets >> at & 1]))


def _remember(known: dict[int, Actions], targets: int, found: Actions) -> Actions:
    if len(known) < _CACHE_LIMIT:
        known[targets] = found
    return found
