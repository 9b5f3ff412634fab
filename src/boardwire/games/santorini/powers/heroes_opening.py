"""The heroes whose power belongs to the start of a turn or to its moves [2.4].

Achilles, Atalanta, Bellerophon, Jason, Odysseus.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.games.santorini.actions import USE, Action, Actions, Build, Force, PlaceWorker, Use, moves, places
from boardwire.games.santorini.board import CORNERS, PERIMETER, next_to, squares_of
from boardwire.games.santorini.effects import force
from boardwire.games.santorini.events import Event, WorkerPlaced
from boardwire.games.santorini.offers import builds, landing, sites, targets, victims
from boardwire.games.santorini.position import (
    MOVED,
    OPEN,
    Position,
    above,
    level,
    on_board,
    with_new_worker,
    with_note,
)
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.heroes_once import Hero
from boardwire.games.santorini.powers.power import Power, Stride, worker_square


class Achilles(Hero):
    """Builds before moving too; unlike Prometheus he may then climb."""

    god = God.ACHILLES
    careful = True

    def openings(self, p: Position) -> Actions:
        if self.spent(p):
            return ()
        found: Actions = ()
        for by in on_board(p, self.side):
            found += builds(p, by)
        return found

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        return self.spend(p, log) if self.acting(p) and p.turn.stage == OPEN else p

    def doubts(self, p: Position, action: Action) -> bool:
        if p.turn.stage != OPEN or not isinstance(action, Build):
            return False
        return _carried(p) or not targets(p, action.by) & ~(1 << action.at)


class Atalanta(Hero):
    """Moves on as often as she likes.  The turn's note is 1 while she does.

    Where a foe's power asks something of her turn, she can say beforehand that she will move on: what she is not asked
    to spend her power for [3.17] she may still do with it.
    """

    god = God.ATALANTA
    endless = True

    def openings(self, p: Position) -> Actions:
        if not p.lineup.rules[p.seat].wishers or self.spent(p):
            return ()
        return (USE,) if any(targets(p, at) for at in on_board(p, self.side)) else ()

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        return with_note(self.spend(p, log), 1) if isinstance(action, Use) else super().act(p, action, log)

    def more_moves(self, p: Position) -> Actions:
        at = worker_square(p)
        return moves(at, targets(p, at)) if self._moves_on(p) else ()

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        # what carries her on (`way`) is a foe's power, not hers
        if self.acting(p) and p.turn.moves > 1 and stride.way < 0:
            return with_note(self.spend(p, log), 1)
        return p

    def may_climb(self, p: Position) -> bool:
        return p.turn.stage == OPEN or (p.turn.stage == MOVED and self._moves_on(p))

    def _moves_on(self, p: Position) -> bool:
        return not self.spent(p) or p.turn.note == 1


class Bellerophon(Hero):
    """Climbs two levels; from level 1 to level 3 that wins."""

    god = God.BELLEROPHON

    def reach(self, p: Position, frm: int) -> int:
        if self.spent(p):
            return super().reach(p, frm)
        return self.adjacent[frm] & ~(p.occupied | p.domes | p.solid | above(p, level(p, frm) + 2))

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        if self.acting(p) and stride.high - stride.low == 2 and stride.way < 0:
            return self.spend(p, log)
        return p


class Jason(Hero):
    """Brings a spare worker onto the ground at the border; it moves and builds.  Printed: it builds only."""

    god = God.JASON
    careful = True

    def openings(self, p: Position) -> Actions:
        return () if self.spent(p) else places(landing(p) & PERIMETER & ~p.b1)

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, PlaceWorker):
            return super().act(p, action, log)
        p, number = self.spend(p, log), len(p.workers[self.side])
        log.append(WorkerPlaced(self.seat, self.side, number, action.at, self.god))
        stage = MOVED if self.printed else OPEN
        turn = replace(p.turn, stage=stage, hand=self.side, worker=number)
        return replace(with_new_worker(p, self.side, action.at), turn=turn)

    def doubts(self, p: Position, action: Action) -> bool:
        if not isinstance(action, PlaceWorker):
            return False
        return not any(sites(p, action.at)) if self.printed else _carried(p) or not targets(p, action.at)


class Odysseus(Hero):
    """Sends foes beside his workers to free corners.  The turn's note is the set of the corners filled so."""

    god = God.ODYSSEUS
    careful = True

    def openings(self, p: Position) -> Actions:
        if self.spent(p) and not p.turn.note:
            return ()
        near, corners = victims(p) & next_to(self.mine(p)) & ~p.turn.note, landing(p) & CORNERS
        return tuple(Force(foe, to) for foe in squares_of(near) for to in squares_of(corners))

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Force):
            return super().act(p, action, log)
        p = with_note(self.spend(p, log), p.turn.note | 1 << action.to)
        return force(p, ((action.frm, action.to),), log, self.god)

    def doubts(self, p: Position, action: Action) -> bool:
        return isinstance(action, Force)


def _carried(p: Position) -> bool:
    """Whether a power may carry off who moves, so that more than the move must be tried out."""
    return bool(p.lineup.rules[p.seat].move_effects)


POWERS: Final[tuple[type[Power], ...]] = (Achilles, Atalanta, Bellerophon, Jason, Odysseus)
