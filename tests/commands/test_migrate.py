"""`boardwire migrate`: the progress line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from boardwire.commands import migrate
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
    ("screen", "progress"),
    [
        (Terminal(), "\r1 of 3 matches, 400 events\r2 of 3 matches, 800 events\r3 of 3 matches, 1,200 events\n"),
        (io.StringIO(), "1 of 3 matches, 400 events\n2 of 3 matches, 800 events\n3 of 3 matches, 1,200 events\n"),
    ],
)
def test_progress_rewrites_one_line_of_a_terminal_or_appends_lines_to_a_file(
    data: Path, screen: io.StringIO, progress: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer, "BATCH_BYTES", 1)
    monkeypatch.setattr(migrate, "TTY_PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr(migrate, "FILE_PROGRESS_SECONDS", 0.0)
    done = migrate.copy_store(data, data.parent / "copy", screen)
    assert done == "copied 3 matches with 1,200 events, and 0 analyses"
    assert screen.getvalue() == progress


def test_a_short_copy_shows_no_progress(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate, "TTY_PROGRESS_SECONDS", 3600.0)  # longer than the copy on the busiest machine
    screen = Terminal()
    migrate.copy_store(data, data.parent / "copy", screen)
    assert screen.getvalue() == ""
