"""Limits of a client address: its message rate, and the share of the event loop that it may use at once.

- A message costs 1, and the request that it makes may cost more (`REQUEST_COSTS`).
- A small read is handled at once while its address has time left in its `InlineTime`, and in turn with others after
  that (`scheduler`). Without it, an iteration of the loop is as long as all small reads of all addresses: 20 attacking
  addresses made other clients' moves take 100 ms (`make soak`).
- The same time pays for request heads, new conversations and notifications: 300 spectators of one address that
  connected, or were told a move, in the same iteration made it take 120 ms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from boardwire.lobby.requests import Attend, Enter, Introduce, Open, Resume, Seek, Survey, Watch

WINDOW_SECONDS: Final = 1.0
"""Length of a rate-limit window."""

FULL_RATE_CONNECTIONS: Final = 50
"""Connections of one address that may send at their full rate at the same time, such as a class behind one router."""

REQUEST_COSTS: Final[dict[type[Any], int]] = {
    Attend: 5, Enter: 5, Introduce: 2, Open: 5, Resume: 5, Seek: 5, Survey: 10, Watch: 5,
}  # fmt: skip
"""Cost of a lobby request in messages, besides the message itself."""

INLINE_SHARE: Final = 0.01
"""Part of the event loop that one address may use before its reads wait for their turn: a hundred moves a second."""
INLINE_BURST_SECONDS: Final = 0.002
"""Most that an address can save up: about ten messages. With 10 ms, the bursts of a few addresses met in one iteration
of the loop: of 45 s under 30 attackers, 75 iterations took more than 20 ms of processor time; with 2 ms, 20 did."""
CONVERSATION_SECONDS: Final = 0.0005
"""Time that the start of a conversation is taken to use."""
NOTIFICATION_SECONDS: Final = 0.0001
"""Time that a notification is assumed to take: reading the clock for each would cost more than some of them."""


class InlineTime:
    """Time of the event loop that an address may use at once: a token bucket of seconds."""

    __slots__ = ("_at", "_left")

    def __init__(self, now: float) -> None:
        self._at = now
        self._left = INLINE_BURST_SECONDS

    def has_some(self, now: float) -> bool:
        """Whether a read may be handled at once."""
        if self._left > 0.0:
            return True
        self._left = min(INLINE_BURST_SECONDS, self._left + (now - self._at) * INLINE_SHARE)
        self._at = now
        return self._left > 0.0

    def spend(self, seconds: float) -> None:
        """Use up some of the time."""
        self._left -= seconds

    def take(self, seconds: float, clock: Callable[[], float]) -> bool:
        """Spend `seconds` if there is time left; return whether there was. Reads the clock only if none is left."""
        if self._left <= 0.0 and not self.has_some(clock()):
            return False
        self._left -= seconds
        return True


class MessageBudget:
    """Messages that an address may still send in the current window.

    A budget outlives the connections by one window: reconnecting does not renew it.
    """

    __slots__ = ("_each", "inline", "is_logged", "left", "since")

    def __init__(self, each: int, now: float, inline: InlineTime) -> None:
        self._each = each
        self.left = each
        self.since = now
        self.inline = inline
        self.is_logged = False
        """Whether the log mentions that this address was slowed down."""

    def draw(self, wanted: int, now: float) -> int:
        """Take up to `wanted` messages from the budget; return how many."""
        if now - self.since >= WINDOW_SECONDS:
            self.since = now
            self.left = min(self._each, self.left + self._each)
        drawn = max(0, min(wanted, self.left))
        self.left -= drawn
        return drawn
