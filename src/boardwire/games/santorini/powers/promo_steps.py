"""The promo gods that move otherwise, or make others move otherwise [2.5].

Castor, Eris, Hippolyta, Iris, Pegasus, Proteus, Scylla.
"""

from __future__ import annotations

from typing import Final

from boardwire.games.santorini.actions import Action, Actions, Build, Force, Move, moves
from boardwire.games.santorini.board import BEARING, BEHIND, NEIGHBOURS, SQUARES, squares_of
from boardwire.games.santorini.effects import force
from boardwire.games.santorini.events import Event
from boardwire.games.santorini.offers import builds, landing, sites, targets, victims
from boardwire.games.santorini.position import (
    CLOSE,
    OPEN,
    Position,
    Side,
    free,
    on_board,
    with_stage,
)
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.marked import Marked
from boardwire.games.santorini.powers.power import Power, Stride, worker_square
from boardwire.games.santorini.squares import parse_square, square_name

SLANTED: Final = tuple(sum(1 << to for to in SQUARES if BEARING[frm][to] in (1, 3, 5, 7)) for frm in SQUARES)
"""`SLANTED[frm]`: the squares to which a move from `frm` is diagonal, also if it jumps or goes over an edge."""


class Castor(Power):
    """Instead of a turn, moves with all workers and does not build, or builds with all and does not move.

    A normal turn and the first kind begin alike; they part when the second worker moves.
    """

    god = God.CASTOR
    careful = True

    def openings(self, p: Position) -> Actions:
        found: Actions = ()
        for by in self._without(p, p.turn.builders):
            found += builds(p, by)
        return found

    def movers(self, p: Position) -> tuple[int, ...]:
        return () if p.turn.builders else super().movers(p)

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        all_built = p.turn.stage == OPEN and not self._without(p, p.turn.builders)
        return with_stage(p, CLOSE) if self.acting(p) and all_built else p

    def more_moves(self, p: Position) -> Actions:
        found: Actions = ()
        for frm in self._without(p, p.turn.walked):
            found += moves(frm, targets(p, frm))
        return found

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        all_moved = p.turn.walked.bit_count() > 1 and not self._without(p, p.turn.walked)
        return with_stage(p, CLOSE) if self.acting(p) and all_moved else p

    def may_skip_build(self, p: Position) -> bool:
        return not self._without(p, p.turn.walked)  # the last worker left is all of them

    def may_climb(self, p: Position) -> bool:
        return not p.turn.builders and bool(self._without(p, p.turn.walked))

    def doubts(self, p: Position, action: Action) -> bool:
        if p.turn.stage != OPEN or not isinstance(action, Build):
            return False
        others = (by for by in self._without(p, p.turn.builders) if by != action.by)
        return any(not _room(p, by, action.at) for by in others)

    def _without(self, p: Position, numbers: int) -> tuple[int, ...]:
        """The squares of the workers that are not among those numbers."""
        return tuple(at for n, at in enumerate(p.workers[self.side]) if at >= 0 and not numbers >> n & 1)


class Eris(Power):
    """Plays a turn with a foe's worker, not the one its owner moved last.  Memo: that worker's number, if any."""

    god = God.ERIS

    @property
    def marks(self) -> tuple[Side, ...]:
        return self.foes

    def openings(self, p: Position) -> Actions:
        found: Actions = ()
        able = victims(p)
        for side in self.foes:
            for number, at in enumerate(p.workers[side]):
                if at >= 0 and able >> at & 1 and self.memo(p) != (number,):
                    found += moves(at, targets(p, at))
        return found

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        if stride.side == self.side or p.lineup.side(p.seat) == self.side or stride.side in p.lineup.hidden:
            return p  # which of the hidden workers moved is hidden too
        return self.remember(p, stride.worker)

    def written(self, p: Position) -> str:
        squares = [p.workers[side][number] for side in self.foes[:1] for number in self.memo(p)]
        return "".join(square_name(at) for at in squares if at >= 0)

    def read(self, p: Position, text: str) -> Position:
        return self.remember(p, p.workers[self.foes[0]].index(parse_square(text)))


class Hippolyta(Marked):
    """Every worker moves only diagonally, except her female one."""

    god = God.HIPPOLYTA
    everyone = True

    def limit_moves(self, p: Position, frm: int, targets: int) -> int:
        return targets if frm == self.female(p) else targets & SLANTED[frm]


class Iris(Power):
    """Jumps over a neighbouring worker, whoever's, to the free square behind, on any level.

    A jump leaves no free square beside it, so it can end where nothing can be built.
    """

    god = God.IRIS
    careful = True

    def reach(self, p: Position, frm: int) -> int:
        found, open_, behind = super().reach(p, frm), free(p), BEHIND[frm]
        for over in squares_of(self.adjacent[frm] & p.occupied):
            if behind[over] >= 0 and open_ >> behind[over] & 1:
                found |= 1 << behind[over]
        return found

    def doubts(self, p: Position, action: Action) -> bool:
        jump = isinstance(action, Move) and not NEIGHBOURS[action.frm] >> action.to & 1
        return jump and not any(sites(p, action.to))  # type: ignore[union-attr]


class Pegasus(Power):
    """Climbs any number of levels at once, but wins only by an ordinary climb."""

    god = God.PEGASUS

    def reach(self, p: Position, frm: int) -> int:
        return self.adjacent[frm] & ~(p.occupied | p.domes | p.solid)

    def judge(self, p: Position, stride: Stride, winner: Side) -> Side:
        flew = stride.high - stride.low > 1 and stride.way < 0
        return -1 if flew and winner == self.side else winner


class Proteus(Power):
    """Three workers; after a move another one must, if possible, be forced into the square left."""

    god = God.PROTEUS
    team = 3
    careful = True

    def more_moves(self, p: Position) -> Actions:
        if not landing(p) >> p.turn.came & 1:
            return ()
        mover = worker_square(p)
        return tuple(Force(at, p.turn.came) for at in on_board(p, self.side) if at != mover)

    def builders(self, p: Position) -> tuple[int, ...]:
        return () if self.more_moves(p) else super().builders(p)

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Force):
            return super().act(p, action, log)
        return force(p, ((action.frm, action.to),), log, self.god)

    def may_climb(self, p: Position) -> bool:
        return p.turn.stage == OPEN

    def doubts(self, p: Position, action: Action) -> bool:
        if isinstance(action, Move):
            return not _room(p, action.to, action.frm)
        return isinstance(action, Force) and not _room(p, worker_square(p), action.to)


class Scylla(Power):
    """May drag a foe beside the square her worker left into it."""

    god = God.SCYLLA
    careful = True

    def more_moves(self, p: Position) -> Actions:
        came = p.turn.came
        if not landing(p) >> came & 1:
            return ()
        return tuple(Force(foe, came) for foe in squares_of(NEIGHBOURS[came] & victims(p)))

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Force):
            return super().act(p, action, log)
        return force(p, ((action.frm, action.to),), log, self.god)

    def may_climb(self, p: Position) -> bool:
        return p.turn.stage == OPEN

    def doubts(self, p: Position, action: Action) -> bool:
        return isinstance(action, Force) and not _room(p, worker_square(p), action.to)


def _room(p: Position, by: int, filled: int) -> int:
    """Where a worker on `by` could build, not counting a square that something will fill."""
    block, dome = sites(p, by)
    return (block | dome) & ~(1 << filled)


POWERS: Final[tuple[type[Power], ...]] = (Castor, Eris, Hippolyta, Iris, Pegasus, Proteus, Scylla)
