"""The interface of bots: a bot gets the view of its seat and picks one of the legal choices."""

from __future__ import annotations

from typing import Any, Final, Protocol

from msgspec.structs import replace

from boardwire.games.game import Below, Decision, Seat

BUDGET: Final = 1000
"""Maximum number of positions that a bot evaluates for one choice on the event loop, which takes a few milliseconds."""


class Bot(Protocol):
    """A bot without a search. `below` is its random source, `budget` the number of positions it may evaluate."""

    @property
    def name(self) -> str: ...

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int, /) -> Any:
        """Return one of `decision.choices`. The only seat of the decision is the bot's."""


def decision_for(decision: Decision[Any], seat: Seat) -> Decision[Any]:
    """Return a decision with `seat` as its only seat."""
    return decision if len(decision.seats) == 1 else replace(decision, seats=(seat,))


class RandomBot:
    """Picks a legal choice, all with equal probability."""

    name = "random"

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int) -> Any:
        """Return a random choice."""
        choices = tuple(decision.choices)
        return choices[below(len(choices))]
