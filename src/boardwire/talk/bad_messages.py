"""How much nonsense a conversation bears."""

from __future__ import annotations


class Strikes:
    """Counts what a peer said in a row that could not be taken; one too many ends the conversation."""

    __slots__ = ("_limit", "count")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.count = 0
        """Back to 0 when the peer makes sense: whatever was wrong before is forgotten."""

    @property
    def out(self) -> bool:
        """Whether it was too much."""
        return self.count >= self._limit

    def add(self) -> bool:
        """One more; whether it is too much now."""
        self.count += 1
        return self.count >= self._limit
