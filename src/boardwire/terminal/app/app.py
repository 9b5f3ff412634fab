"""The textual app of the terminal client: owns the connection and the screens.

Sessions report changes through a callback; the app collects them and updates the screens once.
"""

from __future__ import annotations

import os
from typing import ClassVar, Final

from textual.app import App
from textual.binding import Binding, BindingType

from boardwire import dialects
from boardwire.dialects.dialect import ClientOptions
from boardwire.dialects.native import messages as wire
from boardwire.terminal.app.lobby_screen import LobbyScreen
from boardwire.terminal.app.native_session import NativeSession
from boardwire.terminal.app.script_session import ScriptSession
from boardwire.terminal.app.servers import Server
from boardwire.terminal.app.table_screen import TableScreen

THEME: Final = "textual-dark"


class TerminalApp(App[None]):
    """The terminal client. `seating` and `dialect` open a table at once; `token` resumes a held seat."""

    TITLE = "boardwire"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "Quit", show=False, priority=True)]

    def __init__(
        self,
        server: Server | None = None,
        *,
        name: str = "player",
        dialect: str = "native",
        seating: ClientOptions | None = None,
        token: str = "",
    ) -> None:
        # Without conversion to truecolor, textual's filter for NO_COLOR removes all colours, even greys.
        super().__init__(ansi_color="NO_COLOR" in os.environ)
        self.player_name = name
        self.server = Server() if server is None else server if dialect == "native" else Server(server.host)
        self.servers = [self.server]
        self.session: NativeSession | None = None
        self._script: ScriptSession | None = None
        self._dialect = dialect
        self._address = server
        self._seating = seating
        self._token = token
        self._due = False
        self._table: TableScreen | None = None

    def on_mount(self) -> None:
        """Connect, and show the lobby."""
        self.theme = THEME
        self.push_screen(LobbyScreen())
        native = self._dialect == "native"
        self._open_session(self._seating if native else None, self._token)
        if not native and self._seating is not None and self._address is not None:
            self.play_over(self._dialect, self._address.host, self._address.port, self._seating)

    def _open_session(self, seating: ClientOptions | None = None, token: str = "") -> None:
        self.session = NativeSession(
            self.server.host, self.server.port, self.player_name, self.session_changed, seating=seating, token=token
        )
        self.session.start()

    def use_server(self, server: Server) -> None:
        """Connect to another server."""
        if self.session is not None:
            self.session.close()
        if server not in self.servers:
            self.servers.append(server)
        self.server = server
        self._open_session()

    def rename(self, name: str) -> None:
        """Change the player's name."""
        self.player_name = name
        if self.session is not None:
            self.session.rename(name)
        self.session_changed()

    def play_over(self, dialect: str, host: str, port: int, seating: ClientOptions) -> None:
        """Play a match over a dialect other than native."""
        protocol = dialects.dialect(dialect)
        self._script = ScriptSession(protocol.game, protocol, host, port, seating, self.session_changed)
        self._script.start()
        self._open_table(self._script)

    def _open_table(self, session: ScriptSession | NativeSession) -> None:
        self._table = TableScreen(session)
        self.push_screen(self._table, self._close_table)

    def _close_table(self, _: None) -> None:
        self._table = None
        if self.session is not None:
            self.session.send(wire.List())
        self.session_changed()

    def session_changed(self) -> None:
        """Schedule one update of the screens for all changes of the sessions."""
        if not self._due:
            self._due = True
            self.call_later(self._show_sessions)

    def _show_sessions(self) -> None:
        self._due = False
        if self._table is None and self.session is not None and self.session.model is not None:
            while len(self.screen_stack) > 2:
                self.pop_screen()
            self._open_table(self.session)
            return
        for screen in self.screen_stack:
            if isinstance(screen, LobbyScreen | TableScreen):
                screen.session_changed()

    @property
    def resume_command(self) -> str:
        """The shell command that resumes the match, or '' if no match is being played."""
        return self.session.resume_command if self.session is not None and self.session.is_playing else ""

    def on_unmount(self) -> None:
        """Close the connections."""
        if self._script is not None:
            self._script.leave()
        if self.session is not None:
            self.session.close()
