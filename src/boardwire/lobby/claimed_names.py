"""Names reserved by guests.

- Names are compared without case within a scope: guests of two dialects may have the same name.
- A guest has one name at a time. A new claim releases the old name, but only if it succeeds.
"""

from __future__ import annotations

from boardwire.errors import Reason, Refused
from boardwire.table.guest import Guest


class ClaimedNames:
    """The names that guests have reserved."""

    def __init__(self) -> None:
        self._taken: set[tuple[str, str]] = set()

    def take(self, guest: Guest, name: str, scope: str) -> None:
        """Reserve a name for a guest; raise `Refused` if another guest has it."""
        claim = (scope, name.casefold())
        if claim != guest.claim and claim in self._taken:
            raise Refused(f"the name {name!r} is already taken", reason=Reason.NAME_TAKEN)
        self.release(guest)
        self._taken.add(claim)
        guest.claim = claim

    def release(self, guest: Guest) -> None:
        """Release the name of a guest, if it has one."""
        if guest.claim is not None:
            self._taken.discard(guest.claim)
            guest.claim = None
