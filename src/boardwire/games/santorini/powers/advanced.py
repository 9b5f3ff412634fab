"""The advanced gods (rules page, 1.7, numbers 11 to 30)."""

from __future__ import annotations

from typing import Final

from boardwire.games.game import CHANCE
from boardwire.games.santorini.actions import Action, Actions, DealGod
from boardwire.games.santorini.board import NEIGHBOURS, squares_of
from boardwire.games.santorini.effects import build
from boardwire.games.santorini.ending import banish, change_power, truce, win
from boardwire.games.santorini.events import Event
from boardwire.games.santorini.position import Position, level, on_board, towers
from boardwire.games.santorini.powers import advanced_limits, advanced_steps
from boardwire.games.santorini.powers.catalogue import CATALOGUE, Family, God
from boardwire.games.santorini.powers.power import Power

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


class Chronus(Power):
    """Also wins while five complete towers stand, whoever built them."""

    god = God.CHRONUS

    def at_start(self, p: Position, log: list[Event]) -> Position:
        return self._count(p, log)

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        return self._count(p, log) if dome else p

    def _count(self, p: Position, log: list[Event]) -> Position:
        if towers(p).bit_count() >= 5 and not truce(p):
            return win(p, self.side, "power", log, self.god)
        return p


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


POWERS: Final[tuple[type[Power], ...]] = (Chaos, Chronus, Medusa, *advanced_limits.POWERS, *advanced_steps.POWERS)
