"""Plays many Tris matches at once over the native WebSocket, or sends frames to an echo; prints figures as JSON.

Run as a process of its own, so that its work is not counted as the server's.  A round sets up all matches, then plays
eight moves in every match, then the ninth, which ends it in a draw.  Moves are counted and timed over the eight alone.
Latency is from a move to the mover's own `step`, and `shown` from a move to the other player's.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from time import perf_counter
from typing import cast

import msgspec
import uvloop

from bench.machine import DRIVER_CORE, cpu_seconds, pin, resident
from boardwire.wire.websocket import encode_text

DRAW = (0, 1, 2, 4, 3, 5, 7, 6, 8)
"""A whole match without a line: first, second, first ..."""
START = 4
"""The number of the event that starts a match: opened, joined, joined, started."""
MASK = b"mask"


def frame(**fields: object) -> bytes:
    """A request as a client sends it."""
    return encode_text(msgspec.json.encode(fields), MASK)


UPGRADE = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
HELLO = (frame(type="hello", name="ann"), frame(type="hello", name="bob"))
OPEN = frame(type="open", game="tris")
MOVES = tuple(frame(type="act", seq=START + turn, action=cell) for turn, cell in enumerate(DRAW))


class Figures(msgspec.Struct):
    """What one run gave; times in seconds."""

    moves: int
    seconds: float
    cpu: float
    p50: float
    p99: float
    shown: float = 0.0
    matches: int = 0
    match_cpu: float = 0.0
    per_game: int = 0


class Socket(asyncio.Protocol):
    """A client's end of a WebSocket: the answer's head is skipped, whole frames go to `heard`."""

    def __init__(self, heard: Callable[[Socket, bytes], None]) -> None:
        self.heard = heard
        self.rest = b""
        self.open = False
        self.sent = 0.0
        self.steps = 0
        """How many moves it has heard of."""
        self.transport: asyncio.Transport

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)
        self.transport.write(UPGRADE)

    def data_received(self, data: bytes) -> None:
        data = self.rest + data
        if not self.open:
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self.rest = head
                return
            self.open = True
        start = 0
        while len(data) - start >= 2:
            size, at = data[start + 1], start + 2
            if size == 126:
                size, at = int.from_bytes(data[at : at + 2]), at + 2
            if len(data) < at + size:
                break
            self.heard(self, data[at : at + size])
            start = at + size
        self.rest = data[start:]

    def send(self, data: bytes) -> None:
        self.sent = perf_counter()
        self.transport.write(data)


class Game:
    """Two seats and the moves that are still to be made.  `pace`: seconds between two moves; 0: at once."""

    def __init__(self, tally: Tally, pace: float = 0.0) -> None:
        self.tally = tally
        self.pace = pace
        self.seats: list[Socket] = []
        self.turn = -1
        self.started = 0.0

    def heard(self, seat: Socket, message: bytes) -> None:
        if message.startswith(b'{"type":"step"'):
            if self.turn >= 0:
                self._stepped(seat)
            elif b'"status":"playing"' in message:
                self.tally.count()
        elif message.startswith(b'{"type":"seated"') and len(self.seats) == 1:
            self.tally.opened.set_result(msgspec.json.decode(message)["state"]["match"])
        elif message.startswith(b'{"type":"refused"'):
            raise RuntimeError(message.decode())

    def _stepped(self, seat: Socket) -> None:
        mover = self.seats[seat.steps % 2]  # the other's socket may be read before the mover's
        seat.steps += 1
        if seat is mover:
            self.tally.latencies.append(perf_counter() - seat.sent)
            return
        self.tally.shown.append(perf_counter() - mover.sent)
        self.turn += 1
        if self.turn in (len(DRAW) - 1, len(DRAW)):
            self.tally.count()
        elif self.pace:
            due = self.started + self.turn * self.pace
            loop = asyncio.get_running_loop()
            loop.call_later(max(0.0, due - perf_counter()), self.move)
        else:
            self.move()

    def begin(self, delay: float = 0.0) -> None:
        self.turn = 0
        self.started = perf_counter() + delay
        if delay:
            asyncio.get_running_loop().call_later(delay, self.move)
        else:
            self.move()

    def move(self) -> None:
        self.seats[self.turn % 2].send(MOVES[self.turn])


class Tally:
    """Counts until all games have come to the same point."""

    def __init__(self, wanted: int) -> None:
        self.wanted = wanted
        self.counted = 0
        self.latencies: list[float] = []
        self.shown: list[float] = []
        self.event = asyncio.Event()
        self.opened: asyncio.Future[str]

    def count(self) -> None:
        self.counted += 1
        if self.counted == self.wanted:
            self.counted = 0
            self.event.set()

    async def all(self) -> None:
        await self.event.wait()
        self.event.clear()


async def _round(port: int, games: int, pace: float = 0.0) -> tuple[Tally, list[Game]]:
    loop = asyncio.get_running_loop()
    tally = Tally(2 * games)  # both seats hear of the start
    matches = []
    for _ in range(games):
        game = Game(tally, pace)
        tally.opened = loop.create_future()
        matches.append(game)
        for hello in HELLO:
            _, seat = await loop.create_connection(lambda game=game: Socket(game.heard), "127.0.0.1", port)  # type: ignore[misc]
            game.seats.append(seat)
            if len(game.seats) == 1:
                seat.send(hello + OPEN)
                await tally.opened
            else:
                seat.send(hello + frame(type="join", match=tally.opened.result()))
    await tally.all()
    tally.wanted = games
    return tally, matches


async def play(pid: int, port: int, games: int, moves: int) -> Figures:
    """Rounds of `games` matches at once, until about `moves` moves are made."""
    rounds = max(1, moves // (8 * games))
    figures = Figures(0, 0.0, 0.0, 0.0, 0.0, matches=rounds * games)
    latencies: list[float] = []
    shown: list[float] = []
    for _ in range(rounds):
        before, memory = cpu_seconds(pid), resident(pid)
        tally, matches = await _round(port, games)
        figures.per_game = max(figures.per_game, (resident(pid) - memory) // games)
        cpu, start = cpu_seconds(pid), perf_counter()
        for game in matches:
            game.begin()
        await tally.all()
        figures.seconds += perf_counter() - start
        figures.cpu += cpu_seconds(pid) - cpu
        figures.moves += 8 * games
        latencies += tally.latencies
        shown += tally.shown
        for game in matches:
            game.move()
        await tally.all()
        _close(matches)
        await asyncio.sleep(0.05)
        figures.match_cpu += cpu_seconds(pid) - before
    return _ranked(figures, latencies, shown)


async def paced(pid: int, port: int, games: int, moves: int) -> Figures:
    """`games` matches at once, each with one move a second, their beginnings spread over a second."""
    tally, matches = await _round(port, games, pace=1.0)
    cpu, start = cpu_seconds(pid), perf_counter()
    for number, game in enumerate(matches):
        game.begin(number / games + 0.001)
    await tally.all()
    seconds, cpu = perf_counter() - start, cpu_seconds(pid) - cpu
    _close(matches)
    return _ranked(Figures(8 * games, seconds, cpu, 0.0, 0.0), tally.latencies, tally.shown)


def _close(matches: list[Game]) -> None:
    for game in matches:
        for seat in game.seats:
            seat.transport.close()


def _ranked(figures: Figures, latencies: list[float], shown: list[float]) -> Figures:
    latencies.sort()
    shown.sort()
    figures.p50, figures.p99 = latencies[len(latencies) // 2], latencies[int(len(latencies) * 0.99)]
    figures.shown = shown[len(shown) // 2] if shown else 0.0
    return figures


async def echo(pid: int, port: int, sockets: int, moves: int) -> Figures:
    """`sockets` connections that each send a move's frame, and the next one when it comes back."""
    loop = asyncio.get_running_loop()
    latencies: list[float] = []
    done = asyncio.Event()
    each = moves // sockets
    left: dict[Socket, int] = {}

    def heard(socket: Socket, message: bytes) -> None:
        latencies.append(perf_counter() - socket.sent)
        left[socket] -= 1
        if left[socket] > 0:
            socket.send(MOVES[0])
        elif len(latencies) == sockets * each:
            done.set()

    for _ in range(sockets):
        _, client = await loop.create_connection(lambda: Socket(heard), "127.0.0.1", port)
        left[client] = each
    while not all(client.open for client in left):
        await asyncio.sleep(0.01)
    cpu, start = cpu_seconds(pid), perf_counter()
    for client in left:
        client.send(MOVES[0])
    await done.wait()
    seconds, cpu = perf_counter() - start, cpu_seconds(pid) - cpu
    for client in left:
        client.transport.close()
    return _ranked(Figures(len(latencies), seconds, cpu, 0.0, 0.0), latencies, [])


def main() -> None:
    """`native_driver.py play|paced|echo PID PORT GAMES MOVES`."""
    what, pid, port, games, moves = sys.argv[1], *map(int, sys.argv[2:6])
    pin(DRIVER_CORE)
    figures = uvloop.run({"play": play, "paced": paced, "echo": echo}[what](pid, port, games, moves))
    print(msgspec.json.encode(figures).decode())


if __name__ == "__main__":
    main()
