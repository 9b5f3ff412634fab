"""Players of every dialect: each comes, plays whoever it meets, and comes again under a new name.

Run as `python -m soak.guests DIRECTORY SEED UNTIL`.  They use our own clients, choose at random, and take a moment to
think.  One match in ten is left in mid-play without a word.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import msgspec
import uvloop

from boardwire.clients.connection import ClientConnection
from boardwire.clients.upgrade import upgraded
from boardwire.dialects import dialect as dialect_called
from boardwire.dialects.dialect import Ask, Dialect, Over, Result, Seating, Tidings
from soak.audit import NAMELESS, deed, guest_name
from soak.house import Place, place
from soak.told import Book, Fault, Played, Wait

GUESTS = {
    "tris-lines": 6,
    "native": 6,
    "santorini-objects": 4,
    "santorini-objects/shipped": 2,
    "santorini-actions": 4,
    "santorini-actions/shipped": 2,
    "santorini-lobby": 4,
    "eriantys-messages": 4,
    "eriantys-objects": 4,
}
"""How many of each dialect there are at any time."""

THINK = (0.02, 0.12)
RUDE = 0.1
STUCK = 40.0
"""Seconds in which nothing at all happens in a match under way."""
LONELY = 15.0
"""Seconds to wait for somebody to play with."""


class Guest:
    """One player in one match."""

    def __init__(self, dialect: str, game: str, name: str, luck: Random) -> None:
        self.record = Played(dialect, game, name, monotonic(), 0.0, "never")
        self._luck = luck
        self._loop = asyncio.get_running_loop()
        self._thinking: asyncio.TimerHandle | None = None
        self._leaves_after = luck.randrange(1, 20) if luck.random() < RUDE else 0
        self._sent = self._heard = 0
        self._cells: tuple[Any, ...] = ()
        self.last = monotonic()

    def hear(self, connection: ClientConnection, tidings: Tidings) -> None:
        """See `boardwire.clients.connection.Player`."""
        self.last = monotonic()
        record = self.record
        if record.dialect == NAMELESS:
            self._look(getattr(tidings, "view", None))
        match tidings:
            case Ask(decision=decision, again=again):
                if record.result == "never":
                    record.result = "cut"
                    if record.moves is not None:
                        record.seat = tidings.view.turn
                if again:
                    record.again += 1
                else:
                    record.sure = self._heard
                if self._thinking is not None:
                    self._thinking.cancel()
                choice = self._luck.choice(list(decision.choices))
                pause = self._luck.uniform(*THINK) if not again else 0.3
                self._thinking = self._loop.call_later(pause, self._answer, connection, choice)
            case Over(text=text, result=result):
                record.words = text
                if result is not Result.BROKEN_OFF:
                    record.sure = len(record.answers)
                    record.result = str(result)
                elif record.result != "never":
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
        if done := deed(choice):
            record.answers.append(done)
        connection.answer(choice)

    def _look(self, view: Any) -> None:
        """In tris-lines a match is known by its moves: those that are new on the board, in the order of turns."""
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

    # --- told by the wire -------------------------------------------------------------------------------------------

    def sent(self) -> None:
        self._sent = len(self.record.answers)

    def answered(self, wait: Wait) -> None:
        self._heard = self._sent
        self.record.waits.append(wait)

    def close(self) -> Played:
        if self._thinking is not None:
            self._thinking.cancel()
        self.record.ended = monotonic()
        return self.record


class Wire(ClientConnection):
    """A client's connection that knows when an answer went out and when the next word came."""

    def __init__(self, dialect: Dialect, seating: Seating, guest: Guest) -> None:
        super().__init__(dialect, seating, guest)
        self._guest = guest
        self._answering = False
        self._since = 0.0

    def answer(self, action: Any) -> None:
        self._answering = True
        try:
            super().answer(action)
        finally:
            self._answering = False

    def write(self, data: bytes) -> None:
        super().write(data)
        if self._answering:
            self._since = monotonic()
            self._guest.sent()

    def data_received(self, data: bytes) -> None:
        now = monotonic()
        self._guest.last = now
        if self._since:
            self._guest.answered((now, now - self._since))
            self._since = 0.0
        super().data_received(data)


class Circle:
    """All guests of one process."""

    def __init__(self, where: Place, book: Book, seed: int, until: float) -> None:
        self._where = where
        self._book = book
        self._seed = seed
        self._until = until
        self._numbers = count(1)

    async def all(self, crowd: dict[str, int]) -> None:
        async with asyncio.TaskGroup() as group:
            for dialect, number, address in _each(crowd):
                group.create_task(self._come_and_go(dialect, address, Random(f"{self._seed} {dialect} {number}")))

    async def _come_and_go(self, dialect: str, address: str, luck: Random) -> None:
        while monotonic() < self._until:
            try:
                await self._play(dialect, address, luck)
            except OSError:
                await asyncio.sleep(0.05 + luck.random() / 10)  # the server is down just now

    async def _play(self, name: str, address: str, luck: Random) -> None:
        dialect = dialect_called(name)
        port = self._where.ports[name]
        game = dialect.game or luck.choice(("tris", "santorini", "eriantys"))
        if not dialect.game:
            dialect = upgraded(dialect, "127.0.0.1", port)
        who = guest_name(next(self._numbers))
        guest = Guest(name, game, who, luck)
        seating = Seating(who, 2, {"game": game})
        _, wire = await asyncio.get_running_loop().create_connection(
            lambda: Wire(dialect, seating, guest), "127.0.0.1", port, local_addr=self._where.local(address)
        )
        await self._watch_over(guest, wire)
        self._book.write(guest.close())

    async def _watch_over(self, guest: Guest, wire: Wire) -> None:
        while not wire.finished.done():
            await asyncio.wait([wire.finished], timeout=1.0)
            silent = monotonic() - guest.last
            if guest.record.result == "never":
                if silent > LONELY or monotonic() > self._until:
                    wire.hang_up()
            elif silent > STUCK:
                guest.record.result = "stuck"
                wire.hang_up()
        fault = wire.finished.exception()
        if fault is not None:
            self._book.write(Fault(f"the client of {guest.record.dialect}", repr(fault)))


def _each(crowd: dict[str, int]) -> Iterator[tuple[str, int, str]]:
    """Every guest: dialect, number, and an address of its own."""
    numbers = count(1)
    for dialect, size in crowd.items():
        for number in range(size):
            yield dialect, number, f"127.1.0.{next(numbers)}"


def main() -> None:
    """See the module."""
    directory, seed, until = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    circle = Circle(place(directory), Book(directory / "guests.told"), seed, until)
    crowd = msgspec.json.decode(sys.argv[4], type=dict[str, int]) if len(sys.argv) > 4 else GUESTS
    with contextlib.suppress(KeyboardInterrupt):
        uvloop.run(circle.all(crowd))


if __name__ == "__main__":
    main()
