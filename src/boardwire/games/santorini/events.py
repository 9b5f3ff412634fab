"""Events: what happened, and why.

An event contains everything that a dialect or the page needs to show a step. `seat` is the seat whose turn or choice it
was, `side` and `worker` (its number) identify a worker, `god` is the power that caused the event. `Secret` wraps an
event that only some seats may see.
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
    """Only the winner is known: the source, a position in notation or a protocol, states no reason."""


class GodProposed(msgspec.Struct, frozen=True, tag="god_proposed", gc=False):
    """A god joined the offer; `seat` is None if chance drew it."""

    seat: Seat | None
    god: God


class GodPicked(msgspec.Struct, frozen=True, tag="god_picked", gc=False):
    """A seat has got its god."""

    seat: Seat
    god: God


class StartNamed(msgspec.Struct, frozen=True, tag="start_named", gc=False):
    """The god whose owner begins was named."""

    seat: Seat
    god: God


class OrderSet(msgspec.Struct, frozen=True, tag="order_set", gc=False):
    """The order of play was set; the first seat places first."""

    order: tuple[Seat, ...]


class WorkerPlaced(msgspec.Struct, frozen=True, tag="worker_placed", gc=False):
    """A worker was placed."""

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
    """A power put a worker onto another square, which is not a move [santorini 1.1]."""

    seat: Seat
    side: int
    worker: int
    frm: int
    to: int
    god: God


class Built(msgspec.Struct, frozen=True, tag="built", gc=False):
    """A block was built, up to `level`, or a dome on that level; `by` is the builder's square (-1: none)."""

    seat: Seat
    by: int
    at: int
    level: int
    dome: bool
    god: God | None = None


class Razed(msgspec.Struct, frozen=True, tag="razed", gc=False):
    """Blocks were removed; `level` remain."""

    seat: Seat
    at: int
    level: int
    god: God


class Banished(msgspec.Struct, frozen=True, tag="banished", gc=False):
    """A worker left the board, because of a power or, without a god, because its owner was eliminated."""

    side: int
    worker: int
    at: int
    god: God | None = None


class TokenPlaced(msgspec.Struct, frozen=True, tag="token_placed", gc=False):
    """A token of a power or, without a god, the Ram was placed."""

    seat: Seat
    at: int
    god: God | None = None


class TokenTaken(msgspec.Struct, frozen=True, tag="token_taken", gc=False):
    """A token of a power was removed."""

    seat: Seat
    at: int
    god: God


class Aimed(msgspec.Struct, frozen=True, tag="aimed", gc=False):
    """A direction was set, or removed (None)."""

    seat: Seat
    direction: int | None
    god: God


class Bound(msgspec.Struct, frozen=True, tag="bound", gc=False):
    """Two workers were tied together."""

    seat: Seat
    own: int
    foe: int
    god: God


class PowerUsed(msgspec.Struct, frozen=True, tag="power_used", gc=False):
    """A once-only power was spent, or a power was used in a way that the steps alone do not show."""

    seat: Seat
    god: God


class PowerChanged(msgspec.Struct, frozen=True, tag="power_changed", gc=False):
    """A seat has another power from now on."""

    seat: Seat
    god: God


class CoinsChanged(msgspec.Struct, frozen=True, tag="coins_changed", gc=False):
    """The number of coins or cards of a power changed."""

    seat: Seat
    count: int
    god: God


class CardDealt(msgspec.Struct, frozen=True, tag="card_dealt", gc=False):
    """Chance dealt a card to a power."""

    seat: Seat
    card: int
    god: God


class Declined(msgspec.Struct, frozen=True, tag="declined", gc=False):
    """A seat declined its optional actions."""

    seat: Seat


class Cancelled(msgspec.Struct, frozen=True, tag="cancelled", gc=False):
    """An action turned out to be impossible; the turn is over."""

    seat: Seat


class TurnSkipped(msgspec.Struct, frozen=True, tag="turn_skipped", gc=False):
    """A seat was absent: the rest of its turn was passed, or its choice was made for it."""

    seat: Seat


class Eliminated(msgspec.Struct, frozen=True, tag="eliminated", gc=False):
    """A seat lost."""

    seat: Seat
    reason: Termination
    god: God | None = None


class Won(msgspec.Struct, frozen=True, tag="won", gc=False):
    """The match was won by the rule `how`, or by a power."""

    seats: tuple[Seat, ...]
    how: Termination
    god: God | None = None


class Drawn(msgspec.Struct, frozen=True, tag="drawn", gc=False):
    """The match ended without a winner."""

    how: Termination


class Secret(msgspec.Struct, frozen=True, tag="secret", gc=False):
    """An event that only `seats` may see; `aloud` is the event for all others, if any."""

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
    """Return the part of an event that a seat (None: a spectator) may see, or None."""
    if isinstance(event, Secret):
        return event.event if seat in event.seats else event.aloud
    return event
