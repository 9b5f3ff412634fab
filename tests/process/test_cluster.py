"""`boardwire serve --store postgresql://... --bus nats://...` as three real processes that are one server."""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

import psycopg
import pytest
from scripts.nats import nats
from scripts.postgres import Postgres, postgres

from .. import fork_server

pytestmark = pytest.mark.cluster

SECONDS = 30.0


class Server:
    """One node, and its port for tris-lines."""

    def __init__(self, store: str, bus: str, name: str) -> None:
        self.name = name
        settings = ("--http", "off", "--listen", "tris-lines=0", "--log", "error", "--store", store, "--bus", bus)
        self.process = fork_server.Process("serve", *settings, "--node", name)
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().rpartition(":")[2])
        assert self.process.stdout.readline() == "ready\n"

    def connect(self) -> Client:
        return Client(self.port)

    def close(self) -> None:
        self.process.kill()
        self.process.wait(SECONDS)
        assert self.process.stdout is not None
        self.process.stdout.close()


class Client:
    """A player of tris-lines."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), SECONDS)
        self.heard = b""

    def say(self, cell: int) -> None:
        self._socket.sendall(b"%d\n" % cell)

    def hear(self, part: bytes) -> bytes:
        """Wait for a line with `part`; gives all that was heard since the last time."""
        while part not in self.heard or not self.heard.endswith(b"\n"):
            more = self._socket.recv(4096)
            assert more, self.heard
            self.heard += more
        heard, self.heard = self.heard, b""
        return heard

    def close(self) -> None:
        self._socket.close()


class Cluster:
    """Three nodes on one database and one bus."""

    def __init__(self, stack: ExitStack, database: Postgres) -> None:
        self._stack = stack
        self.database = database
        self.bus = stack.enter_context(nats())
        self.nodes = {name: self.start(name) for name in "abc"}
        self.wait(lambda: bool(self.host("")))

    def start(self, name: str) -> Server:
        server = Server(self.database.url, self.bus.url, name)
        self._stack.callback(server.close)
        return server

    def sql(self, query: Any, *values: object) -> list[Any]:
        with psycopg.connect(self.database.url, autocommit=True) as connection:
            found = connection.execute(query, values)
            return found.fetchall() if found.description else []

    def host(self, match: str) -> str:
        """Who has a match, or the lobby."""
        rows = self.sql("SELECT node FROM boardwire.leases WHERE match = %s", match)
        return rows[0][0] if rows else ""

    def wait(self, condition: Callable[[], bool]) -> None:
        end = time.monotonic() + SECONDS
        while not condition():
            assert time.monotonic() < end
            time.sleep(0.05)

    def place(self, match: str, name: str) -> None:
        """Let a node host a match, as an operator could."""
        query = "UPDATE boardwire.leases SET (node, life) = (SELECT name, life FROM boardwire.nodes WHERE name = %s)"
        self.sql(query + " WHERE match = %s", name, match)

    def others(self, *names: str) -> list[Server]:
        return [server for name, server in self.nodes.items() if name not in names]

    def sit(self, first: Server, second: Server) -> tuple[Client, Client, str]:
        """Two players at one table, and its match; the first moves first."""
        matches = {row[0] for row in self.sql("SELECT id FROM boardwire.matches")}
        ann = first.connect()
        self._stack.callback(ann.close)
        ann.hear(b"WAIT")
        bob = second.connect()
        self._stack.callback(bob.close)
        for player in (ann, bob):
            player.hear(b"READY")
        (match,) = {row[0] for row in self.sql("SELECT id FROM boardwire.matches")} - matches
        return ann, bob, match


@contextmanager
def cluster(database: Postgres) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(stack, database)


def move(player: Client, other: Client, cell: int) -> None:
    """A move is made, and both see it."""
    player.say(cell)
    player.hear(b"OK")
    other.hear(b",")


def test_players_of_different_nodes_play_on_whichever_node_is_killed(database: Postgres) -> None:
    with cluster(database) as place:
        lobby = place.nodes[place.host("")]
        first, second = place.others(lobby.name)
        ann, bob, match = place.sit(first, second)
        place.wait(lambda: place.host(match) == first.name)
        move(ann, bob, 4)
        place.place(match, lobby.name)
        time.sleep(3)
        move(bob, ann, 0)
        lobby.close()  # it has both the lobby and the table, and no one came by it
        begun = time.monotonic()
        move(ann, bob, 8)
        assert time.monotonic() - begun < 10
        assert place.host(match) in (first.name, second.name)
        carl, dora, _ = place.sit(second, first)  # there is another lobby
        move(carl, dora, 4)
        move(bob, ann, 1)
        events = place.sql("SELECT convert_from(body, 'UTF8') FROM boardwire.events WHERE match = %s", match)
        assert sum('"acted"' in body for (body,) in events) == 4


@pytest.mark.slow
def test_a_node_that_is_stopped_for_a_while_shows_nothing_that_is_not_stored(database: Postgres) -> None:
    with cluster(database) as place:
        lobby = place.nodes[place.host("")]
        first, second = place.others(lobby.name)
        ann, bob, match = place.sit(first, second)
        place.wait(lambda: place.host(match) == first.name)
        place.place(match, lobby.name)
        time.sleep(3)
        lobby.process.send_signal(signal.SIGSTOP)
        move(ann, bob, 4)
        lobby.process.send_signal(signal.SIGCONT)
        time.sleep(2)
        for player, other, cell in ((bob, ann, 0), (ann, bob, 8)):
            move(player, other, cell)
        events = place.sql("SELECT convert_from(body, 'UTF8') FROM boardwire.events WHERE match = %s", match)
        assert sum('"acted"' in body for (body,) in events) == 3


@pytest.mark.slow
def test_sigterm_hands_everything_over_and_loses_no_move(database: Postgres) -> None:
    with cluster(database) as place:
        lobby = place.nodes[place.host("")]
        first, second = place.others(lobby.name)
        ann, bob, match = place.sit(first, second)
        place.place(match, lobby.name)
        time.sleep(3)
        lobby.process.terminate()
        begun = time.monotonic()
        move(ann, bob, 4)
        assert time.monotonic() - begun < 2.5, "nobody waits for a lease to lapse"
        assert lobby.process.wait(SECONDS) == 0
        place.wait(lambda: place.host("") in (first.name, second.name))
        move(bob, ann, 0)


@pytest.mark.slow
def test_play_goes_on_after_the_bus_and_the_database_were_away() -> None:
    with postgres() as database, cluster(database) as place:
        first, second = place.nodes["a"], place.nodes["b"]
        ann, bob, match = place.sit(first, second)
        move(ann, bob, 4)
        place.bus.stop()
        bob.say(0)
        time.sleep(3)
        place.bus.start()
        bob.hear(b"OK")
        ann.hear(b",")
        place.database.stop()
        time.sleep(4)
        place.database.start()
        time.sleep(4)
        move(ann, bob, 8)
        events = place.sql("SELECT convert_from(body, 'UTF8') FROM boardwire.events WHERE match = %s", match)
        assert sum('"acted"' in body for (body,) in events) == 3


def admin(at: Cluster, *arguments: str) -> None:
    """Act as the operator on the database of a cluster."""
    done = fork_server.boardwire_text("admin", *arguments, "--store", at.database.url)
    assert done.returncode == 0, done.stderr


def is_refused(server: Server) -> bool:
    """Whether a node closes a new connection at once, without a message."""
    with socket.create_connection(("127.0.0.1", server.port), SECONDS) as peer:
        return peer.recv(100) == b""


def is_admitted(server: Server) -> bool:
    """Whether a node answers a new connection."""
    return not is_refused(server)


def test_every_node_closes_tables_and_enforces_bans_within_seconds(database: Postgres) -> None:
    with cluster(database) as at:
        a, b, c = (at.nodes[name] for name in "abc")
        admin(at, "token")
        ann, bob, match = at.sit(a, b)
        move(ann, bob, 4)
        at.place(match, "c")  # the host is the node of neither player
        bob.say(0)
        bob.hear(b"OK")
        admin(at, "close", match, "--reason", "test")
        for player in (ann, bob):
            player.hear(b"DISCONNECTED")
        admin(at, "ban", "127.0.0.1")
        begun = time.monotonic()
        for server in (a, b, c):
            at.wait(partial(is_refused, server))
        assert time.monotonic() - begun < SECONDS / 3
        admin(at, "unban", "127.0.0.1")
        for server in (a, b, c):
            at.wait(partial(is_admitted, server))
        admin(at, "drain", "b")
        assert b.process.wait(SECONDS) == 0
        assert a.process.poll() is None


def refused(*settings: str) -> str:
    """What a server says that does not start."""
    done = fork_server.boardwire_text("serve", "--http", "off", "--listen", "tris-lines=0", *settings)
    assert done.returncode
    assert "Traceback" not in done.stderr
    return done.stderr


def test_an_unreachable_bus_is_reported_in_a_sentence() -> None:
    assert "--bus needs a shared store; add --store" in refused("--bus", "nats://127.0.0.1:1")
    assert "nats://HOST:4222" in refused("--bus", "http://127.0.0.1", "--store", "postgresql://x@127.0.0.1/x")


@pytest.mark.slow
def test_errors_of_a_cluster_are_one_sentence() -> None:
    closed = 'authorization: {users: [{user: eve, password: x, permissions: {publish: "other", subscribe: "other"}}]}'
    with postgres() as database, nats() as bus, nats(closed) as strict:
        store = ("--store", database.url)
        assert "cannot connect to NATS at 127.0.0.1:" in refused(*store, "--bus", "nats://127.0.0.1:1")
        assert "cannot connect to NATS at 127.0.0.1:" in refused(*store, "--bus", strict.url)
        allowed = strict.url.replace("nats://", "nats://eve:x@")
        assert "this node cannot publish to" in refused(*store, "--bus", allowed)
        server = Server(database.url, bus.url, "a")
        try:
            assert "another node named 'a' is running" in refused(*store, "--bus", bus.url, "--node", "a")
            assert "another boardwire server uses this database" in refused(*store)
        finally:
            server.close()
