"""Quotas of one player and of one client address.

- Players are identified by their key, clients by `Guest.address_key`. Both survive a reconnect, and a new token
  does not change the address. A guest without them (a bot, a test) has no quota.
- The number of connections limits what a connection holds. Quotas limit what remains after a disconnect (held seats,
  matches against bots) and repeated requests.
- A whole school may share one address, so the defaults are far above what a class uses.
- A seat over the quota is not held: its player forfeits, as if the grace time had run out. A match with bots alone ends
  without a winner instead.
- A player with too many seats, or an address with too many matches against bots, loses the oldest abandoned match
  against bots alone: it waits for a day, and no other person is affected.
- A seat that is out of play is not held, even if the match continues.
- Quotas are not stored. After a restart, seats of absent players count for no address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TypeVar

import msgspec

from boardwire.errors import Reason, Refused
from boardwire.games.game import Seat
from boardwire.table.guest import Guest
from boardwire.table.match import MINUTE, Match, Status
from boardwire.table.ports import GuestTable

T = TypeVar("T")


def over_limit(message: str) -> Refused:
    """Return the refusal of a request that exceeds a quota."""
    return Refused(message, reason=Reason.LIMIT)


class Quotas(msgspec.Struct, frozen=True):
    """Limits per player and per client address; 0 means no limit."""

    seats: int = 16
    """Unfinished matches in which a player has a seat."""
    openings: int = 600
    """Tables that a player may request per minute."""
    comings: int = 600
    """How often a player may come to existing tables per minute."""
    held: int = 500
    """Seats held for absent players from one address."""
    bot_matches: int = 500
    """Unfinished matches against bots opened from one address."""
    openings_from: int = 60_000
    """Tables that may be requested from one address per minute."""
    comings_from: int = 120_000
    """How often players from one address may come to existing tables per minute."""
    wrong_codes_from: int = 60
    """Wrong codes that one address may try per minute, over all connections and private tables."""
    wrong_codes_at: int = 600
    """Wrong codes for one private table per minute; over it, addresses that tried a wrong code must wait."""
    spectators_from: int = 250
    """Spectators from one address at one table: each of them makes every move there more expensive."""


class MinuteCounts:
    """Counts by kind and key (a player, an address, a table), reset every minute."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}
        self._since = 0.0

    def get(self, kind: str, key: str, now: float) -> int:
        """Return the count of this minute."""
        if not 0 <= now - self._since < MINUTE:
            self._since = now
            self._counts.clear()
        return self._counts.get((kind, key), 0)

    def counts(self, now: float) -> list[tuple[str, str, int]]:
        """Return all counts of this minute."""
        self.get("", "", now)
        return [(kind, key, count) for (kind, key), count in self._counts.items()]

    def add(self, kind: str, key: str, now: float) -> None:
        """Increment a count."""
        self._counts[kind, key] = self.get(kind, key, now) + 1


