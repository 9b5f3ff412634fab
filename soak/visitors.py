"""Native players who return after a kill, matches against bots, and spectators.

Run as `python -m soak.visitors DIRECTORY SEED UNTIL TIMES SLOWER`. Tables are private; their matches continue over
every restart of the server until they end on the board. All clients record each step that they receive.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections import deque
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final

import msgspec
import uvloop

from boardwire import games
from boardwire.dialects import dialect as dialect_called
from boardwire.errors import Malformed
from boardwire.net.client_upgrade import with_upgrade
from boardwire.wire.websocket import Ping, encode_pong, encode_text
from soak.audit import OFF_THE_BOARD, comparable_action, visitor_name
from soak.pace import Pace, collect_young_objects_only
from soak.ports import Place, place
from soak.records import Book, Count, Played, Saw
from soak.run_queue import RunQueue, net_seconds

TABLES: Final = 5
AGAINST_BOTS: Final = 3
SPECTATORS: Final = 6
THINK_SECONDS: Final = (0.03, 0.2)
STUCK_SECONDS: Final = 30.0
"""Seconds without progress after which a match counts as stuck, if its players are connected or reconnecting."""
ANSWER_SECONDS: Final = 20.0
BANK_SECONDS: Final = 900.0
"""Seconds of thinking time: more than any match takes, and less than a clock jump."""
LISTED_CONNECTIONS: Final = 6
"""Last connections listed in the record of a player who gives up."""
MASK: Final = b"soak"
NUMBERS_PER_PROCESS: Final = 100_000
"""Names of players are unique over all starts of this program in a run: the audit finds a player by its name."""
GAMES: Final = ("tris", *games.NAMES)  # the fastest game twice


class Gone(Exception):
    """The connection ended, which is not an error."""


class Visit:
    """A native connection, with messages as plain JSON data."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, decoder: Any, node: int) -> None:
        self.node = node
        self._reader = reader
        self._writer = writer
        self._decoder = decoder
        self._replies: list[Any] = []
        self.received_at = 0.0

    @classmethod
    async def open(cls, where: Place, address: str, luck: Random) -> Visit:
        node = luck.randrange(where.nodes)
        port = where.port("native", node)
        dialect = with_upgrade(dialect_called("native"), "127.0.0.1", port)
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=where.local(address))
        except OSError as error:
            raise Gone(f"cannot connect to node {node}: {error}") from None
        writer.write(dialect.greeting)
        assert dialect.replies is not None
        return cls(reader, writer, dialect.replies(), node)

    def send(self, kind: str, **fields: Any) -> None:
        if self._writer.is_closing():
            raise Gone(f"node {self.node} is closing the connection")
        self._writer.write(encode_text(msgspec.json.encode({"type": kind, **fields}), MASK))

    async def receive_reply(self) -> Any:
        """Return the next reply."""
        while not self._replies:
            try:
                async with asyncio.timeout(STUCK_SECONDS):
                    data = await self._reader.read(65536)
            except OSError as error:
                raise Gone(f"node {self.node}: {str(error) or 'no answer'}") from None
            if not data:
                raise Gone(f"node {self.node} has closed the connection")
            self.received_at = monotonic()
            try:
                frames = self._decoder.feed(data)
            except Malformed as refused:  # a full server answers the upgrade with 429 or 503
                raise Gone(f"node {self.node}: {refused}") from None
            for frame in frames:
                if isinstance(frame, str):
                    self._replies.append(msgspec.json.decode(frame))
                elif isinstance(frame, Ping) and not self._writer.is_closing():
                    self._writer.write(encode_pong(frame.payload, MASK))
        return self._replies.pop(0)

    async def ask(self, kind: str, *wanted: str, **fields: Any) -> Any:
        """Send a request and return the first reply of a wanted type."""
        self.send(kind, **fields)
        async with asyncio.timeout(ANSWER_SECONDS):
            while True:
                reply = await self.receive_reply()
                if reply["type"] in wanted:
                    return reply

    def close(self) -> None:
        self._writer.close()


