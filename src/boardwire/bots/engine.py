"""What an engine is: a bot that searches, and can say what it thinks of a position.

An engine sees what its seat may see, like every bot; what is hidden it samples.  It spends what its limits allow, and
no more; limits in nodes make its thoughts repeatable by the luck it is given, seconds are a second limit, for people
who wait.  This module knows no game, no level of play, and not where an engine runs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

import msgspec

from boardwire.games.game import Below, Decision

WON: Final = 1.0
"""The value of a win that is proved; that of a loss is `-WON`."""

Stop: TypeAlias = Callable[[], bool]
"""Whether to stop now, because the time is over or nobody waits any longer; asked every few hundred nodes."""


class Limits(msgspec.Struct, frozen=True):
    """What one thought may cost: positions looked at, and plies (0: as many as the nodes allow).  `samples` futures are
    drawn besides for a forecast, by engines that make one."""

    nodes: int
    depth: int = 0
    samples: int = 0


class Thought(msgspec.Struct, frozen=True):
    """What an engine found.

    `turn` is the rest of the seat's own turn, as actions in order; its first is one of the decision's choices.
    `line` is what it expects after that, as far as it looked.  `value` is from -1 (lost) to 1 (won), for the seat that
    was asked; `proved` counts the turns to a win (positive) or a loss (negative) that is certain, 0: nothing is.
    `forecast` is what is to be expected in the game's own numbers, as plain data; None: nobody asked for it.
    `doubt` says why the engine did not choose; then the greedy bot did.
    """

    turn: tuple[Any, ...]
    value: float
    depth: int
    nodes: int
    line: tuple[Any, ...] = ()
    proved: int = 0
    forecast: Any = None
    doubt: str = ""


class Engine(Protocol):
    """A bot that searches."""

    @property
    def name(self) -> str: ...

    def think(self, view: Any, decision: Decision[Any], below: Below, limits: Limits, stop: Stop, /) -> Thought:
        """The best that it finds for the seat that `decision` names, within `limits`."""
