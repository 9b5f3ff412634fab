"""The interface of a bot: it gets the view of its seat and picks one of the legal choices."""

from __future__ import annotations

from typing import Any, Final, Protocol

from msgspec.structs import replace

from boardwire.games.game import Below, Decision, Seat

BUDGET: Final = 1000
"""Positions that a bot may judge for one choice on the server's event loop: a few milliseconds."""


class Bot(Protocol):
    """A player without a search. `below` is its source of randomness, `budget` the number of positions it may judge."""

    @property
    def name(self) -> str: ...

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int, /) -> Any:
        """Return one of `decision.choices`. The decision names one seat: the bot's."""


def decision_for(decision: Decision[Any], seat: Seat) -> Decision[Any]:
    """Return a decision of several seats as the decision of one of them."""
    return decision if len(decision.seats) == 1 else replace(decision, seats=(seat,))


class RandomBot:
    """Picks a legal choice, all with equal probability."""

    name = "random"

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int) -> Any:
        """Return a random choice."""
        choices = tuple(decision.choices)
        return choices[below(len(choices))]
