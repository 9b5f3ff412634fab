"""Driver process that plays concurrent Santorini matches with one of its protocols and prints a sample as JSON.

- It is a separate process, so that its CPU time is not counted as the server's.
- Every match follows the same script (`boardwire.conformance.server.climb`), so that the players need no search.
- A round sets up all matches, plays all turns but the last, which are measured, and then the winning move.
- A step is a playStep, an EXECUTE_ACTION, a ConsolidateMove or a ConsolidateBuild. Other messages of a turn
  (setStartTurn, selectWorker, a declined power) load the server but do not count as steps.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from time import perf_counter
from typing import Any, Protocol, cast

import msgspec
import uvloop

from bench.figures import Sample, percentile
from bench.machine import DRIVER_CORE, cpu_seconds, pin, resident
from bench.meter import Meter
from boardwire.conformance.server.climb import FIRST, SECOND, TURNS, Cell
from boardwire.dialects.santorini_objects.editions import Edition, EditionDecoder
from boardwire.dialects.santorini_objects.messages import classes as java
from boardwire.wire.codec import Decoder
from boardwire.wire.lines import LineDecoder

STEPS = 2 * (len(TURNS) - 1)
"""Measured steps of a match: moves and builds alternately."""

PLAYER_NUMBERS = count(1)
encode = msgspec.json.encode
decode = msgspec.json.decode


class Batch:
    """Concurrent matches: a barrier at which they wait for each other, and totals of their traffic."""

    def __init__(self, games: int) -> None:
        self.games = games
        self.sent = self.received = 0
        self.latencies: list[float] = []
        self._arrived = 0
        self._event = asyncio.Event()

    def arrive(self) -> None:
        """Record that a match has reached the barrier."""
        self._arrived += 1
        if self._arrived == self.games:
            self._arrived = 0
            self._event.set()

    async def wait(self) -> None:
        """Wait until all matches have reached the barrier."""
        await self._event.wait()
        self._event.clear()


class Seat(asyncio.Protocol):
    """Connection of one player, which passes every message to its game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = f"p{next(PLAYER_NUMBERS)}"
        self._feed = game.decoder().feed

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        self.game.batch.received += len(data)
        for message in self._feed(data):
            self.game.receive(self, message)

    def write(self, data: bytes) -> None:
        self.game.batch.sent += len(data)
        self.transport.write(data)

    def send(self, message: dict[str, Any]) -> None:
        self.write(encode(message) + b"\n")


class Game(Protocol):
    """A match with two seats, of which the first begins."""

    seats: list[Seat]
    joined: asyncio.Event
    batch: Batch

    def decoder(self) -> Decoder: ...

    def receive(self, seat: Seat, message: Any, /) -> None: ...

    def enter(self, seat: Seat) -> None:
        """Log in on a new connection."""

    def step(self) -> None:
        """Send the next request of the script."""


