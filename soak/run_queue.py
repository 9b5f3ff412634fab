"""Time that the server's main thread and a client have waited for a processor, from Linux's `schedstat` files.

The clients of a soak and its server share the machine, so a part of every latency is lack of processor time. A client
that reads this clock before a move and after the answer knows that part.
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
            with suppress(OSError, ValueError):  # it has just ended
                one = statistics(pid, thread)
                running, waiting = running + one[0], waiting + one[1]
    return running, waiting


class RunQueue:
    """Seconds that the server's main thread and this process have waited for a processor, together."""

    def __init__(self, directory: Path) -> None:
        self._pid_file = directory / PID_FILE

    def waited(self) -> float:
        """Return the time so far; 0 if the system does not tell or the server is down."""
        try:
            pid = self._pid_file.read_text()
            return statistics(pid, pid)[1] + statistics("self", os.getpid())[1]
        except (OSError, ValueError):
            return 0.0


def net(took: float, before: float, after: float) -> float:
    """Return a latency without the run-queue time between two readings.

    The clock counts a wait when it ends, so it may include some time before the first reading.
    """
    return min(took, max(0.0, took - max(0.0, after - before)))
