"""Whether the peer of a silent conversation is still there."""

from __future__ import annotations

from typing import Any, Final

from boardwire.talk.talk import Talk, Woke

BEAT: Final = "beat"


class Heartbeat:
    """Beats every so many seconds, and says `ping` each time; after `limit` beats without a word of the peer, the next
    one finds that nobody is there.

    A protocol without pings only counts.  The script hands `Woke` to `beat`, and calls `heard` at whatever is a sign of
    life.
    """

    __slots__ = ("_every", "_limit", "_ping", "_silent", "_talk")

    def __init__(self, talk: Talk[Any], every: float, limit: int, ping: bytes = b"") -> None:
        self._talk = talk
        self._every = every
        self._limit = limit
        self._ping = ping
        self._silent = 0
        talk.wake(every, BEAT)

    def heard(self) -> None:
        """The peer is there."""
        self._silent = 0

    def beat(self, woke: Woke) -> bool:
        """A timer has run off; False if it was this one, and nobody is there."""
        if woke.name != BEAT:
            return True
        if self._silent >= self._limit:
            return False
        self._silent += 1
        if self._ping:
            self._talk.say(self._ping)
        self._talk.wake(self._every, BEAT)
        return True
