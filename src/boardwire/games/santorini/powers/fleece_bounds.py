"""The gods of the Golden Fleece that bar the way: wind, coins, Talus and the underworld [2.3].

They say where workers may not go or build; none of them moves a worker.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.games.santorini.actions import Action, Actions, Aim, PlaceToken
from boardwire.games.santorini.board import BEARING, DIRECTIONS, NEIGHBOURS, SQUARES, squares_of
from boardwire.games.santorini.events import Aimed, Event, TokenPlaced, TokenTaken
from boardwire.games.santorini.offers import landing
from boardwire.games.santorini.position import END, Position, below, level, with_stage
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.power import Power, worker_square
from boardwire.games.santorini.squares import parse_square, square_name

WINDWARD: Final = tuple(
    tuple(sum(1 << to for to in SQUARES if BEARING[frm][to] == wind) for frm in SQUARES) for wind in range(8)
)
"""`WINDWARD[wind][frm]`: the squares to which a move from `frm` would go straight against the wind."""


class Aeolus(Power):
    """Sets the wind or takes it back; printed, it blows from the start and is turned.  Memo: (wind,) while it blows.

    A wind has the name of where it comes from, so it is also the direction in which nobody may move; that is what the
    notation writes [3.19].  There is one wind, also when both players have the power beside the Ram.
    """

    god = God.AEOLUS
    everyone = True

    def preparation(self, p: Position) -> Actions:
        return self._aims(p) if self.printed and not self.memo(p) else ()

    def prepare(self, p: Position, action: Action, log: list[Event]) -> Position:
        return self._set(p, action, log)

    def closings(self, p: Position) -> Actions:
        return (Aim(None),) if self._wind(p) and not self.printed else self._aims(p)

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        return with_stage(self._set(p, action, log), END)

    def limit_moves(self, p: Position, frm: int, targets: int) -> int:
        for wind in self.memo(p):
            targets &= ~WINDWARD[wind][frm]
        return targets

    def written(self, p: Position) -> str:
        return "".join(DIRECTIONS[wind] for wind in self.memo(p))

    def read(self, p: Position, text: str) -> Position:
        return self.remember(p, DIRECTIONS.index(text.lower()))

    def _wind(self, p: Position) -> tuple[int, ...]:
        found = (other.memo(p) for other in p.lineup.powers if other.god is self.god)
        return next((memo for memo in found if memo), ())

    def _aims(self, p: Position) -> Actions:
        return tuple(Aim(wind) for wind in range(8) if wind not in self._wind(p))

    def _set(self, p: Position, action: Action, log: list[Event]) -> Position:
        assert isinstance(action, Aim)
        log.append(Aimed(self.seat, action.direction, self.god))
        for other in p.lineup.powers:
            if other.god is self.god:
                p = other.remember(p, *(() if action.direction is None else (action.direction,)))
        return p


class Clio(Power):
    """Puts coins on the first three blocks she builds.  Memo: (coins left, set of the squares with coins).

    A coin can neither be taken nor built away, and who stands on one cannot be targeted; what reaches her workers
    without targeting them (Harpies, Aphrodite, Hypnus ...) still does.
    """

    god = God.CLIO
    fresh = (3, 0)
    lasting = True

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        left, coins = self.memo(p)
        if dome or not left or not self.acting(p):
            return p
        log.append(TokenPlaced(self.seat, at, self.god))
        return self.remember(p, left - 1, coins | 1 << at)

    def closed(self, p: Position) -> int:
        return self.memo(p)[1]

    def written(self, p: Position) -> str:
        left, coins = self.memo(p)
        names = ",".join(map(square_name, squares_of(coins)))
        return f"{left}|{names}" if self.memo(p) != self.fresh else ""

    def read(self, p: Position, text: str) -> Position:
        left, names = text.split("|")
        if int(left) not in range(4):
            raise ValueError(text)
        coins = {parse_square(name) for name in names.split(",") if name}
        return self.remember(p, int(left), sum(1 << at for at in coins))


class Europa(Power):
    """At the end of her turn she may put Talus beside the worker that moved.  Memo: (square,) once he stands."""

    god = God.EUROPA

    def closings(self, p: Position) -> Actions:
        at = worker_square(p)
        return tuple(PlaceToken(to) for to in squares_of(landing(p) & NEIGHBOURS[at])) if at >= 0 else ()

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        if not isinstance(action, PlaceToken):
            return super().act(p, action, log)
        log.extend(TokenTaken(self.seat, old, self.god) for old in self.memo(p))
        log.append(TokenPlaced(self.seat, action.at, self.god))
        return with_stage(self._put(p, action.at), END)

    def leave(self, p: Position) -> Position:
        return replace(p, solid=p.solid & ~sum(1 << old for old in self.memo(p)))

    def written(self, p: Position) -> str:
        return "".join(map(square_name, self.memo(p)))

    def read(self, p: Position, text: str) -> Position:
        return self._put(p, parse_square(text))

    def _put(self, p: Position, at: int) -> Position:
        p = self.leave(p)
        return self.remember(replace(p, solid=p.solid | 1 << at), at)


class Hades(Power):
    """Foes' workers cannot move down; being forced down is no move."""

    god = God.HADES

    def limit_moves(self, p: Position, frm: int, targets: int) -> int:
        if frm in p.workers[self.side]:  # its own workers stay free when a foe moves them, as Athena's do
            return targets
        return targets & ~below(p, level(p, frm))


POWERS: Final[tuple[type[Power], ...]] = (Aeolus, Clio, Europa, Hades)
