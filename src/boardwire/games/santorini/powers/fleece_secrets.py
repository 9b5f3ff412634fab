"""The gods of the Golden Fleece that hide something: workers, a fate, an abyss [2.3].

Each says with `conceal` what others may not know; what is hidden must change neither their views nor their choices.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.games.santorini.actions import Action, Actions, Move, PlaceToken
from boardwire.games.santorini.board import BLOCKS_OF_FOUR, SQUARES, squares_of
from boardwire.games.santorini.ending import lose
from boardwire.games.santorini.events import Event, PowerUsed, Secret, Termination, TokenPlaced
from boardwire.games.santorini.offers import offers
from boardwire.games.santorini.position import FRESH, OFF, Position, Side, free, with_memo
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.power import Power, Stride
from boardwire.games.santorini.squares import parse_square, square_name


class Hecate(Power):
    """Her workers are placed last and stand in secret; what runs into one is cancelled with the rest of that turn."""

    god = God.HECATE
    rank = 1
    hidden = True

    def conceal(self, p: Position, side: Side | None) -> Position:
        gone = tuple(OFF for _ in p.workers[self.side])
        workers = (*p.workers[: self.side], gone, *p.workers[self.side + 1 :])
        turn = FRESH if self.acting(p) else p.turn
        return replace(p, workers=workers, occupied=p.occupied & ~self.mine(p), turn=turn)

    def foils(self, p: Position, action: Action) -> bool:
        if isinstance(action, Move) and self.mine(p) >> action.to & 1 and not self.printed:
            return True  # printed, the foe's own silent power is applied instead
        return action not in offers(p)


class SecretSquare(Power):
    """A power that hides one square, chosen when the workers stand.  Memo: (square,)."""

    lasting = True

    def prepare(self, p: Position, action: Action, log: list[Event]) -> Position:
        assert isinstance(action, PlaceToken)
        placed = TokenPlaced(self.seat, action.at, self.god)
        log.append(Secret(p.lineup.seats_of(self.side), placed, PowerUsed(self.seat, self.god)))
        return self.remember(p, action.at)

    def conceal(self, p: Position, side: Side | None) -> Position:
        return with_memo(p, self.slot, ())

    def written(self, p: Position) -> str:
        return "".join(map(square_name, self.memo(p)))

    def read(self, p: Position, text: str) -> Position:
        return self.remember(p, parse_square(text))


class Moerae(SecretSquare):
    """Three workers and four fateful squares; a foe that would win by moving there makes Moerae win.

    The hidden square is the upper left one of the four.
    """

    god = God.MOERAE
    team = 3

    def preparation(self, p: Position) -> Actions:
        return () if self.memo(p) else tuple(PlaceToken(at) for at in SQUARES if BLOCKS_OF_FOUR[at])

    def judge(self, p: Position, stride: Stride, winner: Side) -> Side:
        if winner >= 0 and winner != self.side:
            for corner in self.memo(p):
                if BLOCKS_OF_FOUR[corner] >> stride.to & 1:
                    return self.side
        return winner

    def read(self, p: Position, text: str) -> Position:
        if not BLOCKS_OF_FOUR[parse_square(text)]:
            raise ValueError(text)
        return super().read(p, text)


class Tartarus(SecretSquare):
    """Hides an abyss; whoever's worker enters it loses, and nobody wins there."""

    god = God.TARTARUS
    rank = -1

    def preparation(self, p: Position) -> Actions:
        return () if self.memo(p) else tuple(PlaceToken(at) for at in squares_of(free(p)))

    def judge(self, p: Position, stride: Stride, winner: Side) -> Side:
        return -1 if self.memo(p) == (stride.to,) else winner

    def entered(self, p: Position, side: Side, square: int, log: list[Event]) -> Position:
        if self.memo(p) != (square,):
            return p
        return lose(p, p.lineup.seats_of(side)[0], Termination.ABYSS, log, self.god)


POWERS: Final[tuple[type[Power], ...]] = (Hecate, Moerae, Tartarus)
