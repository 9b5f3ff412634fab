"""Leases and heartbeats in a real PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from queue import Queue
from typing import Any

import psycopg
import pytest
from scripts.postgres import Postgres

from boardwire.cluster.leases import LeaseRequest, Operation, PostgresLeases, batches
from boardwire.cluster.ports import LOBBY, Membership
from boardwire.errors import ConfigError
from boardwire.store.postgres import PostgresLog

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module")
def server(postgres_server: Postgres) -> Iterator[Postgres]:
    PostgresLog(postgres_server.url).close()  # it makes the tables
    yield postgres_server
    with psycopg.connect(postgres_server.url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA boardwire CASCADE")


@pytest.fixture
def url(server: Postgres) -> str:
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("TRUNCATE boardwire.nodes, boardwire.leases, boardwire.matches, boardwire.events")
    return server.url


class Held:
    """The leases of a node whose heartbeats the test triggers."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self.memberships: list[Membership] = []
        self.name_taken = False
        self.leases = PostgresLeases(url, name, lambda call, *given: call(*given), self.memberships.append, self._lose)
        self.name = name

    def _lose(self) -> None:
        self.name_taken = True

    def beat(self) -> Membership:
        self.leases._run_and_post(self.leases._send_heartbeat, self.leases._handle_heartbeat)
        return self.memberships[-1]

    def ask(self, what: Callable[..., None], *given: Any) -> Any:
        """Run a request, and return its answer."""
        answers: Queue[Any] = Queue()
        answering = (self.leases.take, self.leases.read_orphans, self.leases.read_held)
        what(*given, *([answers.put] if what in answering else []))
        work = self.leases._queue.get()
        assert work is not None
        work()
        return None if answers.empty() else answers.get()

    def take(self, *names: str) -> Any:
        return self.ask(self.leases.take, names)

    def age(self, seconds: float) -> None:
        """Make the last heartbeat this many seconds older."""
        with psycopg.connect(self._url, autocommit=True) as connection:
            query = "UPDATE boardwire.nodes SET beat = beat - make_interval(secs => %s) WHERE name = %s"
            connection.execute(query, (seconds, self.name))


@contextmanager
def nodes(url: str) -> Iterator[tuple[Held, Held]]:
    north, south = Held(url, "north"), Held(url, "south")
    with closing(north.leases), closing(south.leases):
        yield north, south


def test_a_taken_lease_is_reported_with_its_holder(url: str) -> None:
    with nodes(url) as (north, south):
        assert north.take("m1", LOBBY) == {"m1": "north", LOBBY: "north"}
        assert south.take("m1", "m2") == {"m1": "north", "m2": "south"}
        assert south.beat().lobby == "north"


def test_leases_requested_together_are_taken_in_one_statement(url: str) -> None:
    with nodes(url) as (north, south):
        north.take("m1")
        answers: list[Any] = []
        south.leases.take(["m1", "m2"], answers.append)
        south.leases.take(["m3"], answers.append)
        work = south.leases._queue.get()
        assert work is not None
        work()
        assert south.leases._queue.empty()
        assert answers == [{"m1": "north", "m2": "south"}, {"m3": "south"}]
        assert south.take("m4") == {"m4": "south"}


def test_heartbeats_continue_under_load(url: str) -> None:
    north = Held(url, "north")
    stop = threading.Event()

    def work() -> None:
        if not stop.is_set():
            north.leases._queue.put(work)

    work()
    north.leases.start()
    for _ in range(1000):
        if len(north.memberships) > 1 or stop.wait(0.01):
            break
    stop.set()
    north.leases.close()
    assert len(north.memberships) > 1


def test_a_node_whose_heartbeat_lapses_loses_its_leases(url: str) -> None:
    with nodes(url) as (north, south):
        north.take("m1", LOBBY)
        north.age(4)
        membership = south.beat()
        assert ([peer.name for peer in membership.peers], membership.lobby) == (["south"], "")
        assert south.take("m1") == {"m1": "south"}
        assert north.beat().lapsed
        assert north.take("m1") == {"m1": "south"}
        assert not north.beat().lapsed


