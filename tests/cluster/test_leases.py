"""Leases and heartbeats in a real PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from queue import Queue
from typing import Any

import psycopg
import pytest
from scripts.postgres import Postgres, postgres

from boardwire.cluster.leases import Deed, PostgresLeases, Wish, grouped
from boardwire.cluster.ports import LOBBY, Roll
from boardwire.errors import ConfigError
from boardwire.store.postgres import PostgresLog

pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with postgres() as database:
        PostgresLog(database.url).close()  # it makes the tables
        yield database


@pytest.fixture
def url(server: Postgres) -> str:
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("TRUNCATE boardwire.nodes, boardwire.leases, boardwire.matches, boardwire.events")
    return server.url


class Held:
    """A node's leases; its heart beats when the test says so."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self.rolls: list[Roll] = []
        self.usurped = False
        self.leases = PostgresLeases(url, name, lambda call, *given: call(*given), self.rolls.append, self._lose)
        self.name = name

    def _lose(self) -> None:
        self.usurped = True

    def beat(self) -> Roll:
        self.leases._work(self.leases._hear, self.leases._heard)
        return self.rolls[-1]

    def ask(self, what: Callable[..., None], *given: Any) -> Any:
        """What came of it."""
        answers: Queue[Any] = Queue()
        answering = (self.leases.take, self.leases.orphans, self.leases.held)
        what(*given, *([answers.put] if what in answering else []))
        work = self.leases._queue.get()
        assert work is not None
        work()
        return None if answers.empty() else answers.get()

    def take(self, *names: str) -> Any:
        return self.ask(self.leases.take, names)

    def age(self, seconds: float) -> None:
        """Let it seem that so much time has passed since its last heartbeat."""
        with psycopg.connect(self._url, autocommit=True) as connection:
            query = "UPDATE boardwire.nodes SET beat = beat - make_interval(secs => %s) WHERE name = %s"
            connection.execute(query, (seconds, self.name))


@contextmanager
def nodes(url: str) -> Iterator[tuple[Held, Held]]:
    north, south = Held(url, "north"), Held(url, "south")
    with closing(north.leases), closing(south.leases):
        yield north, south


def test_one_node_has_a_lease_and_another_is_told_which(url: str) -> None:
    with nodes(url) as (north, south):
        assert north.take("m1", LOBBY) == {"m1": "north", LOBBY: "north"}
        assert south.take("m1", "m2") == {"m1": "north", "m2": "south"}
        assert south.beat().lobby == "north"


def test_what_is_asked_for_together_is_taken_in_one_statement(url: str) -> None:
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
        assert south.take("m4") == {"m4": "south"}, "and then the next"


def test_the_heart_beats_however_much_there_is_to_do(url: str) -> None:
    north = Held(url, "north")
    stop = threading.Event()

    def work() -> None:
        if not stop.is_set():
            north.leases._queue.put(work)

    work()
    north.leases.start()
    for _ in range(1000):
        if len(north.rolls) > 1 or stop.wait(0.01):
            break
    stop.set()
    north.leases.close()
    assert len(north.rolls) > 1


def test_a_node_whose_heartbeat_lapses_loses_what_it_has_to_whoever_needs_it(url: str) -> None:
    with nodes(url) as (north, south):
        north.take("m1", LOBBY)
        north.age(4)
        roll = south.beat()
        assert ([peer.name for peer in roll.peers], roll.lobby) == (["south"], "")
        assert south.take("m1") == {"m1": "south"}
        assert north.beat().lapsed
        assert north.take("m1") == {"m1": "south"}
        assert not north.beat().lapsed


def test_after_the_database_was_away_nobody_is_taken_for_dead(url: str) -> None:
    with nodes(url) as (north, south):
        north.take("m1", LOBBY)
        north.age(60)
        south.age(60)
        roll = south.beat()
        assert roll.lapsed
        assert ({peer.name for peer in roll.peers}, roll.lobby) == ({"north", "south"}, "north")
        assert south.take("m1") == {"m1": "north"}


