"""Test doubles: a journal that answers on demand, guests that record notifications, bots that are only recorded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boardwire.games.game import Seat
from boardwire.store.memory import MemoryJournal
from boardwire.table.events import Event, Player
from boardwire.table.guest import Guest, Notification, Refusal, Step
from boardwire.table.ports import Appended, AppendResult, NoBots
from boardwire.table.table import Table


class HeldJournal(MemoryJournal):
    """Journal that holds appends until `answer` or `fail`."""

    def __init__(self) -> None:
        super().__init__()
        self.held: list[tuple[str, int, list[Event], Appended]] = []

    def append(self, match: str, first: int, events: Sequence[Event], done: Appended) -> None:
        """Hold the append."""
        self.held.append((match, first, list(events), done))

    def answer(self) -> None:
        """Store the oldest append, if possible."""
        super().append(*self.held.pop(0))

    def fail(self) -> None:
        """Fail the oldest append."""
        *_, done = self.held.pop(0)
        done(AppendResult.FAILED)

    def store(self, match: str, *events: Event) -> None:
        """Let another process write to the match first."""
        super().append(match, len(self.read(match)) + 1, events, lambda result: None)

    def answer_all(self) -> None:
        """Answer all appends, including those made meanwhile."""
        while self.held:
            self.answer()


class NotedGuest(Guest):
    """Records its notifications."""

    __slots__ = ("closed", "notification")

    def __init__(self) -> None:
        super().__init__(self._note, close=lambda reason: self.closed.append(str(reason)))
        self.notification: list[Notification] = []
        self.closed: list[str] = []
        """Why its conversation was ended."""

    def _note(self, notification: Notification) -> None:
        self.notification.append(notification)

    def take(self) -> list[Notification]:
        """Return the notifications since the last call."""
        notification, self.notification = self.notification, []
        return notification

    def heard(self) -> list[Any]:
        """Return them abbreviated: events of steps, texts of refusals, otherwise the name of the type."""
        short: list[Any] = []
        for notification in self.take():
            if isinstance(notification, Step):
                short += [moment.event for moment in notification.moments]
            elif isinstance(notification, Refusal):
                short.append(str(notification.reason))
            else:
                short.append(type(notification).__name__)
        return short


class NotedBots(NoBots):
    """Offers the bot `robot` and records its seats."""

    robot = Player("robot", "bot", "random")

    def __init__(self) -> None:
        self.seated: list[tuple[str, Seat, Player]] = []

    def substitute(self, game: str) -> Player | None:
        """Return the bot."""
        return self.robot

    def knows(self, bot: str, game: str) -> bool:
        """Whether it is that bot."""
        return bot == self.robot.bot

    def sit(self, table: Table, seat: Seat, player: Player) -> None:
        """Record the seat."""
        self.seated.append((table.match.id, seat, player))
