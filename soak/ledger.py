"""Read every finished match from the journal while the server runs, and record its comparable part.

Run as `python -m soak.ledger DIRECTORY SEED UNTIL`. `run.py` reads the matches that never finished.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from boardwire.errors import Unavailable
from boardwire.store.archive import DATABASE_FILE
from boardwire.store.archive import Archive as SqliteArchive
from boardwire.store.group_commit import Archive
from soak.audit import comparable_match
from soak.records import Book, Fault, Kept

READ_INTERVAL_SECONDS: Final = 2.0
PAGE_MATCHES: Final = 500


class Ledger:
    """Reads a growing journal."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._last = 0
        self._open: set[str] = set()

    def read_ended(self) -> Iterator[Kept | Fault]:
        """Return the matches that have ended since the last call."""
        fresh = list(self._opened_names())
        still_open = set(self._archive.unfinished())
        ended = [name for name in (*self._open, *fresh) if name not in still_open]
        self._open = (self._open | set(fresh)) & still_open
        yield from map(self._read, ended)

    def read_others(self, known: Collection[str]) -> Iterator[Kept | Fault]:
        """Return all matches that are not in `known`, finished or not."""
        yield from (self._read(name) for name in self._archive.names() if name not in known)

    def _opened_names(self) -> Iterator[str]:
        """Return the names of matches opened since the last call."""
        before: int | None = None
        newest = self._last
        while page := self._archive.newest(before, PAGE_MATCHES):
            for key, name in page:
                if key <= self._last:
                    self._last = newest
                    return
                newest = max(newest, key)
                yield name
            before = page[-1][0]
        self._last = newest

    def _read(self, name: str) -> Kept | Fault:
        try:
            return comparable_match(self._archive.events(name))
        except Exception as error:  # noqa: BLE001 - any error means that the match is unreadable, and is reported
            return Fault(f"match {name} cannot be read", repr(error))


def main() -> None:
    """Run this process."""
    directory, until = Path(sys.argv[1]), float(sys.argv[3])
    data, book = directory / "data", Book(directory / "ledger.told")
    while not (data / DATABASE_FILE).exists():
        sleep(0.1)
    with SqliteArchive(data) as archive:
        ledger = Ledger(archive)
        while monotonic() < until:
            try:
                for record in ledger.read_ended():
                    book.write(record)
            except Unavailable:
                continue
            sleep(max(0.0, min(READ_INTERVAL_SECONDS, until - monotonic())))


if __name__ == "__main__":
    main()
