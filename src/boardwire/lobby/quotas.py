"""How much one player, and all players from one address, may have and ask for.

Rules:

- A player is known by its key, an address by `Guest.household`: both are the same after a reconnect, a new token is
  not a new address, and whoever has neither (a bot, a test) has no bound.
- What a connection holds is bounded by the connections there may be; what is bounded here is what is left behind when a
  connection goes (seats that are held, matches against bots) and what is asked for again and again.
- A school behind one address is one address: its bounds are far above what a class uses.
- A seat beyond the bound is not held: its player forfeits, as if the time to come back were over.
- A seat that is out of its match is held for nobody, even if the others play on.
- Nothing of this is stored: after a restart the seats of those who have not come back count for no address.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import msgspec

from boardwire.errors import Reason, Refused
from boardwire.games.game import Seat
from boardwire.table.guest import Guest
from boardwire.table.match import MINUTE, Match, Status

T = TypeVar("T")


def _limit(words: str) -> Refused:
    """It could be done, but not so much or so often."""
    return Refused(words, reason=Reason.LIMIT)


class Quotas(msgspec.Struct, frozen=True):
    """The bounds; 0 takes one away."""

    seats: int = 16
    """Matches that are not over in which a player has a seat."""
    openings: int = 600
    """Tables that a player may ask for in a minute."""
    comings: int = 600
    """How often a player may come to a table in a minute."""
    held: int = 500
    """Seats that are held for players from one address who are away."""
    bot_matches: int = 500
    """Matches against bots that were opened from one address and are not over."""
    openings_from: int = 60_000
    """Tables that may be asked for from one address in a minute."""
    comings_from: int = 120_000
    """How often somebody from one address may come to a table in a minute."""
    wrong_codes_from: int = 60
    """Wrong codes of private tables that one address may try in a minute, over all connections and tables."""
    wrong_codes_at: int = 600
    """Wrong codes of one private table in a minute; beyond that, an address that was wrong there has to wait."""


class Ledger:
    """Who has how much."""

    def __init__(self, quotas: Quotas) -> None:
        self._quotas = quotas
        self._spent: dict[tuple[str, str], int] = {}
        self._minute = 0.0
        self._held: dict[str, set[tuple[str, Seat]]] = {}
        self._away: dict[str, dict[Seat, str]] = {}
        """By match and seat: for whose address it is held."""
        self._bots: dict[str, set[str]] = {}
        self._owner: dict[str, str] = {}
        """From where a match against bots was opened."""

    # --- asking -----------------------------------------------------------------------------------------------------

    def open(self, guest: Guest, now: float) -> None:
        """A player asks for a table; `Refused` if that is too often."""
        self._check_held(guest)
        most = self._quotas.openings
        self._spend("openings", guest.key, most, f"you ask for too many tables: at most {most} in a minute", now)
        self._spend("openings from", guest.household, self._quotas.openings_from, _BUSY, now)

    def come(self, guest: Guest, now: float) -> None:
        """A player comes to a table that there is: all there are told, and the journal keeps it."""
        most = self._quotas.comings
        self._spend("comings", guest.key, most, f"you come and go too often: at most {most} times in a minute", now)
        self._spend("comings from", guest.household, self._quotas.comings_from, _BUSY, now)

    def try_code(self, guest: Guest, match: str, now: float) -> None:
        """A guest is about to show a code; `Refused`, right or wrong, if too many wrong ones came before."""
        most_from, most_at = self._quotas.wrong_codes_from, self._quotas.wrong_codes_at
        self._begin_minute(now)
        if guest.household and 0 < most_from <= self._spent.get(("wrong codes from", guest.household), 0):
            raise _limit(f"too many wrong codes from your address: at most {most_from} in a minute")
        known = ("wrong codes at", f"{match} {guest.household}") in self._spent
        if known and 0 < most_at <= self._spent.get(("wrong codes at", match), 0):
            raise _limit(f"too many wrong codes for this table: at most {most_at} in a minute")

    def wrong_code(self, guest: Guest, match: str, now: float) -> None:
        """A guest has shown a wrong code."""
        self._begin_minute(now)
        for place in (
            ("wrong codes from", guest.household),
            ("wrong codes at", match),
            ("wrong codes at", f"{match} {guest.household}"),
        ):
            self._spent[place] = self._spent.get(place, 0) + 1

    def sit(self, guest: Guest, seats: int) -> None:
        """A player who has so many seats wants another one."""
        if guest.key and 0 < self._quotas.seats <= seats:
            raise _limit(f"you have seats in {seats} matches: return to one of them and end it")
        self._check_held(guest)

    def _check_held(self, guest: Guest) -> None:
        held = len(self._held.get(guest.household, ()))
        if guest.household and 0 < self._quotas.held <= held:
            raise _limit(f"{held} seats are held for players from your address who are away; they must come back first")

    def _spend(self, what: str, who: str, most: int, words: str, now: float) -> None:
        if not who or not most:
            return
        self._begin_minute(now)
        spent = self._spent.get((what, who), 0)
        if spent >= most:
            raise _limit(words)
        self._spent[what, who] = spent + 1

    def _begin_minute(self, now: float) -> None:
        if not 0 <= now - self._minute < MINUTE:
            self._minute = now
            self._spent.clear()

    # --- having -----------------------------------------------------------------------------------------------------

    def holds(self, guest: Guest, match: Match, seat: Seat) -> bool:
        """Whether the seat of a player who goes can be held; it is counted at once, before its leaving is stored."""
        if not guest.household:
            return True
        held = self._held.setdefault(guest.household, set())
        if 0 < self._quotas.held <= len(held) and (match.id, seat) not in held:
            return False
        held.add((match.id, seat))
        self._away.setdefault(match.id, {})[seat] = guest.household
        return True

    def employ(self, guest: Guest, match: str) -> None:
        """A match against bots is opened; `Refused` if there are too many."""
        if not guest.household:
            return
        matches = self._bots.setdefault(guest.household, set())
        if 0 < self._quotas.bot_matches <= len(matches):
            raise _limit(f"{len(matches)} matches against bots are being played from your address; end one first")
        matches.add(match)
        self._owner[match] = guest.household

    def note(self, match: Match, is_in_play: Callable[[Seat], bool]) -> None:
        """Something has changed in `match`: seats that nobody is away from, and those not in play, are no longer
        held."""
        over = match.status is Status.OVER
        away = self._away.get(match.id, {})
        for seat in [seat for seat in away if over or match.chairs[seat].away is None or not is_in_play(seat)]:
            _drop(self._held, away.pop(seat), (match.id, seat))
        if not away:
            self._away.pop(match.id, None)
        if over:
            self.forget(match)

    def forget(self, match: Match) -> None:
        """The match is no more."""
        for seat, household in self._away.pop(match.id, {}).items():
            _drop(self._held, household, (match.id, seat))
        owner = self._owner.pop(match.id, None)
        if owner is not None:
            _drop(self._bots, owner, match.id)


_BUSY: Final = "too much is asked for from your address; try again in a minute"


def _drop(sets: dict[str, set[T]], key: str, value: T) -> None:
    sets[key].discard(value)
    if not sets[key]:
        del sets[key]
