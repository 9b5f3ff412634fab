"""The advanced gods that move and build otherwise than others do [2.2].

They change only their owner's own turn: Ares, Charon, Hestia, Morpheus, Poseidon, Selene,
Triton, Zeus.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.games.santorini.actions import Action, Actions, Force, Raze, blocks, domes, moves
from boardwire.games.santorini.board import BEHIND, NEIGHBOURS, PERIMETER, next_to, squares_of
from boardwire.games.santorini.effects import force, raze
from boardwire.games.santorini.events import CoinsChanged, Event
from boardwire.games.santorini.offers import builds, landing, sites, targets, victims
from boardwire.games.santorini.position import CLOSE, END, OFF, Position, find, level, on_board, with_note, with_stage
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.marked import Marked
from boardwire.games.santorini.powers.power import Power, Stride, worker_square


def resting(power: Power, p: Position) -> tuple[int, ...]:
    """The squares of the workers that did not move in their owner's turn."""
    walked = p.turn.walked
    return tuple(at for number, at in enumerate(p.workers[power.side]) if at >= 0 and not walked >> number & 1)


class Ares(Power):
    """At the end of the turn a free top block beside the worker that did not move may be taken away."""

    god = God.ARES

    def closings(self, p: Position) -> Actions:
        near = next_to(sum(1 << at for at in resting(self, p)))
        return tuple(Raze(at) for at in squares_of(near & landing(p) & p.b1))

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Raze):
            return super().act(p, action, log)
        return raze(with_stage(p, END), action.at, level(p, action.at) - 1, log, self.god)


class Charon(Power):
    """Before moving, throws a neighbouring foe over one of his workers; then that worker must move.

    The square between where the foe stood and where it lands tells which worker that is.
    """

    god = God.CHARON
    careful = True

    def openings(self, p: Position) -> Actions:
        if p.turn.worker >= 0:
            return ()
        foes, open_ = victims(p), landing(p)
        found: Actions = ()
        for by in on_board(p, self.side):
            for foe in squares_of(NEIGHBOURS[by] & foes):
                across = BEHIND[foe][by]
                if across >= 0 and open_ >> across & 1:
                    found += (Force(foe, across),)
        return found

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Force):
            return super().act(p, action, log)
        side, worker = find(p, (action.frm + action.to) // 2)
        p = replace(p, turn=replace(p.turn, hand=side, worker=worker))
        return force(p, ((action.frm, action.to),), log, self.god)

    def doubts(self, p: Position, action: Action) -> bool:
        return isinstance(action, Force)


class Hestia(Power):
    """Builds a second time, not on the border; the same square is allowed."""

    god = God.HESTIA

    def more_builds(self, p: Position) -> Actions:
        if len(p.turn.built) != 1:
            return ()
        by = worker_square(p)
        block, dome = sites(p, by)
        return blocks(by, block & ~PERIMETER) + domes(by, dome & ~PERIMETER)


class Morpheus(Power):
    """Earns a coin at the start of his turn and pays one for each build; he need not build.  Memo: (coins,).

    The notation gives the coins saved from earlier turns.
    """

    god = God.MORPHEUS
    fresh = (0,)
    lasting = True

    def at_start(self, p: Position, log: list[Event]) -> Position:
        return self._pay(p, 1, log) if self.acting(p) else p

    def may_skip_build(self, p: Position) -> bool:
        return True

    def more_builds(self, p: Position) -> Actions:
        return builds(p, worker_square(p)) if self.memo(p)[0] else ()

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        return self._pay(p, -1, log) if self.acting(p) else p

    def written(self, p: Position) -> str:
        coins = self.memo(p)[0]
        saved = coins - 1 if self.acting(p) and p.outcome is None else coins
        return str(saved) if saved else ""

    def read(self, p: Position, text: str) -> Position:
        if not text.isdecimal():
            raise ValueError(text)
        return self.remember(p, int(text))

    def _pay(self, p: Position, coins: int, log: list[Event]) -> Position:
        count = self.memo(p)[0] + coins
        log.append(CoinsChanged(self.seat, count, self.god))
        return self.remember(p, count)


class Poseidon(Power):
    """At the end of the turn the worker that did not move may build up to three times, if it is on the ground."""

    god = God.POSEIDON

    def closings(self, p: Position) -> Actions:
        squares = on_board(p, self.side)
        if len(squares) != 2 or p.turn.note >= 3:
            return ()
        rest = resting(self, p)
        if len(rest) != 1 or level(p, rest[0]) > 0:
            return ()
        return builds(p, rest[0])

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        return with_note(p, p.turn.note + 1) if self.acting(p) and p.turn.stage == CLOSE else p


class Selene(Marked):
    """Instead of the build her female worker may put a dome on any level, whichever worker moved."""

    god = God.SELENE

    def builders(self, p: Position) -> tuple[int, ...]:
        mover, female = worker_square(p), self.female(p)
        return (mover,) if female in (OFF, mover) else (mover, female)

    def spots(self, p: Position, by: int) -> tuple[int, int]:
        block, dome = super().spots(p, by)
        if by != self.female(p):
            return block, dome
        return (block if by == worker_square(p) else 0), block | dome


class Triton(Power):
    """Moves on whenever a move ended on the border.  The turn's note is 1 after such a move."""

    god = God.TRITON
    endless = True

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        return with_note(p, PERIMETER >> stride.to & 1) if self.acting(p) else p

    def more_moves(self, p: Position) -> Actions:
        at = worker_square(p)
        return moves(at, targets(p, at)) if p.turn.note else ()

    def may_climb(self, p: Position) -> bool:
        return super().may_climb(p) and (not p.turn.moves or bool(p.turn.note))


class Zeus(Power):
    """Builds a block under himself too, and so rises; that is no move and never wins."""

    god = God.ZEUS

    def spots(self, p: Position, by: int) -> tuple[int, int]:
        block, dome = super().spots(p, by)
        return block | 1 << by & ~p.b3, dome


POWERS: Final[tuple[type[Power], ...]] = (
    Ares,
    Charon,
    Hestia,
    Morpheus,
    Poseidon,
    Selene,
    Triton,
    Zeus,
)
