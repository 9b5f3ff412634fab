"""A connection over real sockets: its end, and its limits."""

from __future__ import annotations

import asyncio
import gc
import socket
import struct
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import uvloop
from structlog.testing import capture_logs

from boardwire.errors import Malformed
from boardwire.logs import PEER_LOG_LINES
from boardwire.net import connections as crowds
from boardwire.net import rate_limit
from boardwire.net.connection import Connection
from boardwire.table.events import Acted
from boardwire.table.guest import Guest
from boardwire.talk import Gone, Talk, Woke

from .harbour import Harbour, Wire, harbour, play, run, speaks


async def echo(talk: Talk[Any]) -> None:
    """Echo every line."""
    while isinstance(heard := await talk.next_input(), bytes):
        talk.say(heard + b"\n")


@pytest.fixture
def quick_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowds, "SWEEP_SECONDS", 0.01)


@pytest.fixture
def short_seconds(monkeypatch: pytest.MonkeyPatch) -> float:
    monkeypatch.setattr(rate_limit, "WINDOW_SECONDS", 0.4)
    return 0.4


def only(place: Harbour) -> Connection:
    (connection,) = place.connections.connections
    return connection


# --- a whole match, and its end -------------------------------------------------------------------------------------


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def test_a_whole_match_is_played_over_sockets(loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    async def scenario() -> None:
        async with harbour() as place:
            await play(*await place.pair(await place.open("tris-lines")))
            assert len(place.lobby) == 0

    run(scenario, loop)


def test_conversations_end_at_a_match_that_another_node_has_taken_over() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            first, second = await place.pair(await place.open("tris-lines"))
            place.journal.append("match-1", 5, [Acted(1.0, 0, 8)], lambda result: None)
            with capture_logs() as logs:
                first.send(b"4\n")
                assert (await first.rest(), await second.rest()) == (b"", b"")
            told = [line["reason"] for line in logs if line["event"] == "closed: its match cannot continue here"]
            assert told == ["this match continues on another server and is closed here"] * 2
            assert len(place.lobby) == 0

    run(scenario)


def test_the_last_line_is_not_lost_to_a_reset_when_the_peer_has_sent_unread_bytes() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            first, second = await place.pair(await place.open("tris-lines"))
            for cell in (0, 3, 1, 4):
                mover = first if cell < 3 else second
                mover.send(b"%d\n" % cell)
                await first.line()
                await second.line()
            second.send(b"rubbish\n" * 1000)
            first.send(b"2\n" + b"rubbish\n" * 20_000)
            await asyncio.sleep(0.1)
            for wire in (first, second):
                wire.send(b"still here\n")
            await asyncio.sleep(0.05)
            assert await first.rest() == b"W\n"
            assert await second.rest() == b"1,1,1,2,2,0,0,0,0,L\n"

    run(scenario)


def test_a_peer_that_never_closes_its_side_is_cut_off_after_the_linger(quick_sweeps: None) -> None:
    async def scenario() -> None:
        async with harbour(linger=0.05) as place:

            async def farewell(talk: Talk[Any]) -> None:
                talk.say(b"bye\n")

            sock = socket.create_connection(("127.0.0.1", await place.open(speaks(farewell))))
            sock.setblocking(False)
            loop = asyncio.get_running_loop()
            assert await loop.sock_recv(sock, 100) == b"bye\n"
            assert await loop.sock_recv(sock, 100) == b"", "our side is closed at once"
            assert place.connections.connections
            started = loop.time()
            await place.settled(lambda: not place.connections.connections)
            assert loop.time() - started > 0.02
            sock.close()

    run(scenario)


def test_a_peer_that_resets_its_connection_has_left() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            first, second = await place.pair(await place.open("tris-lines"))
            first.reset()
            assert await second.rest() == b"DISCONNECTED\n"

    run(scenario)


def test_a_peer_that_closes_its_side_has_left() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            first, second = await place.pair(await place.open("tris-lines"))
            second.writer.write_eof()
            assert await first.rest() == b"DISCONNECTED\n"
            assert await second.rest() == b""

    run(scenario)


def test_a_script_is_notified_that_its_peer_is_gone_and_cannot_send_or_request_any_more() -> None:
    heard: list[object] = []
    woken = False

    async def script(talk: Talk[Any]) -> None:
        nonlocal woken
        talk.wake(0.01, "later")
        await talk.notification()
        woken = True
        heard.append(await talk.notification())
        talk.say(b"anybody?\n")
        talk.do("nobody carries this out")
        talk.wake(0.01, "never")
        heard.append(await talk.notification())

    async def scenario() -> None:
        async with harbour() as place:
            wire = await place.connect(await place.open(speaks(script)))
            await place.settled(lambda: woken)
            wire.close()
            await place.settled(lambda: bool(heard))
            await asyncio.sleep(0.03)  # three times as long as the timer that must not ring
            assert heard == [Gone()]

    run(scenario)


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def test_saying_goodbye_to_a_peer_that_has_just_gone_is_no_fault(loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(speaks(echo))
            sock = socket.create_connection(("127.0.0.1", port))
            await place.settled(lambda: bool(place.connections.connections))
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            sock.close()  # the reset is here before the loop looks at the socket again
            only(place).hang_up()
            await place.settled(lambda: not place.connections.connections)

    run(scenario, loop)


# --- one write ------------------------------------------------------------------------------------------------------


class Pipe(asyncio.Transport):
    """Transport that records its data."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        self.high = high

    def write(self, data: Any) -> None:
        self.written.append(bytes(data))

    def is_closing(self) -> bool:
        return False

    def can_write_eof(self) -> bool:
        return False

    def close(self) -> None:
        self.written.append(b"<closed>")


def test_output_of_one_loop_iteration_is_one_write() -> None:
    async def script(talk: Talk[Any]) -> None:
        for line in (b"one\n", b"two\n"):
            talk.say(line)
        await talk.next_input()
        talk.say(b"three\n")
        await talk.next_input()

    async def scenario() -> None:
        async with harbour() as place:
            pipe, connection = Pipe(), Connection(speaks(script, greeting=b"hello\n"), place.connections)
            connection.connection_made(pipe)
            assert pipe.written == []
            await asyncio.sleep(0)
            assert pipe.written == [b"hello\none\ntwo\n"]
            connection.data_received(b"x\n")
            await asyncio.sleep(0)
            assert pipe.written == [b"hello\none\ntwo\n", b"three\n"]
            connection.data_received(b"x\n")
            assert pipe.written[-1] == b"<closed>", "where a side cannot be closed alone, the connection is"
            connection.connection_lost(None)

    run(scenario)


# --- timers ---------------------------------------------------------------------------------------------------------


def test_timers_ring_by_name_are_set_anew_and_stopped() -> None:
    async def script(talk: Talk[Any]) -> None:
        talk.wake(0.01, "stopped")
        talk.wake(0.01, "anew")
        talk.wake(0.02, "early")
        talk.wake(0.06, "anew")
        talk.wake(0, "stopped")
        for _ in range(2):
            heard = await talk.next_input()
            talk.say(b"%s\n" % (heard.name.encode() if isinstance(heard, Woke) else b"?"))
        talk.wake(0.01, "after the end")

    async def scenario() -> None:
        async with harbour() as place:
            wire = await place.connect(await place.open(speaks(script)))
            assert await wire.rest() == b"early\nanew\n"

    run(scenario)


# --- faults ---------------------------------------------------------------------------------------------------------


def test_a_fault_in_a_script_ends_that_conversation_alone_and_is_logged_with_its_match() -> None:
    from boardwire.lobby.requests import Seek
    from boardwire.table.events import Player

    async def faulty(talk: Talk[Any]) -> None:
        talk.do(Seek("tris", 2, Player(dialect="test")))
        talk.say(b"seated\n")
        while not isinstance(await talk.next_input(), bytes):
            pass
        raise ZeroDivisionError("a fault")

    async def scenario() -> None:
        async with harbour() as place:
            tris = await place.open("tris-lines")
            pair = await place.pair(tris)
            broken = await place.connect(await place.open(speaks(faulty)))
            opponent = await place.connect(tris)
            assert await opponent.line() == "READY"
            with capture_logs() as logs:
                broken.send(b"now\n")
                assert await broken.rest() == b"seated\n"
                assert await opponent.rest() == b"DISCONNECTED\n"
            (log,) = logs
            assert log["event"] == "exception in a conversation"
            assert log["log_level"] == "error"
            assert (log["connection"], log["match"], log["dialect"]) == (3, "match-2", "test")
            assert isinstance(log["exc_info"], ZeroDivisionError)
            await play(*pair)

    run(scenario)


class FaultyDecoder:
    """Decoder that fails with an unexpected exception."""

    fault: Malformed | None = None
    buffered = overhead = 0

    def feed(self, data: bytes) -> Sequence[bytes]:
        raise ZeroDivisionError("a fault")


def test_a_fault_in_a_decoder_ends_that_conversation_alone_and_is_logged() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            pair = await place.pair(await place.open("tris-lines"))
            wire = await place.connect(await place.open(speaks(echo, decoder=FaultyDecoder)))
            with capture_logs() as logs:
                wire.send(b"x")
                assert await wire.rest() == b""
            assert [(log["event"], log["connection"], log["match"]) for log in logs] == [
                ("exception in a conversation", 3, None)
            ]
            await play(*pair)

    run(scenario)


class TwoLines:
    """Decoder that reads two lines and refuses all others."""

    def __init__(self) -> None:
        self.fault: Malformed | None = None
        self.buffered = self.overhead = 0

    def feed(self, data: bytes) -> Sequence[bytes]:
        self.fault = Malformed("no third line can be read")
        return data.split(b"\n")[:2]


@pytest.mark.parametrize("messages", [2000, 1], ids=["at once", "throttled"])
def test_readable_input_is_handled_before_unreadable_input(messages: int, short_seconds: float) -> None:
    async def scenario() -> None:
        async with harbour(messages=messages) as place:
            wire = await place.connect(await place.open(speaks(echo, decoder=TwoLines)))
            with capture_logs() as logs:
                wire.send(b"one\ntwo\nthree\n")
                assert await wire.rest() == b"one\ntwo\n"
            assert [log["reason"] for log in logs if log["event"] == "unreadable input"] == [
                "no third line can be read"
            ]

    run(scenario)


def test_one_address_can_log_a_few_lines_about_unreadable_input() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(speaks(echo, decoder=TwoLines))
            with capture_logs() as logs:
                for _ in range(3 * PEER_LOG_LINES):
                    wire = await place.connect(port)
                    wire.send(b"one\ntwo\nthree\n")
                    await wire.rest()
            assert [log["event"] for log in logs].count("unreadable input") == PEER_LOG_LINES

    run(scenario)


# --- limits ---------------------------------------------------------------------------------------------------------


def test_a_silent_peer_is_dropped_if_it_must_send_first(quick_sweeps: None) -> None:
    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(speaks(echo, handshake=0.1))
            silent, spoken, unfinished = [await place.connect(port) for _ in range(3)]
            spoken.send(b"x\n")
            unfinished.send(b"x")
            assert await spoken.line() == "x"
            with capture_logs() as logs:
                assert await silent.rest() == b""
                assert await unfinished.rest() == b"", "an unfinished message is no message"
            assert [log["event"] for log in logs] == ["dropped: no message within the handshake timeout"] * 2
            spoken.send(b"y\n")
            assert await spoken.line() == "y"

    run(scenario)


def test_a_peer_that_has_been_silent_for_too_long_is_dropped(quick_sweeps: None) -> None:
    async def scenario() -> None:
        async with harbour(idle=0.5) as place:  # far above the pauses below, on a loaded machine too
            port = await place.open(speaks(echo))
            idle, busy = await place.connect(port), await place.connect(port)
            with capture_logs() as logs:
                while not logs:
                    busy.send(b"x\n")
                    assert await busy.line() == "x"
                    await asyncio.sleep(0.05)
            assert [(log["event"], log["connection"]) for log in logs] == [("dropped: idle", 1)]
            assert await idle.rest() == b""

    run(scenario)


def test_without_a_limit_no_connection_is_idle() -> None:
    async def scenario() -> None:
        async with harbour(idle=0) as place:
            wire = await place.connect(await place.open(speaks(echo)))
            wire.send(b"x\n")
            await wire.line()
            only(place).check_idle(asyncio.get_running_loop().time() + 1e9)
            wire.send(b"y\n")
            assert await wire.line() == "y"

    run(scenario)


def test_input_over_the_rate_is_delayed_in_order_and_never_lost(short_seconds: float) -> None:
    async def scenario() -> None:
        async with harbour(messages=10) as place:
            wire = await place.connect(await place.open(speaks(echo)))
            loop = asyncio.get_running_loop()
            started = loop.time()
            with capture_logs() as logs:
                wire.send(b"".join(b"%d\n" % number for number in range(15)))
                assert await wire.lines(10) == [str(number) for number in range(10)]
                assert loop.time() - started < short_seconds, "what the limit allows is not delayed"
                wire.send(b"15\n16\n")
                assert await wire.lines(7) == [str(number) for number in range(10, 17)]
            assert 0.8 * short_seconds < loop.time() - started < 3
            assert [log["event"] for log in logs] == ["slowed down: too many messages a second"]
            await asyncio.sleep(short_seconds)
            wire.send(b"x\n" * 10)
            assert await wire.lines(10) == ["x"] * 10, "a new second, a new allowance"

    run(scenario)


def test_a_peer_that_leaves_while_it_is_slowed_down_is_noticed(short_seconds: float) -> None:
    async def scenario() -> None:
        async with harbour(messages=5) as place:
            first, second = await place.pair(await place.open("tris-lines"))
            with capture_logs() as logs:
                second.send(b"x\n" * 8)
                await place.settled(lambda: bool(logs))  # slowed down
            second.close()
            assert await first.rest() == b"DISCONNECTED\n"

    run(scenario)


def test_without_a_limit_nothing_is_delayed() -> None:
    async def scenario() -> None:
        async with harbour(messages=0) as place:
            wire = await place.connect(await place.open(speaks(echo)))
            wire.send(b"x\n" * 5000)
            assert await wire.lines(5000) == ["x"] * 5000

    run(scenario)


async def holding(talk: Talk[Any]) -> None:
    """Script that takes messages only after a notification."""
    await talk.notification()
    await echo(talk)


@pytest.mark.parametrize("messages", [2000, 100, 0], ids=["generous", "throttled", "unlimited"])
@pytest.mark.parametrize("by", ["notification", "a timer"])
def test_a_script_that_holds_messages_pauses_its_peer_without_losing_input(
    messages: int, by: str, short_seconds: float
) -> None:
    async def scenario() -> None:
        async with harbour(messages=messages, waiting=10) as place:
            wire = await place.connect(await place.open(speaks(holding)))
            for number in range(150):
                wire.send(b"%d\n" % number)
                await asyncio.sleep(0.0005)
            connection = only(place)
            talk = connection._talk
            assert talk is not None
            assert 10 < talk.waiting <= 40, "the socket is not read beyond the limit"
            if by == "notification":
                connection._tell("go on")
            else:
                connection._handle_timer("go on")
            assert await wire.lines(150) == [str(number) for number in range(150)]
            assert talk.waiting == 0

    run(scenario)


def test_a_flood_to_a_script_that_holds_messages_stays_bounded(short_seconds: float) -> None:
    async def scenario() -> None:
        async def deaf(talk: Talk[Any]) -> None:
            while not isinstance(await talk.notification(), Gone):
                pass

        async with harbour(messages=50, waiting=10) as place:
            wire = await place.connect(await place.open(speaks(deaf)))
            wire.send(b"x\n" * 400_000)
            await asyncio.sleep(2.5 * short_seconds)
            talk = only(place)._talk
            assert talk is not None
            assert talk.waiting <= 60, "not fifty more each second"
            wire.reset()

    run(scenario)


def test_a_held_peer_is_read_again_after_the_conversation_so_that_its_close_is_noticed() -> None:
    async def deaf(talk: Talk[Any]) -> None:
        talk.say(b"hello\n")
        await talk.notification()

    async def scenario() -> None:
        async with harbour(waiting=5, linger=100) as place:
            wire = await place.connect(await place.open(speaks(deaf)))
            wire.send(b"x\n" * 20)
            await place.settled(lambda: only(place)._is_paused)
            now = asyncio.get_running_loop().time()
            only(place).check_idle(now)  # the sweep that sees that it has spoken
            only(place).check_idle(now + 1e6)
            assert await wire.rest() == b"hello\n"
            wire.close()
            await asyncio.wait_for(place.settled(lambda: not place.connections.connections), 2)

    run(scenario)


async def torrent(talk: Talk[Any]) -> None:
    """Script that writes far more than it reads."""
    while isinstance(await talk.next_input(), bytes):
        talk.say(b"x" * 65_536)


def test_a_peer_that_does_not_read_is_dropped_when_its_outbox_is_full_and_delays_no_one() -> None:
    async def scenario() -> None:
        async with harbour(unsent=100_000) as place:
            pair = await place.pair(await place.open("tris-lines"))
            wire = await place.connect(await place.open(speaks(torrent)))
            wire.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport of a socket can
            with capture_logs() as logs:
                for _ in range(200):
                    wire.send(b"more\n")
                    await asyncio.sleep(0.001)
                    if len(place.connections.connections) == 2:
                        break
            assert len(place.connections.connections) == 2
            assert [(log["event"], log["connection"]) for log in logs] == [
                ("dropped: outbox full, the client does not read", 3)
            ]
            await play(*pair)

    run(scenario)


def test_a_wire_is_a_peer() -> None:
    """The tests above rely on it: silence is silence, and an end is an end."""

    async def scenario() -> None:
        async with harbour() as place:
            wire: Wire = await place.connect(await place.open(speaks(echo)))
            await wire.nothing()
            wire.send(b"x\n")
            with pytest.raises(AssertionError, match="came"):
                await wire.nothing(0.5)

    run(scenario)


# --- afterwards -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dialect", "said"),
    [
        ("tris-lines", b""),
        ("santorini-lobby", b""),
        ("santorini-objects", b"\xac\xed\x00\x05\xff"),
        ("eriantys-objects", b"\xac\xed\x00\x05\xff"),
        ("native", b"\x81\x81\x00\x00\x00\x00\xff"),
        ("native", b"\x89\x80\x00\x00\x00\x00" * 300 + b"\x81\x81\x00\x00\x00\x00\xff"),
    ],
    ids=[
        "tris-lines",
        "santorini-lobby",
        "santorini-objects, unreadable",
        "eriantys-objects, unreadable",
        "native, unreadable",
        "native, unreadable after much else",
    ],
)
def test_a_connection_that_is_over_is_freed_without_the_collector(
    no_collector: None, dialect: str, said: bytes
) -> None:
    """The server lets the collector run so seldom that what waits for it would fill the memory."""

    def alive() -> int:
        return sum(isinstance(one, Connection | Talk | Guest) for one in gc.get_objects())

    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(dialect)
            before = alive()
            wires = [await place.connect(port) for _ in range(3)]
            await place.settled(lambda: len(place.connections.connections) == len(wires))
            assert alive() == before + 3 * len(wires)
            for wire in wires:
                wire.send(said)
            if said:
                await place.settled(lambda: all(one._decoder.fault for one in place.connections.connections))
            for wire in wires:
                wire.close()
            await place.settled(lambda: not place.connections.connections)
            await place.settled(lambda: alive() <= before)
            assert alive() == before

    run(scenario)


@pytest.mark.parametrize("unsent", [0, 2**40], ids=["no limit", "more than a loop can count"])
def test_a_peer_may_leave_unread_as_much_as_the_limit_says(unsent: int) -> None:
    async def talkative(talk: Talk[Any]) -> None:
        for _ in range(100):
            talk.say(b"x" * 99_999 + b"\n")
        await talk.next_input()

    async def scenario() -> None:
        async with harbour(unsent=unsent) as place:
            wire = await place.connect(await place.open(speaks(talkative)))
            await asyncio.sleep(0.1)
            assert len(await wire.lines(100)) == 100

    run(scenario)
