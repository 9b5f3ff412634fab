"""The bus: NATS carries letters between nodes, and keeps nothing.

Rules:

- A node hears what is said to one subject, its own; below that of its cluster, so that several share a bus.
- What is larger than the bus carries goes in pieces (`parcels.py`).
- What cannot be sent at once is lost: whoever misses it asks again (`mail.py`).  Nothing here is ever waited for.
- What went wrong is said without the address: that may hold a password.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from boardwire.cluster.parcels import Parcels, parcelled
from boardwire.errors import Reason, Refused

try:
    import nats
    import nats.errors
except ImportError:  # it comes with the extra `cluster`
    nats = None  # type: ignore[assignment]

SCHEMES: Final = ("nats://", "tls://")
"""How the address of a bus begins."""
CONNECT_SECONDS: Final = 5.0
ECHO: Final = b"echo"
"""What a node says to itself when it begins, to see whether it may."""


def is_bus(text: str) -> bool:
    """Whether this is the address of a bus."""
    return text.startswith(SCHEMES)


class NatsBus:
    """See the module.  `arrive` is called with what is said to this node."""

    def __init__(self, address: str, cluster: str, name: str, arrive: Callable[[bytes], None]) -> None:
        self._address = address
        self._prefix = f"boardwire.{cluster}."
        self._name = name
        self._arrive = arrive
        self._client: Any = None
        self._echo = asyncio.Event()
        self._parcels = Parcels()
        self._outbox: list[tuple[str, bytes]] = []
        self._sending: asyncio.Task[None] | None = None
        self._refused = ""

    @property
    def up(self) -> bool:
        """Whether the bus can be reached."""
        return self._client is not None and self._client.is_connected

    async def connect(self) -> None:
        """Begin to hear; `Refused` says what is wrong with the bus."""
        if nats is None:
            raise Refused("a bus needs nats-py; get it with: pip install 'boardwire[cluster]'")
        try:
            self._client = await asyncio.wait_for(self._connect(), CONNECT_SECONDS)
        except (OSError, TimeoutError, ValueError, nats.errors.Error) as error:
            why = self._refused or str(error) or "nobody answers"
            raise Refused(f"there is no way to the bus: {why}", reason=Reason.UNAVAILABLE) from None
        await self._client.subscribe(self._prefix + self._name, cb=self._hear)
        await self._client.publish(self._prefix + self._name, ECHO)
        try:
            await asyncio.wait_for(self._echo.wait(), CONNECT_SECONDS)
        except TimeoutError:
            await self._client.close()
            why = self._refused or "nothing comes back"
            raise Refused(f"the bus does not let this node speak and hear below {self._prefix}*: {why}") from None

    async def _connect(self) -> Any:
        return await nats.connect(
            self._address,
            name=f"boardwire {self._name}",
            max_reconnect_attempts=-1,
            reconnect_time_wait=0.25,
            connect_timeout=2,
            ping_interval=2,
            max_outstanding_pings=2,
            error_cb=self._failed,
        )

    async def _failed(self, error: Exception) -> None:
        self._refused = str(error)

    async def _hear(self, message: Any) -> None:
        if message.data == ECHO:
            self._echo.set()
        elif (whole := self._parcels.whole(message.data)) is not None:
            self._arrive(whole)

    def send(self, node: str, data: bytes) -> None:
        """Say something to a node."""
        if not self.up:
            return
        subject = self._prefix + node
        self._outbox += [(subject, piece) for piece in parcelled(self._name, data, self._client.max_payload)]
        if self._sending is None:
            self._sending = asyncio.get_running_loop().create_task(self._send())

    async def _send(self) -> None:
        try:
            while self._outbox:
                outbox, self._outbox = self._outbox, []
                for subject, data in outbox:
                    with suppress(nats.errors.Error, OSError):
                        await self._client.publish(subject, data)
        finally:
            self._sending = None  # whatever went wrong: the next one is tried

    async def close(self) -> None:
        """Send what is still to be sent, and hear nothing more."""
        if self._client is not None:
            if self._sending is not None:
                await self._sending
            with suppress(nats.errors.Error, OSError, TimeoutError):
                await asyncio.wait_for(self._client.flush(1), 1)
            with suppress(nats.errors.Error, OSError):
                await self._client.close()
