"""Index of held seats by player, used to resume after a disconnect.

Players are identified by the hash of their token or, without one, by dialect and name. An entry is a hint: callers
must check that the match still holds the seat.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Final

import msgspec

from boardwire.errors import Reason, Refused
from boardwire.games.game import Seat
from boardwire.table.events import Player
from boardwire.table.match import Match, Status
from boardwire.table.ports import ListedTable

MIN_TOKEN_LENGTH: Final = 24
"""24 random characters carry at least 120 bits. Tokens made by the server are longer."""


def token_hash(token: str) -> str:
    """Return the hash of a token that the journal stores."""
    return sha256(token.encode()).hexdigest()[:32]


def identity(player: Player) -> str:
    """Return the key that identifies a player, or '' for an anonymous one."""
    return player.key or (f"{player.dialect}\n{player.name}" if player.name and not player.bot else "")


def is_identifiable(player: Player) -> bool:
    """Return whether a player can be distinguished from all others; a cluster marks players without a name."""
    return bool(identity(player) or player.mark)


def check_token(token: str) -> None:
    """Raise `Refused` if a token is too short to be safe: a token gives access to the player's seats."""
    if len(token) < MIN_TOKEN_LENGTH:
        raise Refused(
            f"invalid token: use the one from `welcome`, or choose one of at least {MIN_TOKEN_LENGTH} characters",
            reason=Reason.BAD_TOKEN,
        )


class HeldSeats:
    """Tables of the seated players, by player."""

    def __init__(self) -> None:
        self._tables: dict[str, dict[str, ListedTable]] = {}
        self._keys: dict[str, set[str]] = {}

    def note(self, table: ListedTable) -> None:
        """Index the players at `table`."""
        for player in table.match.players:
            if player is not None and (key := identity(player)):
                self._tables.setdefault(key, {})[table.match.id] = table
                self._keys.setdefault(table.match.id, set()).add(key)

    def forget(self, table: ListedTable) -> None:
        """Remove `table` from the index."""
        for key in self._keys.pop(table.match.id, ()):
            tables = self._tables[key]
            del tables[table.match.id]
            if not tables:
                del self._tables[key]

    def of(self, key: str) -> Iterator[tuple[Match, Seat]]:
        """Yield the seats of a player in unfinished matches."""
        for table, seat in self._held_seats(key):
            yield table.match, seat

    def find_left_seat(self, player: Player) -> tuple[ListedTable, Seat] | None:
        """Return the newest seat, with its table, that a player of this name and dialect left in mid-play, or None."""
        key = identity(msgspec.structs.replace(player, key=""))
        left_seats = [(table, seat) for table, seat in self._held_seats(key) if table.is_left(seat)]
        return left_seats[-1] if left_seats else None

    def _held_seats(self, key: str) -> Iterator[tuple[ListedTable, Seat]]:
        """Yield the tables and seats of a player in matches that are not over."""
        for table in tuple(self._tables.get(key, {}).values()):
            if table.match.status is not Status.OVER:
                for seat, player in enumerate(table.match.players):
                    if player is not None and identity(player) == key:
                        yield table, seat
