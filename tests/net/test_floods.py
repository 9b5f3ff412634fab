"""Floods: input of one peer is handled in slices, and all others are answered in between.

Work is counted, not time: the clock of these tests advances by a slice at every reading, so each iteration of the loop
handles as many jobs as it has slices.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from itertools import count
from typing import Any

import pytest
import uvloop
from structlog.testing import capture_logs

from boardwire import dialects
from boardwire.dialects.native import tell
from boardwire.dialects.native.messages import TableInfo
from boardwire.lobby.requests import Survey
from boardwire.net import rate_limit
from boardwire.net.connection import CHUNK_BYTES, DRAW_MESSAGES, INLINE_MESSAGES, Connection
from boardwire.net.deferred import MAX_UNDELIVERED
from boardwire.net.rate_limit import REQUEST_COSTS, MessageBudget
from boardwire.net.scheduler import (
    INLINE_BURST_SECONDS,
    INLINE_SHARE,
    RESERVED_SECONDS,
    SLICE_SECONDS,
    TURN_SECONDS,
    AddressQueue,
)
from boardwire.table.guest import Announced, Guest
from boardwire.table.match import Match
from boardwire.talk import Gone, Script, Talk
from boardwire.wire.javastream import HEADER
from boardwire.wire.websocket import encode_text

from .harbour import Harbour, harbour, play, run, speaks
from .test_connection import Pipe, echo

SLICES = round(TURN_SECONDS / SLICE_SECONDS)


def slow(place: Harbour) -> None:
    """Let every job take a slice."""
    ticks = count()
    place.connections.turns.clock = lambda: next(ticks) * SLICE_SECONDS


class Ear(Pipe):
    """Transport whose reading can be paused."""

    def __init__(self) -> None:
        super().__init__()
        self.reads = True

    def pause_reading(self) -> None:
        self.reads = False

    def resume_reading(self) -> None:
        self.reads = True

    def abort(self) -> None:
        self.reads = False


def budget(place: Harbour, address_key: str = "") -> MessageBudget:
    """The message budget of an address; without one, of the tests' own connections."""
    found = place.connections.message_budget(address_key)
    assert found is not None
    return found


def test_one_read_is_handled_over_several_loop_iterations_in_order() -> None:
    heard: list[bytes] = []

    async def listen(talk: Talk[Any]) -> None:
        while isinstance(message := await talk.next_input(), bytes):
            heard.append(message)

    async def scenario() -> None:
        async with harbour() as place:
            slow(place)
            ear, connection = Ear(), Connection(speaks(listen), place.connections)
            connection.connection_made(ear)
            connection.data_received(b"".join(b"%d\n" % number for number in range(400)))
            assert heard == []
            turns = []
            while not ear.reads:
                before = len(heard)
                await asyncio.sleep(0)
                turns.append(len(heard) - before)
            assert max(turns) <= SLICES
            assert heard == [b"%d" % number for number in range(400)]
            connection.data_received(b"400\n")
            assert heard[-1] == b"400", "little is handled at once again"
            connection.connection_lost(None)

    run(scenario, asyncio.new_event_loop)


def test_messages_after_a_flood_arrive_after_it() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            slow(place)
            wire = await place.connect(await place.open(speaks(echo)))
            for start in range(0, 300, 100):
                wire.send(b"".join(b"%d\n" % number for number in range(start, start + 100)))
                await asyncio.sleep(0)
            assert await wire.lines(300) == [str(number) for number in range(300)]

    run(scenario)