def test_no_node_counts_as_dead_after_an_outage_of_the_database(url: str) -> None:
    with nodes(url) as (north, south):
        north.take("m1", LOBBY)
        north.age(60)
        south.age(60)
        membership = south.beat()
        assert membership.lapsed
        assert ({peer.name for peer in membership.peers}, membership.lobby) == ({"north", "south"}, "north")
        assert south.take("m1") == {"m1": "north"}


def test_only_the_holder_can_transfer_a_lease(url: str) -> None:
    with nodes(url) as (north, south):
        north.take("m1")
        south.ask(south.leases.give, ["m1"], "south")
        assert south.take("m1") == {"m1": "north"}
        north.ask(north.leases.give, ["m1", "m2"], "south")
        assert north.take("m1", "m2") == {"m1": "south", "m2": "south"}
        north.ask(north.leases.drop, ["m1"])
        south.ask(south.leases.drop, ["m2"])
        assert north.take("m1", "m2") == {"m1": "south", "m2": "north"}


def test_orphans_are_unfinished_matches_without_a_live_holder(url: str) -> None:
    with nodes(url) as (north, south), psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO boardwire.matches (id, ended) VALUES ('m1', false), ('m2', true), ('m3', false)"
        )
        assert north.ask(north.leases.read_orphans) == ["m1", "m3"]
        south.take("m1")
        assert north.ask(north.leases.read_orphans) == ["m3"]
        south.age(4)
        assert north.ask(north.leases.read_orphans) == ["m1", "m3"]


def test_held_returns_the_unfinished_matches_of_a_node(url: str) -> None:
    with nodes(url) as (north, south), psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO boardwire.matches (id, ended) VALUES ('m1', false), ('m2', true), ('m3', false)"
        )
        north.take("m1", "m2", "")
        south.take("m3")
        assert north.ask(north.leases.read_held) == ["m1"]


def test_a_restarted_node_has_the_next_generation_and_the_former_one_stops(url: str) -> None:
    with nodes(url) as (north, _):
        assert north.leases.generation == 1
        north.age(4)
        with closing(PostgresLeases(url, "north", print, print, print)) as again:
            assert again.generation == 2
            north.leases._run_and_post(north.leases._send_heartbeat, north.leases._handle_heartbeat)
            assert north.name_taken


def test_a_second_live_node_of_the_same_name_is_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with nodes(url) as (north, _):
        monkeypatch.setattr("boardwire.cluster.leases.sleep", lambda seconds: north.beat())
        with pytest.raises(ConfigError, match="another node named 'north' is running"):
            PostgresLeases(url, "north", print, print, print)


def test_a_node_releases_its_leases_on_close(url: str) -> None:
    with nodes(url) as (north, south):
        north.take("m1", LOBBY)
        north.leases.close()
        membership = south.beat()
        assert ([peer.name for peer in membership.peers], membership.lobby) == (["south"], "")
        assert south.take("m1") == {"m1": "south"}


def test_the_answer_is_none_while_the_database_is_down(url: str) -> None:
    with nodes(url) as (north, _):
        north.leases._connection.close()
        north.leases._address = "postgresql://nobody@127.0.0.1:1/none"
        assert north.take("m1") is None
        north.leases._address = url
        assert north.take("m1") == {"m1": "north"}


def test_requests_are_batched_but_stay_in_order_for_each_match() -> None:
    requests = [
        LeaseRequest(Operation.GIVE, "a", ["one"]),
        LeaseRequest(Operation.TAKE, "", ["two"]),
        LeaseRequest(Operation.GIVE, "a", ["three"]),
        LeaseRequest(Operation.GIVE, "b", ["four"]),
        LeaseRequest(Operation.DROP, "", ["one", "five"]),
        LeaseRequest(Operation.DROP, "", ["six"]),
        LeaseRequest(Operation.TAKE, "", ["one"]),
    ]
    done = [
        (one[0].operation, one[0].node, [name for request in one for name in request.names])
        for one in batches(requests)
    ]
    assert done == [
        (Operation.GIVE, "a", ["one", "three"]),
        (Operation.TAKE, "", ["two"]),
        (Operation.GIVE, "b", ["four"]),
        (Operation.DROP, "", ["one", "five", "six"]),
        (Operation.TAKE, "", ["one"]),
    ]
