"""The bus: messages between nodes over NATS, without persistence.

- A node subscribes to one subject, its own. It starts with the cluster's id, so that clusters can share a bus.
- Payloads are authenticated with the cluster's key (`authentication.py`); all others are dropped.
- A message larger than NATS's limit is split into fragments (`fragments.py`).
- A message that cannot be sent immediately is lost; senders repeat unanswered requests (`outbox.py`). No call blocks.
- A lost or silent connection is retried without limit, to the configured server or to another one of its cluster.
- An address with `tls://` requires TLS; with `nats://`, the server decides.
- Error messages name only HOST:PORT: the address may contain a password.

`wire/nats.py` has the protocol. A message costs no task, queue or future: it is read and written in the loop iteration
in which it arrives.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from typing import Final, cast
from urllib.parse import unquote, urlsplit

import structlog

from boardwire.cluster.transport.authentication import TAG_BYTES, Authenticator
from boardwire.cluster.transport.fragments import Reassembly, split
from boardwire.errors import ConfigError, Malformed, Reason, Unavailable
from boardwire.wire.nats import (
    PING,
    PONG,
    Info,
    Login,
    NatsDecoder,
    NatsError,
    NatsHeartbeat,
    connect,
    publish,
    subscribe,
)

log = structlog.get_logger("boardwire.cluster")

SCHEMES: Final = ("nats://", "tls://")
"""Schemes of a bus address."""
DEFAULT_PORT: Final = 4222
CONNECT_SECONDS: Final = 5.0
"""Timeout of each step of the first connection."""
RECONNECT_TIMEOUT_SECONDS: Final = 2.0
RECONNECT_SECONDS: Final = 0.25
"""Pause before each attempt to reconnect."""
PING_SECONDS: Final = 2.0
MAX_UNANSWERED_PINGS: Final = 2
"""A connection with this many unanswered pings is aborted."""
MAX_UNSENT_BYTES: Final = 8 * 1024 * 1024
"""Bytes that may wait to be sent; messages beyond that are lost."""
ECHO: Final = b"echo"
"""Payload that a node sends to itself on start, to check its permissions."""


def is_bus(text: str) -> bool:
    """Return whether a text is the address of a bus."""
    return text.startswith(SCHEMES)


class NatsBus:
    """A node's connection to NATS. `arrive` receives every message for this node.

    `ca_file` names the certificate authorities that verify a TLS server; empty for those of the system.
    """

    def __init__(
        self,
        address: str,
        cluster: str,
        authenticator: Authenticator,
        name: str,
        arrive: Callable[[bytes], None],
        ca_file: str = "",
    ) -> None:
        url = urlsplit(address)
        self._host = url.hostname or ""
        self._servers = [(self._host, url.port or DEFAULT_PORT)]
        self._requires_tls = url.scheme == "tls"
        user, password = unquote(url.username or ""), url.password
        self._login = (
            Login(f"boardwire {name}", token=user)
            if password is None
            else Login(f"boardwire {name}", user, unquote(password))
        )
        self._prefix = f"boardwire.{cluster}."
        self._name = name
        self._arrive = arrive
        self._connection: _Connection | None = None
        self._echo = asyncio.Event()
        self._authenticator = authenticator
        self._ca_file = ca_file
        self._numbers = count(time.time_ns())  # they must increase across restarts (`fragments.py`)
        self._reassembly = Reassembly(asyncio.get_running_loop().time)
        self._reconnecting: asyncio.Task[None] | None = None
        self._pinging: asyncio.TimerHandle | None = None

    @property
    def up(self) -> bool:
        """Whether the bus is connected."""
        return self._connection is not None

    @property
    def rejected(self) -> int:
        """Number of payloads dropped because their authentication failed."""
        return self._authenticator.rejected

    async def connect(self) -> None:
        """Connect and subscribe; raise `Unavailable` or `ConfigError` if that fails."""
        server_error = f"a test message did not return within {CONNECT_SECONDS:g} s"

        def on_error(message: str) -> None:
            nonlocal server_error
            server_error = message

        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._open(*self._servers[0], on_error)
        except (OSError, ValueError, Malformed) as error:  # TimeoutError and SSLError are both
            raise Unavailable(_cannot_connect(*self._servers[0], error), reason=Reason.UNAVAILABLE) from None
        self.send(self._name, ECHO)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._echo.wait()
        except TimeoutError:
            await self.close()
            raise ConfigError(
                f"this node cannot publish to {self._prefix}* on NATS, or cannot subscribe to it: {server_error}"
            ) from None
        self._ping()

    async def _open(self, host: str, port: int, on_error: Callable[[str], None] = lambda message: None) -> None:
        """Connect to a server, log in and subscribe to this node's subject."""
        loop = asyncio.get_running_loop()
        connection = _Connection(loop, self._receive, on_error, self._handle_loss)
        await loop.create_connection(lambda: connection, host, port)
        try:
            info = await connection.info
            if info.tls_required or self._requires_tls:
                if not (info.tls_required or info.tls_available):
                    raise OSError("the server does not support TLS")
                context = ssl.create_default_context(cafile=self._ca_file or None)
                # other servers of the cluster are announced by IP address and present the certificate of the first
                encrypted = await loop.start_tls(connection.transport, connection, context, server_hostname=self._host)
                connection.transport = cast("asyncio.Transport", encrypted)
            connection.transport.write(connect(self._login) + PING + subscribe(self._subject(self._name)))
            await connection.accepted
        except BaseException:
            connection.transport.abort()
            await asyncio.sleep(0)  # the transport closes in the next loop iteration
            raise
        self._connection = connection

    def _subject(self, node: str) -> bytes:
        return f"{self._prefix}{node}".encode()

    def _handle_loss(self, connection: _Connection) -> None:
        if self._connection is connection:
            self._connection = None
            self._reconnecting = asyncio.get_running_loop().create_task(self._reconnect(connection))

    async def _reconnect(self, former: _Connection) -> None:
        """Connect again: try the configured server first, then those that the former connection has announced."""
        announced = [server for url in former.latest.connect_urls if (server := _parse_server(url)) is not None]
        self._servers = [self._servers[0], *(server for server in announced if server != self._servers[0])]
        failed: set[tuple[str, int]] = set()
        while self._connection is None:
            for host, port in self._servers:
                await asyncio.sleep(RECONNECT_SECONDS)
                try:
                    async with asyncio.timeout(RECONNECT_TIMEOUT_SECONDS):
                        await self._open(host, port)
                except Exception as error:  # noqa: BLE001 - after any failure, the only remedy is another attempt
                    if (host, port) not in failed:  # once per outage
                        failed.add((host, port))
                        log.warning(f"{_cannot_connect(host, port, error)} (retrying every {RECONNECT_SECONDS:g} s)")
                else:
                    log.info(f"reconnected to NATS at {host}:{port}")
                    break

    def _ping(self) -> None:
        self._pinging = asyncio.get_running_loop().call_later(PING_SECONDS, self._ping)
        self._reassembly.expire()
        if self._connection is not None:
            self._connection.ping()

    def _receive(self, payload: bytes) -> None:
        data = self._authenticator.open(payload)
        if data is None:
            return
        if data == ECHO:
            self._echo.set()
        elif (message := self._reassembly.feed(data)) is not None:
            self._arrive(message)

    def send(self, node: str, data: bytes) -> None:
        """Send a message to a node."""
        connection = self._connection
        if connection is None or connection.transport.get_write_buffer_size() > MAX_UNSENT_BYTES:
            return
        subject = self._subject(node)
        for fragment in split(self._name, next(self._numbers), data, connection.latest.max_payload - TAG_BYTES):
            connection.transport.write(publish(subject, self._authenticator.seal(node, fragment)))

    async def close(self) -> None:
        """Flush and disconnect."""
        if self._pinging is not None:
            self._pinging.cancel()
        connection, self._connection = self._connection, None
        if self._reconnecting is not None:
            self._reconnecting.cancel()
        if connection is not None:
            with suppress(TimeoutError, OSError):
                async with asyncio.timeout(1.0):
                    await connection.flush()
            connection.transport.abort()
            await asyncio.sleep(0)  # the transport closes in the next loop iteration


