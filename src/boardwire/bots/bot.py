"""What a bot is: it sees what its seat may see, and picks one of the legal choices."""

from __future__ import annotations

from typing import Any, Protocol

from boardwire.games.game import Below, Decision


class Bot(Protocol):
    """A player made of rules.  `below` is its luck, `budget` the number of positions it may look at."""

    @property
    def name(self) -> str: ...

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int, /) -> Any:
        """One of `decision.choices`."""


class RandomBot:
    """Picks any legal choice, each as likely as the other."""

    name = "random"

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int) -> Any:
        """Any of them."""
        choices = tuple(decision.choices)
        return choices[below(len(choices))]
