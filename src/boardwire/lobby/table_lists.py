"""What is told of the tables, made once for all who ask at about the same time.

Whoever asks seldom is told how it stands.  Where many ask, or one again and again, it is made anew `PER_SECOND` times a
second and shared in between: to look through all tables costs as much as many moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from boardwire.table.guest import Surveyed
from boardwire.table.match import Match

PER_SECOND: Final = 5.0
AT_ONCE: Final = 5.0
"""How often it may be made anew without a pause."""


class Surveys:
    """See the module.  `look` goes through all tables."""

    def __init__(self, look: Callable[[], Surveyed], now: Callable[[], float]) -> None:
        self._look = look
        self._now = now
        self._made: dict[str, Surveyed] = {}
        """By game; under the empty name, of all games."""
        self._left = AT_ONCE
        self._since = now()

    def of(self, game: str) -> Surveyed:
        """The tables of a game; of all games if it is empty."""
        now = self._now()
        self._left = min(AT_ONCE, self._left + max(0.0, now - self._since) * PER_SECOND)
        self._since = now
        if self._left >= 1.0:
            self._left -= 1.0
            self._made = by_game(self._look())
        return self._made.get(game) or Surveyed((), self._made[""].full)


def by_game(surveyed: Surveyed) -> dict[str, Surveyed]:
    """The same, and that of each game by itself."""
    groups: dict[str, list[Match]] = {}
    for match in surveyed.matches:
        groups.setdefault(match.setting.game.name, []).append(match)
    full, audiences = surveyed.full, surveyed.audiences
    return {"": surveyed, **{game: Surveyed(tuple(group), full, audiences) for game, group in groups.items()}}
