"""The advanced gods that bind their foes [2.2]: Aphrodite, Hera, Hypnus, Limus, Persephone.

A limit binds foes' workers: one's own worker in a foe's hand (Dionysus, Eris) stays free of it [3.6], as the
revised text says of Athena.
"""

from __future__ import annotations

from typing import Final

from boardwire.games.santorini.actions import Action, Force, Move
from boardwire.games.santorini.board import PERIMETER, next_to
from boardwire.games.santorini.events import Event
from boardwire.games.santorini.position import MOVED, Position, Side, level
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.power import Power, Stride, worker_square


class Aphrodite(Power):
    """A foe's worker that starts its turn beside one of hers must make its last move to a square beside one of hers.

    Memo, in a foe's turn: the workers that started beside hers and those of them whose last move led away, as sets,
    and whether the number of moves looked at so far is odd.  A move is looked at when it enters its square, before it
    has effects; a winning one enters nothing and is looked at in the end.
    """

    god = God.APHRODITE
    inward = True

    def at_start(self, p: Position, log: list[Event]) -> Position:
        side = p.lineup.side(p.seat)
        near = next_to(self.mine(p)) if side != self.side else 0
        started = sum(1 << number for number, at in enumerate(p.workers[side]) if at >= 0 and near >> at & 1)
        return self.remember(p, started, 0, 0) if started else self.remember(p)

    def entered(self, p: Position, side: Side, square: int, log: list[Event]) -> Position:
        memo = self.memo(p)
        if not memo or p.turn.moves & 1 == memo[2]:
            return p
        return self.remember(p, memo[0], self._astray(p), memo[2] ^ 1)

    def bound(self, p: Position) -> bool:
        return bool(self.memo(p))

    def lawful(self, p: Position) -> bool:
        memo = self.memo(p)
        return not memo or not (memo[1] if p.turn.moves & 1 == memo[2] else self._astray(p))

    def written(self, p: Position) -> str:
        return super().written(p) if p.outcome is not None else ""

    def _astray(self, p: Position) -> int:
        """The workers that went astray, now that the acting one has moved."""
        started, astray, _ = self.memo(p)
        if p.turn.hand == self.side:
            return astray
        mover = 1 << p.turn.worker
        if next_to(self.mine(p)) >> worker_square(p) & 1:
            return astray & ~mover
        return astray | mover & started


class Hera(Power):
    """Foes do not win by moving onto the border; whatever they would win by."""

    god = God.HERA

    def judge(self, p: Position, stride: Stride, winner: Side) -> Side:
        return -1 if winner != self.side and PERIMETER >> stride.to & 1 else winner


class Hypnus(Power):
    """A foe's worker that starts its turn higher than all the others of its side cannot move in it.

    Memo, in a foe's turn: the number of that worker, if there is one.
    """

    god = God.HYPNUS
    inward = True

    def at_start(self, p: Position, log: list[Event]) -> Position:
        side = p.lineup.side(p.seat)
        if side == self.side:
            return self.remember(p)
        levels = [level(p, at) if at >= 0 else -1 for at in p.workers[side]]
        top = max(levels, default=-1)
        return self.remember(p, levels.index(top)) if levels.count(top) == 1 else self.remember(p)

    def limit_moves(self, p: Position, frm: int, targets: int) -> int:
        memo = self.memo(p)
        return 0 if memo and p.workers[p.lineup.side(p.seat)][memo[0]] == frm else targets

    def written(self, p: Position) -> str:
        return super().written(p) if p.outcome is not None else ""


class Limus(Power):
    """Foes build nothing but domes beside her workers; printed, only domes that complete a tower.

    So a foe may find nowhere to build after a move.
    """

    god = God.LIMUS
    hinders = True

    def limit_builds(self, p: Position, by: int, blocks: int, domes: int) -> tuple[int, int]:
        if by in p.workers[self.side]:
            return blocks, domes
        near = next_to(self.mine(p))
        return blocks & ~near, domes & (~near | p.b3) if self.printed else domes

    def doubts(self, p: Position, action: Action) -> bool:
        if p.turn.stage > MOVED:
            return False
        if type(p.lineup.rules[p.seat].own).builders is not Power.builders:
            return True
        if not isinstance(action, Move):  # a forced worker may be hers, and what she keeps free changes with it
            return p.turn.stage < MOVED or isinstance(action, Force)
        # who moves can build on the square just left, unless that is beside her
        return bool((next_to(self.mine(p)) & ~p.b3) >> action.frm & 1)


class Persephone(Power):
    """Foes must climb in every turn in which they can, with a worker that is not hers.

    An additional turn is its owner's to decline.
    """

    god = God.PERSEPHONE

    def wish(self, p: Position) -> bool:
        turn = p.turn
        return turn.climbed or turn.hand == self.side or (turn.extra != 0 and not turn.moves)

    def fate(self, p: Position) -> bool | None:
        if p.turn.climbed or p.turn.hand == self.side:
            return True
        return None if p.lineup.rules[p.seat].own.may_climb(p) else False


POWERS: Final[tuple[type[Power], ...]] = (Aphrodite, Hera, Hypnus, Limus, Persephone)
