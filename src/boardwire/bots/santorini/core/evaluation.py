"""Static evaluation of a state for the side to move, in hundredths of a step.

It counts height, freedom to move and to climb, and closeness to the middle for each worker. It ignores powers, which
the search takes into account.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from boardwire.bots.santorini.core.state import State
from boardwire.bots.santorini.core.tables import NEAR, OFF, count

if TYPE_CHECKING:
    from mypy_extensions import i64

HEIGHT: Final[list[i64]] = [0, 45, 110, 70]
"""Value of standing on a level."""
STEPS_UP: Final[list[i64]] = [14, 30, 40, 0]
"""Value of a square to climb to, by the worker's level."""
NEAR_LEVEL: Final[list[i64]] = [0, 4, 14, 10]
"""Value of an adjacent square on the worker's level, by that level."""
ROOM: Final = 5
CENTRE: Final[list[i64]] = [0, 4, 6, 4, 0, 4, 12, 15, 12, 4, 6, 15, 20, 15, 6, 4, 12, 15, 12, 4, 0, 4, 6, 4, 0, 0]
TEMPO: Final = 20
GONE: Final = 400
"""Value of a worker that is off the board."""


def worth(s: State) -> i64:
    """Return the evaluation of a state."""
    closed: i64 = s.domes | 1 << s.w0 | 1 << s.w1 | 1 << s.w2 | 1 << s.w3
    return (
        _rate_worker(s, s.w0, closed)
        + _rate_worker(s, s.w1, closed)
        - _rate_worker(s, s.w2, closed)
        - _rate_worker(s, s.w3, closed)
        + TEMPO
    )


def _rate_worker(s: State, at: i64, closed: i64) -> i64:
    """Return the value of a worker on a square."""
    if at == OFF:
        return -GONE
    near: i64 = NEAR[at] & ~closed
    bit: i64 = 1 << at
    if s.b2 & bit:
        if s.b3 & bit:
            return HEIGHT[3] + ROOM * count(near) + CENTRE[at]
        return (
            HEIGHT[2]
            + STEPS_UP[2] * count(near & s.b3)
            + NEAR_LEVEL[2] * count(near & s.b2)
            + ROOM * count(near)
            + CENTRE[at]
        )
    if s.b1 & bit:
        near &= ~s.b3
        return (
            HEIGHT[1]
            + STEPS_UP[1] * count(near & s.b2)
            + NEAR_LEVEL[1] * count(near & s.b1)
            + ROOM * count(near)
            + CENTRE[at]
        )
    near &= ~s.b2
    return STEPS_UP[0] * count(near & s.b1) + ROOM * count(near) + CENTRE[at]
