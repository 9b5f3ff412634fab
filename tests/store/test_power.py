"""The power fails between two writes: what `done` was called for is there, in order, and nothing is there by half.

What a real journal writes is recorded (`trace.c`, preloaded), and every cut of the record is opened again.  Where there
is no C compiler, what is in the files after each commit is taken for the record; then it is not known in which order a
commit's sectors were written, nor which directories were synced, and the rest is tested all the same.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import pytest

from boardwire.store import sqlite
from boardwire.store.archive import DATABASE_FILE, Archive
from boardwire.store.sqlite import RESERVED_PAGES, SqliteJournal
from boardwire.table.events import Event

from .power import SECTOR, Disk, Op, lay_out, read_trace
from .power_work import appends, work

HERE = Path(__file__).parent
DATA = "kept/here"
"""Where the journal is, below the root: both directories are made by it."""
FEW_PAGES = 32
"""Room for all that a few rounds write; each page more is two writes of a transaction that is rolled back."""


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory in memory, where there is one: thousands of stores are opened here, each with a short log."""
    monkeypatch.setattr(sqlite, "RESERVED_PAGES", FEW_PAGES)
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() and os.access(shared, os.W_OK) else None) as name:
        yield Path(name)


def record(bench: Path, rounds: int, pages: int = FEW_PAGES) -> list[Op]:
    """What a journal does to its files in this many rounds; `pages` are reserved for its write-ahead log."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    return traced(bench, rounds, pages, compiler) if compiler and sys.platform == "linux" else compared(bench, rounds)


def traced(bench: Path, rounds: int, pages: int, compiler: str) -> list[Op]:
    """As the operating system was told."""
    library, trace, root = bench / "trace.so", bench / "trace", bench / "root"
    root.mkdir()
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", library, HERE / "trace.c", "-ldl"], check=True)
    subprocess.run(
        [sys.executable, HERE / "power_work.py", root / DATA, str(rounds), str(pages)],
        env={**os.environ, "LD_PRELOAD": str(library), "TRACE_ROOT": str(root), "TRACE_FILE": str(trace)},
        check=True,
    )
    return read_trace(trace, root)


def compared(bench: Path, rounds: int) -> list[Op]:
    """As the files show it: every sector that is another than it was after the commit before."""
    root = bench / "root"
    ops = [Op("mkdir", "kept"), Op("sync", "."), Op("mkdir", DATA), Op("sync", "kept")]
    before: dict[str, bytes] = {}  # what there is before the first append is taken as it is

    def stored(count: int) -> None:
        for file in sorted((root / DATA).iterdir()):
            name, content = f"{DATA}/{file.name}", file.read_bytes()
            if name.endswith("-shm"):
                continue
            if name not in before:
                ops.extend((Op("create", name, 0, content), Op("sync", DATA)))
            old = before.get(name, content)
            sectors = range(0, len(content), SECTOR)
            changed = (at for at in sectors if content[at : at + SECTOR] != old[at : at + SECTOR])
            ops.extend(Op("write", name, at, content[at : at + SECTOR]) for at in changed)
            ops.append(Op("sync", name))
            before[name] = content
        ops.append(Op("done", "", count))

    work(root / DATA, rounds, stored)
    return ops


def judge(root: Path, done: int, expected: list[tuple[str, int, list[Event]]]) -> None:
    """The journal opens; the first `done` appends are there, and of the others none, or the next few, whole."""
    SqliteJournal(root / DATA, lambda call, *arguments: None).close()
    kept: dict[str, list[Event]] = {}
    with Archive(root / DATA) as archive:
        for name in archive.names():
            kept[name] = archive.events(name)
        open_ones = set(archive.unfinished())
    there = 0
    for match, first, events in expected:
        if kept.get(match, [])[first - 1 : first - 1 + len(events)] != events:
            break
        there += 1
    assert there >= done, f"{done} appends were stored, and the first {there} are there"
    wanted: dict[str, list[Event]] = {}
    for match, _, events in expected[:there]:
        wanted.setdefault(match, []).extend(events)
    assert kept == wanted, f"something is there besides the first {there} appends"
    assert open_ones == {match for match, events in wanted.items() if type(events[-1]).__name__ != "Ended"}


def cut(bench: Path, ops: list[Op], cuts: Iterable[int], rounds: int, chances: int) -> int:
    """Let the power fail after this many operations: with all that is uncertain lost, all kept, and by chance; how many
    different outcomes that has."""
    expected = [append for batch in appends(rounds) for append in batch]
    wanted, disk = set(cuts), Disk()
    judged: set[int] = set()
    for number, op in enumerate(ops):
        disk.do(op)
        if number not in wanted:
            continue
        states = [disk.after_loss(None), disk.after_loss(None, lucky=True)]
        states += [disk.after_loss(Random(f"{number} {chance}")) for chance in range(chances)]
        for found in states:
            outcome = hash((disk.done, frozenset(found.items())))
            if outcome not in judged:
                judged.add(outcome)
                lay_out(found, bench / "found")
                judge(bench / "found", disk.done, expected)
    return len(judged)


def test_committed_events_survive_a_power_failure_at_any_point(bench: Path) -> None:
    rounds = 4
    ops = record(bench, rounds)
    assert [op.offset for op in ops if op.what == "done"] == list(range(sum(map(len, appends(rounds))) + 1))
    assert cut(bench, ops, range(len(ops)), rounds, 1) > len(ops)


def test_committed_events_survive_where_the_files_are_compared(bench: Path) -> None:
    rounds = 3
    ops = compared(bench, rounds)
    assert cut(bench, ops, range(0, len(ops), 3), rounds, 1) > 10


def test_a_store_that_does_not_sync_is_found_out(bench: Path) -> None:
    rounds = 3
    ops = [op for op in record(bench, rounds) if op.what != "sync" or not op.path.endswith("-wal")]
    with pytest.raises(AssertionError, match="appends were stored"):
        cut(bench, ops, range(len(ops)), rounds, 0)


@pytest.mark.slow
def test_committed_events_survive_a_power_failure_while_the_log_is_folded_into_the_store(bench: Path) -> None:
    rounds = 600
    ops = record(bench, rounds, RESERVED_PAGES)
    folded = [
        number for number, op in enumerate(ops) if op.path.endswith(DATABASE_FILE) and op.what in ("write", "sync")
    ]
    assert len(folded) > 100, "nothing was folded"
    near = {at for number in (*folded[:40], *folded[-40:]) for at in range(number - 2, number + 3)}
    some = set(Random(1).sample(range(len(ops)), 200))
    assert cut(bench, ops, {at for at in near | some if at < len(ops)}, rounds, 3) > 500
