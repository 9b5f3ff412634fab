"""The bus: NATS carries letters between nodes, and keeps nothing.

Rules:

- A node hears what is said to one subject, its own; below that of its cluster, so that several share a bus.
- Payloads are authenticated with the cluster's key (`seal.py`); what anybody else publishes is dropped.
- A message larger than NATS carries is split into fragments (`fragments.py`).
- What cannot be sent at once is lost: whoever misses it asks again (`mail.py`).  Nothing here is ever waited for.
- A connection that is lost, or over which nothing is answered, is made again for as long as it takes, to the server
  that was named or to any other of its cluster.
- An address that begins with `tls://` is spoken to in secret or not at all; others as the server wants.
- What went wrong is said without the address: that may hold a password.

The protocol itself is `wire/nats.py`.  A letter costs no task, no queue and no future here: it is read and written in
the turn of the loop in which it comes.
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

from boardwire.cluster.transport.authentication import TAG_BYTES, Seal
from boardwire.cluster.transport.fragments import Reassembly, split
from boardwire.errors import ConfigError, Malformed, Reason, Unavailable
from boardwire.wire.nats import PING, PONG, Beat, Complaint, Info, Login, NatsDecoder, connect, publish, subscribe

SCHEMES: Final = ("nats://", "tls://")
"""How the address of a bus begins."""
PORT: Final = 4222
CONNECT_SECONDS: Final = 5.0
"""How long a bus may take when the node begins."""
ANSWER_SECONDS: Final = 2.0
"""How long a server may take to let the node in again."""
AGAIN_SECONDS: Final = 0.25
PING_SECONDS: Final = 2.0
UNANSWERED: Final = 2
"""How many pings may be without an answer before the connection is given up."""
MOST_WAITING: Final = 8 * 1024 * 1024
"""Bytes that may wait to be sent; what comes beyond that is lost."""
ECHO: Final = b"echo"
"""What a node says to itself when it begins, to see whether it may."""


def is_bus(text: str) -> bool:
    """Whether this is the address of a bus."""
    return text.startswith(SCHEMES)


class NatsBus:
    """A node's connection to NATS.  `arrive` is called with every message for this node.

    `ca_file` names the certificate authorities that a TLS server is checked against; the system's, if it is empty.
    """

    def __init__(
        self, address: str, cluster: str, seal: Seal, name: str, arrive: Callable[[bytes], None], ca_file: str = ""
    ) -> None:
        place = urlsplit(address)
        self._host = place.hostname or ""
        self._servers = [(self._host, place.port or PORT)]
        self._secret = place.scheme == "tls"
        user, password = unquote(place.username or ""), place.password
        self._login = (
            Login(f"boardwire {name}", token=user)
            if password is None
            else Login(f"boardwire {name}", user, unquote(password))
        )
        self._prefix = f"boardwire.{cluster}."
        self._name = name
        self._arrive = arrive
        self._line: _Line | None = None
        self._echo = asyncio.Event()
        self._seal = seal
        self._ca_file = ca_file
        self._numbers = count(time.time_ns())  # they grow over restarts
        self._reassembly = Reassembly(asyncio.get_running_loop().time)
        self._again: asyncio.Task[None] | None = None
        self._pinging: asyncio.TimerHandle | None = None

    @property
    def up(self) -> bool:
        """Whether the bus can be reached."""
        return self._line is not None

    @property
    def rejected(self) -> int:
        """How many payloads were dropped because they are not authentic."""
        return self._seal.rejected

    async def connect(self) -> None:
        """Begin to hear; `Unavailable` or `ConfigError` says what is wrong with the bus."""
        complaint = "nothing comes back"

        def complain(words: str) -> None:
            nonlocal complaint
            complaint = words

        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._open(*self._servers[0], complain)
        except (OSError, ValueError, Malformed) as error:  # TimeoutError and SSLError are both
            host, port = self._servers[0]
            why = str(error) or f"no answer within {CONNECT_SECONDS:g} s"
            raise Unavailable(f"cannot connect to NATS at {host}:{port}: {why}", reason=Reason.UNAVAILABLE) from None
        self.send(self._name, ECHO)
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._echo.wait()
        except TimeoutError:
            await self.close()
            words = f"NATS does not let this node publish and subscribe below {self._prefix}*: {complaint}"
            raise ConfigError(words) from None
        self._ping()

    async def _open(self, host: str, port: int, complain: Callable[[str], None] = lambda words: None) -> None:
        """Be let in by a server, and hear this node's subject there."""
        loop = asyncio.get_running_loop()
        line = _Line(loop, self._hear, complain, self._lost)
        await loop.create_connection(lambda: line, host, port)
        try:
            info = await line.info
            if info.tls_required or self._secret:
                if not (info.tls_required or info.tls_available):
                    raise OSError("it does not speak TLS")
                context = ssl.create_default_context(cafile=self._ca_file or None)
                # other servers of a cluster are named by their numbers, and show the certificate of the first
                secret = await loop.start_tls(line.transport, line, context, server_hostname=self._host)
                line.transport = cast("asyncio.Transport", secret)
            line.transport.write(connect(self._login) + PING + subscribe(self._subject(self._name)))
            await line.let_in
        except BaseException:
            line.transport.abort()
            await asyncio.sleep(0)  # in the next turn of the loop it is closed
            raise
        self._line = line

    def _subject(self, node: str) -> bytes:
        return f"{self._prefix}{node}".encode()

    def _lost(self, line: _Line) -> None:
        if self._line is line:
            self._line = None
            self._again = asyncio.get_running_loop().create_task(self._reconnect(line))

    async def _reconnect(self, former: _Line) -> None:
        known = [server for one in former.latest.connect_urls if (server := _server(one)) is not None]
        self._servers = [self._servers[0], *(server for server in known if server != self._servers[0])]
        while self._line is None:
            for host, port in self._servers:
                await asyncio.sleep(AGAIN_SECONDS)
                with suppress(Exception):  # whatever it is, the next try is all that helps
                    async with asyncio.timeout(ANSWER_SECONDS):
                        await self._open(host, port)
                    break

    def _ping(self) -> None:
        self._pinging = asyncio.get_running_loop().call_later(PING_SECONDS, self._ping)
        self._reassembly.expire()
        if self._line is not None:
            self._line.ping()

    def _hear(self, payload: bytes) -> None:
        data = self._seal.open(payload)
        if data is None:
            return
        if data == ECHO:
            self._echo.set()
        elif (message := self._reassembly.feed(data)) is not None:
            self._arrive(message)

    def send(self, node: str, data: bytes) -> None:
        """Say something to a node."""
        line = self._line
        if line is None or line.transport.get_write_buffer_size() > MOST_WAITING:
            return
        subject = self._subject(node)
        for fragment in split(self._name, next(self._numbers), data, line.latest.max_payload - TAG_BYTES):
            line.transport.write(publish(subject, self._seal.seal(node, fragment)))

    async def close(self) -> None:
        """Send what is still to be sent, and hear nothing more."""
        if self._pinging is not None:
            self._pinging.cancel()
        line, self._line = self._line, None
        if self._again is not None:
            self._again.cancel()
        if line is not None:
            with suppress(TimeoutError, OSError):
                async with asyncio.timeout(1.0):
                    await line.flushed()
            line.transport.abort()
            await asyncio.sleep(0)


