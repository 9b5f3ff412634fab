"""Which tables a player who comes back has a seat at.

A player is known by the key that the journal keeps of its token; one that came without, by its name and dialect.  What
is kept here is only where to look: a seat may have been given up since, so whoever asks looks at the match itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

from boardwire.errors import Reason, Refused
from boardwire.games.game import Seat
from boardwire.table.events import Player
from boardwire.table.match import Match, Status
from boardwire.table.ports import ListedTable


def key_of(token: str) -> str:
    """What the journal keeps of a token: enough to recognize it, not enough to make it."""
    return sha256(token.encode()).hexdigest()[:32]


def known_by(player: Player) -> str:
    """What tells a player from others; empty: nothing does."""
    return player.key or (f"{player.dialect}\n{player.name}" if player.name and not player.bot else "")


def is_told_apart(player: Player) -> bool:
    """Whether there is no other one like it: one without a name is marked where a cluster may have to look for it."""
    return bool(known_by(player) or player.mark)


SHORTEST_TOKEN: Final = 24
"""Nobody guesses so many signs; those that the server gives are longer."""


def check_token(token: str) -> None:
    """`Refused` if somebody else might think of it too: whoever shows it has the player's seats."""
    if len(token) < SHORTEST_TOKEN:
        raise Refused(
            f"a token is the one that the server gave you, or at least {SHORTEST_TOKEN} signs; say hello without",
            reason=Reason.BAD_TOKEN,
        )


class Places:
    """The tables by the keys of those who sat down there."""

    def __init__(self) -> None:
        self._tables: dict[str, dict[str, ListedTable]] = {}
        self._keys: dict[str, set[str]] = {}

    def note(self, table: ListedTable) -> None:
        """Remember who sits at `table`."""
        for player in table.match.players:
            if player is not None and (key := known_by(player)):
                self._tables.setdefault(key, {})[table.match.id] = table
                self._keys.setdefault(table.match.id, set()).add(key)

    def forget(self, table: ListedTable) -> None:
        """`table` is no more."""
        for key in self._keys.pop(table.match.id, ()):
            tables = self._tables[key]
            del tables[table.match.id]
            if not tables:
                del self._tables[key]

    def of(self, key: str) -> Iterator[tuple[Match, Seat]]:
        """The seats that belong to the player with this key, in matches that are not over."""
        for table in self._tables.get(key, {}).values():
            if table.match.status is not Status.OVER:
                for seat, player in enumerate(table.match.players):
                    if player is not None and known_by(player) == key:
                        yield table.match, seat
