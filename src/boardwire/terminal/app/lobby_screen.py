"""The start screen: servers with their dialects on the left, the tables of the chosen server on the right."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import DataTable, OptionList, Static
from textual.widgets.option_list import Option

from boardwire.dialects.dialect import ClientOptions
from boardwire.dialects.native import messages as wire
from boardwire.table.match import Status
from boardwire.terminal.app.dialect_form import (
    DialectForm,
    Invitation,
    InvitationForm,
    Name,
    NameForm,
    ServerForm,
)
from boardwire.terminal.app.key_footer import KeyFooter
from boardwire.terminal.app.match_model import shown_name
from boardwire.terminal.app.servers import DialectPort, Server, default_ports, dialect_ports
from boardwire.terminal.app.session import LinkState
from boardwire.terminal.app.table_form import TableForm
from boardwire.wire.text import escaped

if TYPE_CHECKING:
    from boardwire.terminal.app.app import TerminalApp

LIST_SECONDS: Final = 2.0
"""Interval between requests for the list of tables."""
_OTHER: Final = "other"


class LobbyScreen(Screen[None]):
    """Servers and tables."""

    CSS = """
    #banner { height: 1; background: $primary-background; color: $text; text-style: bold; }
    #columns { height: 1fr; }
    #left { width: 34; border-right: solid $primary-background; }
    #servers { height: 1fr; border: none; padding: 0; background: $background; }
    #right { width: 1fr; padding: 0 1; }
    #tables { height: 1fr; background: $background; scrollbar-size: 1 1; }
    #servers { scrollbar-size-vertical: 1; }
    #empty { height: 1fr; padding: 1 1; color: $text-muted; }
    #status { height: auto; max-height: 3; }
    Screen:nocolor #banner { text-style: reverse; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("b", "play_bot", "Bot"),
        Binding("n", "new_table", "New"),
        Binding("f", "find", "Quick match"),
        Binding("j", "join", "Join"),
        Binding("w", "watch", "Watch"),
        Binding("r", "replays", "Replays"),
        Binding("c", "code", "Code"),
        Binding("m", "name", "Name"),
        Binding("f1", "help", "Help"),
        Binding("q", "quit", "Quit"),
    ]

    app: TerminalApp

    def __init__(self) -> None:
        super().__init__()
        self._ports: tuple[DialectPort, ...] = default_ports()
        self._entries: list[Server | DialectPort | str] = []
        self._rows: list[str] = []
        self._ready = False
        """Whether the widgets are mounted."""

    def compose(self) -> ComposeResult:
        """Lay out the two lists."""
        yield Static("", id="banner", markup=False)
        with Horizontal(id="columns"):
            with Vertical(id="left"):
                yield OptionList(id="servers", markup=False, compact=True)
            with Vertical(id="right"):
                yield DataTable(id="tables", cursor_type="row", zebra_stripes=False)
                yield Static("", id="empty", markup=False)
                yield Static("", id="status", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Fill the lists and refresh them periodically."""
        table = self.query_one("#tables", DataTable)
        table.add_columns("Game", "State", "Players")
        self._ready = True
        self._list_servers()
        self.set_interval(LIST_SECONDS, self._request_tables)
        self._ask_ports()
        self.session_changed()
        self.query_one("#servers", OptionList).focus()

    def on_screen_resume(self) -> None:
        """Request the tables again when the screen is shown again."""
        self._request_tables()
        self.session_changed()

    # --- lists ------------------------------------------------------------------------------------------------------

    def _list_servers(self) -> None:
        """List the known servers and, below the chosen one, its dialects with their ports."""
        options = self.query_one("#servers", OptionList)
        highlighted = options.highlighted
        self._entries = []
        lines = []
        for server in self.app.servers:
            chosen = server == self.app.server
            self._entries.append(server)
            lines.append(Text(f"{'●' if chosen else '○'} {escaped(server.title)}", style="bold" if chosen else ""))
            if chosen:
                for port in self._ports:
                    self._entries.append(port)
                    lines.append(Text(f"  {port.dialect} {port.port}", style="dim", no_wrap=True, overflow="ellipsis"))
        self._entries.append(_OTHER)
        lines.append(Text("+ another server ..."))
        options.clear_options()
        options.add_options([Option(line) for line in lines])
        options.highlighted = min(highlighted or 0, len(lines) - 1)

    def _ask_ports(self) -> None:
        self.run_worker(self._load_ports(), exclusive=True, group="ports")

    async def _load_ports(self) -> None:
        ports = await dialect_ports(self.app.server)
        if ports is not None and ports != self._ports:
            self._ports = ports
            self._list_servers()

    def _request_tables(self) -> None:
        session = self.app.session
        if self.is_current and session is not None and session.link is LinkState.CONNECTED and session.model is None:
            session.send(wire.List())

    def session_changed(self) -> None:
        """Show the tables and the state of the connection."""
        session = self.app.session
        if session is None or not self._ready:
            return
        self.query_one("#banner", Static).update(
            Text(
                f" boardwire · {escaped(self.app.player_name)} at {self.app.server.title}: {session.link}", no_wrap=True
            )
        )
        self._show_tables(session.tables if session.link is LinkState.CONNECTED else ())
        status = Text()
        if session.notice:
            status.append(session.notice, style="bold #ff8787")
        elif session.link is not LinkState.CONNECTED and session.problem:
            status.append(session.problem, style="#ff8787")
        elif session.held_seats:
            status.append(
                f"{len(session.held_seats)} of your matches can be continued: Enter on 'yours'.", style="bold"
            )
        self.query_one("#status", Static).update(status)

    def _show_tables(self, tables: tuple[wire.TableInfo, ...]) -> None:
        """List the player's own seats and the open tables; the cursor stays on its row."""
        session = self.app.session
        table = self.query_one("#tables", DataTable)
        empty = self.query_one("#empty", Static)
        seat_by_match = {entry.match: entry for entry in (session.held_seats if session is not None else ())}
        rows = [
            *((entry.match, entry.game, "yours", _names(entry.players)) for entry in seat_by_match.values()),
            *(
                (entry.match, entry.game, _state(entry), _names(entry.players))
                for entry in tables
                if entry.match not in seat_by_match and entry.status is not Status.OVER
            ),
        ]
        table.display, empty.display = bool(rows), not rows
        if not rows:
            empty.update(self._advice())
        row_keys = [row[0] for row in rows]
        cursor = self._rows[table.cursor_row] if self._rows and table.cursor_row < len(self._rows) else ""
        table.clear()
        for _, game, state, players in rows:
            table.add_row(Text(shown_name(game)[:10]), Text(state), Text(players))
        self._rows = row_keys
        if cursor in row_keys:
            table.move_cursor(row=row_keys.index(cursor), animate=False)

    def _advice(self) -> str:
        session = self.app.session
        if session is None or session.link is not LinkState.CONNECTED:
            return (
                f"No server answers at {self.app.server.title}.\n\nStart one in another terminal:\n\n"
                "    boardwire serve\n\nThis screen connects as soon as it is up."
            )
        return (
            "There are no tables yet.\n\n"
            "  b  play against a bot\n"
            "  n  open a table for others, or with options\n"
            "  f  quick match: take any free seat\n"
            "  r  watch stored matches again\n\n"
            "On the left, other dialects of this server: Enter connects."
        )

    # --- choosing ---------------------------------------------------------------------------------------------------

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Connect to a server, or over a dialect."""
        entry = self._entries[event.option_index]
        if isinstance(entry, DialectPort):
            self._play_over(entry)
        elif isinstance(entry, Server):
            self._connect(entry)
        else:
            self.app.push_screen(ServerForm(), self._connect)

    def _connect(self, server: Server | None) -> None:
        if server is not None and server != self.app.server:
            self._ports = default_ports()
            self.app.use_server(server)
            self._list_servers()
            self._ask_ports()
        elif server is not None:
            self._ask_ports()
        self.session_changed()

    def _play_over(self, port: DialectPort) -> None:
        def play(seating: ClientOptions | None) -> None:
            if seating is not None:
                self.app.play_over(port.dialect, self.app.server.host, port.port, seating)

        self.app.push_screen(DialectForm(port.dialect, self.app.player_name), play)

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Join a waiting table, continue a match, or watch."""
        self.action_join()

    def _highlighted_table(self) -> wire.TableInfo | wire.Kept | None:
        session = self.app.session
        row = self.query_one("#tables", DataTable).cursor_row
        if session is None or row >= len(self._rows):
            return None
        match = self._rows[row]
        held_seat = next((entry for entry in session.held_seats if entry.match == match), None)
        return held_seat or next((entry for entry in session.tables if entry.match == match), None)

    def action_join(self) -> None:
        """Take a seat at the chosen table, or watch if none is free."""
        chosen = self._highlighted_table()
        if isinstance(chosen, wire.Kept):
            self._send(wire.Resume(match=chosen.match, seat=chosen.seat))
        elif chosen is not None and chosen.status is Status.WAITING:
            self._send(wire.Join(match=chosen.match))
        elif chosen is not None:
            self._send(wire.Watch(match=chosen.match))

    def action_watch(self) -> None:
        """Watch the chosen table."""
        chosen = self._highlighted_table()
        if chosen is not None:
            self._send(wire.Watch(match=chosen.match))

    def action_find(self) -> None:
        """Take a seat at any table of a game."""
        from boardwire.terminal.app.find_form import FindForm

        self.app.push_screen(FindForm(), self._send)

    def action_new_table(self) -> None:
        """Open a table for people."""
        self.app.push_screen(TableForm(), self._send)

    def action_play_bot(self) -> None:
        """Open a table against a bot."""
        self.app.push_screen(TableForm(bots=True), self._send)

    def action_code(self) -> None:
        """Join a table by its name and code."""

        def join(invitation: Invitation | None) -> None:
            if invitation is not None:
                self._send(wire.Join(match=invitation.match, code=invitation.code))

        self.app.push_screen(InvitationForm(), join)

    def action_name(self) -> None:
        """Change the player's name."""

        def rename(answer: Name | None) -> None:
            if answer is not None:
                self.app.rename(answer.name)

        self.app.push_screen(NameForm(self.app.player_name), rename)

    def action_replays(self) -> None:
        """Show the stored matches."""
        from boardwire.terminal.app.matches_screen import MatchesScreen

        self.app.push_screen(MatchesScreen(self.app.server))

    def action_help(self) -> None:
        """Show the keys."""
        from boardwire.terminal.app.help_screen import HelpScreen

        self.app.push_screen(HelpScreen())

    def action_quit(self) -> None:
        """Quit the client."""
        self.app.exit()

    def _send(self, request: wire.Request | None) -> None:
        session = self.app.session
        if request is not None and session is not None:
            session.notice = ""
            if session.link is LinkState.CONNECTED:
                session.send(request)
            else:
                session.notice = "Not connected yet."
            self.session_changed()


def _names(players: tuple[wire.PlayerInfo | None, ...]) -> str:
    return ", ".join(
        "(free)" if player is None else shown_name(player.name) or shown_name(player.dialect) for player in players
    )


def _state(table: wire.TableInfo) -> str:
    """Return a summary of status, moves, clock and spectators."""
    clock = f" {table.per_move:g} s" if table.per_move else f" {table.bank / 60:g} min" if table.bank else ""
    moves = f" {table.moves}" if table.moves else ""
    audience = f" +{table.audience}" if table.audience else ""
    return f"{table.status}{moves}{clock}{audience}"
