"""Queries and elementary edits of a position, from which all rules are built.

No function checks a rule: callers decide whether an edit is legal.
"""

from __future__ import annotations

from msgspec.structs import replace

from boardwire.games.santorini.board import ALL, squares_of
from boardwire.games.santorini.position import OFF, Memo, Position, Side, Workers


def level(p: Position, square: int) -> int:
    """Return the number of blocks on a square, without a dome."""
    return (p.b1 >> square & 1) + (p.b2 >> square & 1) + (p.b3 >> square & 1)


def above(p: Position, height: int) -> int:
    """Return the squares above a level."""
    return p.b1 if height == 0 else p.b2 if height == 1 else p.b3 if height == 2 else 0


def below(p: Position, height: int) -> int:
    """Return the squares below a level."""
    return ALL & ~(p.b1 if height == 1 else p.b2 if height == 2 else p.b3) if height else 0


def at_level(p: Position, height: int) -> int:
    """Return the squares on exactly this level."""
    return ALL & ~below(p, height) & ~above(p, height)


def free(p: Position) -> int:
    """Return the squares without a worker, dome or closing token."""
    return ALL & ~(p.occupied | p.domes | p.solid)


def towers(p: Position) -> int:
    """Return the squares with a complete tower."""
    return p.b3 & p.domes


def worker_mask(p: Position, side: Side) -> int:
    """Return the squares of a side's workers as a bit mask."""
    mask = 0
    for square in p.workers[side]:
        if square >= 0:
            mask |= 1 << square
    return mask


def on_board(p: Position, side: Side) -> tuple[int, ...]:
    """Return the squares of a side's workers on the board, in the order of their numbers."""
    squares = p.workers[side]
    return tuple(square for square in squares if square >= 0) if OFF in squares else squares


def find(p: Position, square: int) -> tuple[Side, int]:
    """Return the side and number of the worker on a square."""
    for side, squares in enumerate(p.workers):
        if square in squares:
            return side, squares.index(square)
    raise LookupError(f"no worker on square {square}")


def put(squares: tuple[int, ...], number: int, square: int) -> tuple[int, ...]:
    """Return a side's squares with one worker moved."""
    if len(squares) == 2:
        return (square, squares[1]) if number == 0 else (squares[0], square)
    return (*squares[:number], square, *squares[number + 1 :])


def with_side(
    workers: tuple[tuple[int, ...], ...], side: Side, squares: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    """Return all workers with one side's squares replaced."""
    if len(workers) == 2:
        return (squares, workers[1]) if side == 0 else (workers[0], squares)
    return (*workers[:side], squares, *workers[side + 1 :])


def with_worker(p: Position, side: Side, number: int, square: int) -> Position:
    """Move one worker to another square, or `OFF`."""
    workers = with_side(p.workers, side, put(p.workers[side], number, square))
    return replace(p, workers=workers, occupied=_occupied_squares(workers))


def with_new_worker(p: Position, side: Side, square: int) -> Position:
    """Add a worker to a side, with the next number."""
    workers = with_side(p.workers, side, (*p.workers[side], square))
    return replace(p, workers=workers, occupied=p.occupied | 1 << square)


def relocated(p: Position, paths: tuple[tuple[int, int], ...]) -> Position:
    """Move workers between squares, all at once, so that they may swap places. `paths` has pairs (from, to)."""
    target = dict(paths)
    workers = tuple(tuple(target.get(square, square) for square in squares) for squares in p.workers)
    return replace(p, workers=workers, occupied=_occupied_squares(workers))


def _occupied_squares(workers: Workers) -> int:
    """Return the bit set of the squares with workers."""
    mask = 0
    for squares in workers:
        for square in squares:
            if square >= 0:
                mask |= 1 << square
    return mask


def with_block(p: Position, square: int) -> Position:
    """Add a block to a square of at most level 2."""
    bit = 1 << square
    if not p.b1 & bit:
        return replace(p, b1=p.b1 | bit)
    if not p.b2 & bit:
        return replace(p, b2=p.b2 | bit)
    return replace(p, b3=p.b3 | bit)


def with_level(p: Position, square: int, height: int) -> Position:
    """Set the number of blocks on a square."""
    keep, bit = ~(1 << square), 1 << square
    return replace(
        p,
        b1=p.b1 & keep | (bit if height >= 1 else 0),
        b2=p.b2 & keep | (bit if height >= 2 else 0),
        b3=p.b3 & keep | (bit if height >= 3 else 0),
    )


def with_memo(p: Position, slot: int, memo: Memo) -> Position:
    """Replace the memo of a power."""
    return replace(p, memos=(*p.memos[:slot], memo, *p.memos[slot + 1 :]))


def with_stage(p: Position, stage: int) -> Position:
    """Set the stage of the current turn."""
    return replace(p, turn=replace(p.turn, stage=stage))


def with_note(p: Position, note: int) -> Position:
    """Set the note that the acting seat's power keeps for the current turn."""
    return replace(p, turn=replace(p.turn, note=note))


def heights(p: Position) -> tuple[int, ...]:
    """Return the level of each square."""
    return tuple(level(p, square) for square in squares_of(ALL))
