"""A connection for checks of protocols with one JSON object per line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias

from boardwire.conformance.display import show
from boardwire.conformance.server.check import Answering, Failed, Wire

Message: TypeAlias = dict[str, Any]


def encode(message: Message) -> bytes:
    """Encode an object as a compact line, with its members in the given order."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def decode(line: bytes | str) -> Message | None:
    """Return the object in a line, or None if there is none."""
    try:
        message = json.loads(line)
    except ValueError:
        return None
    return message if isinstance(message, dict) else None


def answers(is_ping: Callable[[Message], bool], pong: Message) -> Answering:
    """Return an automatic reply of `pong` to every ping."""
    reply = encode(pong)

    def answering(line: bytes) -> bytes | None:
        message = decode(line)
        return reply if message is not None and is_ping(message) else None

    return answering


class JsonWire:
    """A connection that sends and receives JSON objects."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire

    async def send(self, message: Message) -> None:
        """Send an object."""
        await self.wire.send(encode(message))

    async def hear(self, what: str, wait: float | None = None) -> Message:
        """Return the next message."""
        line = await self.wire.receive(what, wait)
        message = decode(line)
        if message is None:
            raise Failed(f"{show(line)} came, which is no JSON object; expected {what}")
        return message
