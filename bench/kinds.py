"""Clients for each kind of server: how to seat two players, and their moves as bytes.

Seating uses blocking sockets, one match after the other. It happens before the measured moves.
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
"""Cells of a drawn match in the order of its moves."""
MASK: Final = b"mask"
TIMEOUT_SECONDS: Final = 20.0

Ports: TypeAlias = tuple[int, int]
"""The ports for the first and the second player of a match; they differ if the players use different nodes."""


class Kind(Protocol):
    """A kind of server: the form of its messages, and how a match starts."""

    marker: bytes
    """Prefix of the message that notifies a seat of a move; empty: every message does."""
    framed: bool
    """Whether messages are WebSocket frames instead of lines."""
    echo: bool
    """Whether only the mover is notified."""
    rematch: bool
    """Whether two seated players can play match after match. `moves` then ends with a message that starts the next
    match and notifies both."""

    def seat(self, ports: Ports, number: int) -> tuple[socket, socket]:
        """Connect two players and return their sockets once both are notified that the match has started."""

    def moves(self, number: int) -> Sequence[bytes]:
        """Return all moves of that match as bytes."""


def connect(port: int) -> socket:
    """Open a connection without Nagle's delay."""
    opened = create_connection(("127.0.0.1", port), TIMEOUT_SECONDS)
    opened.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    return opened


def frame(payload: bytes, opcode: int = 1) -> bytes:
    """Return a masked WebSocket frame, as clients must send them (RFC 6455, section 5.3)."""
    framed = bytearray(encode_text(payload, MASK))
    framed[0] = 0x80 | opcode
    return bytes(framed)


class WebSocketClient:
    """Blocking WebSocket client, used while players are seated."""

    def __init__(self, port: int, path: str) -> None:
        self.socket = connect(port)
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: localhost:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self._data = b""
        while b"\r\n\r\n" not in self._data:
            self._read()
        head, _, self._data = self._data.partition(b"\r\n\r\n")
        if b" 101 " not in head[:16]:
            raise RuntimeError(f"the server refused the WebSocket handshake: {head[:200].decode(errors='replace')}")

    def _read(self) -> None:
        got = self.socket.recv(65536)
        if not got:
            raise RuntimeError("the server closed a connection")
        self._data += got

    def _take(self, size: int) -> bytes:
        while len(self._data) < size:
            self._read()
        taken, self._data = self._data[:size], self._data[size:]
        return taken

    def send(self, payload: bytes, opcode: int = 1) -> None:
        """Send a message: text (opcode 1) or binary (opcode 2)."""
        self.socket.sendall(frame(payload, opcode))

    def receive(self) -> bytes:
        """Return the payload of the next message."""
        size = self._take(2)[1] & 127
        if size >= 126:
            size = int.from_bytes(self._take(2 if size == 126 else 8))
        return self._take(size)

    def wait_for(self, start: bytes, containing: bytes = b"") -> bytes:
        """Skip messages until one starts with `start` and contains `containing`, and return it."""
        while not (message := self.receive()).startswith(start) or containing not in message:
            pass
        return message


class TrisLines:
    """boardwire, tris-lines: the mover receives OK, the opponent the board."""

    marker = b""
    framed = echo = rematch = False

    def seat(self, ports: Ports, number: int) -> tuple[socket, socket]:
        first = connect(ports[0])
        first.recv(64)  # the first at the table moves first, so wait: the second player's node may be faster
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
    framed, echo, rematch = True, False, False
    _MOVES: Final = tuple(
        frame(msgspec.json.encode({"type": "act", "seq": 4 + turn, "action": cell})) for turn, cell in enumerate(DRAW)
    )
    """The first move has sequence number 4 because four events precede it: opened, joined, joined, started."""

    def seat(self, ports: Ports, number: int) -> tuple[socket, socket]:
        first, second = (WebSocketClient(port, "/ws") for port in ports)
        first.send(b'{"type":"hello","name":"ann"}')
        first.send(b'{"type":"open","game":"tris"}')
        match = msgspec.json.decode(first.wait_for(b'{"type":"seated"'))["state"]["match"]
        second.send(b'{"type":"hello","name":"bob"}')
        second.send(msgspec.json.encode({"type": "join", "match": match}))
        for client in (first, second):
            client.wait_for(self.marker, b'"playing"')
        return first.socket, second.socket

    def moves(self, number: int) -> Sequence[bytes]:
        return self._MOVES


