"""Resource meter of a server under load: seconds, CPU time, disk writes, system calls, and the driver's CPU time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bench.machine import cpu_seconds, disk_written, system_calls


class Meter:
    """Totals over all measured intervals. `count` adds system calls, which slows the server down."""

    def __init__(self, pid: int, count: bool = False) -> None:
        self._pid = pid
        self._count = count
        self.seconds = self.cpu = self.driver = 0.0
        self.disk = self.calls = 0

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Add the resources used inside the `with` block."""
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
