"""Players of every dialect: each plays one match and reconnects under a new name.

Run as `python -m soak.guests DIRECTORY SEED UNTIL TIMES SLOWER`. They use boardwire's clients, choose at random after
a short pause, and disconnect in the middle of one match in ten.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import msgspec
import uvloop

from boardwire import games
from boardwire.dialects import dialect as dialect_called
from boardwire.dialects.dialect import Ask, ClientOptions, Dialect, Over, PlayerMessage, Result
from boardwire.net.client import ClientConnection
from boardwire.net.client_upgrade import with_upgrade
from soak.audit import NAMELESS, comparable_action, guest_name
from soak.pace import Pace, collect_young_objects_only
from soak.ports import DIALECTS, Place, place
from soak.records import Book, Echoed, Fault, Got, Played, Wait
from soak.run_queue import RunQueue, net_seconds
from soak.web import fetch

LEAVE_PROBABILITY = 0.1
"""Probability that a player disconnects in the middle of its match."""
STUCK_SECONDS = 40.0
"""Time without any message after which a match counts as stuck."""
OPPONENT_SECONDS = 15.0
"""Longest time to wait for an opponent."""
GET_ROUNDS = 10
"""Rounds of GET requests per record."""
ECHOES = 100
"""Echoes per record."""
LAST_SECONDS = 45.0
"""Time to finish a match when the time is up."""


class GuestGroup(msgspec.Struct, frozen=True):
    """A group of players: how many of each dialect, their pace and their addresses."""

    name: str
    crowd: dict[str, int]
    think: tuple[float, float]
    network: str
    """First three numbers of their addresses."""
    first: int
    """Number of the first name."""
    timed: bool = False
    pace: Pace = Pace()
    run_queue: RunQueue | None = None
    """Clock of the time without a processor, for timed players."""


class Guest:
    """One player in one match."""

    def __init__(self, dialect: str, game: str, name: str, company: GuestGroup, luck: Random) -> None:
        self.record = Played(dialect, game, name, monotonic(), 0.0, "never", timed=company.timed)
        self._company = company
        self._luck = luck
        self._loop = asyncio.get_running_loop()
        self._thinking: asyncio.TimerHandle | None = None
        self._leaves_after = luck.randrange(1, 20) if luck.random() < LEAVE_PROBABILITY else 0
        self._sent = self._heard = 0
        self._cells: tuple[Any, ...] = ()
        self.last = monotonic()

    def receive(self, connection: ClientConnection, notification: PlayerMessage) -> None:
        """Handle a message from the server."""
        self.last = monotonic()
        record = self.record
        if record.dialect in NAMELESS and record.game == "tris":
            self._record_moves(getattr(notification, "view", None))
        match notification:
            case Ask(decision=decision, again=again):
                if record.result == "never":
                    record.result = "cut"
                    if record.moves is not None:
                        record.seat = notification.view.turn
                if again:
                    record.again += 1
                else:
                    record.sure = self._heard
                if self._thinking is not None:
                    self._thinking.cancel()
                choice = self._luck.choice(list(decision.choices))
                pause = self._company.pace.pause(self._luck, self._company.think) if not again else 0.3
                self._thinking = self._loop.call_later(pause, self._answer, connection, choice)
            case Over(text=text, result=result):
                record.words = text
                if result is not Result.BROKEN_OFF or record.result != "never":
                    record.result = str(result)
            case _:
                pass

    def _answer(self, connection: ClientConnection, choice: Any) -> None:
        self._thinking = None
        record = self.record
        if self._leaves_after and len(record.answers) >= self._leaves_after:
            record.result = "left"
            connection.hang_up()
            return
        if done := comparable_action(choice):
            record.answers.append(done)
        connection.answer(choice)

    def _record_moves(self, view: Any) -> None:
        """Record the new moves on a board of Tris, in turn order; they identify the match."""
        if view is None:
            return
        record = self.record
        record.moves = record.moves or []
        cells = tuple(view.cells)
        before = self._cells or (None,) * 9
        new = [cell for cell in range(9) if cells[cell] is not None and before[cell] is None]
        turn = len(record.moves) % 2
        record.moves += map(str, sorted(new, key=lambda cell: cells[cell] != turn))
        self._cells = cells

    # --- called by the connection -----------------------------------------------------------------------------------

    def count_sent(self) -> None:
        self._sent = len(self.record.answers)

    def record_wait(self, wait: Wait, queued: float) -> None:
        self._heard = self._sent
        self.record.waits.append(wait)
        if self._company.run_queue is not None:
            when, took = wait
            self.record.net_waits.append((when, net_seconds(took, queued, self._company.run_queue.waited_seconds())))

    def queued_seconds(self) -> float:
        """Return the time without a processor so far."""
        return self._company.run_queue.waited_seconds() if self._company.run_queue is not None else 0.0

    def close(self) -> Played:
        if self._thinking is not None:
            self._thinking.cancel()
        self.record.ended = monotonic()
        return self.record


class Wire(ClientConnection):
    """Client connection that measures the time from an answer to the server's next message."""

    def __init__(self, dialect: Dialect, options: ClientOptions, guest: Guest) -> None:
        super().__init__(dialect, options, guest)
        self._guest = guest
        self._unconfirmed = dialect.unconfirmed
        self._answering = False
        self._is_answered = True
        """Whether the server confirms the last answer."""
        self._since = self._queued = 0.0

    def answer(self, action: Any) -> None:
        self._answering = True
        self._is_answered = not isinstance(action, self._unconfirmed)
        try:
            super().answer(action)
        finally:
            self._answering = False

    def write(self, data: bytes) -> None:
        if self._answering:
            self._queued = self._guest.queued_seconds()
        super().write(data)
        if self._answering:
            self._since = monotonic() if self._is_answered else 0.0
            self._guest.count_sent()

    def data_received(self, data: bytes) -> None:
        now = monotonic()
        if self._since:
            self._guest.record_wait((now, now - self._since), self._queued)
            self._since = 0.0
        super().data_received(data)


