"""Luck that a test decides: a script of results, or a seed."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from boardwire.games.game import Decision, Draw


class ScriptedDealer:
    """Deals what it is told, in order; then, if it has a seed, what the seed gives."""

    def __init__(self, script: Iterable[Any] = (), seed: int | None = None) -> None:
        self._script = list(script)
        self._random = None if seed is None else Random(seed)

    def deal(self, decision: Decision[Any]) -> Any:
        """The next result, which must be one of the decision's choices."""
        if self._script:
            action = self._script.pop(0)
            assert action in decision.choices, f"the script deals {action}, which {decision.kind} does not allow"
            return action
        assert self._random is not None, f"the script is at its end, and {decision.kind} wants a result"
        choices = decision.choices
        if isinstance(choices, Draw):
            return choices.draw(self._random.randrange)
        listed = tuple(choices)
        return listed[self._random.randrange(len(listed))]


class CountedNames:
    """Names that a test can foresee: match-1, match-2 ... and CODE1, CODE2 ..."""

    def __init__(self) -> None:
        self._matches = 0
        self._codes = 0
        self._tokens = 0

    def match(self) -> str:
        """The next match's name."""
        self._matches += 1
        return f"match-{self._matches}"

    def token(self) -> str:
        """The next player's token."""
        self._tokens += 1
        return f"token-{self._tokens:018}"

    def code(self) -> str:
        """The next private table's code."""
        self._codes += 1
        return f"CODE{self._codes}"
