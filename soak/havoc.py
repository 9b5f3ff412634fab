"""Faults injected into the server, by a plan that is derived from the seed."""

from __future__ import annotations

import signal
import time
from collections import Counter
from random import Random
from typing import Final

import msgspec

from soak.server import Server
from soak.windows import Window

HOUR_SECONDS: Final = 3600.0
READY_SECONDS: Final = 15.0
"""Time in which the server must be ready again after a full disk."""


class PlannedFault(msgspec.Struct, frozen=True, order=True):
    """A fault, with its time in seconds after the start."""

    at: float
    kind: str
    amount: float = 0.0


def plan(seed: int, seconds: float, jumps: bool) -> list[PlannedFault]:
    """Return a plan of faults.

    Kills are in the first half, so that one process lives through most of the second and its memory can be measured;
    one more is close to the end. Stops, full disks and clock jumps may be at any time.
    """
    luck = Random(f"{seed} havoc")
    faults = [PlannedFault(at, "kill") for at in _times(luck, 0.06 * seconds, 0.44 * seconds, min(45.0, seconds / 8))]
    faults.append(PlannedFault(0.97 * seconds, "kill"))
    faults += [
        PlannedFault(at, "stop", luck.uniform(0.3, 2.0))
        for at in _times(luck, 0.1 * seconds, 0.95 * seconds, min(75.0, seconds / 4))
    ]
    faults += [
        PlannedFault(at, "disk", luck.uniform(0.3, 2.0))
        for at in _times(luck, 0.1 * seconds, 0.9 * seconds, min(150.0, seconds / 3))
    ]
    if jumps:
        faults += [
            PlannedFault(at, "jump", luck.choice((HOUR_SECONDS, -HOUR_SECONDS, 0.0, 26 * HOUR_SECONDS, -60.0)))
            for at in _times(luck, 0.05 * seconds, 0.95 * seconds, min(60.0, seconds / 5))
        ]
    return sorted(faults)


def _times(luck: Random, begin: float, end: float, gap: float) -> list[float]:
    """Return random times between `begin` and `end`, about `gap` seconds apart."""
    times, at = [], begin
    while (at := at + luck.uniform(0.5, 1.5) * gap) < end:
        times.append(at)
    return times or [(begin + end) / 2]


class FaultInjector:
    """Injects the faults of a plan."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.done: Counter[str] = Counter()
        self.windows: list[Window] = []
        self.faults: list[str] = []

    def inject(self, fault: PlannedFault) -> None:
        begin = time.monotonic()
        calm = getattr(self, f"_{fault.kind}")(fault.amount)
        self.done[fault.kind] += 1
        if calm is not None:
            self.windows.append(Window(begin - 0.1, time.monotonic() + calm, fault.kind))

    def _kill(self, _: float) -> float:
        self._server.kill()
        self._server.start()
        return 1.5

    def _stop(self, seconds: float) -> float:
        self._server.send(signal.SIGSTOP)
        time.sleep(seconds)
        self._server.send(signal.SIGCONT)
        return 1.0

    def _disk(self, seconds: float) -> float:
        self._server.fill_disk(True)
        time.sleep(seconds)
        self._server.fill_disk(False)
        end = time.monotonic() + READY_SECONDS
        while not self._server.ready():
            if time.monotonic() > end:
                self.faults.append(f"the server was not ready {READY_SECONDS:g} s after a full disk")
                break
            time.sleep(0.1)
        return 2.0

    def _jump(self, seconds: float) -> None:
        self._server.jump_clock(seconds)
