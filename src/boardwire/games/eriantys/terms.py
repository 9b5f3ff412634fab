"""The constants of a match, which follow from its options and number of seats by the set-up table [1].

They are computed once and shared by all positions of the match.
"""

from __future__ import annotations

from boardwire.games.eriantys.options import CloudTime, Mode, Options, Tower, check
from boardwire.games.game import Seat


class Terms:
    """The constants of one match; raises `Illegal` if the options cannot be played.

    Equal options and numbers of seats give equal terms.
    """

    __slots__ = (
        "colours", "early", "either", "entrance", "expert", "fill", "moves", "need", "options", "plain", "seats",
        "sides", "teams", "towers",
    )  # fmt: skip

    options: Options
    seats: int
    sides: tuple[int, ...]
    """The side of each seat: the player's, or the team's."""
    teams: tuple[tuple[Seat, ...], ...]
    """The seats of each side."""
    colours: tuple[Tower, ...]
    """The tower colour of each side."""
    towers: int
    """Towers of each side."""
    entrance: int
    moves: int
    """Students to move in each turn, and students on a full cloud."""
    expert: bool
    plain: bool
    """Whether a turn always consists of students, mother nature and a cloud, in this order."""
    early: bool
    """Whether a turn begins with a cloud."""
    either: bool
    """Whether a turn may begin with a cloud, or with a student."""
    fill: tuple[int, ...]
    """Students missing on each cloud when all are empty."""
    need: int
    """Students missing on all clouds together when all are empty."""

    def __init__(self, options: Options, seats: int) -> None:
        towers = check(options, seats)
        colours = tuple(dict.fromkeys(towers))
        sides = tuple([colours.index(tower) for tower in towers])
        teams = [tuple([seat for seat in range(seats) if sides[seat] == side]) for side in range(len(colours))]
        self.options = options
        self.seats = seats
        self.sides = sides
        self.teams = tuple(teams)
        self.colours = colours
        self.towers = 6 if seats == 3 else 8
        self.entrance = 9 if seats == 3 else 7
        self.moves = 4 if seats == 3 else 3
        self.expert = options.mode is Mode.EXPERT
        self.plain = options.mode is Mode.SIMPLIFIED and options.cloud is CloudTime.LAST
        self.early = options.cloud is CloudTime.FIRST
        self.either = options.cloud is CloudTime.EITHER
        self.fill = (self.moves,) * seats
        self.need = self.moves * seats

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terms) and other.seats == self.seats and other.options == self.options

    def __hash__(self) -> int:
        return hash((self.options, self.seats))

    def __reduce__(self) -> tuple[object, ...]:
        return Terms, (self.options, self.seats)

    def __repr__(self) -> str:
        return f"Terms({self.options}, {self.seats})"
