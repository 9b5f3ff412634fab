"""What a match of Eriantys is opened with, and what follows from it.

`Options` are what people choose; `Terms` are the numbers of the set-up table [1] for these options and this
many seats, worked out once and shared by every position of the match.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from boardwire.errors import Illegal
from boardwire.games.game import Seat

COINS: Final = 20
NO_ENTRY: Final = 4


class Mode(StrEnum):
    """Without or with coins and characters."""

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
    """What the people who open a table choose.

    `towers` are the colours by seat (None: white, black, grey by seat; with four seats white and black in turn).  With
    four seats the colour makes the team, so team-mates may sit opposite or side by side.  `characters` are the three
    of an expert game (None: drawn by luck from `catalogue`).
    """

    mode: Mode = Mode.SIMPLIFIED
    cloud: CloudTime = CloudTime.LAST
    towers: tuple[Tower, ...] | None = None
    characters: tuple[Character, ...] | None = None
    catalogue: tuple[Character, ...] = tuple(Character)


def ordinary(options: Options) -> bool:
    """A published set-up: the characters are drawn, and from all of them."""
    return options.characters is None and set(options.catalogue) == set(Character)


class Terms(msgspec.Struct, frozen=True):
    """The constants of one match."""

    options: Options
    seats: int
    sides: tuple[int, ...]
    """The side of each seat: a player's own, or the team's."""
    teams: tuple[tuple[Seat, ...], ...]
    """The seats of each side."""
    colours: tuple[Tower, ...]
    """The tower colour of each side."""
    towers: int
    """Towers of each side."""
    entrance: int
    moves: int
    """Students to move each turn; as many lie on a full cloud."""
    expert: bool
    plain: bool
    """Whether a turn is nothing but students, then mother nature, then a cloud."""
    early: bool
    """Whether a turn begins with a cloud."""
    fill: tuple[int, ...]
    """The students each cloud lacks when all are empty."""
    need: int
    """The students all of them lack then."""


_DEFAULT: Final = {
    2: (Tower.WHITE, Tower.BLACK),
    3: (Tower.WHITE, Tower.BLACK, Tower.GREY),
    4: (Tower.WHITE, Tower.BLACK, Tower.WHITE, Tower.BLACK),
}


def default_towers(seats: int) -> tuple[Tower, ...]:
    """The colours by seat where nobody wants another; `Illegal` where so many cannot play."""
    if seats not in _DEFAULT:
        raise Illegal(f"Eriantys is for 2, 3 or 4 players, not {seats}")
    return _DEFAULT[seats]


def terms(options: Options, seats: int) -> Terms:
    """The constants for these options; `Illegal` where they cannot be played."""
    usual = default_towers(seats)
    towers = usual if options.towers is None else options.towers
    if sorted(towers) != sorted(usual):
        raise Illegal(f"the tower colours of {seats} players are {', '.join(usual)}, in any order")
    _check_characters(options)
    colours = tuple(dict.fromkeys(towers))
    sides = tuple(colours.index(tower) for tower in towers)
    return Terms(
        options=options,
        seats=seats,
        sides=sides,
        teams=tuple(tuple(seat for seat in range(seats) if sides[seat] == side) for side in range(len(colours))),
        colours=colours,
        towers=6 if seats == 3 else 8,
        entrance=9 if seats == 3 else 7,
        moves=4 if seats == 3 else 3,
        expert=options.mode is Mode.EXPERT,
        plain=options.mode is Mode.SIMPLIFIED and options.cloud is CloudTime.LAST,
        early=options.cloud is CloudTime.FIRST,
        fill=(4 if seats == 3 else 3,) * seats,
        need=(4 if seats == 3 else 3) * seats,
    )


def _check_characters(options: Options) -> None:
    given = options.characters
    if given is not None and options.mode is not Mode.EXPERT:
        raise Illegal("characters are for the expert game only")
    if given is not None and (len(given) != 3 or len(set(given)) != 3):
        raise Illegal("an expert game has three different characters")
    if len(set(options.catalogue)) < 3 or len(set(options.catalogue)) != len(options.catalogue):
        raise Illegal("the catalogue must have at least three different characters")
