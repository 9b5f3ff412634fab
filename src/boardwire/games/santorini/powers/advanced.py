"""The advanced gods (rules page, 1.7, numbers 11 to 30)."""

from __future__ import annotations

from typing import Final

from boardwire.games.game import CHANCE
from boardwire.games.santorini.actions import Action, Actions, DealGod
from boardwire.games.santorini.board import NEIGHBOURS, PERIMETER, squares_of
from boardwire.games.santorini.effects import build
from boardwire.games.santorini.ending import banish, change_power
from boardwire.games.santorini.events import Event
from boardwire.games.santorini.offers import builds
from boardwire.games.santorini.position import CLOSE, Position, Side, level, on_board, with_note
from boardwire.games.santorini.powers.catalogue import CATALOGUE, Family, God
from boardwire.games.santorini.powers.power import Power, Stride

SIMPLE: Final = tuple(entry.god for entry in CATALOGUE.values() if entry.family is Family.SIMPLE)


class Chaos(Power):
    """Has a simple god drawn by lot, and draws the next after a turn in which a dome was built.

    The card's memo is the set of gods drawn since the last shuffle, as one number.
    """

    god = God.CHAOS
    keeper = True
    luck = True

    def preparation(self, p: Position) -> Actions:
        return () if self.memo(p) else self.replies(p, 0)

    def prepare(self, p: Position, action: Action, log: list[Event]) -> Position:
        return self.reply(p, action, 0, log)

    def at_end(self, p: Position, log: list[Event]) -> Position:
        return self.ask(p, CHANCE) if p.turn.domed else p

    def replies(self, p: Position, topic: int) -> Actions:
        return tuple(DealGod(SIMPLE[n]) for n in squares_of(self._deck(p)))

    def reply(self, p: Position, action: Action, topic: int, log: list[Event]) -> Position:
        assert isinstance(action, DealGod)
        drawn, new = sum(self.memo(p)), 1 << SIMPLE.index(action.god)
        p = self.remember(p, drawn | new if self._unused(p) & ~drawn else new)
        return change_power(p, self.seat, action.god, log)

    def _unused(self, p: Position) -> int:
        return sum(1 << n for n, god in enumerate(SIMPLE) if god not in p.lineup.cards)

    def _deck(self, p: Position) -> int:
        unused = self._unused(p)
        return unused & ~sum(self.memo(p)) or unused


class Hera(Power):
    """Foes do not win by moving onto the border; whatever they would win by."""

    god = God.HERA

    def judge(self, p: Position, stride: Stride, winner: Side) -> Side:
        return -1 if winner >= 0 and winner != self.side and PERIMETER >> stride.to & 1 else winner


class Medusa(Power):
    """At the end of her turn foes standing lower beside her workers turn into blocks."""

    god = God.MEDUSA

    def at_end(self, p: Position, log: list[Event]) -> Position:
        if not self.acting(p):
            return p
        stone = 0
        for at in on_board(p, self.side):
            for foe in squares_of(NEIGHBOURS[at] & self.theirs(p)):
                if level(p, foe) < level(p, at):
                    stone |= 1 << foe
        for foe in squares_of(stone):
            if p.occupied >> foe & 1:  # it may have left with an eliminated owner
                p = build(banish(p, foe, log, self.god), -1, foe, False, log, self.god)
        return p


class Persephone(Power):
    """Foes must climb in every turn in which they can."""

    god = God.PERSEPHONE

    def wish(self, p: Position) -> bool:
        return p.turn.climbed

    def fate(self, p: Position) -> bool | None:
        if p.turn.climbed:
            return True
        return None if p.lineup.rules[p.seat].own.may_climb(p) else False


class Poseidon(Power):
    """At the end of the turn the worker that did not move may build up to three times, if it is on the ground."""

    god = God.POSEIDON

    def closings(self, p: Position) -> Actions:
        squares = on_board(p, self.side)
        if len(squares) != 2 or p.turn.note >= 3:
            return ()
        resting = [at for n, at in enumerate(p.workers[self.side]) if at >= 0 and not p.turn.walked >> n & 1]
        if len(resting) != 1 or level(p, resting[0]) > 0:
            return ()
        return builds(p, resting[0])

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        return with_note(p, p.turn.note + 1) if self.acting(p) and p.turn.stage == CLOSE else p


POWERS: Final[tuple[type[Power], ...]] = (Chaos, Hera, Medusa, Persephone, Poseidon)
