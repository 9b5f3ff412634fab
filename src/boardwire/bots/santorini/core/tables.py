"""The board and the powers as tables of integers.

The tables of `games.santorini.board` as flat lists, which compiled code reads fastest. Square 25 (`OFF`) stands for a
worker off the board: it has no neighbours, and its bit belongs to no square.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardwire.games.santorini import board

if TYPE_CHECKING:
    from mypy_extensions import i64

OFF: Final = 25
ALL: Final = 33554431
PERIMETER: Final[i64] = board.PERIMETER

AROUND: Final[list[list[i64]]] = [list(squares) for squares in board.AROUND] + [[]]
"""The neighbours of each square, in order."""
NEAR: Final[list[i64]] = [*board.NEIGHBOURS, 0]
"""The neighbours of each square, as bit masks."""
WRAPPED: Final[list[i64]] = [*board.WRAPPED, 0]
"""The neighbours of each square where opposite edges touch (Urania)."""
BEHIND: Final[list[i64]] = [square for row in board.BEHIND for square in row]
"""At `frm * 25 + to`: the square one step further, or -1."""
BEARING: Final[list[i64]] = [direction for row in board.BEARING for direction in row]
"""At `frm * 25 + to`: the direction of a move, or -1."""
SLANTED: Final[list[i64]] = [
    sum(1 << to for to in board.SQUARES if board.BEARING[frm][to] in (1, 3, 5, 7)) for frm in board.SQUARES
] + [0]
"""Targets of diagonal moves, including jumps and moves over an edge (Hippolyta)."""
STEP: Final[list[i64]] = [square for row in board.STEP for square in row]
"""At `square * 8 + direction`: the next square in that direction, or -1."""

COUNTS: Final[list[i64]] = [number.bit_count() for number in range(8192)]


def _squares_by_bit() -> list[i64]:
    found: list[i64] = [0] * 37
    for square in range(26):
        found[(1 << square) % 37] = square
    return found


BIT_SQUARE: Final[list[i64]] = _squares_by_bit()
"""At `bit % 37`: the square of a bit; 2 is a primitive root of 37, so no two bits collide."""

# The powers that the core supports, in its own numbering.
MORTAL: Final = 0
APOLLO: Final = 1
ARTEMIS: Final = 2
ATHENA: Final = 3
ATLAS: Final = 4
DEMETER: Final = 5
HEPHAESTUS: Final = 6
HERMES: Final = 7
MINOTAUR: Final = 8
PAN: Final = 9
PROMETHEUS: Final = 10
APHRODITE: Final = 11
ARES: Final = 12
BIA: Final = 13
CHARON: Final = 14
CHRONUS: Final = 15
EROS: Final = 16
HERA: Final = 17
HESTIA: Final = 18
HYPNUS: Final = 19
LIMUS: Final = 20
MEDUSA: Final = 21
MORPHEUS: Final = 22
PERSEPHONE: Final = 23
POSEIDON: Final = 24
SELENE: Final = 25
TRITON: Final = 26
ZEUS: Final = 27
HADES: Final = 28
URANIA: Final = 29
HARPIES: Final = 30
IRIS: Final = 31
PEGASUS: Final = 32
ASTERIA: Final = 33
HIPPOLYTA: Final = 34

NAMES: Final = (
    "mortal", "apollo", "artemis", "athena", "atlas", "demeter", "hephaestus", "hermes", "minotaur", "pan",
    "prometheus", "aphrodite", "ares", "bia", "charon", "chronus", "eros", "hera", "hestia", "hypnus", "limus",
    "medusa", "morpheus", "persephone", "poseidon", "selene", "triton", "zeus", "hades", "urania", "harpies", "iris",
    "pegasus", "asteria", "hippolyta",
)  # fmt: skip
"""Names of the powers, by number."""


def count(squares: i64) -> i64:
    """Return the number of squares in a set."""
    return COUNTS[squares & 8191] + COUNTS[squares >> 13]


def square_of(bit: i64) -> i64:
    """Return the square of a bit."""
    return BIT_SQUARE[bit % 37]
