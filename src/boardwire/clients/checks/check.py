"""What a check is, and how checks are run.

A check passes, fails with the offending message, or is skipped because the server does not let it begin.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from enum import StrEnum
from typing import Any

import msgspec

from boardwire.games.game import Malformed
from boardwire.wire.codec import Decoder


class Failed(Exception):
    """The server did not do what the document says.  The words say what came instead."""


class Skipped(Exception):
    """The check could not begin."""


class Verdict(StrEnum):
    """How a check went."""

    PASS = "pass"
    FAIL = "fail"
    SKIP = "skip"


class Check(msgspec.Struct, frozen=True):
    """One sentence of a document, and the conversation that tries it."""

    name: str
    section: str
    run: Callable[[Probe], Awaitable[None]]


class Finding(msgspec.Struct, frozen=True):
    """What a check found."""

    name: str
    section: str
    verdict: Verdict
    detail: str = ""


class Wire:
    """One connection to the server under test."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, decoder: Decoder, wait: float
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._decoder = decoder
        self._messages: list[Any] = []
        self._wait = wait

    async def send(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._writer.write(data)
        try:
            await self._writer.drain()
        except ConnectionError as error:
            raise Failed(f"the server closed the connection ({error})") from None

    async def receive(self, what: str = "a message", wait: float | None = None) -> Any:
        """The next message; `Failed` if the connection ends or nothing comes in time."""
        try:
            return await asyncio.wait_for(self._next(), self._wait if wait is None else wait)
        except TimeoutError:
            raise Failed(f"nothing came; expected {what}") from None
        except (EOFError, ConnectionError):
            raise Failed(f"the server closed the connection; expected {what}") from None
        except Malformed as error:
            raise Failed(f"what came cannot be read ({error}); expected {what}") from None

    async def _next(self) -> Any:
        while not self._messages:
            data = await self._reader.read(65536)
            if not data:
                raise EOFError
            self._messages.extend(self._decoder.feed(data))
        return self._messages.pop(0)

    async def silent(self, wait: float = 0.3) -> None:
        """`Failed` if anything comes within a moment."""
        try:
            message = await asyncio.wait_for(self._next(), wait)
        except TimeoutError:
            return
        except (EOFError, ConnectionError):
            raise Failed("the server closed the connection; expected silence") from None
        raise Failed(f"{message!r} came; expected silence")

    async def ends(self, wait: float | None = None) -> None:
        """`Failed` unless the server closes the connection, without another word."""
        try:
            message = await asyncio.wait_for(self._next(), self._wait if wait is None else wait)
        except TimeoutError:
            raise Failed("the connection stays open; expected its end") from None
        except (EOFError, ConnectionError):
            return
        raise Failed(f"{message!r} came; expected the end of the connection")

    def close(self, *, reset: bool = False) -> None:
        """Leave, in order or with a reset."""
        if reset:
            self._writer.transport.abort()
        else:
            self._writer.close()


class Probe:
    """Connects to the server under test, and tidies up after a check."""

    def __init__(self, host: str, port: int, decoder: Callable[[], Decoder], wait: float = 3.0) -> None:
        self._host = host
        self._port = port
        self._decoder = decoder
        self._wait = wait
        self._wires: list[Wire] = []

    async def connect(self) -> Wire:
        """A new connection."""
        try:
            streams = await asyncio.wait_for(asyncio.open_connection(self._host, self._port), self._wait)
        except (OSError, TimeoutError) as error:
            raise Skipped(f"cannot connect to {self._host}:{self._port} ({error})") from None
        wire = Wire(*streams, self._decoder(), self._wait)
        self._wires.append(wire)
        return wire

    def close(self) -> None:
        """Leave all connections."""
        for wire in self._wires:
            wire.close()
        self._wires.clear()


async def run(checks: Sequence[Check], probe: Probe) -> AsyncIterator[Finding]:
    """Run checks one after the other."""
    for check in checks:
        try:
            await check.run(probe)
            yield Finding(check.name, check.section, Verdict.PASS)
        except Failed as error:
            yield Finding(check.name, check.section, Verdict.FAIL, str(error))
        except Skipped as error:
            yield Finding(check.name, check.section, Verdict.SKIP, str(error))
        finally:
            probe.close()
            await asyncio.sleep(0.05)  # the server notices that we are gone before the next check begins
