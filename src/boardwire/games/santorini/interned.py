"""Interned moves, builds and placements, and cached tuples of them: a search would create millions."""

from __future__ import annotations

from typing import Final

from boardwire.games.santorini.actions import Actions, Build, Move, PlaceWorker
from boardwire.games.santorini.board import SQUARES, squares_of

MOVES: Final = tuple(tuple(Move(frm, to) for to in SQUARES) for frm in SQUARES)
BLOCKS: Final = tuple(tuple(Build(by, at) for at in SQUARES) for by in SQUARES)
DOMES: Final = tuple(tuple(Build(by, at, True) for at in SQUARES) for by in SQUARES)
PLACES: Final = tuple(PlaceWorker(at) for at in SQUARES)

_CACHE_LIMIT: Final = 512  # a square has at most 256 sets of neighbours; this bounds powers that reach further
_moves: Final[list[dict[int, Actions]]] = [{0: ()} for _ in SQUARES]
_blocks: Final[list[dict[int, Actions]]] = [{0: ()} for _ in SQUARES]
_domes: Final[list[dict[int, Actions]]] = [{0: ()} for _ in SQUARES]
_places: Final[dict[int, Actions]] = {}


def moves(frm: int, targets: int) -> Actions:
    """Return the moves from a square to each target of a set."""
    try:
        return _moves[frm][targets]
    except KeyError:
        return _cache_moves(_moves[frm], targets, tuple(MOVES[frm][to] for to in squares_of(targets)))


def blocks(by: int, targets: int) -> Actions:
    """Return the block builds of the worker on `by`, one for each target of a set."""
    try:
        return _blocks[by][targets]
    except KeyError:
        return _cache_moves(_blocks[by], targets, tuple(BLOCKS[by][at] for at in squares_of(targets)))


def domes(by: int, targets: int) -> Actions:
    """Return the dome builds of the worker on `by`, one for each target of a set."""
    try:
        return _domes[by][targets]
    except KeyError:
        return _cache_moves(_domes[by], targets, tuple(DOMES[by][at] for at in squares_of(targets)))


def places(targets: int) -> Actions:
    """Return the placements of a worker, one for each target of a set."""
    try:
        return _places[targets]
    except KeyError:
        return _cache_moves(_places, targets, tuple([place for at, place in enumerate(PLACES) if targets >> at & 1]))


def _cache_moves(cache: dict[int, Actions], targets: int, actions: Actions) -> Actions:
    """Cache the moves to a set of targets while there is room, and return them."""
    if len(cache) < _CACHE_LIMIT:
        cache[targets] = actions
    return actions
