"""The names that guests have claimed in a house, so that nobody else gets them.

Rules:

- Names are compared without case, and within a scope: the guests of two dialects may have the same name.
- A guest has one name at a time; a new claim gives up the old one, but only if the new name can be had.
"""

from __future__ import annotations

from boardwire.errors import Reason, Refused
from boardwire.table.guest import Guest


class Claims:
    """All names that are taken."""

    def __init__(self) -> None:
        self._taken: set[tuple[str, str]] = set()

    def take(self, guest: Guest, name: str, scope: str) -> None:
        """Give `guest` this name; `Refused` if somebody else has it."""
        claim = (scope, name.casefold())
        if claim != guest.claim and claim in self._taken:
            raise Refused(f"somebody here is already called {name!r}", reason=Reason.NAME_TAKEN)
        self.release(guest)
        self._taken.add(claim)
        guest.claim = claim

    def release(self, guest: Guest) -> None:
        """`guest` gives up its name, if it has one."""
        if guest.claim is not None:
            self._taken.discard(guest.claim)
            guest.claim = None
