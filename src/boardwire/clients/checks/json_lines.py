"""A connection of a check that speaks JSON, one object a line, and answers pings by the way."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from boardwire.clients.checks.check import Failed, Wire

Message: TypeAlias = dict[str, Any]


class JsonWire:
    """`ping` is answered with `pong` whenever it comes, and is no message to a check."""

    def __init__(self, wire: Wire, ping: Message, pong: Message) -> None:
        self.wire = wire
        self._ping = ping
        self._pong = pong

    async def send(self, message: Message) -> None:
        """Send an object, compact, its members in the order they have here."""
        await self.wire.send(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    async def hear(self, what: str, wait: float | None = None) -> Message:
        """The next message that is no ping."""
        while True:
            message = await self.next(what, wait)
            if message != self._ping:
                return message
            await self.send(self._pong)

    async def next(self, what: str, wait: float | None = None) -> Message:
        """The next message, pings too."""
        line = await self.wire.receive(what, wait)
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        if not isinstance(message, dict):
            raise Failed(f"{line!r} came, which is no JSON object; expected {what}")
        return message
