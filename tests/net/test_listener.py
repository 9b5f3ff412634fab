"""Listeners: every loop, every address, and a burst of connections."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable
from typing import cast

import pytest
import uvloop

from boardwire.errors import Unavailable
from boardwire.net import listener
from boardwire.net.listener import address, listen

LOOPS = [pytest.param(asyncio.new_event_loop, id="asyncio"), pytest.param(uvloop.new_event_loop, id="uvloop")]
HERE = "127.0.0.1"


class Counted(asyncio.Protocol):
    """Protocol that records when its connection was made."""

    def __init__(self, made: list[asyncio.Transport]) -> None:
        self.made = made

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.made.append(cast("asyncio.Transport", transport))


@pytest.mark.parametrize("new_loop", LOOPS)
def test_a_burst_of_connections_is_accepted_in_a_few_turns_of_the_loop(
    new_loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    """libuv accepts one connection per turn; on a busy server a client then waits behind a whole backlog."""
    made: list[asyncio.Transport] = []

    async def main() -> int:
        loop = asyncio.get_running_loop()
        server = await listen(lambda: Counted(made), "test", HERE, 0, loop)
        clients = [socket.create_connection(address(server)) for _ in range(200)]
        turns = 0
        while len(made) < len(clients) and turns < 1000:
            turns += 1
            await asyncio.sleep(0)
        server.close()
        for transport in made:
            transport.close()
        for client in clients:
            client.close()
        return turns

    with asyncio.Runner(loop_factory=new_loop) as runner:
        turns = runner.run(main())
    assert len(made) == 200
    assert turns < 20


@pytest.mark.parametrize("new_loop", LOOPS)
def test_a_closed_listener_refuses_connections_and_keeps_those_it_has(
    new_loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    made: list[asyncio.Transport] = []

    async def main() -> None:
        server = await listen(lambda: Counted(made), "test", HERE, 0, asyncio.get_running_loop())
        where = address(server)
        reader, writer = await asyncio.open_connection(*where)
        while not made:
            await asyncio.sleep(0)
        server.close()
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(*where)
        transport = made[0]
        transport.write(b"still here")
        assert await reader.readexactly(10) == b"still here"
        assert transport.get_extra_info("peername") == writer.get_extra_info("sockname")
        writer.close()
        transport.close()

    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(main())


@pytest.mark.parametrize("new_loop", LOOPS)
def test_accepting_pauses_while_no_file_can_be_opened(
    new_loop: Callable[[], asyncio.AbstractEventLoop], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[asyncio.Transport] = []
    monkeypatch.setattr(listener, "ACCEPT_RETRY_SECONDS", 0.01)
    failures = iter([errno.EMFILE, errno.ENFILE])
    accept = socket.socket.accept

    def failing(self: socket.socket) -> tuple[socket.socket, object]:
        for number in failures:
            raise OSError(number, "too many open files")
        return accept(self)

    monkeypatch.setattr(socket.socket, "accept", failing)

    async def main() -> None:
        server = await listen(lambda: Counted(made), "test", HERE, 0, asyncio.get_running_loop())
        with socket.create_connection(address(server)):
            async with asyncio.timeout(5):
                while not made:
                    await asyncio.sleep(0.001)
        server.close()
        made[0].close()

    with asyncio.Runner(loop_factory=new_loop) as runner:
        runner.run(main())
    assert next(failures, None) is None


def test_a_port_that_is_taken_is_refused_with_the_reason() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        server = await listen(asyncio.Protocol, "test", HERE, 0, loop)
        with pytest.raises(Unavailable, match=rf"cannot listen on {HERE}:\d+ for test: Address already in use"):
            await listen(asyncio.Protocol, "test", HERE, address(server)[1], loop)
        server.close()

    asyncio.run(main())


def test_an_ipv6_address_is_shown_in_brackets() -> None:
    async def main() -> tuple[str, int]:
        server = await listen(asyncio.Protocol, "test", "::1", 0, asyncio.get_running_loop())
        try:
            return address(server)
        finally:
            server.close()

    assert asyncio.run(main())[0] == "[::1]"


@pytest.mark.skipif(not hasattr(socket, "TCP_NOTSENT_LOWAT"), reason="this system has no such option")
@pytest.mark.parametrize("new_loop", LOOPS)
def test_unread_output_is_queued_here_and_not_in_the_kernel(
    new_loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    """The limits of unread bytes count what the transport has; the kernel took 2.3 MB more for each client."""
    made: list[asyncio.Transport] = []
    size = 2_000_000

    async def main() -> int:
        server = await listen(lambda: Counted(made), "test", HERE, 0, asyncio.get_running_loop())
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(address(server))
            while not made:
                await asyncio.sleep(0.001)
            made[0].write(b"x" * size)
            for _ in range(20):
                await asyncio.sleep(0.01)
            unsent = made[0].get_write_buffer_size()
            made[0].abort()
        server.close()
        return unsent

    with asyncio.Runner(loop_factory=new_loop) as runner:
        unsent = runner.run(main())
    assert unsent > size - 2 * listener.MAX_KERNEL_UNSENT_BYTES
