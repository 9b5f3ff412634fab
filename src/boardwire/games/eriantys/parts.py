"""The parts of a position that change seldom: coins and characters, and how a match comes to its end.

Values only: how they may change is for others to say.
"""

from __future__ import annotations

import msgspec

from boardwire.games.eriantys.colours import Colour
from boardwire.games.eriantys.events import Termination
from boardwire.games.eriantys.options import Character
from boardwire.games.eriantys.piles import Pile
from boardwire.games.eriantys.plans import NOBODY
from boardwire.games.eriantys.stages import Stage
from boardwire.games.game import Outcome, Seat


class Card(msgspec.Struct, frozen=True, gc=False):
    """A character on the table.  `used`: it costs one more, and one coin lies on it."""

    character: Character
    students: Pile = 0
    no_entry: int = 0
    used: bool = False


class Expert(msgspec.Struct, frozen=True, gc=False):
    """Coins and characters.  At most one effect is active, because a turn has at most one character [5.3]."""

    coins: tuple[int, ...]
    supply: int
    cards: tuple[Card, ...]
    least: int
    """What the cheapest of them costs now."""
    no_entry: tuple[int, ...]
    """No-entry tiles on each island, by head."""
    active: Character | None = None
    """The character used this turn."""
    ignored: Colour | None = None
    """The colour that the Mushroom Hunter silenced."""
    user: Seat = NOBODY
    """Who used it."""
    resume: Stage = Stage.OVER
    """Where the turn goes on after swaps or luck."""
    swaps: int = 0
    """How many more swaps may follow."""
    hall: Pile = 0
    """The dining room before the Minstrel's first swap."""


class Ending(msgspec.Struct, frozen=True, gc=False):
    """Who is gone, as a bit set of seats; why this round is the last; whether clouds are out; how it ended."""

    gone: int = 0
    last: Termination | None = None
    barren: bool = False
    outcome: Outcome | None = None
