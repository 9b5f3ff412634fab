"""The client at the other end: what it says, once pings, silence and nonsense are taken out.

A line that is no message of a client's gets RESULT false; many in a row, or one that is too long, end the connection
[10].  The server pings every five seconds; any line is a sign of life [9].
"""

from __future__ import annotations

from typing import Final, TypeAlias

import msgspec

from boardwire.dialects.participant import Told
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.errors import Malformed
from boardwire.table.guest import News
from boardwire.talk import Gone, Heartbeat, Strikes, Talk, Woke

PING_EVERY: Final = 5.0
PINGS: Final = 3
"""So many unanswered pings, and the connection is given up at the next: after 20 s [9]."""

STRIKE_LIMIT: Final = 100
"""So many unreadable lines in a row end the connection [10]."""


class Silent(msgspec.Struct, frozen=True):
    """The client answers no pings."""


Heard: TypeAlias = wire.Request | News | Silent | Gone


class Peer:
    """See the module."""

    __slots__ = ("_heartbeat", "_strikes", "talk")

    def __init__(self, talk: Talk[bytes | Told]) -> None:
        self.talk = talk
        self._heartbeat = Heartbeat(talk, PING_EVERY, PINGS, wire.PING)
        self._strikes = Strikes(STRIKE_LIMIT)

    async def hear(self, busy: bool = False) -> Heard:
        """The next request, or news; while the script is `busy` with a request, later ones wait in order."""
        talk = self.talk
        while True:
            heard = self.sift(await (talk.news() if busy else talk.hear()), busy)
            if heard is not None:
                return heard

    def sift(self, heard: bytes | Told, busy: bool = False) -> Heard | None:
        """A line as a request, news as they are; None for what is nobody else's business.

        While the script is `busy`, lines wait, pings among them: then silence says nothing about the client."""
        if type(heard) is bytes:
            return self.read(heard)
        if isinstance(heard, Woke):
            if busy:
                self._heartbeat.heard()
            return None if self._heartbeat.beat(heard) else Silent()
        if isinstance(heard, Malformed):
            self.talk.say(wire.NO)
            return Gone()
        return heard  # type: ignore[return-value] # lines are read above

    def read(self, line: bytes) -> wire.Request | Gone | None:
        """A line as a request; None for what is nobody else's business."""
        self._heartbeat.heard()
        try:
            request = wire.parse_request(line)
        except Malformed:
            self.talk.say(wire.NO)
            return Gone() if self._strikes.add() else None
        self._strikes.count = 0
        return None if isinstance(request, wire.Ping) else request
