"""Transcripts at work: judged again, drawn, played again, compared, and made as short as they can be.

Whoever plays a half of a conversation says a message when as many of the other side's have come as the transcript has
before it; what does not come in time is not waited for, and the next message is said all the same.  While a transcript
is made shorter on a server, a half ends there instead: what a client says to a server that has not asked for it is a
finding of the replay's own making.  All times of a replay count from its start.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from boardwire import dialects
from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import Closed, Monitor, Opened, Record, Said
from boardwire.conformance.watchers.watcher import Room
from boardwire.errors import Malformed, Refused, Unavailable
from boardwire.net.client import unreachable
from boardwire.net.listener import address
from boardwire.proxy.transcript import TITLE, Entry, Transcript, entry_lines
from boardwire.wire.text import escaped

NAME_WIDTH: Final = 60
"""Characters of a message that a diagram shows."""

SHORT: Final = 24
"""A message of so many characters is drawn as it is, a longer one by its name."""

ROUNDS: Final = 2000
"""How often a transcript is tried while it is made shorter."""


def judge(transcript: Transcript, *, rulings: bool = False) -> list[Record]:
    """What a monitor says of a transcript; breaches of our rulings only if `rulings` is set."""
    found: list[Record] = []
    room = Room()
    monitors: dict[str, Monitor] = {}
    numbers = {
        name: number for number, name in enumerate(dict.fromkeys(one.connection for one in transcript.entries), 1)
    }
    for entry in transcript.entries:
        number = numbers[entry.connection]
        if entry.connection not in monitors or entry.opens:
            dialect = entry.opens if entry.opens in dialects.NAMES else transcript.dialect
            if dialect not in dialects.NAMES:
                raise Malformed(f"the transcript is of no known dialect: {dialect or 'its first line does not say'}")
            monitors[entry.connection] = Monitor(dialect, room, number, found.append, rulings=rulings)
            found.append(Opened(connection=number, at=entry.at, dialect=dialect))
            if entry.opens:
                continue
        monitor = monitors[entry.connection]
        if entry.data is None:
            monitor.close(entry.side, entry.at, reset=entry.reset)
        else:
            monitor.hear(entry.side, entry.data, entry.at)
    return found


def findings(records: Sequence[Record]) -> list[Finding]:
    """What is wrong."""
    return [one for one in records if isinstance(one, Finding)]


# --- drawing --------------------------------------------------------------------------------------------------------


def mermaid(records: Sequence[Record]) -> Iterator[str]:
    """The conversation as a Mermaid sequence diagram: a lane for the server and one for each client."""
    yield "sequenceDiagram"
    yield "    participant S as server"
    numbers = dict.fromkeys(one.connection for one in records)
    for number in numbers:
        yield f"    participant C{number} as client {number}"
    for record in records:
        lane = f"C{record.connection}"
        match record:
            case Said(side=side, name=name, text=text):
                ways = f"{lane}->>S" if side is Side.CLIENT else f"S->>{lane}"
                shown = text if len(text) <= SHORT or not name else name
                yield f"    {ways}: {_plain(shown)}"
            case Finding(side=side, section=section, rule=rule):
                over = lane if side is Side.CLIENT else "S"
                yield f"    Note over {over}: breaks {_plain(section.rpartition('/')[2])}: {_plain(rule)}"
            case Closed(side=side, reset=reset):
                ways = f"{lane}-x S" if side is Side.CLIENT else f"S-x {lane}"
                yield f"    {ways}: {'reset' if reset else 'closes'}"


def _plain(text: str) -> str:
    """What Mermaid takes as text."""
    short = escaped(text if len(text) <= NAME_WIDTH else f"{text[:NAME_WIDTH]}...")
    return "".join(f"#{ord(sign)};" if sign in "#;:<>{}" else sign for sign in short)


# --- comparing ------------------------------------------------------------------------------------------------------


def difference(one: Transcript, other: Transcript) -> str:
    """Where two conversations part, in a sentence; empty if they do not."""
    first, second = _sides(one), _sides(other)
    if len(first) != len(second):
        return f"the first has {len(first)} connections, the second {len(second)}"
    for number, (left, right) in enumerate(zip(first, second, strict=True), 1):
        for side in Side:
            said = [entry for entry in left if entry.side is side]
            heard = [entry for entry in right if entry.side is side]
            for at in range(max(len(said), len(heard))):
                here = said[at] if at < len(said) else None
                there = heard[at] if at < len(heard) else None
                if here is None or there is None or here.data != there.data:
                    return (
                        f"connection {number}, message {at + 1} of the {side}: "
                        f"{_entry(here, 'the first')}; {_entry(there, 'the second')}"
                    )
    return ""


def _entry(entry: Entry | None, which: str) -> str:
    return (
        f"{which} has nothing more" if entry is None else f"{which}, line {entry.line}, has {escaped(entry.text[:200])}"
    )


def _sides(transcript: Transcript) -> list[list[Entry]]:
    """The messages of each connection."""
    found: dict[str, list[Entry]] = {}
    for entry in transcript.entries:
        found.setdefault(entry.connection, [])
        if entry.data is not None:
            found[entry.connection].append(entry)
    return list(found.values())


# --- playing --------------------------------------------------------------------------------------------------------


class _Half:
    """One side of one connection, played from a transcript."""

    def __init__(
        self, side: Side, entries: Sequence[Entry], monitor: Monitor, wait: float, started: float, *, strict: bool
    ) -> None:
        self._side = side
        self._entries = entries
        self._monitor = monitor
        self._wait = wait
        self._news = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._started = started
        self._strict = strict
        self.came = 0
        """Messages of the other side."""
        self.ended = False
        self.unanswered: Entry | None = None
        """The message that a strict half has not said, because the other side had not said all before it."""

    async def play(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Say what the transcript has, and hear all that comes."""
        hearing = asyncio.create_task(self._hear(reader))
        due = 0
        for entry in self._entries:
            if entry.side is not self._side:
                due += entry.data is not None
                continue
            await self._until(due)
            if entry.data is None or self.ended:
                break
            if self._strict and self.came < due:
                self.unanswered = entry
                break
            self._monitor.hear(self._side, entry.data, self._now)
            with suppress(OSError):
                writer.write(entry.data)
                await writer.drain()
        if self.unanswered is None:
            await self._until(due)
        if not self.ended:
            self._monitor.close(self._side, self._now)
        writer.close()
        hearing.cancel()
        with suppress(OSError, asyncio.CancelledError):
            await writer.wait_closed()

    @property
    def _now(self) -> float:
        return self._loop.time() - self._started

    async def _until(self, due: int) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(self._wait):
                while self.came < due and not self.ended:
                    self._news.clear()
                    await self._news.wait()
        self._monitor.pass_time(self._now, self._wait)

    async def _hear(self, reader: asyncio.StreamReader) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                self._monitor.hear(self._side.other, data, self._now)
                self._news.set()
        self.ended = True
        self._monitor.close(self._side.other, self._now)
        self._news.set()


