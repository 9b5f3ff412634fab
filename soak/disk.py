"""What the disk of a soak takes at the same time to make one page durable: that much of a move is the machine's."""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic
from typing import Final

from soak.told import Wait

PAGE: Final = bytes(4096)
PAGES: Final = 1024
"""The file goes round after so many, as a journal does."""


class Disk:
    """One file of its own beside the server's."""

    def __init__(self, directory: Path) -> None:
        self._file = os.open(directory / "pages", os.O_CREAT | os.O_WRONLY, 0o600)
        self._written = 0

    def write(self) -> Wait:
        """Write a page, and wait until it would survive."""
        since = monotonic()
        os.pwrite(self._file, PAGE, self._written % PAGES * len(PAGE))
        os.fsync(self._file)
        self._written += 1
        now = monotonic()
        return now, now - since

    def close(self) -> None:
        os.close(self._file)
