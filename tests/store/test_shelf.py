"""What was made of matches and could be made again."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardwire.store.shelf import FILE, Shelf


@pytest.fixture(params=["memory", "file"])
def directory(request: pytest.FixtureRequest, tmp_path: Path) -> Path | None:
    return tmp_path if request.param == "file" else None


def test_what_was_put_is_found_and_the_last_is_what_counts(directory: Path | None) -> None:
    shelf = Shelf(directory)
    assert shelf.get("one") is None
    shelf.put("one", b"1")
    shelf.put("one", b"2")
    assert shelf.get("one") == b"2"
    assert shelf.get("two") is None


def test_the_oldest_goes_when_there_are_too_many(directory: Path | None) -> None:
    shelf = Shelf(directory, most=2)
    for name in ("one", "two", "three"):
        shelf.put(name, name.encode())
    assert [shelf.get(name) for name in ("one", "two", "three")] == [None, b"two", b"three"]


def test_what_was_asked_for_stays_longer(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, most=2)
    shelf.put("one", b"1")
    shelf.put("two", b"2")
    shelf.get("one")
    shelf.put("three", b"3")
    assert [shelf.get(name) for name in ("one", "two", "three")] == [b"1", None, b"3"]
    assert Shelf(tmp_path).get("one") == b"1", "another process finds it"


def test_a_file_that_cannot_be_read_or_written_costs_nothing_but_work(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"this is no database, and long enough to see that" * 50)
    shelf = Shelf(tmp_path)
    shelf.put("one", b"1")
    assert shelf.get("one") is None
