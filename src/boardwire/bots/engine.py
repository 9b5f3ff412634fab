"""The interface of an engine: a bot that searches and evaluates positions.

- An engine sees only the view of its seat and the earlier views and choices of the seat; it samples hidden information.
- It stays within its limits. With a limit in nodes alone its results are reproducible for the same seed; `stop` adds a
  limit in seconds where people wait.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol, TypeAlias

import msgspec

from boardwire.games.game import Below, Decision

WON: Final = 1.0
"""Value of a proved win; a proved loss is `-WON`."""

Stop: TypeAlias = Callable[[], bool]
"""Returns whether to stop, because the time is up or the request was cancelled; called every few hundred nodes."""


class SearchLimits(msgspec.Struct, frozen=True):
    """Limits of one search: positions and plies (`depth` 0: as many as the nodes allow).

    `samples` is the number of random continuations for a forecast, for engines that make one.
    """

    nodes: int
    depth: int = 0
    samples: int = 0


class SearchResult(msgspec.Struct, frozen=True):
    """The result of a search.

    - `turn`: the rest of the seat's turn as actions in order; the first is one of the decision's choices.
    - `value`: from -1 (lost) to 1 (won), for the seat that decides.
    - `depth`: how far the search looked ahead, in the engine's own measure; 0: not at all.
    - `nodes`: the number of positions evaluated.
    - `line`: the expected continuation after the turn.
    - `proved`: the number of turns to a proved win (positive) or loss (negative); 0: nothing is proved.
    - `forecast`: the expected result in terms of the game, as plain data; None if it was not requested.
    - `fallback_reason`: why the greedy bot chose instead of the engine; empty if the engine chose.
    """

    turn: tuple[Any, ...]
    value: float
    depth: int
    nodes: int
    line: tuple[Any, ...] = ()
    proved: int = 0
    forecast: Any = None
    fallback_reason: str = ""


class PastChoice(msgspec.Struct, frozen=True, array_like=True):
    """An earlier choice of the searching seat: its view and its action."""

    view: Any
    action: Any


Past: TypeAlias = Sequence[PastChoice]
"""The earlier choices of a seat in its match, oldest first; empty if they are not known."""


class Engine(Protocol):
    """A bot that searches."""

    @property
    def name(self) -> str: ...

    def think(
        self, view: Any, decision: Decision[Any], below: Below, limits: SearchLimits, stop: Stop, past: Past = (), /
    ) -> SearchResult:
        """Return the best turn found for the seat that `decision` names, within `limits`."""
