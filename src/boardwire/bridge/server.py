"""The adapter: listen for clients of one protocol and connect each to a server of another.

This module has only the sockets; a `Bridge` translates. Clients are served by `net.connection`, as on a server; the
connection to the foreign server is made by `net.client`, as from a terminal. If the server cannot be reached, the
adapter reports this and closes the client's connection.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from boardwire import dialects
from boardwire.bridge.bridge import Bridge
from boardwire.dialects.dialect import ClientOptions, Dialect, PlayerMessage
from boardwire.errors import Malformed, Unavailable
from boardwire.net.asgi import Message, Scope
from boardwire.net.client import ClientConnection, connect, connection_error
from boardwire.net.connection import Connection
from boardwire.net.connections import ConnectionLimits, Connections
from boardwire.net.http import HttpServer
from boardwire.net.listener import Listener, address, listen
from boardwire.net.signals import on_ending
from boardwire.table.guest import Guest
from boardwire.table.ports import Journal
from boardwire.wire.text import escaped

CLOSE_SECONDS = 2.0
"""Time for connections to close when the adapter stops."""

ReportDeviation = Callable[[str], None]
"""Function that prints a sentence for the operator of the adapter."""


class LoopClock:
    """Wall clock whose timers are those of an event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def now(self) -> float:
        return time.time()

    def later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        return self._loop.call_later(seconds, call)


class BridgePlayer:
    """Player of the server connection, which passes notifications to a bridge."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge

    def receive(self, connection: ClientConnection, notification: PlayerMessage) -> None:
        """Pass a notification to the bridge (implements `boardwire.net.client.Player`)."""
        self._bridge.connected(connection)
        self._bridge.receive(notification)


class Adapter:
    """Listener for clients of one dialect, with a bridge from each client to a server of another dialect."""

    def __init__(
        self,
        client_dialect: Dialect,
        server_dialect: Dialect,
        server: tuple[str, int],
        report: ReportDeviation,
        journal: Journal | None = None,
    ) -> None:
        self._client_dialect = client_dialect
        self._server_dialect = server_dialect
        self._server_address = server
        self._report = report
        self._journal = journal
        """Journal of the local matches, or None if they are not stored."""
        self._loop = asyncio.get_running_loop()
        self._clock = LoopClock(self._loop)
        self._bridges: dict[Guest, Bridge] = {}
        self._following: set[Bridge] = set()
        """Bridges whose client has left and whose server connection must stay open."""
        self._connecting: set[asyncio.Task[None]] = set()
        self._count = 0
        self._connections = Connections(self, ConnectionLimits(), self._loop)
        self._server: Listener | None = None
        self._http: HttpServer | None = None

    # --- net.connections.Lobby --------------------------------------------------------------------------------------

    def do(self, guest: Guest, request: Any) -> None:
        """Handle a request of a client's script."""
        bridge = self._bridges.get(guest)
        if bridge is None:
            bridge = self._bridges[guest] = self._new_bridge(guest)
        bridge.do(request)

    def disconnected(self, guest: Guest) -> None:
        """Handle the end of a client's connection."""
        bridge = self._bridges.pop(guest, None)
        if bridge is not None:
            bridge.disconnected()
            self._following = {followed for followed in (*self._following, bridge) if followed.is_following}

    def _new_bridge(self, guest: Guest) -> Bridge:
        """Return a bridge for a new client; its reports begin with the number of the client."""
        self._count += 1
        number = self._count

        def report(text: str) -> None:
            self._report(f"{number}: {escaped(text)}")

        def connect_bridge(options: ClientOptions) -> None:
            task = self._loop.create_task(self._connect_bridge(bridge, options))
            self._connecting.add(task)
            task.add_done_callback(self._connecting.discard)

        bridge = Bridge(
            guest, self._client_dialect, self._server_dialect, self._clock, connect_bridge, report, self._journal
        )
        return bridge

    async def _connect_bridge(self, bridge: Bridge, options: ClientOptions) -> None:
        try:
            connection = await connect(self._server_dialect, *self._server_address, options, BridgePlayer(bridge))
        except Unavailable as reason:
            bridge.failed(reason)
            return
        bridge.connected(connection)

    # --- listening ----------------------------------------------------------------------------------------------------

    async def listen(self, host: str, port: int) -> tuple[str, int]:
        """Start to listen; return the host and port."""
        protocol: Callable[..., asyncio.Protocol] = partial(Connection, self._client_dialect, self._connections)
        if not self._client_dialect.game:
            self._http = HttpServer(_nothing_else, self._connections, protocol)
            protocol = self._http.protocol
        self._server = await listen(protocol, self._client_dialect.name, host, port, self._loop)
        return address(self._server)

    async def stop(self) -> None:
        """Stop listening and close all connections."""
        if self._server is not None:
            self._server.close()
        if self._http is not None:
            self._http.close()
        for task in tuple(self._connecting):
            task.cancel()
        await self._connections.close_all(CLOSE_SECONDS)
        for bridge in (*self._bridges.values(), *self._following):
            bridge.leave()


async def _nothing_else(
    scope: Scope, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
) -> None:
    """Answer 404 to every HTTP request: this port has only the WebSocket."""
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": 404, "headers": headers})
    await send({"type": "http.response.body", "body": b"not found: this port has only the WebSocket /ws\n"})


def pair(client: str, server: str) -> tuple[Dialect, Dialect]:
    """Return the dialects of client and server; raise `Malformed` if clients cannot be adapted to the server."""
    client_dialect, server_dialect = dialects.dialect(client), dialects.dialect(server)
    if client_dialect is server_dialect:
        raise Malformed(
            f"a client and a server that both speak {client} need no adapter; "
            "`boardwire proxy` shows their conversation"
        )
    if client_dialect.game and server_dialect.game and client_dialect.game != server_dialect.game:
        raise Malformed(
            f"{client} is a protocol for {client_dialect.game} and {server} for {server_dialect.game}; "
            "choose two protocols of one game"
        )
    if client.startswith("santorini-actions") and server == "santorini-objects/d1":
        raise Malformed(
            f"{client} has no message for declining an optional step, and {server} has no optional steps; "
            "use santorini-objects or santorini-objects/shipped as the server's protocol"
        )
    return client_dialect, server_dialect


def run(client_dialect: str, listening: tuple[str, int], server_dialect: str, server: tuple[str, int]) -> None:
    """Run an adapter until SIGTERM or Ctrl-C."""
    asyncio.run(_run_adapter(*pair(client_dialect, server_dialect), listening, server))


async def _run_adapter(
    client_dialect: Dialect, server_dialect: Dialect, listening: tuple[str, int], server: tuple[str, int]
) -> None:
    """Run an adapter until a signal ends it; print its address when it is ready."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    on_ending(loop, lambda number: stop.set())
    await _check_host(loop, *server)
    adapter = Adapter(client_dialect, server_dialect, server, _print_report)
    host, port = await adapter.listen(*listening)
    print(f"listening {client_dialect.name} {host}:{port}", flush=True)
    print("ready", flush=True)
    await stop.wait()
    await adapter.stop()


def _print_report(text: str) -> None:
    print(f"boardwire: {text}", file=sys.stderr, flush=True)


async def _check_host(loop: asyncio.AbstractEventLoop, host: str, port: int) -> None:
    """Raise `Unavailable` if the host name cannot be resolved.

    No connection is made: a server may take every connection for a player.
    """
    try:
        await loop.getaddrinfo(host, port)
    except (OSError, UnicodeError) as error:
        raise connection_error(host, port, error) from None
