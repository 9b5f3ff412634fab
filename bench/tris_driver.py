"""Plays many Tris matches at once against a tris-lines server, or sends lines to an echo; prints figures as JSON.

Run as a process of its own, so that its work is not counted as the server's.  A round sets up all matches, then plays
eight moves in every match, then the ninth, which ends it in a draw.  Moves are counted and timed over the eight alone;
whole matches (connecting, seating, nine moves, closing) are counted over the round.
"""

from __future__ import annotations

import asyncio
import sys
from time import perf_counter
from typing import cast

import msgspec
import uvloop

from bench.machine import DRIVER_CORE, cpu_seconds, pin, resident

DRAW = (0, 1, 2, 4, 3, 5, 7, 6, 8)
"""A whole match without a line: first, second, first ..."""


class Figures(msgspec.Struct):
    """What one run gave.  Latency is from a move to the mover's answer."""

    moves: int
    seconds: float
    cpu: float
    matches: int
    match_cpu: float
    p50: float
    p99: float
    per_connection: int
    per_game: int


class Seat(asyncio.Protocol):
    """One connection; tells its game about every line."""

    def __init__(self, game: Game | None) -> None:
        self.game = game
        self.rest = b""
        self.sent = 0.0
        """When its last move was sent.  Each seat has its own: the other's board may be read before this one's OK."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        data = self.rest + data
        *lines, self.rest = data.split(b"\n")
        if self.game is not None:
            for line in lines:
                self.game.heard(self, line)

    def eof_received(self) -> bool:
        return False


class Game:
    """Two seats and the moves that are still to be made."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.seats: list[Seat] = []
        self.turn = 0
        self.ready = 0

    def heard(self, seat: Seat, line: bytes) -> None:
        if line in (b"WAIT", b"READY"):
            self.ready += line == b"READY"
            if self.ready == 2:
                self.tally.count()
        elif line == b"OK":
            self.tally.latencies.append(perf_counter() - seat.sent)
        elif line.endswith(b","):
            self.turn += 1
            if self.turn < len(DRAW) - 1:
                self.move()
            else:
                self.tally.count()
        elif line.endswith(b",P"):
            self.tally.count()

    def move(self) -> None:
        mover = self.seats[self.turn % 2]
        mover.sent = perf_counter()
        mover.transport.write(b"%d\n" % DRAW[self.turn])


class Tally:
    """Counts games until all of them have come to the same point."""

    def __init__(self, games: int) -> None:
        self.games = games
        self.counted = 0
        self.latencies: list[float] = []
        self.event = asyncio.Event()

    def count(self) -> None:
        self.counted += 1
        if self.counted == self.games:
            self.counted = 0
            self.event.set()

    async def all(self) -> None:
        await self.event.wait()
        self.event.clear()


async def _round(port: int, games: int) -> tuple[Tally, list[Game]]:
    loop = asyncio.get_running_loop()
    tally = Tally(games)
    matches = []
    for _ in range(games):
        game = Game(tally)
        matches.append(game)
        for _ in range(2):
            _, seat = await loop.create_connection(lambda game=game: Seat(game), "127.0.0.1", port)  # type: ignore[misc]
            game.seats.append(seat)
    await tally.all()
    return tally, matches


async def play(pid: int, port: int, games: int, moves: int) -> Figures:
    """Rounds of `games` matches at once, until about `moves` moves are made."""
    rounds = max(1, moves // (8 * games))
    figures = Figures(0, 0.0, 0.0, rounds * games, 0.0, 0.0, 0.0, 0, 0)
    latencies: list[float] = []
    for _ in range(rounds):
        before, memory = cpu_seconds(pid), resident(pid)
        tally, matches = await _round(port, games)
        figures.per_game = max(figures.per_game, (resident(pid) - memory) // games)
        cpu, start = cpu_seconds(pid), perf_counter()
        for game in matches:
            game.move()
        await tally.all()
        figures.seconds += perf_counter() - start
        figures.cpu += cpu_seconds(pid) - cpu
        figures.moves += 8 * games
        latencies += tally.latencies
        for game in matches:
            game.move()
        await tally.all()
        await asyncio.sleep(0.05)
        figures.match_cpu += cpu_seconds(pid) - before
    latencies.sort()
    figures.p50, figures.p99 = latencies[len(latencies) // 2], latencies[int(len(latencies) * 0.99)]
    return figures


async def idle(pid: int, port: int, connections: int, moves: int) -> Figures:
    """Resident bytes per connection that does nothing.  For a server of its own: in memory that was used before and
    given back, connections would seem to cost nothing, and so would matches after them."""
    loop = asyncio.get_running_loop()
    before = resident(pid)
    opened = [await loop.create_connection(lambda: Seat(None), "127.0.0.1", port) for _ in range(connections)]
    await asyncio.sleep(0.3)
    used = resident(pid) - before
    for transport, _ in opened:
        transport.close()
    return Figures(0, 0.0, 0.0, 0, 0.0, 0.0, 0.0, used // connections, 0)


async def echo(pid: int, port: int, lines: int, moves: int) -> Figures:
    """`lines` connections that each send a line, and the next one when it comes back."""
    loop = asyncio.get_running_loop()
    latencies: list[float] = []
    done = asyncio.Event()

    class Client(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self.transport = cast("asyncio.Transport", transport)
            self.left = moves // lines

        def send(self) -> None:
            self.sent = perf_counter()
            self.transport.write(b"4\n")

        def data_received(self, data: bytes) -> None:
            latencies.append(perf_counter() - self.sent)
            self.left -= 1
            if self.left > 0:
                self.send()
            elif len(latencies) >= lines * (moves // lines):
                done.set()

    clients = [(await loop.create_connection(Client, "127.0.0.1", port))[1] for _ in range(lines)]
    cpu, start = cpu_seconds(pid), perf_counter()
    for client in clients:
        client.send()
    await done.wait()
    seconds, cpu = perf_counter() - start, cpu_seconds(pid) - cpu
    for client in clients:
        client.transport.close()
    latencies.sort()
    p50, p99 = latencies[len(latencies) // 2], latencies[int(len(latencies) * 0.99)]
    return Figures(len(latencies), seconds, cpu, 0, 0.0, p50, p99, 0, 0)


def main() -> None:
    """`tris_driver.py play|echo|idle PID PORT GAMES MOVES`."""
    what, pid, port, games, moves = sys.argv[1], *map(int, sys.argv[2:6])
    pin(DRIVER_CORE)
    figures = uvloop.run({"play": play, "echo": echo, "idle": idle}[what](pid, port, games, moves))
    print(msgspec.json.encode(figures).decode())


if __name__ == "__main__":
    main()
