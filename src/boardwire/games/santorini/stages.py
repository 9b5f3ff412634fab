"""The stages of a set-up.

`ask` returns the next question of a stage, or None when the stage is done; `answer` applies a choice; `leave` applies
automatic changes at the end of the stage. The fields of a stage are the differences between drafts.
"""

from __future__ import annotations

from enum import IntEnum

import msgspec
from msgspec.structs import replace

from boardwire.errors import Illegal
from boardwire.games.game import CHANCE, Decision, Seat
from boardwire.games.santorini.actions import (
    Action,
    Actions,
    ChooseStart,
    DealGod,
    NameStart,
    PickGod,
    PlaceToken,
    PlaceWorker,
    ProposeGod,
)
from boardwire.games.santorini.board import squares_of
from boardwire.games.santorini.edits import free, with_new_worker
from boardwire.games.santorini.ending import deal
from boardwire.games.santorini.events import (
    Event,
    GodPicked,
    GodProposed,
    OrderSet,
    PowerUsed,
    StartNamed,
    TokenPlaced,
    WorkerPlaced,
)
from boardwire.games.santorini.interned import places
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.lineup import lineup
from boardwire.games.santorini.offers import veiled
from boardwire.games.santorini.options import Draft, Wording
from boardwire.games.santorini.position import Position, Setup
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God, allowed, banned
from boardwire.games.santorini.powers.power import Power
from boardwire.games.santorini.powers.registry import POWERS


def state(p: Position) -> Setup:
    """Return the set-up in progress."""
    assert p.setup is not None
    return p.setup


def candidates(p: Position, settled: bool = False) -> tuple[God, ...]:
    """Return the gods that can join the offer and leave enough gods to complete it.

    With `settled`, the order of placement is fixed before gods are picked, so gods that change it are excluded.
    """
    options, seats, offer = p.options, p.lineup.seats, state(p).offer
    pool = [
        god
        for god in options.pool or CATALOGUE
        if god in POWERS
        and allowed(god, seats, options.wording is Wording.PRINTED)
        and not (settled and POWERS[god].rank)
    ]
    return tuple(god for god in dict.fromkeys(pool) if _can_complete(offer, god, pool, seats, options.bans))


def _can_complete(offer: tuple[God, ...], god: God, pool: list[God], seats: int, bans: bool) -> bool:
    """Return whether an offer with this god can be completed from the pool."""
    if god in offer or (bans and any(banned(god, other) for other in offer)):
        return False
    offer = (*offer, god)
    return len(offer) >= seats or any(_can_complete(offer, other, pool, seats, bans) for other in pool)


def take(p: Position, seat: Seat, god: God, log: list[Event]) -> Position:
    """Give a god to a seat."""
    setup = state(p)
    log.append(GodPicked(seat, god))
    gods = (*setup.gods[:seat], god, *setup.gods[seat + 1 :])
    left = tuple(other for other in setup.offer if other is not god)
    setup = replace(setup, gods=gods, offer=left, picked=(*setup.picked, seat))
    return deal(replace(p, setup=setup), seat, god)


def take_all(p: Position, gods: tuple[God, ...], log: list[Event]) -> Position:
    """Give every seat its god at once: the same as `take` for each seat if none has a god, but faster."""
    seats = tuple(range(p.lineup.seats))
    log.extend([GodPicked(seat, gods[seat]) for seat in seats])
    line_up = lineup(gods, p.lineup.printed)
    setup = replace(state(p), gods=gods, offer=(), picked=seats)
    return replace(p, setup=setup, lineup=line_up, memos=line_up.fresh)


class SetupStage(msgspec.Struct, frozen=True):
    """A stage of a set-up; the default asks nothing and changes nothing."""

    def ask(self, p: Position) -> Decision[Action] | None:
        """Return the next question, or None when the stage is done."""
        return None

    def answer(self, p: Position, seat: Seat, action: Action, log: list[Event]) -> Position:
        """Apply a choice."""
        raise Illegal("no choice is due in this stage of the set-up")

    def leave(self, p: Position, log: list[Event]) -> Position:
        """Apply the automatic changes at the end of the stage."""
        return p


class Give(SetupStage, frozen=True):
    """Give each seat its god from the options, if they have any."""

    def leave(self, p: Position, log: list[Event]) -> Position:
        return take_all(p, p.options.gods, log) if p.options.draft is Draft.GIVEN else p


class DrawOffer(SetupStage, frozen=True):
    """Chance draws as many gods as there are seats."""

    settled: bool = False

    def ask(self, p: Position) -> Decision[Action] | None:
        if len(state(p).offer) >= p.lineup.seats:
            return None
        choices = tuple(DealGod(god) for god in candidates(p, self.settled))
        if not choices:
            raise Illegal(f"the pool has too few compatible gods for {p.lineup.seats} players")
        return Decision(Kind.CHANCE, (CHANCE,), choices)

    def answer(self, p: Position, seat: Seat, action: Action, log: list[Event]) -> Position:
        assert isinstance(action, DealGod)
        log.append(GodProposed(None, action.god))
        return replace(p, setup=replace(state(p), offer=(*state(p).offer, action.god)))


