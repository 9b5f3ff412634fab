"""What a person who copies a store is told."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from boardwire.commands import migration
from boardwire.store import transfer
from boardwire.store.sqlite import SqliteJournal
from boardwire.table.events import Opened
from boardwire.table.policy import Policy


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def data(tmp_path: Path) -> Path:
    journal = SqliteJournal(tmp_path / "data", lambda *_: None)  # closing it stores everything
    for name in ("m1", "m2", "m3"):
        journal.append(name, 1, [Opened(1.0, name, "tris@1", 2, {}, Policy())] * 400, lambda result: None)
    journal.close()
    return tmp_path / "data"


@pytest.mark.parametrize(
    ("screen", "told"),
    [
        (Terminal(), "\r1 of 3 matches, 400 events\r2 of 3 matches, 800 events\r3 of 3 matches, 1,200 events\n"),
        (io.StringIO(), "1 of 3 matches, 400 events\n2 of 3 matches, 800 events\n3 of 3 matches, 1,200 events\n"),
    ],
)
def test_how_far_it_is_stands_in_one_line_of_a_terminal_or_in_lines_of_a_file(
    data: Path, screen: io.StringIO, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "BATCH", 1)
    monkeypatch.setattr(migration, "TTY_SECONDS", 0.0)
    monkeypatch.setattr(migration, "FILE_SECONDS", 0.0)
    done = migration.run(data, data.parent / "copy", screen)
    assert done == "copied 3 matches with 1,200 events, and 0 analyses"
    assert screen.getvalue() == told


def test_what_is_soon_done_is_told_once(data: Path) -> None:
    screen = Terminal()
    migration.run(data, data.parent / "copy", screen)
    assert screen.getvalue() == ""
