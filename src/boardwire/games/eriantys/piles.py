"""Students counted by colour, packed into integers.

- A *pile* is one int with six bits per colour; `counts` and `pile` convert. There are 26 students of a colour, so five
  bits hold any count and the sixth is free. Adding a constant carries into the free bit of each count that is large
  enough, so that one masked sum tells which colours are present, or which tables are full.
- *Piles* are several piles in one int, 30 bits per slot; `places` assigns the slots. Moving a student is one addition,
  without copying a list.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Final, TypeAlias

Pile: TypeAlias = int
"""Students by colour, packed into an int."""

Piles: TypeAlias = int
"""Several piles in one int, by slot."""

Counts: TypeAlias = tuple[int, int, int, int, int]
"""Students by colour, in the order of `Colour`, as in actions, events and views."""

BITS: Final = 6
FIELD: Final = 63
WIDTH: Final = 30
PILE: Final = (1 << WIDTH) - 1
SHIFTS: Final = (0, 6, 12, 18, 24)
SLOTS: Final = 25

SHIFT: Final = tuple(tuple(WIDTH * slot + shift for shift in SHIFTS) for slot in range(SLOTS))
"""First bit of the count of a colour in a slot: `SHIFT[slot][colour]`."""

ONE: Final = tuple(tuple(1 << shift for shift in slot) for slot in SHIFT)
"""One student: `ONE[slot][colour]`."""

ALL: Final = tuple(tuple(FIELD << shift for shift in slot) for slot in SHIFT)
"""Mask of the students of a colour in a slot: `ALL[slot][colour]`."""

_ONES: Final = sum(ONE[0])
EVEN: Final = 63 | 63 << 12 | 63 << 24
CARRIES: Final = _ONES << 5
ANY: Final = 31 * _ONES
"""The sum with a pile has the carry of every colour that is present."""


def at_least(count: int) -> Pile:
    """Return a number whose sum with a pile has the carry of every colour with at least `count` students."""
    return (32 - count) * _ONES


def _colours_of_flags(flags: int) -> tuple[int, ...]:
    """Return the colours whose flag is set."""
    return tuple(colour for colour in range(5) if flags >> SHIFTS[colour] + 5 & 1)


COLOURS: Final = {
    flags: _colours_of_flags(flags)
    for flags in (sum(ONE[0][c] << 5 for c in range(5) if bits >> c & 1) for bits in range(32))
}
"""The colours whose carry is set, by the masked carries."""


def pile(counts: Iterable[int]) -> Pile:
    """Return the pile of these counts."""
    green, red, yellow, pink, blue = counts
    return green | red << 6 | yellow << 12 | pink << 18 | blue << 24


def counts(pile: Pile) -> Counts:
    """Return the counts of a pile."""
    return (pile & 63, pile >> 6 & 63, pile >> 12 & 63, pile >> 18 & 63, pile >> 24 & 63)


def size(pile: Pile) -> int:
    """Return the number of students in a pile."""
    # Sums of two counts in fields of twelve bits; the remainder by 4095 adds these, as the remainder by 9 adds digits.
    return ((pile & EVEN) + (pile >> BITS & EVEN)) % 4095


def slot(piles: Piles, index: int) -> Pile:
    """Return one of several piles."""
    return piles >> WIDTH * index & PILE


def present(pile: Pile) -> tuple[int, ...]:
    """Return the colours in a pile."""
    return COLOURS[pile + ANY & CARRIES]


def hands(count: int) -> tuple[Counts, ...]:
    """Return all piles of `count` students, as counts."""
    return tuple(
        (a, b, c, d, count - a - b - c - d)
        for a, b, c, d in product(range(count + 1), repeat=4)
        if a + b + c + d <= count
    )


MAX_CACHED_STUDENTS: Final = 4
PACKED: Final[tuple[dict[tuple[int, ...], Pile], ...]] = tuple(
    {hand: pile(hand) for hand in hands(count)} for count in range(MAX_CACHED_STUDENTS + 1)
)
"""The piles of up to four students, by number and counts."""

COUNTED: Final = {pile(hand): hand for count in range(MAX_CACHED_STUDENTS + 1) for hand in hands(count)}
"""The counts of the piles of up to four students."""