@pytest.mark.parametrize("loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def test_a_match_is_played_while_floods_are_being_handled(loop: Callable[[], asyncio.AbstractEventLoop]) -> None:
    handled = 0

    async def busy(talk: Talk[Any]) -> None:
        nonlocal handled
        while isinstance(await talk.next_input(), bytes):
            handled += 1

    async def scenario() -> None:
        async with harbour() as place:
            slow(place)
            pair = await place.pair(await place.open("tris-lines"))
            port = await place.open(speaks(busy))
            for wire in [await place.connect(port) for _ in range(40)]:
                wire.send(b"x\n" * 60)
            await play(*pair)
            assert 0 < handled < 40 * 60, "the match did not wait until all was handled"
            await place.settled(lambda: handled == 40 * 60)

    run(scenario, loop)


# --- what is no message counts too ----------------------------------------------------------------------------------


def test_resets_of_a_java_stream_count_like_messages() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            for name in ("santorini-objects", "eriantys-objects"):
                ear, connection = Ear(), Connection(dialects.dialect(name), place.connections)
                connection.connection_made(ear)
                connection.data_received(HEADER + b"y" * 100_000)
                turns = 0
                while connection._was_slowed is False:
                    await asyncio.sleep(0)
                    turns += 1
                    assert turns < 100
                left = len(connection._unread)
                assert left >= 100_000 - CHUNK_BYTES, "one piece of resets is more than a second's messages"
                await asyncio.sleep(0.01)
                assert (len(connection._unread), ear.reads) == (left, False)
                connection.connection_lost(None)

    run(scenario)


def test_resets_in_small_pieces_count_too() -> None:
    async def scenario() -> None:
        async with harbour(messages=50) as place:
            ear, connection = Ear(), Connection(dialects.dialect("eriantys-objects"), place.connections)
            connection.connection_made(ear)
            connection.data_received(HEADER)
            bits = 0
            while ear.reads:
                connection.data_received(b"y" * 10)
                bits += 1
                assert bits < 10
            connection.connection_lost(None)

    run(scenario)


def test_fragments_of_a_websocket_message_count_like_messages() -> None:
    begin, more, end = b"\x01\x81\0\0\0\0a", b"\x00\x81\0\0\0\0b", b"\x80\x81\0\0\0\0c"
    message = begin + more * 61 + end

    async def scenario() -> None:
        async with harbour() as place:
            ear, connection = Ear(), Connection(dialects.dialect("native"), place.connections)
            connection.connection_made(ear)
            connection.data_received(message * 500)
            while not connection._was_slowed:
                await asyncio.sleep(0)
            assert len(connection._unread) > len(message) * 400, "2,000 pieces are a second's messages"
            connection.connection_lost(None)

    run(scenario)


# --- a client address -----------------------------------------------------------------------------------------------


def test_reconnecting_does_not_renew_the_allowance_of_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwire.net.connections.FULL_RATE_CONNECTIONS", 2)
    heard = 0

    async def listen(talk: Talk[Any]) -> None:
        nonlocal heard
        while isinstance(await talk.next_input(), bytes):
            heard += 1

    async def scenario() -> None:
        async with harbour(messages=DRAW_MESSAGES) as place:
            for _ in range(4):
                ear, connection = Ear(), Connection(speaks(listen), place.connections)
                connection.connection_made(ear)
                for _ in range(DRAW_MESSAGES):
                    connection.data_received(b"x\n")
                await asyncio.sleep(0.001)
                connection.connection_lost(None)
            assert heard == 2 * DRAW_MESSAGES

    with capture_logs() as logs:
        run(scenario)
    assert [log["event"] for log in logs] == ["slowed down: too many messages a second from this address"]


def test_unused_allowance_is_left_to_other_connections_of_the_address() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            whole = 0
            for _ in range(200):
                connection = Connection(speaks(echo), place.connections)
                connection.connection_made(Ear())
                whole = whole or budget(place).left
                connection.data_received(b"x\n")
                connection.flush()
                connection.connection_lost(None)
            assert budget(place).left == whole - 200

    run(scenario)


def test_the_debt_of_a_connection_outlives_it() -> None:
    async def scenario() -> None:
        async with harbour(messages=DRAW_MESSAGES) as place:
            connection = Connection(dialects.dialect("santorini-objects"), place.connections)
            connection.connection_made(Ear())
            shared = budget(place)
            whole = shared.left
            connection.data_received(b"\xac\xed\x00\x05" + b"\x79" * 1000)
            connection.connection_lost(None)
            assert whole - shared.left == 999, "the first reset is free"

    run(scenario)


def test_expensive_requests_use_more_of_the_allowance_of_an_address() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            ear, connection = Ear(), Connection(dialects.dialect("native"), place.connections)
            connection.connection_made(ear)
            shared = budget(place)
            connection.data_received(encode_text(b'{"type":"hello"}', bytes(4)))
            before = shared.left
            connection.data_received(encode_text(b'{"type":"list"}', bytes(4)))
            assert before - shared.left == REQUEST_COSTS[Survey]
            connection.data_received(encode_text(b'{"type":"sync"}', bytes(4)))
            assert before - shared.left == REQUEST_COSTS[Survey], "it pays for single messages out of what it has drawn"
            connection.connection_lost(None)

    run(scenario)


def test_an_address_without_connections_is_forgotten_after_its_second(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        async with harbour() as place:
            ear, connection = Ear(), Connection(speaks(echo), place.connections)
            connection.connection_made(ear)
            connection.connection_lost(None)
            place.connections._sweep_slice()
            assert place.connections._budgets
            shared = budget(place)
            shared.since -= 2 * rate_limit.WINDOW_SECONDS
            place.connections._sweep_slice()
            assert not place.connections._budgets

    run(scenario)


def test_the_usual_number_of_messages_in_one_read_is_handled_at_once() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            pipe, connection = Pipe(), Connection(speaks(echo), place.connections)
            connection.connection_made(pipe)
            connection.data_received(b"x\n" * INLINE_MESSAGES)
            connection.flush()
            assert b"".join(pipe.written) == b"x\n" * INLINE_MESSAGES
            connection.connection_lost(None)

    run(scenario)


def test_an_address_that_has_used_its_share_of_the_loop_waits_for_its_turn_and_others_do_not() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            now = 0.0
            place.connections.turns.clock = lambda: now

            async def work(talk: Talk[Any]) -> None:
                nonlocal now
                while isinstance(heard := await talk.next_input(), bytes):
                    now += INLINE_BURST_SECONDS / 9.5
                    talk.say(heard + b"\n")

            ears: list[Ear] = []
            connections: list[Connection] = []

            def connect(address: str) -> None:
                ears.append(Ear())
                connections.append(Connection(speaks(work), place.connections, address))
                connections[-1].connection_made(ears[-1])

            def is_answered_at_once(number: int) -> bool:
                before = len(ears[number].written)
                connections[number].data_received(b"x\n")
                connections[number].flush()
                return len(ears[number].written) > before

            for _ in range(30):
                connect("10.0.0.1")
            assert all(map(is_answered_at_once, range(30))), "there is nobody to wait for"
            connect("10.0.0.2")
            answered = list(map(is_answered_at_once, range(30)))
            reserved = round((INLINE_BURST_SECONDS - RESERVED_SECONDS) / (INLINE_BURST_SECONDS / 9.5))
            assert reserved <= sum(answered) <= 10
            assert not answered[-1]
            assert is_answered_at_once(30)
            await place.settled(lambda: all(len(ear.written) == 2 for ear in ears[:-1]))
            now += INLINE_BURST_SECONDS / INLINE_SHARE
            assert is_answered_at_once(0)
            for connection in connections:
                connection.connection_lost(None)

    run(scenario)


def test_addresses_that_have_used_little_do_not_wait_for_many_that_have_used_more() -> None:
    """Forty addresses have time left, but not all of it may be used in the same loop iteration."""

    async def scenario() -> None:
        async with harbour() as place:
            now = 0.0
            place.connections.turns.clock = lambda: now

            async def work(talk: Talk[Any]) -> None:
                nonlocal now
                while isinstance(await talk.next_input(), bytes):
                    now += RESERVED_SECONDS
                    talk.say(b"x\n")

            ears = [Ear() for _ in range(41)]
            connections = [
                Connection(speaks(work), place.connections, f"10.0.0.{number}") for number in range(len(ears))
            ]
            for ear, connection in zip(ears, connections, strict=True):
                connection.connection_made(ear)

            def answered(numbers: Iterable[int]) -> int:
                before = sum(len(ear.written) for ear in ears)
                for number in numbers:
                    connections[number].data_received(b"x\n")
                    connections[number].flush()
                return sum(len(ear.written) for ear in ears) - before

            assert answered(range(40)) == 40, "the first message of each address does not wait"
            assert answered(range(40)) <= 1
            assert answered([40]) == 1
            await place.settled(lambda: sum(len(ear.written) for ear in ears) == 81)
            for connection in connections:
                connection.connection_lost(None)

    run(scenario)


class GuestList:
    """Keeps the guest of every connection."""

    def __init__(self) -> None:
        self.guests: list[Guest] = []

    def do(self, guest: Guest, request: object) -> None:
        self.guests.append(guest)

    def disconnected(self, guest: Guest) -> None:
        if guest in self.guests:
            self.guests.remove(guest)


async def spectate(talk: Talk[Any]) -> None:
    """Writes every notification and every line."""
    talk.do("watch")
    while not isinstance(heard := await talk.next_input(), Gone):
        talk.say(b"%s\n" % heard)


class Crowd:
    """Spectators from one address, and a player from another, who comes last; the clock stands still."""

    def __init__(
        self, place: Harbour, count: int, lobby: GuestList | None = None, script: Script = spectate, **dialect: Any
    ) -> None:
        place.connections.turns.clock = lambda: 0.0
        lobby = lobby or GuestList()
        place.connections.lobby = lobby
        self.connections: list[Connection] = []
        self.ears: list[Ear] = []
        for address in (*["10.0.0.1"] * count, "10.0.0.2"):
            self.connections.append(Connection(speaks(script, **dialect), place.connections, address))
            self.ears.append(Ear())
            self.connections[-1].connection_made(self.ears[-1])
        self.guests = lobby.guests

    def tell(self, number: int, notification: Any) -> None:
        self.guests[number].tell(notification)  # the scripts of these tests write anything

    def received(self, number: int) -> list[bytes]:
        """The lines that a client has been sent."""
        self.connections[number].flush()
        return b"".join(self.ears[number].written).splitlines()

    def use_up(self) -> int:
        """Notify the first spectator until a notification waits; return how many there were."""
        told = 0
        while len(self.received(0)) == told:
            self.tell(0, b"x")
            told += 1
        return told

    def close(self) -> None:
        for connection in self.connections:
            connection.connection_lost(None)


def test_notifications_to_an_address_that_has_used_its_share_wait_for_their_turn_and_others_do_not() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            crowd = Crowd(place, 3)
            told = crowd.use_up()
            for number in range(1, 4):
                crowd.tell(number, b"1")
            assert list(map(crowd.received, range(1, 4))) == [[], [], [b"1"]]
            crowd.connections[1].data_received(b"2\n")
            assert crowd.received(1) == [], "input is handled after the notifications before it"
            await place.settled(lambda: len(crowd.received(1)) == 2)
            assert list(map(crowd.received, range(4))) == [[b"x"] * told, [b"1", b"2"], [b"1"], [b"1"]]
            crowd.close()

    run(scenario)


def test_timers_and_announcements_follow_the_notifications_that_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    async def name_all(talk: Talk[Any]) -> None:
        talk.do("watch")
        talk.wake(0.001, "timer")
        while not isinstance(received := await talk.next_input(), Gone):
            talk.say(b"%s\n" % (received if isinstance(received, bytes) else type(received).__name__.encode()))

    async def scenario() -> None:
        async with harbour() as place:
            waiting: list[AddressQueue] = []
            monkeypatch.setattr(place.connections.turns, "join", waiting.append)
            crowd = Crowd(place, 1, script=name_all, announces=True)
            told = crowd.use_up()
            crowd.connections[0].announce(Announced(1, ""))
            crowd.connections[1].announce(Announced(1, ""))
            await place.settled(lambda: len(crowd.received(1)) == 2)  # both timers are due
            assert crowd.received(1) == [b"Announced", b"Woke"]
            assert crowd.received(0) == [b"x"] * (told - 1)
            (deferred,) = waiting
            while deferred.work(0.0):
                pass
            assert crowd.received(0) == [*[b"x"] * told, b"Announced", b"Woke"]
            crowd.close()

    run(scenario)


def test_a_conversation_with_an_address_that_has_used_its_share_starts_in_its_turn_and_loses_nothing() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            crowd = Crowd(place, 1)
            crowd.use_up()
            ear, late = Ear(), Connection(speaks(echo, greeting=b"hello\n"), place.connections, "10.0.0.1")
            late.connection_made(ear)
            late.data_received(b"1\n")
            late.flush()
            assert (ear.written, ear.reads) == ([], False)
            await place.settled(lambda: len(b"".join(ear.written).splitlines()) == 2)
            assert (b"".join(ear.written), ear.reads) == (b"hello\n1\n", True)
            late.connection_lost(None)
            crowd.close()

    run(scenario)


class EchoLobby(GuestList):
    """Answers every request at once."""

    def do(self, guest: Guest, request: object) -> None:
        if request == "watch":
            super().do(guest, request)
        else:
            guest.tell(b"answer to %s" % request)  # type: ignore[arg-type]  # the script of this test writes anything


async def request_all(talk: Talk[Any]) -> None:
    """Requests every line of the lobby, and writes the answers."""
    talk.do("watch")
    while not isinstance(received := await talk.next_input(), Gone):
        if received.startswith((b"answer", b"x")):
            talk.say(received + b"\n")
        else:
            talk.do(received)


@pytest.mark.parametrize("sent", [b"1\n", b"1\n2\n", b"1\n2\n3\n4\n5\n"])
def test_answers_to_an_address_that_has_used_its_share_follow_their_messages(sent: bytes) -> None:
    async def scenario() -> None:
        async with harbour() as place:
            crowd = Crowd(place, 1, EchoLobby(), request_all)
            told, lines = crowd.use_up(), sent.splitlines()
            crowd.connections[0].data_received(sent)
            await place.settled(lambda: len(crowd.received(0)) == told + len(lines))
            assert crowd.received(0) == [*[b"x"] * told, *(b"answer to " + line for line in lines)]
            crowd.close()

    run(scenario)


def test_a_farewell_follows_the_notifications_that_wait() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            crowd = Crowd(place, 1, farewell=b"bye\n")
            told = crowd.use_up()
            crowd.connections[0].say_farewell()
            assert crowd.received(0) == [*[b"x"] * told, b"bye", b"<closed>"]
            crowd.close()

    run(scenario)


def test_notifications_to_a_client_that_is_slowed_down_do_not_wait_for_the_rate_limit() -> None:
    async def scenario() -> None:
        async with harbour(messages=2) as place:
            crowd = Crowd(place, 1)
            crowd.connections[0].data_received(b"1\n2\n3\n")  # the third message waits for the next second
            await place.settled(lambda: crowd.received(0) == [b"1", b"2"])
            for _ in range(40):
                crowd.tell(0, b"x")
            assert len(crowd.received(0)) < 42
            await place.settled(lambda: len(crowd.received(0)) == 42)
            assert crowd.received(0) == [b"1", b"2", *[b"x"] * 40]
            crowd.close()

    run(scenario)


def test_notifications_that_wait_are_delivered_before_the_server_hangs_up() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            crowd = Crowd(place, 1)
            told = crowd.use_up()
            crowd.tell(0, b"y")
            assert crowd.received(0) == [b"x"] * (told - 1)
            crowd.connections[0].hang_up()
            assert crowd.received(0) == [*[b"x"] * told, b"y", b"<closed>"]
            crowd.close()

    run(scenario)


def test_a_client_for_which_too_many_notifications_wait_is_dropped() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            crowd = Crowd(place, 1)
            tally, guest = place.connections.tally, crowd.guests[0]
            crowd.use_up()
            for _ in range(MAX_UNDELIVERED - 1):
                crowd.tell(0, b"x")
            assert not tally.drops
            with capture_logs() as logs:
                crowd.tell(0, b"x")
            assert tally.drops == {("test", "slow"): 1}
            assert [line["event"] for line in logs] == ["dropped: too many notifications wait"]
            assert guest not in crowd.guests, "its seat is given up like that of any lost connection"
            crowd.close()

    run(scenario)


def test_a_list_of_tables_is_shared_by_all_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    made = 0

    def lists(matches: Sequence[Match], most: int) -> tuple[TableInfo, ...]:
        nonlocal made
        made += 1
        return ()

    monkeypatch.setattr(tell, "tables", lists)

    async def scenario() -> None:
        async with harbour() as place:
            for _ in range(10):
                pipe, connection = Pipe(), Connection(dialects.dialect("native"), place.connections)
                connection.connection_made(pipe)
                connection.data_received(encode_text(b'{"type":"hello"}', bytes(4)))
                for _ in range(50):
                    connection.data_received(encode_text(b'{"type":"list"}', bytes(4)))
                connection.flush()
                assert b"".join(pipe.written).count(b'"tables":[]') == 50
                connection.connection_lost(None)

    run(scenario)
    assert made < 20