class DealOut(SetupStage, frozen=True):
    """Deal the offer to the seats in the order it was drawn."""

    def leave(self, p: Position, log: list[Event]) -> Position:
        return take_all(p, state(p).offer, log)


class Propose(SetupStage, frozen=True):
    """One seat proposes the offer, god by god: the first seat or, with `anyone`, the first seat that proposes."""

    anyone: bool = False

    def ask(self, p: Position) -> Decision[Action] | None:
        setup = state(p)
        if len(setup.offer) >= p.lineup.seats:
            return None
        chooser = proposer(p)
        if chooser is not None:
            seats: tuple[Seat, ...] = (chooser,)
        else:
            seats = still_in(p) if self.anyone else still_in(p)[:1]
        choices = tuple(ProposeGod(god) for god in candidates(p))
        if not choices:
            raise Illegal(f"the pool has too few compatible gods for {p.lineup.seats} players")
        return Decision(Kind.PROPOSE_GOD, seats, choices)

    def answer(self, p: Position, seat: Seat, action: Action, log: list[Event]) -> Position:
        assert isinstance(action, ProposeGod)
        log.append(GodProposed(seat, action.god))
        return replace(p, setup=replace(state(p), offer=(*state(p).offer, action.god), proposer=seat))


class NamePower(SetupStage, frozen=True):
    """The proposer names the god whose owner begins."""

    def ask(self, p: Position) -> Decision[Action] | None:
        setup = state(p)
        chooser = proposer(p)
        if setup.named is not None or chooser is None:
            return None
        rank = min(POWERS[god].rank for god in setup.offer)
        choices = tuple(NameStart(god) for god in setup.offer if POWERS[god].rank == rank)
        return Decision(Kind.NAME_START, (chooser,), choices)

    def answer(self, p: Position, seat: Seat, action: Action, log: list[Event]) -> Position:
        assert isinstance(action, NameStart)
        log.append(StartNamed(seat, action.god))
        return replace(p, setup=replace(state(p), named=action.god))


class Pick(SetupStage, frozen=True):
    """Seats pick from the offer, in turn or with `any_order`.

    - `proposer_last`: the seat after the proposer picks first, the proposer last; otherwise the first seat picks first.
    - `last_by_itself`: the proposer gets the last god without a decision.
    - `placing`: each seat also places its workers when it has picked.
    """

    any_order: bool = False
    last_by_itself: bool = False
    proposer_last: bool = True
    placing: bool = False

    def ask(self, p: Position) -> Decision[Action] | None:
        setup = state(p)
        if self.placing:
            placing = Place().ask(p)
            if placing is not None and setup.gods[placing.seats[0]] is not None:
                return placing
        waiting = self._waiting(p)
        if not waiting or (self.last_by_itself and waiting == (setup.proposer,) and p.lineup.seats > 1):
            return None
        seats = waiting if not self.any_order else tuple(s for s in waiting if s != setup.proposer) or waiting
        choices = tuple(PickGod(god) for god in setup.offer)
        return Decision(Kind.PICK_GOD, seats if self.any_order else seats[:1], choices)

    def _waiting(self, p: Position) -> tuple[Seat, ...]:
        """Return the seats without a god, in the order of picking."""
        setup = state(p)
        first = setup.proposer + 1 if setup.proposer is not None and self.proposer_last else 0
        around = tuple((first + step) % p.lineup.seats for step in range(p.lineup.seats))
        return tuple(seat for seat in around if setup.gods[seat] is None and seat in still_in(p))

    def answer(self, p: Position, seat: Seat, action: Action, log: list[Event]) -> Position:
        if isinstance(action, PlaceWorker):
            return Place().answer(p, seat, action, log)
        assert isinstance(action, PickGod)
        return take(p, seat, action.god, log)

    def leave(self, p: Position, log: list[Event]) -> Position:
        for seat in self._waiting(p):
            p = take(p, seat, state(p).offer[0], log)
        return p


class Begins(IntEnum):
    """How the first player is determined."""

    FIRST_SEAT = 0
    PROPOSER = 1
    CHOSEN = 2  # the proposer chooses
    CHOSEN_OTHER = 3  # the proposer chooses another seat
    NAMED = 4  # the owner of the named god


