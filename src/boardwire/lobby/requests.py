"""Requests that guests send to the lobby, besides commands for their table.

The answer is a notification (`table/guest.py`): `Seated`, `Watching` and so on, or a `Refusal` with a reason.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Final, TypeAlias

import msgspec

from boardwire.errors import BoardwireError
from boardwire.games.game import Seat
from boardwire.table.events import Player
from boardwire.table.guest import Tie
from boardwire.table.policy import Policy


class Seek(msgspec.Struct, frozen=True):
    """Request a seat at the oldest waiting table that matches, or at a new one."""

    game: str
    seats: int
    player: Player
    options: Any = None
    """Options of the game for a new table; None: its defaults."""
    policy: Policy | None = None
    """Policy of a new table; None: the server's default."""
    terms: tuple[Hashable, ...] = ()
    """Terms that two guests must share to meet, beyond the game and the number of seats."""
    wish: Any = None
    ready: bool = True
    private: bool = False
    """Open a private table, which is joined by its code."""
    fresh: bool = False
    """Open a new public table even if another one matches."""
    named: bool = False
    """Admit only guests that give the id of the new table."""
    seat: Seat | None = None
    returns: bool = False
    """Return to a seat that a player of this name and dialect left in mid-play, if there is one."""
    bots: tuple[tuple[Seat, Player], ...] = ()
    """Bots to seat at once if this opens a table."""
    tie: Tie = Tie.NOTHING


class Enter(msgspec.Struct, frozen=True):
    """Request a seat at a given table."""

    match: str
    player: Player
    code: str = ""
    wish: Any = None
    seat: Seat | None = None
    ready: bool = True
    tie: Tie = Tie.TABLE


class Resume(msgspec.Struct, frozen=True):
    """Return to a seat, as the player with `key`."""

    match: str
    seat: Seat
    key: str
    others: tuple[str, ...] = ()
    """Other keys of the same player."""


class Reclaim(msgspec.Struct, frozen=True):
    """Return to a seat that a player of this name and dialect left in mid-play. Answer: `Seated` or `NotHeld`."""

    player: Player


class Watch(msgspec.Struct, frozen=True):
    """Watch a match."""

    match: str
    code: str = ""


class Open(msgspec.Struct, frozen=True):
    """Open a public table without taking a seat, and watch it."""

    seek: Seek


class Attend(msgspec.Struct, frozen=True):
    """Watch the oldest waiting table of a game or, if there is none (`NoTable`), the next one that opens.

    `dialect` matters only if the lobby keeps dialects apart.
    """

    game: str
    dialect: str
    seats: tuple[int, ...] = ()
    """Supported numbers of seats; empty: any."""
    tie: Tie = Tie.NOTHING


class Claim(msgspec.Struct, frozen=True):
    """Reserve a name, compared without case, within `scope` (the name of a dialect)."""

    name: str
    scope: str


class Unclaim(msgspec.Struct, frozen=True):
    """Release the reserved name."""


class Introduce(msgspec.Struct, frozen=True):
    """Identify the player by a token, or request a new token. Answer: `Introduced`.

    `keys` are the keys of a player with an account, its own first; empty: the key is the hash of the token.
    """

    token: str = ""
    name: str = ""
    keys: tuple[str, ...] = ()


class Survey(msgspec.Struct, frozen=True):
    """List the public tables (of a game). Answer: `Surveyed`.

    With `shared`, the list may be a moment old: good for display, not for decisions. With `waiting`, it has only the
    tables that wait for players, without their audiences; they are found without a walk over all tables.
    """

    game: str = ""
    shared: bool = False
    waiting: bool = False


class Advise(msgspec.Struct, frozen=True):
    """Request a hint on one's own turn at a practice table. Answer: `Advised`, when the bot has found one."""


class Rematch(msgspec.Struct, frozen=True):
    """Request another match with the same players. It begins when all people at the table have requested it."""


class Depart(msgspec.Struct, frozen=True):
    """Leave the table."""


class Decline(msgspec.Struct, frozen=True):
    """Count a request that the dialect refused itself. Answer: `Refusal`."""

    reason: BoardwireError


LobbyRequest: TypeAlias = (
    Seek
    | Enter
    | Resume
    | Reclaim
    | Watch
    | Open
    | Attend
    | Claim
    | Unclaim
    | Introduce
    | Survey
    | Advise
    | Rematch
    | Depart
    | Decline
)
LOBBY_REQUESTS: Final = frozenset(
    {
        Seek, Enter, Resume, Reclaim, Watch, Open, Attend, Claim, Unclaim, Introduce, Survey, Advise, Rematch, Depart,
        Decline,
    }
)  # fmt: skip
