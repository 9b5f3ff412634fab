"""A client's connection: handles pings, timeouts and invalid messages, and passes on the rest.

Rules:

- Five seconds without a message end the connection [3.1]; a ping counts as a message and is never answered.
- A message must have the type that its class declares, and the nickname of this connection [2].
- A refused message gets a text and the outstanding request again, never one of the protocol's errors, which the shipped
  client cannot read [6.1]. Too many refused messages in a row end the connection.
"""

from __future__ import annotations

from collections import deque
from typing import Final, TypeAlias

from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.participant import ScriptInput
from boardwire.errors import Malformed
from boardwire.table.guest import Notification, Step, Watching
from boardwire.table.match import Match
from boardwire.talk import BadMessageCount, Gone, Heartbeat, Talk, Woke

SILENCE_SECONDS: Final = 5
MAX_BAD_MESSAGES: Final = 100
"""Refused messages in a row after which the connection is closed."""

SessionInput: TypeAlias = wire.Message | Notification | Woke


class ClientSession:
    """One client's connection."""

    __slots__ = (
        "_bad_messages",
        "_heartbeat",
        "is_logged_in",
        "match",
        "name",
        "over",
        "read_ahead",
        "request",
        "talk",
    )

    def __init__(self, talk: Talk[wire.Message | ScriptInput]) -> None:
        self.talk = talk
        self.name = ""
        self.match: Match
        """The last known state of the table's match."""
        self.request = b""
        """The outstanding request, encoded."""
        self.is_logged_in = False
        """Whether the login was accepted."""
        self._heartbeat = Heartbeat(talk, 1, SILENCE_SECONDS - 1)
        self._bad_messages = BadMessageCount(MAX_BAD_MESSAGES)
        self.over = False
        """Whether the conversation is over: the client left, timed out, or sent too many invalid messages."""
        self.read_ahead: deque[SessionInput] = deque()
        """Inputs that `next_notification` has read ahead, which are returned next."""

    # --- sending ----------------------------------------------------------------------------------------------------

    def send(self, *messages: wire.Message) -> None:
        """Send messages to the client."""
        self.say(b"".join(map(wire.encode, messages)))

    def say(self, data: bytes) -> None:
        """Send encoded messages, with `ADDRESSEE` replaced by the client's name."""
        if data:
            self.talk.say(wire.address(data, self.name))

    def ask(self, request: bytes) -> None:
        """Send an encoded request, which becomes the open one."""
        self.request = request
        self.say(request)

    def refuse(self, why: str) -> None:
        """Send the reason of a refusal and repeat the open request."""
        self.count_bad_message()
        self.say(wire.encode(wire.TextMessage(nickname=wire.ADDRESSEE, text=why)) + self.request)

    def count_bad_message(self) -> None:
        """Count a refused message."""
        if self._bad_messages.add():
            self.over = True

    def accept(self) -> None:
        """Note that the open request was answered."""
        self._bad_messages.count = 0
        self.request = b""

    # --- receiving --------------------------------------------------------------------------------------------------

    async def next_input(self, *, messages: bool = True) -> SessionInput | None:
        """Return the next valid message or notification, or None when the conversation is over."""
        talk = self.talk
        while not self.over:
            if self.read_ahead:
                return self.read_ahead.popleft()
            received = self.filter_input(await (talk.next_input() if messages else talk.notification()), messages)
            if received is not None:
                return received
        return None

    def filter_input(self, received: wire.Message | ScriptInput, messages: bool) -> SessionInput | None:
        """Return a valid message or a notification, or None for an input that is handled here."""
        if type(received) is Step:
            self.match = received.match
            return received
        if isinstance(received, wire.Message):
            self._heartbeat.note_answer()
            return received if self._check_message(received) else None
        if isinstance(received, Gone | Malformed) or (
            isinstance(received, Woke) and not self._check_heartbeat(received, messages)
        ):
            self.over = True
            return None
        if isinstance(received, Watching):
            self.match = received.match
        return received

    async def next_notification(self, *kinds: type[Notification]) -> Notification | None:
        """Return the next notification of these classes, or None at the end; queue other inputs, except timers."""
        others: list[SessionInput] = []
        while True:
            received = await self.next_input(messages=False)
            if received is None or isinstance(received, kinds):
                self.read_ahead.extendleft(reversed(others))
                return received
            if not isinstance(received, Woke):
                others.append(received)

    def _check_heartbeat(self, woke: Woke, messages: bool) -> bool:
        """Return whether the client is alive; silence does not count while messages stay in the queue."""
        if not messages:
            self._heartbeat.note_answer()
        return self._heartbeat.beat(woke)

    def _check_message(self, message: wire.Message) -> bool:
        """Return whether a message must be handled: refuse an invalid one, and ignore pings."""
        if type(message) is wire.PingMessage:
            return False
        if wire.TYPES.get(type(message)) is not message.message_type:
            self.refuse("only a server sends this message")
            return False
        if type(message) is not wire.LoginRequest and message.nickname not in (None, self.name):
            self.refuse(f"you can play only as {self.name}, not as {message.nickname[:40]}")
            return False
        return True
