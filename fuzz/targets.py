"""Fuzz targets: one function per decoder that bytes from outside reach.

- A target takes any bytes and returns; an exception is a finding.
- A decoder may raise only `Malformed`, and a conversation nothing.
- Split at any place, the same bytes must give the same messages and the same verdict.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeAlias, cast

import msgspec

from boardwire import dialects
from boardwire.api import match_file as records
from boardwire.cluster.transport import messages
from boardwire.cluster.transport.fragments import Reassembly
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Dialect
from boardwire.errors import BoardwireError, Malformed
from boardwire.lobby.lobby import Lobby
from boardwire.net.connection import Connection
from boardwire.net.connections import ConnectionLimits, Connections
from boardwire.net.http import HttpServer
from boardwire.node import LoopClock
from boardwire.proxy import transcript
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.simulation.server import SimulatedClient, SimulatedServer
from boardwire.store.memory import MemoryJournal
from boardwire.wire.codec import Decoder, feed
from boardwire.wire.nats import NatsDecoder
from boardwire.wire.text import escaped

Target: TypeAlias = Callable[[bytes], None]

MAX_STEPS: Final = 2_000
"""Longest imported match that is played, in steps; longer ones reach no further code."""


def _cut(data: bytes) -> tuple[bytes, bytes]:
    """Cut data at a place that depends on its bytes, so that every place is tried."""
    at = sum(data[:8]) % (len(data) + 1)
    return data[:at], data[at:]


def _heard(decoder: Decoder, *chunks: bytes) -> tuple[list[Any], bool]:
    """Return the messages of chunks, and whether the decoder failed."""
    messages: list[Any] = []
    for chunk in chunks:
        if feed(decoder, chunk, messages.append) is not None:
            return messages, True
    return messages, False


def decode(make: Callable[[], Decoder], data: bytes) -> None:
    """Decode bytes whole and in two pieces, and compare the results."""
    whole, pieces = _heard(make(), data), _heard(make(), *_cut(data))
    if repr(whole) != repr(pieces):  # not ==: NaN is not equal to itself
        raise AssertionError(f"whole {whole!r}, in two pieces {pieces!r}")


def requests(dialect: Dialect, data: bytes) -> None:
    """Decode a client's bytes, and feed them to a server where another client waits at a table."""
    decode(dialect.decoder, data)
    server = SimulatedServer(seed=1)
    server.connect(dialect)
    peer = server.connect(dialect)
    for chunk in _cut(data):
        if not peer.closed:
            peer.send(chunk)
    server.clock.pass_time(1.0)


def replies(dialect: Dialect, data: bytes) -> None:
    """Decode a server's bytes, and feed them to a client."""
    decode(dialect.replies or dialect.decoder, data)
    client = SimulatedClient(dialect.name, _choose_first, ClientOptions("fuzz"))
    with contextlib.suppress(Malformed):
        for chunk in _cut(data):
            if not client.closed:
                client.receive(chunk)
        client.clock.pass_time(1.0)


def _choose_first(client: SimulatedClient, notification: Any) -> None:
    if isinstance(notification, Ask):
        client.talk.tell(Answer(next(iter(notification.decision.choices))))


def nats(data: bytes) -> None:
    """Decode a NATS server's bytes whole and in two pieces."""
    found = []
    for chunks in ((data,), _cut(data)):
        decoder, heard = NatsDecoder(), list[Any]()
        try:
            for chunk in chunks:
                heard += decoder.feed(chunk)
        except Malformed:
            heard = []  # messages before the bad line may or may not have been returned
        found.append(heard)
    if all(found) and found[0] != found[1]:
        raise AssertionError(f"whole {found[0]!r}, in two pieces {found[1]!r}")


def fragments(data: bytes) -> None:
    """Reassemble messages of other nodes from payloads separated by 0xff."""
    reassembly = Reassembly(lambda: 0.0)
    for payload in data.split(b"\xff"):
        reassembly.feed(payload)


def envelope(data: bytes) -> None:
    """Decode an envelope of another node and the requests in it."""
    try:
        found = messages.decode(data)
    except msgspec.DecodeError:
        return
    for message in found.messages:
        if isinstance(message, messages.Ask | messages.Sent):
            with contextlib.suppress(BoardwireError, msgspec.DecodeError):
                messages.decode_request(message.request, None)


def match_import(data: bytes) -> None:
    """Import a match, as `POST /api/matches` does."""
    try:
        record = records.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return
    if len(record.steps) <= MAX_STEPS:
        with contextlib.suppress(BoardwireError):
            records.events_of(record)


def transcript_file(data: bytes) -> None:
    """Parse a transcript file, write it and parse it again."""
    try:
        found = transcript.parse(data.decode("utf-8", "replace"))
    except Malformed:
        return
    lines = [transcript.TITLE + found.dialect]
    for entry in found.entries:
        if not math.isfinite(entry.at):
            raise AssertionError(f"line {entry.line} is at {entry.at} s")
        lines += transcript.entry_lines(entry)
    again = transcript.parse("\n".join([*lines, ""]))
    said, said_again = (
        [(escaped(entry.connection), entry.side, entry.data) for entry in read.entries] for read in (found, again)
    )
    if said != said_again:
        raise AssertionError(f"read {said!r}, and written and read again {said_again!r}")


class _Socket(asyncio.Transport):
    """Transport that discards everything."""

    def __init__(self) -> None:
        super().__init__({"peername": ("192.0.2.1", 50000), "sockname": ("127.0.0.1", 7070)})
        self.closed = False

    def write(self, data: Any) -> None:
        pass

    def writelines(self, list_of_data: Any) -> None:
        pass

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    abort = write_eof = close

    def can_write_eof(self) -> bool:
        return True

    def get_write_buffer_size(self) -> int:
        return 0

    def pause_reading(self) -> None:
        pass

    resume_reading = pause_reading

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        pass


async def _answer(scope: Any, receive: Any, send: Any) -> None:
    """Read the body and send a response."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


def http(data: bytes) -> None:
    """Feed bytes to the HTTP server in two pieces."""
    loop = asyncio.new_event_loop()
    faults: list[dict[str, Any]] = []
    loop.set_exception_handler(lambda loop, context: faults.append(context))

    async def receive() -> None:
        lobby = Lobby(MemoryJournal(), LoopClock(loop), ScriptedDealer(seed=0), CountedNames())
        connections = Connections(lobby, ConnectionLimits(), loop)
        server = HttpServer(_answer, connections, partial(Connection, dialects.dialect("native"), connections))
        protocol, transport = cast("Any", server.protocol()), _Socket()
        protocol.connection_made(transport)
        for chunk in _cut(data):
            if not transport.closed:
                protocol.data_received(chunk)
                await asyncio.sleep(0)
        await asyncio.sleep(0)
        protocol.connection_lost(None)
        await asyncio.sleep(0)

    try:
        loop.run_until_complete(receive())
    finally:
        loop.close()
    if faults:
        raise AssertionError(faults) from faults[0].get("exception")


def _of_dialects() -> Mapping[str, Target]:
    found: dict[str, Target] = {}
    for name in dialects.DIALECT_PACKAGES:
        dialect = dialects.dialect(name)
        place = name.replace("/", ".")  # a directory of the corpus
        found[f"{place}-requests"] = partial(requests, dialect)
        found[f"{place}-replies"] = partial(replies, dialect)
    return found


TARGETS: Final[Mapping[str, Target]] = {
    **_of_dialects(),
    "nats": nats,
    "fragments": fragments,
    "envelope": envelope,
    "http": http,
    "match-import": match_import,
    "transcript": transcript_file,
}
