"""Native test client: sends requests, returns replies as plain data."""

from __future__ import annotations

from typing import Any

import msgspec

from boardwire.simulation.server import SimulatedConnection, SimulatedServer
from boardwire.wire.websocket import Close, FrameDecoder, Message, encode_pong, encode_text

MASK = b"mask"


class Visitor:
    """A connection to a server."""

    def __init__(self, server: SimulatedServer, name: str = "", token: str = "") -> None:
        self.peer: SimulatedConnection = server.connect("native")
        self._decoder = FrameDecoder(masked=False)
        self.token = ""
        if name:
            self.ask("hello", name=name, token=token)

    def say(self, kind: str, **fields: Any) -> list[Any]:
        """Send a request and return the immediate replies."""
        self.peer.send(encode_text(msgspec.json.encode({"type": kind, **fields}), MASK))
        return self.take()

    def say_text(self, text: str) -> None:
        """Send any text without reading."""
        self.peer.send(encode_text(text.encode(), MASK))

    def ask(self, kind: str, **fields: Any) -> Any:
        """Send a request that has exactly one answer."""
        (answer,) = self.say(kind, **fields)
        if answer["type"] == "welcome":
            self.token = answer["token"]
        return answer

    def take(self) -> list[Any]:
        """Return the messages received since the last call; frames other than text are returned unchanged."""
        frames: list[Message] = self._decoder.feed(self.peer.take())
        return [msgspec.json.decode(frame) if isinstance(frame, str) else frame for frame in frames]

    def closed(self) -> Close:
        """Return the close frame, which must be the last frame."""
        assert self.peer.closed
        (last,) = self.take()[-1:]
        assert isinstance(last, Close)
        return last


def kinds(replies: list[Any]) -> list[str]:
    """Return the types of replies."""
    return [reply["type"] for reply in replies]


def opened(server: SimulatedServer, **settings: Any) -> tuple[Visitor, Visitor, str]:
    """Return two visitors in a match of Tris, with their input drained."""
    ann, bob = Visitor(server, "ann"), Visitor(server, "bob")
    match = ann.say("open", game="tris", **settings)[0]["state"]["match"]
    bob.say("join", match=match)
    ann.take()
    return ann, bob, match


def pass_time(server: SimulatedServer, seconds: float, *visitors: Visitor) -> None:
    """Advance the time for visitors that answer pings."""
    while seconds > 0:
        server.clock.pass_time(min(seconds, 15.0))
        seconds -= 15.0
        for visitor in visitors:
            visitor.peer.send(encode_pong(b"", MASK))
