"""Where clients come in, and how each gets a connection of its own to the foreign server.

Sockets only: what the two ends say to each other is a `Bridge`'s business.  A client is served by the same connection
that a server has for it (`net`); the foreign server is called by the same one that a player at a terminal has
(`clients`).  A foreign server that cannot be reached is one sentence, and the end of that client's connection.
"""

from __future__ import annotations

import asyncio
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from boardwire import dialects
from boardwire.bridge.bridge import Bridge
from boardwire.dialects.dialect import Dialect, PlayerNews, Seating
from boardwire.errors import Malformed, Unavailable
from boardwire.net.asgi import Message, Scope
from boardwire.net.client import ClientConnection, connect, unreachable
from boardwire.net.connection import Connection
from boardwire.net.connections import Crowd, Limits
from boardwire.net.http import HttpServer
from boardwire.net.listener import Listener, address, listen
from boardwire.table.guest import Guest
from boardwire.wire.text import escaped

PATIENCE = 2.0
"""Seconds that connections have to end when the adapter does."""

Say = Callable[[str], None]


class LoopClock:
    """The time of an event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def now(self) -> float:
        return time.time()

    def later(self, seconds: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        return self._loop.call_later(seconds, call)


class Caller:
    """Our client on the foreign server, for one bridge."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge

    def hear(self, connection: ClientConnection, news: PlayerNews) -> None:
        """See `boardwire.net.client.Player`."""
        self._bridge.connected(connection)
        self._bridge.hear(news)


class Adapter:
    """Clients of `near` on a server of `far`; every guest of its crowd has a bridge of its own."""

    def __init__(self, near: Dialect, far: Dialect, where: tuple[str, int], say: Say) -> None:
        self._near = near
        self._far = far
        self._where = where
        self._say = say
        self._loop = asyncio.get_running_loop()
        self._clock = LoopClock(self._loop)
        self._bridges: dict[Guest, Bridge] = {}
        self._following: set[Bridge] = set()
        """Bridges whose client has left and whose far connection is still needed."""
        self._calls: set[asyncio.Task[None]] = set()
        self._count = 0
        self._crowd = Crowd(self, Limits(), self._loop)
        self._server: Listener | None = None
        self._http: HttpServer | None = None

    # --- net.crowd.Lobby ----------------------------------------------------------------------------------------------

    def do(self, guest: Guest, request: Any) -> None:
        """What a client's script asks."""
        bridge = self._bridges.get(guest)
        if bridge is None:
            bridge = self._bridges[guest] = self._bridge(guest)
        bridge.do(request)

    def goodbye(self, guest: Guest) -> None:
        """A client is gone."""
        bridge = self._bridges.pop(guest, None)
        if bridge is not None:
            bridge.goodbye()
            self._following = {one for one in (*self._following, bridge) if one.is_following}

    def _bridge(self, guest: Guest) -> Bridge:
        self._count += 1
        number = self._count

        def say(text: str) -> None:
            self._say(f"{number}: {escaped(text)}")

        def call(seating: Seating) -> None:
            task = self._loop.create_task(self._call(bridge, seating))
            self._calls.add(task)
            task.add_done_callback(self._calls.discard)

        bridge = Bridge(guest, self._near, self._far, self._clock, call, say)
        return bridge

    async def _call(self, bridge: Bridge, seating: Seating) -> None:
        try:
            connection = await connect(self._far, *self._where, seating, Caller(bridge))
        except Unavailable as reason:
            bridge.failed(reason)
            return
        bridge.connected(connection)

    # --- listening ----------------------------------------------------------------------------------------------------

    async def listen(self, host: str, port: int) -> tuple[str, int]:
        """Let clients come; where they can."""
        door: Callable[..., asyncio.Protocol] = partial(Connection, self._near, self._crowd)
        if not self._near.game:
            self._http = HttpServer(_nothing_else, self._crowd, door)
            door = self._http.protocol
        self._server = await listen(door, self._near.name, host, port, self._loop)
        return address(self._server)

    async def stop(self) -> None:
        """Let nobody else come, and end all conversations."""
        if self._server is not None:
            self._server.close()
        if self._http is not None:
            self._http.close()
        for task in tuple(self._calls):
            task.cancel()
        await self._crowd.disperse(PATIENCE)
        for bridge in (*self._bridges.values(), *self._following):
            bridge.leave()


async def _nothing_else(
    scope: Scope, receive: Callable[[], Awaitable[Message]], send: Callable[[Message], Awaitable[None]]
) -> None:
    """The HTTP port of an adapter has nothing but the WebSocket."""
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": 404, "headers": headers})
    await send({"type": "http.response.body", "body": b"Here is nothing but a WebSocket at /ws.\n"})


def pair(near: str, far: str) -> tuple[Dialect, Dialect]:
    """The two dialects, if one can be adapted to the other; `Malformed` says why not."""
    one, other = dialects.dialect(near), dialects.dialect(far)
    if one is other:
        raise Malformed(f"{near} needs no adapter to itself; boardwire proxy stands between the two")
    if one.game and other.game and one.game != other.game:
        raise Malformed(f"{near} is for {one.game}, and {far} for {other.game}: both must be of one game")
    if near.startswith("santorini-actions") and far == "santorini-objects/d1":
        raise Malformed(
            f"{near} has no word for an optional step that {far} does not take; "
            "santorini-objects and santorini-objects/shipped take them"
        )
    return one, other


def run(near: str, listening: tuple[str, int], far: str, where: tuple[str, int]) -> None:
    """Run an adapter until SIGTERM or Ctrl-C."""
    asyncio.run(_run(*pair(near, far), listening, where))


async def _run(near: Dialect, far: Dialect, listening: tuple[str, int], where: tuple[str, int]) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await _resolve(loop, *where)
    adapter = Adapter(near, far, where, lambda text: print(f"boardwire: {text}", file=sys.stderr, flush=True))
    host, port = await adapter.listen(*listening)
    print(f"listening {near.name} {host}:{port}", flush=True)
    print("ready", flush=True)
    await stop.wait()
    await adapter.stop()


async def _resolve(loop: asyncio.AbstractEventLoop, host: str, port: int) -> None:
    """See that there is such a host.  Nobody is connected: a server may take every connection for a player."""
    try:
        await loop.getaddrinfo(host, port)
    except (OSError, UnicodeError) as error:
        raise unreachable(host, port, error) from None