class _Connection(asyncio.Protocol):
    """One connection to a server."""

    transport: asyncio.Transport

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        receive: Callable[[bytes], None],
        on_error: Callable[[str], None],
        lost: Callable[[_Connection], None],
    ) -> None:
        self._loop = loop
        self._receive = receive
        self._on_error = on_error
        self._handle_loss = lost
        self._decoder = NatsDecoder()
        self._unanswered = 0
        self.latest = Info()
        self.info: asyncio.Future[Info] = loop.create_future()
        self.accepted: asyncio.Future[None] = loop.create_future()
        """Done when the server has accepted the login; `OSError` if it has not."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """Handle the commands of the server: messages, pings, its INFO and errors."""
        try:
            commands = self._decoder.feed(data)
        except Malformed as error:
            self._fail(OSError(str(error)))
            self.transport.abort()
            return
        for command in commands:
            if type(command) is bytes:
                self._deliver(command)
            elif command is NatsHeartbeat.PING:
                self.transport.write(PONG)
            elif command is NatsHeartbeat.PONG:
                self._unanswered = 0
                if not self.accepted.done():
                    self.accepted.set_result(None)
            elif isinstance(command, Info):
                self.latest = command
                if not self.info.done():
                    self.info.set_result(command)
            elif isinstance(command, NatsError):
                self._on_error(command.words)
                self._fail(OSError(command.words))

    def _deliver(self, data: bytes) -> None:
        try:
            self._receive(data)
        except Exception as error:  # noqa: BLE001 - a faulty message must not close the connection
            self._loop.call_exception_handler({"message": "cannot handle a message from the bus", "exception": error})

    def _fail(self, error: OSError) -> None:
        for future in (self.info, self.accepted):
            if not future.done():
                future.set_exception(error)
                future.exception()  # retrieved, so that asyncio does not log it if no task awaits it

    def connection_lost(self, error: Exception | None) -> None:
        self._fail(OSError("connection lost"))
        self._handle_loss(self)

    def ping(self) -> None:
        """Send a ping; abort the connection if too many are unanswered."""
        if self._unanswered >= MAX_UNANSWERED_PINGS:
            self.transport.abort()
        else:
            self._unanswered += 1
            self.transport.write(PING)

    async def flush(self) -> None:
        """Wait until the server has received everything written."""
        self.accepted = self._loop.create_future()
        self.transport.write(PING)
        await self.accepted


def _cannot_connect(host: str, port: int, error: Exception) -> str:
    return f"cannot connect to NATS at {host}:{port}: {str(error) or 'timed out'}"


def _parse_server(text: str) -> tuple[str, int] | None:
    """Parse HOST:PORT as a server announces it; an IPv6 host is in brackets."""
    with suppress(ValueError):
        url = urlsplit(f"//{text}")
        if url.hostname:
            return url.hostname, url.port or DEFAULT_PORT
    return None
