"""How a driver speaks to each kind of server: how two players come to a table, and what their moves are as bytes.

Seating is done one after the other with plain blocking sockets; it is not measured with the moves.
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Sequence
from socket import IPPROTO_TCP, TCP_NODELAY, create_connection, socket
from typing import Final, Protocol, TypeAlias

import msgspec

from boardwire.wire.websocket import encode_text

DRAW: Final = (0, 1, 2, 4, 3, 5, 7, 6, 8)
"""A whole match without a line: first, second, first ..."""
MASK: Final = b"mask"
PATIENCE: Final = 20.0

Ports: TypeAlias = tuple[int, int]
"""Where the first player of a match goes, and where the second: a server may be one of several nodes."""


class Kind(Protocol):
    """A kind of server: what the hot loop needs to know of its messages, and how a match begins."""

    marker: bytes
    """How the one message begins that tells a seat of a move; with nothing, every message does."""
    framed: bool
    echo: bool
    again: bool
    """Whether two players may play match after match where they sit: `moves` then has one message more, which begins
    the next match and of which both hear."""

    def seat(self, ports: Ports, number: int) -> tuple[socket, socket]:
        """Two players of the match of this number, each at its port, who have been told that it has begun."""

    def moves(self, number: int) -> Sequence[bytes]:
        """All moves of that match."""


def connect(port: int) -> socket:
    """A connection that sends at once."""
    opened = create_connection(("127.0.0.1", port), PATIENCE)
    opened.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    return opened


def frame(payload: bytes, opcode: int = 1) -> bytes:
    """A WebSocket frame as a client sends it."""
    framed = bytearray(encode_text(payload, MASK))
    framed[0] = 0x80 | opcode
    return bytes(framed)


class Frames:
    """A WebSocket while players are being seated: whole messages, blocking."""

    def __init__(self, port: int, path: str) -> None:
        self.socket = connect(port)
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self._data = b""
        while b"\r\n\r\n" not in self._data:
            self._more()
        head, _, self._data = self._data.partition(b"\r\n\r\n")
        if b" 101 " not in head[:16]:
            raise RuntimeError(f"the server refuses a WebSocket: {head[:200].decode(errors='replace')}")

    def _more(self) -> None:
        got = self.socket.recv(65536)
        if not got:
            raise RuntimeError("the server has closed a connection")
        self._data += got

    def _take(self, size: int) -> bytes:
        while len(self._data) < size:
            self._more()
        taken, self._data = self._data[:size], self._data[size:]
        return taken

    def say(self, payload: bytes, opcode: int = 1) -> None:
        """Send a message: text, or binary with 2."""
        self.socket.sendall(frame(payload, opcode))

    def receive(self) -> bytes:
        """The next message."""
        size = self._take(2)[1] & 127
        if size >= 126:
            size = int.from_bytes(self._take(2 if size == 126 else 8))
        return self._take(size)

    def wait(self, start: bytes, having: bytes = b"") -> bytes:
        """The next message that begins so, and has this in it."""
        while not (message := self.receive()).startswith(start) or having not in message:
            pass
        return message


class TrisLines:
    """boardwire, tris-lines: the mover hears OK, the other one the board."""

    marker = b""
    framed = echo = again = False

    def seat(self, ports: Ports, number: int) -> tuple[socket, socket]:
        first = connect(ports[0])
        first.recv(64)  # it waits: whoever is there first moves first, and another node may be quicker
        second = connect(ports[1])
        for sock in (first, second):
            while not sock.recv(64).endswith(b"READY\n"):
                pass
        return first, second

    def moves(self, number: int) -> Sequence[bytes]:
        return [b"%d\n" % cell for cell in DRAW]


class Native:
    """boardwire, native."""

    marker = b'{"type":"step"'
    framed, echo, again = True, False, False
    _MOVES: Final = tuple(
        frame(msgspec.json.encode({"type": "act", "seq": 4 + turn, "action": cell})) for turn, cell in enumerate(DRAW)
    )
    """Of events 1 to 4 a match begins: opened, joined, joined, started."""

    def seat(self, ports: Ports, number: int) -> tuple[socket, socket]:
        first, second = (Frames(port, "/ws") for port in ports)
        first.say(b'{"type":"hello","name":"ann"}')
        first.say(b'{"type":"open","game":"tris"}')
        match = msgspec.json.decode(first.wait(b'{"type":"seated"'))["state"]["match"]
        second.say(b'{"type":"hello","name":"bob"}')
        second.say(msgspec.json.encode({"type": "join", "match": match}))
        for client in (first, second):
            client.wait(self.marker, b'"playing"')
        return first.socket, second.socket

    def moves(self, number: int) -> Sequence[bytes]:
        return self._MOVES


class Room:
    """The bare room server in Python (rivals/room.py)."""

    marker = b'{"type":"step"'
    framed, echo, again = True, False, True
    _MOVES: Final = (
        *(frame(msgspec.json.encode({"type": "act", "cell": cell})) for cell in DRAW),
        frame(msgspec.json.encode({"type": "act", "cell": -1})),
    )

    def seat(self, ports: Ports, number: int) -> tuple[socket, socket]:
        first, second = (Frames(port, "/") for port in ports)
        for client in (first, second):
            client.wait(b'{"type":"begun"')
        return first.socket, second.socket

    def moves(self, number: int) -> Sequence[bytes]:
        return self._MOVES


class Colyseus:
    """Colyseus: a seat is reserved over HTTP; the room's patches of its state tell of moves."""

    marker = b"\x0f"  # ROOM_STATE_PATCH
    framed, echo, again = True, False, True
    _JOIN, _STATE = b"\x0a", b"\x0e"
    _MOVES: Final = (*(frame(b"\x0d\xa4move" + bytes([cell]), 2) for cell in DRAW), frame(b"\x0d\xa5again", 2))

    def seat(self, ports: Ports, number: int) -> tuple[socket, socket]:
        first, second = map(self._join, ports)
        return first, second

    def _join(self, port: int) -> socket:
        asked = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        asked.request("POST", "/matchmake/joinOrCreate/tris", b"{}", {"Content-Type": "application/json"})
        seat = json.loads(asked.getresponse().read())
        asked.close()
        frames = Frames(port, f"/{seat['processId']}/{seat['roomId']}?sessionId={seat['sessionId']}")
        frames.wait(self._JOIN)
        frames.say(self._JOIN, 2)
        frames.wait(self._STATE)
        return frames.socket

    def moves(self, number: int) -> Sequence[bytes]:
        return self._MOVES


