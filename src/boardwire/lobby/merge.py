"""Who is brought from one table that waits for players to another, so that two who wait meet.

Rules:

- Both tables are quiet, wait, and somebody sits at each.
- Guests are brought over if that empties the one table (all people there come along) or fills the other; so each time
  there is one table less that waits, and nobody goes to and fro.
- What a guest's protocol has said is not taken back (`Tie`).
- The other table must take them: their names, their wishes, their seats.  `decide` says so, as for all who join.
"""

from __future__ import annotations

from boardwire.errors import BoardwireError
from boardwire.table.commands import Join
from boardwire.table.decide import decide
from boardwire.table.guest import Guest, Tie
from boardwire.table.match import Match
from boardwire.table.ports import GuestTable, ListedTable


def movable(table: GuestTable) -> list[Guest]:
    """Those who sit at `table` and may be brought to another: first those that need a certain seat there."""
    seats = {guest: seat for guest in table.guests if (seat := table.seat_of(guest)) is not None}
    free = [guest for guest in seats if guest.tie is not Tie.TABLE]
    return sorted(free, key=lambda guest: (guest.tie is not Tie.SEAT, seats[guest]))


def moves(source: ListedTable, target: ListedTable, free: int, now: float) -> list[tuple[Guest, Join]]:
    """Who is to be brought from `source` to `target`, where so many seats are free, and how they join there; nobody if
    it cannot or need not be."""
    people = _people(source.match)
    if free < 1 or not people or not _people(target.match) or not (source.quiet and target.quiet):
        return []
    found: list[tuple[Guest, Join]] = []
    match = target.match
    for guest in movable(source):
        join = _join(source, guest)
        try:
            match = decide(match, join, now)[-1].match
        except BoardwireError:
            continue
        found.append((guest, join))
        if len(found) == free:
            break
    if len(found) == people:
        return found
    together = any(guest.tie is Tie.COMPANY for guest in source.guests)
    return found if len(found) == free and not together else []


def _people(match: Match) -> int:
    return sum(player is not None and not player.bot for player in match.players)


def _join(table: GuestTable, guest: Guest) -> Join:
    """Take the seat there as it was taken here."""
    seat = table.seat_of(guest)
    assert seat is not None, "only who sits is brought over"
    chair = table.match.chairs[seat]
    assert chair.player is not None, "whoever sits is somebody"
    return Join(chair.player, seat if guest.tie is Tie.SEAT else None, chair.wish, chair.ready)
