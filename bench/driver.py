"""Plays many Tris matches at once against a server of one kind, and prints a `Sample` as JSON for each round.

`python -m bench.driver KIND PID PORT GAMES MOVES [--count] [--pace SECONDS] [--apart] [--rounds]`, as a process of its
own on the driver's core, so that its work is not the server's.  A batch seats all matches, plays eight moves in each,
which are measured, then the ninth, which ends it in a draw; batches are played until about MOVES moves are made.  With
`--count` the server's system calls are counted, which costs it time.  With `--rounds` a round is played for each line
of the standard input, `count` or any other.  Players of a kind that can play again stay where they sit, over all
rounds.  Of several nodes PORT is all ports with commas between: matches go from one to the next, and with `--apart` the
second player of each is at the node after the first one's.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from array import array
from collections.abc import Sequence
from itertools import count
from socket import socket

import msgspec

from bench.figures import Sample, percentile
from bench.hotloop import HotLoop
from bench.kinds import DRAW, KINDS, Kind
from bench.machine import DRIVER_CORE, cpu_seconds, pin, resident
from bench.meter import Meter

TIMED = len(DRAW) - 1
SETTLING_SECONDS = 0.01
"""Time in which a server is done with what was the last thing said to it."""


class ClientPool:
    """The players of all matches at a server.  Those of a kind that can play again keep their seats."""

    def __init__(self, kind: Kind, pid: int, ports: Sequence[int], games: int, apart: int = 0) -> None:
        self.kind = kind
        self.pid = pid
        self.games = games
        self.memory = 0
        """Resident bytes of the server for each match that was seated, at most."""
        self._ports = ports
        self._apart = apart
        self._numbers = count(os.getpid() << 32)  # a server that is measured again has matches of the last time
        self._moves: list[Sequence[bytes]] = []
        self._seats: list[socket] = []

    def sit(self) -> None:
        """Seat all players, unless they still sit."""
        if self._seats:
            return
        memory = resident(self.pid)
        ports, kind = self._ports, self.kind
        self._moves.clear()
        for _ in range(self.games):
            number = next(self._numbers)
            self._seats += kind.seat((ports[number % len(ports)], ports[(number + self._apart) % len(ports)]), number)
            self._moves.append(kind.moves(number))
        self.memory = max(self.memory, (resident(self.pid) - memory) // self.games)

    def loop(self) -> HotLoop:
        """The loop that plays one batch."""
        return HotLoop(self._seats, self.kind.marker, self.kind.framed, self.kind.echo)

    @property
    def moves(self) -> list[Sequence[bytes]]:
        return self._moves

    @property
    def closing(self) -> int:
        """The turn after the last of a match, and of the message that begins the next one."""
        return len(DRAW) + self.kind.again

    def leave(self) -> None:
        """Leave the matches that are over."""
        if not self.kind.again:
            for seat in self._seats:
                seat.close()
            self._seats.clear()


class Batches:
    """What was measured in one round so far."""

    def __init__(self, pool: ClientPool, count: bool = False, pace: float = 0.0) -> None:
        self._pool = pool
        self._pace = pace
        self._meter = Meter(pool.pid, count)
        self.moves = self.matches = 0
        self._sent = self._received = 0
        self._match_cpu = 0.0
        self._answered, self._shown = array("f"), array("f")

    def play(self) -> None:
        """One batch."""
        pool = self._pool
        before = cpu_seconds(pool.pid)
        pool.sit()
        time.sleep(SETTLING_SECONDS)
        with pool.loop() as loop:
            with self._meter.measure():
                result = loop.play(pool.moves, 0, TIMED, self._pace)
            loop.play(pool.moves, TIMED, pool.closing)
        pool.leave()
        time.sleep(SETTLING_SECONDS)
        if not pool.kind.again:
            self._match_cpu += cpu_seconds(pool.pid) - before
        self.matches += pool.games
        self.moves += TIMED * pool.games
        self._sent += result.sent
        self._received += result.received
        self._answered += result.answered
        self._shown += result.shown

    def sample(self) -> Sample:
        """All of it."""
        meter = self._meter
        return Sample(
            moves=self.moves, seconds=meter.seconds, cpu=meter.cpu, p50=percentile(self._answered, 0.5),
            p99=percentile(self._answered, 0.99), shown=percentile(self._shown, 0.5), sent=self._sent,
            received=self._received, disk=meter.disk, calls=meter.calls, driver=meter.driver, matches=self.matches,
            match_cpu=self._match_cpu, memory=self._pool.memory,
        )  # fmt: skip


def main() -> None:
    """Play one round, or one for each line."""
    parser = argparse.ArgumentParser(prog="bench.driver")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("pid", type=int)
    parser.add_argument("port", type=lambda words: tuple(map(int, words.split(","))))
    for number in ("games", "moves"):
        parser.add_argument(number, type=int)
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--pace", type=float, default=0.0)
    parser.add_argument("--apart", action="store_true")
    parser.add_argument("--rounds", action="store_true")
    arguments = parser.parse_args()
    pin(DRIVER_CORE)
    pool = ClientPool(KINDS[arguments.kind], arguments.pid, arguments.port, arguments.games, int(arguments.apart))
    for line in sys.stdin if arguments.rounds else ("count\n" if arguments.count else "\n",):
        batches = Batches(pool, line == "count\n", arguments.pace)
        try:
            while batches.moves < arguments.moves:
                batches.play()
        except (OSError, RuntimeError) as problem:
            raise SystemExit(f"{arguments.kind}: {problem}") from None
        print(msgspec.json.encode(batches.sample()).decode(), flush=True)


if __name__ == "__main__":
    main()
