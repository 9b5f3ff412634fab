"""A neural net that evaluates states without powers, trained on matches of the search against itself.

- The inputs are the contents of the 25 squares, each one of 13 (`_content`). Each input has a row of `HIDDEN` integers;
  the sum of the rows is the hidden layer, one for each side's point of view.
- A hidden value is clipped to 0..255 and squared; both layers are weighted into one number. The output weights depend
  on the number of blocks on the board (`BUCKET_BLOCKS`).
- A turn changes the layer by three differences of rows: a worker leaves a square and enters another, and a block is
  built. So the sums of a state are computed from those of the state before.
- The sums of one point of view are a single integer with `LANE` bits for each hidden value, so that one addition does
  all. Sums start from `OFFSET`, which keeps every lane positive: no lane borrows from its neighbour.

`mortal.c` evaluates the same net with the same results; this module is for systems without compiled code.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import mul
from struct import Struct
from typing import TYPE_CHECKING, Final

from boardwire.bots.santorini.core.state import State, level
from boardwire.bots.santorini.core.tables import count

if TYPE_CHECKING:
    from mypy_extensions import i64

SQUARE_CONTENTS: Final = 13
"""Possible contents of a square: four heights, a dome, and workers of either side on four heights."""
INPUTS: Final = 25 * SQUARE_CONTENTS
HIDDEN: Final = 256
BUCKETS: Final = 8
BUCKET_BLOCKS: Final = 4
"""Number of consecutive block counts that share output weights."""
LANE: Final = 16
OFFSET: Final = 16384
FULL: Final = 255
"""Upper limit of a hidden value."""
VALUE_FACTOR: Final = 605
VALUE_SHIFT: Final = 24
"""A weighted sum times the factor, shifted right by this, is in hundredths of a step: 150 per unit of log-odds."""
NET_BYTES: Final = 2 * (INPUTS * HIDDEN + HIDDEN + BUCKETS * 2 * HIDDEN) + 4 * BUCKETS
"""Length of the weights: rows, initial sums and output weights of 16 bits, output offsets of 32 bits, little-endian."""
MAX_LINE: Final = 64
"""Maximum number of states on a line whose sums are stored."""

_LANES: Final = Struct(f"<{HIDDEN}H")
_SQUARED: Final[list[int]] = [min(max(lane - OFFSET, 0), FULL) ** 2 for lane in range(1 << LANE)]
"""The clipped and squared value of each content of a lane."""


class Net:
    """The weights, and the sums of the states on the current line."""

    weights: bytes
    """The weights as `mortal.c` reads them."""
    quick: Callable[[int, int, int, int, int, int, int, int], int] | None
    """The evaluation in C (`native.c`), if it is compiled."""
    _rows: list[int]
    _leave: list[list[int]]
    _build: list[int]
    _bias: int
    _out: list[list[int]]
    _base: list[int]
    _mine: list[int]
    _theirs: list[int]

    def __init__(self, weights: bytes) -> None:
        if len(weights) != NET_BYTES:
            raise ValueError(f"cannot use the net: {NET_BYTES} bytes of weights expected, {len(weights)} found")
        numbers = list(Struct(f"<{(NET_BYTES - 4 * BUCKETS) // 2}h").unpack(weights[: -4 * BUCKETS]))
        self.weights = weights
        self.quick = None
        self._rows = [_pack(numbers[at * HIDDEN : (at + 1) * HIDDEN], 0) for at in range(INPUTS)]
        at = INPUTS * HIDDEN
        self._bias = _pack(numbers[at : at + HIDDEN], OFFSET)
        at += HIDDEN
        self._out = [numbers[at + n * HIDDEN : at + (n + 1) * HIDDEN] for n in range(2 * BUCKETS)]
        self._base = list(Struct(f"<{BUCKETS}i").unpack(weights[-4 * BUCKETS :]))
        worker = [(5 + height, 9 + height) for height in range(4)]
        self._leave = [[], []]
        self._build = []
        for square in range(25):
            row = square * SQUARE_CONTENTS
            for height in range(4):
                for side in range(2):
                    self._leave[side].append(self._rows[row + height] - self._rows[row + worker[height][side]])
                self._build.append(self._rows[row + height + 1] - self._rows[row + height])
        self._mine = [0] * MAX_LINE
        self._theirs = [0] * MAX_LINE

    def judge(self, s: State) -> i64:
        """Return the value of a state from scratch; workers may be off the board."""
        if self.quick is not None:
            return self.quick(s.b1, s.b2, s.b3, s.domes, s.w0, s.w1, s.w2, s.w3)
        self.begin(s, 0)
        return self.worth(s, 0)

    def begin(self, s: State, ply: i64) -> None:
        """Compute the sums of a state from scratch; `ply` is its place on the line."""
        mine: i64 = 1 << s.w0 | 1 << s.w1
        theirs: i64 = 1 << s.w2 | 1 << s.w3
        one = other = self._bias
        square: i64 = 0
        while square < 25:
            one += self._rows[square * SQUARE_CONTENTS + _content(s, square, mine, theirs)]
            other += self._rows[square * SQUARE_CONTENTS + _content(s, square, theirs, mine)]
            square += 1
        self._mine[ply] = one
        self._theirs[ply] = other

    def follow(self, before: State, s: State, ply: i64) -> None:
        """Compute the sums of a state at `ply` from those of the state before the last turn."""
        frm: i64 = (s.code >> 10) * 4 + level(before, s.code >> 10)
        to: i64 = (s.code >> 5 & 31) * 4 + level(before, s.code >> 5 & 31)
        at: i64 = (s.code & 31) * 4 + level(before, s.code & 31)
        built = self._build[at]
        own = self._leave[0]
        foe = self._leave[1]
        self._theirs[ply] = self._mine[ply - 1] + own[frm] - own[to] + built
        self._mine[ply] = self._theirs[ply - 1] + foe[frm] - foe[to] + built

    def worth(self, s: State, ply: i64) -> i64:
        """Return the value of the state at `ply` for the side to move."""
        blocks: i64 = count(s.b1) + count(s.b2) + count(s.b3) + count(s.domes)
        bucket: i64 = blocks // BUCKET_BLOCKS
        if bucket >= BUCKETS:
            bucket = BUCKETS - 1
        total: int = self._base[bucket]
        total += _weight_lanes(self._mine[ply], self._out[2 * bucket]) + _weight_lanes(
            self._theirs[ply], self._out[2 * bucket + 1]
        )
        return total * VALUE_FACTOR >> VALUE_SHIFT


def _pack(numbers: list[int], offset: int) -> int:
    """Pack numbers into lanes, each increased by `offset`."""
    word = 0
    for number in reversed(numbers):
        word = (word << LANE) + number + offset
    return word


def _content(s: State, square: i64, own: i64, foe: i64) -> i64:
    """Return the content of a square: 0 to 3 a height, 4 a dome, from 5 an own worker and from 9 a foe's, by height."""
    if s.domes >> square & 1:
        return 4
    if own >> square & 1:
        return 5 + level(s, square)
    return 9 + level(s, square) if foe >> square & 1 else level(s, square)


def _weight_lanes(sums: int, weights: list[int]) -> int:
    """Clip, square and weight the lanes."""
    lanes = _LANES.unpack(sums.to_bytes(_LANES.size, "little"))
    return sum(map(mul, weights, map(_SQUARED.__getitem__, lanes)))
