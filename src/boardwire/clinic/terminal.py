"""`boardwire proxy` at a terminal: each message as it passes, and what is wrong with it."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from boardwire.clients.paint import for_terminal
from boardwire.clinic import replaying
from boardwire.clinic.faults import Faults
from boardwire.clinic.finding import Finding, Side
from boardwire.clinic.monitor import Closed, Opened, Record, Said
from boardwire.clinic.proxy import Lookout, Proxy
from boardwire.clinic.transcript import Recorder, Transcript
from boardwire.errors import Refused

WIDTH: Final = 100
"""Characters of a message that a line shows; the transcript has all of them."""

SLOW: Final = 1.0
"""Seconds after which it is told how long an answer took."""


class Printer:
    """Prints records, for people or as JSON.  `findings` counts those of each side."""

    def __init__(self, *, json: bool, quiet: bool = False) -> None:
        self._json = json
        self._quiet = quiet
        self._paint = for_terminal()
        self.findings = dict.fromkeys(Side, 0)
        self.messages = 0
        self.connections = 0

    def __call__(self, record: Record) -> None:
        """One record more."""
        self.messages += isinstance(record, Said)
        self.connections += isinstance(record, Opened)
        if isinstance(record, Finding):
            self.findings[record.side] += 1
        if self._json:
            print(msgspec.json.encode(record.fields()).decode(), flush=True)
        elif not self._quiet or isinstance(record, Finding):
            print(self.line(record), flush=True)

    def line(self, record: Record) -> str:
        """A record for people."""
        paint = self._paint
        head = f"{record.at:9.3f}  {record.connection:>3}"
        match record:
            case Finding(side=side, section=section, rule=rule, detail=detail):
                return paint(f"{head} ! the {side} breaks {section}: {rule}", "red") + f"\n{'':>17}{detail}"
            case Said(side=side, text=text, section=section, took=took, unread=unread):
                shown = text if len(text) <= WIDTH else f"{text[:WIDTH]} ..."
                late = f"  (after {took:.1f} s)" if took >= SLOW else ""
                number = section.rpartition(", ")[2]
                where = f"  [{number}]" if number else f"  ({unread})"
                return f"{head} {'<' if side is Side.SERVER else '>'} {shown}{late}{paint(where, 'dim')}"
            case Closed(side=side, reset=reset):
                return f"{head} . the {side} {'resets' if reset else 'closes'} the connection"
            case Opened(peer=peer):
                return f"{head} + {peer} connects"

    def sum(self) -> str:
        """How much there was, and how much was wrong."""
        client, server = self.findings[Side.CLIENT], self.findings[Side.SERVER]
        return (
            f"{self.connections} connections, {self.messages} messages; "
            f"findings: {client} of the client's, {server} of the server's"
        )


def run(
    dialect: str,
    listen: tuple[str, int],
    connect: tuple[str, int],
    *,
    record: Path | None,
    json: bool,
    quiet: bool,
    wait: float,
    faults: Faults | None,
    seed: int,
) -> None:
    """Run a proxy until SIGTERM or Ctrl-C."""
    printer = Printer(json=json, quiet=quiet)
    tells: list[Callable[[Record], None]] = [printer]
    file: Any = None
    if record is not None:
        try:
            file = record.open("w", encoding="utf-8")
        except OSError as error:
            raise Refused(f"cannot write {record}: {error.strerror}") from None
        tells.append(Recorder(file, dialect).write)
    try:
        asyncio.run(_run(dialect, listen, connect, tells, announced(dialect, json=json), wait, faults, seed))
    finally:
        if file is not None:
            file.close()
    if not json:
        print(printer.sum(), flush=True)


async def _run(
    dialect: str,
    listen: tuple[str, int],
    connect: tuple[str, int],
    tells: list[Callable[[Record], None]],
    ready: Callable[[str, int], None],
    wait: float,
    faults: Faults | None,
    seed: int,
) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)

    def tell(record: Record) -> None:
        for one in tells:
            one(record)

    lookout = Lookout(tell, _complain, wait)
    proxy = Proxy(dialect, *connect, lookout, _complain, faults, seed)
    ready(*await proxy.listen(*listen))
    await stop.wait()
    await proxy.stop()


def announced(dialect: str, *, json: bool) -> Callable[[str, int], None]:
    """Prints where something listens, as `boardwire serve` does."""

    def ready(host: str, port: int) -> None:
        fields = {"event": "listening", "dialect": dialect, "address": f"{host}:{port}"}
        if json:
            print(msgspec.json.encode(fields).decode(), flush=True)
        else:
            print(f"listening {dialect} {host}:{port}\nready", flush=True)

    return ready


async def shrink(transcript: Transcript, connect: tuple[str, int] | None, wait: float) -> list[str]:
    """The lines of the shortest transcript that still has the first finding."""

    async def attempt(one: Transcript) -> list[Record]:
        if connect is None:
            return replaying.judge(one)
        found: list[Record] = []
        await replaying.play_clients(one, *connect, found.append, wait)
        return found

    return list(replaying.written(await replaying.shrink(transcript, attempt)))


def _complain(text: str) -> None:
    print(f"boardwire: {text}", file=sys.stderr, flush=True)
