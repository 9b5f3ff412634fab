"""The lobby of a node in a cluster.

Rules:

- Every node has one, which keeps the tables that it hosts.  One of them presides: seeks, codes, claimed names, players
  who come back, the list of tables and the limit of matches are decided there, for all nodes, as on a single node.
- **A table that waits is hosted where the lobby presides**, so that all who wait can be brought together; when play
  begins it is placed at the node of its first player.
- The one that presides lists what other nodes host by the cards they send.
- Of what nobody hosts any more, only a presiding lobby takes care: it is hosted here, and whoever does not come along
  has left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from boardwire.cluster.tables import Elsewhere, HostedTable, Usher
from boardwire.cluster.transport.messages import Card, carded
from boardwire.games.game import Seat
from boardwire.lobby.held_seats import is_told_apart
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import Errand, Seek
from boardwire.lobby.table_lists import by_game
from boardwire.lobby.terms import ordinary
from boardwire.table.events import Opened, Player
from boardwire.table.guest import Surveyed
from boardwire.table.handover import Handover
from boardwire.table.match import Match, Setting, Status
from boardwire.table.table import Table


class Steward(Usher, Protocol):
    """Whoever a cluster's lobby works for."""

    def superseded(self, rest: Handover, /) -> None:
        """Somebody else has written to a match that was hosted here."""

    def changed(self, table: HostedTable, /) -> None:
        """Who sits there has changed, or whether it is played at."""

    def forgotten(self, table: HostedTable, /) -> None:
        """It is no more."""


def _like(setting: Setting, seats: int) -> Seek:
    """What somebody would have sought who opened a table like this."""
    mode = getattr(setting.asked, "mode", None)  # players of two modes do not meet, in any dialect
    return Seek(
        setting.game.name,
        seats,
        Player(dialect=setting.dialect),
        setting.asked,
        setting.policy,
        () if mode is None else (str(mode),),
        private=bool(setting.code),
        named=not ordinary(setting.game, setting.asked, setting.policy),
    )


class ClusterLobby(Lobby):
    """See the module."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.steward: Steward
        self.presiding = False
        self._listed: dict[str, Surveyed] = {}
        """What the presiding lobby said of the tables, by game."""
        self.looked = 0.0
        """When somebody last wanted to know."""

    def surveyed(self, game: str = "") -> Surveyed:
        """The public tables of all nodes; where this lobby does not preside, as they were a moment ago."""
        if self.presiding:
            return super().surveyed(game)
        self.looked = self.clock.now()
        return self._listed.get(game) or Surveyed((), self.full)

    @property
    def full(self) -> bool:
        """Whether as many matches are being played on all nodes as may be; elsewhere as it was a moment ago."""
        return super().full if self.presiding else "" in self._listed and self._listed[""].full

    def list_all(self, surveyed: Surveyed) -> None:
        """The presiding lobby has told of the tables."""
        self._listed = by_game(surveyed)

    def hosted(self, match: str) -> HostedTable | None:
        """The table of a match that is hosted here."""
        table = self.known(match)
        return table if isinstance(table, HostedTable) else None

    def host_of(self, match: str) -> str:
        """The other node that hosts a match; empty: it is not known that one does."""
        table = self.known(match)
        return table.host if isinstance(table, Elsewhere) else ""

    def tables(self) -> list[HostedTable]:
        """All that are hosted here."""
        return [table for table in self if isinstance(table, HostedTable)]

    def lists(self, match: str) -> bool:
        """Whether that is a match at one of the tables that this lobby knows of."""
        return self.known(match) is not None

    def host(self, match: Match) -> HostedTable:
        """Host a match that was read from the journal; if it waits, whoever comes along says by what it is found."""
        self.withdraw(match.id)
        table = self.make_table(match)
        self.enlist(table, sum(player is not None for player in match.players))
        table.resume()
        return table

    def remember_terms(self, table: HostedTable, sought: Errand | None, seat: Seat | None) -> None:
        """One of those who wait at a table says by what it is found.  Whoever sits there and has come back to it does
        not know: then it is what the match itself tells."""
        if isinstance(sought, Seek):
            self.offer(table, sought)
        elif seat is not None:
            self.offer(table, _like(table.match.setting, len(table.match.chairs)))

    def place(self, table: HostedTable, node: str) -> None:
        """Another node hosts it from now on."""
        if self.presiding:
            self.exchange(self._stub(table.match, node))
        else:
            self.withdraw(table.match.id)

    def note(self, card: Card, node: str) -> None:
        """Another node has told of a match that it hosts."""
        table = self.known(card.id)
        if table is None:
            table = self._stub(carded(card), node)
            self.enlist(table)
        if isinstance(table, Elsewhere) and card.seq >= table.match.seq:
            table.host = node
            table.note(card)
            self.changed(table)

    def vacate(self, node: str) -> None:
        """A node is no more: nobody hosts what it did, until somebody tells."""
        for table in self:
            if isinstance(table, Elsewhere) and table.host == node:
                table.host = ""

    def strike(self, match: str) -> None:
        """A match that was listed is no more at any other node."""
        if isinstance(self.known(match), Elsewhere):
            self.withdraw(match)

    def abdicate(self) -> None:
        """Preside no longer: of other nodes' tables nothing is known."""
        self.presiding = False
        for table in tuple(self):
            self.strike(table.match.id)

    def ghost(self, player: Player, name: str) -> tuple[str, Seat, str] | None:
        """A seat that this player took before its former lobby was gone, and that nobody has come to since: its match
        and the node that hosts it; `name` is this one."""
        if not is_told_apart(player):
            return None
        for table in self:
            missing, node = (table.missing, table.host) if isinstance(table, Elsewhere) else ((), name)
            if isinstance(table, HostedTable) and table.match.status is not Status.OVER:
                missing = tuple(table.unattended())
            for seat in missing:
                if table.match.players[seat] == player:
                    return table.match.id, seat, node
        return None

    def _stub(self, match: Match, node: str) -> Elsewhere:
        table = self.equip(Elsewhere, match)
        table.usher = self.steward
        table.host = node
        table.missing = ()
        return table

    # --- what is otherwise than on a single node ----------------------------------------------------------------------

    def make_table(self, match: Match, opening: Opened | None = None) -> HostedTable:
        """See `boardwire.lobby.lobby.Lobby`."""
        table = self.equip(HostedTable, match, opening)
        table.noted = 0, 0
        table.placed = False
        return table

    def changed(self, table: Table) -> None:
        """See `boardwire.table.ports.Keeper`."""
        super().changed(table)
        if isinstance(table, HostedTable) and not table.superseded and self.lists(table.match.id):
            self.steward.changed(table)

    def superseded(self, table: Table, rest: Handover) -> None:
        """Nobody is sent away: guests look for their table where it is now."""
        self.steward.superseded(rest)

    def forgotten(self, table: Table) -> None:
        """See `boardwire.lobby.lobby.Lobby`."""
        if isinstance(table, HostedTable) and not table.superseded:
            self.steward.forgotten(table)

    def find_unfinished(self, unreadable: Callable[[str, Exception], None] = lambda *_: None) -> None:
        """A node of a cluster takes up nothing by itself; see the module."""
