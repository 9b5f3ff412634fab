"""What happened to connections, counted in plain numbers that somebody reads now and then."""

from __future__ import annotations

from collections import Counter

from boardwire.errors import BoardwireError


class Tally:
    """Since the process began, by dialect: connections taken in; what was refused, by its reason (`errors.Reason`);
    peers that were dropped, by why (slow, idle, silent).  `turned_away` are connections that
    were too many, for their address or for the server."""

    def __init__(self) -> None:
        self.accepted: Counter[str] = Counter()
        self.refusals: Counter[tuple[str, str]] = Counter()
        self.drops: Counter[tuple[str, str]] = Counter()
        self.turned_away = 0

    def refuse(self, dialect: str, reason: BoardwireError) -> None:
        """Somebody was refused something."""
        self.refusals[dialect, reason.reason] += 1