class _Line(asyncio.Protocol):
    """One connection to a server."""

    transport: asyncio.Transport

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        hear: Callable[[bytes], None],
        complain: Callable[[str], None],
        lost: Callable[[_Line], None],
    ) -> None:
        self._loop = loop
        self._hear = hear
        self._complain = complain
        self._lost = lost
        self._decoder = NatsDecoder()
        self._unanswered = 0
        self.latest = Info()
        self.info: asyncio.Future[Info] = loop.create_future()
        self.let_in: asyncio.Future[None] = loop.create_future()
        """Whether the server has answered after the login; what it has against that is an `OSError`."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        try:
            heard = self._decoder.feed(data)
        except Malformed as error:
            self._fail(OSError(str(error)))
            self.transport.abort()
            return
        for one in heard:
            if type(one) is bytes:
                self._tell(one)
            elif one is Beat.PING:
                self.transport.write(PONG)
            elif one is Beat.PONG:
                self._unanswered = 0
                if not self.let_in.done():
                    self.let_in.set_result(None)
            elif isinstance(one, Info):
                self.latest = one
                if not self.info.done():
                    self.info.set_result(one)
            elif isinstance(one, Complaint):
                self._complain(one.words)
                self._fail(OSError(one.words))

    def _tell(self, data: bytes) -> None:
        try:
            self._hear(data)
        except Exception as error:  # noqa: BLE001 - one letter's fault is not that of the connection
            self._loop.call_exception_handler({"message": "a letter could not be taken", "exception": error})

    def _fail(self, error: OSError) -> None:
        for future in (self.info, self.let_in):
            if not future.done():
                future.set_exception(error)
                future.exception()  # it was looked at, whether anybody waits for it or not

    def connection_lost(self, error: Exception | None) -> None:
        self._fail(OSError("the connection was lost"))
        self._lost(self)

    def ping(self) -> None:
        """See whether the server is there; if it was not for a while, this connection is none."""
        if self._unanswered >= UNANSWERED:
            self.transport.abort()
        else:
            self._unanswered += 1
            self.transport.write(PING)

    async def flushed(self) -> None:
        """When all that was written has reached the server."""
        self.let_in = self._loop.create_future()
        self.transport.write(PING)
        await self.let_in


def _server(words: str) -> tuple[str, int] | None:
    """HOST:PORT as a server tells it, the host perhaps in brackets."""
    with suppress(ValueError):
        place = urlsplit(f"//{words}")
        if place.hostname:
            return place.hostname, place.port or PORT
    return None