class Start(SetupStage, frozen=True):
    """Determine the first player; the others follow clockwise, or in the order in which they picked."""

    begins: Begins = Begins.FIRST_SEAT
    by_picks: bool = False

    def ask(self, p: Position) -> Decision[Action] | None:
        setup = state(p)
        if setup.starter is not None or self.begins not in (Begins.CHOSEN, Begins.CHOSEN_OTHER):
            return None
        chooser = proposer(p)
        if chooser is None:
            return None
        able = able_to_start(p)
        if self.begins is Begins.CHOSEN_OTHER:
            able = tuple(seat for seat in able if seat != chooser) or able
        return Decision(Kind.CHOOSE_START, (chooser,), tuple(ChooseStart(seat) for seat in able))

    def answer(self, p: Position, seat: Seat, action: Action, log: list[Event]) -> Position:
        assert isinstance(action, ChooseStart)
        return replace(p, setup=replace(state(p), starter=action.seat))

    def leave(self, p: Position, log: list[Event]) -> Position:
        setup, able = state(p), able_to_start(p)
        wanted = setup.starter
        if self.begins is Begins.PROPOSER:
            wanted = setup.proposer
        elif self.begins is Begins.NAMED and setup.named in setup.gods:
            wanted = setup.gods.index(setup.named)
        first = wanted if wanted in able else able[0]
        order = setup.picked if self.by_picks and p.lineup.seats < 4 else tuple(range(p.lineup.seats))
        order += tuple(seat for seat in range(p.lineup.seats) if seat not in order)
        at = order.index(first)
        order = order[at:] + order[:at]
        log.append(OrderSet(order))
        return replace(p, order=order, setup=replace(setup, starter=first))


def still_in(p: Position) -> tuple[Seat, ...]:
    """Return the seats that have not given up."""
    return tuple(seat for seat in range(p.lineup.seats) if not p.out >> seat & 1)


def proposer(p: Position) -> Seat | None:
    """Return the seat that made the offer, if it is still in the match."""
    seat = state(p).proposer
    return seat if seat in still_in(p) else None


def able_to_start(p: Position) -> tuple[Seat, ...]:
    """Return the seats that may begin: those whose power must or, if there are none, those whose power may [4.1]."""
    ranks = {seat: p.lineup.powers[seat].rank for seat in still_in(p)}
    return tuple(seat for seat, rank in ranks.items() if rank == min(ranks.values()))


def placers(p: Position) -> list[Seat]:
    """Return the seats that place workers in their order, which is the order of play but for powers that place last."""
    powers = p.lineup.powers
    return sorted(p.order[: p.lineup.sides], key=lambda seat: powers[seat].rank > 0)


class Place(SetupStage, frozen=True):
    """Place workers in the order of `placers`; in teams, the first player of a team places for both [1.3]."""

    def ask(self, p: Position) -> Decision[Action] | None:
        seat = self._next_placer(p)
        if seat is None:
            return None
        lineup, allowed_squares = p.lineup, free(p)
        for mate in lineup.seats_of(lineup.side(seat)):
            allowed_squares &= lineup.powers[mate].squares(p)
        return Decision(Kind.PLACE_WORKER, (seat,), places(allowed_squares))

    def _next_placer(self, p: Position) -> Seat | None:
        """Return the seat that places the next worker, or None if all are placed."""
        lineup = p.lineup
        for seat in placers(p):
            if not p.out >> seat & 1 and len(p.workers[lineup.side(seat)]) < lineup.powers[seat].team:
                return seat
        return None

    def answer(self, p: Position, seat: Seat, action: Action, log: list[Event]) -> Position:
        assert isinstance(action, PlaceWorker)
        side = p.lineup.side(seat)
        placed = WorkerPlaced(seat, side, len(p.workers[side]), action.at)
        hidden = side in p.lineup.hidden
        log.append(p.lineup.as_secret(side, placed, PowerUsed(seat, p.lineup.powers[seat].god)) if hidden else placed)
        return with_new_worker(p, side, action.at)


class PlaceRam(SetupStage, frozen=True):
    """The first player places the Ram on a free square [1.4]."""

    def ask(self, p: Position) -> Decision[Action] | None:
        if p.ram >= 0:
            return None
        choices = tuple(PlaceToken(at) for at in squares_of(free(p)))
        return Decision(Kind.PLACE_RAM, p.order[:1], choices)

    def answer(self, p: Position, seat: Seat, action: Action, log: list[Event]) -> Position:
        assert isinstance(action, PlaceToken)
        log.append(TokenPlaced(seat, action.at))
        return replace(p, ram=action.at, lent=p.options.gods[0], solid=p.solid | 1 << action.at)


class Prepare(SetupStage, frozen=True):
    """Decisions of powers before the first turn, such as a direction, a secret square or a first card."""

    def ask(self, p: Position) -> Decision[Action] | None:
        for power in self._powers_in_order(p):
            choices = self._choices(p, power)
            if choices and power.luck:
                return Decision(Kind.CHANCE, (CHANCE,), choices)
            if choices:
                return Decision(Kind.PREPARE, (power.seat,), choices)
        return None

    def _choices(self, p: Position, power: Power) -> Actions:
        """Return the choices, which depend only on what the seat may know."""
        return power.preparation(veiled(p, p.lineup.rules[power.seat]))

    def _powers_in_order(self, p: Position) -> list[Power]:
        """Return the powers in the order of the seats, each seat's own before that of its second card."""
        slots, seats = p.lineup.slots, p.lineup.seats
        return [slots[slot] for seat in p.order for slot in (seat, seats + seat) if slot in slots]

    def answer(self, p: Position, seat: Seat, action: Action, log: list[Event]) -> Position:
        for power in self._powers_in_order(p):
            if self._choices(p, power):
                return power.prepare(p, action, log)
        raise Illegal("nothing is left to prepare")
