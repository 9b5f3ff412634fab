"""The machine under measurement: cores, CPU time and memory of a process."""

from __future__ import annotations

import os
from pathlib import Path

SERVER_CORE = 0
DRIVER_CORE = 1


def pin(core: int, pid: int = 0) -> None:
    """Keep a process on one core, if there is more than one."""
    if (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(pid, {core})


def cpu_seconds(pid: int) -> float:
    """CPU time of all threads of a process so far, to the nanosecond."""
    total = 0
    for task in Path(f"/proc/{pid}/task").iterdir():
        total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9


def resident(pid: int) -> int:
    """Resident memory of a process, in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