class QuotaUsage:
    """Use of the quotas by every player and client address."""

    def __init__(self, quotas: Quotas, give_up: Callable[[Iterable[str]], str | None] = lambda matches: None) -> None:
        self._quotas = quotas
        self._give_up = give_up
        """Ends one of these matches if it waits for its only person, and returns its id."""
        self._requests = MinuteCounts()
        self._held: dict[str, set[tuple[str, Seat]]] = {}
        """By address: the seats that are held for it, as match and seat."""
        self._away: dict[str, dict[Seat, str]] = {}
        """By match and seat: the address for which the seat is held."""
        self._bots: dict[str, dict[str, None]] = {}
        """By address: its unfinished matches against bots, oldest first."""
        self._owner: dict[str, str] = {}
        """The address from which a match against bots was opened."""

    # --- requests -----------------------------------------------------------------------------------------------------

    def count_opening(self, guest: Guest, now: float) -> None:
        """Count a request for a table; raise `Refused` over the limit."""
        self._check_held(guest)
        limit = self._quotas.openings
        self._count_request("openings", guest.key, limit, f"too many table requests: at most {limit} per minute", now)
        self._count_request("openings from", guest.address_key, self._quotas.openings_from, _ADDRESS_LIMIT, now)

    def count_arrival(self, guest: Guest, now: float) -> None:
        """Count an arrival at an existing table: every guest there is notified, and the journal stores it."""
        limit = self._quotas.comings
        self._count_request(
            "comings", guest.key, limit, f"you join and leave too often: at most {limit} times per minute", now
        )
        self._count_request("comings from", guest.address_key, self._quotas.comings_from, _ADDRESS_LIMIT, now)

    def is_at_limit(self, seats: int) -> bool:
        """Return whether a player with `seats` seats may not have another one."""
        return 0 < self._quotas.seats <= seats

    def check_spectators(self, guest: Guest, table: GuestTable) -> None:
        """Raise `Refused` if too many guests of the same address watch this table."""
        limit, address = self._quotas.spectators_from, guest.address_key
        if not address or not limit:
            return
        spectators = sum(1 for other in table.guests if other.address_key == address and table.seat_of(other) is None)
        if spectators >= limit:
            raise over_limit(
                f"{spectators} spectators from your address already watch this table; the limit is {limit}"
            )

    def check_seats(self, guest: Guest, seats: int) -> None:
        """Raise `Refused` if a player with `seats` seats may not have another one."""
        if guest.key and self.is_at_limit(seats):
            raise over_limit(f"you have seats in {seats} unfinished matches: return to one of them and finish it")
        self._check_held(guest)

    def _check_held(self, guest: Guest) -> None:
        """Raise `Refused` if too many seats are held for absent players from the guest's address."""
        # matches against bots have a quota of their own
        held_seats = sum(match not in self._owner for match, _ in self._held.get(guest.address_key, ()))
        if guest.address_key and 0 < self._quotas.held <= held_seats:
            limit = self._quotas.held
            raise over_limit(f"{held_seats} seats are held for absent players from your address; the limit is {limit}: "
                             "one of them must return first")  # fmt: skip

    def _count_request(self, kind: str, key: str, limit: int, refusal: str, now: float) -> None:
        """Count a request of a kind by a key; raise `Refused` with the text `refusal` beyond the limit. 0: no limit."""
        if not key or not limit:
            return
        if self._requests.get(kind, key, now) >= limit:
            raise over_limit(refusal)
        self._requests.add(kind, key, now)

    @property
    def quotas(self) -> Quotas:
        """The limits."""
        return self._quotas

    # --- for operators --------------------------------------------------------------------------------------------

    def usage(self, now: float) -> dict[str, dict[str, int]]:
        """Return the use of each quota by player or client address."""
        usage: dict[str, dict[str, int]] = {
            "held": {address: len(seats) for address, seats in self._held.items()},
            "bot_matches": {address: len(matches) for address, matches in self._bots.items()},
        }
        for kind, key, count in self._requests.counts(now):
            usage.setdefault(_QUOTA_OF[kind], {})[key] = count
        return usage

    # --- seats and matches --------------------------------------------------------------------------------------------

    def try_hold(self, guest: Guest, match: Match, seat: Seat) -> bool:
        """Count the seat of a leaving player as held, before the departure is stored; return False over the limit."""
        if not guest.address_key:
            return True
        held_seats = self._held.setdefault(guest.address_key, set())
        if 0 < self._quotas.held <= len(held_seats) and (match.id, seat) not in held_seats:
            return False
        held_seats.add((match.id, seat))
        self._away.setdefault(match.id, {})[seat] = guest.address_key
        return True

    def count_bot_match(self, guest: Guest, match: str) -> None:
        """Count a new match against bots; raise `Refused` over the limit."""
        if not guest.address_key:
            return
        matches = self._bots.setdefault(guest.address_key, {})
        if 0 < self._quotas.bot_matches <= len(matches):
            given_up = self._give_up(tuple(matches))
            if given_up is None:
                raise over_limit(f"your address has {len(matches)} unfinished matches against bots; finish one first")
            matches.pop(given_up, None)  # now, because `note` removes it only when its end is stored
            # `forget` removes the entry of an address without matches
            matches = self._bots.setdefault(guest.address_key, matches)
        matches[match] = None
        self._owner[match] = guest.address_key

    def note(self, match: Match, is_in_play: Callable[[Seat], bool]) -> None:
        """Release the held seats of a match that are occupied again or out of play."""
        is_over = match.status is Status.OVER
        away = self._away.get(match.id, {})
        for seat in [seat for seat in away if is_over or match.chairs[seat].away is None or not is_in_play(seat)]:
            _discard(self._held, away.pop(seat), (match.id, seat))
        if not away:
            self._away.pop(match.id, None)
        if is_over:
            self.forget(match)

    def forget(self, match: Match) -> None:
        """Remove a match and its held seats from all counts."""
        for seat, address in self._away.pop(match.id, {}).items():
            _discard(self._held, address, (match.id, seat))
        owner = self._owner.pop(match.id, None)
        matches = {} if owner is None else self._bots.get(owner, {})
        matches.pop(match.id, None)
        if owner is not None and not matches:
            self._bots.pop(owner, None)


_QUOTA_OF: Final = {
    "openings": "openings",
    "comings": "comings",
    "openings from": "openings_from",
    "comings from": "comings_from",
}
"""Fields of `Quotas` by the name of the count."""

_ADDRESS_LIMIT: Final = "too many requests from your address; try again in a minute"


def _discard(sets: dict[str, set[T]], key: str, value: T) -> None:
    sets[key].discard(value)
    if not sets[key]:
        del sets[key]
