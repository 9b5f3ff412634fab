"""Session of one client: decodes requests, and handles pings, silence and bad input.

- A line that is not a client message gets RESULT false. Many in a row, or one too long, end the connection [10].
- The server pings every five seconds; any line counts as a sign of life [9].
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from boardwire.dialects.participant import ScriptInput
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.errors import Malformed
from boardwire.table.guest import Notification
from boardwire.talk import BadMessageCount, Gone, Heartbeat, Talk, Woke

PING_SECONDS: Final = 5.0
MAX_UNANSWERED_PINGS: Final = 3
"""Unanswered pings after which the next one ends the connection: after 20 s [9]."""

MAX_BAD_MESSAGES: Final = 100
"""Unreadable lines in a row that end the connection [10]."""


class Unresponsive(msgspec.Struct, frozen=True):
    """The client has stopped answering pings."""


ConnectionInput: TypeAlias = wire.Request | Notification | Unresponsive | Gone


class ClientSession:
    """Session of one client."""

    __slots__ = ("_bad_messages", "_heartbeat", "talk")

    def __init__(self, talk: Talk[bytes | ScriptInput]) -> None:
        self.talk = talk
        self._heartbeat = Heartbeat(talk, PING_SECONDS, MAX_UNANSWERED_PINGS, wire.PING)
        self._bad_messages = BadMessageCount(MAX_BAD_MESSAGES)

    async def next_input(self, busy: bool = False) -> ConnectionInput:
        """Return the next request or notification. While the script is `busy`, later requests wait in order."""
        talk = self.talk
        while True:
            received = self.filter_input(await (talk.notification() if busy else talk.next_input()), busy)
            if received is not None:
                return received

    def filter_input(self, received: bytes | ScriptInput, busy: bool = False) -> ConnectionInput | None:
        """Decode a line, handle timers and errors, pass on notifications. Return None if nothing remains to be done.

        While the script is `busy`, lines wait, pings included, so silence does not count.
        """
        if type(received) is bytes:
            return self.read(received)
        if isinstance(received, Woke):
            if busy:
                self._heartbeat.note_answer()
            return None if self._heartbeat.beat(received) else Unresponsive()
        if isinstance(received, Malformed):
            self.talk.say(wire.NO)
            return Gone()
        return received  # type: ignore[return-value] # bytes are handled above

    def read(self, line: bytes) -> wire.Request | Gone | None:
        """Decode a line. Return None for pings and unreadable lines."""
        self._heartbeat.note_answer()
        try:
            request = wire.parse_request(line)
        except Malformed:
            self.talk.say(wire.NO)
            return Gone() if self._bad_messages.add() else None
        self._bad_messages.count = 0
        return None if isinstance(request, wire.Ping) else request
