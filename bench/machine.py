"""The machine under measurement: cores, and what a server's processes take: CPU time, memory, disk, system calls."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

SERVER_CORE = 0
DRIVER_CORE = 1

ATTACHING: Final = 0.4
"""Seconds after which a counter of system calls is surely there."""


def pin(core: int, pid: int = 0) -> None:
    """Keep a process on one core, if there is more than one."""
    if (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(pid, {core})


@contextmanager
def pinned(core: int) -> Iterator[None]:
    """What is started meanwhile runs on one core, with all that it starts."""
    before = os.sched_getaffinity(0)
    pin(core)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def process_tree(pid: int) -> list[int]:
    """A process and all that descend from it."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                after_name = (entry / "stat").read_text().rpartition(")")[2].split()
                children.setdefault(int(after_name[1]), []).append(int(entry.name))
    found = [pid]
    for parent in found:
        found += children.get(parent, [])
    return found


def cpu_seconds(pid: int) -> float:
    """CPU time of all threads of a process and its descendants so far, to the nanosecond."""
    total = 0
    for process in process_tree(pid):
        with suppress(OSError):
            for task in Path(f"/proc/{process}/task").iterdir():
                total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9


def resident(pid: int) -> int:
    """Resident memory of a process alone, in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def disk_written(pid: int) -> int:
    """Bytes that a process and its descendants have given to the disk so far; where that is memory, none."""
    total = 0
    for process in process_tree(pid):
        with suppress(OSError):
            for line in Path(f"/proc/{process}/io").read_text().splitlines():
                if line.startswith("write_bytes:"):
                    total += int(line.split()[1])
    return total


class Calls:
    """How many system calls were made; known when the counting is over, and 0 where nothing can count them."""

    count = 0


@contextmanager
def system_calls(pid: int) -> Iterator[Calls]:
    """Count the system calls of a process and its descendants, by perf, or by strace where perf may not.

    Both cost the server something, strace very much: what is timed is timed without them.
    """
    calls = Calls()
    with tempfile.NamedTemporaryFile("r") as told:
        counter = _counter(process_tree(pid), told.name)
        if counter is None:
            yield calls
            return
        time.sleep(ATTACHING)
        try:
            yield calls
        finally:
            counter.send_signal(signal.SIGINT)
            counter.wait(10)
        calls.count = parse_call_count(told.read())


def _counter(pids: list[int], told: str) -> subprocess.Popen[bytes] | None:
    perf, strace = shutil.which("perf"), shutil.which("strace")
    event = "raw_syscalls:sys_enter"
    none = subprocess.DEVNULL
    if perf is not None and subprocess.run([perf, "stat", "-e", event, "true"], stderr=none).returncode == 0:
        return subprocess.Popen([perf, "stat", "-x,", "-e", event, "-o", told, "-p", ",".join(map(str, pids))])
    if strace is not None:
        among = [argument for pid in pids for argument in ("-p", str(pid))]
        return subprocess.Popen([strace, "-f", "-q", "-c", "-U", "calls,name", "-o", told, *among], stderr=none)
    return None


def parse_call_count(told: str) -> int:
    """The number that perf (`123,,raw_syscalls:sys_enter,...`) or strace (`123 total`, last) wrote."""
    for line in told.splitlines():
        words = line.replace(",", " ").split()
        if len(words) >= 2 and words[0].isdigit() and words[1] in ("raw_syscalls:sys_enter", "total"):
            return int(words[0])
    return 0
