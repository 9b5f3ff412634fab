"""The advanced gods [2.2]."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.games.game import CHANCE, Seat
from boardwire.games.santorini.actions import DONE_ONLY, Action, Actions, DealGod
from boardwire.games.santorini.board import ALL, NEIGHBOURS, PERIMETER, STEP, opposite_edges, squares_of
from boardwire.games.santorini.effects import build
from boardwire.games.santorini.ending import banish, give, hand_over, truce, win
from boardwire.games.santorini.events import Event, Termination
from boardwire.games.santorini.offers import victims
from boardwire.games.santorini.position import OFF, Position, Side, free, level, men, on_board, towers
from boardwire.games.santorini.powers import advanced_limits, advanced_steps
from boardwire.games.santorini.powers.catalogue import CATALOGUE, Family, God
from boardwire.games.santorini.powers.power import Power, Stride

SIMPLE: Final = tuple(entry.god for entry in CATALOGUE.values() if entry.family is Family.SIMPLE)


class Bia(Power):
    """Places first and on the border; a foe on the next square of the line along which she moves is removed."""

    god = God.BIA
    rank = -1

    def squares(self, p: Position) -> int:
        return ALL if self.printed else PERIMETER

    def after_move(self, p: Position, stride: Stride, log: list[Event]) -> Position:
        ahead = STEP[stride.to][stride.heading] if stride.heading >= 0 else OFF
        if self.acting(p) and ahead >= 0 and victims(p) >> ahead & 1:
            return banish(p, ahead, log, self.god)
        return p


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
        return give(p, self.seat, action.god, log)

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
            return win(p, self.side, Termination.POWER, log, self.god)
        return p


class Circe(Power):
    """When her turn begins and the foe's workers do not all touch one another, she alone has the foe's power.

    It is hers until her next turn.  The card's memo is (1,) while she has it.
    """

    god = God.CIRCE
    keeper = True

    def at_start(self, p: Position, log: list[Event]) -> Position:
        if not self.acting(p) or p.turn.extra or self.seats != 2:
            return p
        foe = self.foes[0]
        squares = on_board(p, foe)
        apart = len(squares) < 2 or any(men(p, foe) & ~NEIGHBOURS[at] & ~(1 << at) for at in squares)
        if apart == bool(self.memo(p)):
            return p
        if apart:
            return self.remember(hand_over(p, foe, self.seat, log), 1)
        return self.remember(hand_over(p, self.seat, foe, log))

    def diverts(self, p: Position, seat: Seat) -> Seat:
        return self.seat if self.memo(p) else seat


class Dionysus(Power):
    """Each time he completes a tower he may take another turn with a foe's worker; nobody can win in it."""

    god = God.DIONYSUS

    def openings(self, p: Position) -> Actions:
        return DONE_ONLY if p.turn.extra else ()

    def movers(self, p: Position) -> tuple[int, ...]:
        return tuple(squares_of(victims(p))) if p.turn.extra else super().movers(p)

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        if self.acting(p) and dome and p.b3 >> at & 1:
            return replace(p, owed=(*p.owed, 1))
        return p

    def truce(self, p: Position) -> bool:
        return self.acting(p) and p.turn.extra != 0


class Eros(Power):
    """His workers start on opposite edges; he also wins by moving one beside the other, both on level one.

    With three players any one level will do.
    """

    god = God.EROS

    def squares(self, p: Position) -> int:
        placed, open_ = on_board(p, self.side), free(p)
        if placed:
            return opposite_edges(placed[0])
        return sum(1 << at for at in squares_of(PERIMETER) if opposite_edges(at) & open_)

    def judge(self, p: Position, stride: Stride, winner: Side) -> Side:
        if stride.side != self.side:
            return winner
        squares = on_board(p, self.side)
        if len(squares) != 2 or not NEIGHBOURS[squares[0]] >> squares[1] & 1:
            return winner
        one, other = level(p, squares[0]), level(p, squares[1])
        return self.side if one == other and (one == 1 or self.seats == 3) else winner


class Medusa(Power):
    """At the end of her turn foes standing lower beside her workers turn into blocks."""

    god = God.MEDUSA

    def at_end(self, p: Position, log: list[Event]) -> Position:
        if not self.acting(p):
            return p
        stone = 0
        for at in on_board(p, self.side):
            for foe in squares_of(NEIGHBOURS[at] & victims(p)):
                if level(p, foe) < level(p, at):
                    stone |= 1 << foe
        for foe in squares_of(stone):
            p = build(banish(p, foe, log, self.god), -1, foe, False, log, self.god)
        return p


POWERS: Final[tuple[type[Power], ...]] = (
    Bia,
    Chaos,
    Chronus,
    Circe,
    Dionysus,
    Eros,
    Medusa,
    *advanced_limits.POWERS,
    *advanced_steps.POWERS,
)
