"""A match over any dialect but native: one connection, one client script, one match.

- If the connection is lost during the match, the session reconnects with the same name and settings. A server that
  holds the seat by name lets the player continue; if the protocol cannot resume a match, a new one begins, and the log
  says so.
- If the server closes the connection before the match has begun, the session does not reconnect.
"""

from __future__ import annotations

import asyncio
from typing import Any

from boardwire.dialects.dialect import ClientOptions, Dialect, Over, PlayerMessage, Result
from boardwire.errors import Unavailable
from boardwire.net.client import ClientConnection, connect
from boardwire.terminal.app.match_model import Feature, LineKind, MatchModel
from boardwire.terminal.app.session import Changed, LinkState, retry_seconds


class ScriptSession:
    """A player's end of one match."""

    def __init__(
        self, game: str, dialect: Dialect, host: str, port: int, seating: ClientOptions, changed: Changed
    ) -> None:
        self.link = LinkState.CONNECTING
        self.problem = ""
        self.model: MatchModel = MatchModel(game)
        self.token = ""
        self.title = f"{host}:{port} {dialect.name}"
        self._dialect = dialect
        self._address = host, port
        self._seating = seating
        self._changed = changed
        self._connection: ClientConnection | None = None
        self._closed = False
        self._has_begun = False
        """Whether a view was received over this connection."""
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Connect, and reconnect whenever the connection is lost."""
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        """Play over the dialect; reconnect after a pause until the match is over or the session is closed."""
        attempt = 0
        while not self._closed:
            try:
                self._connection = await connect(self._dialect, *self._address, self._seating, self)
            except Unavailable as error:
                self.problem = str(error)
                self._set(LinkState.LOST)
                await asyncio.sleep(retry_seconds(attempt))
                attempt += 1
                continue
            attempt, self.problem = 0, ""
            self._set(LinkState.CONNECTED)
            try:
                await self._connection.finished
            except Exception as error:  # noqa: BLE001 - the script failed on a message from the server
                self.model.receive(Over(None, f"The server cannot be understood: {error}", Result.BROKEN_OFF))
            if self.model.over is not None or self._closed:
                break
            self._set(LinkState.LOST)
            await asyncio.sleep(retry_seconds(0))
        self._set(LinkState.CLOSED)

    def receive(self, connection: ClientConnection, message: PlayerMessage) -> None:
        """Handle a message from the script (`boardwire.net.client.MatchPlayer`)."""
        lost = (
            isinstance(message, Over) and message.result is Result.BROKEN_OFF and connection.is_lost and self._has_begun
        )
        if lost and not self._closed and self.model.over is None:
            self._has_begun = False
            self.model.ask = None
            self.model.note("The connection is lost. Connecting again.", LineKind.ERROR)
            self.model.note("If the protocol cannot resume a match, a new one begins.")
        else:
            self._has_begun = self._has_begun or getattr(message, "view", None) is not None
            self.model.receive(message)
        self._changed()

    def _set(self, link: LinkState) -> None:
        self.link = link
        self._changed()

    def answer(self, action: Any) -> None:
        """Send a choice."""
        if self._connection is not None and self.model.ask is not None:
            self.model.clear_question(action)
            self._connection.answer(action)
            self._changed()

    def use(self, feature: Feature, text: str = "") -> None:
        """Report that the protocol lacks the feature: only the native client script can send such requests."""
        self.model.note(f"{self._dialect.name} has no {feature}.", LineKind.ERROR)
        self._changed()

    def agree(self, agree: bool) -> None:
        """Do nothing: these protocols have no offers."""

    def leave(self) -> None:
        """Close the connection."""
        self._closed = True
        if self._connection is not None:
            self._connection.hang_up()
        if self._task is not None:
            self._task.cancel()
        self.link = LinkState.CLOSED
