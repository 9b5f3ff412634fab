"""A store copied into another: all of it to the letter, or nothing."""

from __future__ import annotations

import shutil
import sqlite3
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest
from scripts.postgres import Postgres

from boardwire.errors import ConfigError, Reason, Unavailable
from boardwire.games.game import Outcome
from boardwire.records.backends import durable_backend
from boardwire.store import database as database_store
from boardwire.store import transfer
from boardwire.store.analyses import DatabaseAnalysisStore, FileAnalysisStore
from boardwire.store.archive import DATABASE_FILE, Archive
from boardwire.store.group_commit import StoredMatch
from boardwire.store.postgres import MIGRATIONS, PostgresArchive
from boardwire.store.transfer import CopyCounts
from boardwire.table.events import Acted, Chatted, Ended, Joined, Opened, Player
from boardwire.table.policy import Policy
from boardwire.table.ports import MatchFilter
from boardwire.table.summary import summarize

from .harness import Harness

pytestmark = pytest.mark.cluster

FIXTURES = Path(__file__).parent / "fixtures"
MATCHES = 7


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """A store with matches that were played side by side: long and short ones, over and in play."""
    place = tmp_path / "data"
    harness = Harness()
    names = [f"m{number}" for number in range(MATCHES)]
    with harness.open(place) as journal:
        for name in names:
            journal.append(name, 1, [Opened(1.0, name, "tris@1", 2, {}, Policy())], ignore)
        for turn in range(2, 80):
            for name in names[: MATCHES if turn < 9 else 3]:
                journal.append(name, turn, [Chatted(float(turn), 0, f"so è così\u2028\n{turn}" * 9)], ignore)
            harness.run(journal)
        for name in names[1:]:
            first = 80 if name in names[:3] else 9
            journal.append(
                name, first, [Joined(9.0, 0, Player("ann", key="ann's")), Ended(9.5, Outcome("line", (0,)))], ignore
            )
        harness.run(journal)
    FileAnalysisStore(place).fill([("m1", b"thoughts"), ("m2", b"\x00\xff")])
    return place


def ignore(result: object) -> None:
    """The tests look at what is stored."""


def copy(
    source: Path | str,
    target: Path | str,
    tell: Callable[[CopyCounts, int], object] = lambda done, of: None,
) -> CopyCounts:
    """Copy a store to another one, by their places."""
    return transfer.copy(durable_backend(source), durable_backend(target), tell)


def kept(place: Path | str) -> list[StoredMatch]:
    """All that a store has."""
    with Archive(place) if isinstance(place, Path) else PostgresArchive(place) as archive:
        return list(archive.read_all())


def empty(database: Postgres) -> None:
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("DROP SCHEMA boardwire CASCADE")


def test_a_round_trip_gives_the_same_bytes(directory: Path, database: Postgres, tmp_path: Path) -> None:
    told: list[tuple[CopyCounts, int]] = []
    there = copy(directory, database.url, lambda done, of: told.append((done, of)))
    wanted = kept(directory)
    assert there == CopyCounts(MATCHES, sum(len(one.bodies) for one in wanted), 2)
    assert told[-1] == (there._replace(analyses=0), MATCHES)
    assert kept(database.url) == wanted
    with psycopg.connect(database.url) as connection:
        last = connection.execute("SELECT last_value FROM boardwire.matches_number_seq").fetchone()
        assert last == (MATCHES,), "the next match has the next number"
    back = tmp_path / "back"
    assert copy(database.url, back) == there
    assert kept(back) == wanted
    assert (
        FileAnalysisStore(back).rows(0, 9)
        == DatabaseAnalysisStore(database.url).rows(0, 9)
        == FileAnalysisStore(directory).rows(0, 9)
    )
    empty(database)
    copy(back, database.url)
    assert kept(database.url) == wanted
    assert sorted(path.name for path in back.iterdir()) == ["analyses.sqlite", DATABASE_FILE, "lock"]


