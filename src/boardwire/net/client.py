"""A dialect's client end on a real socket, for whoever plays: a person at a terminal, a bot."""

from __future__ import annotations

import asyncio
import os
from typing import Any, Final, Protocol, cast

from msgspec.structs import replace

from boardwire.dialects.dialect import Answer, Ask, Dialect, Note, Over, PlayerNews, Result, Seating, Show, Strange
from boardwire.errors import Refused
from boardwire.net.client_upgrade import upgraded
from boardwire.talk import Gone, Talk, Timers, Woke
from boardwire.wire.codec import feed


class Player(Protocol):
    """Hears news; answers, when it is ready, by `connection.answer`."""

    def hear(self, connection: ClientConnection, news: PlayerNews, /) -> None: ...


LATE_SECONDS: Final = 10.0
"""By then a server has said something that its protocol has, unless it waits for others in silence."""


class ClientConnection(asyncio.Protocol):
    """One match on somebody's server.  `finished` is done when the conversation is over.

    A server of another protocol is told by its words: if all of them are strange, the match is broken off, and the
    player is told why.  One that says nothing may wait for others: the player is told, and goes on waiting.
    """

    def __init__(self, dialect: Dialect, seating: Seating, player: Player) -> None:
        self._doubtful = f"this is not a port for {dialect.name}"
        self._received = False
        self._understood = False
        """Whether something came that the protocol has."""
        self._strange = ""
        """The first of what it does not have."""
        self._loop = asyncio.get_running_loop()
        self._decoder = (dialect.replies or dialect.decoder)()
        self._player = player
        self._transport: asyncio.Transport | None = None
        self._timers = Timers(self._loop.time, self._loop.call_later, lambda name: self._talk.tell(Woke(name)))
        self.finished: asyncio.Future[None] = self._loop.create_future()
        self._greeting = dialect.greeting
        self._script = dialect.play(seating)
        self._talk: Talk[Any]

    def answer(self, action: Any) -> None:
        """The player's choice."""
        self._talk.tell(Answer(action))

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self._talk = Talk(self._script, self)  # not before: some loops make a protocol for a connection that fails
        if self._greeting:
            self.write(self._greeting)
        self._late = self._loop.call_later(LATE_SECONDS, self._doubt)
        self._talk.start()

    def _doubt(self) -> None:
        """Time to wonder who is at the other end."""
        if not self._received:
            self._player.hear(self, Strange(f"The server is silent. It waits for others, or {self._doubtful}."))
        elif self._is_alien:
            self._player.hear(self, Over(None, f"{self._strange} Perhaps {self._doubtful}.", Result.BROKEN_OFF))
            self.hang_up()

    @property
    def _is_alien(self) -> bool:
        """Whether all that came, if anything, is not of this protocol."""
        return not self._understood and (bool(self._strange) or not self._received)

    def data_received(self, data: bytes) -> None:
        self._received = True
        reason = feed(self._decoder, data, self._talk.receive)
        if reason is not None:
            self._strange = self._strange or f"The server cannot be understood: {reason}."
            self._talk.tell(reason)

    def connection_lost(self, error: Exception | None) -> None:
        self._talk.tell(Gone(str(error or "")))
        self._finish()

    # --- talk.Host ------------------------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def do(self, request: PlayerNews) -> None:
        match request:
            case Strange(text=text):
                self._strange = self._strange or text
            case Over(text=text) if self._is_alien:
                request = replace(request, text=f"{text} Perhaps {self._doubtful}.")
            case Ask() | Show() | Note():
                self._understood = self._understood or self._received
        self._player.hear(self, request)

    def wake(self, seconds: float, name: str) -> None:
        self._timers.set(seconds, name)

    def hang_up(self) -> None:
        self._talk.close()  # whoever hangs up need not be told that the connection is gone
        if self._transport is not None:
            self._transport.close()
        self._finish()

    def fault(self, error: Exception) -> None:
        if not self.finished.done():
            self.finished.set_exception(error)
        self.hang_up()

    def _finish(self) -> None:
        self._late.cancel()
        self._timers.stop()
        if not self.finished.done():
            self.finished.set_result(None)


async def connect(dialect: Dialect, host: str, port: int, seating: Seating, player: Player) -> ClientConnection:
    """Connect `player` to a server; `Refused` says why it cannot be.  What every game speaks comes in by HTTP."""
    if not dialect.game:
        dialect = upgraded(dialect, host, port)
    loop = asyncio.get_running_loop()
    try:
        _, connection = await loop.create_connection(lambda: ClientConnection(dialect, seating, player), host, port)
    except (OSError, UnicodeError) as error:
        raise unreachable(host, port, error) from None
    return connection


def unreachable(host: str, port: int, error: OSError | UnicodeError) -> Refused:
    """Why there is no connection, in a sentence."""
    if isinstance(error, UnicodeError):  # no name server could be asked for such a host
        return Refused(f"cannot connect to {host}:{port}: {error}")
    reason = os.strerror(error.errno) if isinstance(error, ConnectionError) and error.errno else error.strerror
    return Refused(f"cannot connect to {host}:{port}: {reason or str(error) or 'nobody answers'}")