class BoardgameIo:
    """boardgame.io: socket.io over a WebSocket; a match is there as soon as someone asks for it."""

    marker = b'42/tris,["update"'
    framed, echo, again = True, False, False

    def seat(self, ports: Ports, number: int) -> tuple[socket, socket]:
        first, second = self._sync(ports[0], number, "0"), self._sync(ports[1], number, "1")
        return first, second

    def _sync(self, port: int, number: int, player: str) -> socket:
        frames = Frames(port, "/socket.io/?EIO=4&transport=websocket")
        frames.wait(b"0")
        frames.say(b"40/tris,")
        frames.wait(b"40/tris")
        frames.say(b'42/tris,["sync","m%d","%s",null,2]' % (number, player.encode()))
        frames.wait(b'42/tris,["sync"')
        return frames.socket

    def moves(self, number: int) -> Sequence[bytes]:
        return [
            frame(
                b'42/tris,["update",{"type":"MAKE_MOVE","payload":{"type":"play","args":[%d],"playerID":"%d"}},'
                b'%d,"m%d","%d"]' % (cell, turn % 2, turn, number, turn % 2)
            )
            for turn, cell in enumerate(DRAW)
        ]


class LineEcho:
    """A server that sends lines back."""

    marker = b""
    framed, echo, again = False, True, False

    def seat(self, ports: Ports, number: int) -> tuple[socket, socket]:
        first, second = map(connect, ports)
        return first, second

    def moves(self, number: int) -> Sequence[bytes]:
        return [b"%d\n" % cell for cell in DRAW]


class FrameEcho:
    """A server that sends WebSocket messages back; they are native's moves."""

    marker = b'{"type":"act"'
    framed, echo, again = True, True, False

    def seat(self, ports: Ports, number: int) -> tuple[socket, socket]:
        first, second = (Frames(port, "/ws") for port in ports)
        return first.socket, second.socket

    def moves(self, number: int) -> Sequence[bytes]:
        return Native().moves(number)


KINDS: Final[dict[str, Kind]] = {
    "line-echo": LineEcho(),
    "frame-echo": FrameEcho(),
    "tris-lines": TrisLines(),
    "native": Native(),
    "room": Room(),
    "colyseus": Colyseus(),
    "boardgame.io": BoardgameIo(),
}
