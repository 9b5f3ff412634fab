"""Plays many Eriantys matches at once, each to its end, and prints what was measured and told as JSON.

Run as a process of its own, so that its work is not counted as the server's.  All matches are set up first and wait for
their first card; then all go on together.  A request is an answer to a question; latency is from it to the first word
back to whoever sent it.  The clients' heartbeats are part of the server's work, and are not counted.
"""

from __future__ import annotations

import asyncio
import sys
from functools import partial
from time import perf_counter

import msgspec
import uvloop

from bench.eriantys_seats import SEATS, Move, Seat
from bench.figures import Sample, percentile
from bench.machine import DRIVER_CORE, cpu_seconds, pin, resident
from bench.meter import Meter

HEARTBEAT = 1.0
SAMPLE = 0.1


class Run(msgspec.Struct):
    """What one run gave; a move of the sample is a request."""

    sample: Sample
    told: list[list[Move]]
    """The moves of each match, as its players were told that they were made."""


class Game:
    """A match of two: their seats, and every move that was made."""

    def __init__(self, load: LoadGenerator) -> None:
        self.load = load
        self.seats: list[Seat] = []
        self.moves: list[Move] = []
        self.ready = asyncio.Event()
        self._waiting: tuple[Seat, bytes] | None = None
        self._in_hand: tuple[Move, ...] = ()
        """What was answered last; it is told when the next question, or the end, comes."""
        self._finished = 0

    def opened(self, seat: Seat) -> None:
        self.ready.set()

    def asked(self, seat: Seat, answer: bytes, *moves: Move) -> None:
        self.moves += self._in_hand
        self._in_hand = moves
        if self.load.going:
            self._send(seat, answer)
        else:
            self._waiting = (seat, answer)
            self.ready.set()

    def go(self) -> None:
        assert self._waiting is not None
        self._send(*self._waiting)

    def _send(self, seat: Seat, answer: bytes) -> None:
        self.load.requests += 1
        self.load.sent += len(answer)
        seat.sent = perf_counter()
        seat.transport.write(answer)

    def heard(self, seat: Seat, size: int) -> None:
        self.load.received += size
        if seat.sent:
            self.load.latencies.append(perf_counter() - seat.sent)
            seat.sent = 0.0

    def over(self, seat: Seat) -> None:
        self._finished += 1
        if self._finished == len(self.seats):
            self.moves += self._in_hand
            self.load.finish()

    def lost(self, seat: Seat, why: str) -> None:
        self.load.fail(why)
        self.ready.set()


class LoadGenerator:
    """All matches."""

    def __init__(self, dialect: str, port: int) -> None:
        self._kind = SEATS[dialect]
        self._port = port
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._finished = 0
        self.games: list[Game] = []
        self.going = False
        self.requests = self.sent = self.received = 0
        self.latencies: list[float] = []

    async def set_up(self, count: int) -> None:
        """Seat two players at each table, one after the other, so that those meet who belong together."""
        loop = asyncio.get_running_loop()
        for _ in range(count):
            game = Game(self)
            self.games.append(game)
            for first in (True, False):
                game.ready.clear()
                _, seat = await loop.create_connection(
                    partial(self._kind, game, first),
                    "127.0.0.1",
                    self._port,
                )
                game.seats.append(seat)
                await game.ready.wait()
                if self._done.done():
                    await self._done

    async def play(self) -> None:
        """Every match to its end; an error if one is lost."""
        self.going = True
        for game in self.games:
            game.go()
        await self._done

    def finish(self) -> None:
        self._finished += 1
        if self._finished == len(self.games) and not self._done.done():
            self._done.set_result(None)

    def fail(self, why: str) -> None:
        if not self._done.done():
            self._done.set_exception(RuntimeError(why))

    async def stay_alive(self) -> None:
        """The heartbeats of all clients [eriantys-objects allows five seconds of silence]."""
        while True:
            await asyncio.sleep(HEARTBEAT)
            for game in self.games:
                for seat in game.seats:
                    if not seat.finished:
                        seat.transport.write(seat.ping)


async def _watch(pid: int, most: list[int]) -> None:
    while True:
        most.append(resident(pid))
        await asyncio.sleep(SAMPLE)


async def drive(dialect: str, pid: int, port: int, games: int, count: bool = False) -> Run:
    """All of it."""
    before, memory = resident(pid), list[int]()
    cpu, meter = cpu_seconds(pid), Meter(pid, count)
    load = LoadGenerator(dialect, port)
    aside = [asyncio.create_task(load.stay_alive()), asyncio.create_task(_watch(pid, memory))]
    await load.set_up(games)
    load.received = 0
    with meter.measure():
        await load.play()
    for task in aside:
        task.cancel()
    for game in load.games:
        for seat in game.seats:
            seat.transport.close()
    await asyncio.sleep(0.1)
    sample = Sample(
        moves=load.requests, seconds=meter.seconds, cpu=meter.cpu, p50=percentile(load.latencies, 0.5),
        p99=percentile(load.latencies, 0.99), sent=load.sent, received=load.received, disk=meter.disk,
        calls=meter.calls, driver=meter.driver, matches=games, match_cpu=cpu_seconds(pid) - cpu,
        memory=(max(memory) - before) // games,
    )  # fmt: skip
    return Run(sample, [game.moves for game in load.games])


def main() -> None:
    """`eriantys_driver.py DIALECT PID PORT GAMES MOVES [--count] [--told]`: whole matches, whatever MOVES says; what
    was told is printed too if that is asked."""
    dialect, pid, port, games = sys.argv[1], *map(int, sys.argv[2:5])
    pin(DRIVER_CORE)
    run = uvloop.run(drive(dialect, pid, port, games, "--count" in sys.argv))
    print(msgspec.json.encode(run if "--told" in sys.argv else run.sample).decode())


if __name__ == "__main__":
    main()
