"""Messages of whole matches of each dialect, recorded in process from boardwire's clients."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any, Final

import msgspec

from boardwire.dialects import PROTOCOLS, Encoding, protocol
from boardwire.dialects import dialect as dialect_called
from boardwire.dialects.dialect import Answer, Ask, ClientOptions
from boardwire.simulation.server import SimulatedClient, SimulatedServer, play_together
from boardwire.wire.javastream import HEADER
from boardwire.wire.websocket import encode_text
from soak import mutate
from soak.mutate import Mutator

MATCHES: Final = 2
MASK: Final = b"fuzz"

_NATIVE: Final[tuple[dict[str, Any], ...]] = (
    {"type": "hello", "name": "fuzz"},
    {"type": "list"},
    {"type": "open", "game": "tris"},
    {"type": "open", "game": "santorini", "seats": 2, "options": {"draft": "random"}, "bots": ["", "random"]},
    {"type": "open", "game": "eriantys", "seats": 3, "bots": ["", "greedy", "random"], "private": True, "grace": 5.0},
    {"type": "open", "game": "tris", "bots": ["", "random"], "bank": 60.0, "per_move": 10.0, "leaving": "ends"},
    {"type": "find", "game": "tris"},
    {"type": "join", "match": "0123456789abcdef", "code": "ABCDEFGH", "seat": 1},
    {"type": "watch", "match": "0123456789abcdef"},
    {"type": "resume", "match": "0123456789abcdef", "seat": 0},
    {"type": "act", "seq": 4, "action": 4},
    {"type": "act", "seq": 9, "action": {"type": "move", "frm": 3, "to": 4}},
    {"type": "say", "text": "hello"},
    {"type": "undo"},
    {"type": "agree", "agree": True},
    {"type": "resign"},
    {"type": "rematch"},
    {"type": "sync"},
    {"type": "open", "game": "tris", "bots": ["", "random"], "practice": True},
    {"type": "hint"},
    {"type": "leave"},
)

_HTTP: Final = tuple(
    f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{more}\r\n{body}".encode()
    for method, path, more, body in (
        ("GET", "/healthz", "", ""),
        ("GET", "/readyz", "", ""),
        ("GET", "/api/games", "", ""),
        ("GET", "/api/matches?limit=5", "", ""),
        ("GET", "/api/matches/0123456789abcdef", "", ""),
        ("GET", "/api/matches/0123456789abcdef/events?after=1", "", ""),
        ("GET", "/metrics", "", ""),
        ("GET", "/openapi.json", "", ""),
        ("POST", "/api/matches", "Content-Type: application/json\r\nContent-Length: 2\r\n", "{}"),
        ("GET", "/ws", "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n", ""),
    )
)

_BY_ENCODING: Final[dict[Encoding, tuple[Mutator, Mutator]]] = {
    Encoding.TEXT: (mutate.line, mutate.line),
    Encoding.JSON: (mutate.json_line, mutate.bytes_of),
    Encoding.FRAMES: (mutate.request, mutate.frame),
}


def _java(name: str) -> Mutator:
    """Return the mutator of a dialect with Java objects; each of these dialects has different classes."""
    spoken, encode = dialect_called(name), protocol(name).encode_request
    assert encode is not None
    return mutate.java(encode, spoken.decoder, spoken.greeting or HEADER)


MUTATORS: Final[dict[str, tuple[Mutator, Mutator]]] = {
    name: _BY_ENCODING.get(dialect_called(name).encoding) or (_java(name), mutate.java_tokens) for name in PROTOCOLS
} | {"http": (mutate.http, mutate.http)}
"""For every fuzzed wire: the mutator of ordinary messages, and that of a session's last message."""


class _Recorder(SimulatedClient):
    """Client that records its messages one by one."""

    def __init__(self, *arguments: Any) -> None:
        self.said: list[bytes] = []
        super().__init__(*arguments)

    def write(self, data: bytes) -> None:
        if not self.closed:
            self.said.append(data)
        super().write(data)


@cache
def recordings(dialect: str) -> list[list[bytes]]:
    """Return conversations: the messages of one client in order, including a greeting."""
    if dialect == "http":
        return [[request] for request in _HTTP]
    if dialect == "native":
        requests = [encode_text(msgspec.json.encode(request), MASK) for request in _NATIVE]
        return [requests, [requests[0], *requests[3:]], [requests[0], requests[6], *requests[10:]]]
    return [said for seed in range(MATCHES) for said in _match(dialect, seed)]


def _match(dialect: str, seed: int) -> list[list[bytes]]:
    server, luck = SimulatedServer(seed=seed), Random(seed)
    clients = [
        _Recorder(dialect, _player(luck), ClientOptions(f"fuzz{seed}{number}"), server.clock) for number in range(2)
    ]
    pairs = []
    for client in clients:
        pairs.append((client, server.connect(dialect)))
        play_together(server, pairs)
    for _ in range(30):
        if all(client.closed for client in clients):
            break
        server.clock.pass_time(1.0)
        play_together(server, pairs)
    return [client.said for client in clients]


def _player(luck: Random) -> Callable[[SimulatedClient, Any], None]:
    def play(client: SimulatedClient, notification: Any) -> None:
        if isinstance(notification, Ask):
            client.talk.tell(Answer(luck.choice(list(notification.decision.choices))))

    return play
