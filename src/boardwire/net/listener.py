"""Listening sockets, and the accept loop.

uvloop accepts one connection per loop iteration (libuv 1.45 and later). On a server whose iterations take 10 ms, a few
hundred new connections a second fill the backlog, and every client waits behind all of them: `/healthz` took 3.7 s. So
connections are accepted here, up to `ACCEPTS_PER_TURN` per iteration. The event loop of Windows cannot watch a
listening socket; there, a task per socket accepts one connection after the other.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Sequence
from typing import Final

import structlog

from boardwire.errors import Unavailable
from boardwire.logs import LogThrottle

log = structlog.get_logger("boardwire.net")

BACKLOG: Final = 4096
"""Connections that may wait to be accepted, per socket: a whole class may connect in the same second."""
ACCEPTS_PER_TURN: Final = 16
"""Connections accepted per loop iteration."""
MAX_KERNEL_UNSENT_BYTES: Final = 128 * 1024
"""Bytes that the kernel buffers for a client that does not read. By default it buffers 2.3 MB, which no limit of the
server counts: gigabytes for one address."""
ACCEPT_RETRY_SECONDS: Final = 0.1
"""Pause after an accept failed because no file descriptor was free."""
ACCEPT_LOG_SECONDS: Final = 10.0
"""Minimum interval between log lines about failed accepts."""


class Listener:
    """The listening sockets of one port, by address family."""

    def __init__(
        self,
        sockets: Sequence[socket.socket],
        protocol: Callable[[], asyncio.Protocol],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self.sockets = sockets
        self._protocol = protocol
        self._loop = loop
        self._log_throttle = LogThrottle(ACCEPT_LOG_SECONDS, loop.time)
        self._connect_tasks: set[asyncio.Task[None]] = set()
        """The loop keeps only weak references to tasks."""
        self._accept_tasks: list[asyncio.Task[None]] = []
        """One task per socket, on a loop that cannot watch sockets."""
        for listening_socket in sockets:
            self._watch(listening_socket)

    def close(self) -> None:
        """Stop listening. Connections that were accepted stay open."""
        for task in self._accept_tasks:
            task.cancel()
        for listening_socket in self.sockets:
            if listening_socket.fileno() >= 0:
                if not self._accept_tasks:
                    self._loop.remove_reader(listening_socket)
                listening_socket.close()

    def _watch(self, listening_socket: socket.socket) -> None:
        try:
            self._loop.add_reader(listening_socket, self._accept, listening_socket)
        except NotImplementedError:  # Windows: its event loop waits for completions, not readiness
            self._accept_tasks.append(self._loop.create_task(self._accept_each(listening_socket)))

    async def _accept_each(self, listening_socket: socket.socket) -> None:
        """Accept one connection after the other until the socket is closed."""
        while listening_socket.fileno() >= 0:
            try:
                client_socket, _peer = await self._loop.sock_accept(listening_socket)
            except ConnectionAbortedError:
                continue
            except OSError as error:
                self._warn(error)
                await asyncio.sleep(ACCEPT_RETRY_SECONDS)
                continue
            await self._connect(client_socket)

    def _accept(self, listening_socket: socket.socket) -> None:
        """Accept up to `ACCEPTS_PER_TURN` connections; after a lack of resources, pause for `ACCEPT_RETRY_SECONDS`."""
        for _ in range(ACCEPTS_PER_TURN):
            try:
                client_socket, _peer = listening_socket.accept()
            except (BlockingIOError, ConnectionAbortedError, InterruptedError):
                return
            except OSError as error:  # EMFILE, ENFILE, ENOBUFS, ENOMEM: the socket stays readable, so stop watching it
                self._warn(error)
                self._loop.remove_reader(listening_socket)
                self._loop.call_later(ACCEPT_RETRY_SECONDS, self._resume, listening_socket)
                return
            client_socket.setblocking(False)
            task = self._loop.create_task(self._connect(client_socket))
            self._connect_tasks.add(task)
            task.add_done_callback(self._connect_tasks.discard)

    def _warn(self, error: OSError) -> None:
        if (suppressed := self._log_throttle.admit("")) is not None:
            log.warning(
                "cannot accept connections", error=str(error), retry_seconds=ACCEPT_RETRY_SECONDS, suppressed=suppressed
            )

    async def _connect(self, client_socket: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._protocol, client_socket)
        except OSError:  # the peer has gone already
            client_socket.close()

    def _resume(self, listening_socket: socket.socket) -> None:
        if listening_socket.fileno() >= 0:
            self._watch(listening_socket)


async def listen(
    protocol: Callable[[], asyncio.Protocol], name: str, host: str, port: int, loop: asyncio.AbstractEventLoop
) -> Listener:
    """Listen on `host:port` (0: any free port) and create a protocol for each connection."""
    try:
        return Listener(await _bind(host, port, loop), protocol, loop)
    except (OSError, UnicodeError) as error:  # UnicodeError: the host name cannot be encoded for DNS
        reason = getattr(error, "strerror", None) or error
        raise Unavailable(f"cannot listen on {host}:{port} for {name}: {reason}") from error


async def _bind(host: str, port: int, loop: asyncio.AbstractEventLoop) -> list[socket.socket]:
    """Open a listening socket for every address of the host."""
    sockets: list[socket.socket] = []
    try:
        for family, _, _, _, socket_address in await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM):
            listening_socket = socket.create_server(socket_address[:2], family=family, backlog=BACKLOG)
            sockets.append(listening_socket)
            listening_socket.setblocking(False)
            # Accepted sockets inherit these options, so that no connection has to set them.
            listening_socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            listening_socket.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            if hasattr(socket, "TCP_NOTSENT_LOWAT"):  # not on Windows
                listening_socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, MAX_KERNEL_UNSENT_BYTES)
    except OSError:
        for listening_socket in sockets:
            listening_socket.close()
        raise
    return sockets


def address(server: Listener | asyncio.Server) -> tuple[str, int]:
    """Return the host and port on which a server listens; an IPv6 host is in brackets."""
    host, port = server.sockets[0].getsockname()[:2]
    return f"[{host}]" if ":" in host else host, int(port)
