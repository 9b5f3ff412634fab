"""The ten simple gods [2.1]."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardwire.games.santorini.actions import Action, Actions, Build, Move
from boardwire.games.santorini.board import BEHIND, squares_of
from boardwire.games.santorini.edits import above, at_level, level, on_board, with_stage
from boardwire.games.santorini.events import Event
from boardwire.games.santorini.interned import blocks, domes, moves
from boardwire.games.santorini.offers import builds, landing, room, sites, targets, victims
from boardwire.games.santorini.position import BUILT, OPEN, Position, Side
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.power import Power, carried, of_kind, worker_square
from boardwire.games.santorini.powers.stride import Stride


class Apollo(Power):
    """May step onto a foe, which is forced to the square just left; a swap may leave no building site."""

    god = God.APOLLO
    careful = True

    def reach(self, p: Position, frm: int) -> int:
        return super().reach(p, frm) | self.adjacent[frm] & victims(p) & ~above(p, level(p, frm) + 1)

    def shove(self, p: Position, frm: int, to: int) -> int:
        return frm

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        swaps = [move for move in of_kind(offered, Move) if p.occupied >> move.to & 1]
        if carried(p) or p.lineup.rules[p.seat].build_limits:  # limits may change with the square of the swapped foe
            return swaps
        return [swap for swap in swaps if not room(p, (swap.to,))]


class Artemis(Power):
    """May move a second time, but not back to the first square."""

    god = God.ARTEMIS

    def more_moves(self, p: Position) -> Actions:
        if p.turn.moves != 1:
            return ()
        at = worker_square(p)
        return moves(at, targets(p, at) & ~(1 << p.turn.start))


class Athena(Power):
    """After she climbs, foes cannot climb until her next turn. Memo: (1,) until then."""

    god = God.ATHENA
    own_turn = frozenset({"at_start", "after_move"})

    def at_start(self, p: Position, log: list[Event]) -> Position:
        return self.remember(p) if self.memo(p) else p

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        if stride.side == self.side and stride.high > stride.low:
            return self.remember(p, 1)
        return p

    def limit_moves(self, p: Position, frm: int, targets: int) -> int:
        if not self.memo(p) or frm in p.workers[self.side]:  # her own workers are exempt even if Dionysus moves them
            return targets
        return targets & ~above(p, level(p, frm))

    def written(self, p: Position) -> str:
        return "^" if self.memo(p) else ""

    def read(self, p: Position, text: str) -> Position:
        if text != "^":
            raise ValueError(text)
        return self.remember(p, 1)


class Atlas(Power):
    """May build a dome on any level."""

    god = God.ATLAS

    def spots(self, p: Position, by: int) -> tuple[int, int]:
        block, dome = super().spots(p, by)
        return block, block | dome


class Demeter(Power):
    """May build a second time, on another square."""

    god = God.DEMETER

    def more_builds(self, p: Position) -> Actions:
        if len(p.turn.built) != 1:
            return ()
        by, other = worker_square(p), ~(1 << p.turn.built[0])
        block, dome = sites(p, by)
        return blocks(by, block & other) + domes(by, dome & other)


class Hephaestus(Power):
    """May add a second block on the block just built."""

    god = God.HEPHAESTUS

    def more_builds(self, p: Position) -> Actions:
        if len(p.turn.built) != 1:
            return ()
        by, same = worker_square(p), 1 << p.turn.built[0]
        return blocks(by, sites(p, by)[0] & same)


class Hermes(Power):
    """May walk any number of steps with both workers on their levels, then build with either.

    A normal turn that starts on the same level is also a walk. They differ only after a step up or down: then that
    worker must build.
    """

    god = God.HERMES
    own_turn = frozenset({"after_build"})
    endless = True
    strolls = True
    steady = True

    def openings(self, p: Position) -> Actions:
        if p.turn.moves:
            return ()
        actions: Actions = ()
        for by in on_board(p, self.side):
            actions += builds(p, by)
        return actions

    def more_moves(self, p: Position) -> Actions:
        if not self._is_level_walk(p):
            return ()
        actions: Actions = ()
        for frm in on_board(p, self.side):
            actions += moves(frm, targets(p, frm) & at_level(p, level(p, frm)))
        return actions

    def builders(self, p: Position) -> tuple[int, ...]:
        return on_board(p, self.side) if self._is_level_walk(p) else super().builders(p)

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        if p.turn.stage == OPEN:
            return with_stage(p, BUILT)
        return p

    def may_climb(self, p: Position) -> bool:
        return not p.turn.moves and p.turn.stage == OPEN

    def _is_level_walk(self, p: Position) -> bool:
        return not (p.turn.climbed or p.turn.descended)


class Minotaur(Power):
    """May step onto a foe and push it straight on to a free square, on any level."""

    god = God.MINOTAUR

    def reach(self, p: Position, frm: int) -> int:
        foes = self.adjacent[frm] & victims(p) & ~above(p, level(p, frm) + 1)
        squares = super().reach(p, frm)
        if foes:
            open_, behind = landing(p), BEHIND[frm]
            for to in squares_of(foes):
                if behind[to] >= 0 and open_ >> behind[to] & 1:
                    squares |= 1 << to
        return squares

    def shove(self, p: Position, frm: int, to: int) -> int:
        return BEHIND[frm][to]


class Pan(Power):
    """Also wins by moving down two levels or more, even if another player moves the worker."""

    god = God.PAN

    def judge(self, p: Position, stride: Stride, winner: Side) -> Side:
        if winner < 0 and stride.side == self.side and stride.low - stride.high >= 2:
            return self.side
        return winner


class Prometheus(Power):
    """May also build before moving, if the worker then does not climb."""

    god = God.PROMETHEUS
    careful = True

    def openings(self, p: Position) -> Actions:
        if p.turn.worker >= 0:
            return ()
        actions: Actions = ()
        for by in on_board(p, self.side):
            actions += builds(p, by)
        return actions

    def reach(self, p: Position, frm: int) -> int:
        squares = super().reach(p, frm)
        return squares & ~above(p, level(p, frm)) if p.turn.built else squares

    def risky_steps(self, p: Position, offered: Actions) -> Sequence[Action]:
        first = of_kind(offered, Build) if p.turn.stage == OPEN and not p.turn.built else []
        if not first or carried(p):
            return first
        level_or_down = {by: targets(p, by) & ~above(p, level(p, by)) for by in on_board(p, self.side)}
        return [build for build in first if not level_or_down[build.by] & ~(1 << build.at)]


POWERS: Final[tuple[type[Power], ...]] = (
    Power,
    Apollo,
    Artemis,
    Athena,
    Atlas,
    Demeter,
    Hephaestus,
    Hermes,
    Minotaur,
    Pan,
    Prometheus,
)
