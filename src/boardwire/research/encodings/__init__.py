"""Action lists and observations of each game, one module per game.

A module has these names, without numpy:

- `actions(options)`: all actions that a player can be offered, in a fixed order. The list for simpler options is the
  beginning of the list for others, so an action has the same index everywhere.
- `parts(view, seat, options)`: the view of a seat, as named parts with a shape and numbers from 0 to 1. Names, shapes
  and their order depend only on the options and the number of seats. Seats and sides are counted from the observer.
- `max_length(options, seats)`: an upper bound of the number of players' actions in a match.
- `MAX_CHANCE_OUTCOMES`: an upper bound of `n` in `below(n)` of any draw; 0 for a game without chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

from boardwire.games.game import Seat

__all__ = ["Encoding", "Part", "Shape", "encoding", "flags", "one_hot"]

Shape: TypeAlias = tuple[int, ...]


class Part(NamedTuple):
    """A named part of an observation; `values` are in row-major order."""

    name: str
    shape: Shape
    values: Sequence[float]


class Encoding(Protocol):
    """Interface of a game's module."""

    @property
    def MAX_CHANCE_OUTCOMES(self) -> int: ...  # noqa: N802 - a constant of a module

    def actions(self, options: Any, /) -> Sequence[Any]:
        """Return all actions that a player can be offered, in a fixed order."""

    def parts(self, view: Any, seat: Seat, options: Any, /) -> Iterator[Part]:
        """Yield the parts of an observation."""

    def max_length(self, options: Any, seats: int, /) -> int:
        """Return an upper bound of the number of players' actions in a match."""


def encoding(game: str) -> Encoding:
    """Return the encoding of a game by name."""
    return cast("Encoding", import_module(f"{__name__}.{game}"))


def one_hot(size: int, index: int | None) -> list[float]:
    """Return zeros with a one at `index`, or only zeros if it is None or negative."""
    values = [0.0] * size
    if index is not None and index >= 0:
        values[index] = 1.0
    return values


def flags(size: int, indices: Iterable[int]) -> list[float]:
    """Return zeros with ones at `indices`; negative ones are skipped."""
    values = [0.0] * size
    for index in indices:
        if index >= 0:
            values[index] = 1.0
    return values
