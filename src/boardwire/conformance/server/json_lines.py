"""A player for checks of protocols with JSON objects."""

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


class JsonPlayer:
    """A player that sends and receives JSON objects; `tag` names their type, `content` has their fields.

    Without `content`, the fields are members of the object itself.
    """

    tag: ClassVar[str] = "type"
    content: ClassVar[str] = ""
    always_tagged: ClassVar[bool] = False
    """Whether a message without `tag` fails a check wherever it comes."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.probe = wire.probe

    def message(self, kind: str, fields: Message) -> Message:
        """Return a message."""
        return {self.tag: kind, **({self.content: fields} if self.content and fields else fields)}

    async def say(self, kind: str, /, **fields: Any) -> None:
        """Send a message."""
        await self.wire.send(encode(self.message(kind, fields)))

    async def receive(self, what: str, wait: float | None = None) -> Message:
        """Return the next message."""
        came = await self.wire.receive(what, wait)
        message = decode(came) if isinstance(came, bytes | str) else None
        if message is None or (self.always_tagged and self.tag not in message):
            shape = f"JSON object with a {self.tag}" if self.always_tagged else "JSON object"
            raise Failed(f"got {show(came)}, which is not a {shape}; expected {what}")
        return message

    async def expect(self, kind: str, /, **fields: Any) -> Message:
        """Receive a message of this type with at least these fields; return all of its fields."""
        wanted = show(self.message(kind, fields))
        message = await self.receive(wanted)
        came: Message = message.get(self.content) or {} if self.content else message
        if message.get(self.tag) != kind or any(came.get(key) != value for key, value in fields.items()):
            raise unexpected(message, wanted)
        return came

    async def ask(self, request: str, reply: str, /, **fields: Any) -> Message:
        """Send a request and return its reply, which must be the next message."""
        await self.say(request, **fields)
        return await self.expect(reply)
