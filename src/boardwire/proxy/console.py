"""Terminal output of `boardwire proxy`: forwarded messages and findings."""

from __future__ import annotations

import asyncio
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
from boardwire.conformance.monitor import Closed, MessageRecord, Opened, Record
from boardwire.errors import Refused, Unavailable
from boardwire.net.signals import on_ending
from boardwire.proxy import replay
from boardwire.proxy.faults import Faults
from boardwire.proxy.inspector import Inspector
from boardwire.proxy.proxy import MonitorQueue, Proxy
from boardwire.proxy.transcript import Recorder, Transcript
from boardwire.terminal.colours import for_terminal
from boardwire.wire.text import escaped

SHOWN_CHARACTERS: Final = 100
"""Maximum length of a message on a printed line; the transcript has all of it."""

MAX_QUEUED_LINES: Final = 50_000
"""Limit of lines that wait to be printed."""

MAX_QUEUED_CHARACTERS: Final = 32 * 1024 * 1024
"""Limit of the characters of these lines; a line of `--json` has all bytes of its message."""

CLOSE_SECONDS: Final = 2.0
"""Time to print queued lines when the proxy stops."""

SLOW_ANSWER_SECONDS: Final = 1.0
"""Time above which the time of an answer is printed."""


class PrintQueue:
    """Queue of lines with a printing thread, so that a suspended terminal or full pipe does not delay forwarded bytes.

    Lines above the limits are skipped, and their number is printed.
    """

    def __init__(self) -> None:
        self._lines: SimpleQueue[str | None] = SimpleQueue()
        self._skipped = 0
        self._queued = self._printed = 0
        """Total characters, each counted by one thread; the difference is the number in the queue."""
        self._thread = Thread(target=self._print, daemon=True)
        self._thread.start()

    def say(self, line: str) -> None:
        """Queue a line for printing."""
        if self._lines.qsize() > MAX_QUEUED_LINES or self._queued - self._printed > MAX_QUEUED_CHARACTERS:
            self._skipped += 1
            return
        if self._skipped:
            self._lines.put(f"({self._skipped} lines were skipped because the output is too slow)")
            self._skipped = 0
        self._queued += len(line)
        self._lines.put(line)

    def close(self) -> None:
        """Print queued lines for at most `CLOSE_SECONDS`."""
        self._lines.put(None)
        self._thread.join(CLOSE_SECONDS)

    def _print(self) -> None:
        with suppress(OSError):
            while (line := self._lines.get()) is not None:
                print(line, flush=self._lines.empty())
                self._printed += len(line)


