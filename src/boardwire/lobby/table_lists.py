"""Shared lists of tables.

Occasional requests get a fresh list. Under load, the list is rebuilt at most `REBUILDS_PER_SECOND` times a second and
shared in between, because a walk over all tables costs as much as many moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from boardwire.table.guest import Surveyed
from boardwire.table.match import Match

REBUILDS_PER_SECOND: Final = 2.0
"""With a hundred tables, building and encoding a list takes 8 ms of the event loop, in which moves wait."""
REBUILD_BURST: Final = 5.0
"""Rebuilds allowed at once: the capacity of the token bucket."""


class TableLists:
    """Lists of tables by game, rebuilt from `build` at a limited rate (a token bucket)."""

    def __init__(self, build: Callable[[], Surveyed], now: Callable[[], float]) -> None:
        self._build = build
        self._now = now
        self._lists: dict[str, Surveyed] = {}
        """By game; the empty key has all games."""
        self._tokens = REBUILD_BURST
        self._refilled_at = now()

    def of(self, game: str) -> Surveyed:
        """Return the tables of a game, or of all games if it is empty; under load, those of the last rebuild."""
        now = self._now()
        self._tokens = min(REBUILD_BURST, self._tokens + max(0.0, now - self._refilled_at) * REBUILDS_PER_SECOND)
        self._refilled_at = now
        if self._tokens >= 1.0:
            self._tokens -= 1.0
            self._lists = by_game(self._build())
        return self._lists.get(game) or Surveyed((), self._lists[""].full)


def by_game(surveyed: Surveyed) -> dict[str, Surveyed]:
    """Split a list of tables by game; the empty key has the whole list."""
    groups: dict[str, list[Match]] = {}
    for match in surveyed.matches:
        groups.setdefault(match.setting.game.name, []).append(match)
    is_full, audiences = surveyed.full, surveyed.audiences
    return {"": surveyed, **{game: Surveyed(tuple(group), is_full, audiences) for game, group in groups.items()}}
