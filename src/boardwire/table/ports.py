"""What a table needs from outside: a place to store events, the time, luck, names, bots.

Each is a small Protocol.  `node.py` plugs real ones in; `boardwire.testing` has scripted ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from boardwire.errors import BoardwireError, Reason, Refused
from boardwire.games.game import Decision, Seat
from boardwire.table.counters import CommitTally
from boardwire.table.events import Event, Player
from boardwire.table.handover import Handover, send_away

if TYPE_CHECKING:
    from boardwire.table.guest import Advised, Guest
    from boardwire.table.match import Match
    from boardwire.table.table import Table


class AppendResult(Enum):
    """What came of an append.  Unless it is stored, nothing of it is."""

    STORED = auto()
    """It is durable."""
    FAILED = auto()
    """It cannot be stored at the moment; the same may be asked again."""
    SUPERSEDED = auto()
    """The match has an event of such a number already: somebody else wrote it, and has the match now."""


Appended: TypeAlias = Callable[[AppendResult], None]
"""Told what came of an append."""


class Wanted(NamedTuple):
    """Which matches a list is of; an empty field, or None, stands for all.  `player` is the name of somebody who sat
    down, `over` says whether the match has ended."""

    game: str = ""
    player: str = ""
    over: bool | None = None


class ReadEvents(Protocol):
    """Reads the events of matches."""

    def __call__(self, match: str, after: int = 0, /) -> Sequence[Event]:
        """Return the events of a match that come after event number `after`, in order; see `Journal.read`."""


class Journal(Protocol):
    """Where events are kept for ever: the one contract of all stores (`boardwire.store`).

    It stands here, because a table is the lowest of those who need one, and may not know the stores themselves; the
    HTTP interface and the node use it too.

    Rules:

    - Events of a match are numbered from 1, without a gap, and never change.  The first is its opening.
    - What is appended together is stored together, or not at all.
    - Whatever appends, asks how it stands or closes is its owner, on one thread.  Reading may be done on any thread,
      and finds what is durable; `Refused` says why it cannot be read.
    """

    def append(self, match: str, first: int, events: Sequence[Event], done: Appended, /) -> None:
        """Store `events`, numbered from `first`, and tell `done` what came of it: once, in the order of the appends, on
        the owner's thread, perhaps before this returns."""

    def read(self, match: str, after: int = 0, /) -> Sequence[Event]:
        """The events of a match that come after event number `after`, in order; none if there is no such match."""

    def reading(self) -> AbstractContextManager[ReadEvents]:
        """What reads several matches, for less than as many times `read`."""

    def newest(self, before: int | None, count: int, /) -> list[tuple[int, str]]:
        """So many matches with their numbers, newest first, older than number `before`."""

    def of_player(self, key: str, before: int | None, count: int, /) -> list[tuple[int, str]]:
        """The same of the matches in which the player with this key sat down."""

    def listed(self, wanted: Wanted, before: int | None, count: int, /) -> list[tuple[int, str]]:
        """The same of the matches of public tables that are wanted.  The cost depends on the count alone."""

    def unfinished(self) -> Iterable[str]:
        """The matches that were opened and not ended, oldest first."""

    @property
    def busy(self) -> bool:
        """Whether something is not stored yet, and nobody was told."""

    @property
    def waiting(self) -> int:
        """How many appends are gathered for the next commit."""

    @property
    def tally(self) -> CommitTally:
        """How many commits there were, and how long they took."""

    @property
    def failing(self) -> bool:
        """Whether nothing could be stored the last time it was tried."""

    def probe(self) -> None:
        """Try to store something, to see whether it can be done again."""

    def close(self) -> None:
        """Store what is gathered, wait for it, and let go of what the store needs."""


class GuestTable(Protocol):
    """The table that a guest is at: a `Table`, or a replica of one that another node hosts."""

    @property
    def match(self) -> Match:
        """The match as far as its events are durable and known here."""

    @property
    def guests(self) -> tuple[Guest, ...]:
        """The guests at the table, seated or not."""

    def seat_of(self, guest: Guest, /) -> Seat | None:
        """Return the seat of a guest, or None for a spectator."""

    def expects(self, guest: Guest, /) -> bool:
        """Whether a request of this guest for a seat is still unanswered."""

    def do(self, guest: Guest | None, command: Any, /) -> None:
        """Carry out a command.  The answer is a notification: a step, or a refusal to this guest alone."""

    def leave(self, guest: Guest, /) -> None:
        """Remove a guest that has left, and give up its seat."""


