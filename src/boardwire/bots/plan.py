"""The remaining steps of a turn that a search has planned.

A search finds a whole turn, but a player is asked step by step. The later steps are played without another search
unless something else happens. The caller counts **moments**: each step of the plan adds one, any other event one more.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any


class MovePlan:
    """The steps still to be played, and the moment of the next step."""

    def __init__(self) -> None:
        self._rest: tuple[Any, ...] = ()
        self._moment = 0

    def keep(self, rest: tuple[Any, ...], moment: int) -> None:
        """Plan these steps, the first of them for this moment."""
        self._rest, self._moment = rest, moment

    def drop(self) -> None:
        """Discard the plan."""
        self._rest = ()

    def step(self, choices: Container[Any], moment: int) -> Any:
        """Return the planned step if this is its moment and it is one of the choices; else drop the plan."""
        if not self._rest or moment != self._moment or self._rest[0] not in choices:
            self._rest = ()
            return None
        step, self._rest = self._rest[0], self._rest[1:]
        self._moment += 1
        return step