def _watched(half: list[_Half], tell: Callable[[Record], None], side: Side) -> Callable[[Record], None]:
    def hear(record: Record) -> None:
        if isinstance(record, Said) and record.side is side and half:
            half[0].came += 1
        tell(record)

    return hear


async def play_clients(
    transcript: Transcript,
    host: str,
    port: int,
    tell: Callable[[Record], None],
    wait: float,
    *,
    rulings: bool = False,
    strict: bool = False,
) -> Entry | None:
    """Play the clients' halves on a server.

    `strict` ends a half where the server has not said what the transcript has before the client's next message.
    Return the first message that was not said for this reason.
    """
    room, halves, plays = Room(), list[_Half](), []
    started = asyncio.get_running_loop().time()
    for number, entries in enumerate(_connections(transcript), 1):
        try:
            reader, writer = await asyncio.open_connection(host, port)
        except (OSError, UnicodeError) as error:
            raise unreachable(host, port, error) from None
        halves.append(
            _half(transcript, room, number, entries, Side.CLIENT, tell, wait, started, rulings=rulings, strict=strict)
        )
        plays.append(halves[-1].play(reader, writer))
    await asyncio.gather(*plays)
    unsaid = [half.unanswered for half in halves if half.unanswered is not None]
    return min(unsaid, key=lambda entry: entry.line) if unsaid else None


async def play_server(
    transcript: Transcript,
    host: str,
    port: int,
    tell: Callable[[Record], None],
    wait: float,
    ready: Callable[[str, int], None],
    *,
    rulings: bool = False,
) -> None:
    """Play the server's half for as many clients as the transcript has, in the order in which they come."""
    room, waiting = Room(), list(enumerate(_connections(transcript), 1))
    left = asyncio.Semaphore(0)
    total = len(waiting)
    started = asyncio.get_running_loop().time()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not waiting:
            writer.close()
            return
        number, entries = waiting.pop(0)
        try:
            half = _half(transcript, room, number, entries, Side.SERVER, tell, wait, started, rulings=rulings)
            await half.play(reader, writer)
        finally:
            left.release()

    try:
        server = await asyncio.start_server(serve, host, port)
    except OSError as error:
        raise Unavailable(f"cannot listen on {host}:{port}: {error.strerror}") from None
    ready(*address(server))
    for _ in range(total):
        await left.acquire()
    server.close()


def _half(
    transcript: Transcript,
    room: Room,
    number: int,
    entries: Sequence[Entry],
    side: Side,
    tell: Callable[[Record], None],
    wait: float,
    started: float,
    *,
    rulings: bool = False,
    strict: bool = False,
) -> _Half:
    halves: list[_Half] = []
    monitor = Monitor(transcript.dialect, room, number, _watched(halves, tell, side.other), rulings=rulings)
    now = asyncio.get_running_loop().time() - started
    tell(Opened(connection=number, at=now, dialect=transcript.dialect))
    monitor.start(now)
    halves.append(_Half(side, entries, monitor, wait, started, strict=strict))
    return halves[0]


