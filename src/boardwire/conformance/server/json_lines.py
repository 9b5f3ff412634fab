"""Base class of players for checks of protocols with JSON objects."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, ClassVar, TypeAlias

from boardwire.conformance.display import show
from boardwire.conformance.server.check import Answering, Failed, Wire, unexpected

Message: TypeAlias = dict[str, Any]


def encode(message: Message) -> bytes:
    """Encode an object as a compact line, with its members in the given order."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def decode(line: bytes | str) -> Message | None:
    """Return the JSON object in a line, or None if the line is anything else."""
    try:
        message = json.loads(line)
    except ValueError:
        return None
    return message if isinstance(message, dict) else None


def answers(is_ping: Callable[[Message], bool], pong: Message) -> Answering:
    """Return the function that replies to every ping with `pong`."""
    reply = encode(pong)

    def answering(line: bytes) -> bytes | None:
        message = decode(line)
        return reply if message is not None and is_ping(message) else None

    return answering


class JsonPlayer:
    """A player that sends and receives JSON objects.

    The member `tag` has the type of a message, the member `content` its fields. If `content` is empty, the fields are
    members of the message itself.
    """

    tag: ClassVar[str] = "type"
    content: ClassVar[str] = ""
    always_tagged: ClassVar[bool] = False
    """Whether a message without `tag` fails every check."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.probe = wire.probe

    def message(self, kind: str, fields: Message) -> Message:
        """Return a message of this type with these fields."""
        return {self.tag: kind, **({self.content: fields} if self.content and fields else fields)}

    async def say(self, kind: str, /, **fields: Any) -> None:
        """Send a message."""
        await self.wire.send(encode(self.message(kind, fields)))

    async def receive(self, what: str, wait: float | None = None) -> Message:
        """Return the next message; raise `Failed` if it is not a JSON object."""
        received = await self.wire.receive(what, wait)
        message = decode(received) if isinstance(received, bytes | str) else None
        if message is None or (self.always_tagged and self.tag not in message):
            shape = f"JSON object with a {self.tag}" if self.always_tagged else "JSON object"
            raise Failed(f"got {show(received)}, which is not a {shape}; expected {what}")
        return message

    async def expect(self, kind: str, /, **fields: Any) -> Message:
        """Receive a message of this type with at least these fields; return all of its fields."""
        expected = show(self.message(kind, fields))
        message = await self.receive(expected)
        received: Message = message.get(self.content) or {} if self.content else message
        if message.get(self.tag) != kind or any(received.get(key) != value for key, value in fields.items()):
            raise unexpected(message, expected)
        return received

    async def ask(self, request: str, reply: str, /, **fields: Any) -> Message:
        """Send a request and return its reply, which must be the next message."""
        await self.say(request, **fields)
        return await self.expect(reply)