class Sitting:
    """A player's seat at a table, over all its connections."""

    def __init__(self, circle: Circle, address: str, name: str, luck: Random) -> None:
        self._circle = circle
        self._address = address
        self._luck = luck
        self._visit: Visit | None = None
        self._sent = self._queued = 0.0
        self._thinking: asyncio.TimerHandle | None = None
        self._last = monotonic()
        """Time of the match's last progress."""
        self.token = ""
        self.match = ""
        self.code = ""
        self.record = Played("native tables", "", name, monotonic(), 0.0, "cut", firm=True, timed=True)
        self._steps: list[tuple[int, str, float, int | None]] = []
        self._seated = True
        self._tries: deque[str] = deque(maxlen=LISTED_CONNECTIONS)

    async def sit(self, **request: Any) -> None:
        """Open or join a table."""
        self._visit = visit = await Visit.open(self._circle.where, self._address, self._luck)
        self.token = (await visit.ask("hello", "welcome", name=self.record.name))["token"]
        kind = "join" if "match" in request else "open"
        reply = await visit.ask(kind, "seated", "refused", **request)
        if reply["type"] == "refused":
            raise Gone(reply["reason"])
        self.match, self.code = reply["state"]["match"], reply.get("code", "")
        self.record.game, self.record.seat, self.record.match = reply["state"]["game"], reply["seat"], self.match

    async def play(self) -> None:
        """Play to the end, over as many connections as needed."""
        while self.record.result == "cut":
            try:
                if self._visit is None:
                    await self._reconnect()
                await self._follow()
            except Gone as gone:
                self._note(str(gone))
                self._close_visit()
                if self._is_stuck(2 * STUCK_SECONDS) and self.record.result == "cut":
                    self._give_up()
                await asyncio.sleep(0.1)
            except TimeoutError:
                self._note("no answer")
                if self._visit is None or self._circle.where.nodes == 1 or self._is_stuck(2 * STUCK_SECONDS):
                    self._give_up()
                else:  # the node may be halted: try another one
                    self.record.unanswered.append((self._visit.node, monotonic() - ANSWER_SECONDS))
                    self._close_visit()
        self._close_visit()
        self.record.ended = monotonic()

    def _is_stuck(self, seconds: float) -> bool:
        """Return whether the match made no progress for `seconds`.

        In a cluster, a node is killed every few seconds, possibly the same player's each time, so only the time after
        the last kill counts.
        """
        since = self._last if self._circle.where.nodes == 1 else max(self._last, self._circle.until)
        return monotonic() - since > seconds

    def _note(self, why: str) -> None:
        """Record why a connection failed, and the time since the last step."""
        node = (
            "" if self._visit is None else f" (node {self._visit.node}, {'seated' if self._seated else 'not seated'})"
        )
        self._tries.append(f"after {monotonic() - self._last:.0f} s {why}{node}")

    def _give_up(self) -> None:
        """Give up a stuck match; record the last connections."""
        self.record.result, self.record.words = "stuck", "; ".join(self._tries)

    async def _reconnect(self) -> None:
        """Open a connection, resume the seat and continue; if the match is over, record its result."""
        self._seated = False
        self._visit = visit = await Visit.open(self._circle.where, self._address, self._luck)
        await visit.ask("hello", "welcome", name=self.record.name, token=self.token)
        reply = await visit.ask("resume", "seated", "refused", match=self.match, seat=self.record.seat)
        if reply["type"] == "refused":
            watched = await visit.ask("watch", "watching", "refused", match=self.match, code=self.code)
            self._note_state(watched.get("state", {}))
            if self.record.result == "cut":
                self.record.words = reply["reason"]
                if self._is_stuck(STUCK_SECONDS):
                    self.record.result = "away"
                raise Gone(f"refused: {reply['reason']}")  # possibly only because the disk is full
            return
        self._seated = True
        self._note_state(reply["state"])
        self._think(reply["state"])

    async def _follow(self) -> None:
        """Handle replies until the match is over, with the wait for each own action."""
        assert self._visit is not None
        while self.record.result == "cut":
            reply = await self._visit.receive_reply()
            if reply["type"] == "step":
                self._last = monotonic()
                state = reply["state"]
                first = state["seq"] - len(reply["events"]) + 1
                for number, event in enumerate(reply["events"], first):
                    self._steps.append((number, event["event"], event["at"], event.get("seat")))
                    if self._sent and event["event"] == "acted" and event.get("seat") == self.record.seat:
                        when, took = self._visit.received_at, self._visit.received_at - self._sent
                        self.record.waits.append((when, took))
                        net_took = net_seconds(took, self._queued, self._circle.run_queue.waited_seconds())
                        self.record.net_waits.append((when, net_took))
                        self._sent = 0.0
                        self.record.sure = len(self.record.answers)
                self._note_state(state)
                self._think(state)
            elif reply["type"] == "refused":
                self.record.again += 1
                self._sent = 0.0
                if reply["code"] != "stale":  # a state follows `stale`
                    await asyncio.sleep(0.3)
                    self._visit.send("sync")
            elif reply["type"] == "state":
                self._note_state(reply["state"])
                self._think(reply["state"])
            elif reply["type"] == "gone":
                raise Gone(f"node {self._visit.node} sent `gone`")

    def _note_state(self, state: dict[str, Any]) -> None:
        outcome = state.get("outcome")
        if outcome is None:
            return
        winners = outcome.get("winners", [])
        self.record.words = outcome["termination"]
        if outcome["termination"] in OFF_THE_BOARD:
            self.record.result = "broken off"
        else:
            self.record.result = "drawn" if not winners else "won" if self.record.seat in winners else "lost"

    def _think(self, state: dict[str, Any]) -> None:
        """Schedule an action if it is this player's turn."""
        asked = state.get("asked")
        if asked is None or not asked.get("choices") or self.record.seat not in asked["seats"]:
            return
        if self._sent:
            return  # an action is pending
        if self._thinking is not None:
            self._thinking.cancel()
        choice, pause = self._luck.choice(asked["choices"]), self._circle.pace.pause(self._luck, THINK_SECONDS)
        self._thinking = asyncio.get_running_loop().call_later(pause, self._act, self._visit, state["seq"], choice)

    def _act(self, visit: Visit | None, seq: int, choice: Any) -> None:
        if visit is None or visit is not self._visit or self.record.result != "cut":
            return
        if done := comparable_action(choice):
            self.record.answers.append(done)
        self._queued = self._circle.run_queue.waited_seconds()
        self._sent = monotonic()
        with contextlib.suppress(Gone):
            visit.send("act", seq=seq, action=choice)

    def _close_visit(self) -> None:
        """Record the steps of a connection that has ended."""
        if self._visit is not None:
            self._visit.close()
        self._visit = None
        self.record.again += self._sent > 0.0  # unknown whether it was stored; it will be repeated
        self._sent = 0.0
        if self._steps:
            self._circle.book.write(Saw(self.match, self._steps, self.record.name))
            self._steps = []


