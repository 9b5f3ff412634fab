"""Heartbeat: detect a peer that has stopped answering."""

from __future__ import annotations

from typing import Any, Final

from boardwire.talk.talk import Talk, Woke

BEAT_TIMER: Final = "beat"


class Heartbeat:
    """Sends `ping` every `every` seconds; after `limit` beats without an answer the peer counts as lost.

    For a protocol without pings, `ping` is empty. The script passes every `Woke` to `beat`, and calls `note_answer` for
    every message that shows that the peer is alive.
    """

    __slots__ = ("_every", "_limit", "_ping", "_silent", "_talk")

    def __init__(self, talk: Talk[Any], every: float, limit: int, ping: bytes = b"") -> None:
        self._talk = talk
        self._every = every
        self._limit = limit
        self._ping = ping
        self._silent = 0
        """Number of beats since the last answer."""
        talk.wake(every, BEAT_TIMER)

    def note_answer(self) -> None:
        """Restart the count, because the peer has answered."""
        self._silent = 0

    def beat(self, woke: Woke) -> bool:
        """Handle a timer; return False if the peer is lost."""
        if woke.name != BEAT_TIMER:
            return True
        if self._silent >= self._limit:
            return False
        self._silent += 1
        if self._ping:
            self._talk.say(self._ping)
        self._talk.wake(self._every, BEAT_TIMER)
        return True