class Circle:
    """All players of one process."""

    def __init__(self, where: Place, book: Book, company: GuestGroup, seed: int, until: float) -> None:
        self._where = where
        self._book = book
        self._company = company
        self._seed = seed
        self._until = until
        self._numbers = count(company.first)

    async def run_all(self) -> None:
        """Run all players until the time is up."""
        company, last = self._company, count()
        async with asyncio.TaskGroup() as group:
            if company.timed:
                group.create_task(self.measure_echo())
                group.create_task(self._read_api(f"{company.network}.254"))
            for dialect, size in company.crowd.items():
                for number in range(size):
                    luck = Random(f"{self._seed} {company.name} {dialect} {number}")
                    group.create_task(self._play_matches(dialect, f"{company.network}.{next(last) % 254 + 1}", luck))

    async def measure_echo(self) -> None:
        """Measure round trips to a bare echo server."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._where.ports["echo"])
        while monotonic() < self._until:
            waits: list[Wait] = []
            for _ in range(ECHOES):
                since = monotonic()
                writer.write(b".")
                await reader.readexactly(1)
                waits.append((monotonic(), monotonic() - since))
                await asyncio.sleep(0.05)
            self._book.write(Echoed(waits))
        writer.close()

    async def _read_api(self, address: str) -> None:
        """Read the API like a person who looks for a match, from an address without other clients."""
        name = ""
        while monotonic() < self._until:
            answers: list[tuple[float, float, int, str]] = []
            for _ in range(GET_ROUNDS):
                for path in ("/api/matches", "/healthz", *([f"/api/matches/{name}"] if name else ())):
                    since = monotonic()
                    reply = await fetch(self._where, address, path)
                    answers.append((monotonic(), monotonic() - since, reply.status, path))
                    if path == "/api/matches" and reply.status == 200:
                        name = next((match["id"] for match in msgspec.json.decode(reply.body)["matches"]), "")
                    await asyncio.sleep(0.1)
            self._book.write(Got(answers))

    async def _play_matches(self, dialect: str, address: str, luck: Random) -> None:
        while monotonic() < self._until:
            try:
                await self._play(dialect, address, luck)
            except OSError:
                await asyncio.sleep(0.05 + luck.random() / 10)  # the server is down

    async def _play(self, name: str, address: str, luck: Random) -> None:
        dialect = dialect_called(name)
        node = luck.randrange(self._where.nodes)
        port = self._where.port(name, node)
        game = dialect.game or luck.choice(games.NAMES)
        if not dialect.game:
            dialect = with_upgrade(dialect, "127.0.0.1", port)
        who = guest_name(next(self._numbers))
        guest = Guest(name, game, who, self._company, luck)
        guest.record.node = node
        options = ClientOptions(who, 2, {"game": game})
        _, wire = await asyncio.get_running_loop().create_connection(
            lambda: Wire(dialect, options, guest), "127.0.0.1", port, local_addr=self._where.local(address)
        )
        await self._wait_until_over(guest, wire)
        self._book.write(guest.close())

    async def _wait_until_over(self, guest: Guest, wire: Wire) -> None:
        while not wire.finished.done():
            await asyncio.wait([wire.finished], timeout=1.0)
            silent = monotonic() - guest.last
            if guest.record.result == "never":
                if silent > OPPONENT_SECONDS or monotonic() > self._until:
                    wire.hang_up()
            elif silent > STUCK_SECONDS:
                guest.record.result = "stuck"
                wire.hang_up()
            elif monotonic() > self._until + LAST_SECONDS:
                guest.record.result = "left"  # its opponent's seat may be held for minutes
                wire.hang_up()
        fault = wire.finished.exception()
        if fault is not None:
            self._book.write(Fault(f"the client of {guest.record.dialect}", repr(fault)))


GUESTS = GuestGroup(
    "guests",
    dict.fromkeys(DIALECTS, 2) | {"tris-lines": 4, "native": 6},
    (0.02, 0.12),
    "127.1.0",
    first=1,
)


def run(company: GuestGroup) -> None:
    """Run the process of a group of players."""
    collect_young_objects_only()
    directory, seed, until, times = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
    pace = Pace(float(sys.argv[5]), until)
    book = Book(directory / f"{company.name}.told")
    crowd = {name: size * times for name, size in company.crowd.items()}
    run_queue = RunQueue(directory) if company.timed else None
    company = msgspec.structs.replace(company, crowd=crowd, pace=pace, run_queue=run_queue)
    with contextlib.suppress(KeyboardInterrupt):
        uvloop.run(Circle(place(directory), book, company, seed, until).run_all())


if __name__ == "__main__":
    run(GUESTS)
