"""Client connections: the client end of a dialect on a socket, for terminals and bots."""

from __future__ import annotations

import asyncio
import os
from typing import Any, Final, Protocol, cast

from msgspec.structs import replace

from boardwire.dialects.dialect import (
    Answer,
    Ask,
    ClientOptions,
    Dialect,
    Note,
    Over,
    PlayerMessage,
    ProtocolViolation,
    Relayed,
    Result,
    Show,
)
from boardwire.dialects.native.client import play as native_play
from boardwire.errors import Unavailable
from boardwire.net.client_upgrade import NativePlay, with_upgrade
from boardwire.talk import Gone, Talk, Timers, Woke
from boardwire.wire.codec import feed


class MatchPlayer(Protocol):
    """Receives the messages from a server as `PlayerMessage` and answers with `connection.answer`, at once or later."""

    def receive(self, connection: ClientConnection, notification: PlayerMessage, /) -> None: ...


LATE_SECONDS: Final = 10.0
"""Time after which a server that has sent no message of the protocol is reported to the player."""


class ClientConnection(asyncio.Protocol):
    """A connection to a server for one match. `finished` is done when the conversation is over.

    - If the server sends no message of the protocol, the match is aborted with the reason.
    - A silent server may be waiting for other players: the player is notified and keeps waiting.
    """

    def __init__(self, dialect: Dialect, options: ClientOptions, player: MatchPlayer) -> None:
        self._wrong_port = f"this is not a port for {dialect.name}"
        self._has_input = False
        """Whether any bytes were received."""
        self._has_message = False
        """Whether a message of the protocol was received."""
        self._violation = ""
        """Description of the first message that violates the protocol, or ''."""
        self._loop = asyncio.get_running_loop()
        self._decoder = (dialect.replies or dialect.decoder)()
        self._player = player
        self._transport: asyncio.Transport | None = None
        self._timers = Timers(self._loop.time, self._loop.call_later, lambda name: self._talk.tell(Woke(name)))
        self.finished: asyncio.Future[None] = self._loop.create_future()
        self.is_lost = False
        """Whether the connection ended before the conversation was over."""
        self._greeting = dialect.greeting
        self._script = dialect.play(options)
        self._talk: Talk[Any]

    def answer(self, action: Any) -> None:
        """Send the player's choice."""
        self.tell(Answer(action))

    def tell(self, message: Any) -> None:
        """Pass a message from the player to the script."""
        self._talk.tell(message)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        # Not in __init__: some event loops create a protocol for a connection that then fails.
        self._talk = Talk(self._script, self)
        if self._greeting:
            self.write(self._greeting)
        self._late_timer = self._loop.call_later(LATE_SECONDS, self._check_server)
        self._talk.start()

    def _check_server(self) -> None:
        """Report a server that is silent or speaks another protocol."""
        if not self._has_input:
            text = f"The server is silent: it may be waiting for other players, or {self._wrong_port}."
            self._player.receive(self, ProtocolViolation(text))
        elif self._is_other_protocol:
            self._player.receive(self, Over(None, f"{self._violation} Perhaps {self._wrong_port}.", Result.BROKEN_OFF))
            self.hang_up()

    @property
    def _is_other_protocol(self) -> bool:
        """Whether no message of this protocol was received."""
        return not self._has_message and (bool(self._violation) or not self._has_input)

    def data_received(self, data: bytes) -> None:
        self._has_input = True
        fault = feed(self._decoder, data, self._talk.receive)
        if fault is not None:
            self._violation = self._violation or f"The server cannot be understood: {fault}."
            self._talk.tell(fault)

    def connection_lost(self, error: Exception | None) -> None:
        self.is_lost = not self.finished.done()
        self._talk.tell(Gone(str(error or "")))
        self._finish()

    # --- talk.ScriptHost ------------------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    def do(self, request: PlayerMessage) -> None:
        match request:
            case ProtocolViolation(text=text):
                self._violation = self._violation or text
            case Over(text=text) if self._is_other_protocol:
                request = replace(request, text=f"{text} Perhaps {self._wrong_port}.")
            case Ask() | Show() | Note() | Relayed():
                self._has_message = self._has_message or self._has_input
        self._player.receive(self, request)

    def wake(self, seconds: float, name: str) -> None:
        self._timers.set(seconds, name)

    def hang_up(self) -> None:
        self._talk.close()  # so that the script gets no `Gone` for this disconnect
        if self._transport is not None:
            self._transport.close()
        self._finish()

    def fault(self, error: Exception) -> None:
        if not self.finished.done():
            self.finished.set_exception(error)
        self.hang_up()

    def _finish(self) -> None:
        self._late_timer.cancel()
        self._timers.stop()
        if not self.finished.done():
            self.finished.set_result(None)


async def connect(
    dialect: Dialect, host: str, port: int, options: ClientOptions, player: MatchPlayer, play: NativePlay = native_play
) -> ClientConnection:
    """Connect `player` to a server. A dialect for all games (native) is reached through an HTTP upgrade; `play`
    creates its script.

    Raises `Unavailable` if the server cannot be reached.
    """
    if not dialect.game:
        dialect = with_upgrade(dialect, host, port, play=play)
    loop = asyncio.get_running_loop()
    try:
        _, connection = await loop.create_connection(lambda: ClientConnection(dialect, options, player), host, port)
    except (OSError, UnicodeError) as error:
        raise connection_error(host, port, error) from None
    return connection


def connection_error(host: str, port: int, error: OSError | UnicodeError) -> Unavailable:
    """Return the error for a failed connection attempt."""
    if isinstance(error, UnicodeError):  # the host name cannot be encoded for DNS
        return Unavailable(f"cannot connect to {host}:{port}: {error}")
    reason = os.strerror(error.errno) if isinstance(error, ConnectionError) and error.errno else error.strerror
    return Unavailable(f"cannot connect to {host}:{port}: {reason or str(error) or 'no answer'}")
