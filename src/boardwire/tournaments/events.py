"""Events of a tournament, and their encoding in the records.

- A tournament is the fold of its events; nothing else is stored about it.
- Events are stored as JSON, tagged by `"event"`. A new field needs a default, and a changed meaning a new event.
- Entrants are numbered from 0 in the order of their entries; rounds and boards from 0, too.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from boardwire.tournaments.setup import TournamentSetup


class Entrant(msgspec.Struct, frozen=True, omit_defaults=True):
    """A participant: a person or program with the key of its seats, or a bot of the server.

    `key` is never sent to a client.
    """

    name: str
    key: str = ""
    bot: str = ""
    account: int = 0
    """Number of the account; 0 for a guest or a bot."""
    rating: float = 0.0
    """Rating at entry, which determines the initial order; equal ratings stay in the order of entry."""


class _Event(msgspec.Struct, frozen=True, gc=False, tag_field="event", tag=str.lower, omit_defaults=True):
    at: float


class Created(_Event, frozen=True):
    """The tournament was announced. `organiser` is the key of the player who may start and cancel it."""

    tournament: str
    setup: TournamentSetup
    organiser: str = ""
    organiser_name: str = ""


class Entered(_Event, frozen=True):
    """A new participant entered; its number is the count of entrants before it."""

    entrant: Entrant


class CheckedIn(_Event, frozen=True):
    """A participant confirmed its presence."""

    number: int


class Withdrawn(_Event, frozen=True):
    """A participant is no longer paired; `absent` if it missed its match or the check-in."""

    number: int
    absent: bool = False


class Rejoined(_Event, frozen=True):
    """A withdrawn participant is paired again."""

    number: int


class Started(_Event, frozen=True):
    """The tournament began with these participants, in the initial order."""

    order: tuple[int, ...]
    rounds: int = 0
    """Rounds of a Swiss tournament."""


class RoundPaired(_Event, frozen=True):
    """A round was paired: the entrants of each board by seat, and those with a bye. An arena extends its one round."""

    round: int
    boards: tuple[tuple[int, int], ...]
    byes: tuple[int, ...] = ()


class GameAssigned(_Event, frozen=True):
    """A match was assigned to a board. A later assignment replaces a match that the server interrupted."""

    round: int
    board: int
    match: str


class ResultReported(_Event, frozen=True):
    """A board was decided: points by seat; without a match it is a walkover."""

    round: int
    board: int
    points: tuple[float, float]
    termination: str = ""


class Finished(_Event, frozen=True):
    """The tournament is over."""


class Cancelled(_Event, frozen=True):
    """The tournament ended without a result; `reason` is a code: `organiser`, `too-few`, `moderator`."""

    reason: str


Event: TypeAlias = (
    Created | Entered | CheckedIn | Withdrawn | Rejoined | Started | RoundPaired | GameAssigned | ResultReported
    | Finished | Cancelled
)  # fmt: skip

encode = msgspec.json.Encoder().encode
"""Encode an event as JSON for the store."""
decode = msgspec.json.Decoder(Event).decode
"""Decode an event from the store."""
