"""Driver process that plays concurrent Eriantys matches to their ends and prints a sample as JSON.

- It is a separate process, so that its CPU time is not counted as the server's.
- All matches are set up first and wait for their first card; then they start together.
- A request is a client's answer to a question of the server. Its latency ends with the first bytes that the server
  sends back to that client.
- The clients' heartbeats load the server but do not count as requests.
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

HEARTBEAT_SECONDS = 1.0
MEMORY_SAMPLE_SECONDS = 0.1


class Run(msgspec.Struct):
    """Result of a run. A move of the sample is a request."""

    sample: Sample
    moves: list[list[Move]]
    """The moves of each match of which its players were notified."""


class Game:
    """A match of two players: its seats and its moves."""

    def __init__(self, load: LoadGenerator) -> None:
        self.load = load
        self.seats: list[Seat] = []
        self.moves: list[Move] = []
        self.ready = asyncio.Event()
        self._waiting: tuple[Seat, bytes] | None = None
        self._unconfirmed: tuple[Move, ...] = ()
        """The moves of the last answer; the next question, or the end of the match, confirms them."""
        self._finished = 0

    def on_seated(self, seat: Seat) -> None:
        self.ready.set()

    def on_question(self, seat: Seat, answer: bytes, *moves: Move) -> None:
        self.moves += self._unconfirmed
        self._unconfirmed = moves
        if self.load.started:
            self._send(seat, answer)
        else:
            self._waiting = (seat, answer)
            self.ready.set()

    def start(self) -> None:
        assert self._waiting is not None
        self._send(*self._waiting)

    def _send(self, seat: Seat, answer: bytes) -> None:
        self.load.requests += 1
        self.load.sent += len(answer)
        seat.sent = perf_counter()
        seat.transport.write(answer)

    def on_data(self, seat: Seat, size: int) -> None:
        self.load.received += size
        if seat.sent:
            self.load.latencies.append(perf_counter() - seat.sent)
            seat.sent = 0.0

    def on_finished(self, seat: Seat) -> None:
        self._finished += 1
        if self._finished == len(self.seats):
            self.moves += self._unconfirmed
            self.load.finish()

    def on_failure(self, seat: Seat, reason: str) -> None:
        self.load.fail(reason)
        self.ready.set()


class LoadGenerator:
    """All concurrent matches and the totals of their traffic."""

    def __init__(self, dialect: str, port: int) -> None:
        self._kind = SEATS[dialect]
        self._port = port
        self._done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._finished = 0
        self.games: list[Game] = []
        self.started = False
        self.requests = self.sent = self.received = 0
        self.latencies: list[float] = []

    async def set_up(self, count: int) -> None:
        """Seat two players at each table, one after the other, so that the server pairs them as intended."""
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
        """Play every match to its end; raise RuntimeError if one is lost."""
        self.started = True
        for game in self.games:
            game.start()
        await self._done

    def finish(self) -> None:
        self._finished += 1
        if self._finished == len(self.games) and not self._done.done():
            self._done.set_result(None)

    def fail(self, reason: str) -> None:
        if not self._done.done():
            self._done.set_exception(RuntimeError(reason))

    async def send_heartbeats(self) -> None:
        """Send the heartbeats of all clients; eriantys-objects closes connections after five seconds of silence."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            for game in self.games:
                for seat in game.seats:
                    if not seat.finished:
                        seat.transport.write(seat.ping)


async def _sample_memory(pid: int, samples: list[int]) -> None:
    while True:
        samples.append(resident(pid))
        await asyncio.sleep(MEMORY_SAMPLE_SECONDS)


async def drive(dialect: str, pid: int, port: int, games: int, count: bool = False) -> Run:
    """Set up and play all matches while the server is measured."""
    before, memory = resident(pid), list[int]()
    cpu, meter = cpu_seconds(pid), Meter(pid, count)
    load = LoadGenerator(dialect, port)
    background = [asyncio.create_task(load.send_heartbeats()), asyncio.create_task(_sample_memory(pid, memory))]
    await load.set_up(games)
    load.received = 0
    with meter.measure():
        await load.play()
    for task in background:
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
    """Run `python -m bench.eriantys_driver DIALECT PID PORT GAMES MOVES [--count] [--told]`.

    Matches are played to their ends, so MOVES is ignored. `--told` prints the moves of all matches too.
    """
    dialect, pid, port, games = sys.argv[1], *map(int, sys.argv[2:5])
    pin(DRIVER_CORE)
    run = uvloop.run(drive(dialect, pid, port, games, "--count" in sys.argv))
    print(msgspec.json.encode(run if "--told" in sys.argv else run.sample).decode())


if __name__ == "__main__":
    main()
