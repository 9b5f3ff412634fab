"""Students, counted by colour.

A *pile* is one int with six bits a colour: `counts` and `pile` convert.  There are 26 students of a colour, so five
bits hold any count and the sixth stays free: adding a constant to a pile carries into it exactly where a count is large
enough, and one masked sum then tells which colours are there, or which tables are full.  *Piles* are several piles in
one int, 30 bits a slot; `places` says which slot is which place.  Moving a student is thus one addition, and no copy of
a list.

This module knows no rule of the game but the number of colours.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Final, TypeAlias

Pile: TypeAlias = int
"""Students by colour, packed."""

Piles: TypeAlias = int
"""Several piles in one int, by slot."""

Counts: TypeAlias = tuple[int, int, int, int, int]
"""Students by colour, in the order of `Colour`; what actions, events and views carry."""

BITS: Final = 6
FIELD: Final = 63
WIDTH: Final = 30
PILE: Final = (1 << WIDTH) - 1
SHIFTS: Final = (0, 6, 12, 18, 24)
SLOTS: Final = 25

SHIFT: Final = tuple(tuple(WIDTH * slot + shift for shift in SHIFTS) for slot in range(SLOTS))
"""Where the count of a colour in a slot starts: `SHIFT[slot][colour]`."""

ONE: Final = tuple(tuple(1 << shift for shift in slot) for slot in SHIFT)
"""One student: `ONE[slot][colour]`."""

ALL: Final = tuple(tuple(FIELD << shift for shift in slot) for slot in SHIFT)
"""All students of a colour in a slot, as a mask: `ALL[slot][colour]`."""

_ONES: Final = sum(ONE[0])
EVEN: Final = 63 | 63 << 12 | 63 << 24
CARRIES: Final = _ONES << 5
ANY: Final = 31 * _ONES
"""Added to a pile, it carries for every colour that is there."""


def at_least(count: int) -> Pile:
    """What, added to a pile, carries for every colour that has `count` students or more."""
    return (32 - count) * _ONES


def _flagged(flags: int) -> tuple[int, ...]:
    return tuple(colour for colour in range(5) if flags >> SHIFTS[colour] + 5 & 1)


COLOURS: Final = {
    flags: _flagged(flags) for flags in (sum(ONE[0][c] << 5 for c in range(5) if bits >> c & 1) for bits in range(32))
}
"""The colours whose carry is set, by the masked sum."""


def pile(counts: Iterable[int]) -> Pile:
    """The pile of these counts."""
    green, red, yellow, pink, blue = counts
    return green | red << 6 | yellow << 12 | pink << 18 | blue << 24


def counts(pile: Pile) -> Counts:
    """The counts of a pile."""
    return (pile & 63, pile >> 6 & 63, pile >> 12 & 63, pile >> 18 & 63, pile >> 24 & 63)


def size(pile: Pile) -> int:
    """How many students a pile has."""
    # Pairs of counts in fields of twelve bits, whose sum is the remainder by 4095, like a sum of digits by nine.
    return ((pile & EVEN) + (pile >> BITS & EVEN)) % 4095


def slot(piles: Piles, index: int) -> Pile:
    """One of several piles."""
    return piles >> WIDTH * index & PILE


def present(pile: Pile) -> tuple[int, ...]:
    """The colours a pile has."""
    return COLOURS[pile + ANY & CARRIES]


def hands(count: int) -> tuple[Counts, ...]:
    """All ways to have `count` students."""
    return tuple(
        (a, b, c, d, count - a - b - c - d)
        for a, b, c, d in product(range(count + 1), repeat=4)
        if a + b + c + d <= count
    )


MOST_COUNTED: Final = 4
PACKED: Final[tuple[dict[tuple[int, ...], Pile], ...]] = tuple(
    {hand: pile(hand) for hand in hands(count)} for count in range(MOST_COUNTED + 1)
)
"""The piles of up to four students, by number and counts."""

COUNTED: Final = {pile(hand): hand for count in range(MOST_COUNTED + 1) for hand in hands(count)}
"""The counts of the piles of up to four students."""
