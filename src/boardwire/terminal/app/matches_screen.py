"""Screen with the stored matches of a server, newest first; Enter replays one."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, Final

import msgspec
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widgets import DataTable, Static

from boardwire.errors import BoardwireError
from boardwire.games.game import Outcome
from boardwire.terminal.app import http_client
from boardwire.terminal.app.key_footer import KeyFooter
from boardwire.terminal.app.match_model import shown_name
from boardwire.terminal.app.servers import Server
from boardwire.wire.text import escaped

if TYPE_CHECKING:
    from boardwire.terminal.app.app import TerminalApp

PAGE_LENGTH: Final = 50


class ListedMatch(msgspec.Struct, frozen=True):
    """A match in the API's list."""

    id: str
    game: str
    players: tuple[str, ...]
    status: str
    moves: int
    at: float
    outcome: Outcome | None = None


class _Matches(msgspec.Struct):
    matches: tuple[ListedMatch, ...]
    next: int | None = None


class MatchesScreen(Screen[None]):
    """A list of matches."""

    CSS = """
    #banner { height: 1; background: $primary-background; color: $text; text-style: bold; }
    #matches { height: 1fr; background: $background; }
    #status { height: auto; }
    Screen:nocolor #banner { text-style: reverse; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("enter", "open", "Replay"),
        Binding("o", "older", "Older"),
        Binding("r", "reload", "Reload"),
    ]

    app: TerminalApp

    def __init__(self, server: Server) -> None:
        super().__init__()
        self._server = server
        self._matches: list[ListedMatch] = []
        self._next: int | None = None

    def compose(self) -> ComposeResult:
        """Lay out the list."""
        yield Static(Text(f" Stored matches of {self._server.title}"), id="banner")
        yield DataTable(id="matches", cursor_type="row")
        yield Static("", id="status", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        """Load the newest matches."""
        table = self.query_one("#matches", DataTable)
        table.add_columns("Time", "Game", "Players", "Moves", "End")
        table.focus()
        self.action_reload()

    def action_reload(self) -> None:
        """Load the newest matches."""
        self._matches, self._next = [], None
        self.query_one("#matches", DataTable).clear()
        self.run_worker(self._load(), exclusive=True)

    def action_older(self) -> None:
        """Load older matches, if there are any."""
        if self._next is not None:
            self.run_worker(self._load(), exclusive=True)

    async def _load(self) -> None:
        """Load the next page of finished matches."""
        status = self.query_one("#status", Static)
        status.update("Loading ...")
        query = {"limit": PAGE_LENGTH} if self._next is None else {"limit": PAGE_LENGTH, "before": self._next}
        try:
            page: _Matches = await http_client.get(
                self._server.host, self._server.port, "/api/matches", _Matches, **query
            )
        except BoardwireError as error:
            status.update(escaped(str(error)))
            return
        self._next = page.next
        table = self.query_one("#matches", DataTable)
        for match in page.matches:
            self._matches.append(match)
            players = ", ".join(shown_name(name) or "-" for name in match.players)
            table.add_row(
                Text(_time(match.at)),
                Text(shown_name(match.game)),
                Text(players[:38]),
                Text(str(match.moves)),
                Text(_outcome_text(match)),
            )
        more = " o loads older ones." if self._next is not None else ""
        status.update(f"{len(self._matches)} matches.{more}" if self._matches else "There are no stored matches.")

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """Replay a match."""
        self.action_open()

    def action_open(self) -> None:
        """Replay the chosen match."""
        from boardwire.terminal.app.replay_screen import ReplayScreen

        row = self.query_one("#matches", DataTable).cursor_row
        if row < len(self._matches):
            self.app.push_screen(ReplayScreen(self._server, self._matches[row].id))

    def action_back(self) -> None:
        """Go back."""
        self.dismiss()


def _time(at: float) -> str:
    try:
        return datetime.fromtimestamp(at).strftime("%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return "-"


def _outcome_text(match: ListedMatch) -> str:
    if match.outcome is None:
        return shown_name(match.status)
    names = [
        shown_name(match.players[seat]) or f"player {seat + 1}"
        for seat in match.outcome.winners
        if seat < len(match.players)
    ]
    how = shown_name(match.outcome.termination)
    return f"{' and '.join(names)} ({how})" if names else how
