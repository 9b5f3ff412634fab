"""Whoever is at a table, and the news a table has for them.

A guest is one end of a conversation: a connection, a bot, a test.  The table calls `tell` with news; the guest asks
things of the table by commands.  News are values that all guests share: nobody changes them.
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
    """What keeps a guest that waits for players where it is: what its protocol has said and cannot take back."""

    NOTHING = auto()
    """It may be brought to another table, and to another seat."""
    SEAT = auto()
    """It knows its seat: it may be brought to the same one."""
    COMPANY = auto()
    """It knows who is there: it may be brought elsewhere together with all of them."""
    TABLE = auto()
    """It chose this very table."""


class Seated(msgspec.Struct, frozen=True):
    """You sit at `seat`.  The step in which that happened follows.

    Whoever waits at a public table may hear it again, of another table (see `Tie`): it sits there from now on."""

    match: Match
    seat: Seat
    follows: bool = True
    """False where nothing happened: the player was not away."""


class Watching(msgspec.Struct, frozen=True):
    """You watch this match from now on; perhaps another than before, see `Seated`."""

    match: Match


class Step(msgspec.Struct, frozen=True, gc=False):
    """What one command led to: its moments, in order, all of them durable."""

    moments: tuple[Moment, ...]
    memo: dict[Any, Any] = msgspec.field(default_factory=dict)
    """What dialects made of this step for all readers alike, so that it is encoded once."""

    @property
    def match(self) -> Match:
        return self.moments[-1].match


class Corrected(msgspec.Struct, frozen=True):
    """The position was replaced, without a step, by what another server shows; any request under way is settled.

    Only tables that follow a match of another server (`boardwire adapt`) send it."""

    match: Match


class Refusal(msgspec.Struct, frozen=True):
    """What you asked was not done, and why.  Nothing changed, and nobody else heard of it."""

    command: Any
    reason: BoardwireError


class Displaced(msgspec.Struct, frozen=True):
    """The same player has come back by another way: your seat is no longer yours."""


class NoTable(msgspec.Struct, frozen=True):
    """No table of the game waits for players just now; you will be watching the next one that does."""


class NotHeld(msgspec.Struct, frozen=True):
    """No seat is held for a player of your name and dialect."""


class Claimed(msgspec.Struct, frozen=True):
    """The name is yours, in this house, until you give it up or go."""

    name: str


class Introduced(msgspec.Struct, frozen=True):
    """Who you are: the token to show next time, the key that is kept of it, and the seats that are yours."""

    token: str
    key: str
    kept: tuple[tuple[Match, Seat], ...]


class Surveyed(msgspec.Struct, frozen=True):
    """The matches at public tables, whether no more are begun just now, and how many watch, by match, where anybody
    does."""

    matches: tuple[Match, ...]
    full: bool = False
    audiences: dict[str, int] = {}
    memo: dict[Any, Any] = msgspec.field(default_factory=dict)
    """What was made of it for all readers alike, as in a step."""


class Advised(msgspec.Struct, frozen=True):
    """What is good, in the view of an engine, for the decision that was open at event `seq`: the rest of the turn as
    actions, and what is expected then; what the match is worth to you, from -1 (lost) to 1 (won); the turns to a
    certain win, or below zero to a certain loss; and what the engine foresees in the game's own numbers."""

    match: Match
    seq: int
    turn: tuple[Any, ...]
    value: float
    line: tuple[Any, ...] = ()
    proved: int = 0
    forecast: Any = None


class RematchWanted(msgspec.Struct, frozen=True):
    """These seats want to play again; with those that are `gone` nobody can."""

    seats: tuple[Seat, ...]
    gone: tuple[Seat, ...] = ()


class Audience(msgspec.Struct, frozen=True):
    """So many watch the match; some of their names.  Only those hear of it who have introduced themselves."""

    count: int
    names: tuple[str, ...]


News: TypeAlias = (
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
)


class Guest:
    """One listener, with the table it is at, what ties it to that, and the name it has claimed, if any.

    `household` is the address (or network) that it comes from, `key` that of the player it has introduced itself as,
    and `name` what it is called; empty where there is none.  A `bot` is there only while somebody else is.  `close`
    ends its conversation, for a reason that no protocol has words for: the match is no longer played at this table, and
    yet it is not over.  `answered` is for one who stands for somebody elsewhere: it hears which command of its own the
    next step is the answer to."""

    __slots__ = ("answered", "bot", "claim", "close", "household", "key", "name", "table", "tell", "tie")

    def __init__(
        self,
        tell: Callable[[News], None],
        household: str = "",
        *,
        bot: bool = False,
        close: Callable[[BoardwireError], None] = lambda reason: None,
    ) -> None:
        self.tell = tell
        self.close = close
        self.answered: Callable[[Any], None] | None = None
        self.household = household
        self.bot = bot
        self.key = ""
        self.name = ""
        self.table: GuestTable | None = None
        self.tie = Tie.NOTHING
        self.claim: tuple[str, str] | None = None
