"""Draws of students as choices of chance: membership, iteration and a random outcome (`bags`).

A `Deal` is a draw from the bag into several places at once; `Scatter` is the order of the first ten students. The
caller provides the source of randomness.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb, prod
from typing import Final

import msgspec

from boardwire.games.eriantys.actions import Action, DealEntrances, Refill, Restock, StockCharacters, StockIslands
from boardwire.games.eriantys.bags import draw, pack
from boardwire.games.eriantys.colours import Colour
from boardwire.games.eriantys.piles import ONE, Counts, Pile, counts, hands
from boardwire.games.eriantys.stages import Kind
from boardwire.games.game import Below

_PAIRS: Final = tuple(colour for colour in Colour for _ in range(2))
_ONES: Final = ONE[0]
_COLOURS: Final = tuple(Colour)
_REFILL: Final = Kind.REFILL
_ENTRANCES: Final = Kind.ENTRANCES


class Deal(msgspec.Struct, frozen=True, gc=False):
    """A draw of students from a bag into places of given sizes."""

    kind: Kind
    bag: Pile
    sizes: tuple[int, ...]

    def draw(self, below: Below) -> Action:
        """Return a random outcome; at each draw, all students left in the bag are equally likely."""
        return self._action_of(draw(self.bag, self.sizes, below))

    def _action_of(self, dealt: tuple[Counts, ...]) -> Action:
        """Return the action that deals these piles."""
        kind = self.kind
        if kind is _REFILL:
            return Refill(dealt)
        if kind is _ENTRANCES:
            return DealEntrances(dealt)
        return Restock(_COLOURS[dealt[0].index(1)]) if kind is Kind.RESTOCK else StockCharacters(dealt)

    def _dealt_counts(self, action: object) -> tuple[Counts, ...] | None:
        """Return the counts of an action by place, or None if it is of another kind."""
        match self.kind, action:
            case Kind.REFILL, Refill(clouds):
                return clouds
            case Kind.RESTOCK, Restock(colour):
                return (counts(_ONES[colour]),)
            case Kind.ENTRANCES, DealEntrances(entrances):
                return entrances
            case Kind.STOCK, StockCharacters(students):
                return students
            case _:
                return None

    def __contains__(self, action: object) -> bool:
        dealt = self._dealt_counts(action)
        return dealt is not None and pack(self.bag, self.sizes, dealt) is not None

    def __iter__(self) -> Iterator[Action]:
        for dealt in _split_deals(counts(self.bag), self.sizes):
            yield self._action_of(dealt)

    def __len__(self) -> int:
        if min(counts(self.bag)) >= sum(self.sizes):
            return prod(comb(count + 4, 4) for count in self.sizes)
        return sum(1 for _ in _split_deals(counts(self.bag), self.sizes))


def _split_deals(bag: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[tuple[Counts, ...]]:
    """Yield the ways in which piles of these sizes can be dealt from the bag."""
    if not sizes:
        yield ()
        return
    for hand in hands(sizes[0]):
        remaining = tuple(available - taken for taken, available in zip(hand, bag, strict=True))
        if min(remaining) >= 0:
            for rest in _split_deals(remaining, sizes[1:]):
                yield (hand, *rest)


class Scatter(msgspec.Struct, frozen=True, gc=False):
    """The first ten students, two of each colour, in any order."""

    def draw(self, below: Below) -> Action:
        """Return a random order; all are equally likely."""
        take = list(_PAIRS).pop
        return StockIslands(tuple([take(below(count)) for count in range(len(_PAIRS), 0, -1)]))

    def __contains__(self, action: object) -> bool:
        return isinstance(action, StockIslands) and tuple(sorted(action.colours)) == _PAIRS

    def __iter__(self) -> Iterator[Action]:
        for colours in _student_orders((2,) * 5):
            yield StockIslands(colours)

    def __len__(self) -> int:
        return 113_400  # 10! / 2!^5


def _student_orders(left: tuple[int, ...]) -> Iterator[tuple[Colour, ...]]:
    """Yield the orders in which these students can be drawn."""
    if not any(left):
        yield ()
    for colour in Colour:
        if left[colour]:
            for rest in _student_orders((*left[:colour], left[colour] - 1, *left[colour + 1 :])):
                yield (colour, *rest)
