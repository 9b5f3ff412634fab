"""How much the connections of one household may ask for together in a second.

A message costs 1.  Some of what is asked costs a server more than a move does; `COSTS` says how much more.
"""

from __future__ import annotations

from typing import Any, Final

from boardwire.lobby.requests import Attend, Enter, Introduce, Open, Resume, Seek, Survey, Watch

SECOND: Final = 1.0
"""After how long there is a new allowance; tests have shorter seconds."""

SHARE: Final = 50
"""How many connections of a household may send as fast as each may: a class behind one address is honest."""

COSTS: Final[dict[type[Any], int]] = {
    Attend: 5, Enter: 5, Introduce: 2, Open: 5, Resume: 5, Seek: 5, Survey: 10, Watch: 5,
}  # fmt: skip
"""What errands cost, beside the message that asked for them."""


class Allowance:
    """What a household may still ask for in this second.  It outlives the household's connections by that second, so
    that nobody has a new one by coming again."""

    __slots__ = ("_each", "is_known_to_be_fast", "left", "since")

    def __init__(self, each: int, now: float) -> None:
        self._each = each
        self.left = each
        self.since = now
        self.is_known_to_be_fast = False
        """The log has said that it was slowed down."""

    def draw(self, wanted: int, now: float) -> int:
        """So many for a connection, or as many as are left."""
        if now - self.since >= SECOND:
            self.since = now
            self.left = min(self._each, self.left + self._each)
        drawn = max(0, min(wanted, self.left))
        self.left -= drawn
        return drawn