class Printer:
    """Printer of records, as text or JSON.

    A repeated finding is printed once; `finish` prints its count. `findings` counts the different findings of each
    side.
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
        """Print a record."""
        self.messages += isinstance(record, MessageRecord)
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
        """Return a record as text."""
        paint = self._paint
        head = f"{record.at:9.3f}  {record.connection:>3}"
        match record:
            case Finding(detail=detail):
                return paint(f"{head} ! {breach(record)}", "red") + f"\n{'':>17}{escaped(detail)}"
            case MessageRecord(side=side, text=text, section=section, took=took, unread=unread):
                shown = escaped(text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]} ...")
                delay = f"  {say('(after {:.1f} s)', took)}" if took >= SLOW_ANSWER_SECONDS else ""
                number = section.rpartition(", ")[2]
                where = f"  [{number}]" if number else f"  ({escaped(unread)})"
                return f"{head} {'<' if side is Side.SERVER else '>'} {shown}{delay}{paint(where, 'dim')}"
            case Closed(side=side, reset=reset):
                form = "the {} resets the connection" if reset else "the {} closes the connection"
                return f"{head} . {say(form, side)}"
            case Opened(peer=peer):
                return f"{head} + {say('{} connects', escaped(peer))}"

    def finish(self) -> None:
        """Print the count of each repeated finding."""
        for finding in self._repeated.values():
            if self._json:
                fields = {**finding.fields(), "event": "repeated"}
                self._say(msgspec.json.encode(fields).decode())
            else:
                self._say(say("{} times: {}", finding.count, breach(finding)))

    def summary(self) -> str:
        """Return the numbers of connections, messages and findings as a sentence."""
        client, server = self.findings[Side.CLIENT], self.findings[Side.SERVER]
        form = "{} connections, {} messages; findings: {} of the client's, {} of the server's"
        return say(form, self.connections, self.messages, client, server)


def breach(finding: Finding) -> str:
    """Return the sentence that reports a breach, without the detail."""
    form = "the {} breaks {} (ruling): {}" if finding.ruling else "the {} breaks {}: {}"
    return say(form, finding.side, finding.section, finding.rule)


class Recording:
    """Transcript file of a running proxy.

    If it cannot be written, for instance on a full disk, recording stops with a warning and the proxy continues.
    """

    def __init__(self, file: IO[str], path: Path, dialect: str) -> None:
        self._path = path
        self._recorder: Recorder | None = Recorder(file, dialect)

    def __call__(self, record: Record) -> None:
        """Write a record."""
        if self._recorder is None:
            return
        try:
            self._recorder.write(record)
        except OSError as error:
            self._recorder = None
            _warn(f"cannot write {self._path}: {error.strerror}; recording stops here")


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
    reporter: Callable[[Record], None] | None = None,
) -> None:
    """Run a proxy until SIGTERM or Ctrl-C; `reporter` also gets every record."""
    outlet = PrintQueue()
    printer = Printer(json=json, quiet=quiet, say=outlet.say)
    sinks: list[Callable[[Record], None]] = [printer, *([] if reporter is None else [reporter])]
    file: Any = None
    if record is not None:
        try:
            file = record.open("w", encoding="utf-8")
        except OSError as error:
            raise Unavailable(f"cannot write {record}: {error.strerror}") from None
        sinks.append(Recording(file, record, dialect))
    inspector = None
    if http is not None:
        inspector = Inspector(dialect, anywhere=http[0] not in ("127.0.0.1", "localhost", "::1"))
        sinks.append(inspector)
    try:
        watch = partial(MonitorQueue, patience=wait, think=think, rulings=rulings)
        asyncio.run(_run(dialect, listen, connect, sinks, Announcer(json=json), watch, faults, seed, inspector, http))
        printer.finish()
    finally:
        outlet.close()
        if file is not None:
            with suppress(OSError):  # the warning was printed when a record could not be written
                file.close()
    if not json:
        print(printer.summary(), flush=True)


async def _run(
    dialect: str,
    listen: tuple[str, int],
    connect: tuple[str, int],
    sinks: list[Callable[[Record], None]],
    say: Announcer,
    watch: Callable[[Callable[[Record], None], Callable[[str], None]], MonitorQueue],
    faults: Faults | None,
    seed: int,
    inspector: Inspector | None,
    http: tuple[str, int] | None,
) -> None:
    """Run a proxy until a signal arrives."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    on_ending(loop, lambda number: stop.set())

    def tell(record: Record) -> None:
        for sink in sinks:
            sink(record)

    monitor_queue = watch(tell, _warn)
    proxy = Proxy(dialect, *connect, monitor_queue, _warn, faults, seed)
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
    """Printer of `listening` and `ready` lines, in the form of `boardwire serve` or as JSON."""

    def __init__(self, *, json: bool) -> None:
        self._json = json

    def listening(self, what: str, where: str) -> None:
        """Print that a port is open."""
        self._say(f"listening {what} {where}", {"event": "listening", "dialect": what, "address": where})

    def ready(self) -> None:
        """Print that all ports are open."""
        self._say("ready", {"event": "ready"})

    def _say(self, plain: str, fields: dict[str, str]) -> None:
        print(msgspec.json.encode(fields).decode() if self._json else plain, flush=True)


async def shrink(
    transcript: Transcript, connect: tuple[str, int] | None, wait: float, *, rulings: bool = False
) -> list[str]:
    """Return the lines of a shorter transcript that still has the first finding.

    With a server, raise `Refused` if the conversation ends before the finding, because opponents were not recorded.
    """
    recorded = replay.judge(transcript, rulings=rulings)

    async def attempt(candidate: Transcript) -> list[Record]:
        if connect is None:
            return replay.judge(candidate, rulings=rulings)
        records: list[Record] = []
        unsent = await replay.play_clients(candidate, *connect, records.append, wait, rulings=rulings, strict=True)
        if unsent is not None and candidate is transcript and not replay.findings(records):
            raise Refused(
                f"the server did not send the messages before line {unsent.line} of the transcript "
                f"({escaped(unsent.text[:SHOWN_CHARACTERS])}), so the finding cannot be reproduced; record all players "
                "of the match, or shrink without --connect"
            )
        return records

    return list(replay.transcript_lines(await replay.shrink(transcript, attempt, recorded if connect else ())))


def _warn(text: str) -> None:
    print(f"boardwire: {escaped(text)}", file=sys.stderr, flush=True)
