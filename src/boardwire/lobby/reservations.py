"""Seats reserved by an organiser, and how their guests are recognised.

- Every seat of an organiser's table is reserved for a player or taken by a bot: no other guest is seated there.
- A guest is recognised by the port it connected to (`Guest.reserved_seat`), by the code of its seat, or by its login
  name together with the dialect that the organiser has chosen.
- Names are compared without case, as everywhere in the lobby. A name with seats at several waiting tables gets the
  oldest one, so that a program that plays one match per connection plays them in order.
- A name is not a secret: where that matters, use a name that is hard to guess, or a port.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec.structs import replace

from boardwire.errors import Reason, Refused
from boardwire.games.game import Seat
from boardwire.lobby.requests import Seek
from boardwire.table.commands import Join
from boardwire.table.events import Player
from boardwire.table.guest import Guest
from boardwire.table.match import Match, Status
from boardwire.table.ports import ListedTable


class SeatReservation(msgspec.Struct, frozen=True):
    """A reserved seat."""

    seat: Seat
    name: str = ""
    """Name of the player."""
    dialect: str = ""
    """Dialect in which `name` identifies the player; empty: in none."""
    code: str = ""
    """Code that admits a guest to the seat."""


class Reservations:
    """Reserved seats by match, oldest match first. `find_table` returns the table of a match, or None."""

    def __init__(self, find_table: Callable[[str], ListedTable | None]) -> None:
        self._find_table = find_table
        self._seats: dict[str, tuple[SeatReservation, ...]] = {}

    def add(self, match: str, seats: Sequence[SeatReservation]) -> None:
        """Reserve seats of a match."""
        self._seats[match] = tuple(seats)

    def forget(self, match: str) -> None:
        """Forget the reservations of a match."""
        self._seats.pop(match, None)

    def codes(self, match: str) -> tuple[str, ...]:
        """Return the codes of the seats of a match."""
        return tuple(reservation.code for reservation in self._seats.get(match, ()) if reservation.code)

    def find(self, guest: Guest, game: str, player: Player) -> ListedTable | None:
        """Return the waiting table at which a seat is reserved for a guest, or None.

        Raises `Refused` if the match of the guest's port no longer waits.
        """
        if guest.reserved_seat is not None:
            table = self._find_table(guest.reserved_seat[0])
            if table is None or table.match.status is not Status.WAITING:
                raise Refused("the match of this port has begun or is over", reason=Reason.BEGUN)
            return table
        return next(self._reserved_by_name(game, player), None)

    def _reserved_by_name(self, game: str, player: Player) -> Iterator[ListedTable]:
        """Yield the waiting tables at which a free seat is reserved for the player's name, oldest first."""
        for match, seats in self._seats.items():
            reserved_seats = [reservation.seat for reservation in seats if _has_name(reservation, player)]
            table = self._find_table(match) if reserved_seats else None
            if table is None or table.match.status is not Status.WAITING or table.ends:
                continue
            is_free = any(table.match.chairs[seat].player is None for seat in reserved_seats)
            if is_free and table.match.setting.game.name == game:
                yield table

    def check_seek(self, match: Match, seek: Seek) -> None:
        """Raise `Refused` if a seek does not fit the match in which a seat is reserved for its guest."""
        if seek.seats != len(match.chairs):
            problem = f"your seat is at a table for {len(match.chairs)} players, not {seek.seats}"
            raise Refused(problem, reason=Reason.SEAT_TAKEN)
        table_mode = getattr(match.setting.initial_options, "mode", None)
        guest_mode = getattr(seek.options, "mode", None)
        if table_mode is not None and guest_mode is not None and table_mode != guest_mode:
            raise Refused(f"your seat is at a table in mode {table_mode}, not {guest_mode}", reason=Reason.SEAT_TAKEN)

    def admits(self, guest: Guest, match: str, player: Player | None) -> bool:
        """Return whether a guest needs no code for a match, because its port or name has a reserved seat."""
        if guest.reserved_seat is not None and guest.reserved_seat[0] == match:
            return True
        return player is not None and any(_has_name(reservation, player) for reservation in self._seats.get(match, ()))

    def join(self, guest: Guest, match: Match, code: str, join: Join) -> Join:
        """Return `join` for the seat that is reserved for a guest; raise `Refused` if there is none.

        A match without reservations leaves `join` unchanged.
        """
        seats = self._seats.get(match.id)
        if seats is None:
            return join
        if guest.reserved_seat is not None:
            matching = [reservation for reservation in seats if guest.reserved_seat == (match.id, reservation.seat)]
        else:
            matching = [
                reservation
                for reservation in seats
                if (code and reservation.code == code) or _has_name(reservation, join.player)
            ]
        if not matching:
            problem = "every seat of this table is reserved; use the link, name or port of your seat"
            raise Refused(problem, reason=Reason.PRIVATE)
        free = [reservation for reservation in matching if match.chairs[reservation.seat].player is None]
        reservation = (free or matching)[0]
        player = join.player
        if player.dialect == "native" and reservation.name:  # programs of other protocols expect the name they gave
            player = replace(player, name=reservation.name)
        return replace(join, seat=reservation.seat, player=player)


def _has_name(reservation: SeatReservation, player: Player) -> bool:
    """Return whether a player has the name and the dialect, in any edition, of a reservation."""
    if not reservation.dialect or not reservation.name or reservation.name.casefold() != player.name.casefold():
        return False
    return player.dialect == reservation.dialect or player.dialect.startswith(f"{reservation.dialect}/")
