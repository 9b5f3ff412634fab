"""The PostgreSQL store: what is its own beside the contract of all journals (`test_journal.py`)."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any, LiteralString

import psycopg
import pytest
from msgspec.structs import replace
from scripts.postgres import Postgres

from boardwire.config import SETTINGS
from boardwire.errors import ConfigError, Malformed, Reason, Unavailable
from boardwire.store.group_commit import Append
from boardwire.store.postgres import MIGRATIONS, PostgresArchive, PostgresJournal, PostgresLog, migrate
from boardwire.table.events import Acted, Chatted, Joined, Opened, Player, encode
from boardwire.table.policy import Policy
from boardwire.table.ports import AppendResult, MatchFilter

from .harness import Harness

pytestmark = pytest.mark.cluster

STORED, FAILED, SUPERSEDED = AppendResult


def opening(match: str) -> Opened:
    return Opened(1.0, match, "tris@1", 2, {}, Policy())


class Losing:
    """A connection that is lost at one commit: before the database has it, or after it was stored and before it says
    so."""

    def __init__(self, log: PostgresLog, *, stored: bool) -> None:
        self._log = log
        self._stored = stored
        self._execute = log._connection.execute
        log._connection.execute = self._lose  # type: ignore[method-assign]  # only a broken network could cause this

    def _lose(self, *arguments: Any, **named: Any) -> Any:
        if self._stored:
            self._execute(*arguments, **named)
        self._log._connection.pgconn.finish()
        raise psycopg.OperationalError("the connection was lost")


@pytest.mark.parametrize("stored", [False, True])
def test_a_commit_without_an_answer_is_stored_and_acknowledged_once(database: Postgres, stored: bool) -> None:
    harness = Harness()
    answers: list[AppendResult] = []
    with harness.connect(database.url) as journal:
        journal.append("m", 1, [opening("m")], answers.append)
        harness.run(journal)
        Losing(journal._writer, stored=stored)
        journal.append("m", 2, [Acted(2.0, 0, 4), Acted(3.0, 1, 5)], answers.append)
        journal.append("n", 1, [opening("n")], answers.append)
        harness.run(journal)
        assert answers == [STORED] * 3
        assert journal.read("m") == [opening("m"), Acted(2.0, 0, 4), Acted(3.0, 1, 5)]
        assert journal.newest(None, 9) == [(2, "n"), (1, "m")]


def test_events_that_another_node_wrote_during_an_unanswered_commit_are_its_own(database: Postgres) -> None:
    harness = Harness()
    answers: list[AppendResult] = []
    with harness.connect(database.url) as journal:
        journal.append("m", 1, [opening("m")], answers.append)
        harness.run(journal)
        Losing(journal._writer, stored=False)
        with psycopg.connect(database.url, autocommit=True) as other:
            other.execute("INSERT INTO boardwire.events VALUES ('m', 2, %s)", (b'{"event":"acted","at":9}',))
        journal.append("m", 2, [Acted(2.0, 0, 4)], answers.append)
        journal.append("n", 1, [opening("n")], answers.append)
        harness.run(journal)
        assert answers == [STORED, SUPERSEDED, STORED]


def test_an_unexplained_conflict_is_reported_and_not_retried_forever(database: Postgres) -> None:
    log = PostgresLog(database.url)
    with closing(log), psycopg.connect(database.url, autocommit=True) as other:
        other.execute(
            """
            CREATE FUNCTION boardwire.clash() RETURNS trigger LANGUAGE plpgsql
                AS $$ BEGIN RAISE unique_violation USING MESSAGE = 'it is there'; END $$;
            CREATE TRIGGER clash BEFORE INSERT ON boardwire.events EXECUTE FUNCTION boardwire.clash()
            """
        )
        try:
            with pytest.raises(Unavailable, match="reports a duplicate row that does not exist: it is there"):
                log.write([Append("clash", 1, [b"{}"], False, lambda result: None)])
        finally:
            other.execute("DROP FUNCTION boardwire.clash CASCADE")


def test_a_database_that_returns_has_everything_acknowledged_and_accepts_more(database: Postgres) -> None:
    harness = Harness()
    answers: list[AppendResult] = []
    with harness.connect(database.url) as journal:
        journal.append("m", 1, [opening("m")], answers.append)
        harness.run(journal)
        assert journal.read("m") == [opening("m")]
        database.stop()
        journal.append("m", 2, [Acted(2.0, 0, 4)], answers.append)
        with pytest.raises(Unavailable, match="the journal cannot be read at the moment") as refused:
            journal.read("m")
        assert refused.value.reason is Reason.UNAVAILABLE
        assert journal.busy
        database.start()
        harness.run(journal)
        assert answers == [STORED, STORED]
        assert journal.read("m") == [opening("m"), Acted(2.0, 0, 4)]
        assert not journal.failing


def test_while_a_commit_is_overdue_others_are_refused_at_once(
    database: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr("boardwire.store.group_commit.perf_counter", lambda: now)
    harness = Harness()
    answers: list[tuple[str, AppendResult]] = []
    go_on = threading.Event()
    with harness.connect(database.url) as journal:
        write = journal._writer.write

        def wait(batch: list[Append]) -> list[AppendResult]:
            assert go_on.wait(10)
            return write(batch)

        monkeypatch.setattr(journal._writer, "write", wait)
        journal.append("m", 1, [opening("m")], lambda result: answers.append(("m", result)))
        harness.step()
        assert not journal.failing
        now = 5.1
        assert journal.failing
        journal.append("n", 1, [opening("n")], lambda result: answers.append(("n", result)))
        harness.step()
        assert answers == [("n", FAILED)]
        go_on.set()
        harness.run(journal)
        assert answers == [("n", FAILED), ("m", STORED)]
        assert not journal.failing


def test_a_journal_that_is_closed_does_not_wait_for_a_database_that_is_gone(database: Postgres) -> None:
    harness = Harness()
    answers: list[AppendResult] = []
    journal = PostgresJournal(database.url, harness.post, harness.failed)
    database.stop()
    try:
        journal.append("m", 1, [opening("m")], answers.append)
        harness.step()
        journal.close()
        while not answers:
            harness.step()
        assert answers == [FAILED]
    finally:
        database.start()


def test_one_server_at_a_time_writes(database: Postgres) -> None:
    harness = Harness()
    with harness.connect(database.url):
        with pytest.raises(Unavailable, match="another boardwire server uses this database"):
            PostgresJournal(database.url, harness.post)
        with PostgresArchive(database.url) as archive:
            assert archive.names() == []
    with harness.connect(database.url) as journal:
        assert list(journal.unfinished()) == []


def test_a_newer_format_is_refused_and_left_alone(database: Postgres) -> None:
    with Harness().connect(database.url):
        pass
    newer = len(MIGRATIONS) + 1
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("UPDATE boardwire.format SET number = %s", (newer,))
    with pytest.raises(Unavailable, match=f"newer boardwire .format {newer}"):
        PostgresJournal(database.url, Harness().post)


def test_a_schema_of_another_program_is_not_touched(database: Postgres) -> None:
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA boardwire")
        connection.execute("CREATE TABLE boardwire.events (theirs text)")
    with pytest.raises(ConfigError, match="another program's schema 'boardwire'"):
        PostgresJournal(database.url, Harness().post)
    with psycopg.connect(database.url) as connection:
        tables = connection.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'boardwire'")
        assert tables.fetchall() == [("events",)]


@pytest.mark.parametrize(
    ("made", "words"),
    [
        ("CREATE TABLE boardwire.format (cats text)", "another program's schema 'boardwire'"),
        ("CREATE TABLE boardwire.format AS SELECT 'cats' AS number", "another program's schema 'boardwire'"),
        ("CREATE TABLE boardwire.format AS SELECT 1 AS number", "another program's schema 'boardwire'"),
        ("CREATE TABLE boardwire.format AS SELECT 99 AS number", "newer boardwire .format 99"),
    ],
)
def test_tables_of_another_program_are_not_taken_for_ours(database: Postgres, made: LiteralString, words: str) -> None:
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA boardwire")
        connection.execute(made)
    for use in (PostgresLog, PostgresArchive):
        with pytest.raises((ConfigError, Unavailable), match=words):
            use(database.url)
    with psycopg.connect(database.url) as connection:
        tables = connection.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'boardwire'")
        assert tables.fetchall() == [("format",)]


@pytest.fixture
def guest(database: Postgres) -> Iterator[str]:
    """The address of the database for someone who has no rights there."""
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("CREATE ROLE guest LOGIN")
    yield database.url.replace("boardwire@", "guest@")
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("DROP ROLE guest")


def test_missing_rights_of_a_user_are_named(database: Postgres, guest: str) -> None:
    with pytest.raises(ConfigError, match=r"the database user lacks privileges .* be allowed to create it"):
        PostgresLog(guest)
    with Harness().connect(database.url):
        pass
    for use in (PostgresLog, PostgresArchive):
        with pytest.raises(ConfigError, match="the database user lacks privileges"):
            use(guest)


def test_a_database_that_can_only_be_read_is_told(database: Postgres) -> None:
    with pytest.raises(ConfigError, match="the database is read-only; use the address of"):
        PostgresLog(f"{database.url}?options=-c%20default_transaction_read_only%3Don")


def test_servers_that_begin_at_once_make_the_tables_once(database: Postgres) -> None:
    with psycopg.connect(database.url, autocommit=True) as first, psycopg.connect(database.url) as second:
        second.autocommit = True
        ran: list[int] = []
        waits = threading.Thread(target=lambda: ran.append(migrate(second)))
        with first.transaction():
            assert migrate(first) == len(MIGRATIONS)
            waits.start()
            while "advisory" not in _waiting(database, second):
                assert waits.is_alive()
        waits.join(10)
        assert ran == [0]


def test_a_database_of_format_2_tells_who_sat_down_where(database: Postgres) -> None:
    joined = encode(Joined(2.0, 0, Player('an"key":"n', key="ann's")))
    bodies = [
        joined,
        encode(Joined(3.0, 1, Player("bob"))),
        b'{"event":"joined", and what nobody can read \xff',
        joined,
    ]
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA boardwire")
        connection.execute("CREATE TABLE boardwire.format (number integer NOT NULL)")
        connection.execute("INSERT INTO boardwire.format VALUES (2)")
        for script in MIGRATIONS[:2]:
            connection.execute(script)
        connection.execute("INSERT INTO boardwire.matches (id, ended) VALUES ('m', false)")
        for seq, body in enumerate(bodies, 1):
            connection.execute("INSERT INTO boardwire.events VALUES ('m', %s, %s)", (seq, body))
        assert migrate(connection) == len(MIGRATIONS) - 2
        assert connection.execute("SELECT player, match FROM boardwire.sitters").fetchall() == [("ann's", "m")]
        assert connection.execute("SELECT name, number FROM boardwire.names ORDER BY 1").fetchall() == [
            ('an"key":"n', 1), ("bob", 1),
        ]  # fmt: skip


def test_matches_stored_by_an_older_node_are_found_when_a_server_connects(database: Postgres) -> None:
    opened = Opened(1.0, "m", "tris@1", 2, {}, Policy(), code="secret")
    with psycopg.connect(database.url, autocommit=True) as connection:
        migrate(connection)
        connection.execute("INSERT INTO boardwire.matches (id, ended) VALUES ('m', false), ('n', false)")
        for match, first in (("m", opened), ("n", replace(opened, match="n", code=""))):
            for seq, event in enumerate((first, Joined(2.0, 0, Player("ann", key="ann's"))), 1):
                connection.execute("INSERT INTO boardwire.events VALUES (%s, %s, %s)", (match, seq, encode(event)))
            connection.execute("INSERT INTO boardwire.sitters (player, match) VALUES ('ann''s', %s)", (match,))
        assert migrate(connection) == 0
    with PostgresArchive(database.url) as archive:
        assert archive.list_public(MatchFilter("tris", "ann", False), None, 9) == [(2, "n")]
        assert archive.of_player("ann's", None, 9) == [(2, "n"), (1, "m")]


def _waiting(database: Postgres, connection: psycopg.Connection[Any]) -> str:
    """What a connection waits for."""
    with psycopg.connect(database.url) as other:
        query = "SELECT coalesce(wait_event, '') FROM pg_stat_activity WHERE pid = %s"
        row = other.execute(query, (connection.info.backend_pid,)).fetchone()
    return str(row[0]) if row is not None else ""


def test_an_empty_database_has_no_matches_and_stays_empty(database: Postgres) -> None:
    with pytest.raises(ConfigError, match="there are no matches in this database"):
        PostgresArchive(database.url)
    with psycopg.connect(database.url) as connection:
        assert connection.execute("SELECT to_regnamespace('boardwire')").fetchone() == (None,)


def test_the_password_of_a_database_is_never_shown() -> None:
    for address, words in (
        ("postgresql://ann:secret@127.0.0.1:1/x", "cannot connect to the database"),
        ("postgresql://ann:secret@[::1/x", "invalid database address"),
        ("postgresql://ann:secret@host/x?nonsense=1", "invalid database address"),
    ):
        with pytest.raises((ConfigError, Unavailable), match=words) as refused:
            PostgresArchive(address)
        assert "secret" not in str(refused.value)
    with pytest.raises(Malformed, match="--store is not an address like") as malformed:
        SETTINGS["store"].read("--store", "mysql://ann:secret@host/x")
    assert "secret" not in str(malformed.value)


def test_without_psycopg_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(ConfigError, match=r"pip install 'boardwire\[postgres\]'"):
        PostgresArchive("postgresql://localhost/x")


def test_a_match_that_this_program_cannot_read_is_named(database: Postgres) -> None:
    harness = Harness()
    with harness.connect(database.url) as journal:
        journal.append("m", 1, [opening("m"), Chatted(2.0, 0, "x")], lambda result: None)
        harness.run(journal)
        with psycopg.connect(database.url, autocommit=True) as connection:
            connection.execute("UPDATE boardwire.events SET body = 'rubbish' WHERE seq = 2")
        with pytest.raises(Unavailable, match="match 'm' cannot be read") as refused:
            journal.read("m")
        assert refused.value.reason is Reason.UNREADABLE