@pytest.mark.parametrize("kind", ["directory", "database"])
def test_a_server_plays_on_in_a_copy(kind: str, directory: Path, database: Postgres, tmp_path: Path) -> None:
    copy(directory, database.url)
    harness = Harness()
    if kind == "directory":
        copy(database.url, tmp_path / "back")
    with harness.open(tmp_path / "back") if kind == "directory" else harness.connect(database.url) as journal:
        assert list(journal.unfinished()) == ["m0"]
        before = journal.read("m0")
        assert len(before) == 79
        journal.append("m0", 80, [Acted(80.0, 0, 4)], ignore)
        journal.append("new", 1, [Opened(1.0, "new", "tris@1", 2, {}, Policy())], ignore)
        harness.run(journal)
        assert journal.read("m0") == [*before, Acted(80.0, 0, 4)]
        assert journal.newest(None, 2) == [(MATCHES + 1, "new"), (MATCHES, f"m{MATCHES - 1}")]
        assert {name for _, name in journal.list_public(MatchFilter(player="ann"), None, MATCHES)} == {
            name
            for _, name in journal.list_public(MatchFilter(), None, MATCHES)
            if any(player and player.name == "ann" for player in summarize(journal.read(name)).chairs)
        }
        assert journal.of_player("ann's", None, MATCHES) == [(one + 1, f"m{one}") for one in range(MATCHES - 1, 0, -1)]


def test_a_directory_of_an_older_version_is_copied_as_it_stands(database: Postgres, tmp_path: Path) -> None:
    shutil.copy(FIXTURES / "format2.sqlite", tmp_path / DATABASE_FILE)
    before = (tmp_path / DATABASE_FILE).read_bytes()
    copy(tmp_path, database.url)
    assert (tmp_path / DATABASE_FILE).read_bytes() == before
    with Archive(tmp_path) as old, PostgresArchive(database.url) as new:
        assert new.names() == old.names()
        assert [new.events(name) for name in new.names()] == [old.events(name) for name in old.names()]
        assert new.unfinished() == old.unfinished()


def test_unreadable_matches_are_copied_too(directory: Path, database: Postgres, tmp_path: Path) -> None:
    copy(directory, database.url)
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("UPDATE boardwire.events SET body = 'rub\nbish' WHERE match = 'm3' AND seq = 2")
    copy(database.url, tmp_path / "back")
    with Archive(tmp_path / "back") as archive:
        assert len(archive.events("m2")) == 81
        with pytest.raises(Unavailable, match="match 'm3' cannot be read"):
            archive.events("m3")


def test_a_match_that_lacks_events_is_named_and_nothing_is_copied(
    directory: Path, database: Postgres, tmp_path: Path
) -> None:
    copy(directory, database.url)
    with psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("DELETE FROM boardwire.events WHERE match = 'm3' AND seq = 2")
    with pytest.raises(Unavailable, match="match 'm3' has missing events") as refused:
        copy(database.url, tmp_path / "back")
    assert refused.value.reason is Reason.UNREADABLE
    assert [path.name for path in (tmp_path / "back").iterdir()] == ["lock"]


# --- the target -------------------------------------------------------------------------------------------------------


def test_a_target_with_matches_is_refused_and_left_alone(directory: Path, database: Postgres, tmp_path: Path) -> None:
    copy(directory, database.url)
    with pytest.raises(ConfigError, match="the database already has matches; copying needs an empty database"):
        copy(directory, database.url)
    shutil.copytree(directory, tmp_path / "other")
    with pytest.raises(ConfigError, match="other already has matches; copying needs an empty directory"):
        copy(database.url, tmp_path / "other")
    assert kept(tmp_path / "other") == kept(database.url) == kept(directory)


def test_an_unused_target_that_a_server_made_is_empty(directory: Path, database: Postgres, tmp_path: Path) -> None:
    with Harness().connect(database.url), Harness().open(tmp_path / "back"):
        pass
    (tmp_path / "back" / f"{DATABASE_FILE}-wal").write_bytes(b"left by a server that was killed")
    copy(directory, database.url)
    copy(database.url, tmp_path / "back")
    assert kept(tmp_path / "back") == kept(directory)


def test_a_file_of_another_program_is_refused_and_left_alone(directory: Path, database: Postgres) -> None:
    theirs = directory.parent / "theirs"
    theirs.mkdir()
    with closing(sqlite3.connect(theirs / DATABASE_FILE)) as connection:
        connection.execute("CREATE TABLE cats (name TEXT)")
    copy(directory, database.url)
    with pytest.raises(ConfigError, match=r"theirs has another program's boardwire\.sqlite"):
        copy(database.url, theirs)