class Circle:
    """All clients of this process."""

    def __init__(
        self,
        where: Place,
        book: Book,
        seed: int,
        until: float,
        run_queue: RunQueue,
        times: int = 1,
        slower: float = 1.0,
    ) -> None:
        self.where = where
        self.run_queue = run_queue
        self.book = book
        self._seed = seed
        self.until = until
        self._times = times
        self.pace = Pace(slower, until)
        self._numbers = count(NUMBERS_PER_PROCESS * os.getpid())

    async def run_all(self) -> None:
        """Run all clients until the time is up."""
        async with asyncio.TaskGroup() as group:
            for number in range(TABLES * self._times):
                group.create_task(self._repeat(self._play_at_table, f"127.1.1.{number % 254 + 1}", f"table {number}"))
            for number in range(AGAINST_BOTS * self._times):
                group.create_task(self._repeat(self._play_bot, f"127.1.2.{number % 254 + 1}", f"bots {number}"))
            for number in range(SPECTATORS * self._times):
                group.create_task(self._repeat(self._watch, f"127.1.3.{number % 254 + 1}", f"watch {number}"))

    async def _repeat(self, do: Any, address: str, what: str) -> None:
        luck = Random(f"{self._seed} {what}")
        while monotonic() < self.until:
            try:
                await do(address, luck)
            except (Gone, TimeoutError, OSError):
                await asyncio.sleep(0.1)

    def _sitting(self, address: str, luck: Random) -> Sitting:
        return Sitting(self, address, visitor_name(next(self._numbers)), luck)

    async def _play_at_table(self, address: str, luck: Random) -> None:
        """Play a match of two returning players at a private table."""
        host, guest = self._sitting(address, luck), self._sitting(address, luck)
        await host.sit(
            game=luck.choice(GAMES), private=True, bank=BANK_SECONDS if luck.random() < 0.5 else 0.0, grace=600
        )
        await guest.sit(match=host.match, code=host.code)
        await asyncio.gather(host.play(), guest.play())
        for sitting in (host, guest):
            self.book.write(sitting.record)

    async def _play_bot(self, address: str, luck: Random) -> None:
        """Play a match against a bot."""
        sitting = self._sitting(address, luck)
        bot = luck.choice(("random", "greedy"))
        await sitting.sit(game=luck.choice(GAMES), private=True, bots=["", bot], grace=600)
        await sitting.play()
        sitting.record.dialect = "native, against bots"
        self.book.write(sitting.record)

    async def _watch(self, address: str, luck: Random) -> None:
        """Watch a match to its end, or for a while."""
        visit = await Visit.open(self.where, address, luck)
        steps: list[tuple[int, str, float, int | None]] = []
        match = ""
        try:
            await visit.ask("hello", "welcome", name="w")
            tables = [
                table
                for table in (await visit.ask("list", "tables", "refused")).get("tables", ())
                if table["status"] == "playing"
            ]
            if not tables:
                await asyncio.sleep(0.3)
                return
            match = luck.choice(tables)["match"]
            if (await visit.ask("watch", "watching", "refused", match=match))["type"] == "refused":
                return
            self.book.write(Count("matches watched"))
            end = monotonic() + luck.uniform(2.0, 15.0)
            while monotonic() < end:
                reply = await asyncio.wait_for(visit.receive_reply(), max(0.1, end - monotonic()))
                if reply["type"] == "step":
                    first = reply["state"]["seq"] - len(reply["events"]) + 1
                    steps += [
                        (number, event["event"], event["at"], event.get("seat"))
                        for number, event in enumerate(reply["events"], first)
                    ]
                    if reply["state"]["status"] == "over":
                        return
        finally:
            visit.close()
            if steps:
                self.book.write(Saw(match, steps))


def main() -> None:
    """Run this process."""
    collect_young_objects_only()
    directory, seed, until, times = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
    book, run_queue = Book(directory / "visitors.told"), RunQueue(directory)
    circle = Circle(place(directory), book, seed, until, run_queue, times, float(sys.argv[5]))
    with contextlib.suppress(KeyboardInterrupt):
        uvloop.run(circle.run_all())


if __name__ == "__main__":
    main()
