"""The options of a match of Eriantys."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from boardwire.errors import Illegal

COINS: Final = 20
NO_ENTRY: Final = 4


class Mode(StrEnum):
    """The game without or with coins and characters."""

    SIMPLIFIED = "simplified"
    EXPERT = "expert"


class CloudTime(StrEnum):
    """When a player takes a cloud: after mother nature (the rulebook), before the students, or at either moment."""

    LAST = "last"
    FIRST = "first"
    EITHER = "either"


class Tower(StrEnum):
    """The colours of the sides."""

    WHITE = "white"
    BLACK = "black"
    GREY = "grey"


class Character(StrEnum):
    """The twelve characters, in the order of their table [eriantys 4]."""

    MONK = "monk"
    FARMER = "farmer"
    HERALD = "herald"
    POSTMAN = "postman"
    GRANDMA = "grandma"
    CENTAUR = "centaur"
    JESTER = "jester"
    KNIGHT = "knight"
    MUSHROOM = "mushroom"
    MINSTREL = "minstrel"
    PRINCESS = "princess"
    THIEF = "thief"


class Options(msgspec.Struct, frozen=True):
    """The options of a match.

    - `towers`: the colours by seat (None: white, black, grey by seat; with four seats alternately white and black).
      With four seats the colour determines the team, so that team mates may sit opposite or side by side.
    - `characters`: the three characters of an expert game (None: drawn from `catalogue`).
    """

    mode: Mode = Mode.SIMPLIFIED
    cloud: CloudTime = CloudTime.LAST
    towers: tuple[Tower, ...] | None = None
    characters: tuple[Character, ...] | None = None
    catalogue: tuple[Character, ...] = tuple(Character)


def is_standard(options: Options) -> bool:
    """Return whether characters are drawn from all twelve, as in the published rules."""
    return options.characters is None and set(options.catalogue) == set(Character)


_DEFAULT: Final = {
    2: (Tower.WHITE, Tower.BLACK),
    3: (Tower.WHITE, Tower.BLACK, Tower.GREY),
    4: (Tower.WHITE, Tower.BLACK, Tower.WHITE, Tower.BLACK),
}


def default_towers(seats: int) -> tuple[Tower, ...]:
    """Return the default colours by seat; raise `Illegal` for an unplayable number of seats."""
    if seats not in _DEFAULT:
        raise Illegal(f"Eriantys is for 2, 3 or 4 players, not {seats}")
    return _DEFAULT[seats]


def check(options: Options, seats: int) -> tuple[Tower, ...]:
    """Return the tower colours by seat; raise `Illegal` if these options cannot be played with this number of seats."""
    default = default_towers(seats)
    towers = default if options.towers is None else options.towers
    if sorted(towers) != sorted(default):
        raise Illegal(
            f"the tower colours of {seats} players are {', '.join(default)}, in any order, not {', '.join(towers)}"
        )
    characters = options.characters
    if characters is not None and options.mode is not Mode.EXPERT:
        raise Illegal(f"only the mode {Mode.EXPERT} has characters; this match is {options.mode}")
    if characters is not None and (len(characters) != 3 or len(set(characters)) != 3):
        raise Illegal(f"an expert game has three different characters, not {_format_characters(characters)}")
    if len(set(options.catalogue)) < 3 or len(set(options.catalogue)) != len(options.catalogue):
        raise Illegal(
            f"the catalogue must have at least three characters, each once, not {_format_characters(options.catalogue)}"
        )
    return towers


def _format_characters(characters: tuple[Character, ...]) -> str:
    """Format characters, cut off after one more than there are, because the list may be of any length."""
    return ", ".join(characters[: len(Character) + 1]) or "none"
