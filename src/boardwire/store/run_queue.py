"""Time that a thread has waited for a processor, as Linux reports it (`/proc/PID/task/TID/schedstat`).

A commit that took 8 ms may have waited for a slow disk, or for a processor that other processes were using.
"""

from __future__ import annotations

import os
import threading
from typing import Final

STATISTICS: Final = "/proc/thread-self/schedstat"
"""Nanoseconds on a processor, nanoseconds in the run queue and number of time slices of the thread that opens it."""


class RunQueueClock:
    """Measures the time that threads spend in the run queue. Each thread has its own file; reading it takes 2 µs."""

    def __init__(self, path: str = STATISTICS) -> None:
        self._path = path
        self._files: dict[int, int] = {}
        """File descriptor by thread, or -1 if it cannot be opened."""

    def wait_seconds(self) -> float:
        """Return the seconds that the calling thread has waited in the run queue, or 0 if they are not reported."""
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
