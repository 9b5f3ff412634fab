"""Power loss: what may be left of a data directory when the machine stops between two writes.

A trace is what a process did to its files, in order.  After a cut, certain is only what was synced: a file's content by
syncing the file, its name by syncing the directory it is in.  Of the rest, any part may be there: a write may be lost,
or there in some of its sectors; a name that was made or removed may be there or not.  That is stricter than most file
systems are.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from random import Random
from typing import Final

import msgspec

SECTOR: Final = 512


class Op(msgspec.Struct, frozen=True):
    """One thing a process did.  `done` is the journal's word that this many appends are stored."""

    what: str
    path: str
    offset: int = 0
    data: bytes = b""


def read_trace(file: Path, root: Path) -> list[Op]:
    """The trace that `trace.c` wrote, with paths below `root`."""
    raw, at, ops = file.read_bytes(), 0, []
    while at < len(raw):
        end = raw.index(b"\n", at)
        words, offset, length = raw[at:end].decode().rsplit(" ", 2)
        what, path = words.split(" ", 1)
        size = int(length)
        at = end + 1 + size
        ops.append(Op(what, "" if path == "-" else str(Path(path).relative_to(root)), int(offset), raw[at - size : at]))
    return ops


class Disk:
    """What is certain after the first this many operations, and what is not."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        """Content that is synced, by path, whether its name is or not."""
        self.pending: dict[str, list[Op]] = {}
        """Writes and cuts that are not."""
        self.names: set[str] = set()
        """Names that are certain: of files and of directories."""
        self.made: set[str] = set()
        self.removed: set[str] = set()
        self.done = 0

    def do(self, op: Op) -> None:
        match op.what:
            case "mkdir":
                self.made.add(op.path)
            case "create":
                self.made.add(op.path)
                self.removed.discard(op.path)
                self.files[op.path] = op.data
                self.pending[op.path] = []
            case "write" | "truncate":
                self.pending.setdefault(op.path, []).append(op)
            case "unlink":
                self.removed.add(op.path)
            case "sync" if op.path in self.pending:
                self.files[op.path] = _applied(self.files.get(op.path, b""), self.pending[op.path])
                self.pending[op.path] = []
            case "sync":
                self._sync_directory(op.path)
            case "done":
                self.done = op.offset

    def _sync_directory(self, path: str) -> None:
        inside = {name for name in self.made | self.removed if str(PurePosixPath(name).parent) == path}
        self.names |= inside & self.made
        self.names -= inside & self.removed
        self.made -= inside
        self.removed -= inside

    def after_loss(self, luck: Random | None, lucky: bool = False) -> dict[str, bytes | None]:
        """Files (and directories: None) as a machine may find them: all that is uncertain lost; or, if `lucky`, all of
        it there; or what luck leaves of it."""

        def there() -> bool:
            return lucky if luck is None else luck.random() < 0.5

        names = {name for name in self.names if name not in self.removed or not there()}
        names |= {name for name in sorted(self.made - self.removed) if there()}
        found: dict[str, bytes | None] = {}
        for name in names:
            if any(str(parent) not in names for parent in PurePosixPath(name).parents[:-1]):
                continue  # the directory itself is gone
            if name not in self.files:
                found[name] = None
                continue
            pending = self.pending[name]
            left = pending if luck is None and lucky else [] if luck is None else list(_torn(pending, luck))
            found[name] = _applied(self.files[name], left)
        return found


def _torn(pending: Iterable[Op], luck: Random) -> Iterator[Op]:
    """Some of the operations, of writes some of their sectors."""
    for op in pending:
        if op.what == "truncate":
            if luck.random() < 0.5:
                yield op
            continue
        whole = luck.choice((0.0, 0.5, 1.0, 1.0))
        for start in range(0, len(op.data), SECTOR):
            if luck.random() < whole:
                yield Op("write", op.path, op.offset + start, op.data[start : start + SECTOR])


def _applied(content: bytes, ops: Iterable[Op]) -> bytes:
    data = bytearray(content)
    for op in ops:
        if op.what == "truncate":
            del data[op.offset :]
            data.extend(bytes(op.offset - len(data)))
        else:
            data.extend(bytes(max(0, op.offset - len(data))))
            data[op.offset : op.offset + len(op.data)] = op.data
    return bytes(data)


def lay_out(found: dict[str, bytes | None], root: Path) -> None:
    """Make a directory as it was found."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    for name in sorted(found):
        content = found[name]
        path = root / name
        if content is None:
            path.mkdir()
        elif not name.endswith("-shm"):  # it is only an index in memory, and never outlives the machine
            path.write_bytes(content)
