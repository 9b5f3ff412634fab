"""The promo and later gods (rules page, 1.7, numbers 56 to 67)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.games.game import CHANCE
from boardwire.games.santorini.actions import Action, Actions, DealCard, moves
from boardwire.games.santorini.events import CardDealt, Event
from boardwire.games.santorini.offers import targets
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.power import Power, Stride


class Eris(Power):
    """Plays a turn with a foe's worker, not the one its owner moved last.  Memo: that worker's number, if any."""

    god = God.ERIS

    def openings(self, p: Position) -> Actions:
        found: Actions = ()
        for side in self.foes:
            for number, at in enumerate(p.workers[side]):
                if at >= 0 and self.memo(p) != (number,):
                    found += moves(at, targets(p, at))
        return found

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        if stride.side == self.side or p.lineup.side(p.seat) == self.side:
            return p
        return self.remember(p, stride.worker)


class Tyche(Power):
    """Draws a card at the end of the turn; the lucky one gives another turn.  Memo: (cards left,)."""

    god = God.TYCHE
    fresh = (6,)
    lasting = True

    def at_end(self, p: Position, log: list[Event]) -> Position:
        return self.ask(p, CHANCE) if self.acting(p) and not p.turn.extra else p

    def replies(self, p: Position, topic: int) -> Actions:
        return tuple(DealCard(card) for card in range(self.memo(p)[0]))

    def reply(self, p: Position, action: Action, topic: int, log: list[Event]) -> Position:
        assert isinstance(action, DealCard)
        lucky = action.card == 0
        log.append(CardDealt(self.seat, action.card, self.god))
        if lucky:
            p = replace(p, owed=(*p.owed, 1))
        return self.remember(p, 6 if lucky else self.memo(p)[0] - 1)


POWERS: Final[tuple[type[Power], ...]] = (Eris, Tyche)
