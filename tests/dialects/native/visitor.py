"""Native test client: sends requests, returns replies as plain data."""

from __future__ import annotations

from typing import Any

import msgspec

from boardwire.simulation.server import SimulatedConnection, SimulatedServer
from boardwire.wire.websocket import Close, FrameDecoder, Message, encode_pong, encode_text

MASK = b"mask"


class Visitor:
    """One connection to a server."""

    def __init__(self, server: SimulatedServer, name: str = "", token: str = "") -> None:
        self.peer: SimulatedConnection = server.connect("native")
        self._decoder = FrameDecoder(masked=False)
        self.token = ""
        if name:
            self.ask("hello", name=name, token=token)

    def say(self, kind: str, **fields: Any) -> list[Any]:
        """Send a request; gives everything that came back at once."""
        self.peer.send(encode_text(msgspec.json.encode({"type": kind, **fields}), MASK))
        return self.take()

    def say_text(self, text: str) -> None:
        """Send any text, and read nothing."""
        self.peer.send(encode_text(text.encode(), MASK))

    def ask(self, kind: str, **fields: Any) -> Any:
        """Send a request that has exactly one answer."""
        (answer,) = self.say(kind, **fields)
        if answer["type"] == "welcome":
            self.token = answer["token"]
        return answer

    def take(self) -> list[Any]:
        """What has come since the last time; frames that are not text come as they are."""
        frames: list[Message] = self._decoder.feed(self.peer.take())
        return [msgspec.json.decode(frame) if isinstance(frame, str) else frame for frame in frames]

    def closed(self) -> Close:
        """The close frame that must have been the last thing said."""
        assert self.peer.closed
        (last,) = self.take()[-1:]
        assert isinstance(last, Close)
        return last


def kinds(replies: list[Any]) -> list[str]:
    """The types of some replies."""
    return [reply["type"] for reply in replies]


def opened(server: SimulatedServer, **settings: Any) -> tuple[Visitor, Visitor, str]:
    """Two visitors at a table of Tris, the match under way, nothing left to read."""
    ann, bob = Visitor(server, "ann"), Visitor(server, "bob")
    match = ann.say("open", game="tris", **settings)[0]["state"]["match"]
    bob.say("join", match=match)
    ann.take()
    return ann, bob, match


def pass_time(server: SimulatedServer, seconds: float, *visitors: Visitor) -> None:
    """Let time pass for visitors that answer their pings."""
    while seconds > 0:
        server.clock.pass_time(min(seconds, 15.0))
        seconds -= 15.0
        for visitor in visitors:
            visitor.peer.send(encode_pong(b"", MASK))
