"""Send mutated conversations of every dialect, at a bounded rate.

Run as `python -m soak.fuzz DIRECTORY SEED UNTIL`. A session is the beginning of a recorded conversation, followed by
mutated messages. It is first played against a server in this process and ends where that server would disconnect, so
that only messages that a server processes are counted. An exception there is a finding.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final

import msgspec
import uvloop

from boardwire.dialects import dialect as dialect_called
from boardwire.net.client_upgrade import with_upgrade
from boardwire.simulation.server import SimulatedConnection, SimulatedServer
from soak.ports import Place, place
from soak.recordings import MUTATORS, recordings
from soak.records import Book, Fault, Fuzzed

MESSAGES_PER_SECOND: Final = 360.0
"""Messages per second and dialect: more than a million in an hour, even with the server down at times."""
SLOWER_MESSAGES_PER_SECOND: Final = {"http": 10.0}
CATCH_UP_SECONDS: Final = 10.0
"""Longest backlog of messages that is sent later."""
MAX_SESSIONS: Final = 40
"""Concurrent sessions."""
HOLD_SECONDS: Final = 0.2
"""Time for which a connection stays open after its last message, so that the server reads all of it."""
SESSION_SECONDS: Final = 5.0
"""Timeout of a session."""
REPORT_SECONDS: Final = 2.0
SESSIONS_PER_SERVER: Final = 40
"""Sessions after which the server in this process is replaced."""
CLIENT_ADDRESSES: Final = 200
"""Client addresses."""


class Session(msgspec.Struct, frozen=True):
    """Bytes to send over one connection, and the number of mutated messages among them."""

    chunks: list[bytes]
    messages: int


class SessionGenerator:
    """Generator of sessions of one dialect."""

    def __init__(self, dialect: str, seed: int) -> None:
        self._dialect = dialect
        self._luck = Random(f"{seed} fuzz {dialect}")
        self._recorded = recordings(dialect)
        self._mutate, self._break = MUTATORS[dialect]
        self._greeted = dialect != "http" and bool(dialect_called(dialect).greeting)
        """Whether the conversation starts with a greeting, which is not a message."""
        self._server = SimulatedServer(seed=seed)
        self._made = 0
        self.faults: list[str] = []

    def make(self) -> Session:
        """Return the next session."""
        luck = self._luck
        recorded = luck.choice(self._recorded)
        if self._dialect == "http":
            return Session([self._mutate(luck, recorded[0])], 1)
        if self._made % SESSIONS_PER_SERVER == 0:
            self._server = SimulatedServer(seed=self._made)
        self._made += 1
        comparable_match = min(len(recorded), luck.choice((0, 1, 1, 2, 3, 5, 12)) + self._greeted)
        sources = recorded[self._greeted :]
        peer = self._server.connect(self._dialect)
        chunks: list[bytes] = []
        messages = 0
        try:
            for message in recorded[:comparable_match]:
                chunks.append(message)
                peer.send(message)
            wanted = luck.randrange(10, 60)
            for number in range(wanted):
                if peer.closed:
                    break
                source = (
                    sources[(comparable_match + number) % len(sources)] if luck.random() < 0.7 else luck.choice(sources)
                )
                message = self._break(luck, source) if number == wanted - 1 else self._mutate(luck, source)
                chunks.append(message)
                messages += 1
                peer.send(message)
                if _has_failed(peer):
                    break
        except Exception as error:  # noqa: BLE001 - any exception is a finding
            self.faults.append(f"{type(error).__name__}: {error} after {chunks[-3:]!r}"[:1500])
        peer.take()
        with contextlib.suppress(Exception):
            peer.drop()
        return Session(chunks, messages)


def _has_failed(peer: SimulatedConnection) -> bool:
    """Return whether the peer's decoder has failed."""
    return peer._decoder.fault is not None


