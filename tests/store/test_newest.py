"""Both journals tell their newest matches, and one on disk whether it can be written."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boardwire.store.memory import MemoryJournal
from boardwire.store.sqlite import SqliteJournal
from boardwire.store.tally import BOUNDS, CommitTally
from boardwire.table.events import Opened, Policy


def opened(name: str) -> Opened:
    return Opened(1.0, name, "tris@1", 2, {}, Policy())


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_matches_come_newest_first_from_any_number_on(kind: str, tmp_path: Path) -> None:
    journal = MemoryJournal() if kind == "memory" else SqliteJournal(tmp_path, lambda *_: None)
    for number in range(1, 6):
        journal.append(f"m{number}", 1, [opened(f"m{number}")], lambda stored: None)
    if isinstance(journal, SqliteJournal):
        journal.close()
    assert journal.newest(None, 2) == [(5, "m5"), (4, "m4")]
    assert journal.newest(4, 2) == [(3, "m3"), (2, "m2")]
    assert journal.newest(2, 9) == [(1, "m1")]
    assert journal.newest(1, 9) == journal.newest(0, 9) == []
    assert journal.newest(99, 1) == [(5, "m5")]


class Desk:
    """Does what the journal posts, when the test says so."""

    def __init__(self, directory: Path) -> None:
        self.posted: list[tuple[Callable[..., object], tuple[Any, ...]]] = []
        self.errors: list[Exception] = []
        self.journal = SqliteJournal(directory, self._post, self.errors.append)

    def _post(self, call: Callable[..., object], *arguments: Any) -> None:
        self.posted.append((call, arguments))

    def settle(self, count: int) -> None:
        """Wait for so many calls and make them."""
        while len(self.posted) < count:
            time.sleep(0.001)
        for call, arguments in self.posted:
            call(*arguments)
        self.posted.clear()


def test_a_journal_that_failed_is_well_again_when_a_probe_can_be_written(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    writer = desk.journal._writer
    with pytest.raises(sqlite3.OperationalError):
        writer.execute("PRAGMA query_only = 1").execute("DELETE FROM events")
    stored: list[bool] = []
    desk.journal.append("m1", 1, [opened("m1")], stored.append)
    desk.settle(2)
    assert (stored, desk.journal.failing, len(desk.errors)) == ([False], True, 1)
    desk.journal.probe()
    desk.journal.probe()  # one at a time is enough
    desk.settle(2)
    assert (desk.journal.failing, len(desk.errors)) == (True, 2)
    writer.execute("PRAGMA query_only = 0")
    desk.journal.probe()
    desk.settle(1)
    assert not desk.journal.failing
    assert desk.journal.tally.failures == 2
    desk.journal.append("m1", 1, [opened("m1")], stored.append)
    desk.settle(1)
    assert stored == [False, True]
    desk.journal.close()


def test_what_waits_for_the_next_commit_can_be_counted(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    for name in ("m1", "m2", "m3"):
        desk.journal.append(name, 1, [opened(name)], lambda stored: None)
    assert desk.journal.waiting == 2
    desk.settle(1)
    desk.settle(1)
    assert desk.journal.waiting == 0
    desk.journal.close()


def test_a_commit_belongs_to_the_class_of_its_time() -> None:
    tally = CommitTally()
    for seconds in (0.0, *BOUNDS, 2.0):
        tally.add(seconds, 1)
    assert tally.classes == [2, *[1] * (len(BOUNDS) - 1), 1]
    assert tally.events == len(BOUNDS) + 2
