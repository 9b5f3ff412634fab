"""Drawing students from a bag, and checking draws.

This module makes no random choice: the caller provides the randomness.
"""

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

_CHIPS: Final = tuple(tuple([one] * count for count in range(27)) for one in ONE[0])
"""Lists of one-student piles, by colour and number."""


def draw(bag: Pile, sizes: tuple[int, ...], below: Below) -> tuple[Counts, ...]:
    """Draw students for places of these sizes: each student of the bag is equally likely to come next."""
    green, red, yellow, pink, blue = _CHIPS
    left = [*green[bag & 63], *red[bag >> 6 & 63], *yellow[bag >> 12 & 63], *pink[bag >> 18 & 63], *blue[bag >> 24]]
    count = len(left)
    dealt = []
    for wanted in sizes:
        got = 0
        for _ in range(wanted):
            index = below(count)
            count -= 1
            got += left[index]
            left[index] = left[count]
        dealt.append(COUNTED[got] if wanted <= MAX_CACHED_STUDENTS else counts(got))
    return tuple(dealt)


def pack(bag: Pile, sizes: tuple[int, ...], dealt: tuple[tuple[int, ...], ...]) -> list[Pile] | None:
    """Return the piles of a draw, or None if they are not of these sizes or not in the bag."""
    if len(dealt) != len(sizes):
        return None
    piles = []
    for hand, wanted in zip(dealt, sizes):  # noqa: B905 - as many, see above
        packed = PACKED[wanted].get(hand) if wanted <= MAX_CACHED_STUDENTS else _pack_many(hand, wanted)
        if packed is None:
            return None
        piles.append(packed)
    # Where more is dealt than is there, the count has borrowed the free bit of its field.
    return piles if (bag | CARRIES) - sum(piles) & CARRIES == CARRIES else None


def _pack_many(hand: tuple[int, ...], wanted: int) -> Pile | None:
    return pile(hand) if len(hand) == 5 and min(hand) >= 0 and sum(hand) == wanted else None
