"""A forger on the bus of a cluster: it records messages between nodes and publishes forged ones.

Run as `python -m soak.forger DIRECTORY SEED UNTIL`, by `cluster.py` only. It subscribes to `boardwire.>`, which
reveals the subject of every node, and publishes to all of them:

- envelopes with huge generations and numbers, without the cluster's key;
- recorded payloads, to the same node and to others;
- truncated payloads, and fragments of messages that never become complete.

The nodes must continue to work, and count the forgeries (`boardwire_bus_rejected_total`).
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections import deque
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final

import uvloop

from boardwire.cluster.transport.messages import VERSION, Envelope, encode
from boardwire.wire.nats import PING, PONG, Login, connect, publish, subscribe
from soak.ports import Place, place
from soak.records import Attacked, Book

NAME: Final = "bus forgers"
RECORDED: Final = 200
"""Number of payloads kept for replay."""
PAUSE_SECONDS: Final = 0.02
"""Pause between rounds of forgeries."""
REPORT_SECONDS: Final = 1.0
HUGE: Final = 2**62


def forgeries(luck: Random, subject: bytes, recorded: bytes) -> list[bytes]:
    """Return forged, replayed and fragmentary payloads for one node, made from a recorded one."""
    node = subject.rpartition(b".")[2].decode()
    sender = f"node{luck.randrange(4)}"
    envelope = encode(Envelope(VERSION, sender, HUGE, luck.randrange(HUGE), HUGE, []))
    changed = bytearray(recorded or b"\0")
    changed[luck.randrange(len(changed))] ^= 1 << luck.randrange(8)
    return [
        b"",
        luck.randbytes(luck.randrange(1, 64)),
        envelope,
        luck.randbytes(16) + envelope,
        bytes(changed),
        recorded,
        recorded[: luck.randrange(len(recorded) + 1)],
        luck.randbytes(16) + b"piece %b 0 1000\n" % node.encode() + luck.randbytes(1000),
        b"piece %b %d 1000\n" % (sender.encode(), luck.randrange(1000)) + luck.randbytes(100),
    ]


class Forger:
    """Listens and publishes until the end of the run; reconnects as often as needed."""

    def __init__(self, where: Place, book: Book, luck: Random, until: float) -> None:
        self._where = where
        self._book = book
        self._luck = luck
        self._until = until
        self._subjects: set[bytes] = set()
        self._recorded: deque[bytes] = deque(maxlen=RECORDED)
        self._count = Attacked(NAME)

    async def run(self) -> None:
        """Attack until the end of the run; the bus may be down at times."""
        while monotonic() < self._until:
            with contextlib.suppress(OSError, ValueError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                reader, writer = await asyncio.open_connection("127.0.0.1", self._where.bus)
                try:
                    writer.write(connect(Login("forger")) + subscribe(b"boardwire.>") + PING)
                    listening = asyncio.create_task(self._listen(reader, writer))
                    try:
                        await self._publish(writer)
                    finally:
                        listening.cancel()
                        await asyncio.gather(listening, return_exceptions=True)
                finally:
                    writer.transport.abort()
            await asyncio.sleep(0.2)
        self._report()

    def _report(self) -> None:
        self._book.write(self._count)
        self._count = Attacked(NAME)

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            line = await reader.readuntil(b"\r\n")
            if line.startswith(b"MSG "):
                words = line.split()
                payload = (await reader.readexactly(int(words[-1]) + 2))[:-2]
                self._subjects.add(words[1])
                if self._luck.random() < 0.1 or not self._recorded:  # most messages are the forger's
                    self._recorded.append(payload)
            elif line.startswith(b"PING"):
                writer.write(PONG)

    async def _publish(self, writer: asyncio.StreamWriter) -> None:
        next_report = monotonic()
        while monotonic() < self._until:
            if writer.is_closing():
                raise ConnectionError("the bus closed the connection")
            for subject in sorted(self._subjects):
                recorded = self._luck.choice(self._recorded)
                for payload in forgeries(self._luck, subject, recorded):
                    writer.write(publish(subject, payload))
                    self._count.made += 1
            async with asyncio.timeout(5.0):
                await writer.drain()
            if monotonic() >= next_report:
                self._report()
                next_report = monotonic() + REPORT_SECONDS
            await asyncio.sleep(PAUSE_SECONDS)


def main() -> None:
    """Run the forger as a process of the soak test."""
    directory, seed, until = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    forger = Forger(place(directory), Book(directory / "forger.told"), Random(f"{seed} forger"), until)
    with contextlib.suppress(KeyboardInterrupt):
        uvloop.run(forger.run())


if __name__ == "__main__":
    main()