def test_a_database_of_a_newer_format_is_refused_and_left_alone(directory: Path, database: Postgres) -> None:
    with Harness().connect(database.url), psycopg.connect(database.url, autocommit=True) as connection:
        connection.execute("UPDATE boardwire.format SET number = %s", (len(MIGRATIONS) + 1,))
    with pytest.raises(Unavailable, match="newer boardwire"):
        copy(directory, database.url)


# --- all or nothing ---------------------------------------------------------------------------------------------------


@pytest.fixture
def broken_off(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Lets copying fail when it is half done."""

    def fail_with(error: BaseException) -> None:
        batches = transfer._batches

        def half(matches: Iterator[StoredMatch]) -> Iterator[list[StoredMatch]]:
            for batch in batches(matches):
                yield batch[: len(batch) // 2]
                raise error

        monkeypatch.setattr(transfer, "_batches", half)

    return fail_with


def test_an_interrupted_copy_leaves_nothing_and_can_be_repeated(
    directory: Path,
    database: Postgres,
    tmp_path: Path,
    broken_off: Callable[[BaseException], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken_off(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        copy(directory, database.url)
    monkeypatch.undo()
    with psycopg.connect(database.url) as connection:
        assert connection.execute("SELECT to_regnamespace('boardwire')").fetchone() == (None,)
    copy(directory, database.url)
    broken_off(KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        copy(database.url, tmp_path / "back")
    monkeypatch.undo()
    assert [path.name for path in (tmp_path / "back").iterdir()] == ["lock"]
    (tmp_path / "back" / f"{DATABASE_FILE}.unfinished").write_bytes(b"of one that was killed")
    copy(database.url, tmp_path / "back")
    assert kept(tmp_path / "back") == kept(directory)


def test_a_database_lost_during_the_copy_is_reported_and_unchanged(
    directory: Path, database: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert = database_store._insert

    def cut(connection: Any, batch: list[StoredMatch]) -> None:
        insert(connection, batch)
        database.stop()

    monkeypatch.setattr(database_store, "_insert", cut)
    try:
        with pytest.raises(Unavailable, match="cannot write to the database"):
            copy(directory, database.url)
    finally:
        database.start()
    monkeypatch.undo()
    copy(directory, database.url)
    assert kept(database.url) == kept(directory)


def test_a_store_that_a_server_has_open_is_refused(directory: Path, database: Postgres, tmp_path: Path) -> None:
    with Harness().open(directory), pytest.raises(Unavailable, match=r"another boardwire process has .*data open"):
        copy(directory, database.url)
    with Harness().connect(database.url):
        for source, target in ((directory, database.url), (database.url, tmp_path / "back")):
            with pytest.raises(Unavailable, match="another boardwire server uses this database"):
                copy(source, target)
    with pytest.raises(Unavailable, match=r"another boardwire process has .*data open"):
        copy(directory, directory)


def test_there_is_nothing_to_copy_without_matches(database: Postgres, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there are no matches in"):
        copy(tmp_path / "nothing", database.url)
    assert not (tmp_path / "nothing").exists()
    with pytest.raises(ConfigError, match="there are no matches in this database"):
        copy(database.url, tmp_path / "back")
    assert not (tmp_path / "back").exists()


def test_a_broken_file_is_reported_in_a_sentence(directory: Path, database: Postgres) -> None:
    with closing(sqlite3.connect(directory / DATABASE_FILE)) as connection:
        connection.execute("DROP TABLE log")
    with pytest.raises(Unavailable, match="cannot read the stored matches"):
        copy(directory, database.url)


# --- how much is in memory --------------------------------------------------------------------------------------------


def test_a_large_store_is_copied_batch_by_batch(
    database: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forty batches in less memory than ten of them."""
    batch = 100_000
    monkeypatch.setattr(transfer, "BATCH_BYTES", batch)
    said = [Chatted(1.0, 0, "x" * 1000)] * 99
    harness = Harness()
    with harness.open(tmp_path / "data") as journal:
        for number in range(40):
            journal.append(f"m{number}", 1, [Opened(1.0, f"m{number}", "tris@1", 2, {}, Policy()), *said], ignore)
            harness.run(journal)
    for source, target in ((tmp_path / "data", database.url), (database.url, tmp_path / "back")):
        told: list[int] = []
        tracemalloc.start()
        done = copy(source, target, lambda done, of: told.append(done.matches))  # noqa: B023 - called in this round
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert done == CopyCounts(40, 4000)
        assert told == list(range(1, 41))
        assert most < 10 * batch