def _connections(transcript: Transcript) -> list[list[Entry]]:
    found: dict[str, list[Entry]] = {}
    for entry in transcript.entries:
        mine = found.setdefault(entry.connection, [])
        if not entry.opens:
            mine.append(entry)
    return list(found.values())


# --- shrinking ------------------------------------------------------------------------------------------------------

Try = Callable[[Transcript], Awaitable[Sequence[Record]]]


class _Trace(msgspec.Struct, frozen=True):
    """What makes a finding this one and not another.

    `kind` is the name of the message at which it was seen, or "closed".  `message`, `detail` and `expected` tell the
    state: what the message said, what should have come instead, and what the watcher expected before it.
    """

    side: Side
    section: str
    rule: str
    kind: str
    message: str
    detail: str
    expected: str

    @property
    def sentence(self) -> str:
        return f"{self.section}: {self.rule}"

    @property
    def identity(self) -> tuple[str, ...]:
        return self.side, self.section, self.rule, self.kind

    @property
    def state(self) -> tuple[str, ...]:
        return self.message, self.detail, self.expected


def _first_trace(records: Sequence[Record]) -> _Trace | None:
    """Return the trace of the first finding, or None if nothing is wrong."""
    last: dict[int, Said | Closed] = {}
    expected: dict[int, tuple[str, str]] = {}
    """What was expected before the last message of a connection, and after it."""
    for record in records:
        match record:
            case Said(connection=number):
                last[number] = record
                expected[number] = expected.get(number, ("", ""))[1], record.expected
            case Closed(connection=number):
                last[number] = record
                expected[number] = (expected.get(number, ("", ""))[1],) * 2
            case Finding(connection=number):
                seen = last.get(number)
                return _Trace(
                    side=record.side,
                    section=record.section,
                    rule=record.rule,
                    kind=seen.name if isinstance(seen, Said) else "closed",
                    message=seen.text if isinstance(seen, Said) else "",
                    detail=record.detail,
                    expected=expected.get(number, ("", ""))[0],
                )
    return None


async def shrink(transcript: Transcript, attempt: Try, recorded: Sequence[Record] = ()) -> Transcript:
    """Remove all messages that the first finding does not need; `Refused` if there is none.

    `recorded` is what a monitor says of the transcript as it is written.  If it has a finding, the first attempt must
    have the same.

    What is left has the same first finding: the same rule, side and kind of message, seen in the same state.  A server
    may draw other cards and names in each attempt; parts of the state that two attempts with the whole transcript do
    not have in common are not compared.
    """
    first = _first_trace(await attempt(transcript))
    if first is None:
        raise Refused("nothing is wrong with this conversation, so there is nothing to keep while it is made shorter")
    written_first = _first_trace(recorded)
    if written_first is not None and written_first.identity != first.identity:
        raise Refused(
            f"the server's answers have another first finding ({first.sentence}) than the transcript "
            f"({written_first.sentence}); shrink without --connect to keep the transcript's"
        )
    again = _first_trace(await attempt(transcript))
    if again is None or again.identity != first.identity:
        raise Refused("the first finding of this conversation is not the same in a second attempt")
    fixed = [part for part, (one, other) in enumerate(zip(first.state, again.state, strict=True)) if one == other]

    async def keeps(entries: list[Entry]) -> bool:
        found = _first_trace(await attempt(Transcript(transcript.dialect, tuple(entries))))
        return (
            found is not None
            and found.identity == first.identity
            and all(found.state[part] == first.state[part] for part in fixed)
        )

    entries = await _shortest_prefix(list(transcript.entries), keeps)
    size, rounds = max(1, len(entries) // 2), 0
    while rounds < ROUNDS:
        at, shorter = 0, False
        while at < len(entries) and rounds < ROUNDS:
            fewer = entries[:at] + [entry for entry in entries[at : at + size] if entry.opens] + entries[at + size :]
            rounds += 1
            if len(fewer) < len(entries) and await keeps(fewer):
                entries, shorter = fewer, True
            else:
                at += size
        if size == 1 and not shorter:
            break
        size = max(1, size // 2)
    used = {entry.connection for entry in entries if not entry.opens}
    return Transcript(transcript.dialect, tuple(entry for entry in entries if entry.connection in used))


async def _shortest_prefix(entries: list[Entry], keeps: Callable[[list[Entry]], Awaitable[bool]]) -> list[Entry]:
    """Drop what follows the finding, by bisection."""
    least, most = 0, len(entries)
    while least < most:
        middle = (least + most) // 2
        if await keeps(entries[:middle]):
            most = middle
        else:
            least = middle + 1
    return entries[:most]


def written(transcript: Transcript) -> Iterator[str]:
    """A transcript as lines, without times."""
    yield f"{TITLE}{escaped(transcript.dialect)}"
    for entry in transcript.entries:
        yield from entry_lines(entry)
