"""Time of one durable page write on the soak's disk: the part of a move's latency that the machine causes."""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic
from typing import Final

from soak.records import Wait

PAGE: Final = bytes(4096)
PAGES: Final = 1024
"""Pages of the file, which is then overwritten from the start, like a write-ahead log."""


class Disk:
    """A file on the server's disk."""

    def __init__(self, directory: Path) -> None:
        self._file = os.open(directory / "pages", os.O_CREAT | os.O_WRONLY, 0o600)
        self._written = 0

    def write(self) -> Wait:
        """Write a page and wait until it is durable."""
        since = monotonic()
        os.pwrite(self._file, PAGE, self._written % PAGES * len(PAGE))
        os.fsync(self._file)
        self._written += 1
        now = monotonic()
        return now, now - since

    def close(self) -> None:
        os.close(self._file)
