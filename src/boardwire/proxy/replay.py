"""Judge, draw, compare, replay and shrink transcripts.

- A replay plays one side of each connection. It sends a message when it has received as many messages as the
  transcript has before it, or after a timeout.
- A strict replay, used to shrink a transcript on a server, ends at the timeout: a message that the server did not
  request would be a finding caused by the replay itself.
- All times of a replay are measured from its start.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from itertools import zip_longest
from typing import Final

import msgspec

from boardwire import dialects
from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import Closed, MessageRecord, Monitor, Opened, Record
from boardwire.conformance.watchers.watcher import WatcherGroup
from boardwire.errors import Malformed, Refused, Unavailable
from boardwire.net.client import connection_error
from boardwire.net.listener import address
from boardwire.proxy.transcript import TITLE, Transcript, TranscriptEntry, entry_lines
from boardwire.wire.text import escaped

MAX_LABEL_CHARACTERS: Final = 60
"""Maximum length of a label in a diagram."""

MAX_MESSAGE_CHARACTERS: Final = 24
"""Maximum length of a message in a diagram; a longer one is shown by its name."""

MAX_SHRINK_ATTEMPTS: Final = 2000


def judge(transcript: Transcript, *, rulings: bool = False) -> list[Record]:
    """Return the records of monitors for a transcript; `rulings` includes breaches of our rulings."""
    records: list[Record] = []
    group = WatcherGroup()
    monitors: dict[str, Monitor] = {}
    numbers = {
        name: number for number, name in enumerate(dict.fromkeys(entry.connection for entry in transcript.entries), 1)
    }
    for entry in transcript.entries:
        number = numbers[entry.connection]
        if entry.connection not in monitors or entry.opens:
            dialect = entry.opens if entry.opens in dialects.DIALECT_PACKAGES else transcript.dialect
            if dialect not in dialects.DIALECT_PACKAGES:
                reason = f"the dialect {dialect!r} is unknown" if dialect else "its first line names no dialect"
                raise Malformed(f"cannot judge the transcript: {reason}")
            monitors[entry.connection] = Monitor(dialect, group, number, records.append, rulings=rulings)
            records.append(Opened(connection=number, at=entry.at, dialect=dialect))
            if entry.opens:
                continue
        monitor = monitors[entry.connection]
        if entry.data is None:
            monitor.close(entry.side, entry.at, reset=entry.reset)
        else:
            monitor.receive(entry.side, entry.data, entry.at)
    return records


def findings(records: Sequence[Record]) -> list[Finding]:
    """Return the findings among records."""
    return [record for record in records if isinstance(record, Finding)]


# --- drawing --------------------------------------------------------------------------------------------------------


def mermaid(records: Sequence[Record]) -> Iterator[str]:
    """Yield a conversation as a Mermaid sequence diagram, with a lane for the server and one for each client."""
    yield "sequenceDiagram"
    yield "    participant S as server"
    numbers = dict.fromkeys(record.connection for record in records)
    for number in numbers:
        yield f"    participant C{number} as client {number}"
    for record in records:
        lane = f"C{record.connection}"
        match record:
            case MessageRecord(side=side, name=name, text=text):
                arrow = f"{lane}->>S" if side is Side.CLIENT else f"S->>{lane}"
                shown = text if len(text) <= MAX_MESSAGE_CHARACTERS or not name else name
                yield f"    {arrow}: {_plain(shown)}"
            case Finding(side=side, section=section, rule=rule):
                over = lane if side is Side.CLIENT else "S"
                yield f"    Note over {over}: breaks {_plain(section.rpartition('/')[2])}: {_plain(rule)}"
            case Closed(side=side, reset=reset):
                arrow = f"{lane}-x S" if side is Side.CLIENT else f"S-x {lane}"
                yield f"    {arrow}: {'reset' if reset else 'closes'}"


def _plain(text: str) -> str:
    """Escape and shorten a text for Mermaid."""
    short = escaped(text if len(text) <= MAX_LABEL_CHARACTERS else f"{text[:MAX_LABEL_CHARACTERS]}...")
    return "".join(f"#{ord(character)};" if character in "#;:<>{}" else character for character in short)


# --- comparing ------------------------------------------------------------------------------------------------------


def difference(first: Transcript, second: Transcript) -> str:
    """Return the first difference between two conversations as a sentence, or an empty string."""
    first_connections, second_connections = _messages(first), _messages(second)
    if len(first_connections) != len(second_connections):
        return f"the first has {len(first_connections)} connections, the second {len(second_connections)}"
    for number, (left, right) in enumerate(zip(first_connections, second_connections, strict=True), 1):
        for side in Side:
            left_entries = [entry for entry in left if entry.side is side]
            right_entries = [entry for entry in right if entry.side is side]
            for index, (left_entry, right_entry) in enumerate(zip_longest(left_entries, right_entries), 1):
                if left_entry is None or right_entry is None or left_entry.data != right_entry.data:
                    return (
                        f"connection {number}, message {index} of the {side}: "
                        f"{_entry(left_entry, 'the first')}; {_entry(right_entry, 'the second')}"
                    )
    return ""


def _entry(entry: TranscriptEntry | None, which: str) -> str:
    return (
        f"{which} has no more messages"
        if entry is None
        else f"{which}, line {entry.line}, has {escaped(entry.text[:200])}"
    )


def _messages(transcript: Transcript) -> list[list[TranscriptEntry]]:
    """Return the messages of each connection."""
    by_connection: dict[str, list[TranscriptEntry]] = {}
    for entry in transcript.entries:
        by_connection.setdefault(entry.connection, [])
        if entry.data is not None:
            by_connection[entry.connection].append(entry)
    return list(by_connection.values())


# --- replaying ------------------------------------------------------------------------------------------------------


class _Replay:
    """One side of one connection, replayed from a transcript."""

    def __init__(
        self,
        side: Side,
        entries: Sequence[TranscriptEntry],
        monitor: Monitor,
        wait: float,
        start: float,
        *,
        strict: bool,
    ) -> None:
        self._side = side
        self._entries = entries
        self._monitor = monitor
        self._wait = wait
        self._changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._start = start
        self._strict = strict
        self.received_count = 0
        """Number of messages received from the other side."""
        self.has_ended = False
        self.unsent: TranscriptEntry | None = None
        """The message that a strict replay did not send because it lacked messages of the other side."""

    async def play(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Send the messages of the transcript and receive those of the other side."""
        receive_task = asyncio.create_task(self._receive(reader))
        expected_count = 0
        """Number of messages of the other side before the current entry."""
        for entry in self._entries:
            if entry.side is not self._side:
                expected_count += entry.data is not None
                continue
            await self._wait_for(expected_count)
            if entry.data is None or self.has_ended:
                break
            if self._strict and self.received_count < expected_count:
                self.unsent = entry
                break
            self._monitor.receive(self._side, entry.data, self._now)
            with suppress(OSError):
                writer.write(entry.data)
                await writer.drain()
        if self.unsent is None:
            await self._wait_for(expected_count)
        if not self.has_ended:
            self._monitor.close(self._side, self._now)
        writer.close()
        receive_task.cancel()
        with suppress(OSError, asyncio.CancelledError):
            await writer.wait_closed()

    @property
    def _now(self) -> float:
        return self._loop.time() - self._start

    async def _wait_for(self, count: int) -> None:
        """Wait until `count` messages were received, the connection has ended or the wait is over."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._wait):
                while self.received_count < count and not self.has_ended:
                    self._changed.clear()
                    await self._changed.wait()
        self._monitor.pass_time(self._now, self._wait)

    async def _receive(self, reader: asyncio.StreamReader) -> None:
        """Pass what the other side sends to the monitor until the connection ends."""
        with suppress(OSError):
            while data := await reader.read(65536):
                self._monitor.receive(self._side.other, data, self._now)
                self._changed.set()
        self.has_ended = True
        self._monitor.close(self._side.other, self._now)
        self._changed.set()


def _counting_tell(replay: list[_Replay], tell: Callable[[Record], None], side: Side) -> Callable[[Record], None]:
    """Return `tell` with a count of the messages of `side` in the replay, which is added to the list later."""

    def receive(record: Record) -> None:
        if isinstance(record, MessageRecord) and record.side is side and replay:
            replay[0].received_count += 1
        tell(record)

    return receive


async def play_clients(
    transcript: Transcript,
    host: str,
    port: int,
    tell: Callable[[Record], None],
    wait: float,
    *,
    rulings: bool = False,
    strict: bool = False,
) -> TranscriptEntry | None:
    """Replay the clients' side to a server.

    `strict` ends a connection if the server does not send the messages before the client's next one in time. Return
    the first message that was not sent for this reason, or None.
    """
    group, replays, plays = WatcherGroup(), list[_Replay](), []
    start = asyncio.get_running_loop().time()
    for number, entries in enumerate(_connections(transcript), 1):
        try:
            reader, writer = await asyncio.open_connection(host, port)
        except (OSError, UnicodeError) as error:
            raise connection_error(host, port, error) from None
        replays.append(
            _start_replay(
                transcript, group, number, entries, Side.CLIENT, tell, wait, start, rulings=rulings, strict=strict
            )
        )
        plays.append(replays[-1].play(reader, writer))
    await asyncio.gather(*plays)
    unsent = [replay.unsent for replay in replays if replay.unsent is not None]
    return min(unsent, key=lambda entry: entry.line) if unsent else None


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
    """Replay the server's side to as many clients as the transcript has, in the order in which they connect."""
    group, connections = WatcherGroup(), list(enumerate(_connections(transcript), 1))
    finished = asyncio.Semaphore(0)
    total = len(connections)
    start = asyncio.get_running_loop().time()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not connections:
            writer.close()
            return
        number, entries = connections.pop(0)
        try:
            replay = _start_replay(transcript, group, number, entries, Side.SERVER, tell, wait, start, rulings=rulings)
            await replay.play(reader, writer)
        finally:
            finished.release()

    try:
        server = await asyncio.start_server(serve, host, port)
    except OSError as error:
        raise Unavailable(f"cannot listen on {host}:{port}: {error.strerror}") from None
    ready(*address(server))
    for _ in range(total):
        await finished.acquire()
    server.close()


