"""What was made of matches and could be made again."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardwire.store.analyses import (
    ANALYSES_FILE,
    AnalysisStore,
    DatabaseAnalysisStore,
    DurableAnalysisStore,
    FileAnalysisStore,
    MemoryAnalysisStore,
)

from .harness import Harness


def make(kind: str, request: pytest.FixtureRequest) -> DurableAnalysisStore:
    """A shelf for two."""
    if kind == "file":
        return FileAnalysisStore(request.getfixturevalue("tmp_path"), max_analyses=2)
    url = request.getfixturevalue("database").url
    with Harness().connect(url):
        pass  # opening a journal makes the schema
    return DatabaseAnalysisStore(url, max_analyses=2)


@pytest.fixture(params=["memory", "file", "database"])
def shelf(request: pytest.FixtureRequest) -> AnalysisStore:
    return MemoryAnalysisStore(max_analyses=2) if request.param == "memory" else make(request.param, request)


@pytest.fixture(params=["file", "database"])
def lasting(request: pytest.FixtureRequest) -> DurableAnalysisStore:
    return make(request.param, request)


def test_stored_analyses_are_found_and_the_last_one_counts(shelf: AnalysisStore) -> None:
    assert shelf.get("one") is None
    shelf.put("one", b"1")
    shelf.put("one", b"2")
    assert shelf.get("one") == b"2"
    assert shelf.get("two") is None


def test_the_oldest_goes_when_there_are_too_many(shelf: AnalysisStore) -> None:
    for name in ("one", "two", "three"):
        shelf.put(name, name.encode())
    assert [shelf.get(name) for name in ("one", "two", "three")] == [None, b"two", b"three"]


def test_used_entries_stay_longer(lasting: DurableAnalysisStore) -> None:
    lasting.put("one", b"1")
    lasting.put("two", b"2")
    lasting.get("one")
    assert lasting.rows(0, 9) == [("two", b"2"), ("one", b"1")]
    lasting.put("three", b"3")
    assert [lasting.get(name) for name in ("one", "two", "three")] == [b"1", None, b"3"]


def test_another_process_finds_it(
    lasting: DurableAnalysisStore, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    lasting.fill([("one", b"1"), ("two", b"2")])
    again = FileAnalysisStore(tmp_path) if isinstance(lasting, FileAnalysisStore) else make("database", request)
    assert again.get("one") == b"1"
    assert again.rows(1, 9) == [("one", b"1")]


def test_a_file_that_cannot_be_read_or_written_costs_nothing_but_work(tmp_path: Path) -> None:
    (tmp_path / ANALYSES_FILE).write_bytes(b"this is no database, and long enough to see that" * 50)
    shelf = FileAnalysisStore(tmp_path)
    shelf.put("one", b"1")
    assert shelf.get("one") is None
    assert shelf.rows(0, 9) == []


def test_a_database_that_is_away_costs_nothing_but_work() -> None:
    shelf = DatabaseAnalysisStore("postgresql://ann@127.0.0.1:1/games")
    shelf.put("one", b"1")
    assert shelf.get("one") is None
