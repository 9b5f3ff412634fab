"""Codes of private tables, with limits against guessing.

- Wrong codes are counted per client address and per table (`Quotas`). Right ones cost nothing.
- Over a limit even the right code is refused, so that a guesser learns nothing.
- Over the limit of a table, an address that has not tried a wrong code there is still admitted.
"""

from __future__ import annotations

from collections.abc import Sequence
from hmac import compare_digest
from typing import Final

from boardwire.errors import Reason, Refused
from boardwire.lobby.quotas import MinuteCounts, Quotas, over_limit
from boardwire.table.guest import Guest
from boardwire.table.match import Match

_FROM: Final = "from"
_AT: Final = "at"


class PrivateCodes:
    """Checks the codes that guests present for private tables."""

    def __init__(self, quotas: Quotas) -> None:
        self._from_limit = quotas.wrong_codes_from
        self._at_limit = quotas.wrong_codes_at
        self._wrong = MinuteCounts()

    def check(self, guest: Guest, match: Match, code: str, now: float, seat_codes: Sequence[str] = ()) -> None:
        """Raise `Refused` if the table is private and the code is wrong or over a limit.

        The codes of reserved seats admit as the code of the table does.
        """
        needed = match.setting.code
        if not needed:
            return
        address = guest.address_key
        address_at = f"{match.id} {address}"
        if address and 0 < self._from_limit <= self._wrong.get(_FROM, address, now):
            raise over_limit(f"too many wrong codes from your address: at most {self._from_limit} per minute")
        was_wrong = self._wrong.get(_AT, address_at, now)
        if was_wrong and 0 < self._at_limit <= self._wrong.get(_AT, match.id, now):
            raise over_limit(f"too many wrong codes for this table: at most {self._at_limit} per minute")
        right = [compare_digest(one.encode(), code.encode()) for one in (needed, *seat_codes)]  # all of them: same time
        if not any(right):
            for what, who in ((_FROM, address), (_AT, match.id), (_AT, address_at)):
                self._wrong.add(what, who, now)
            raise Refused("this table is private; its code is needed", reason=Reason.PRIVATE)
