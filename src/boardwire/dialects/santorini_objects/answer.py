"""ANSWER: the legal steps as cells of each worker, and the step that an answer selects."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.dialects.santorini_objects.messages.cells import square_of
from boardwire.dialects.santorini_objects.messages.sets import CELL_KEYS, CellKeys, cell_key
from boardwire.games.game import Seat
from boardwire.games.santorini.actions import DONE_ONLY, Action, Actions, Build, Done, Move
from boardwire.games.santorini.edits import level
from boardwire.games.santorini.interned import BLOCKS, DOMES, MOVES
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import God

Pair: TypeAlias = tuple[CellKeys, CellKeys]
_NEITHER: Final[Pair] = ((), ())
_NO_WORKER: Final = -1
_ATLAS: Final = God.ATLAS  # every request tests it: looking up an enum member takes ten times as long


class Offer(msgspec.Struct, frozen=True, gc=False):
    """Cell keys offered to the first and the second worker, which stand on `squares`.

    The protocol has no number for a third worker or for an opponent's worker that a power may use, so their steps are
    omitted.
    """

    squares: tuple[int, ...]
    moves: Pair
    builds: Pair
    can_force_dome: bool
    can_decline: bool

    @property
    def has_moves(self) -> bool:
        return self.moves != _NEITHER

    @property
    def has_builds(self) -> bool:
        return self.builds != _NEITHER

    def only_moves(self) -> Offer:
        """Return the offer restricted to moves."""
        return replace(self, builds=_NEITHER, can_decline=False) if self.has_builds else self

    def only_builds(self) -> Offer:
        """Return the offer restricted to builds."""
        return replace(self, moves=_NEITHER, can_decline=False) if self.has_moves or self.can_decline else self


def offer_of(choices: Collection[Action], p: Position, seat: Seat) -> Offer:
    """Return the moves and builds among the choices as cells, by worker."""
    squares = p.workers[seat][:2]
    first, second = (*squares, _NO_WORKER, _NO_WORKER)[:2]
    moves: tuple[list[int], list[int]] = ([], [])
    builds: tuple[list[int], list[int]] = ([], [])
    # [7.6] always true for Atlas, even if no dome can be forced just now
    force, decline = p.lineup.gods[seat] is _ATLAS, False
    for action in choices:
        if type(action) is Move:
            if action.frm == first or action.frm == second:
                to = action.to
                moves[action.frm == second].append(CELL_KEYS[to][level(p, to)])
        elif type(action) is Build:
            if action.by == first or action.by == second:
                height = level(p, at := action.at)
                builds[action.by == second].append(CELL_KEYS[at][height])
                force = force or (action.dome and height < 3)
        elif type(action) is Done:
            decline = True
    if force:  # a block and a dome on one cell are one entry
        builds = (list(dict.fromkeys(builds[0])), list(dict.fromkeys(builds[1])))
    return Offer(squares, (tuple(moves[0]), tuple(moves[1])), (tuple(builds[0]), tuple(builds[1])), force, decline)


def _squares_of_workers(number: int, cell: wire.Position | None, offer: Offer, offered: Pair) -> list[int]:
    """Return the squares of the workers that an answer may mean, the preferred one first.

    Quirk: D2's client sends the worker number 0 in answers to optional requests. Then the cell decides; if it is
    offered to both workers, the first one acts [11.2]. With another number, the cell must be one of that worker's,
    because some clients check only against both workers' cells [9].
    """
    key = cell_key(cell)
    squares = []
    for n, keys in enumerate(offered):
        if key in keys and number in (0, n + 1):
            squares.append(offer.squares[n])
    return squares


def read_step(offer: Offer, choices: Collection[Action], message: msgspec.Struct) -> Actions | None:
    """Return the step that an answer selects, or None if it was not offered."""
    if isinstance(message, wire.ConsolidateMove):
        return _read_move(offer, message)
    if isinstance(message, wire.ConsolidateBuild):
        return _read_build(offer, choices, message)
    if isinstance(message, wire.DeclineLastOptional | wire.DeclineLastAction) and offer.can_decline:
        return DONE_ONLY
    return None


def _read_move(offer: Offer, message: wire.ConsolidateMove) -> Actions | None:
    cell = message.new_position
    squares = _squares_of_workers(message.worker_id, cell, offer, offer.moves)
    if not squares or cell is None:
        return None
    return (MOVES[squares[0]][square_of(cell)],)


def _read_build(offer: Offer, choices: Collection[Action], message: wire.ConsolidateBuild) -> Actions | None:
    """Return the requested build, by the first worker that can make it, or None."""
    cell = message.new_position
    if cell is None or (message.force_dome and not offer.can_force_dome):
        return None
    at = square_of(cell)
    piece = DOMES if message.force_dome or cell.z == 3 else BLOCKS
    for by in _squares_of_workers(message.worker_id, cell, offer, offer.builds):
        action = piece[by][at]
        if action in choices:
            return (action,)
    return None
