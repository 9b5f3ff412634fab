"""Probabilities of the squares of a foe's hidden workers (Hecate), from the earlier choices of the searching seat.

- A **belief** is a weight for each pair of squares; their sum is 1. It starts with every pair, the middle first, after
  the placement.
- A step that succeeded excludes the squares that it used; a step that was cancelled proves a hidden worker there.
- Between two own turns the hidden side moves and builds. The board shows the square of its build: each pair is advanced
  by every move beside that square, weighted by the likelihood of that move and that build.
- If no pair is left, which powers that move or remove blocks can cause, the belief restarts from every pair.
"""

from __future__ import annotations

from math import exp
from typing import Final, TypeAlias

from boardwire.bots.engine import Past
from boardwire.bots.greedy.santorini_board import after, simple_board
from boardwire.games.santorini import View
from boardwire.games.santorini.actions import Action, Build, Move
from boardwire.games.santorini.board import AROUND, NEIGHBOURS
from boardwire.games.santorini.kinds import BY_STAGE, Kind

Pair: TypeAlias = tuple[int, int]
"""The squares of two hidden workers, the lower one first."""
Belief: TypeAlias = dict[Pair, float]
_Heights: TypeAlias = tuple[int, ...]

HEIGHT_WEIGHT: Final = (1.0, 3.5, 20.0, 8.0)
"""Relative likelihood that a worker stands on a level."""
CENTRE_WEIGHT: Final = tuple(exp(0.4 * (4 - abs(at // 5 - 2) - abs(at % 5 - 2))) for at in range(25))
LOST_WIN_WEIGHT: Final = 0.02
"""Weight of a pair that could have won by a move and did not."""
THREAT_WEIGHT: Final = 15.0
"""Weight of a build that threatens to win, or prevents a win."""
STEP_WEIGHT: Final = 3.0
"""Weight of a build that can be climbed."""
UNKNOWN: Final = -1
"""The square of a build that the board does not show."""


def belief(view: View, past: Past, own: int) -> Belief:
    """Return the belief about the workers of the side opposite to `own`, for a view at the start of a turn."""
    steps = [
        (decision.view, decision.action)
        for decision in past
        if type(decision.view) is View and len(decision.view.workers) == 2
    ]
    if not steps:
        return _uniform_belief(view, own)
    seen = [*(before for before, _ in steps[1:]), view]
    estimate = _uniform_belief(steps[0][0], own)
    for (before, action), later in zip(steps, seen, strict=True):
        if before.ply > later.ply or _is_same_turn_again(before, later):  # a step was taken back
            estimate = _uniform_belief(later, own)
            continue
        estimate = _next_belief(estimate, before, action, later, own) or _uniform_belief(later, own)
    return estimate


def _is_same_turn_again(before: View, later: View) -> bool:
    """Return whether `later` begins the turn of `before` from another position, because the foe's turn was replaced.

    Within a turn, powers that act before the move cause the same kind of decision, but the view shows their actions.
    """
    begins = later.kind is Kind.OPEN and later.acting < 0 and not later.built
    return begins and before.kind in BY_STAGE and later.ply == before.ply and later != before


def _next_belief(prior: Belief, before: View, action: Action, later: View, own: int) -> Belief:
    """Return the belief at the next own decision, given the one at the decision before and the action chosen there."""
    if later.ply == before.ply or (before.kind not in BY_STAGE and _heights(before) == _heights(later)):
        built = [at for at in range(25) if _heights(later)[at] != _heights(before)[at]]
        return _without_squares(prior, {*later.workers[own], *built})
    done, plain, new = _heights_after(before, action, own), _heights(before), _heights(later)
    target = action.at if isinstance(action, Build) else action.to if isinstance(action, Move) else -1
    stayed = before.workers[own] == later.workers[own]
    where = None if isinstance(action, Move) and stayed else _build_of(done, new)
    if where is not None:
        used = {target} if isinstance(action, Build) else set()
        return _moved_on(_without_squares(prior, {*later.workers[own], *used}), done, later, own, where)
    where = _build_of(plain, new)
    if where is None or not stayed:
        return _moved_on(prior, done, later, own, UNKNOWN)
    if target >= 0:  # the step was cancelled
        prior = {pair: weight for pair, weight in prior.items() if target in pair}
    return _moved_on(prior, plain, later, own, where)


def _moved_on(prior: Belief, heights: _Heights, later: View, own: int, where: int) -> Belief:
    """Return the belief after a turn of the hidden side that built on `where`; `heights` are those before it."""
    taken = [height > 3 for height in heights]
    for square in (*later.workers[own], *later.closed):
        if square >= 0:
            taken[square] = True
    feared = _wins_of(later.workers[own], heights)
    result: Belief = {}
    for pair, weight in prior.items():
        if taken[pair[0]] or taken[pair[1]]:
            continue
        total, can_win = 0.0, False
        moves: list[tuple[Pair, float]] = []
        for frm, other in (pair, pair[::-1]):
            for to in AROUND[frm]:
                if taken[to] or to == other or heights[to] > heights[frm] + 1:
                    continue
                if heights[to] == 3 and heights[frm] == 2:
                    can_win = True
                move = HEIGHT_WEIGHT[heights[to]] / HEIGHT_WEIGHT[heights[frm]] * CENTRE_WEIGHT[to]
                total += move
                if where == UNKNOWN:
                    moves.append(((to, other) if to < other else (other, to), move))
                elif NEIGHBOURS[to] >> where & 1 and where != other:
                    builds = 0.0  # at least the square that the worker came from
                    for at in AROUND[to]:
                        if not taken[at] and at != other:
                            builds += _build_weight(heights, to, at, feared)
                    share = move * _build_weight(heights, to, where, feared) / builds
                    moves.append(((to, other) if to < other else (other, to), share))
        if can_win:
            weight *= LOST_WIN_WEIGHT  # a power such as Hera's may have forbidden it
        for moved, share in moves:
            result[moved] = result.get(moved, 0.0) + weight * share / total
    whole = sum(result.values())
    return {pair: weight / whole for pair, weight in result.items() if weight > 1e-6 * whole} if whole else {}


def _build_weight(heights: _Heights, to: int, at: int, feared: int) -> float:
    """Return the weight of a build on `at` by a worker on `to`; `feared`: the squares where the foe could win."""
    new = heights[at] + 1
    if feared >> at & 1 or (new == 3 and heights[to] == 2):
        return THREAT_WEIGHT
    return STEP_WEIGHT if new <= 2 and new <= heights[to] + 1 else 1.0


def _wins_of(workers: tuple[int, ...], heights: _Heights) -> int:
    """Return the squares where a side's workers could win."""
    squares = 0
    for square in workers:
        if square >= 0 and heights[square] == 2:
            for to in AROUND[square]:
                if heights[to] == 3:
                    squares |= 1 << to
    return squares


def _uniform_belief(view: View, own: int) -> Belief:
    """Return every pair of free squares, high and central ones first."""
    heights = _heights(view)
    taken = {*view.workers[own], *view.closed}
    free = [at for at in range(25) if heights[at] < 3 and at not in taken]
    weight = {at: HEIGHT_WEIGHT[heights[at]] * CENTRE_WEIGHT[at] for at in free}
    weights = {(first, other): weight[first] * weight[other] for first in free for other in free if first < other}
    whole = sum(weights.values())
    return {pair: pair_weight / whole for pair, pair_weight in weights.items()}


def _without_squares(prior: Belief, squares: set[int]) -> Belief:
    """Return the belief without the pairs that use one of these squares."""
    remaining = {pair: weight for pair, weight in prior.items() if pair[0] not in squares and pair[1] not in squares}
    whole = sum(remaining.values())
    return {pair: weight / whole for pair, weight in remaining.items()}


def _heights(view: View) -> _Heights:
    """Return the blocks on each square, 4 or more with a dome."""
    domes = set(view.domes)
    return tuple([height + 4 if at in domes else height for at, height in enumerate(view.levels)])


def _heights_after(view: View, action: Action, own: int) -> _Heights:
    """Return the heights after an own step that is not cancelled."""
    board = after(simple_board(view), action, own)
    domes = set(view.domes)
    if isinstance(action, Build) and (action.dome or view.levels[action.at] == 3):
        domes.add(action.at)
    levels = [(board.b1 >> at & 1) + (board.b2 >> at & 1) + (board.b3 >> at & 1) for at in range(25)]
    return tuple([height + 4 if at in domes else height for at, height in enumerate(levels)])


def _build_of(old: _Heights, new: _Heights) -> int | None:
    """Return the square of the build if one build explains the difference, else None."""
    changed = [at for at in range(25) if old[at] != new[at]]
    if len(changed) != 1:
        return None
    at = changed[0]
    return at if new[at] == old[at] + 1 or (old[at] == 3 and new[at] == 7) else None