class Room:
    """The bare room server in Python (rivals/room.py)."""

    marker = b'{"type":"step"'
    framed, echo, rematch = True, False, True
    _MOVES: Final = (
        *(frame(msgspec.json.encode({"type": "act", "cell": cell})) for cell in DRAW),
        frame(msgspec.json.encode({"type": "act", "cell": -1})),
    )

    def seat(self, ports: Ports, number: int) -> tuple[socket, socket]:
        first, second = (WebSocketClient(port, "/") for port in ports)
        for client in (first, second):
            client.wait_for(b'{"type":"begun"')
        return first.socket, second.socket

    def moves(self, number: int) -> Sequence[bytes]:
        return self._MOVES


class Colyseus:
    """Colyseus: seats are reserved over HTTP; patches of the room's state announce moves."""

    marker = b"\x0f"  # ROOM_STATE_PATCH
    framed, echo, rematch = True, False, True
    _JOIN, _STATE = b"\x0a", b"\x0e"
    _MOVES: Final = (*(frame(b"\x0d\xa4move" + bytes([cell]), 2) for cell in DRAW), frame(b"\x0d\xa5again", 2))

    def seat(self, ports: Ports, number: int) -> tuple[socket, socket]:
        first, second = map(self._join, ports)
        return first, second

    def _join(self, port: int) -> socket:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
        connection.request("POST", "/matchmake/joinOrCreate/tris", b"{}", {"Content-Type": "application/json"})
        seat = json.loads(connection.getresponse().read())
        connection.close()
        client = WebSocketClient(port, f"/{seat['processId']}/{seat['roomId']}?sessionId={seat['sessionId']}")
        client.wait_for(self._JOIN)
        client.send(self._JOIN, 2)
        client.wait_for(self._STATE)
        return client.socket

    def moves(self, number: int) -> Sequence[bytes]:
        return self._MOVES


class BoardgameIo:
    """boardgame.io: socket.io over a WebSocket; the first request for a match creates it."""

    marker = b'42/tris,["update"'
    framed, echo, rematch = True, False, False

    def seat(self, ports: Ports, number: int) -> tuple[socket, socket]:
        first, second = self._sync(ports[0], number, "0"), self._sync(ports[1], number, "1")
        return first, second

    def _sync(self, port: int, number: int, player: str) -> socket:
        client = WebSocketClient(port, "/socket.io/?EIO=4&transport=websocket")
        client.wait_for(b"0")
        client.send(b"40/tris,")
        client.wait_for(b"40/tris")
        client.send(b'42/tris,["sync","m%d","%s",null,2]' % (number, player.encode()))
        client.wait_for(b'42/tris,["sync"')
        return client.socket

    def moves(self, number: int) -> Sequence[bytes]:
        return [
            frame(
                b'42/tris,["update",{"type":"MAKE_MOVE","payload":{"type":"play","args":[%d],"playerID":"%d"}},'
                b'%d,"m%d","%d"]' % (cell, turn % 2, turn, number, turn % 2)
            )
            for turn, cell in enumerate(DRAW)
        ]


class LineEcho:
    """A server that echoes lines."""

    marker = b""
    framed, echo, rematch = False, True, False

    def seat(self, ports: Ports, number: int) -> tuple[socket, socket]:
        first, second = map(connect, ports)
        return first, second

    def moves(self, number: int) -> Sequence[bytes]:
        return [b"%d\n" % cell for cell in DRAW]


class FrameEcho:
    """A server that echoes WebSocket messages; the messages are moves of native."""

    marker = b'{"type":"act"'
    framed, echo, rematch = True, True, False

    def seat(self, ports: Ports, number: int) -> tuple[socket, socket]:
        first, second = (WebSocketClient(port, "/ws") for port in ports)
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
