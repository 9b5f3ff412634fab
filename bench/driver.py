"""Driver process that plays concurrent Tris matches and prints a `Sample` as JSON for each round.

`python -m bench.driver KIND PID PORT GAMES MOVES [--count] [--pace SECONDS] [--apart] [--rounds]`

- It runs on its own core, so that its CPU time is not counted as the server's.
- A batch seats all matches, plays eight measured moves in each and then the ninth, which ends the match in a draw.
  A round is as many batches as it takes to make at least MOVES moves.
- `--count` counts the server's system calls, which slows it down. `--pace` sets the seconds between moves of a match.
- `--rounds` plays a round for each line of standard input; the line `count` counts system calls.
- Servers of a kind that supports rematches keep their players seated over all rounds.
- PORT lists the ports of several nodes, separated by commas. Matches are distributed over them in turn; `--apart` puts
  the second player of a match on the next node.
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

TIMED_TURNS = len(DRAW) - 1
"""All turns of a match except the last, which ends it."""
SETTLING_SECONDS = 0.01
"""Pause for the server to finish its work on the last message, so that it is not counted with the moves."""


class ClientPool:
    """Connections of all players to a server; they stay open between batches if the server supports rematches."""

    def __init__(self, kind: Kind, pid: int, ports: Sequence[int], games: int, apart: int = 0) -> None:
        self.kind = kind
        self.pid = pid
        self.games = games
        self.memory = 0
        """Largest growth of the server's resident memory per seated match, in bytes."""
        self._ports = ports
        self._apart = apart
        self._numbers = count(os.getpid() << 32)  # unique, as boardgame.io keeps the matches of earlier drivers
        self._moves: list[Sequence[bytes]] = []
        self._seats: list[socket] = []

    def seat(self) -> None:
        """Connect and seat all players, unless they are seated already."""
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
        """Return the loop that plays one batch."""
        return HotLoop(self._seats, self.kind.marker, self.kind.framed, self.kind.echo)

    @property
    def moves(self) -> list[Sequence[bytes]]:
        return self._moves

    @property
    def message_count(self) -> int:
        """The number of messages in a match, including the one that starts a rematch."""
        return len(DRAW) + self.kind.rematch

    def leave(self) -> None:
        """Close the connections after a match, unless the server supports rematches."""
        if not self.kind.rematch:
            for seat in self._seats:
                seat.close()
            self._seats.clear()


class Round:
    """Totals of one round."""

    def __init__(self, pool: ClientPool, count: bool = False, pace: float = 0.0) -> None:
        self._pool = pool
        self._pace = pace
        self._meter = Meter(pool.pid, count)
        self.moves = self.matches = 0
        self._sent = self._received = 0
        self._match_cpu = 0.0
        self._answered, self._shown = array("f"), array("f")

    def play_batch(self) -> None:
        """Play one batch."""
        pool = self._pool
        before = cpu_seconds(pool.pid)
        pool.seat()
        time.sleep(SETTLING_SECONDS)
        with pool.loop() as loop:
            with self._meter.measure():
                result = loop.play(pool.moves, 0, TIMED_TURNS, self._pace)
            loop.play(pool.moves, TIMED_TURNS, pool.message_count)
        pool.leave()
        time.sleep(SETTLING_SECONDS)
        if not pool.kind.rematch:
            self._match_cpu += cpu_seconds(pool.pid) - before
        self.matches += pool.games
        self.moves += TIMED_TURNS * pool.games
        self._sent += result.sent
        self._received += result.received
        self._answered += result.answered
        self._shown += result.shown

    def sample(self) -> Sample:
        """Return the totals as a sample."""
        meter = self._meter
        return Sample(
            moves=self.moves, seconds=meter.seconds, cpu=meter.cpu, p50=percentile(self._answered, 0.5),
            p99=percentile(self._answered, 0.99), shown=percentile(self._shown, 0.5), sent=self._sent,
            received=self._received, disk=meter.disk, calls=meter.calls, driver=meter.driver, matches=self.matches,
            match_cpu=self._match_cpu, memory=self._pool.memory,
        )  # fmt: skip


def main() -> None:
    """Play one round, or one for each line of standard input."""
    parser = argparse.ArgumentParser(prog="bench.driver")
    parser.add_argument("kind", choices=KINDS, help="kind of the server")
    parser.add_argument("pid", type=int, help="process ID of the server")
    parser.add_argument("port", type=lambda text: tuple(map(int, text.split(","))), help="its ports, with commas")
    parser.add_argument("games", type=int, help="concurrent games")
    parser.add_argument("moves", type=int, help="moves per round")
    parser.add_argument("--count", action="store_true", help="count system calls")
    parser.add_argument("--pace", type=float, default=0.0, help="seconds between two moves of a match")
    parser.add_argument("--apart", action="store_true", help="put the second player on the next node")
    parser.add_argument("--rounds", action="store_true", help="play a round for each line of standard input")
    arguments = parser.parse_args()
    pin(DRIVER_CORE)
    pool = ClientPool(KINDS[arguments.kind], arguments.pid, arguments.port, arguments.games, int(arguments.apart))
    for line in sys.stdin if arguments.rounds else ("count\n" if arguments.count else "\n",):
        this_round = Round(pool, line == "count\n", arguments.pace)
        try:
            while this_round.moves < arguments.moves:
                this_round.play_batch()
        except (OSError, RuntimeError) as problem:
            raise SystemExit(f"{arguments.kind}: {problem}") from None
        print(msgspec.json.encode(this_round.sample()).decode(), flush=True)


if __name__ == "__main__":
    main()
