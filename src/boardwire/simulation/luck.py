"""Reproducible chance and names, for tests."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

from boardwire.games.game import Decision, Draw


class ScriptedDealer:
    """Dealer that returns scripted results in order and then, if it has a seed, random ones."""

    def __init__(self, script: Iterable[Any] = (), seed: int | None = None) -> None:
        self._script = list(script)
        self._random = None if seed is None else Random(seed)

    def deal(self, decision: Decision[Any]) -> Any:
        """Return the next result; a scripted one must be among the choices."""
        if self._script:
            action = self._script.pop(0)
            assert action in decision.choices, f"the script deals {action}, which is not a choice of {decision.kind}"
            return action
        assert self._random is not None, f"the script is used up at {decision.kind}; add a result or a seed"
        choices = decision.choices
        if isinstance(choices, Draw):
            return choices.draw(self._random.randrange)
        all_choices = tuple(choices)
        return all_choices[self._random.randrange(len(all_choices))]


class CountedNames:
    """Predictable names: match-1, match-2 ... and CODE1, CODE2 ..."""

    def __init__(self) -> None:
        self._matches = 0
        self._codes = 0
        self._tokens = 0

    def match(self) -> str:
        """Return the next match id."""
        self._matches += 1
        return f"match-{self._matches}"

    def token(self) -> str:
        """Return the next player token."""
        self._tokens += 1
        return f"token-{self._tokens:018}"

    def code(self) -> str:
        """Return the next code of a private table."""
        self._codes += 1
        return f"CODE{self._codes}"
