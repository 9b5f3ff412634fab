"""The rest of a turn that a search has planned.

A search finds a whole turn, but a player is asked step by step. The later steps are played without another search as
long as nothing else happens. The caller counts events as **moments**: an own step adds one, any other event any amount.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any


class MovePlan:
    """The steps still to be played, and the moment of the next one."""

    def __init__(self) -> None:
        self._rest: tuple[Any, ...] = ()
        self._moment = 0

    def keep(self, rest: tuple[Any, ...], moment: int) -> None:
        """Play these steps next, the first of them at this moment."""
        self._rest, self._moment = rest, moment

    def drop(self) -> None:
        """Discard the plan."""
        self._rest = ()

    def step(self, choices: Container[Any], moment: int) -> Any:
        """Return the planned step if it is one of the choices and its moment has come, otherwise None."""
        if not self._rest or moment != self._moment or self._rest[0] not in choices:
            self._rest = ()
            return None
        step, self._rest = self._rest[0], self._rest[1:]
        self._moment += 1
        return step
