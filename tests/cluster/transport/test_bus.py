"""The bus, over a real NATS server."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Callable, Coroutine
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest
import uvloop
from scripts.nats import nats
from scripts.ports import free_port

from boardwire.cluster.transport import bus as bus_module
from boardwire.cluster.transport.authentication import Authenticator
from boardwire.cluster.transport.bus import NatsBus
from boardwire.errors import ConfigError, Unavailable
from boardwire.wire.nats import Login, connect, publish

pytestmark = pytest.mark.cluster

FIXTURES = Path(__file__).parent / "fixtures"
CERTIFICATE = FIXTURES / "certificate.pem"
TLS = f'tls: {{cert_file: "{CERTIFICATE}", key_file: "{FIXTURES / "key.pem"}"}}'
SECONDS = 20
KEY = bytes(32)


def bus(url: str, name: str, arrive: Callable[[bytes], None], ca_file: str = "") -> NatsBus:
    """A node's connection; all nodes here have one key."""
    return NatsBus(url, "c", Authenticator(KEY, name), name, arrive, ca_file)


async def until(true: Callable[[], bool]) -> None:
    """Wait until the condition holds."""
    async with asyncio.timeout(SECONDS):
        while not true():
            await asyncio.sleep(0.01)


async def passes(url: str, ca_file: str = "") -> None:
    """Check that a message reaches another node."""
    heard: list[bytes] = []
    one, other = bus(url, "one", heard.append, ca_file), bus(url, "other", heard.append, ca_file)
    await one.connect()
    await other.connect()
    one.send("other", b"hello")
    await until(lambda: heard == [b"hello"])
    await one.close()
    await other.close()


def refusal(url: str) -> str:
    """Return why a node cannot connect."""

    async def come() -> None:
        await bus(url, "one", lambda data: None).connect()

    with pytest.raises((ConfigError, Unavailable)) as refused:
        asyncio.run(come())
    return str(refused.value)


def test_messages_above_the_payload_limit_arrive_whole_and_in_order() -> None:
    messages = [b"before", bytes(number % 251 for number in range(2_500_000)), b"after"]
    heard: list[bytes] = []

    async def scenario(url: str) -> None:
        one, other = bus(url, "one", heard.append), bus(url, "other", heard.append)
        await one.connect()
        await other.connect()
        for message in messages:
            one.send("other", message)
        await until(lambda: len(heard) == len(messages))
        await one.close()
        await other.close()

    with nats() as server:
        asyncio.run(scenario(server.url))
    assert heard == messages


def alone(scenario: Callable[[NatsBus, list[bytes]], Coroutine[Any, Any, None]], url: str) -> None:
    """Connect one node to the bus, which sends messages to itself."""

    async def run() -> None:
        heard: list[bytes] = []
        node = bus(url, "one", heard.append)
        await node.connect()
        await scenario(node, heard)
        await node.close()

    asyncio.run(run())


def test_a_node_reconnects_when_its_server_is_back() -> None:
    with nats() as server:

        async def scenario(bus: NatsBus, heard: list[bytes]) -> None:
            server.stop()
            await until(lambda: not bus.up)
            bus.send("one", b"lost")
            server.start()
            await until(lambda: bus.up)
            bus.send("one", b"said")
            await until(lambda: heard == [b"said"])

        alone(scenario, server.url)


def test_a_connection_without_pongs_is_dropped_and_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus_module, "PING_SECONDS", 0.05)
    with nats() as server:

        async def scenario(bus: NatsBus, heard: list[bytes]) -> None:
            os.kill(server.pid, signal.SIGSTOP)
            await until(lambda: not bus.up)
            os.kill(server.pid, signal.SIGCONT)
            await until(lambda: bus.up)
            bus.send("one", b"said")
            await until(lambda: heard == [b"said"])

        alone(scenario, server.url)


def test_messages_for_a_server_that_does_not_read_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus_module, "MAX_UNSENT_BYTES", 1_000_000)
    with nats() as server:

        async def scenario(bus: NatsBus, heard: list[bytes]) -> None:
            os.kill(server.pid, signal.SIGSTOP)
            for _ in range(200):
                bus.send("one", bytes(100_000))
            os.kill(server.pid, signal.SIGCONT)
            await asyncio.sleep(0.5)
            assert 0 < len(heard) < 150

        alone(scenario, server.url)


def test_an_error_in_a_handler_is_reported_and_the_next_message_arrives() -> None:
    heard: list[bytes] = []
    faults: list[str] = []

    def hear(data: bytes) -> None:
        if data == b"bad":
            raise ValueError(data)
        heard.append(data)

    async def scenario(url: str) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(repr(context["exception"])))
        node = bus(url, "one", hear)
        await node.connect()
        node.send("one", b"bad")
        node.send("one", b"good")
        await until(lambda: heard == [b"good"])
        await node.close()

    with nats() as server:
        asyncio.run(scenario(server.url))
    assert faults == ["ValueError(b'bad')"]