def _start_replay(
    transcript: Transcript,
    group: WatcherGroup,
    number: int,
    entries: Sequence[TranscriptEntry],
    side: Side,
    tell: Callable[[Record], None],
    wait: float,
    start: float,
    *,
    rulings: bool = False,
    strict: bool = False,
) -> _Replay:
    """Start a replay of one side's entries of a connection, watched by a monitor; return it."""
    replays: list[_Replay] = []
    monitor = Monitor(transcript.dialect, group, number, _counting_tell(replays, tell, side.other), rulings=rulings)
    now = asyncio.get_running_loop().time() - start
    tell(Opened(connection=number, at=now, dialect=transcript.dialect))
    monitor.start(now)
    replays.append(_Replay(side, entries, monitor, wait, start, strict=strict))
    return replays[0]


def _connections(transcript: Transcript) -> list[list[TranscriptEntry]]:
    by_connection: dict[str, list[TranscriptEntry]] = {}
    for entry in transcript.entries:
        own_entries = by_connection.setdefault(entry.connection, [])
        if not entry.opens:
            own_entries.append(entry)
    return list(by_connection.values())


# --- shrinking ------------------------------------------------------------------------------------------------------

Try = Callable[[Transcript], Awaitable[Sequence[Record]]]


class _Trace(msgspec.Struct, frozen=True):
    """Identity and state of a finding, which identify it in a shorter transcript.

    `kind` is the name of the message that caused the finding, or "closed". The state is the text of this `message`, the
    `detail` of the finding and the message that the watcher `expected` before.
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
    """Return the trace of the first finding, or None if there is no finding."""
    last: dict[int, MessageRecord | Closed] = {}
    expected: dict[int, tuple[str, str]] = {}
    """By connection, the messages that the watcher expected before and after the last message."""
    for record in records:
        match record:
            case MessageRecord(connection=number):
                last[number] = record
                expected[number] = expected.get(number, ("", ""))[1], record.expected
            case Closed(connection=number):
                last[number] = record
                expected[number] = (expected.get(number, ("", ""))[1],) * 2
            case Finding(connection=number):
                message = last.get(number)
                return _Trace(
                    side=record.side,
                    section=record.section,
                    rule=record.rule,
                    kind=message.name if isinstance(message, MessageRecord) else "closed",
                    message=message.text if isinstance(message, MessageRecord) else "",
                    detail=record.detail,
                    expected=expected.get(number, ("", ""))[0],
                )
    return None


async def shrink(transcript: Transcript, attempt: Try, recorded: Sequence[Record] = ()) -> Transcript:
    """Return the transcript without the messages that the first finding does not need.

    Raise `Refused` if there is no finding. `recorded` are the records of the unchanged transcript; if they have a
    finding, the first attempt must have the same one.

    The result has the same first finding: the same rule, side and kind of message, in the same state. A server may
    draw other cards and names in each attempt, so parts of the state that differ between two attempts with the whole
    transcript are not compared.
    """
    first = _first_trace(await attempt(transcript))
    if first is None:
        raise Refused("the transcript has no finding, so there is nothing to shrink it to")
    recorded_trace = _first_trace(recorded)
    if recorded_trace is not None and recorded_trace.identity != first.identity:
        raise Refused(
            f"the first finding with this server ({first.sentence}) differs from that of the transcript "
            f"({recorded_trace.sentence}); to keep the latter, shrink without --connect"
        )
    again = _first_trace(await attempt(transcript))
    if again is None or again.identity != first.identity:
        raise Refused("the first finding did not occur again in a second attempt, so the transcript cannot be shrunk")
    stable_parts = [
        part for part, (before, after) in enumerate(zip(first.state, again.state, strict=True)) if before == after
    ]

    async def keeps(entries: list[TranscriptEntry]) -> bool:
        trace = _first_trace(await attempt(Transcript(transcript.dialect, tuple(entries))))
        return (
            trace is not None
            and trace.identity == first.identity
            and all(trace.state[part] == first.state[part] for part in stable_parts)
        )

    entries = await _without_unneeded(await _shortest_prefix(list(transcript.entries), keeps), keeps)
    used = {entry.connection for entry in entries if not entry.opens}
    return Transcript(transcript.dialect, tuple(entry for entry in entries if entry.connection in used))


async def _without_unneeded(
    entries: list[TranscriptEntry], keeps: Callable[[list[TranscriptEntry]], Awaitable[bool]]
) -> list[TranscriptEntry]:
    """Return the entries without those that the finding does not need, in at most `MAX_SHRINK_ATTEMPTS` attempts.

    Blocks are left out first, half of all entries at a time, then smaller ones, at last single entries.
    """
    size, attempts = max(1, len(entries) // 2), 0
    while attempts < MAX_SHRINK_ATTEMPTS:
        at, shorter = 0, False
        while at < len(entries) and attempts < MAX_SHRINK_ATTEMPTS:
            fewer = entries[:at] + [entry for entry in entries[at : at + size] if entry.opens] + entries[at + size :]
            attempts += 1
            if len(fewer) < len(entries) and await keeps(fewer):
                entries, shorter = fewer, True
            else:
                at += size
        if size == 1 and not shorter:
            break
        size = max(1, size // 2)
    return entries


async def _shortest_prefix(
    entries: list[TranscriptEntry], keeps: Callable[[list[TranscriptEntry]], Awaitable[bool]]
) -> list[TranscriptEntry]:
    """Return the entries up to the finding, found by bisection."""
    low, high = 0, len(entries)
    while low < high:
        middle = (low + high) // 2
        if await keeps(entries[:middle]):
            high = middle
        else:
            low = middle + 1
    return entries[:high]


def transcript_lines(transcript: Transcript) -> Iterator[str]:
    """Yield the lines of a transcript, without times."""
    yield f"{TITLE}{escaped(transcript.dialect)}"
    for entry in transcript.entries:
        yield from entry_lines(entry)
