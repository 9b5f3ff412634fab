"""The holders of the professors, and the colours that count for each side's influence.

There are few combinations and they seldom change, so each is built once (`professors_of`) with its masks and shared by
positions.
"""

from __future__ import annotations

from functools import cache

from boardwire.games.eriantys.colours import Colour
from boardwire.games.eriantys.piles import BITS, EVEN, FIELD, SHIFTS, Pile
from boardwire.games.game import Seat


class Professors:
    """The holder of each colour's professor (negative: free), and values that depend on the holders and the sides."""

    __slots__ = ("code", "held", "holders", "influence_masks", "known", "sides")

    holders: tuple[Seat, ...]
    sides: tuple[int, ...]
    """The side of each seat."""
    influence_masks: tuple[tuple[Pile, Pile], ...]
    """The colours with which each side has influence: masks of the even and, shifted, the odd fields of a pile."""
    known: tuple[Seat | None, ...]
    """The holder of each professor, as in views."""
    held: tuple[tuple[Colour, ...], ...]
    """The professors of each seat."""
    code: int
    """The sides and the holders, packed into three bits each."""

    def __init__(self, holders: tuple[Seat, ...], sides: tuple[int, ...]) -> None:
        masks = [0] * (max(sides) + 1)
        for shift, holder in zip(SHIFTS, holders, strict=True):
            if holder >= 0:
                masks[sides[holder]] |= FIELD << shift
        code = len(sides)
        for number in (*sides, *[max(holder + 1, 0) for holder in holders]):
            code = code << 3 | number
        self.holders = holders
        self.sides = sides
        self.influence_masks = tuple([(mask & EVEN, mask >> BITS & EVEN) for mask in masks])
        self.known = tuple([holder if holder >= 0 else None for holder in holders])
        self.held = tuple(
            [tuple([colour for colour in Colour if holders[colour] == seat]) for seat in range(len(sides))]
        )
        self.code = code

    def __reduce__(self) -> tuple[object, ...]:
        return professors_of, (self.holders, self.sides)

    def __repr__(self) -> str:
        return f"Professors({self.holders}, {self.sides})"


@cache
def professors_of(holders: tuple[Seat, ...], sides: tuple[int, ...]) -> Professors:
    """Return the professors with these holders."""
    return Professors(holders, sides)
