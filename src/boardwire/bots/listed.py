"""The interface of bots that the operator lists: engines in separate processes (`boardwire.engines`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

import msgspec

from boardwire.bots.engine import SearchResult
from boardwire.bots.pool import Ticket
from boardwire.errors import BoardwireError
from boardwire.games.game import Decision, Outcome, Seat

Answered: TypeAlias = Callable[[SearchResult | BoardwireError], None]


class EngineQuestion(msgspec.Struct, frozen=True):
    """A decision for an engine, with its match and seat; `remaining` are the seconds on the seat's clock."""

    match: str
    game: str
    seat: Seat
    seats: int
    options: Any
    view: Any
    decision: Decision[Any]
    seed: int
    remaining: float | None = None


class ListedBots(Protocol):
    """The bots that the operator lists."""

    def names(self, game: str | None = None, /) -> tuple[str, ...]:
        """Return the names of all bots, or of those that play `game`."""

    def ask(self, bot: str, question: EngineQuestion, done: Answered, address: str, /) -> Ticket:
        """Ask a bot on behalf of a client address; raise `Refused` if the queue is full."""

    def over(self, bot: str, match: str, seat: Seat, outcome: Outcome | None, /) -> None:
        """Notify a bot that a match is over."""


class NoListedBots:
    """An empty list of bots."""

    def names(self, game: str | None = None) -> tuple[str, ...]:
        """Return nothing."""
        return ()

    def ask(self, bot: str, question: EngineQuestion, done: Answered, address: str) -> Ticket:
        """Never called, because there are no names."""
        raise NotImplementedError

    def over(self, bot: str, match: str, seat: Seat, outcome: Outcome | None) -> None:
        """Do nothing."""
