"""The ring of twelve tiles and the groups into which they are unified.

A group is an arc of adjacent tiles, identified by its **head**, the first tile clockwise. The set of heads determines
the groups, so a `Ring` is built once for each set (`ring_of`) and shared by positions. Tiles keep their numbers, 0 to
11 clockwise, when groups unify.
"""

from __future__ import annotations

from functools import cache
from typing import Final

TILES: Final = 12
MAX_STEPS: Final = 7
"""Maximum number of mother nature's steps: five by an assistant, two more by the Postman."""
APART: Final = (1 << TILES) - 1
"""The heads if every tile is a separate group."""


class Ring:
    """The groups: `bits` has a bit for every head, and the other values depend on it."""

    __slots__ = ("bits", "groups", "heads", "key", "pairs", "path", "tiles")

    bits: int
    key: int
    """`bits` with every sixth bit free, so that it can be combined with the carries of a pile to a cache key."""
    heads: tuple[int, ...]
    path: tuple[int, ...]
    """The heads, continued clockwise for `MAX_STEPS` more, so that a walk needs no modulo."""
    groups: tuple[int, ...]
    """The group of each tile, as an index into `heads`, `tiles` and `pairs`."""
    tiles: tuple[tuple[int, ...], ...]
    """The tiles of each group, clockwise from its head."""
    pairs: tuple[int, ...]
    """The tiles of each group as a mask with two bits per tile, the lower of which is set."""

    def __init__(self, bits: int) -> None:
        heads = tuple([tile for tile in range(TILES) if bits >> tile & 1])
        ends = (*heads[1:], heads[0] + TILES)
        groups = [0] * TILES
        tiles: list[tuple[int, ...]] = []
        for start, end in zip(heads, ends, strict=True):
            members = tuple([tile % TILES for tile in range(start, end)])
            for tile in members:
                groups[tile] = len(tiles)
            tiles.append(members)
        self.bits = bits
        self.key = bits & 31 | (bits >> 5 & 31) << 6 | bits >> 10 << 12
        self.heads = heads
        self.path = (heads * TILES)[: len(heads) + MAX_STEPS]
        self.groups = tuple(groups)
        self.tiles = tuple(tiles)
        self.pairs = tuple([sum([1 << 2 * tile for tile in members]) for members in tiles])

    def __reduce__(self) -> tuple[object, ...]:
        return ring_of, (self.bits,)

    def __repr__(self) -> str:
        return f"Ring({self.bits:#x})"


@cache
def ring_of(bits: int) -> Ring:
    """Return the ring whose heads are `bits`."""
    return Ring(bits)
