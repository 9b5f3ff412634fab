"""The heroes: once per game (rules page, 1.7, numbers 46 to 55)."""

from __future__ import annotations

from typing import Final

from boardwire.games.santorini.actions import Action, Actions, Raze
from boardwire.games.santorini.board import NEIGHBOURS, next_to, squares_of
from boardwire.games.santorini.effects import raze
from boardwire.games.santorini.events import Event, PowerUsed
from boardwire.games.santorini.position import Position, level, with_note
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.power import Power


class Hero(Power):
    """A power that is spent when used.  Memo: (1,) once spent."""

    lasting = True
    once = True

    def spent(self, p: Position) -> bool:
        """Whether it has been used."""
        return bool(self.memo(p))

    def spend(self, p: Position, log: list[Event]) -> Position:
        """Use it up."""
        if self.spent(p):
            return p
        log.append(PowerUsed(self.seat, self.god))
        return self.remember(p, 1)

    def written(self, p: Position) -> str:
        return "x" if self.spent(p) else ""

    def read(self, p: Position, text: str) -> Position:
        if text != "x":
            raise ValueError(text)
        return self.remember(p, 1)


class Medea(Hero):
    """Takes all blocks from under a worker beside one of hers.

    Printed: one block from under each of any number of workers beside her worker that did not move; the note of the
    turn is the set of squares already lowered.
    """

    god = God.MEDEA

    def closings(self, p: Position) -> Actions:
        if self.spent(p) and not (self.printed and p.turn.note):
            return ()
        near = next_to(self.mine(p))
        if self.printed:
            resting = [at for n, at in enumerate(p.workers[self.side]) if at >= 0 and not p.turn.walked >> n & 1]
            near = NEIGHBOURS[resting[0]] if len(resting) == 1 else 0
        return tuple(Raze(at) for at in squares_of(near & p.occupied & p.b1 & ~p.turn.note))

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, Raze):
            return super().act(p, action, log)
        p = self.spend(p, log)
        left = level(p, action.at) - 1 if self.printed else 0
        return with_note(raze(p, action.at, left, log, self.god), p.turn.note | 1 << action.at)


POWERS: Final[tuple[type[Power], ...]] = (Medea,)
