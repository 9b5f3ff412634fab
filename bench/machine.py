"""Resources of processes on Linux: cores, CPU time, memory, disk writes and system calls."""

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

ATTACH_SECONDS: Final = 0.4
"""Time that perf or strace needs to attach to a process."""


def pin(core: int, pid: int = 0) -> None:
    """Bind a process to a core, unless the machine has only one."""
    if (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(pid, {core})


@contextmanager
def pinned(core: int) -> Iterator[None]:
    """Bind processes that are started in the `with` block, and their descendants, to a core."""
    before = os.sched_getaffinity(0)
    pin(core)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def process_tree(pid: int) -> list[int]:
    """Return the IDs of a process and all its descendants."""
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
    """Return the CPU time of a process and its descendants, all threads included.

    Read from schedstat, which counts nanoseconds; /proc/PID/stat counts ticks of 10 ms.
    """
    total = 0
    for process in process_tree(pid):
        with suppress(OSError):
            for task in Path(f"/proc/{process}/task").iterdir():
                total += int((task / "schedstat").read_text().split()[0])
    return total / 1e9


def resident(pid: int) -> int:
    """Return the resident memory of a process in bytes, without its descendants."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def disk_written(pid: int) -> int:
    """Return the bytes that a process and its descendants have written to disk; a tmpfs counts as 0."""
    total = 0
    for process in process_tree(pid):
        with suppress(OSError):
            for line in Path(f"/proc/{process}/io").read_text().splitlines():
                if line.startswith("write_bytes:"):
                    total += int(line.split()[1])
    return total


class Calls:
    """Number of system calls; set when counting ends, 0 if neither perf nor strace can count."""

    count = 0


@contextmanager
def system_calls(pid: int) -> Iterator[Calls]:
    """Count the system calls of a process and its descendants with perf, or with strace if perf is not permitted.

    Both slow the server down, strace heavily, so timed rounds run without them.
    """
    calls = Calls()
    with tempfile.NamedTemporaryFile("r") as output:
        counter = _counter(process_tree(pid), output.name)
        if counter is None:
            yield calls
            return
        time.sleep(ATTACH_SECONDS)
        try:
            yield calls
        finally:
            counter.send_signal(signal.SIGINT)
            counter.wait(10)
        calls.count = parse_call_count(output.read())


def _counter(pids: list[int], output: str) -> subprocess.Popen[bytes] | None:
    perf, strace = shutil.which("perf"), shutil.which("strace")
    event = "raw_syscalls:sys_enter"
    none = subprocess.DEVNULL
    if perf is not None and subprocess.run([perf, "stat", "-e", event, "true"], stderr=none).returncode == 0:
        return subprocess.Popen([perf, "stat", "-x,", "-e", event, "-o", output, "-p", ",".join(map(str, pids))])
    if strace is not None:
        targets = [argument for pid in pids for argument in ("-p", str(pid))]
        return subprocess.Popen([strace, "-f", "-q", "-c", "-U", "calls,name", "-o", output, *targets], stderr=none)
    return None


def parse_call_count(output: str) -> int:
    """Return the total that perf (`123,,raw_syscalls:sys_enter,...`) or strace (`123 total`) printed; 0 without one."""
    for line in output.splitlines():
        words = line.replace(",", " ").split()
        if len(words) >= 2 and words[0].isdigit() and words[1] in ("raw_syscalls:sys_enter", "total"):
            return int(words[0])
    return 0
