"""Native clients against a real server process: the documented example, and a restart during a match."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import msgspec

from boardwire.dialects import dialect
from boardwire.net.client_upgrade import with_upgrade
from boardwire.wire.websocket import encode_text

from .. import fork_server

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "tic.py"


@contextmanager
def serve(data: str) -> Iterator[tuple[fork_server.Process, int]]:
    """A server, until it is ready: its process and its HTTP port."""
    listen = ("--http", "0", "--listen", "tris-lines=0")
    process = fork_server.Process("serve", *listen, "--data", data, "--log", "error")
    assert process.stdout is not None
    try:
        port = int(process.stdout.readline().rsplit(":", 1)[1])
        while process.stdout.readline() != "ready\n":
            pass
        yield process, port
    finally:
        process.kill()
        process.wait(10)
        process.stdout.close()


class Client:
    """One connection that waits for what it is told."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), 10)
        native = with_upgrade(dialect("native"), "127.0.0.1", port)
        self._socket.sendall(native.greeting)
        assert native.replies is not None
        self._decoder = native.replies()
        self._heard: list[Any] = []

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def say(self, kind: str, **fields: Any) -> None:
        self._socket.sendall(encode_text(msgspec.json.encode({"type": kind, **fields}), b"mask"))

    def receive(self, kind: str) -> Any:
        """The next message of this type; what comes before it is dropped."""
        while True:
            while self._heard:
                message = msgspec.json.decode(self._heard.pop(0))
                if message["type"] == kind:
                    return message
            data = self._socket.recv(65536)
            assert data, "the server hung up"
            self._heard += self._decoder.feed(data)


def test_the_example_in_the_specification_plays_a_match_against_a_bot() -> None:
    assert len(EXAMPLE.read_text().splitlines()) <= 60
    with serve(":memory:") as (_, port):
        done = subprocess.run(
            [sys.executable, str(EXAMPLE), "127.0.0.1", str(port)], capture_output=True, text=True, timeout=30
        )
    assert done.stderr == ""
    *board, result = done.stdout.split("\n")[:-1]
    assert [len(row.split()) for row in board] == [3, 3, 3]
    assert result in ("won", "lost", "drawn")


def test_a_match_outlives_the_server_and_its_players_go_on_where_they_were(tmp_path: Path) -> None:
    with serve(str(tmp_path)) as (process, port), Client(port) as ann, Client(port) as bob:
        ann.say("hello", name="ann")
        bob.say("hello", name="bob")
        tokens = [one.receive("welcome")["token"] for one in (ann, bob)]
        ann.say("open", game="tris", private=True)
        seated = ann.receive("seated")
        match = seated["state"]["match"]
        bob.say("join", match=match, code=seated["code"])
        bob.receive("seated")
        ann.say("act", seq=4, action=4)
        while bob.receive("step")["state"]["seq"] < 5:
            pass
        process.kill()
        process.wait(10)
    with serve(str(tmp_path)) as (_, port), Client(port) as ann, Client(port) as bob:
        for one, token, seat in ((bob, tokens[1], 1), (ann, tokens[0], 0)):
            one.say("hello", token=token)
            (kept,) = one.receive("welcome")["kept"]
            assert (kept["match"], kept["seat"], kept.get("asked", False)) == (match, seat, seat == 1)
            one.say("resume", match=match, seat=seat)
            assert one.receive("seated")["state"]["view"]["cells"] == [None] * 4 + [0] + [None] * 4
        bob.say("act", seq=5, action=0)
        assert ann.receive("step")["type"] == "step"
        while (state := bob.receive("step")["state"])["moves"] < 2:
            pass
        assert state["view"]["cells"][:5] == [1, None, None, None, 0]


def test_fifty_simultaneous_pairings_make_twenty_five_full_tables() -> None:
    with serve(":memory:") as (_, port), ExitStack() as stack:
        clients = [stack.enter_context(Client(port)) for _ in range(50)]
        for number, client in enumerate(clients):
            client.say("hello", name=f"player {number}")
        for client in clients:
            client.receive("welcome")
        for client in clients:
            client.say("pair", game="forza", bank=180.0, increment=2.0)
        matches = Counter(client.receive("seated")["state"]["match"] for client in clients)
        assert sorted(matches.values()) == [2] * 25
        clients[0].say("list")
        assert {table["status"] for table in clients[0].receive("tables")["tables"]} == {"playing"}
