"""Reads every match of the journal once it is over, beside the server, and writes down what is to be compared.

Run as `python -m soak.ledger DIRECTORY SEED UNTIL`.  What is not over in the end is read by `run.py`.
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
from soak.audit import kept
from soak.told import Book, Fault, Kept

EVERY: Final = 2.0
PAGE: Final = 500


class Ledger:
    """Goes through a journal as it grows."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._last = 0
        self._open: set[str] = set()

    def over(self) -> Iterator[Kept | Fault]:
        """The matches that have ended since the last time."""
        fresh = list(self._fresh())
        still_open = set(self._archive.unfinished())
        ended = [name for name in (*self._open, *fresh) if name not in still_open]
        self._open = (self._open | set(fresh)) & still_open
        yield from map(self._read, ended)

    def rest(self, known: Collection[str]) -> Iterator[Kept | Fault]:
        """All matches that are not known, over or not."""
        yield from (self._read(name) for name in self._archive.names() if name not in known)

    def _fresh(self) -> Iterator[str]:
        """The names of matches that were opened since the last time."""
        before: int | None = None
        newest = self._last
        while page := self._archive.newest(before, PAGE):
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
            return kept(self._archive.events(name))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is the match's fault, and is told
            return Fault(f"match {name} cannot be read", repr(error))


def main() -> None:
    """See the module."""
    directory, until = Path(sys.argv[1]), float(sys.argv[3])
    data, book = directory / "data", Book(directory / "ledger.told")
    while not (data / DATABASE_FILE).exists():
        sleep(0.1)
    with SqliteArchive(data) as archive:
        ledger = Ledger(archive)
        while monotonic() < until:
            try:
                for record in ledger.over():
                    book.write(record)
            except Unavailable:
                continue
            sleep(max(0.0, min(EVERY, until - monotonic())))


if __name__ == "__main__":
    main()
