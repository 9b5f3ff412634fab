"""What is done to the server, and when: a plan made from the seed, carried out in order."""

from __future__ import annotations

import signal
import time
from collections import Counter
from random import Random
from typing import Final

import msgspec

from soak.server import Server
from soak.windows import Window

HOUR: Final = 3600.0
READY_AGAIN: Final = 15.0


class Blow(msgspec.Struct, frozen=True, order=True):
    """Something that is done to the server, so many seconds after the beginning."""

    at: float
    kind: str
    amount: float = 0.0


def plan(seed: int, seconds: float, jumps: bool) -> list[Blow]:
    """Kills in the first half, so that the second has one process whose memory can be watched, and one close to the
    end; stops, full disks and jumps of the clock all the time."""
    luck = Random(f"{seed} havoc")
    blows = [Blow(at, "kill") for at in _times(luck, 0.06 * seconds, 0.44 * seconds, min(45.0, seconds / 8))]
    blows.append(Blow(0.97 * seconds, "kill"))
    blows += [
        Blow(at, "stop", luck.uniform(0.3, 2.0))
        for at in _times(luck, 0.1 * seconds, 0.95 * seconds, min(75.0, seconds / 4))
    ]
    blows += [
        Blow(at, "disk", luck.uniform(0.3, 2.0))
        for at in _times(luck, 0.1 * seconds, 0.9 * seconds, min(150.0, seconds / 3))
    ]
    if jumps:
        blows += [
            Blow(at, "jump", luck.choice((HOUR, -HOUR, 0.0, 26 * HOUR, -60.0)))
            for at in _times(luck, 0.05 * seconds, 0.95 * seconds, min(60.0, seconds / 5))
        ]
    return sorted(blows)


def _times(luck: Random, begin: float, end: float, gap: float) -> list[float]:
    """Moments between `begin` and `end`, about `gap` apart."""
    times, at = [], begin
    while (at := at + luck.uniform(0.5, 1.5) * gap) < end:
        times.append(at)
    return times or [(begin + end) / 2]


class Havoc:
    """Carries a plan out."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self.done: Counter[str] = Counter()
        self.windows: list[Window] = []
        self.faults: list[str] = []

    def strike(self, blow: Blow) -> None:
        begin = time.monotonic()
        calm = getattr(self, f"_{blow.kind}")(blow.amount)
        self.done[blow.kind] += 1
        if calm is not None:
            self.windows.append(Window(begin - 0.1, time.monotonic() + calm, blow.kind))

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
        end = time.monotonic() + READY_AGAIN
        while not self._server.ready():
            if time.monotonic() > end:
                self.faults.append("after a full disk the server did not become ready again")
                break
            time.sleep(0.1)
        return 2.0

    def _jump(self, seconds: float) -> None:
        self._server.jump(seconds)
