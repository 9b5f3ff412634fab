"""The parts of a position that seldom change: coins and characters, and the end of the match."""

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
    """A character on the table. With `used`, it costs one more and has a coin on it."""

    character: Character
    students: Pile = 0
    no_entry: int = 0
    used: bool = False


class Expert(msgspec.Struct, frozen=True, gc=False):
    """Coins and characters. At most one effect is active, because a turn has at most one character [5.3]."""

    coins: tuple[int, ...]
    supply: int
    cards: tuple[Card, ...]
    lowest_price: int
    """The current price of the cheapest character."""
    no_entry: tuple[int, ...]
    """No-entry tiles by island, at the head of its group."""
    active: Character | None = None
    """The character used in this turn."""
    ignored: Colour | None = None
    """The colour that the Mushroom Hunter excluded."""
    user: Seat = NOBODY
    """The seat that used the character."""
    resume: Stage = Stage.OVER
    """The stage to resume after swaps or a draw."""
    swaps: int = 0
    """Remaining number of swaps."""
    hall: Pile = 0
    """The dining room before the Minstrel's first swap."""


class Ending(msgspec.Struct, frozen=True, gc=False):
    """The end of the match, and what leads to it."""

    gone: int = 0
    """The seats that have given up, as a bit mask."""
    last: Termination | None = None
    """Why this round is the last one, if it is."""
    clouds_closed: bool = False
    """Whether no clouds are taken in this round, because the bag could not fill them."""
    outcome: Outcome | None = None
