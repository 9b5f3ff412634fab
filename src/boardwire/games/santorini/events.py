"""What happened, with its cause.

An event says all a dialect or page needs to show a step.  `seat` is whose turn or choice it was, `side` and `worker`
name a worker (its side and number), `god` the power that caused it.  `Secret` wraps what only some seats may learn.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

import msgspec

from boardwire.games.game import Seat
from boardwire.games.santorini.powers.catalogue import God


class Termination(StrEnum):
    """How a match can end, or a seat lose."""

    CLIMB = "climb"
    POWER = "power"
    STUCK = "stuck"
    NO_WORKERS = "no workers"
    ABYSS = "abyss"
    FORFEIT = "forfeit"
    PLY_CAP = "ply cap"
    GIVEN = "given"
    """All that is known is who won: a position in notation, or a protocol, says no more."""


class GodProposed(msgspec.Struct, frozen=True, tag="god_proposed", gc=False):
    """A god joined the offer; `seat` is None when luck drew it."""

    seat: Seat | None
    god: God


class GodPicked(msgspec.Struct, frozen=True, tag="god_picked", gc=False):
    """A seat has its god."""

    seat: Seat
    god: God


class StartNamed(msgspec.Struct, frozen=True, tag="start_named", gc=False):
    """The god whose owner begins was named."""

    seat: Seat
    god: God


class OrderSet(msgspec.Struct, frozen=True, tag="order_set", gc=False):
    """The order of play is known; the first seat places first."""

    order: tuple[Seat, ...]


class WorkerPlaced(msgspec.Struct, frozen=True, tag="worker_placed", gc=False):
    """A worker came onto the board."""

    seat: Seat
    side: int
    worker: int
    at: int
    god: God | None = None


class TurnStarted(msgspec.Struct, frozen=True, tag="turn_started", gc=False):
    """A turn begins; `extra` if it is an additional one."""

    seat: Seat
    ply: int
    extra: bool = False


class Moved(msgspec.Struct, frozen=True, tag="moved", gc=False):
    """A worker moved."""

    seat: Seat
    side: int
    worker: int
    frm: int
    to: int


class Forced(msgspec.Struct, frozen=True, tag="forced", gc=False):
    """A power put a worker elsewhere; that is not a move [santorini 1.1]."""

    seat: Seat
    side: int
    worker: int
    frm: int
    to: int
    god: God


class Built(msgspec.Struct, frozen=True, tag="built", gc=False):
    """A block, now `level` high, or a dome on that level; `by` is the builder's square (-1: nobody's hand)."""

    seat: Seat
    by: int
    at: int
    level: int
    dome: bool
    god: God | None = None


class Razed(msgspec.Struct, frozen=True, tag="razed", gc=False):
    """Blocks were taken away; `level` are left."""

    seat: Seat
    at: int
    level: int
    god: God


class Banished(msgspec.Struct, frozen=True, tag="banished", gc=False):
    """A worker left the board; no god means with its eliminated owner."""

    side: int
    worker: int
    at: int
    god: God | None = None


class TokenPlaced(msgspec.Struct, frozen=True, tag="token_placed", gc=False):
    """A token of a power came onto a square; no god means the Ram."""

    seat: Seat
    at: int
    god: God | None = None


class TokenTaken(msgspec.Struct, frozen=True, tag="token_taken", gc=False):
    """A token of a power left a square."""

    seat: Seat
    at: int
    god: God


class Aimed(msgspec.Struct, frozen=True, tag="aimed", gc=False):
    """A direction was set, or taken back."""

    seat: Seat
    direction: int | None
    god: God


class Bound(msgspec.Struct, frozen=True, tag="bound", gc=False):
    """Two workers were tied to one another."""

    seat: Seat
    own: int
    foe: int
    god: God


class PowerUsed(msgspec.Struct, frozen=True, tag="power_used", gc=False):
    """A once-only power was spent, or one that the steps alone do not show was called on."""

    seat: Seat
    god: God


class PowerChanged(msgspec.Struct, frozen=True, tag="power_changed", gc=False):
    """The power a seat has from now on."""

    seat: Seat
    god: God


class CoinsChanged(msgspec.Struct, frozen=True, tag="coins_changed", gc=False):
    """How many coins or cards a power has."""

    seat: Seat
    count: int
    god: God


class CardDealt(msgspec.Struct, frozen=True, tag="card_dealt", gc=False):
    """Luck dealt a card to a power."""

    seat: Seat
    card: int
    god: God


class Declined(msgspec.Struct, frozen=True, tag="declined", gc=False):
    """Nothing more of what was optional."""

    seat: Seat


class Cancelled(msgspec.Struct, frozen=True, tag="cancelled", gc=False):
    """What a seat tried turned out impossible; the turn is over."""

    seat: Seat


class TurnSkipped(msgspec.Struct, frozen=True, tag="turn_skipped", gc=False):
    """A seat was absent: its turn, or what was left of it, passed, or its choice was made for it."""

    seat: Seat


class Eliminated(msgspec.Struct, frozen=True, tag="eliminated", gc=False):
    """A seat lost; the others play on, or it was the last but one."""

    seat: Seat
    reason: Termination
    god: God | None = None


class Won(msgspec.Struct, frozen=True, tag="won", gc=False):
    """The match is won, by a rule (`how`) or a power."""

    seats: tuple[Seat, ...]
    how: Termination
    god: God | None = None


class Drawn(msgspec.Struct, frozen=True, tag="drawn", gc=False):
    """The match ended with no winner."""

    how: Termination


class Secret(msgspec.Struct, frozen=True, tag="secret", gc=False):
    """An event that only `seats` may learn; `aloud` is what the others learn instead, if anything."""

    seats: tuple[Seat, ...]
    event: Event
    aloud: Event | None = None


Event: TypeAlias = (
    GodProposed
    | GodPicked
    | StartNamed
    | OrderSet
    | WorkerPlaced
    | TurnStarted
    | Moved
    | Forced
    | Built
    | Razed
    | Banished
    | TokenPlaced
    | TokenTaken
    | Aimed
    | Bound
    | PowerUsed
    | PowerChanged
    | CoinsChanged
    | CardDealt
    | Declined
    | Cancelled
    | TurnSkipped
    | Eliminated
    | Won
    | Drawn
    | Secret
)


def show(event: Event, seat: Seat | None) -> Event | None:
    """What a seat (None: a spectator) learns of an event."""
    if isinstance(event, Secret):
        return event.event if seat in event.seats else event.aloud
    return event
