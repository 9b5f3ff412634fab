"""The lobby of a cluster node.

- Every node has a lobby that keeps the tables it hosts. The lobby of one node presides over the cluster: seat
  requests, codes, claimed names, returning players, the table list and the match limit are decided there for all nodes,
  by the same code as on a single node.
- **Waiting tables are hosted by the node whose lobby presides**, so that they can be merged. When play begins, a match
  moves to the node of its first player.
- The presiding lobby lists the tables of other nodes from the summaries that they send.
- Only the presiding lobby adopts matches without a host. Their players have left unless they return in time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from boardwire.cluster.tables import HostedTable, RemoteTable
from boardwire.cluster.transport.messages import MatchSummary, expand_summary
from boardwire.games.game import Seat
from boardwire.lobby.held_seats import is_identifiable
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import LobbyRequest, Seek
from boardwire.lobby.table_lists import by_game
from boardwire.lobby.terms import needs_consent
from boardwire.table.events import Opened, Player
from boardwire.table.guest import Guest, Surveyed
from boardwire.table.handover import Handover
from boardwire.table.match import Match, MatchSetup, Status
from boardwire.table.ports import ListedTable

if TYPE_CHECKING:
    from boardwire.cluster.context import HostingObserver


def _seek_for(setting: MatchSetup, seats: int) -> Seek:
    """Return the request that would have opened a table with this setting."""
    mode = getattr(setting.initial_options, "mode", None)  # every dialect keeps players of different modes apart
    return Seek(
        setting.game.name,
        seats,
        Player(dialect=setting.dialect),
        setting.initial_options,
        setting.policy,
        () if mode is None else (str(mode),),
        private=bool(setting.code),
        named=needs_consent(setting.game, setting.initial_options, setting.policy),
    )


class ClusterLobby(Lobby):
    """The lobby of a cluster node; `presiding` if it is the lobby of the whole cluster."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.observer: HostingObserver
        self.presiding = False
        self._lists: dict[str, Surveyed] = {}
        """The last table lists of the presiding lobby, by game."""
        self.list_read_at = 0.0
        """When a table list was last requested here."""

    def shared_survey(self, game: str = "") -> Surveyed:
        """Return the public tables of all nodes; unless this lobby presides, as of the last list received."""
        if self.presiding:
            return super().shared_survey(game)
        self.list_read_at = self.clock.now()
        return self._lists.get(game) or Surveyed((), self.full)

    @property
    def full(self) -> bool:
        """Whether the cluster has reached its match limit; unless this lobby presides, as of the last list received."""
        return super().full if self.presiding else "" in self._lists and self._lists[""].full

    def set_list(self, surveyed: Surveyed) -> None:
        """Store the table list of the presiding lobby."""
        self._lists = by_game(surveyed)

    def hosted(self, match: str) -> HostedTable | None:
        """Return the table of a match hosted here, or None."""
        table = self.find_table(match)
        return table if isinstance(table, HostedTable) else None

    def host_of(self, match: str) -> str:
        """Return the other node that hosts a match, or '' if none is known."""
        table = self.find_table(match)
        return table.host if isinstance(table, RemoteTable) else ""

    def tables(self) -> list[HostedTable]:
        """Return all tables hosted here."""
        return [table for table in self if isinstance(table, HostedTable)]

    def lists(self, match: str) -> bool:
        """Return whether this lobby lists a match, hosted here or at another node."""
        return self.find_table(match) is not None

    def host(self, match: Match) -> HostedTable:
        """Host a match read from the journal. A waiting table gets its terms from its guests (`restore_terms`)."""
        self.withdraw(match.id)
        table = self.make_table(match)
        self.enlist(table, sum(player is not None for player in match.players))
        table.resume()
        return table

    def restore_terms(self, table: HostedTable, seek: LobbyRequest | None, seat: Seat | None) -> None:
        """Restore the terms of a waiting table from one of its guests.

        A player who has returned does not know them; then they are derived from the match.
        """
        if isinstance(seek, Seek):
            self.offer(table, seek)
        elif seat is not None:
            self.offer(table, _seek_for(table.match.setting, len(table.match.chairs)))

    def move(self, table: HostedTable, node: str) -> None:
        """Replace a table by a `RemoteTable`, or remove it if this lobby does not preside: another node hosts it."""
        if self.presiding:
            self.exchange(RemoteTable(table.match, node, self))
        else:
            self.withdraw(table.match.id)

    def update(self, summary: MatchSummary, node: str) -> None:
        """Update the list from a summary of a match that another node hosts."""
        table = self.find_table(summary.id)
        if table is None:
            table = RemoteTable(expand_summary(summary), node, self)
            self.enlist(table)
        if isinstance(table, RemoteTable) and summary.seq >= table.match.seq:
            table.host = node
            table.update(summary)
            self.changed(table)

    def clear_host(self, node: str) -> None:
        """Mark the tables of a dead node as without a host."""
        for table in self:
            if isinstance(table, RemoteTable) and table.host == node:
                table.host = ""

    def remove_remote(self, match: str) -> None:
        """Remove a match from the list unless it is hosted here."""
        if isinstance(self.find_table(match), RemoteTable):
            self.withdraw(match)

    def abdicate(self) -> None:
        """Stop presiding, and remove the tables of other nodes."""
        self.presiding = False
        for table in tuple(self):
            self.remove_remote(table.match.id)

    def find_lost_seat(self, player: Player, name: str) -> tuple[str, Seat, str] | None:
        """Return match, seat and host of a seat that a former lobby gave a player whose answer was lost, or None.

        `name` is the name of this node.
        """
        if not is_identifiable(player):
            return None
        for table in self:
            missing, node = (table.missing, table.host) if isinstance(table, RemoteTable) else ((), name)
            if isinstance(table, HostedTable) and table.match.status is not Status.OVER:
                missing = tuple(table.unattended())
            for seat in missing:
                if table.match.players[seat] == player:
                    return table.match.id, seat, node
        return None

    def forward(self, guest: Guest, match: str, node: str, request: Any) -> None:
        """Let a guest make a request at the table of a match that `node` hosts."""
        self.observer.forward(guest, match, node, request)

    # --- overrides ----------------------------------------------------------------------------------------------------

    def make_table(self, match: Match, opening: Opened | None = None) -> HostedTable:
        """Make a table that may be handed over to another node."""
        return self.build_table(HostedTable, match, opening)

    def changed(self, table: ListedTable) -> None:
        """Update the list, and report a hosted table to the member."""
        super().changed(table)
        if isinstance(table, HostedTable) and not table.superseded and self.lists(table.match.id):
            self.observer.changed(table)

    def superseded(self, table: ListedTable, handover: Handover) -> None:
        """Let the guests follow the match to its new host; no connection is closed."""
        self.observer.superseded(handover)

    def forgotten(self, table: ListedTable) -> None:
        """Report a removed table to the member."""
        if isinstance(table, HostedTable) and not table.superseded:
            self.observer.forgotten(table)

    def find_unfinished(self, unreadable: Callable[[str, Exception], None] = lambda *_: None) -> None:
        """Do nothing: unfinished matches are adopted through their leases."""
