"""The promo gods whose power comes at the end of a turn [2.5].

Asteria, Hydra, Maenads, Nyx, Tyche.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.games.game import CHANCE
from boardwire.games.santorini.actions import Action, Actions, Banish, DealCard, PlaceWorker, ProposeGod, domes, places
from boardwire.games.santorini.board import NEIGHBOURS, STEP, next_to
from boardwire.games.santorini.ending import banish, change_power, give, lose
from boardwire.games.santorini.events import CardDealt, Event, GodProposed, Termination, WorkerPlaced
from boardwire.games.santorini.offers import landing, limited_sites
from boardwire.games.santorini.position import (
    CLOSE,
    END,
    OFF,
    Position,
    at_level,
    free,
    on_board,
    towers,
    with_new_worker,
    with_stage,
    with_worker,
)
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God, banned
from boardwire.games.santorini.powers.power import Power, worker_square

GODS: Final = tuple(CATALOGUE)


class Asteria(Power):
    """After a turn in which her worker moved down she may also put a dome on any free square, on any level."""

    god = God.ASTERIA

    def closings(self, p: Position) -> Actions:
        by = worker_square(p)
        return domes(by, limited_sites(p, by, 0, free(p))[1]) if p.turn.descended else ()

    def after_build(self, p: Position, at: int, dome: bool, log: list[Event]) -> Position:
        return with_stage(p, END) if self.acting(p) and p.turn.stage == CLOSE else p


class Hydra(Power):
    """Grows a worker on a lowest free square beside the one that moved if none of hers touch; else loses one."""

    god = God.HYDRA

    def closings(self, p: Position) -> Actions:
        own = self.mine(p)
        if next_to(own) & own:
            return tuple(Banish(at) for at in on_board(p, self.side))
        beside = NEIGHBOURS[worker_square(p)] & landing(p)
        return next((places(low) for height in range(4) if (low := beside & at_level(p, height))), ())

    def must_close(self, p: Position) -> bool:
        return True

    def act(self, p: Position, action: Action, log: list[Event]) -> Position:
        match action:
            case Banish(at):
                return banish(with_stage(p, END), at, log, self.god)
            case PlaceWorker(at):
                return self._grow(with_stage(p, END), at, log)
            case _:
                return super().act(p, action, log)

    def _grow(self, p: Position, at: int, log: list[Event]) -> Position:
        """A new worker gets the number of one that is gone, if there is one: heads grow back for ever."""
        squares = p.workers[self.side]
        number = squares.index(OFF) if OFF in squares else len(squares)
        log.append(WorkerPlaced(self.seat, self.side, number, at, self.god))
        return with_worker(p, self.side, number, at) if OFF in squares else with_new_worker(p, self.side, at)


class Maenads(Power):
    """A foe's worker exactly between two of theirs when their turn ends makes its owner lose."""

    god = God.MAENADS

    def at_end(self, p: Position, log: list[Event]) -> Position:
        if not self.acting(p):
            return p
        torn = [side for side in self.foes if any(self._between(p, at) for at in on_board(p, side))]
        for side in torn:
            p = lose(p, p.lineup.seats_of(side)[0], Termination.POWER, log, self.god)
        return p

    def _between(self, p: Position, at: int) -> bool:
        own = p.workers[self.side]
        lines = ((STEP[at][way], STEP[at][way + 4]) for way in range(4))
        return any(min(line) >= 0 and line[0] in own and line[1] in own for line in lines)


class Nyx(Power):
    """While an odd number of complete towers stands she has the night power, and her foe has none.

    It changes between turns.  The night power is one of those that can lie beside the Ram, since those can come and go.
    The card's memo is its place among `GODS`.
    """

    god = God.NYX
    keeper = True

    def preparation(self, p: Position) -> Actions:
        if self.memo(p):
            return ()
        return tuple(ProposeGod(god) for god in p.options.pool or GODS if self._fits(p, god))

    def prepare(self, p: Position, action: Action, log: list[Event]) -> Position:
        assert isinstance(action, ProposeGod)
        log.append(GodProposed(self.seat, action.god))
        return self.remember(p, GODS.index(action.god))

    def at_start(self, p: Position, log: list[Event]) -> Position:
        night = towers(p).bit_count() % 2 == 1
        own = GODS[self.memo(p)[0]] if night and self.memo(p) else God.MORTAL
        p = give(p, self.seat, own, log)
        for foe in self.foes:
            if p.lineup.seats + foe not in p.lineup.slots:  # a card that gives powers goes on giving them
                p = change_power(p, foe, God.MORTAL if night else p.lineup.cards[foe], log)
        return p

    def written(self, p: Position) -> str:
        return "".join(GODS[number] for number in self.memo(p))

    def read(self, p: Position, text: str) -> Position:
        return self.remember(p, GODS.index(God(text)))

    def _fits(self, p: Position, god: God) -> bool:
        cards = p.lineup.cards
        meets = p.options.bans and any(banned(god, card) for card in cards)
        return CATALOGUE[god].fleece and god not in cards and not meets


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

    def read(self, p: Position, text: str) -> Position:
        if int(text) not in range(1, 7):
            raise ValueError(text)
        return self.remember(p, int(text))


POWERS: Final[tuple[type[Power], ...]] = (Asteria, Hydra, Maenads, Nyx, Tyche)
