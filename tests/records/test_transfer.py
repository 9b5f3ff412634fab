"""Records copied between a directory and a real PostgreSQL: all of them, or nothing."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from scripts.postgres import Postgres

from boardwire.commands.migrate import copy_store
from boardwire.components import COMPONENTS
from boardwire.errors import ConfigError, Unavailable
from boardwire.mail.addresses import Addresses
from boardwire.moderation.acts import ActKind
from boardwire.moderation.moderation import Moderation
from boardwire.players.accounts import Accounts
from boardwire.players.pseudonyms import load_deleted
from boardwire.push.subscriptions import Subscription, Subscriptions
from boardwire.records import transfer
from boardwire.records.postgres import PostgresRecords
from boardwire.records.records import Records, Transaction
from boardwire.records.sqlite import RECORDS_FILE, SqliteRecords
from boardwire.records.transfer import tables_of
from boardwire.store.sqlite import SqliteJournal
from boardwire.table.events import Opened, Player
from boardwire.table.policy import Policy
from boardwire.tournaments.events import Created, Entered, Entrant, Event
from boardwire.tournaments.setup import TournamentFormat, TournamentSetup
from boardwire.tournaments.store import TournamentStore
from boardwire.tournaments.tournament import fold

TABLES = {table: serial for migrations in COMPONENTS.values() for table, serial in tables_of(migrations).items()}


class Screen:
    def isatty(self) -> bool:
        return False

    def write(self, text: str) -> None:
        pass

    def flush(self) -> None:
        pass


@pytest.fixture
def address(database: Postgres) -> str:
    return database.url


def open_records(place: Path | str) -> Records:
    return SqliteRecords(place) if isinstance(place, Path) else PostgresRecords(place)


def rows(place: Path | str) -> dict[str, list[Any]]:
    """All that is stored, by table."""
    records = open_records(place)
    found = {}
    for table in TABLES:
        found[table] = sorted(records.read(partial(_all, table)), key=repr)
    records.close()
    return found


def _all(table: str, db: Transaction) -> list[Any]:
    return [tuple(bytes(one) if isinstance(one, memoryview) else one for one in row)
            for row in db.all(f"SELECT * FROM {table}")]  # fmt: skip


async def fill(records: Records) -> None:
    for component, migrations in COMPONENTS.items():
        await asyncio.to_thread(records.migrate, component, migrations)
    accounts = Accounts(records, lambda: 1000.25)
    ann = (await accounts.claim("Ann", "guest-key")).account.id
    bob = (await accounts.claim("Bøb 漢")).account.id
    await accounts.delete(bob)
    await accounts.add_api_token(ann, "bot", ())
    await Moderation(records, lambda: 1000.0).act("console", ActKind.BAN, "203.0.113.9", "why", 2000.0)
    await Subscriptions(records).add(f"account:{ann}", Subscription("https://push.example/1", "p", "a"), 5.0)
    await Addresses(records).begin(ann, "ann@example.org", "it", 6.0)
    created = Created(1.0, "t1", TournamentSetup("Cup", "tris", TournamentFormat.SWISS), "boss", "Boss")
    events: list[Event] = [created, Entered(2.0, Entrant("Ann", "k", account=ann))]
    await TournamentStore(records).append(fold(events), events)
    await records.write(
        lambda db: db.run("INSERT INTO player_passkeys VALUES (?, ?, ?, 1, '', 1.0, 1.0)", "k", ann, bytes(range(256)))
    )
    # a row that is gone: its number must not be given again
    await accounts.remove_token(ann, max(one.id for one in accounts.keys(ann).tokens))


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    place = tmp_path / "data"
    journal = SqliteJournal(place, lambda *_: None)
    journal.append("m1", 1, [Opened(1.0, "m1", "tris@1", 2, {}, Policy())], lambda result: None)
    journal.close()
    records = SqliteRecords(place)
    asyncio.run(fill(records))
    records.close()
    return place


def next_token(place: Path | str) -> int:
    """The number that the next token gets."""
    records = open_records(place)
    sql = (
        "INSERT INTO player_tokens (player, hash, kind, label, scopes, created, used)"
        " VALUES (1, 'new', 'api', '', '', 1.0, 1.0) RETURNING id"
    )
    row = records.write_now(lambda db: db.one(sql))
    records.close()
    assert row is not None
    return int(row[0])


def copied(source: Path | str, target: Path | str) -> str:
    return copy_store(source, target, Screen())  # type: ignore[arg-type]  # all of a screen that it uses


def test_every_table_of_the_records_is_known(directory: Path) -> None:
    with closing(sqlite3.connect(directory / RECORDS_FILE)) as connection:
        found = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert found - {"record_components", "sqlite_sequence"} == set(TABLES)


@pytest.mark.cluster
def test_records_are_copied_to_a_database_and_back(directory: Path, address: str, tmp_path: Path) -> None:
    before = rows(directory)
    told = copied(directory, address)
    total = sum(map(len, before.values()))
    assert told == f"copied 1 match with 1 event, and 0 analyses; 2 accounts and 1 tournament, {total} records in all"
    assert rows(address) == before
    back = tmp_path / "back"
    assert copied(address, back) == told
    assert rows(back) == before
    wanted = next_token(directory)
    assert (next_token(address), next_token(back)) == (wanted, wanted)
    assert wanted > max(row[0] for row in before["player_tokens"]) + 1, (
        "the last number was given to a row that is gone"
    )


def test_records_are_copied_to_a_directory(directory: Path, tmp_path: Path) -> None:
    before = rows(directory)
    copied(directory, tmp_path / "copy")
    assert rows(tmp_path / "copy") == before
    assert {file.name for file in (tmp_path / "copy").iterdir()} & {RECORDS_FILE, f"{RECORDS_FILE}.unfinished"} == {
        RECORDS_FILE
    }
    accounts = Accounts(SqliteRecords(tmp_path / "copy"))
    assert accounts.directory.named("ann") is not None
    accounts.records.close()


def test_records_are_in_place_with_the_matches_even_if_the_analyses_fail(
    directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> int:
        raise Unavailable("the disk is full")

    monkeypatch.setattr("boardwire.store.transfer._copy_analyses", fail)
    with pytest.raises(Unavailable):
        copied(directory, tmp_path / "copy")
    assert rows(tmp_path / "copy") == rows(directory)


def test_an_older_format_is_copied_as_it_is_and_migrated_by_the_server(tmp_path: Path) -> None:
    old = SqliteRecords(tmp_path / "old")
    old.migrate("players", COMPONENTS["players"][:2])
    add = (
        "INSERT INTO players (name, folded, kind, role, created, revision)"
        " VALUES ('Ann', 'ann', 'person', 'player', 1, 1)"
    )
    old.write_now(lambda db: db.run(add))
    old.close()
    SqliteJournal(tmp_path / "old", lambda *_: None).close()
    before = (tmp_path / "old" / RECORDS_FILE).read_bytes()
    copied(tmp_path / "old", tmp_path / "new")
    assert (tmp_path / "old" / RECORDS_FILE).read_bytes() == before
    records = SqliteRecords(tmp_path / "new")
    assert Accounts(records).directory.named("Ann") is not None
    assert records.migrate("players", COMPONENTS["players"]) == 0
    records.close()


def test_a_store_without_records_is_copied(tmp_path: Path) -> None:
    SqliteJournal(tmp_path / "data", lambda *_: None).close()
    assert copied(tmp_path / "data", tmp_path / "copy") == "copied 0 matches with 0 events, and 0 analyses"


def occupied(place: Path | str) -> None:
    records = open_records(place)
    asyncio.run(Accounts(records).claim("Zoe"))
    records.close()


def test_another_copy_to_the_same_directory_leaves_the_records_of_the_first(
    directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "copy"
    copy_table = transfer._copy_table
    refused: list[str] = []

    def copy_twice(*arguments: Any) -> int:
        count = copy_table(*arguments)
        with monkeypatch.context() as context:
            context.setattr(transfer, "_copy_table", copy_table)
            with pytest.raises((ConfigError, Unavailable)) as error:
                copied(directory, target)
        refused.append(str(error.value))
        return count

    monkeypatch.setattr(transfer, "_copy_table", copy_twice)
    copied(directory, target)
    assert len(refused) == len(TABLES)
    assert rows(target) == rows(directory)
    monkeypatch.setattr(transfer, "_copy_table", copy_table)
    with pytest.raises(ConfigError):
        copied(directory, target)
    assert rows(target) == rows(directory)


def test_the_rest_of_an_interrupted_copy_is_not_taken_for_records(directory: Path, tmp_path: Path) -> None:
    plain, target = tmp_path / "plain", tmp_path / "copy"
    SqliteJournal(plain, lambda *_: None).close()
    target.mkdir()
    (target / f"{RECORDS_FILE}.unfinished").write_bytes((directory / RECORDS_FILE).read_bytes())
    copied(plain, target)
    assert not list(target.glob(f"{RECORDS_FILE}*"))


def test_a_directory_with_records_is_refused(directory: Path, tmp_path: Path) -> None:
    occupied(tmp_path / "copy")
    with pytest.raises(ConfigError, match="already has records of players"):
        copied(directory, tmp_path / "copy")
    accounts = Accounts(SqliteRecords(tmp_path / "copy"))
    assert [account.name for account in accounts.directory.search("", 9)] == ["Zoe"]
    accounts.records.close()


@pytest.mark.cluster
def test_a_database_with_records_is_refused_and_one_with_empty_tables_is_filled(directory: Path, address: str) -> None:
    occupied(address)
    with pytest.raises(ConfigError, match="already has records of players"):
        copied(directory, address)
    records = PostgresRecords(address)
    for table in TABLES:
        if table.startswith("player"):
            records.write_now(partial(_empty, table))
    records.close()
    before = rows(directory)
    copied(directory, address)
    assert rows(address) == before


def _empty(table: str, db: Transaction) -> None:
    db.run(f"DELETE FROM {table}")


def fails(*arguments: Any) -> int:
    raise Unavailable("no space left")


@pytest.mark.parametrize("kind", ["directory", pytest.param("database", marks=pytest.mark.cluster)])
def test_a_failed_copy_leaves_nothing(
    directory: Path, tmp_path: Path, kind: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    target: Path | str = tmp_path / "copy" if kind == "directory" else request.getfixturevalue("address")
    last = list(TABLES)[-1]
    copy: Callable[..., int] = transfer._copy_table

    def copy_some(reader: Any, writer: Any, table: str, serial: str) -> int:
        return (fails if table == last else copy)(reader, writer, table, serial)

    monkeypatch.setattr(transfer, "_copy_table", copy_some)
    with pytest.raises(Unavailable, match="no space left"):
        copied(directory, target)
    monkeypatch.undo()
    copied(directory, target)
    assert rows(target) == rows(directory)


def test_deleted_accounts_are_known_where_records_are_and_nowhere_else(
    directory: Path, address: str, tmp_path: Path
) -> None:
    ann, bob = Player("Ann", account=1), Player("Bøb 漢", account=2)
    for bare in (tmp_path / "nothing", address):
        assert not any(map(load_deleted(bare), (ann, bob)))
    copied(directory, address)
    for place in (directory, address):
        assert [load_deleted(place)(one) for one in (ann, bob)] == [False, True]