def test_a_node_logs_in_by_user_and_password() -> None:
    with nats('authorization: {user: "ann", password: "a:b/c"}') as server:
        asyncio.run(passes(server.url.replace("//", "//ann:a%3Ab%2Fc@")))
        for wrong in ("//", "//ann:wrong@"):
            words = refusal(server.url.replace("//", wrong))
            assert "Authorization Violation" in words
            assert "wrong" not in words


def test_a_node_logs_in_by_a_token() -> None:
    with nats('authorization: {token: "sesame"}') as server:
        asyncio.run(passes(server.url.replace("//", "//sesame@")))
        assert "Authorization Violation" in refusal(server.url.replace("//", "//basil@"))


def test_missing_permissions_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bus_module, "CONNECT_SECONDS", 1.0)
    closed = 'authorization: {users: [{user: eve, password: x, permissions: {publish: "other", subscribe: "other"}}]}'
    with nats(closed) as server:
        words = refusal(server.url.replace("//", "//eve:x@"))
    assert "this node cannot publish to boardwire.c.* on NATS, or cannot subscribe to it" in words
    assert "Permissions Violation" in words


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])  # each has its own way to begin TLS in mid-connection
@pytest.mark.parametrize("scheme", ["nats", "tls"])
def test_tls_is_used_if_the_server_requires_it(
    run: Callable[[Coroutine[Any, Any, None]], None], scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    with nats(TLS) as server:
        run(passes(server.url.replace("nats", scheme)))


def test_the_certificate_authority_of_the_bus_can_be_configured() -> None:
    with nats(TLS) as server:
        asyncio.run(passes(server.url.replace("nats", "tls"), str(CERTIFICATE)))


def test_forged_payloads_are_dropped_and_the_nodes_go_on() -> None:
    forged = [b"", b"echo", b"piece one 0 2\nhalf", b"probe12345678", bytes(100), b"x" * 100_000]
    with nats() as server:

        async def scenario(node: NatsBus, heard: list[bytes]) -> None:
            _, writer = await asyncio.open_connection("127.0.0.1", int(server.url.rpartition(":")[2]))
            writer.write(connect(Login("intruder")))
            writer.writelines(publish(b"boardwire.c.one", payload) for payload in forged * 100)
            await writer.drain()
            await until(lambda: node.rejected == len(forged) * 100)
            node.send("one", b"said")
            await until(lambda: heard == [b"said"])
            writer.close()

        alone(scenario, server.url)


def test_an_untrusted_certificate_is_refused() -> None:
    with nats(TLS) as server:
        assert "certificate verify failed" in refusal(server.url.replace("nats", "tls"))


def test_a_tls_address_is_refused_without_tls() -> None:
    with nats() as server:
        assert "does not support TLS" in refusal(server.url.replace("nats", "tls"))


def test_a_server_that_does_not_speak_nats_is_refused() -> None:
    def greet(server: socket.socket) -> None:
        wire, _ = server.accept()
        with wire:
            wire.sendall(b"220 outbox.example ESMTP\r\n")
            with suppress(OSError):
                wire.recv(1)

    with socket.create_server(("127.0.0.1", 0)) as server:
        greeting = threading.Thread(target=greet, args=(server,))
        greeting.start()
        assert refusal(f"nats://127.0.0.1:{server.getsockname()[1]}").endswith(
            f"cannot connect to NATS at 127.0.0.1:{server.getsockname()[1]}: "
            "unexpected NATS command: b'220 outbox.example ESMTP'"
        )
        greeting.join()


def test_a_node_reconnects_to_another_server_of_the_nats_cluster() -> None:
    routes = [free_port(), free_port()]
    settings = 'cluster: {{name: "c", listen: "127.0.0.1:{}", routes: ["nats://127.0.0.1:{}"]}}'
    with ExitStack() as stack:
        first = stack.enter_context(nats(settings.format(*routes)))
        second = stack.enter_context(nats(settings.format(*reversed(routes))))

        async def scenario() -> None:
            heard: list[bytes] = []
            one, other = (bus(server.url, name, heard.append)
                          for server, name in ((first, "one"), (second, "other")))  # fmt: skip
            await one.connect()
            await other.connect()
            await until(lambda: one._connection is not None and len(one._connection.latest.connect_urls) == 2)
            first.stop()
            await until(lambda: not one.up)
            await until(lambda: one.up)
            one.send("other", b"hello")
            await until(lambda: heard == [b"hello"])
            await one.close()
            await other.close()

        asyncio.run(scenario())