class ListedTable(GuestTable, Protocol):
    """A table that the lobby lists: a `Table`, or a stub of one that another node hosts."""

    @property
    def audience(self) -> int:
        """The number of spectators."""

    @property
    def held(self) -> bool:
        """Whether guests of this table are moving to another one, and nothing is done meanwhile."""

    @property
    def superseded(self) -> bool:
        """Whether another process or node has taken over the match."""

    @property
    def ends(self) -> bool:
        """Whether the match is over, or will be once pending events are durable."""

    @property
    def is_stored(self) -> bool:
        """Whether the journal has the match, or will once pending events are durable."""

    @property
    def quiet(self) -> bool:
        """Whether the table is idle, so that its guests may be moved."""

    def is_left(self, seat: Seat, /) -> bool:
        """Whether the player of a seat is away and may return to it."""

    def is_in_play(self, seat: Seat, /) -> bool:
        """Whether a seat has not been eliminated from a match in progress."""

    def watch(self, guest: Guest, /) -> None:
        """Let a guest follow the match without a seat."""


Report: TypeAlias = Callable[[str, Exception], None]
"""Told of a fault of ours, or that a match is `Superseded`, with the name of the match in which it showed."""


def no_report(match: str, error: Exception) -> None:
    """Nobody wants to know."""


class Keeper(Protocol):
    """Whoever keeps tables: counts their seats, and lists them."""

    def changed(self, table: ListedTable, /) -> None:
        """Seats or status may have changed."""

    def settled(self, table: ListedTable, /) -> None:
        """It waits for players, and has nothing more in hand."""

    def freed(self, table: ListedTable, /) -> None:
        """A seat that was taken or promised is free again; that it has changed is told next."""

    def expects(self, table: ListedTable, /) -> bool:
        """Whether seats are promised to somebody who does not sit there yet."""

    def holds(self, guest: Guest, match: Match, seat: Seat, /) -> bool:
        """Whether the seat of `guest`, who goes, can be held."""

    def superseded(self, table: ListedTable, rest: Handover, /) -> None:
        """Somebody else has the match now, and nobody is at this table any more; that it has changed is told next."""


class NoKeeper:
    """A table that nobody keeps."""

    def changed(self, table: ListedTable) -> None:
        return None

    def settled(self, table: ListedTable) -> None:
        return None

    def freed(self, table: ListedTable) -> None:
        return None

    def expects(self, table: ListedTable) -> bool:
        return False

    def holds(self, guest: Guest, match: Match, seat: Seat) -> bool:
        return True

    def superseded(self, table: ListedTable, rest: Handover) -> None:
        send_away(rest)


class Timer(Protocol):
    """A call that is to come."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    """The time, and calls at a later time."""

    def now(self) -> float:
        """Seconds since the epoch."""

    def later(self, seconds: float, call: Callable[[], None], /) -> Timer: ...


class Dealer(Protocol):
    """Answers for chance."""

    def deal(self, decision: Decision[Any], /) -> Any:
        """One of the decision's choices, as likely as the rules say."""


class Names(Protocol):
    """Makes up names that nobody can guess and that never repeat."""

    def match(self) -> str: ...
    def code(self) -> str: ...
    def token(self) -> str: ...


class Bots(Protocol):
    """Puts programs of our own into seats."""

    def player(self, game: str, /) -> Player | None:
        """Who would play on in a seat that was left; None if nobody can."""

    def knows(self, bot: str, /) -> bool:
        """Whether there is a bot of this name."""

    def sit(self, table: Table, seat: Seat, player: Player, /) -> None:
        """Let the bot `player` play `seat` from now on."""

    def advise(
        self, match: Match, seat: Seat, address: str, done: Callable[[Advised | BoardwireError], None], /
    ) -> None:
        """Find what is good for `seat`, which is asked, and tell `done`, once; `Refused` if that cannot be done.

        `address` is the client address that asks: thinking time is shared fairly between addresses.
        """


class NoBots:
    """A house without bots."""

    def player(self, game: str) -> Player | None:
        return None

    def knows(self, bot: str) -> bool:
        return False

    def sit(self, table: Table, seat: Seat, player: Player) -> None:
        return None

    def advise(self, match: Match, seat: Seat, address: str, done: Callable[[Advised | BoardwireError], None]) -> None:
        raise Refused("nobody here gives advice", reason=Reason.UNAVAILABLE)
