"""One client's line: what it says, once pings, silence and nonsense are taken out, and what it is told.

Rules:

- Five seconds without a message end it [1.1]; a ping is a message, and is never answered.
- A message must have the type its class declares, and speak for the name that logged in here [9.4].
- What is not taken gets a text and the outstanding request again, never one of the protocol's errors: the shipped
  client cannot read them [9.5].  Too many such messages in a row end the line.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final

import msgspec

from boardwire.dialects.eriantys_objects import classes as wire
from boardwire.dialects.eriantys_objects.classes import from_client
from boardwire.dialects.eriantys_objects.stream import ADDRESSEE, address, encode
from boardwire.errors import Malformed
from boardwire.table.guest import Step, Watching
from boardwire.table.match import Match
from boardwire.talk import Gone, Talk, Woke

SILENCE_SECONDS: Final = 5
PATIENCE: Final = 100
"""How many messages in a row that cannot be taken end the line."""

TICK: Final = "tick"

TYPES: Final[dict[type, Any]] = {
    one: next(field.default for field in msgspec.structs.fields(one) if field.name == "message_type")
    for one in vars(from_client).values()
    if isinstance(one, type) and issubclass(one, wire.Message) and one is not wire.Message
}
"""What clients say, with the type each must have."""


class Line:
    """See the module."""

    __slots__ = ("_kept", "_over", "_quiet", "_strikes", "match", "name", "request", "talk", "welcomed")

    def __init__(self, talk: Talk[Any]) -> None:
        self.talk = talk
        self.name = ""
        self.match: Match | None = None
        """The table's match, as last heard of."""
        self.request = b""
        """What is outstanding."""
        self.welcomed = False
        """Whether the client was let in."""
        self._quiet = 0
        self._strikes = 0
        self._over = False
        self._kept: deque[Any] = deque()
        talk.wake(1, TICK)

    # --- saying -----------------------------------------------------------------------------------------------------

    def send(self, *messages: wire.Message) -> None:
        """Say messages, to the client's own name."""
        self.say(b"".join(map(encode, messages)))

    def say(self, data: bytes) -> None:
        """Say what is written for `ADDRESSEE`."""
        if data:
            self.talk.say(address(data, self.name))

    def ask(self, request: bytes) -> None:
        """Put a request, written for `ADDRESSEE`; it is outstanding from now on."""
        self.request = request
        self.say(request)

    def refuse(self, why: str) -> None:
        """Say why something was not taken, and repeat what is outstanding."""
        self.strike()
        self.say(encode(wire.TextMessage(nickname=ADDRESSEE, text=why)) + self.request)

    def strike(self) -> None:
        """Count something that was not taken."""
        self._strikes += 1

    def accept(self) -> None:
        """The client made sense, and its request is answered."""
        self._strikes = 0
        self.request = b""

    # --- hearing ----------------------------------------------------------------------------------------------------

    async def hear(self, *, messages: bool = True) -> Any:
        """The next message that can be taken, or news; None: it is over."""
        while self._strikes < PATIENCE and not self._over:
            if self._kept:
                return self._kept.popleft()
            heard = await (self.talk.hear() if messages else self.talk.news())
            if isinstance(heard, wire.Message):
                self._quiet = 0
                if self._makes_sense(heard):
                    return heard
            elif isinstance(heard, Gone | Malformed) or self._fell_silent(heard, messages):
                self._over = True
            else:
                if isinstance(heard, Step | Watching):
                    self.match = heard.match
                return heard
        return None

    async def outcome(self, *kinds: type) -> Any:
        """The next news of one of these kinds; other news wait, messages too.  None: it is over."""
        others: list[Any] = []
        while True:
            heard = await self.hear(messages=False)
            if heard is None or isinstance(heard, kinds):
                self._kept.extendleft(reversed(others))
                return heard
            if not isinstance(heard, Woke):
                others.append(heard)

    def _fell_silent(self, heard: Any, messages: bool) -> bool:
        """Whether nothing came for too long.  While messages wait for an outcome nobody can be heard, or be silent."""
        if isinstance(heard, Woke):
            self._quiet += messages
            self.talk.wake(1, TICK)
        return self._quiet >= SILENCE_SECONDS

    def _makes_sense(self, message: wire.Message) -> bool:
        if type(message) is wire.PingMessage:
            return False
        if TYPES.get(type(message)) is not message.message_type:
            self.refuse("that is nothing a client says")
            return False
        if type(message) is not wire.LoginRequest and message.nickname not in (None, self.name):
            self.refuse("you can only speak for yourself")
            return False
        return True
