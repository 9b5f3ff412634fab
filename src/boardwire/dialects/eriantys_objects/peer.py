"""A client's end of the connection: what it says, once pings, silence and nonsense are taken out, and what it is told.

Rules:

- Five seconds without a message end it [3.1]; a ping is a message, and is never answered.
- A message must have the type its class declares, and speak for the name that logged in here [2].
- What is not taken gets a text and the outstanding request again, never one of the protocol's errors: the shipped
  client cannot read them [6.1].  Too many such messages in a row end the connection.
"""

from __future__ import annotations

from collections import deque
from typing import Final, TypeAlias

from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.participant import Told
from boardwire.errors import Malformed
from boardwire.table.guest import News, Step, Watching
from boardwire.table.match import Match
from boardwire.talk import Gone, Heartbeat, Strikes, Talk, Woke

SILENCE_SECONDS: Final = 5
STRIKE_LIMIT: Final = 100
"""How many messages in a row that cannot be taken end the connection."""

Heard: TypeAlias = wire.Message | News | Woke


class Peer:
    """See the module."""

    __slots__ = ("_heartbeat", "_strikes", "kept", "match", "name", "over", "request", "talk", "welcomed")

    def __init__(self, talk: Talk[wire.Message | Told]) -> None:
        self.talk = talk
        self.name = ""
        self.match: Match
        """The table's match, as last heard of."""
        self.request = b""
        """What is outstanding."""
        self.welcomed = False
        """Whether the client was let in."""
        self._heartbeat = Heartbeat(talk, 1, SILENCE_SECONDS - 1)
        self._strikes = Strikes(STRIKE_LIMIT)
        self.over = False
        """Whether nothing more is to be heard: the client is gone, or has said too much that cannot be taken."""
        self.kept: deque[Heard] = deque()
        """What was heard and waits for its turn, before all else."""

    # --- saying -----------------------------------------------------------------------------------------------------

    def send(self, *messages: wire.Message) -> None:
        """Say messages, to the client's own name."""
        self.say(b"".join(map(wire.encode, messages)))

    def say(self, data: bytes) -> None:
        """Say what is written for `ADDRESSEE`."""
        if data:
            self.talk.say(wire.address(data, self.name))

    def ask(self, request: bytes) -> None:
        """Put a request, written for `ADDRESSEE`; it is outstanding from now on."""
        self.request = request
        self.say(request)

    def refuse(self, why: str) -> None:
        """Say why something was not taken, and repeat what is outstanding."""
        self.strike()
        self.say(wire.encode(wire.TextMessage(nickname=wire.ADDRESSEE, text=why)) + self.request)

    def strike(self) -> None:
        """Count something that was not taken."""
        if self._strikes.add():
            self.over = True

    def accept(self) -> None:
        """The client made sense, and its request is answered."""
        self._strikes.count = 0
        self.request = b""

    # --- hearing ----------------------------------------------------------------------------------------------------

    async def hear(self, *, messages: bool = True) -> Heard | None:
        """The next message that can be taken, or news; None: it is over."""
        talk = self.talk
        while not self.over:
            if self.kept:
                return self.kept.popleft()
            heard = self.sift(await (talk.hear() if messages else talk.news()), messages)
            if heard is not None:
                return heard
        return None

    def sift(self, heard: wire.Message | Told, messages: bool) -> Heard | None:
        """A message that can be taken, or news; None for what is nobody else's business, and for the end."""
        if type(heard) is Step:
            self.match = heard.match
            return heard
        if isinstance(heard, wire.Message):
            self._heartbeat.heard()
            return heard if self._makes_sense(heard) else None
        if isinstance(heard, Gone | Malformed) or (isinstance(heard, Woke) and not self._beat(heard, messages)):
            self.over = True
            return None
        if isinstance(heard, Watching):
            self.match = heard.match
        return heard

    async def outcome(self, *kinds: type[News]) -> News | None:
        """The next news of one of these kinds; other news wait, messages too.  None: it is over."""
        others: list[Heard] = []
        while True:
            heard = await self.hear(messages=False)
            if heard is None or isinstance(heard, kinds):
                self.kept.extendleft(reversed(others))
                return heard
            if not isinstance(heard, Woke):
                others.append(heard)

    def _beat(self, woke: Woke, messages: bool) -> bool:
        """Whether the client is there.  While messages wait for an outcome nobody can be heard, or be silent."""
        if not messages:
            self._heartbeat.heard()
        return self._heartbeat.beat(woke)

    def _makes_sense(self, message: wire.Message) -> bool:
        if type(message) is wire.PingMessage:
            return False
        if wire.TYPES.get(type(message)) is not message.message_type:
            self.refuse("that is nothing a client says")
            return False
        if type(message) is not wire.LoginRequest and message.nickname not in (None, self.name):
            self.refuse("you can only speak for yourself")
            return False
        return True
