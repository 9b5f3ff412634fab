"""The advanced gods that bind their foes (rules page, 1.7): Hera, Limus, Persephone.

A limit binds foes' workers: one's own worker in a foe's hand (Dionysus, Eris) stays free of it, as the rules page says
of Athena.
"""

from __future__ import annotations

from typing import Final

from boardwire.games.santorini.actions import Action, Move
from boardwire.games.santorini.board import PERIMETER, next_to
from boardwire.games.santorini.position import MOVED, Position, Side
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.power import Power, Stride


class Hera(Power):
    """Foes do not win by moving onto the border; whatever they would win by."""

    god = God.HERA

    def judge(self, p: Position, stride: Stride, winner: Side) -> Side:
        return -1 if winner >= 0 and winner != self.side and PERIMETER >> stride.to & 1 else winner


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
        if not isinstance(action, Move):
            return p.turn.stage < MOVED
        # who moves can build on the square just left, unless that is beside her
        return bool((next_to(self.mine(p)) & ~p.b3) >> action.frm & 1)


class Persephone(Power):
    """Foes must climb in every turn in which they can."""

    god = God.PERSEPHONE

    def wish(self, p: Position) -> bool:
        return p.turn.climbed

    def fate(self, p: Position) -> bool | None:
        if p.turn.climbed:
            return True
        return None if p.lineup.rules[p.seat].own.may_climb(p) else False


POWERS: Final[tuple[type[Power], ...]] = (Hera, Limus, Persephone)
