"""Time that the server's main thread and a client have waited for a processor, from Linux's `schedstat` files.

The clients of a soak and its server share the machine, so a part of every latency is time without a processor. A client
measures it by reading this clock before a move and after the answer.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

PID_FILE: Final = "server.pid"
"""File with the process id of the running server."""


def statistics(pid: int | str, thread: int | str) -> tuple[float, float]:
    """Return the seconds of a thread on a processor and in the run queue."""
    running, waiting, _ = Path(f"/proc/{pid}/task/{thread}/schedstat").read_text().split()
    return int(running) / 1e9, int(waiting) / 1e9


def process_statistics(pid: int) -> tuple[float, float]:
    """Return the seconds of all threads of a process on a processor and in the run queue; zeros if unknown."""
    running = waiting = 0.0
    with suppress(OSError, ValueError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError, ValueError):  # the thread has just ended
                seconds = statistics(pid, thread)
                running, waiting = running + seconds[0], waiting + seconds[1]
    return running, waiting


class RunQueue:
    """Seconds that the server's main thread and this process have waited for a processor, together."""

    def __init__(self, directory: Path) -> None:
        self._pid_file = directory / PID_FILE

    def waited_seconds(self) -> float:
        """Return the time so far, or 0 if the system does not report it or the server is down."""
        try:
            pid = self._pid_file.read_text()
            return statistics(pid, pid)[1] + statistics("self", os.getpid())[1]
        except (OSError, ValueError):
            return 0.0


def net_seconds(took: float, before: float, after: float) -> float:
    """Return a latency without the run-queue time between two readings.

    The clock counts a wait when it ends, so it may include some time before the first reading.
    """
    return min(took, max(0.0, took - max(0.0, after - before)))
