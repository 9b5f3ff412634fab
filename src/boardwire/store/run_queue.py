"""Time that a thread has waited for a processor, as Linux reports it (`/proc/PID/task/TID/schedstat`).

A commit that took 8 ms may have waited for the disk, or for a processor that other processes were using. Only the first
concerns the disk.
"""

from __future__ import annotations

import os
import threading
from typing import Final

STATISTICS: Final = "/proc/thread-self/schedstat"
"""Nanoseconds on a processor, nanoseconds in the run queue, number of turns, of the thread that opens it."""


class RunQueueClock:
    """Seconds in the run queue, of each thread that asks. Each has its own file, which is read in 2 µs."""

    def __init__(self, path: str = STATISTICS) -> None:
        self._path = path
        self._files: dict[int, int] = {}
        """File descriptor by thread; -1: not available."""

    def waited(self) -> float:
        """Return the time that the calling thread has waited in the run queue; 0 where it is not reported."""
        thread = threading.get_ident()
        file = self._files.get(thread)
        if file is None:
            file = self._files[thread] = self._open()
        if file < 0:
            return 0.0
        try:
            return int(os.pread(file, 100, 0).split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            return 0.0

    def _open(self) -> int:
        try:
            return os.open(self._path, os.O_RDONLY | os.O_CLOEXEC) if hasattr(os, "pread") else -1
        except OSError:
            return -1

    def close(self) -> None:
        """Close the files of all threads."""
        files, self._files = self._files, {}
        for file in files.values():
            if file >= 0:
                os.close(file)
