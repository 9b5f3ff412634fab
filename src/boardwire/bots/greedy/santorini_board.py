"""A simplified Santorini board for the greedy bot: heights, closed squares and workers, from a view.

It has no powers, no stage and no hidden information, and each step has its normal effect. That is enough to compare the
legal steps, which come from the decision.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from boardwire.games.santorini import God, View
from boardwire.games.santorini.actions import Action, Banish, Build, Force, Move, PlaceWorker, Raze, Swap
from boardwire.games.santorini.board import BEHIND, NEIGHBOURS, squares_of

Workers: TypeAlias = tuple[tuple[int, ...], ...]


class SimpleBoard(msgspec.Struct, frozen=True, gc=False):
    """A simplified board.

    - `b1`, `b2`, `b3`: squares with at least that many blocks; `closed`: domes and tokens.
    - `workers`: their squares by side.
    - `lovers`: the side whose workers win by meeting (-1: none), and the level on which they must meet (-1: any).
    """

    b1: int
    b2: int
    b3: int
    closed: int
    workers: Workers
    lovers: tuple[int, int] = (-1, -1)


def simple_board(view: View) -> SimpleBoard:
    """Return the simplified board of a view."""
    b1 = b2 = b3 = closed = 0
    for square, level in enumerate(view.levels):
        if level:
            b1 |= 1 << square
            b2 |= (level > 1) << square
            b3 |= (level > 2) << square
    for square in (*view.domes, *view.closed):
        closed |= 1 << square
    workers = tuple(tuple(square for square in squares if square >= 0) for squares in view.workers)
    return SimpleBoard(b1, b2, b3, closed, workers, _lovers_of(view))


def _lovers_of(view: View) -> tuple[int, int]:
    """Return the side whose workers win by meeting, and the level on which they must meet (see `SimpleBoard`)."""
    if God.EROS not in view.powers or not view.workers:
        return -1, -1
    return view.powers.index(God.EROS) % len(view.workers), -1 if len(view.workers) == 3 else 1


def height(s: SimpleBoard, square: int) -> int:
    """Return the number of blocks on a square."""
    return (s.b1 >> square & 1) + (s.b2 >> square & 1) + (s.b3 >> square & 1)


def occupied(s: SimpleBoard) -> int:
    """Return the squares of visible workers."""
    squares_taken = 0
    for squares in s.workers:
        for square in squares:
            squares_taken |= 1 << square
    return squares_taken


def after(s: SimpleBoard, action: Action, side: int) -> SimpleBoard:
    """Return the board after a step of `side`, without effects of powers."""
    match action:
        case Move(frm, to):
            return _move_worker(s, frm, to, side)
        case Build(_, at, dome):
            return built(s, at, dome)
        case Force(frm, to):
            return replace(s, workers=_relocate(s.workers, {frm: to}))
        case Swap(first, second):
            return replace(s, workers=_relocate(s.workers, {first: second, second: first}))
        case PlaceWorker(at):
            return replace(s, workers=_with_side(s.workers, side, (*s.workers[side], at)))
        case Banish(at):
            return replace(s, workers=tuple(tuple(square for square in team if square != at) for team in s.workers))
        case Raze(at):
            keep = ~(1 << at)
            return [s, replace(s, b1=s.b1 & keep), replace(s, b2=s.b2 & keep), replace(s, b3=s.b3 & keep)][
                height(s, at)
            ]
        case _:
            return s


def built(s: SimpleBoard, at: int, dome: bool = False) -> SimpleBoard:
    """Return the board with one more block, or a dome, on a square."""
    bit = 1 << at
    if dome or s.b3 & bit:
        return SimpleBoard(s.b1, s.b2, s.b3, s.closed | bit, s.workers, s.lovers)
    if s.b2 & bit:
        return SimpleBoard(s.b1, s.b2, s.b3 | bit, s.closed, s.workers, s.lovers)
    if s.b1 & bit:
        return SimpleBoard(s.b1, s.b2 | bit, s.b3, s.closed, s.workers, s.lovers)
    return SimpleBoard(s.b1 | bit, s.b2, s.b3, s.closed, s.workers, s.lovers)


def meets(s: SimpleBoard, side: int, frm: int, to: int) -> bool:
    """Return whether a worker that moves from `frm` to `to` meets another of its side and so wins (Eros)."""
    lovers, wanted = s.lovers
    if side != lovers:
        return False
    level = height(s, to)
    if wanted not in (-1, level):
        return False
    return any(NEIGHBOURS[to] >> other & 1 and height(s, other) == level for other in s.workers[side] if other != frm)


def free_around(s: SimpleBoard, around: int) -> tuple[int, ...]:
    """Return the squares of a set that a worker could enter or build on."""
    return tuple(squares_of(around & ~s.closed & ~occupied(s)))


def _move_worker(s: SimpleBoard, frm: int, to: int, side: int) -> SimpleBoard:
    """Move a worker; a worker in the way is pushed straight on if that is possible, else the two swap places."""
    targets = {frm: to}
    if occupied(s) >> to & 1:
        behind = BEHIND[frm][to]
        pushed = behind >= 0 and not (occupied(s) | s.closed) >> behind & 1
        targets[to] = behind if pushed else frm
    return replace(s, workers=_relocate(s.workers, targets))


def _relocate(workers: Workers, targets: dict[int, int]) -> Workers:
    """Return the workers after simultaneous moves; `targets` is the new square by the old one."""
    return tuple(tuple(targets.get(square, square) for square in squares) for squares in workers)


def _with_side(workers: Workers, side: int, squares: tuple[int, ...]) -> Workers:
    return (*workers[:side], squares, *workers[side + 1 :])
