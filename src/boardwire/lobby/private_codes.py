"""Codes of private tables, with limits against guessing.

- Wrong codes are counted per client address and per table (`Quotas`). Correct codes are not counted.
- Over a limit even the correct code is refused, so that a guesser learns nothing.
- Over the limit of a table, only addresses that have tried a wrong code there are refused.
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
"""Count of an address."""
_AT: Final = "at"
"""Count of a table, or of an address at a table."""


class PrivateCodes:
    """Checks the codes that guests present for private tables."""

    def __init__(self, quotas: Quotas) -> None:
        self._from_limit = quotas.wrong_codes_from
        self._at_limit = quotas.wrong_codes_at
        self._wrong = MinuteCounts()

    def check(self, guest: Guest, match: Match, code: str, now: float, seat_codes: Sequence[str] = ()) -> None:
        """Raise `Refused` if the table is private and the code is wrong or over a limit.

        A code of a reserved seat (`seat_codes`) admits like the code of the table.
        """
        table_code = match.setting.code
        if not table_code:
            return
        address = guest.address_key
        address_at = f"{match.id} {address}"
        if address and 0 < self._from_limit <= self._wrong.get(_FROM, address, now):
            raise over_limit(f"too many wrong codes from your address: at most {self._from_limit} per minute")
        has_tried_here = self._wrong.get(_AT, address_at, now) > 0
        if has_tried_here and 0 < self._at_limit <= self._wrong.get(_AT, match.id, now):
            raise over_limit(f"too many wrong codes for this table: at most {self._at_limit} per minute")
        # Compare with every code: the time must not depend on which one matches.
        matches = [compare_digest(valid.encode(), code.encode()) for valid in (table_code, *seat_codes)]
        if not any(matches):
            for kind, key in ((_FROM, address), (_AT, match.id), (_AT, address_at)):
                self._wrong.add(kind, key, now)
            problem = "the code is wrong" if code else "a code is required"
            raise Refused(f"this table is private: {problem}", reason=Reason.PRIVATE)
