"""Session of one client: decodes requests, and handles pings and bad input.

- The sender of a rejected message receives an error; the connection ends after `MAX_BAD_MESSAGES` consecutive ones [5].
- The shipped edition pings 5 s after each pong and closes the connection 10 s after an unanswered ping [4.6].
- A client that has never answered a ping may predate pings, so it is not disconnected [4.6].
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from boardwire.dialects.participant import ScriptInput
from boardwire.dialects.santorini_actions.editions import Edition
from boardwire.dialects.santorini_actions.messages import replies
from boardwire.dialects.santorini_actions.messages.requests import Pong, Request, Unknown, read
from boardwire.errors import Malformed
from boardwire.table.guest import Notification
from boardwire.talk import BadMessageCount, Gone, Talk, Woke

MAX_BAD_MESSAGES: Final = 100
"""Number of consecutive rejected messages that ends the connection."""

PING_DELAY_SECONDS: Final = 5.0
PONG_TIMEOUT_SECONDS: Final = 10.0


class ClientSession:
    """Session of one client in one edition. `gone` is set when the connection must end."""

    __slots__ = ("_bad_messages", "_has_ponged", "edition", "gone", "say", "talk")

    def __init__(self, edition: Edition, talk: Talk[bytes | ScriptInput]) -> None:
        self.edition = edition
        self.talk = talk
        self.say: Final = talk.say
        """Sends bytes to the client."""
        self.gone = False
        """Whether the conversation is over: the client has left, its match has ended, or too much was invalid."""
        self._bad_messages = BadMessageCount(MAX_BAD_MESSAGES)
        self._has_ponged = False
        if edition.pings:
            self._send_ping()  # [4.6] before the client's first message

    async def next_input(self) -> Request | Notification | None:
        """Return the next request or notification, or None when the connection has ended."""
        return await self._next_input(self.talk.next_input)

    async def next_notification(self) -> Request | Notification | None:
        """Return the next notification while requests wait, or None when the connection has ended."""
        return await self._next_input(self.talk.notification)

    async def _next_input(self, wait: Callable[[], Awaitable[bytes | ScriptInput]]) -> Request | Notification | None:
        """Return the next request or notification, or None when the connection has ended."""
        while not self.gone:
            received = self.filter_input(await wait())
            if received is not None:
                return received
        return None

    def filter_input(self, received: bytes | ScriptInput) -> Request | Notification | None:
        """Decode a line, handle timers and disconnects; return a request or notification, or None if there is none."""
        if type(received) is bytes:  # the common case first
            return self.read(received)
        match received:
            case Woke(name="ping"):
                self._send_ping()
            case Woke() | Gone() | Malformed():
                self.gone = True
            case _:
                return received  # type: ignore[return-value] # bytes are handled above
        return None

    def accept(self) -> None:
        """Reset the count of bad messages after an accepted request."""
        self._bad_messages.count = 0

    def refuse(self, why: str) -> None:
        """Send an error to the client and count the bad message."""
        self.talk.say(replies.complaint(self.edition.complaint, why))
        self.gone = self._bad_messages.add() or self.gone

    def read(self, line: bytes) -> Request | None:
        """Decode a line. Return None for pongs, unknown actions and rejected lines."""
        try:
            request = read(line)
        except Malformed as why:
            self.refuse(str(why))
            return None
        if type(request) is Pong:
            if self.edition.pings:
                self._has_ponged = True
                self.talk.wake(0, "pong")
                self.talk.wake(PING_DELAY_SECONDS, "ping")
            return None
        return None if isinstance(request, Unknown) else request

    def _send_ping(self) -> None:
        """Send a ping; a client that has answered one before must answer each in time."""
        self.talk.say(replies.PING)
        if self._has_ponged:
            self.talk.wake(PONG_TIMEOUT_SECONDS, "pong")
