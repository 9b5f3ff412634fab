"""Session of one client: decodes messages, and handles pings, timeouts and unreadable messages [6.6, 6.8]."""

from __future__ import annotations

from typing import Final

from boardwire.dialects.eriantys_messages import messages as wire
from boardwire.dialects.participant import ScriptInput
from boardwire.errors import Malformed
from boardwire.table.guest import Notification, Step
from boardwire.talk import BadMessageCount, Gone, Talk, Woke

MAX_BAD_MESSAGES: Final = 10  # [6.6]
"""Number of consecutive unreadable messages after which the connection is closed."""
PING_SECONDS: Final = 5.0  # [6.8]
SILENCE_SECONDS: Final = 15.0


class ClientSession:
    """One client's connection and its nickname."""

    def __init__(self, talk: Talk[bytes | ScriptInput]) -> None:
        self.talk = talk
        self.nickname = ""
        self.over = False
        """Whether the conversation is over: the client left, timed out, or sent too many unreadable messages."""
        self._bad_messages = BadMessageCount(MAX_BAD_MESSAGES)
        talk.wake(PING_SECONDS, "ping")
        talk.wake(SILENCE_SECONDS, "silence")

    def send(self, *messages: wire.Reply) -> None:
        """Send messages."""
        self.talk.say(b"".join(map(wire.encode, messages)))

    def inform(self, text: str) -> None:
        """Send a text [6.6]."""
        self.send(wire.TextMessage(nickname=self.nickname, text=text))

    def refuse(self, reason: str) -> None:
        """Send a refusal for which the document has no message [6.6]."""
        self.send(wire.TextMessage(nickname=self.nickname, text=reason, ask=wire.REFUSED))

    def report_malformed(self, error: Malformed) -> None:
        """Report an unreadable message and count it [6.6]."""
        if self._bad_messages.add():
            self.over = True
        self.send(wire.ErrorMessage(nickname=self.nickname, error=str(error)))

    async def next_input(self, *, messages: bool = True) -> wire.Request | Notification | None:
        """Return the next message or notification, or None when the conversation is over.

        With `messages` false, messages stay in the queue.
        """
        talk = self.talk
        while not self.over:
            received = self.filter_input(
                await (talk.next_input() if messages else talk.notification()), messages=messages
            )
            if received is not None:
                return received
        return None

    def filter_input(
        self, received: bytes | ScriptInput, *, messages: bool = True
    ) -> wire.Request | Notification | None:
        """Return a decoded line or a notification, or None for an input that is handled here.

        With `messages` false, lines, including pings, stay in the queue, so the silence timeout is extended.
        """
        if type(received) is Step:
            return received
        if isinstance(received, bytes):
            self.talk.wake(SILENCE_SECONDS, "silence")
            return self._read_request(received)
        if isinstance(received, Woke) and received.name == "ping":
            self.talk.wake(PING_SECONDS, "ping")
            self.send(wire.PingMessage(nickname=self.nickname))
        elif isinstance(received, Woke) and received.name == "silence" and not messages:
            self.talk.wake(SILENCE_SECONDS, "silence")
        elif isinstance(received, Malformed):
            self.report_malformed(received)  # the line is too long, and its end unknown
            self.over = True
        elif isinstance(received, Woke | Gone):
            self.over = True
        else:
            return received
        return None

    def _read_request(self, line: bytes) -> wire.Request | None:
        """Decode a line; None for a ping, or after reporting a malformed line."""
        try:
            request = wire.decode_request(line)
        except Malformed as error:
            self.report_malformed(error)
            return None
        return None if type(request) is wire.PingMessage else request  # a ping only resets the silence timeout [6.8]