def _cell(step: int) -> Cell:
    turn = TURNS[step // 2]
    return turn.to if step % 2 == 0 or turn.build is None else turn.build


class ActionsGame:
    """Match of santorini-actions, document edition. The next request is sent when the last one is answered."""

    def __init__(self, batch: Batch) -> None:
        self.seats: list[Seat] = []
        self.joined = asyncio.Event()
        self.batch = batch
        self._step = 0
        self._sent = 0.0
        self._handlers = {
            b"addPlayerRes": self._on_player_added,
            b"setPickedCar": self._propose_gods,
            b"setPlayerCar": self._pick_god,
            b"setWorkersPo": self._place_workers,
            b"actualPlayer": self._on_turn,
            b"setStartTurn": self._select_worker,
            b"workerViewUp": self._on_view,
            b"playStepResp": self._on_step,
            b"youWin": self._on_win,
        }

    def decoder(self) -> Decoder:
        return LineDecoder()

    def enter(self, seat: Seat) -> None:
        seat.send({"action": "addPlayer", "data": {"playerNickname": seat.name, "lobbySize": 2}})

    def receive(self, seat: Seat, line: bytes) -> None:
        # The first twelve letters of the action, after {"action":", are enough to tell the handled ones apart.
        handler = self._handlers.get(line[11 : line.index(b'"', 11)][:12])
        if handler is not None:
            handler(seat, line)

    def _on_player_added(self, seat: Seat, line: bytes) -> None:
        if b'"lobbyState":false' in line:
            self.enter(seat)
        else:
            self.joined.set()

    def _propose_gods(self, seat: Seat, line: bytes) -> None:
        if decode(line)["data"]["playerNickname"] == seat.name:
            seat.send({"action": "setPickedCards", "data": {"cards": ["PAN", "APOLLO"]}})

    def _pick_god(self, seat: Seat, line: bytes) -> None:
        card = decode(line)["data"]["cards"][-1]
        seat.send({"action": "setPlayerCard", "data": {"playerNickname": seat.name, "card": card}})

    def _place_workers(self, seat: Seat, line: bytes) -> None:
        where = FIRST if seat is self.seats[0] else SECOND
        workers = [{"workerID": number, "x": x, "y": y} for number, (x, y) in enumerate(where)]
        seat.send({"action": "setWorkersPosition", "data": {"playerNickname": seat.name, "workersPosition": workers}})

    def _on_turn(self, seat: Seat, line: bytes) -> None:
        """Start the turn of the notified player, or wait for the other matches before the first and the last turn."""
        if seat is not self.seats[self._step // 2 % 2]:
            return
        if self._step in (0, STEPS):
            self.batch.arrive()
        else:
            self.step()

    def step(self) -> None:
        seat = self.seats[self._step // 2 % 2]
        seat.write(b'{"action":"setStartTurn","data":{"playerNickname":"%s","basicTurn":false}}\n'
                             % seat.name.encode())  # fmt: skip

    def _select_worker(self, seat: Seat, line: bytes) -> None:
        words = b'{"action":"selectWorker","data":{"playerNickname":"%s","x":%d,"y":%d}}\n'
        seat.write(words % (seat.name.encode(), *TURNS[self._step // 2].frm))

    def _on_view(self, seat: Seat, line: bytes) -> None:
        """Play the move of a selected worker. A view after a move needs no reaction: its response follows."""
        if self._step % 2 == 0:
            self._play_step(seat)

    def _play_step(self, seat: Seat) -> None:
        self._sent = perf_counter()
        seat.write(b'{"action":"playStep","data":{"x":%d,"y":%d}}\n' % _cell(self._step))
        self._step += 1

    def _on_step(self, seat: Seat, line: bytes) -> None:
        self.batch.latencies.append(perf_counter() - self._sent)
        if self._step % 2 == 1:
            self._play_step(seat)

    def _on_win(self, seat: Seat, line: bytes) -> None:
        self.batch.arrive()


class LobbyGame:
    """Match of santorini-lobby. The second user is the challenger, so that the first begins."""

    def __init__(self, batch: Batch) -> None:
        self.seats: list[Seat] = []
        self.joined = asyncio.Event()
        self.batch = batch
        self._step = 0
        self._sent = 0.0
        self._playing = False

    def decoder(self) -> Decoder:
        return LineDecoder()

    def enter(self, seat: Seat) -> None:
        if seat is self.seats[0]:
            seat.send({"type": "SELECT_PLAYER_NUMBER", "content": {"size": 2}})
        seat.send({"type": "ADD_USER", "content": {"user": {"username": seat.name}}})

    def receive(self, seat: Seat, line: bytes) -> None:
        kind = line[9 : line.index(b'"', 9)]  # after {"type":"
        if kind == b"PING":
            seat.write(line + b"\n")
        elif not self._playing:
            self._set_up(seat, kind, line)
        elif kind == b"RESULT":
            self._on_result(seat)
        elif kind == b"WIN" and seat is self.seats[0]:
            self.batch.arrive()

    def _set_up(self, seat: Seat, kind: bytes, line: bytes) -> None:
        first, second = self.seats[0], self.seats[-1]
        me = {"username": seat.name}
        match kind:
            case b"USER_JOINED" if seat.name.encode() in line:
                self.joined.set()
            case b"GODS_AVAILABLE":
                gods = {god["name"]: god for god in decode(line)["content"]["gods"]}
                if len(gods) > 2 and seat is second:
                    chosen = [gods["Pan"], gods["Apollo"]]
                    seat.send({"type": "SELECT_GODS", "content": {"user": me, "gods": chosen}})
                elif len(gods) == 2 and seat is first:
                    seat.send({"type": "CHOOSE_GOD", "content": {"user": me, "god": gods["Pan"]}})
                elif not gods and seat is second:
                    starter = {"username": first.name}
                    seat.send({"type": "CHOOSE_FIRST_PLAYER", "content": {"self": me, "firstPlayer": starter}})
            case b"REQUEST_PLACE_PAWNS" if decode(line)["content"]["user"] == me:
                (ax, ay), (bx, by) = FIRST if seat is first else SECOND
                cells = {"c1": {"x": ax, "y": ay}, "c2": {"x": bx, "y": by}}
                seat.send({"type": "PLACE_PAWNS", "content": {"user": me, **cells}})
            case b"ACTION_READY" if seat is first:
                self.batch.arrive()

    def step(self) -> None:
        """Send the next action; the server confirms it with a RESULT after it has notified both players."""
        self._playing = True
        seat, (x, y) = self.seats[self._step // 2 % 2], _cell(self._step)
        kind = b"Build_Block" if self._step % 2 else b"Move"
        self._sent = perf_counter()
        seat.write(
            b'{"type":"EXECUTE_ACTION","content":{"user":{"username":"%s"},"id":0,"actionIdentifier":{"description":'
            b'"%s"},"coordinate":{"x":%d,"y":%d}}}\n' % (seat.name.encode(), kind, x, y)
        )

    def _on_result(self, seat: Seat) -> None:
        if seat is not self.seats[self._step // 2 % 2] or self._step == STEPS:
            return  # the RESULT of the last placement arrives after the first ACTION_READY
        self.batch.latencies.append(perf_counter() - self._sent)
        self._step += 1
        if self._step == STEPS:
            self.batch.arrive()
        else:
            self.step()


class ObjectsGame:
    """Match of santorini-objects, document edition.

    The server draws the gods. The script does not use their powers; a power offered after a build is declined.
    """

    def __init__(self, batch: Batch) -> None:
        self.seats: list[Seat] = []
        self.joined = asyncio.Event()
        self.batch = batch
        self._step = 0
        self._levels: dict[Cell, int] = {}
        self._sent = 0.0
        self._named = 0

    def decoder(self) -> Decoder:
        return EditionDecoder(Edition.D2)

    def enter(self, seat: Seat) -> None:
        self._send(seat, java.Message("2 players"))
        if seat is self.seats[0]:
            self.joined.set()  # the server sends nothing before the second player connects

    def receive(self, seat: Seat, message: Any) -> None:
        match message:
            case java.UpdateMove() | java.UpdateBuild():
                if seat is self._sender:
                    self.batch.latencies.append(perf_counter() - self._sent)
            case java.RequestMove() | java.RequestBuild() | java.RequestOptional():
                self._on_request(seat)
            case java.Message():
                self._on_text(seat, message.message or "")
            case java.RequestInitializeGame(player_id=number, god_powers=gods):
                cells = tuple(java.Position(*cell, 0) for cell in (FIRST, SECOND)[number - 1])
                self._send(seat, java.InitializeGame(gods[-1], cells))
            case java.UpdateWinner() if seat is self.seats[0]:
                self.batch.arrive()

    def _on_text(self, seat: Seat, text: str) -> None:
        """Answer the request for a name, or sort the seats by the number that the server assigned."""
        if text.startswith("You are player"):
            self.seats.sort(key=lambda player: (player is seat) != text.endswith("1"))
            return
        self._send(seat, java.Message(seat.name))
        self._named += 1
        if self._named == 2:
            self.joined.set()

    def _on_request(self, seat: Seat) -> None:
        if seat is not self.seats[self._step // 2 % 2]:
            self._send(seat, java.DeclineLastOptional())
        elif self._step in (0, STEPS):
            self.batch.arrive()
        else:
            self.step()

    def step(self) -> None:
        cell = _cell(self._step)
        level = self._levels.get(cell, 0)
        self._sender = self.seats[self._step // 2 % 2]
        self._sent = perf_counter()
        if self._step % 2 == 0:
            self._send(self._sender, java.ConsolidateMove(1, java.Position(*cell, level)))
        else:
            self._send(self._sender, java.ConsolidateBuild(False, 1, java.Position(*cell, level)))
            self._levels[cell] = level + 1
        self._step += 1

    @staticmethod
    def _send(seat: Seat, message: msgspec.Struct) -> None:
        seat.write(Edition.D2.encode_cached(message))


GAMES: dict[str, Callable[[Batch], Game]] = {
    "santorini-actions": ActionsGame,
    "santorini-lobby": LobbyGame,
    "santorini-objects": ObjectsGame,
}


async def _set_up(dialect: str, port: int, games: int) -> tuple[Batch, list[Game]]:
    loop = asyncio.get_running_loop()
    batch = Batch(games)
    matches: list[Game] = []
    for _ in range(games):
        game: Game = GAMES[dialect](batch)
        matches.append(game)
        for _ in range(2):
            game.joined.clear()
            _, seat = await loop.create_connection(partial(Seat, game), "127.0.0.1", port)
            game.seats.append(seat)
            game.enter(seat)
            await game.joined.wait()
    await batch.wait()
    return batch, matches


async def play(dialect: str, pid: int, port: int, games: int, steps: int, count: bool) -> Sample:
    """Play batches of `games` concurrent matches until about `steps` steps are made."""
    rounds = max(1, steps // (STEPS * games))
    meter = Meter(pid, count)
    latencies: list[float] = []
    sent = received = memory = 0
    match_cpu = 0.0
    for _ in range(rounds):
        before, resident_before = cpu_seconds(pid), resident(pid)
        batch, matches = await _set_up(dialect, port, games)
        batch.sent = batch.received = 0
        with meter.measure():
            for game in matches:
                game.step()
            await batch.wait()
        memory = max(memory, (resident(pid) - resident_before) // games)
        sent, received = sent + batch.sent, received + batch.received
        latencies += batch.latencies
        for game in matches:
            game.step()
        await batch.wait()
        for game in matches:
            for seat in game.seats:
                seat.transport.close()
        await asyncio.sleep(0.05)
        match_cpu += cpu_seconds(pid) - before
    return Sample(
        moves=STEPS * games * rounds, seconds=meter.seconds, cpu=meter.cpu, p50=percentile(latencies, 0.5),
        p99=percentile(latencies, 0.99), sent=sent, received=received, disk=meter.disk, calls=meter.calls,
        driver=meter.driver, matches=rounds * games, match_cpu=match_cpu, memory=memory,
    )  # fmt: skip


def main() -> None:
    """Run `python -m bench.santorini_driver DIALECT PID PORT GAMES STEPS [--count]`."""
    dialect, pid, port, games, steps = sys.argv[1], *map(int, sys.argv[2:6])
    pin(DRIVER_CORE)
    print(encode(uvloop.run(play(dialect, pid, port, games, steps, "--count" in sys.argv))).decode())


if __name__ == "__main__":
    main()
