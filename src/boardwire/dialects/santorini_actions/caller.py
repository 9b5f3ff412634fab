"""One connection's manners: reading lines, heartbeat, and patience with bad input.

Whoever sends what cannot be taken is told so, alone; after `PATIENCE` of such messages in a row the connection ends
[9].  The shipped edition pings 5 s after each pong and gives up 10 s after a ping without one [3.1]; but who has never
answered may be a program of the document's own time, which knows no pings, and is left in peace [8.10].
"""

from __future__ import annotations

from typing import Any, Final

from boardwire.dialects.santorini_actions import replies
from boardwire.dialects.santorini_actions.edition import Edition
from boardwire.dialects.santorini_actions.requests import Pong, Request, Unknown, read
from boardwire.errors import Malformed
from boardwire.talk import Gone, Talk, Woke

PATIENCE: Final = 100
"""How many bad messages in a row end the connection."""

PING_AFTER: Final = 5.0
PONG_WITHIN: Final = 10.0


class Caller:
    """The peer of one connection, in one edition.  `gone` when there is nobody to talk to any more."""

    __slots__ = ("_ponged", "_refused", "edition", "gone", "say", "talk")

    def __init__(self, edition: Edition, talk: Talk[Any]) -> None:
        self.edition = edition
        self.talk = talk
        self.say: Final = talk.say
        """Tells the peer."""
        self.gone = False
        self._refused = 0
        self._ponged = False
        if edition.pings:
            self._ping()  # [3.1, 1] before the client has said anything

    async def hear(self) -> Any:
        """The next request or piece of news; None when the peer is gone."""
        while not self.gone:
            heard = self.sift(await self.talk.hear())
            if heard is not None:
                return heard
        return None

    async def news(self) -> Any:
        """The next piece of news, while requests wait; None when the peer is gone."""
        while not self.gone:
            heard = self.sift(await self.talk.news())
            if heard is not None:
                return heard
        return None

    def sift(self, heard: Any) -> Any:
        """A line as a request, news as they are; None for what is nobody else's business."""
        if type(heard) is bytes:
            return self.read(heard)
        match heard:
            case Woke(name="ping"):
                self._ping()
            case Woke() | Gone() | Malformed():
                self.gone = True
            case _:
                return heard
        return None

    def accept(self) -> None:
        """A request was taken: whatever was wrong before is forgotten."""
        self._refused = 0

    def refuse(self, why: str) -> None:
        """A request was not taken; the peer alone hears of it."""
        self.talk.say(replies.complaint(self.edition.complaint, why))
        self._refused += 1
        if self._refused >= PATIENCE:
            self.gone = True

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
