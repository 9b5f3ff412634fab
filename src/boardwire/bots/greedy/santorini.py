"""The greedy bot for Santorini: evaluates each step by the board after it.

A move is evaluated together with the best build after it. The evaluation counts height, freedom to move and to climb,
and threats: only a loss is worse than an opponent who can step up to the third level next, and a winning step is always
taken. Of the powers, only those that change how a side wins are taken into account (`wins`).
"""

from __future__ import annotations

from typing import Final

from boardwire.bots.greedy.santorini_board import (
    SimpleBoard,
    after,
    built,
    free_around,
    height,
    meets,
    occupied,
    simple_board,
)
from boardwire.games.game import Below, Decision, Seat
from boardwire.games.santorini import God, View
from boardwire.games.santorini.actions import Action, ChooseStart, Move
from boardwire.games.santorini.board import ALL, NEIGHBOURS, PERIMETER, squares_of

WON: Final = 100_000
_THREAT: Final = 3000
_STUCK: Final = 2000
_CRAMPED: Final = 15
_OWN_THREAT: Final = (0, 60, 140)
_HEIGHT: Final = (0, 24, 60, 40)
_SITES: Final = 9
"""Boards evaluated for one move: after each build around it, and after the move alone."""
_CENTRE: Final = tuple(4 - abs(square // 5 - 2) - abs(square % 5 - 2) for square in range(25))


def choose(view: View, decision: Decision[Action], below: Below, budget: int) -> Action:
    """Return the step that leads to the best board; ties are broken at random."""
    seat = decision.seats[0]
    board, choices = simple_board(view), tuple(decision.choices)
    deep = len(choices) * _SITES <= budget  # for all moves or none, because values of different depths differ
    best: list[Action] = []
    best_worth = -(10**9)
    for action in choices:
        worth = _worth(view, board, seat, action, deep)
        if worth > best_worth:
            best, best_worth = [], worth
        if worth == best_worth:
            best.append(action)
    return best[below(len(best))]


def _worth(view: View, board: SimpleBoard, seat: Seat, action: Action, deep: bool) -> int:
    """Return the value of a step; with `deep`, a move is valued with the best build after it."""
    side = seat % len(view.workers)
    if type(action) is ChooseStart:
        return int(action.seat == seat)  # the first player has an advantage
    if type(action) is not Move:
        return evaluate(after(board, action, side), side)
    if wins(view, board, seat, action):
        return WON
    moved = after(board, action, side)
    sites = free_around(moved, NEIGHBOURS[action.to]) if deep else ()
    return max((evaluate(built(moved, at), side) for at in sites), default=evaluate(moved, side))


def wins(view: View, board: SimpleBoard, seat: Seat, move: Move) -> bool:
    """Return whether a move wins: by a climb to the third level, or by one of the most common powers."""
    side = seat % len(view.workers)
    if move.frm not in board.workers[side]:
        return False
    low, high = height(board, move.frm), height(board, move.to)
    if meets(board, side, move.frm, move.to) or (low - high >= 2 and view.powers[seat : seat + 1] == (God.PAN,)):
        return True
    if high < 3 or low == 3:
        return False
    foes = (god for other, god in enumerate(view.powers) if other % len(view.workers) != side)
    return God.HERA not in foes or not PERIMETER >> move.to & 1


def evaluate(s: SimpleBoard, side: int) -> int:
    """Return the value of a board for a side that has just finished its turn."""
    open_to_all = ALL & ~s.closed & ~occupied(s)
    value = 0
    for team, squares in enumerate(s.workers):
        heights, moves, threats = _rate_workers(s, squares, open_to_all)
        if team == s.lovers[0]:
            threats += _trysts(s, team, open_to_all)
        if team == side:
            value += heights + _OWN_THREAT[min(threats, 2)]
            value -= _CRAMPED * max(0, 5 - moves)
            value -= 0 if moves or not squares else _STUCK
        else:
            value -= heights + _THREAT * threats
            value += 0 if moves or not squares else _STUCK
    return value


def _trysts(s: SimpleBoard, side: int, open_to_all: int) -> int:
    """Return the number of moves with which two workers of a side meet and so win (Eros)."""
    return sum(
        meets(s, side, square, to) and height(s, to) - height(s, square) < 2
        for square in s.workers[side]
        for to in squares_of(NEIGHBOURS[square] & open_to_all)
    )


def _rate_workers(s: SimpleBoard, squares: tuple[int, ...], open_to_all: int) -> tuple[int, int, int]:
    """Return the value of a side's workers, the number of their moves, and how many of these win."""
    worth = moves = threats = 0
    for square in squares:
        reach = NEIGHBOURS[square] & open_to_all
        if s.b3 >> square & 1:
            level = 3
        elif s.b2 >> square & 1:
            level = 2
            threats += (reach & s.b3).bit_count()
            worth += 12 * (reach & s.b2).bit_count()
        elif s.b1 >> square & 1:
            level = 1
            reach &= ~s.b3
            worth += 6 * (reach & s.b2).bit_count()
        else:
            level = 0
            reach &= ~s.b2
            worth += 3 * (reach & s.b1).bit_count()
        here = reach.bit_count()
        moves += here
        worth += _HEIGHT[level] + here + 2 * _CENTRE[square]
    return worth, moves, threats
