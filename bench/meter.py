"""What a server takes while something is done to it: seconds, CPU, disk, system calls, and the driver's own CPU."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bench.machine import cpu_seconds, disk_written, system_calls


class Meter:
    """Sums over all stretches that were metered.  With `count`, system calls too, which costs the server time."""

    def __init__(self, pid: int, count: bool = False) -> None:
        self._pid = pid
        self._count = count
        self.seconds = self.cpu = self.driver = 0.0
        self.disk = self.calls = 0

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Meter what is done meanwhile."""
        with ExitStack() as stack:
            calls = stack.enter_context(system_calls(self._pid)) if self._count else None
            cpu, disk = cpu_seconds(self._pid), disk_written(self._pid)
            own, start = time.process_time(), time.perf_counter()
            yield
            self.seconds += time.perf_counter() - start
            self.driver += time.process_time() - own
            self.cpu += cpu_seconds(self._pid) - cpu
            self.disk += disk_written(self._pid) - disk
        self.calls += calls.count if calls else 0
