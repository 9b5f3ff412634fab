"""Rate limit of the messages from a client address.

A message costs 1, and the request in it may cost more (`REQUEST_COSTS`).
"""

from __future__ import annotations

from typing import Any, Final

from boardwire.lobby.requests import Attend, Enter, Introduce, Open, Resume, Seek, Survey, Watch
from boardwire.net.scheduler import InlineTime

WINDOW_SECONDS: Final = 1.0
"""Length of a rate-limit window."""

FULL_RATE_CONNECTIONS: Final = 50
"""Connections of one address that may send at their full rate at the same time, such as a class behind one router."""

REQUEST_COSTS: Final[dict[type[Any], int]] = {
    Attend: 5, Enter: 5, Introduce: 2, Open: 5, Resume: 5, Seek: 5, Survey: 10, Watch: 5,
}  # fmt: skip
"""Additional cost of a lobby request, in messages."""


class MessageBudget:
    """Messages that the connections of an address may still send in the current window.

    A budget outlives its connections by one window, so that reconnecting does not renew it.
    """

    __slots__ = ("_per_window", "inline", "is_logged", "left", "since")

    def __init__(self, per_window: int, now: float, inline: InlineTime) -> None:
        self._per_window = per_window
        self.left = per_window
        """Messages left in the window; negative after a request that cost more than was left."""
        self.since = now
        self.inline = inline
        self.is_logged = False
        """Whether it was logged that this address was slowed down."""

    def draw(self, count: int, now: float) -> int:
        """Take up to `count` messages from the budget; return their number."""
        if now - self.since >= WINDOW_SECONDS:
            self.since = now
            self.left = min(self._per_window, self.left + self._per_window)
        drawn_count = max(0, min(count, self.left))
        self.left -= drawn_count
        return drawn_count
