"""The rest of a turn that a search has thought out.

A search finds a whole turn, and a player is asked for it step by step.  The steps after the first are played without
another search, as long as nothing else happens in between.  What has happened is counted by whoever plays, in
**moments**: the number goes up by one with every own step, and by any amount with anything else.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Any


class Plan:
    """The steps that are still to be played, and the moment for the next of them."""

    def __init__(self) -> None:
        self._rest: tuple[Any, ...] = ()
        self._moment = 0

    def keep(self, rest: tuple[Any, ...], moment: int) -> None:
        """Play these steps next, the first of them at this moment."""
        self._rest, self._moment = rest, moment

    def drop(self) -> None:
        """Forget what was planned."""
        self._rest = ()

    def step(self, choices: Container[Any], moment: int) -> Any:
        """The planned step, if it is one of the choices and its moment has come; None: think again."""
        if not self._rest or moment != self._moment or self._rest[0] not in choices:
            self._rest = ()
            return None
        step, self._rest = self._rest[0], self._rest[1:]
        self._moment += 1
        return step
