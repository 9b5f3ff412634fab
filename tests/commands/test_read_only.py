"""`boardwire matches` and `replay` on a data directory that cannot be written, by a user who is not root.

Root may write everywhere, so the commands are run by a process that has given up its rights after it has imported what
it needs.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from boardwire.store.archive import DATABASE_FILE
from boardwire.store.group_commit import Append
from boardwire.store.log import SqliteLog
from boardwire.store.sqlite import SqliteJournal
from boardwire.table.events import Acted, encode

from ..endless import endless

NOBODY = 65534
SCRIPT = f"""
import os, sys
from pathlib import Path
from boardwire.commands import journals
from boardwire.errors import BoardwireError
directory = Path(sys.argv[1])
exec(sys.argv[2])
if os.getuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
assert not os.access(directory, os.W_OK), "the directory can be written"
try:
    for line in journals.matches(directory, json=True):
        print(line)
    for line in journals.replay("endless", directory, json=True):
        print(line)
except BoardwireError as error:
    print("refused:", error)
"""


CHANGES = """
from boardwire.store import archive
log = directory / f"{archive.DATABASE_FILE}-wal"
log.chmod(0o644)
writer, copy, copied = os.open(log, os.O_WRONLY | os.O_APPEND), archive.shutil.copyfile, []
log.chmod(0o444)
def copy_and_change(source, target):
    copy(source, target)
    copied.append(source)
    if len(copied) <= TIMES:
        os.write(writer, b"an unfinished frame, which a reader skips")
archive.shutil.copyfile = copy_and_change
"""
"""Lets a server write to the log during the first TIMES copies of a file."""


def read(directory: Path, script: str = "") -> list[dict[str, object]]:
    """What the commands print for a user who may not write there."""
    directory.chmod(0o555)
    for file in directory.iterdir():
        file.chmod(0o444)
    try:
        command = [sys.executable, "-c", SCRIPT, str(directory), script]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    finally:
        directory.chmod(0o755)
        for file in directory.iterdir():
            file.chmod(0o644)
    assert (done.returncode, done.stderr) == (0, "")
    assert "refused" not in done.stdout, done.stdout
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory that every user can reach."""
    directory = Path(tempfile.mkdtemp(prefix="boardwire-read-only-"))
    directory.chmod(0o755)
    yield directory
    shutil.rmtree(directory)


def filled(directory: Path) -> SqliteJournal:
    """A journal with one match of 20 events."""
    journal = SqliteJournal(directory, lambda call, *arguments: None)
    journal.append("endless", 1, endless("tris", 20), lambda result: None)
    return journal


def check(lines: list[dict[str, object]], count: int = 20) -> None:
    match, *events = lines
    assert (match["id"], match["game"]) == ("endless", "tris")
    assert [event["seq"] for event in events] == list(range(1, count + 1))


def test_a_directory_that_a_server_has_closed(place: Path) -> None:
    filled(place).close()
    assert not (place / f"{DATABASE_FILE}-wal").exists()
    before = sorted(os.listdir(place))
    check(read(place))
    assert sorted(os.listdir(place)) == before


def crashed(place: Path, *, with_index: bool) -> Path:
    """A copy of a directory as a server that was killed leaves it: the last events are in the write-ahead log alone."""
    here, left = place / "here", place / "left"
    here.mkdir()
    left.mkdir()
    filled(here).close()
    with closing(sqlite3.connect(here / DATABASE_FILE, isolation_level=None)) as connection:
        last = Append("endless", 21, [encode(Acted(99.0, 1, 4))], False, lambda result: None)
        SqliteLog(connection).write([last])
        for name in (DATABASE_FILE, f"{DATABASE_FILE}-wal", *([f"{DATABASE_FILE}-shm"] if with_index else [])):
            shutil.copy(here / name, left / name)
    return left


@pytest.mark.parametrize("with_index", [True, False])
def test_a_directory_that_a_server_has_left_when_it_was_killed(place: Path, with_index: bool) -> None:
    check(read(crashed(place, with_index=with_index)), 21)


def test_a_directory_that_a_server_has_open(place: Path) -> None:
    filled(place).close()
    journal = SqliteJournal(place, lambda call, *arguments: None)
    try:
        check(read(place))
    finally:
        journal.close()


def test_a_copy_of_a_directory_that_cannot_be_read_is_refused_in_a_sentence(place: Path) -> None:
    filled(place).close()
    (place / DATABASE_FILE).write_bytes(b"x" * 4096)
    with pytest.raises(AssertionError, match=r"refused: cannot read the matches in .*: file is not a database"):
        read(place)


def test_a_store_that_changes_while_it_is_copied_is_copied_again(place: Path) -> None:
    check(read(crashed(place, with_index=False), CHANGES.replace("TIMES", "3")), 21)


def test_a_store_that_keeps_changing_while_it_is_copied_is_refused_in_a_sentence(place: Path) -> None:
    left = crashed(place, with_index=False)
    with pytest.raises(AssertionError, match=r"refused: cannot read the matches in .*: a server wrote to the files"):
        read(left, CHANGES.replace("TIMES", "1000"))