def test_a_lease_is_given_away_only_by_whoever_has_it(url: str) -> None:
    with nodes(url) as (north, south):
        north.take("m1")
        south.ask(south.leases.give, ["m1"], "south")
        assert south.take("m1") == {"m1": "north"}
        north.ask(north.leases.give, ["m1", "m2"], "south")
        assert north.take("m1", "m2") == {"m1": "south", "m2": "south"}
        north.ask(north.leases.drop, ["m1"])
        south.ask(south.leases.drop, ["m2"])
        assert north.take("m1", "m2") == {"m1": "south", "m2": "north"}


def test_orphans_are_matches_without_an_end_that_nobody_has(url: str) -> None:
    with nodes(url) as (north, south), psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO boardwire.matches (id, ended) VALUES ('m1', false), ('m2', true), ('m3', false)"
        )
        assert north.ask(north.leases.orphans) == ["m1", "m3"]
        south.take("m1")
        assert north.ask(north.leases.orphans) == ["m3"]
        south.age(4)
        assert north.ask(north.leases.orphans) == ["m1", "m3"]


def test_a_node_is_told_of_the_matches_without_an_end_that_it_has(url: str) -> None:
    with nodes(url) as (north, south), psycopg.connect(url, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO boardwire.matches (id, ended) VALUES ('m1', false), ('m2', true), ('m3', false)"
        )
        north.take("m1", "m2", "")
        south.take("m3")
        assert north.ask(north.leases.held) == ["m1"]


def test_a_name_is_one_nodes_at_a_time_and_another_life_after_it(url: str) -> None:
    with nodes(url) as (north, _):
        assert north.leases.life == 1
        north.age(4)
        with closing(PostgresLeases(url, "north", print, print, print)) as again:
            assert again.life == 2
            north.leases._work(north.leases._hear, north.leases._heard)
            assert north.usurped


def test_two_nodes_of_one_name_are_refused(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with nodes(url) as (north, _):
        monkeypatch.setattr("boardwire.cluster.leases.sleep", lambda seconds: north.beat())
        with pytest.raises(ConfigError, match="another node called 'north' is running"):
            PostgresLeases(url, "north", print, print, print)


def test_a_node_that_goes_has_nothing_any_longer(url: str) -> None:
    with nodes(url) as (north, south):
        north.take("m1", LOBBY)
        north.leases.close()
        roll = south.beat()
        assert ([peer.name for peer in roll.peers], roll.lobby) == (["south"], "")
        assert south.take("m1") == {"m1": "south"}


def test_while_the_database_cannot_be_asked_there_is_no_answer(url: str) -> None:
    with nodes(url) as (north, _):
        north.leases._connection.close()
        north.leases._address = "postgresql://nobody@127.0.0.1:1/none"
        assert north.take("m1") is None
        north.leases._address = url
        assert north.take("m1") == {"m1": "north"}


def test_what_is_wished_for_together_is_done_together_but_in_order_for_each_match() -> None:
    wishes = [
        Wish(Deed.GIVE, "a", ["one"]),
        Wish(Deed.TAKE, "", ["two"]),
        Wish(Deed.GIVE, "a", ["three"]),
        Wish(Deed.GIVE, "b", ["four"]),
        Wish(Deed.DROP, "", ["one", "five"]),
        Wish(Deed.DROP, "", ["six"]),
        Wish(Deed.TAKE, "", ["one"]),
    ]
    done = [(one[0].deed, one[0].node, [name for wish in one for name in wish.names]) for one in grouped(wishes)]
    assert done == [
        (Deed.GIVE, "a", ["one", "three"]),
        (Deed.TAKE, "", ["two"]),
        (Deed.GIVE, "b", ["four"]),
        (Deed.DROP, "", ["one", "five", "six"]),
        (Deed.TAKE, "", ["one"]),
    ]
