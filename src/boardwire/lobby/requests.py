"""What a guest can ask of the lobby, besides commands for its table.

The answer is news (`guest.py`): `Seated`, `Watching`, ... or a `Refusal` with a reason.
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
    """Sit me down at a table like this: the oldest one that waits, or a new one."""

    game: str
    seats: int
    player: Player
    options: Any = None
    """The game's options for a new table; None: its defaults."""
    policy: Policy | None = None
    """How a new table is run; None: as the house does it."""
    terms: tuple[Hashable, ...] = ()
    """What must be equal for two guests to meet, beyond the game and the number of seats."""
    wish: Any = None
    ready: bool = True
    private: bool = False
    """Open a table of my own, to be joined by its code."""
    fresh: bool = False
    """Open a table of my own, public."""
    named: bool = False
    """Let nobody be brought there who does not name it."""
    seat: Seat | None = None
    returns: bool = False
    """If a player of this name and dialect has left a seat in mid-play, I am that one."""
    bots: tuple[tuple[Seat, Player], ...] = ()
    """Bots that sit down at once, where this opens a table."""
    tie: Tie = Tie.NOTHING


class Enter(msgspec.Struct, frozen=True):
    """Sit me down at this table."""

    match: str
    player: Player
    code: str = ""
    wish: Any = None
    seat: Seat | None = None
    ready: bool = True
    tie: Tie = Tie.TABLE


class Resume(msgspec.Struct, frozen=True):
    """Give me back my seat in this match."""

    match: str
    seat: Seat
    key: str


class Reclaim(msgspec.Struct, frozen=True):
    """Give me back the seat that a player of this name and dialect left in mid-play.  News: `Seated`, or `NotHeld`."""

    player: Player


class Watch(msgspec.Struct, frozen=True):
    """Let me follow this match."""

    match: str
    code: str = ""


class Open(msgspec.Struct, frozen=True):
    """Open a public table like this without sitting down; I watch it."""

    seek: Seek


class Attend(msgspec.Struct, frozen=True):
    """Let me follow the table of this game that is being filled: the oldest that waits, or, if there is none
    (`NoTable`), the next one that is opened.  `dialect` counts where dialects are kept apart."""

    game: str
    dialect: str
    seats: tuple[int, ...] = ()
    """The sizes of tables I know; none: any size."""
    tie: Tie = Tie.NOTHING


class Claim(msgspec.Struct, frozen=True):
    """Let nobody else in this house have this name, compared without case, within `scope` (a dialect's name)."""

    name: str
    scope: str


class Unclaim(msgspec.Struct, frozen=True):
    """I give up the name I claimed."""


class Introduce(msgspec.Struct, frozen=True):
    """I am the player with this token, and am called so; without one, give me a new one.  News: `Introduced`."""

    token: str = ""
    name: str = ""


class Survey(msgspec.Struct, frozen=True):
    """Which public tables are there (of this game)?  News: `Surveyed`.  With `shared`, what others were told a moment
    ago will do: to be shown, not to decide by."""

    game: str = ""
    shared: bool = False


class Advise(msgspec.Struct, frozen=True):
    """What would be good here?  For whoever is asked at a table for practice.  News: `Advised`, when it is found."""


class Rematch(msgspec.Struct, frozen=True):
    """The match is over; I want another one with the same players.  When all people at the table do, it begins."""


class Depart(msgspec.Struct, frozen=True):
    """I leave the table I am at."""


class Decline(msgspec.Struct, frozen=True):
    """I have refused my peer something myself, for this reason: let it be counted.  It comes back as a `Refusal`."""

    reason: BoardwireError


Errand: TypeAlias = (
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
ERRANDS: Final = frozenset(
    {
        Seek, Enter, Resume, Reclaim, Watch, Open, Attend, Claim, Unclaim, Introduce, Survey, Advise, Rematch, Depart,
        Decline,
    }
)  # fmt: skip
