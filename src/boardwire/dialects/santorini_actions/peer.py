"""The other end of a connection: what it says once lines are read and pings and bad input are taken out.

Whoever sends what cannot be taken is told so, alone; after `STRIKE_LIMIT` of such messages in a row the connection ends
[5].  The shipped edition pings 5 s after each pong and gives up 10 s after a ping without one [4.6]; but who has never
answered may be a program of the document's own time, which knows no pings, and is left in peace [4.6].
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from boardwire.dialects.participant import Told
from boardwire.dialects.santorini_actions.editions import Edition
from boardwire.dialects.santorini_actions.messages import replies
from boardwire.dialects.santorini_actions.messages.requests import Pong, Request, Unknown, read
from boardwire.errors import Malformed
from boardwire.table.guest import News
from boardwire.talk import Gone, Strikes, Talk, Woke

STRIKE_LIMIT: Final = 100
"""How many bad messages in a row end the connection."""

PING_AFTER: Final = 5.0
PONG_WITHIN: Final = 10.0


class Peer:
    """The peer of one connection, in one edition.  `gone` when there is nobody to talk to any more."""

    __slots__ = ("_ponged", "_strikes", "edition", "gone", "say", "talk")

    def __init__(self, edition: Edition, talk: Talk[bytes | Told]) -> None:
        self.edition = edition
        self.talk = talk
        self.say: Final = talk.say
        """Tells the peer."""
        self.gone = False
        self._strikes = Strikes(STRIKE_LIMIT)
        self._ponged = False
        if edition.pings:
            self._ping()  # [4.6] before the client has said anything

    async def hear(self) -> Request | News | None:
        """The next request or piece of news; None when the peer is gone."""
        return await self._next(self.talk.hear)

    async def news(self) -> Request | News | None:
        """The next piece of news, while requests wait; None when the peer is gone."""
        return await self._next(self.talk.news)

    async def _next(self, wait: Callable[[], Awaitable[bytes | Told]]) -> Request | News | None:
        while not self.gone:
            heard = self.sift(await wait())
            if heard is not None:
                return heard
        return None

    def sift(self, heard: bytes | Told) -> Request | News | None:
        """A line as a request, news as they are; None for what is nobody else's business."""
        if type(heard) is bytes:  # as nearly always
            return self.read(heard)
        match heard:
            case Woke(name="ping"):
                self._ping()
            case Woke() | Gone() | Malformed():
                self.gone = True
            case _:
                return heard  # type: ignore[return-value] # lines are read above
        return None

    def accept(self) -> None:
        """A request was taken: whatever was wrong before is forgotten."""
        self._strikes.count = 0

    def refuse(self, why: str) -> None:
        """A request was not taken; the peer alone hears of it."""
        self.talk.say(replies.complaint(self.edition.complaint, why))
        self.gone = self._strikes.add() or self.gone

    def read(self, line: bytes) -> Request | None:
        """A line as a request; None for what is nobody else's business."""
        try:
            request = read(line)
        except Malformed as why:
            self.refuse(str(why))
            return None
        if type(request) is Pong:
            if self.edition.pings:
                self._ponged = True
                self.talk.wake(0, "pong")
                self.talk.wake(PING_AFTER, "ping")
            return None
        return None if isinstance(request, Unknown) else request

    def _ping(self) -> None:
        self.talk.say(replies.PING)
        if self._ponged:
            self.talk.wake(PONG_WITHIN, "pong")
