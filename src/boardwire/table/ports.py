"""What a table needs from outside: a place to store events, the time, luck, names, bots.

Each is a small Protocol.  `node.py` plugs real ones in; `boardwire.testing` has scripted ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from boardwire.games.game import Decision, Seat
from boardwire.table.events import Event, Player

if TYPE_CHECKING:
    from boardwire.table.table import Table


class Journal(Protocol):
    """Where events are kept for ever."""

    def append(self, match: str, first: int, events: Sequence[Event], done: Callable[[bool], None], /) -> None:
        """Store `events`, numbered from `first`; call `done(True)` when they are durable, `done(False)` if they cannot
        be stored.  The calls come in the order of the appends, on the caller's own thread, perhaps before `append`
        returns."""

    def read(self, match: str, /) -> Sequence[Event]:
        """All durable events of a match, in order; none if there is no such match."""

    def unfinished(self) -> Iterable[str]:
        """The matches that were opened and not ended, oldest first."""


Report: TypeAlias = Callable[[str, Exception], None]
"""Told of a fault of ours, with the name of the match in which it showed."""


def no_report(match: str, error: Exception) -> None:
    """Nobody wants to know."""


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


class NoBots:
    """A house without bots."""

    def player(self, game: str) -> Player | None:
        return None

    def knows(self, bot: str) -> bool:
        return False

    def sit(self, table: Table, seat: Seat, player: Player) -> None:
        return None
