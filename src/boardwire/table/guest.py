"""Guests of a table, and the notifications they receive.

A guest is one end of a conversation: a connection, a bot or a test. The table calls `tell` with notifications; the
guest sends commands. All guests share the notifications, which are immutable.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from boardwire.errors import BoardwireError
from boardwire.games.game import Seat
from boardwire.table.match import Match, Moment

if TYPE_CHECKING:
    from boardwire.table.ports import GuestTable


class Tie(Enum):
    """Limit on moving a waiting guest to another table, set by what its protocol has already announced."""

    NOTHING = auto()
    """The guest may move to any seat of another table."""
    SEAT = auto()
    """The guest knows its seat, and may move only to the same seat."""
    COMPANY = auto()
    """The guest knows the other players, and may move only together with all of them."""
    TABLE = auto()
    """The guest chose this table, and must stay."""
    TERMS = auto()
    """The guest chose the options and the clock, and may move only to a table with the same ones."""


class Seated(msgspec.Struct, frozen=True):
    """The guest has been seated. The step that seated it follows.

    A guest that waits at a public table may receive it again for another table (see `Tie`), where it sits from then on.
    """

    match: Match
    seat: Seat
    follows: bool = True
    """False if no step follows, because the player was not away."""


class Watching(msgspec.Struct, frozen=True):
    """The guest watches this match, which may replace another one (see `Seated`)."""

    match: Match


class Step(msgspec.Struct, frozen=True, gc=False):
    """The durable events of one command, in order."""

    moments: tuple[Moment, ...]
    memo: dict[Any, Any] = msgspec.field(default_factory=dict)
    """Cache of encoded messages: a dialect encodes a step once for all guests."""

    @property
    def match(self) -> Match:
        return self.moments[-1].match


class Corrected(msgspec.Struct, frozen=True):
    """The position was replaced by that of another server, without a step; pending requests are dropped.

    Only tables that follow a match on another server (`boardwire adapt`) send it.
    """

    match: Match


class Refusal(msgspec.Struct, frozen=True):
    """A command was refused, with the reason. Nothing changed, and no other guest was notified."""

    command: Any
    reason: BoardwireError


class Displaced(msgspec.Struct, frozen=True):
    """The player has returned over another connection, which now has the seat."""


class NoTable(msgspec.Struct, frozen=True):
    """No table of the game is waiting; the guest will watch the next one that opens."""


class NotHeld(msgspec.Struct, frozen=True):
    """No seat is held for a player of this name and dialect."""


class Claimed(msgspec.Struct, frozen=True):
    """The name is reserved until the guest releases it or disconnects."""

    name: str


class Introduced(msgspec.Struct, frozen=True):
    """The identity of the player: its token, the key stored for it, its seats in unfinished matches, and its name.

    The name differs from the requested one if that belongs to another player.
    """

    token: str
    key: str
    held_seats: tuple[tuple[Match, Seat], ...]
    name: str = ""


class Surveyed(msgspec.Struct, frozen=True):
    """The matches at public tables, whether the server is full, and the number of spectators by match."""

    matches: tuple[Match, ...]
    full: bool = False
    audiences: dict[str, int] = {}
    memo: dict[Any, Any] = msgspec.field(default_factory=dict)
    """Cache of encoded messages, as in `Step`."""


class Advised(msgspec.Struct, frozen=True):
    """Hint of an engine for the decision pending at event `seq`.

    - `turn`: the rest of the turn as actions; `line`: the expected continuation.
    - `value`: from -1 (lost) to 1 (won) for the guest.
    - `proved`: the number of turns to a proved win (positive) or loss (negative); 0: nothing is proved.
    - `forecast`: the engine's forecast in terms of the game.
    """

    match: Match
    seq: int
    turn: tuple[Any, ...]
    value: float
    line: tuple[Any, ...] = ()
    proved: int = 0
    forecast: Any = None


class RematchWanted(msgspec.Struct, frozen=True):
    """Seats that requested a rematch, and seats whose players have left."""

    seats: tuple[Seat, ...]
    gone: tuple[Seat, ...] = ()


class Audience(msgspec.Struct, frozen=True):
    """Number of spectators and some of their names. Only guests with a name receive it."""

    count: int
    names: tuple[str, ...]


class Announced(msgspec.Struct, frozen=True):
    """Announcement from the server to all its guests; an empty text withdraws it. Only native guests receive it."""

    number: int
    text: str
    until: float = 0.0
    """Time at which it expires, in seconds since the epoch; 0: never."""


class Challenged(msgspec.Struct, frozen=True):
    """Another player offers a seat at a private table. Only native guests receive it."""

    number: int
    name: str
    account: int
    game: str
    match: str
    code: str
    rated: bool
    until: float
    """Time at which it expires, in seconds since the epoch."""


Notification: TypeAlias = (
    Seated
    | Watching
    | Step
    | Corrected
    | Refusal
    | Displaced
    | NoTable
    | NotHeld
    | Claimed
    | Introduced
    | Surveyed
    | Advised
    | RematchWanted
    | Audience
    | Announced
    | Challenged
)


class Guest:
    """One end of a conversation, with its table, its tie to the table and its reserved name.

    - `tell` receives notifications.
    - `address_key`: the address or network of the client; `key`: the key of the player; `name`: its name. Each is empty
      if there is none.
    - `bot`: whether the guest is a bot, which does not keep a table open.
    - `port`: the port of the server to which the client has connected; 0: unknown.
    - `close` ends the conversation if the match continues at another server, which no protocol can express.
    - `on_answer` receives the command that the next step answers, for guests that represent a guest on another node.
    - `reserved_seat`: the match and seat of the seat port to which the guest has connected; None: a shared port.
    """

    __slots__ = (
        "address_key", "bot", "claim", "close", "key", "name", "on_answer", "port", "reserved_seat", "table", "tell",
        "tie",
    )  # fmt: skip

    def __init__(
        self,
        tell: Callable[[Notification], None],
        address_key: str = "",
        *,
        bot: bool = False,
        close: Callable[[BoardwireError], None] = lambda reason: None,
        port: int = 0,
    ) -> None:
        self.tell = tell
        self.close = close
        self.on_answer: Callable[[Any], None] | None = None
        self.address_key = address_key
        self.bot = bot
        self.port = port
        self.key = ""
        self.name = ""
        self.table: GuestTable | None = None
        self.tie = Tie.NOTHING
        self.claim: tuple[str, str] | None = None
        self.reserved_seat: tuple[str, Seat] | None = None
