"""Plays many Tris matches at once against a server of one kind, and prints a `Sample` as JSON.

`python -m bench.driver KIND PID PORT GAMES MOVES [--count] [--pace SECONDS] [--apart]`, as a process of its own on the
driver's core, so that its work is not the server's.  A batch seats all matches, plays eight moves in each, which are
measured, then the ninth, which ends it in a draw; batches are played until about MOVES moves are made.  With `--count`
the server's system calls are counted, which costs it time.  Of several nodes PORT is all ports with commas between:
matches go from one to the next, and with `--apart` the second player of each is at the node after the first one's.
"""

from __future__ import annotations

import argparse
import os
import time
from array import array
from collections.abc import Sequence
from socket import socket

import msgspec

from bench.figures import Sample, ranked
from bench.hotloop import HotLoop
from bench.kinds import DRAW, KINDS, Kind
from bench.machine import DRIVER_CORE, cpu_seconds, pin, resident
from bench.meter import Meter

TIMED = len(DRAW) - 1
SETTLING = 0.05
"""Seconds in which a server is done with what was the last thing said to it."""


class Batches:
    """What was measured so far."""

    def __init__(self, pid: int, games: int, count: bool = False, pace: float = 0.0) -> None:
        self._pid = pid
        self._games = games
        self._pace = pace
        self._meter = Meter(pid, count)
        self.moves = self.matches = 0
        self._sent = self._received = self._memory = 0
        self._match_cpu = 0.0
        self._answered, self._shown = array("f"), array("f")

    def play(self, kind: Kind, ports: Sequence[int], first: int, apart: int = 0) -> None:
        """One batch, of matches that are numbered from `first`."""
        before, memory = cpu_seconds(self._pid), resident(self._pid)
        sockets: list[socket] = []
        for number in range(first, first + self._games):
            sockets += kind.seat((ports[number % len(ports)], ports[(number + apart) % len(ports)]), number)
        self._memory = max(self._memory, (resident(self._pid) - memory) // self._games)
        moves = [kind.moves(number) for number in range(first, first + self._games)]
        time.sleep(SETTLING)
        with HotLoop(sockets, kind.marker, kind.framed, kind.echo) as loop:
            with self._meter.stretch():
                stretch = loop.play(moves, 0, TIMED, self._pace)
            loop.play(moves, TIMED, TIMED + 1)
        for one in sockets:
            one.close()
        time.sleep(SETTLING)
        self._match_cpu += cpu_seconds(self._pid) - before
        self.matches += self._games
        self.moves += TIMED * self._games
        self._sent += stretch.sent
        self._received += stretch.received
        self._answered += stretch.answered
        self._shown += stretch.shown

    def sample(self) -> Sample:
        """All of it."""
        meter = self._meter
        return Sample(
            moves=self.moves, seconds=meter.seconds, cpu=meter.cpu, p50=ranked(self._answered, 0.5),
            p99=ranked(self._answered, 0.99), shown=ranked(self._shown, 0.5), sent=self._sent,
            received=self._received, disk=meter.disk, calls=meter.calls, driver=meter.driver, matches=self.matches,
            match_cpu=self._match_cpu, memory=self._memory,
        )  # fmt: skip


def main() -> None:
    """One process, one sample."""
    parser = argparse.ArgumentParser(prog="bench.driver")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("pid", type=int)
    parser.add_argument("port", type=lambda words: tuple(map(int, words.split(","))))
    for number in ("games", "moves"):
        parser.add_argument(number, type=int)
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--pace", type=float, default=0.0)
    parser.add_argument("--apart", action="store_true")
    asked = parser.parse_args()
    pin(DRIVER_CORE)
    batches = Batches(asked.pid, asked.games, asked.count, asked.pace)
    first = os.getpid() << 32  # a server that is measured again has matches of the last time
    while batches.moves < asked.moves:
        try:
            batches.play(KINDS[asked.kind], asked.port, first + batches.matches, int(asked.apart))
        except (OSError, RuntimeError) as problem:
            raise SystemExit(f"{asked.kind}: {problem}") from None
    print(msgspec.json.encode(batches.sample()).decode())


if __name__ == "__main__":
    main()
