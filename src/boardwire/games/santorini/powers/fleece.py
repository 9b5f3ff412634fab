"""The gods of the Golden Fleece (rules page, 1.7, numbers 31 to 45)."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.games.santorini.actions import Action, Actions, Move, PlaceToken
from boardwire.games.santorini.board import BEHIND, NEIGHBOURS, WRAPPED, squares_of
from boardwire.games.santorini.effects import force
from boardwire.games.santorini.ending import lose
from boardwire.games.santorini.events import Event, Secret, TokenPlaced, TokenTaken
from boardwire.games.santorini.offers import offers
from boardwire.games.santorini.position import (
    END,
    FRESH,
    OFF,
    Position,
    Side,
    below,
    free,
    level,
    with_memo,
    with_stage,
)
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.powers.power import Power, Stride, worker_square
from boardwire.games.santorini.squares import parse_square, square_name


class Europa(Power):
    """At the end of her turn she may put Talus beside the worker that moved.  Memo: (square,) once he stands."""

    god = God.EUROPA

    def closings(self, p: Position) -> Actions:
        at = worker_square(p)
        return tuple(PlaceToken(to) for to in squares_of(free(p) & NEIGHBOURS[at])) if at >= 0 else ()

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


class Harpies(Power):
    """A foe that moved is blown on in the same direction until higher ground, a piece or the edge."""

    god = God.HARPIES

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        if stride.side == self.side:
            return p
        frm, at = stride.frm, stride.to
        while True:
            ahead = BEHIND[frm][at]
            if ahead < 0 or not free(p) >> ahead & 1 or level(p, ahead) > level(p, at):
                break
            frm, at = at, ahead
        return force(p, ((stride.to, at),), log, self.god) if at != stride.to else p


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


class Tartarus(Power):
    """Hides an abyss; whoever's worker enters it loses, and nobody wins there.  Memo: (square,)."""

    god = God.TARTARUS
    rank = -1

    def preparation(self, p: Position) -> Actions:
        return () if self.memo(p) else tuple(PlaceToken(at) for at in squares_of(free(p)))

    def prepare(self, p: Position, action: Action, log: list[Event]) -> Position:
        assert isinstance(action, PlaceToken)
        log.append(Secret(p.lineup.seats_of(self.side), TokenPlaced(self.seat, action.at, self.god)))
        return self.remember(p, action.at)

    def judge(self, p: Position, stride: Stride, winner: Side) -> Side:
        return -1 if self.memo(p) == (stride.to,) else winner

    def entered(self, p: Position, side: Side, square: int, log: list[Event]) -> Position:
        if self.memo(p) != (square,):
            return p
        return lose(p, p.lineup.seats_of(side)[0], "abyss", log, self.god)

    def conceal(self, p: Position, side: Side | None) -> Position:
        return with_memo(p, self.slot, ())


class Urania(Power):
    """In her turn opposite edges and corners touch, for moving and for building."""

    god = God.URANIA
    adjacent = WRAPPED


POWERS: Final[tuple[type[Power], ...]] = (Europa, Hades, Harpies, Hecate, Tartarus, Urania)
