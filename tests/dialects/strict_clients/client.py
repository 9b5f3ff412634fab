"""What all strict clients have in common.

A strict client is a model of an original program, written from what was observed of it.  It reacts to the messages that
the program reacts to, in the states in which the program does, and to nothing else.  What would kill the program, or
leave it waiting for ever, is a `fault`.  It plays to win soon: it climbs where it can.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import msgspec

WON, LOST, DRAWN, BROKEN_OFF = "won", "lost", "drawn", "broken off"


class StrictClient:
    """One program; `take` and `receive` are its connection."""

    def __init__(self, name: str, seats: int, luck: Random) -> None:
        self.name, self.seats, self.luck = name, seats, luck
        self.closed = False
        self.fault = ""
        self.result = ""
        self._out = bytearray()

    def take(self) -> bytes:
        """What the program has sent since the last time."""
        said = bytes(self._out)
        self._out.clear()
        return said

    def receive(self, data: bytes) -> None:
        """The server sends bytes."""
        for message in self.decode(data):
            if self.fault or self.closed:
                return
            self.hear(message)

    def lose(self) -> None:
        """The server closes the connection."""
        self.closed = True
        self.result = self.result or BROKEN_OFF

    def idle(self) -> None:
        """A second has passed without a message: the program pings, or its user tries again."""

    def decode(self, data: bytes) -> Iterable[Any]:
        """The messages that are complete now."""
        raise NotImplementedError

    def hear(self, message: Any) -> None:
        """One message from the server."""
        raise NotImplementedError

    def dies(self, why: str) -> None:
        """The program stops, or waits for ever."""
        self.fault = self.fault or why

    def ends(self, result: str) -> None:
        """The program shows the result; the first one counts."""
        self.result = self.result or result


class JsonLines(StrictClient):
    """A program that reads and writes one JSON object per line."""

    def __init__(self, name: str, seats: int, luck: Random) -> None:
        super().__init__(name, seats, luck)
        self._buffer = b""

    def decode(self, data: bytes) -> Iterable[Any]:
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            try:
                yield msgspec.json.decode(line)
            except msgspec.DecodeError:
                self.dies(f"no JSON: {line!r}")

    def send(self, message: dict[str, Any]) -> None:
        """One object."""
        self._out += msgspec.json.encode(message) + b"\n"
