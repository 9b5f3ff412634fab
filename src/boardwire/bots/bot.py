"""What a bot is: it sees what its seat may see, and picks one of the legal choices."""

from __future__ import annotations

from typing import Any, Final, Protocol

from msgspec.structs import replace

from boardwire.games.game import Below, Decision, Seat

BUDGET: Final = 1000
"""Positions that a bot may look at for one choice, where it thinks for a server: that is a few milliseconds."""


class Bot(Protocol):
    """A player made of rules.  `below` is its luck, `budget` the number of positions it may look at."""

    @property
    def name(self) -> str: ...

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int, /) -> Any:
        """One of `decision.choices`.  The decision names one seat: the bot's own."""


def asked_of(decision: Decision[Any], seat: Seat) -> Decision[Any]:
    """A decision as it is put to one of the seats that may answer it."""
    return decision if len(decision.seats) == 1 else replace(decision, seats=(seat,))


class RandomBot:
    """Picks any legal choice, each as likely as the other."""

    name = "random"

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int) -> Any:
        """Any of them."""
        choices = tuple(decision.choices)
        return choices[below(len(choices))]
