"""Reference implementation of Santorini's base game for two players, in straightforward Python with lists.

- The board is a list of rows, a step is a tuple, and legal steps are found by trying every square.
- Like the engine, `play` leaves the position before a step unchanged, so each step works on a copy, and a move is legal
  only if a build can follow.
- Without `copying` it changes its only position, which an engine for search, undo or replay cannot do.
- Without `checked` it does not test whether a build can follow a move, which is always true in the base game.
"""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import TypeAlias

Square: TypeAlias = tuple[int, int]
Step: TypeAlias = tuple[str, Square, Square]


class State:
    """Heights by row and column (4 is a dome), workers by player, player to move, moved worker and winner."""

    def __init__(self) -> None:
        self.heights = [[0] * 5 for _ in range(5)]
        self.workers: list[list[Square]] = [[], []]
        self.player = 0
        self.moved: Square | None = None
        self.winner: int | None = None


def neighbours(square: Square) -> list[Square]:
    """Return the squares adjacent to a square."""
    row, column = square
    return [
        (row + down, column + right)
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if (down or right) and 0 <= row + down < 5 and 0 <= column + right < 5
    ]


def legal_steps(state: State, checked: bool) -> list[Step]:
    """Return all legal steps."""
    mine = state.workers[state.player]
    if len(mine) < 2:
        every = [(row, column) for row in range(5) for column in range(5)]
        return [("place", square, square) for square in every if not taken(state, square)]
    if state.moved is not None:
        return [("build", state.moved, at) for at in neighbours(state.moved) if is_open(state, at)]
    found: list[Step] = []
    for frm in mine:
        for to in neighbours(frm):
            low, high = state.heights[frm[0]][frm[1]], state.heights[to[0]][to[1]]
            if is_open(state, to) and high <= low + 1 and (not checked or high == 3 or can_build(state, frm, to)):
                found.append(("move", frm, to))
    return found


def taken(state: State, square: Square) -> bool:
    """Return whether a worker stands on a square."""
    return square in state.workers[0] or square in state.workers[1]


def is_open(state: State, square: Square) -> bool:
    """Return whether a square has neither a worker nor a dome."""
    return state.heights[square[0]][square[1]] < 4 and not taken(state, square)


def can_build(state: State, frm: Square, to: Square) -> bool:
    """Return whether a worker that moves from `frm` to `to` could build."""
    return any(at == frm or is_open(state, at) for at in neighbours(to))


def do(state: State, step: Step, copying: bool) -> State:
    """Return the state after a step."""
    if copying:
        state = deepcopy(state)
    kind, frm, to = step
    mine = state.workers[state.player]
    if kind == "place":
        mine.append(to)
        if len(mine) == 2:
            state.player = 1 - state.player
    elif kind == "move":
        mine[mine.index(frm)] = to
        state.moved = to
        if state.heights[to[0]][to[1]] == 3 and state.heights[frm[0]][frm[1]] < 3:
            state.winner = state.player
    else:
        state.heights[to[0]][to[1]] += 1
        state.moved = None
        state.player = 1 - state.player
    return state


def play(rng: Random, *, copying: bool = True, checked: bool = True) -> int:
    """Play a random game and return its number of steps."""
    state, steps = State(), 0
    uniform = rng.random
    while state.winner is None:
        found = legal_steps(state, checked)
        if not found:
            break  # a player without a legal step has lost
        step = found[int(uniform() * len(found))]
        if step not in found:
            raise AssertionError("illegal step")
        state = do(state, step, copying)
        steps += 1
    return steps
