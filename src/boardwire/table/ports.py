"""Ports of tables and lobby: journal, clock, dealer, names, bots, observer.

Each port is a small Protocol. `node.py` provides the real adapters, `boardwire.simulation` scripted ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from boardwire.errors import BoardwireError, Reason, Refused
from boardwire.games.game import Decision, Seat
from boardwire.table.counters import CommitCounters
from boardwire.table.events import Event, Player
from boardwire.table.handover import Handover, dismiss

if TYPE_CHECKING:
    from boardwire.table.guest import Advised, Guest
    from boardwire.table.match import Match
    from boardwire.table.table import Table


class AppendResult(Enum):
    """Result of an append, which is stored as a whole or not at all."""

    STORED = auto()
    """The events are durable."""
    FAILED = auto()
    """The events cannot be stored at the moment; the caller may try again."""
    SUPERSEDED = auto()
    """The match already has an event with this number: another process has taken it over."""


Appended: TypeAlias = Callable[[AppendResult], None]
"""Called with the result of an append."""


class MatchFilter(NamedTuple):
    """Filter for lists of matches; an empty field or None matches all.

    `player` is the name of a player who took a seat; `over` selects finished or unfinished matches.
    """

    game: str = ""
    player: str = ""
    over: bool | None = None


Check: TypeAlias = Callable[[], None]
"""Called periodically by long work; it may block for a while, or raise to end the work."""


def never_stop() -> None:
    """Default `Check`: continue."""


class ReadEvents(Protocol):
    """Function that reads the events of a match."""

    def __call__(self, match: str, after: int = 0, check: Check = never_stop, /) -> Sequence[Event]:
        """Return the events of a match after number `after`, in order; see `Journal.read`."""


class Journal(Protocol):
    """Append-only store of events: the contract of all stores (`boardwire.store`).

    It is declared here because the table is the lowest layer that uses it.

    - Events of a match are numbered from 1 without gaps and never change. The first is its opening.
    - Events that are appended together are stored together or not at all.
    - One thread, the owner's, appends, queries the state and closes. Any thread may read; it sees durable events
      only; a match that cannot be read raises `Refused`.
    """

    def append(self, match: str, first: int, events: Sequence[Event], done: Appended, /) -> None:
        """Store `events`, numbered from `first`, and call `done` once with the result.

        Calls come in the order of the appends, on the owner's thread, perhaps before this returns.
        """

    def read(self, match: str, after: int = 0, check: Check = never_stop, /) -> Sequence[Event]:
        """Return the events of a match after number `after`, in order; empty for an unknown match.

        No transaction is open while `check` runs, so a reader that pauses there delays no writer.
        """

    def reading(self) -> AbstractContextManager[ReadEvents]:
        """Return a reader that is cheaper than `read` for several matches."""

    def newest(self, before: int | None, count: int, /) -> list[tuple[int, str]]:
        """Return up to `count` matches with their numbers, newest first, older than number `before`."""

    def of_player(self, key: str, before: int | None, count: int, /) -> list[tuple[int, str]]:
        """Return the same for the matches of the player with this key."""

    def list_public(self, criteria: MatchFilter, before: int | None, count: int, /) -> list[tuple[int, str]]:
        """Return the same for matches of public tables that pass the filter. The cost depends only on `count`."""

    def unfinished(self) -> Iterable[str]:
        """Return the unfinished matches, oldest first."""

    @property
    def busy(self) -> bool:
        """Whether an append is pending."""

    @property
    def waiting(self) -> int:
        """Number of appends collected for the next commit."""

    @property
    def tally(self) -> CommitCounters:
        """Counters of the commits."""

    @property
    def failing(self) -> bool:
        """Whether the last commit failed."""

    def probe(self) -> None:
        """Try a commit to find out whether the store works again."""

    def close(self) -> None:
        """Commit the pending appends and release all resources."""


class GuestTable(Protocol):
    """The table that a guest is at: a `Table`, or a replica of one that another node hosts."""

    @property
    def match(self) -> Match:
        """The match after the durable events that are known here."""

    @property
    def guests(self) -> tuple[Guest, ...]:
        """The guests at the table, seated or not."""

    def seat_of(self, guest: Guest, /) -> Seat | None:
        """Return the seat of a guest, or None for a spectator."""

    def expects(self, guest: Guest, /) -> bool:
        """Return whether a request of this guest for a seat is still unanswered."""

    def do(self, guest: Guest | None, command: Any, /) -> None:
        """Handle a command. The answer is a notification: a step, or a refusal to this guest only."""

    def leave(self, guest: Guest, /) -> None:
        """Remove a guest that has left, and give up its seat."""


class ListedTable(GuestTable, Protocol):
    """A table that the lobby lists: a `Table`, or a stub of one that another node hosts."""

    @property
    def audience(self) -> int:
        """The number of spectators."""

    @property
    def held(self) -> bool:
        """Whether the table is paused because guests move to another table."""

    @property
    def superseded(self) -> bool:
        """Whether another process or node has taken over the match."""

    @property
    def ends(self) -> bool:
        """Whether the match is over, or will be when the pending events are durable."""

    @property
    def is_stored(self) -> bool:
        """Whether the journal has the match, or will have it when the pending events are durable."""

    @property
    def idle(self) -> bool:
        """Whether the table is idle, so that its guests may be moved."""

    def is_left(self, seat: Seat, /) -> bool:
        """Return whether the player of a seat is away and may return."""

    def is_in_play(self, seat: Seat, /) -> bool:
        """Return whether a seat still takes part in a match in progress."""

    def watch(self, guest: Guest, /) -> None:
        """Let a guest follow the match without a seat."""


ReportFault: TypeAlias = Callable[[str, Exception], None]
"""Called with the id of a match and an exception at its table: a fault of the server, or `Superseded`."""


def no_report(match: str, error: Exception) -> None:
    """Ignore a fault."""


class TableObserver(Protocol):
    """Observer of tables, such as the lobby, which lists them and counts their seats."""

    def changed(self, table: ListedTable, /) -> None:
        """Called when the seats or the status may have changed."""

    def settled(self, table: ListedTable, /) -> None:
        """Called when the table waits for players and is idle."""

    def freed(self, table: ListedTable, /) -> None:
        """Called when a taken or reserved seat is free again; `changed` follows."""

    def expects(self, table: ListedTable, /) -> bool:
        """Return whether a seat is reserved for a guest that is not seated yet."""

    def try_hold(self, guest: Guest, match: Match, seat: Seat, /) -> bool:
        """Count the seat of a leaving guest as held; return False if it may not be held."""

    def superseded(self, table: ListedTable, handover: Handover, /) -> None:
        """Called when another process has taken over the match and all guests have been released; `changed` follows."""


class NoObserver:
    """Observer that ignores everything."""

    def changed(self, table: ListedTable) -> None:
        return None

    def settled(self, table: ListedTable) -> None:
        return None

    def freed(self, table: ListedTable) -> None:
        return None

    def expects(self, table: ListedTable) -> bool:
        return False

    def try_hold(self, guest: Guest, match: Match, seat: Seat) -> bool:
        return True

    def superseded(self, table: ListedTable, handover: Handover) -> None:
        dismiss(handover)


class Timer(Protocol):
    """A scheduled call."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    """Current time and scheduled calls."""

    def now(self) -> float:
        """Return the time in seconds since the epoch."""

    def later(self, seconds: float, call: Callable[[], None], /) -> Timer: ...


class Dealer(Protocol):
    """Draws the results of chance decisions."""

    def deal(self, decision: Decision[Any], /) -> Any:
        """Return a random choice, with the probabilities that the rules define."""


class NameSource(Protocol):
    """Generates unique and unguessable match ids, table codes and player tokens."""

    def match(self) -> str: ...
    def code(self) -> str: ...
    def token(self) -> str: ...


class Bots(Protocol):
    """Seats the server's bots."""

    def substitute(self, game: str, /) -> Player | None:
        """Return the bot that takes an abandoned or unfilled seat, or None."""

    def knows(self, bot: str, game: str, /) -> bool:
        """Return whether there is a bot of this name for a game."""

    def sit(self, table: Table, seat: Seat, player: Player, /) -> None:
        """Let the bot `player` play `seat`."""

    def advise(
        self, match: Match, seat: Seat, address: str, done: Callable[[Advised | BoardwireError], None], /
    ) -> None:
        """Search a hint for `seat`, which must decide, and call `done` once; raise `Refused` if that is impossible.

        Thinking time is shared fairly between client addresses (`address`).
        """


class NoBots:
    """No bots."""

    def substitute(self, game: str) -> Player | None:
        return None

    def knows(self, bot: str, game: str) -> bool:
        return False

    def sit(self, table: Table, seat: Seat, player: Player) -> None:
        return None

    def advise(self, match: Match, seat: Seat, address: str, done: Callable[[Advised | BoardwireError], None]) -> None:
        raise Refused("hints are not available on this server", reason=Reason.UNAVAILABLE)
