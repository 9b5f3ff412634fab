"""`boardwire proxy` at a terminal: each message as it passes, and what is wrong with it."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any, Final

import msgspec

from boardwire.conformance.finding import Finding, Kind, Side
from boardwire.conformance.language import say
from boardwire.conformance.monitor import Closed, Opened, Record, Said
from boardwire.errors import Refused, Unavailable
from boardwire.proxy import replay
from boardwire.proxy.faults import Faults
from boardwire.proxy.inspector import Inspector
from boardwire.proxy.proxy import Lookout, Proxy
from boardwire.proxy.transcript import Recorder, Transcript
from boardwire.terminal.colours import for_terminal
from boardwire.wire.text import escaped

WIDTH: Final = 100
"""Characters of a message that a line shows; the transcript has all of them."""

WAITING: Final = 50_000
"""Lines that wait to be printed."""

WAITING_BYTES: Final = 32 * 1024 * 1024
"""Characters of those lines; one of `--json` has all bytes of its message."""

LINGER: Final = 2.0
"""Seconds for what still waits when the proxy ends."""

SLOW: Final = 1.0
"""Seconds after which it is told how long an answer took."""


class Outlet:
    """Prints lines from a thread of its own, so that a terminal that is held, or a full pipe, delays no byte that
    passes.  What cannot be printed in time is counted, and told."""

    def __init__(self) -> None:
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._missed = 0
        self._taken = self._printed = 0
        """Characters so far; each is counted by one thread, and their difference waits."""
        self._thread = Thread(target=self._print, daemon=True)
        self._thread.start()

    def say(self, line: str) -> None:
        """Print a line, when its turn comes."""
        if self._lines.qsize() > WAITING or self._taken - self._printed > WAITING_BYTES:
            self._missed += 1
            return
        if self._missed:
            self._lines.put(f"({self._missed} lines were not printed in time)")
            self._missed = 0
        self._taken += len(line)
        self._lines.put(line)

    def close(self) -> None:
        """Print what waits, for a moment."""
        self._lines.put(None)
        self._thread.join(LINGER)

    def _print(self) -> None:
        with suppress(OSError):
            while (line := self._lines.get()) is not None:
                print(line, flush=self._lines.empty())
                self._printed += len(line)


class Printer:
    """Prints records, for people or as JSON.

    A finding that repeats is printed once; `finish` prints how often it was found.  `findings` counts those of each
    side, without repetitions.
    """

    def __init__(self, *, json: bool, quiet: bool = False, say: Callable[[str], None] = print) -> None:
        self._say = say
        self._json = json
        self._quiet = quiet
        self._paint = for_terminal()
        self.findings = dict.fromkeys(Side, 0)
        self._repeated: dict[Kind, Finding] = {}
        self.messages = 0
        self.connections = 0

    def __call__(self, record: Record) -> None:
        """One record more."""
        self.messages += isinstance(record, Said)
        self.connections += isinstance(record, Opened)
        if isinstance(record, Finding):
            if record.count > 1:
                self._repeated[record.kind] = record
                return
            self.findings[record.side] += 1
        if self._json:
            self._say(msgspec.json.encode(record.fields()).decode())
        elif not self._quiet or isinstance(record, Finding):
            self._say(self.line(record))

    def line(self, record: Record) -> str:
        """A record for people."""
        paint = self._paint
        head = f"{record.at:9.3f}  {record.connection:>3}"
        match record:
            case Finding(detail=detail):
                return paint(f"{head} ! {breach(record)}", "red") + f"\n{'':>17}{escaped(detail)}"
            case Said(side=side, text=text, section=section, took=took, unread=unread):
                shown = escaped(text if len(text) <= WIDTH else f"{text[:WIDTH]} ...")
                late = f"  {say('(after {:.1f} s)', took)}" if took >= SLOW else ""
                number = section.rpartition(", ")[2]
                where = f"  [{number}]" if number else f"  ({escaped(unread)})"
                return f"{head} {'<' if side is Side.SERVER else '>'} {shown}{late}{paint(where, 'dim')}"
            case Closed(side=side, reset=reset):
                form = "the {} resets the connection" if reset else "the {} closes the connection"
                return f"{head} . {say(form, side)}"
            case Opened(peer=peer):
                return f"{head} + {say('{} connects', escaped(peer))}"

    def finish(self) -> None:
        """Print how often each finding was found that has repeated."""
        for finding in self._repeated.values():
            if self._json:
                fields = {**finding.fields(), "event": "repeated"}
                self._say(msgspec.json.encode(fields).decode())
            else:
                self._say(say("{} times: {}", finding.count, breach(finding)))

    def sum(self) -> str:
        """How much there was, and how much was wrong."""
        client, server = self.findings[Side.CLIENT], self.findings[Side.SERVER]
        form = "{} connections, {} messages; findings: {} of the client's, {} of the server's"
        return say(form, self.connections, self.messages, client, server)


def breach(finding: Finding) -> str:
    """Who breaks which rule, without the detail."""
    form = "the {} breaks {} (ruling): {}" if finding.ruling else "the {} breaks {}: {}"
    return say(form, finding.side, finding.section, finding.rule)


class Recording:
    """A transcript, written as records come.  Where it cannot be written any more, a full disk for instance, that
    is said once, and everything else goes on."""

    def __init__(self, file: IO[str], path: Path, dialect: str) -> None:
        self._path = path
        self._recorder: Recorder | None = Recorder(file, dialect)

    def __call__(self, record: Record) -> None:
        """One record more."""
        if self._recorder is None:
            return
        try:
            self._recorder.write(record)
        except OSError as error:
            self._recorder = None
            _complain(f"cannot write {self._path} any more: {error.strerror}; what passes from now on is not recorded")


def run(
    dialect: str,
    listen: tuple[str, int],
    connect: tuple[str, int],
    *,
    record: Path | None,
    json: bool,
    quiet: bool,
    wait: float,
    think: float,
    faults: Faults | None,
    seed: int,
    http: tuple[str, int] | None = None,
    rulings: bool = False,
    told: Callable[[Record], None] | None = None,
) -> None:
    """Run a proxy until SIGTERM or Ctrl-C; `told` hears every record too."""
    outlet = Outlet()
    printer = Printer(json=json, quiet=quiet, say=outlet.say)
    tells: list[Callable[[Record], None]] = [printer, *([] if told is None else [told])]
    file: Any = None
    if record is not None:
        try:
            file = record.open("w", encoding="utf-8")
        except OSError as error:
            raise Unavailable(f"cannot write {record}: {error.strerror}") from None
        tells.append(Recording(file, record, dialect))
    inspector = None
    if http is not None:
        inspector = Inspector(dialect, anywhere=http[0] not in ("127.0.0.1", "localhost", "::1"))
        tells.append(inspector)
    try:
        watch = partial(Lookout, patience=wait, think=think, rulings=rulings)
        asyncio.run(_run(dialect, listen, connect, tells, Announcer(json=json), watch, faults, seed, inspector, http))
        printer.finish()
    finally:
        outlet.close()
        if file is not None:
            with suppress(OSError):  # it was said when it could not be written
                file.close()
    if not json:
        print(printer.sum(), flush=True)


async def _run(
    dialect: str,
    listen: tuple[str, int],
    connect: tuple[str, int],
    tells: list[Callable[[Record], None]],
    say: Announcer,
    watch: Callable[[Callable[[Record], None], Callable[[str], None]], Lookout],
    faults: Faults | None,
    seed: int,
    inspector: Inspector | None,
    http: tuple[str, int] | None,
) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)

    def tell(record: Record) -> None:
        for one in tells:
            one(record)

    lookout = watch(tell, _complain)
    proxy = Proxy(dialect, *connect, lookout, _complain, faults, seed)
    host, port = await proxy.listen(*listen)
    say.listening(dialect, f"{host}:{port}")
    if inspector is not None and http is not None:
        say.listening("http", await inspector.listen(*http))
    say.ready()
    await stop.wait()
    if inspector is not None:
        inspector.close()
    await proxy.stop()


class Announcer:
    """Says where something listens, as `boardwire serve` does, or as JSON."""

    def __init__(self, *, json: bool) -> None:
        self._json = json

    def listening(self, what: str, where: str) -> None:
        """A port is open."""
        self._say(f"listening {what} {where}", {"event": "listening", "dialect": what, "address": where})

    def ready(self) -> None:
        """All of them are."""
        self._say("ready", {"event": "ready"})

    def _say(self, plain: str, fields: dict[str, str]) -> None:
        print(msgspec.json.encode(fields).decode() if self._json else plain, flush=True)


async def shrink(
    transcript: Transcript, connect: tuple[str, int] | None, wait: float, *, rulings: bool = False
) -> list[str]:
    """Return the lines of the shortest transcript that still has the first finding.

    On a server, `Refused` if the conversation does not get as far as the finding: an opponent who was not recorded does
    not come again.
    """
    recorded = replay.judge(transcript, rulings=rulings)

    async def attempt(one: Transcript) -> list[Record]:
        if connect is None:
            return replay.judge(one, rulings=rulings)
        found: list[Record] = []
        unsaid = await replay.play_clients(one, *connect, found.append, wait, rulings=rulings, strict=True)
        if unsaid is not None and one is transcript and not replay.findings(found):
            raise Refused(
                f"the server has not said what the transcript has before line {unsaid.line} "
                f"({escaped(unsaid.text[:WIDTH])}), so the finding does not come again; if a player of the match was "
                "not recorded, record all of them, or shrink without --connect"
            )
        return found

    return list(replay.written(await replay.shrink(transcript, attempt, recorded if connect else ())))


def _complain(text: str) -> None:
    print(f"boardwire: {escaped(text)}", file=sys.stderr, flush=True)
