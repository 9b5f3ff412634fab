"""Drawing of students from a bag, and validation of draws. The caller provides the source of randomness."""

from __future__ import annotations

from typing import Final

from boardwire.games.eriantys.piles import (
    CARRIES,
    COUNTED,
    MAX_CACHED_STUDENTS,
    ONE,
    PACKED,
    Counts,
    Pile,
    counts,
    pile,
)
from boardwire.games.game import Below

_STUDENTS: Final = tuple(tuple([student] * count for count in range(27)) for student in ONE[0])
"""Lists of piles of one student, by colour and number of piles."""


def draw(bag: Pile, sizes: tuple[int, ...], below: Below) -> tuple[Counts, ...]:
    """Draw students for places of these sizes; at each draw, all students left in the bag are equally likely."""
    green, red, yellow, pink, blue = _STUDENTS
    remaining = [
        *green[bag & 63],
        *red[bag >> 6 & 63],
        *yellow[bag >> 12 & 63],
        *pink[bag >> 18 & 63],
        *blue[bag >> 24],
    ]
    count = len(remaining)
    dealt = []
    for wanted in sizes:
        drawn = 0
        for _ in range(wanted):
            index = below(count)
            count -= 1
            drawn += remaining[index]
            remaining[index] = remaining[count]
        dealt.append(COUNTED[drawn] if wanted <= MAX_CACHED_STUDENTS else counts(drawn))
    return tuple(dealt)


def pack(bag: Pile, sizes: tuple[int, ...], dealt: tuple[tuple[int, ...], ...]) -> list[Pile] | None:
    """Return the piles of a draw, or None if their sizes are wrong or the bag does not have these students."""
    if len(dealt) != len(sizes):
        return None
    piles = []
    for hand, wanted in zip(dealt, sizes):  # noqa: B905 - the lengths are equal
        packed = PACKED[wanted].get(hand) if wanted <= MAX_CACHED_STUDENTS else _pack_many(hand, wanted)
        if packed is None:
            return None
        piles.append(packed)
    # If the bag has fewer students of a colour than are dealt, the difference borrows the free bit of its field.
    return piles if (bag | CARRIES) - sum(piles) & CARRIES == CARRIES else None


def _pack_many(hand: tuple[int, ...], wanted: int) -> Pile | None:
    return pile(hand) if len(hand) == 5 and min(hand) >= 0 and sum(hand) == wanted else None
