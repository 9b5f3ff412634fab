"""The parts of a position that seldom change: coins and characters, and the end of the match.

These are values; the rules that change them are elsewhere.
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
    """A character on the table. `used`: it costs one more, and one coin lies on it."""

    character: Character
    students: Pile = 0
    no_entry: int = 0
    used: bool = False


class Expert(msgspec.Struct, frozen=True, gc=False):
    """Coins and characters. At most one effect is active, because a turn has at most one character [5.3]."""

    coins: tuple[int, ...]
    supply: int
    cards: tuple[Card, ...]
    least: int
    """The present price of the cheapest."""
    no_entry: tuple[int, ...]
    """No-entry tiles on each island, by head."""
    active: Character | None = None
    """The character used this turn."""
    ignored: Colour | None = None
    """The colour that the Mushroom Hunter excluded."""
    user: Seat = NOBODY
    """The seat that used it."""
    resume: Stage = Stage.OVER
    """The stage to resume after swaps or a draw."""
    swaps: int = 0
    """Number of swaps that may still follow."""
    hall: Pile = 0
    """The dining room before the Minstrel's first swap."""


class Ending(msgspec.Struct, frozen=True, gc=False):
    """The seats that gave up, as a bit mask; why this round is the last; whether clouds are closed; how the match
    ended.
    """

    gone: int = 0
    last: Termination | None = None
    barren: bool = False
    outcome: Outcome | None = None