class Fuzzer:
    """All sessions of this process."""

    def __init__(self, where: Place, book: Book, seed: int, until: float) -> None:
        self._where = where
        self._book = book
        self._until = until
        self._luck = Random(f"{seed} fuzz")
        self._generators = {dialect: SessionGenerator(dialect, seed) for dialect in MUTATORS}
        self._counts = {dialect: Fuzzed(dialect) for dialect in MUTATORS}
        self._sent = dict.fromkeys(MUTATORS, 0.0)
        self._free = asyncio.Semaphore(MAX_SESSIONS)

    async def run(self) -> None:
        """Send sessions; the dialect that is furthest behind its rate comes next."""
        reported = last = monotonic()
        async with asyncio.TaskGroup() as group:
            while (now := monotonic()) < self._until:
                for dialect in self._sent:
                    rate = SLOWER_MESSAGES_PER_SECOND.get(dialect, MESSAGES_PER_SECOND)
                    self._sent[dialect] = max(self._sent[dialect] - rate * (now - last), -CATCH_UP_SECONDS * rate)
                last = now
                dialect = min(
                    self._sent,
                    key=lambda name: self._sent[name] / SLOWER_MESSAGES_PER_SECOND.get(name, MESSAGES_PER_SECOND),
                )
                if self._sent[dialect] > 0:
                    await asyncio.sleep(0.005)
                    continue
                await self._free.acquire()
                session = self._generators[dialect].make()
                self._sent[dialect] += session.messages
                group.create_task(self._hold(dialect, session))
                await asyncio.sleep(0)
                if now - reported > REPORT_SECONDS:
                    reported = now
                    self._report()
        self._report()

    async def _hold(self, dialect: str, session: Session) -> None:
        count = self._counts[dialect]
        try:
            async with asyncio.timeout(SESSION_SECONDS):
                await self._converse(dialect, session, count)
        except (OSError, TimeoutError):
            count.unreachable += 1
        finally:
            self._free.release()

    async def _converse(self, dialect: str, session: Session, count: Fuzzed) -> None:
        """Send a fuzzed session in two pieces from a random address, and count what the server does."""
        port = self._where.ports["native" if dialect == "http" else dialect]
        address = f"127.2.0.{self._luck.randrange(1, CLIENT_ADDRESSES)}"
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=self._where.local(address))
        try:
            if dialect == "native":
                writer.write(with_upgrade(dialect_called("native"), "127.0.0.1", port).greeting)
            half = self._luck.randrange(len(session.chunks) + 1)
            writer.write(b"".join(session.chunks[:half]))
            await asyncio.sleep(0.01)
            if not writer.is_closing():
                writer.write(b"".join(session.chunks[half:]))
            ended, heard = await _listen(reader, HOLD_SECONDS)
            count.sessions += 1
            count.messages += session.messages
            count.refused += heard > 0
            count.dropped += ended
        finally:
            if self._luck.random() < 0.3:
                writer.transport.abort()
            else:
                writer.close()

    def _report(self) -> None:
        for dialect, count in self._counts.items():
            self._book.write(count)
            self._counts[dialect] = Fuzzed(dialect)
            for fault in self._generators[dialect].faults:
                self._book.write(Fault(f"{dialect}, fuzzed in process", fault))
            self._generators[dialect].faults.clear()


async def _listen(reader: asyncio.StreamReader, seconds: float) -> tuple[bool, int]:
    """Read for some seconds; return whether the connection ended, and the number of bytes."""
    heard = 0
    try:
        async with asyncio.timeout(seconds):
            while data := await reader.read(65536):
                heard += len(data)
            return True, heard
    except TimeoutError:
        return False, heard
    except OSError:
        return True, heard


def main() -> None:
    """Run this process."""
    directory, seed, until = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])

    async def run() -> None:
        await Fuzzer(place(directory), Book(directory / "fuzz.told"), seed, until).run()

    with contextlib.suppress(KeyboardInterrupt):
        uvloop.run(run())


if __name__ == "__main__":
    main()
