"""What all heroes share: a power that is used once in a match [2.4]."""

from __future__ import annotations

from boardwire.games.santorini.events import Event, PowerUsed
from boardwire.games.santorini.position import Position
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
        if text.lower() != "x":
            raise ValueError(text)
        return self.remember(p, 1)
