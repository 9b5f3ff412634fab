"""All connections: limits, and the shutdown."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from structlog.testing import capture_logs

from boardwire.dialects import dialect
from boardwire.errors import Unavailable
from boardwire.net import connections as crowd
from boardwire.net.connections import SWEEP_SLICE, Admission
from boardwire.net.listener import address, listen
from boardwire.talk import Talk
from boardwire.wire.websocket import Close, FrameDecoder

from .harbour import Wire, guests, harbour, run, speaks
from .test_connection import echo


async def refused(wire: Wire) -> bool:
    """Whether the server closed it at once."""
    try:
        return await wire.rest() == b""
    except ConnectionError:
        return True


def test_connections_per_address_are_limited() -> None:
    async def scenario() -> None:
        async with harbour(per_address=2) as place:
            port = await place.open(speaks(echo))
            one, two = await place.connect(port), await place.connect(port)
            await place.settled(lambda: len(place.connections.connections) == 2)
            with capture_logs() as logs:
                assert await refused(await place.connect(port))
            assert [(log["event"], log["peer"]) for log in logs] == [("too many connections", "127.0.0.1")]
            one.close()
            await place.settled(lambda: len(place.connections.connections) == 1)
            three = await place.connect(port)
            for wire in (two, three):
                wire.send(b"x\n")
                assert await wire.line() == "x"

    run(scenario)


def test_the_limit_is_per_address_and_0_disables_it() -> None:
    async def scenario() -> None:
        async with harbour(per_address=1) as place:
            port = await place.open(speaks(echo))
            for local in ("127.0.0.1", "127.0.0.2"):
                wire = Wire(*await asyncio.open_connection("127.0.0.1", port, local_addr=(local, 0)))
                wire.send(b"x\n")
                assert await wire.line() == "x"
                wire.close()
        async with harbour(per_address=0) as place:
            port = await place.open(speaks(echo))
            for wire in [await place.connect(port) for _ in range(20)]:
                wire.send(b"x\n")
                assert await wire.line() == "x"

    run(scenario)


def test_closed_connections_are_no_longer_counted() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(speaks(echo))
            wires = [await place.connect(port) for _ in range(5)]
            await place.settled(lambda: place.connections.by_address["127.0.0.1"] == 5)
            for wire in wires:
                wire.close()
            await place.settled(lambda: not place.connections.connections)
            assert dict(place.connections.by_address) == {}

    run(scenario)


def test_closing_all_connections_is_graceful() -> None:
    async def talkative(talk: Talk[Any]) -> None:
        await talk.next_input()
        talk.say(b"last words\n")
        await talk.notification()

    async def scenario() -> None:
        async with harbour() as place:
            wire = await place.connect(await place.open(speaks(talkative)))
            wire.send(b"x\nunread rubbish\n")
            first, second = await place.pair(await place.open("tris-lines"))
            going = asyncio.create_task(place.connections.close_all(5.0))
            assert await asyncio.wait_for(wire.rest(), 2) == b"last words\n"
            for player in (first, second):
                await player.rest()
            for gone in (wire, first, second):
                gone.close()
            await asyncio.wait_for(going, 1.0)
            assert not place.connections.connections

    run(scenario)


def test_clients_whose_protocol_can_express_it_are_notified_that_the_server_stops() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            wire = await place.connect(await place.open(speaks(echo, farewell=b"come again\n")))
            wire.send(b"x\n")
            assert await wire.line() == "x"
            going = asyncio.create_task(place.connections.close_all(5.0))
            assert await asyncio.wait_for(wire.rest(), 2) == b"come again\n"
            wire.close()
            await asyncio.wait_for(going, 1.0)

    run(scenario)


def test_native_clients_are_asked_to_reconnect() -> None:
    (told,) = FrameDecoder(masked=False).feed(dialect("native").farewell)
    assert isinstance(told, Close)
    assert told.code == 1012


def test_a_client_that_does_not_close_is_cut_off_after_the_timeout() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            wire = await place.connect(await place.open(speaks(echo)))
            wire.send(b"x\n")
            assert await wire.line() == "x"
            wire.writer.transport.pause_reading()  # type: ignore[attr-defined]  # a transport of a socket can
            started = asyncio.get_running_loop().time()
            await place.connections.close_all(0.1)
            assert 0.05 < asyncio.get_running_loop().time() - started < 1
            await place.settled(lambda: not place.connections.connections)

    run(scenario)


def test_a_port_that_is_taken_is_refused_with_its_reason() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            port = await place.open(speaks(echo))
            loop = asyncio.get_running_loop()
            with pytest.raises(Unavailable, match=rf"cannot listen on 127\.0\.0\.1:{port} for tris-lines: .*in use"):
                await listen(asyncio.Protocol, "tris-lines", "127.0.0.1", port, loop)
            with pytest.raises(Unavailable, match=r"cannot listen on no\.such\.host\.invalid:0 for tris-lines"):
                await listen(asyncio.Protocol, "tris-lines", "no.such.host.invalid", 0, loop)
            with pytest.raises(Unavailable, match=r"cannot listen on a{80}:0 for tris-lines"):
                await listen(asyncio.Protocol, "tris-lines", "a" * 80, 0, loop)

    run(scenario)


def test_port_0_picks_a_free_one() -> None:
    async def scenario() -> None:
        loop = asyncio.get_running_loop()
        servers = [await listen(asyncio.Protocol, "test", "127.0.0.1", 0, loop) for _ in range(2)]
        ports = {address(server)[1] for server in servers}
        assert len(ports) == 2
        assert 0 not in ports
        for server in servers:
            server.close()

    run(scenario)


def test_a_guest_knows_where_it_comes_from() -> None:
    async def scenario() -> None:
        async with harbour() as place:
            await place.connect(await place.open(speaks(echo)))
            await place.settled(lambda: len(place.connections.connections) == 1)
            assert [guest.address_key for guest in guests(place)] == ["127.0.0.1"]

    run(scenario)


def test_behind_a_proxy_all_have_one_address_without_quota() -> None:
    async def scenario() -> None:
        async with harbour(per_address=0) as place:
            await place.connect(await place.open(speaks(echo)))
            await place.settled(lambda: len(place.connections.connections) == 1)
            assert [guest.address_key for guest in guests(place)] == [""]

    run(scenario)


def test_an_address_holds_no_more_connections_than_are_left_for_others() -> None:
    async def scenario() -> None:
        async with harbour(per_address=100) as place:
            connections = place.connections
            connections.max_connections = 12

            def fill(address_key: str) -> int:
                taken = 0
                while connections.enter(address_key) is Admission.ADMITTED:
                    taken += 1
                return taken

            assert [fill(address_key) for address_key in ("one", "two", "three")] == [7, 3, 2]
            assert connections.enter("four") is Admission.FULL
            for _ in range(3):
                connections.leave("one")
            assert connections.enter("one") is Admission.TOO_MANY_CONNECTIONS
            assert connections.enter("four") is Admission.ADMITTED

    run(scenario)


def test_a_nearly_full_server_drops_connections_without_a_seat_of_the_address_with_the_most() -> None:
    async def scenario() -> None:
        async with harbour(per_address=1000) as place:
            connections = place.connections
            connections.max_connections = 640
            crowds = {"many": 300, "more": 320}
            clients = {key: [Unread(key, 0) for _ in range(count)] for key, count in crowds.items()}
            connections.outboxes += clients.values()
            for key, count in crowds.items():
                connections.by_address[key] = count
            connections._count = 600
            with capture_logs() as logs:
                assert connections.enter("new") is Admission.ADMITTED
                await asyncio.sleep(0)
                assert not logs, "a sixteenth is left"
                assert connections.enter("new") is Admission.ADMITTED
                await place.settled(lambda: bool(logs))
            assert {key: sum(one.dropped for one in clients[key]) for key in clients} == {"many": 0, "more": 64}
            assert (logs[0]["address"], logs[0]["held"]) == ("more", 320)

    run(scenario)


class Unread:
    """Client with this number of unread bytes."""

    def __init__(self, address_key: str, unsent: int, looked: Callable[[], object] = lambda: None) -> None:
        self.address_key = address_key
        self._unsent, self._looked = unsent, looked
        self.dropped = False

    @property
    def unsent(self) -> int:
        self._looked()
        return self._unsent

    def abort(self) -> None:
        self._unsent = 0
        self.dropped = True


def test_an_address_with_too_many_unread_bytes_loses_its_slowest_clients(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "UNSENT_CHECK_SECONDS", 0.0)

    async def scenario() -> None:
        async with harbour(unsent_from=1000) as place:
            checked: list[str] = []
            slow = [Unread("slow", unsent, lambda: checked.append("slow")) for unsent in (300, 500, 200, 400)]
            others = [Unread("a", 1000, lambda: checked.append("a")), Unread("b", 900)]
            place.connections.outboxes += [slow[:2], [*slow[2:], *others]]
            with capture_logs() as logs:
                place.connections.check_unsent("a")
                await place.settled(lambda: bool(checked))
                assert checked == ["a"], "only the address that has written is checked"
                for address_key in ("slow", "b"):
                    place.connections.check_unsent(address_key)
                await place.settled(lambda: slow[1].unsent == 0)
            assert [one.unsent for one in slow] == [300, 0, 200, 400]
            assert [one.unsent for one in others] == [1000, 900]
            (line,) = logs
            assert (line["event"], line["address"], line["unsent"]) == (
                "dropped: too many unread bytes from one address", "slow", 1400,
            )  # fmt: skip

    run(scenario)


def test_a_sweep_checks_some_connections_in_each_iteration_of_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "SWEEP_SECONDS", 0.05)

    async def scenario() -> None:
        iteration = 0

        def count_iteration() -> None:
            nonlocal iteration
            iteration += 1
            loop.call_soon(count_iteration)

        def note(iterations: list[int]) -> None:
            iterations.append(iteration)

        loop = asyncio.get_running_loop()
        count_iteration()
        async with harbour(unsent_from=1000) as place:
            checked: list[list[int]] = [[] for _ in range(4 * SWEEP_SLICE + 1)]
            many = [Unread("many", 1, partial(note, one)) for one in checked]
            place.connections.outboxes.append(many)
            await place.settled(lambda: all(len(one) >= 2 for one in checked))
            assert max(Counter(one[0] for one in checked).values()) == SWEEP_SLICE
            assert {one.unsent for one in many} >= {0, 1}, "their sum was over the limit"

    run(scenario)
