"""Two-turn search with the full rules, for views that the core does not know.

- It handles gods unknown to the core, three players, teams with gods, and the Ram.
- The view is converted to a position; hidden workers (Hecate) are placed at random, a secret square stays unknown.
- Each way to finish the turn is judged by the greedy bot's evaluation, and the best ones then by the next player's best
  answer, as long as the nodes last.
- If the position does not offer exactly the decision's choices, or a turn is in progress, the greedy bot chooses.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import tanh
from typing import Final

from msgspec.structs import replace

from boardwire.bots.engine import WON, Limits, SearchResult, Stop
from boardwire.bots.greedy import santorini as greedy
from boardwire.bots.greedy.santorini_board import SimpleBoard
from boardwire.errors import BoardwireError
from boardwire.games import santorini
from boardwire.games.game import Below, Decision, Seat
from boardwire.games.santorini import Options, View
from boardwire.games.santorini.actions import Action
from boardwire.games.santorini.board import squares_of
from boardwire.games.santorini.edits import free, with_worker
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.lineup import lineup
from boardwire.games.santorini.position import OFF, Position
from boardwire.games.santorini.turn import settle

WON_VALUE: Final = 1_000_000
"""Evaluation of a won match, on the greedy bot's scale."""
SCALE: Final = 400.0
MAX_OWN_TURNS: Final = 600
"""Most own turns to examine."""
MAX_TURN_STEPS: Final = 7
"""Most steps of a turn."""
MAX_ANSWERS: Final = 60
"""Most answers of the next player to examine."""


class Turn:
    """A way to finish a turn: its steps and the position after them."""

    def __init__(self, steps: tuple[Action, ...], end: Position, worth: int) -> None:
        self.steps = steps
        self.end = end
        self.worth = worth


def think(view: View, decision: Decision[Action], below: Below, limits: Limits, stop: Stop) -> SearchResult:
    """Return the turn that leaves the next player the worst best answer."""
    seat = decision.seats[0]
    start = position_of(view, below) if view.kind is Kind.OPEN and view.acting < 0 and not view.built else None
    if start is None or start.decision is None or set(start.decision.choices) != set(decision.choices):
        return SearchResult((greedy.choose(view, decision, below, limits.nodes),), 0.0, 0, len(decision.choices))
    effort = Effort(limits.nodes, stop)
    own = list(_turns(start, seat, effort, MAX_OWN_TURNS))
    if not own:  # every way led to where another had been: Triton goes round
        return SearchResult((greedy.choose(view, decision, below, limits.nodes),), 0.0, 0, effort.spent)
    for last in range(len(own) - 1, 0, -1):
        other = below(last + 1)
        own[last], own[other] = own[other], own[last]
    own.sort(key=lambda turn: -turn.worth)
    best, chosen, depth = -2 * WON_VALUE, own[0], 1
    for turn in own:
        if turn.worth >= WON_VALUE:
            return SearchResult(turn.steps, WON, 1, effort.spent, (), 1)
        if turn.worth <= best or (effort.is_spent and best > -2 * WON_VALUE):
            break
        worth = min(turn.worth, _answered(turn.end, seat, best, effort))
        if effort.is_spent and best > -2 * WON_VALUE:
            break
        if worth > best:
            best, chosen, depth = worth, turn, 2
    return SearchResult(chosen.steps, max(-0.99, min(0.99, tanh(best / SCALE))), depth, effort.spent)


class Effort:
    """A budget of steps, and the steps spent."""

    def __init__(self, most: int, stop: Stop) -> None:
        self._most = most
        self._stop = stop
        self.spent = 0
        self.is_spent = False

    def spend(self) -> None:
        """Count one step."""
        self.spent += 1
        if self.spent >= self._most or (self.spent & 31 == 0 and self._stop()):
            self.is_spent = True


def _turns(start: Position, seat: Seat, effort: Effort, most: int) -> Iterator[Turn]:
    """Yield the ways to finish the turn of a seat that lead to different positions, within the budget."""
    seen: set[object] = set()
    paths: list[tuple[Position, tuple[Action, ...]]] = [(start, ())]
    found = 0
    while paths and found < most:
        p, steps = paths.pop()
        decision = p.decision
        goes_on = decision is not None and p.ply == start.ply and decision.seats == (seat,)
        if decision is None or not goes_on or len(steps) >= MAX_TURN_STEPS or (effort.is_spent and found):
            found += 1
            yield Turn(steps, p, _worth(p, seat))
            continue
        for action in decision.choices:
            effort.spend()
            after, _ = santorini.apply(p, seat, action)
            here = after.workers, after.b1, after.b2, after.b3, after.domes, after.memos, after.solid, after.turn.stage
            place = (here, after.ply, after.turn.moves > 0, after.turn.note, after.outcome is None)
            if place not in seen:
                seen.add(place)
                paths.append((after, (*steps, action)))
            if effort.is_spent and found:
                break


def _answered(end: Position, seat: Seat, floor: int, effort: Effort) -> int:
    """Return the value for `seat` after the next player's best answer, or `floor` or less once one is that good."""
    decision = end.decision
    if decision is None or len(decision.seats) != 1 or decision.seats[0] < 0:
        return _worth(end, seat)
    foe = decision.seats[0]
    if end.lineup.side(foe) == end.lineup.side(seat):
        return _worth(end, seat)
    worst = 2 * WON_VALUE
    for turn in _turns(end, foe, effort, MAX_ANSWERS):
        worst = min(worst, _worth(turn.end, seat, foe))
        if worst <= floor:
            break
    return worst


def _worth(p: Position, seat: Seat, mover: Seat | None = None) -> int:
    """Return the value of a board for a seat after its own turn, or after that of `mover`."""
    side = p.lineup.side(seat)
    if p.outcome is not None:
        return WON_VALUE if seat in p.outcome.winners else -WON_VALUE if p.outcome.winners else 0
    if p.out >> seat & 1:
        return -WON_VALUE
    men = tuple(tuple(square for square in squares if square >= 0) for squares in p.workers)
    board = SimpleBoard(p.b1, p.b2, p.b3, p.domes | p.solid, men)
    if mover is None or p.lineup.sides > 2:
        return greedy.evaluate(board, side)
    return -greedy.evaluate(board, p.lineup.side(mover))


def position_of(view: View, below: Below) -> Position | None:
    """Return the position at the start of a turn that a view shows, with hidden parts drawn at random; None if
    impossible.
    """
    if view.seat is None or any(god is None for god in view.gods):
        return None
    cards = tuple(god for god in view.gods if god is not None)
    cast = lineup(view.powers, False, cards)
    p = Position(
        Options(), cast, view.workers, view.memos + view.kept, view.order,
        b1=_squares(view, 1), b2=_squares(view, 2), b3=_squares(view, 3), domes=sum(1 << at for at in view.domes),
        solid=sum(1 << at for at in view.closed), seat=view.seat, ply=view.ply, out=sum(1 << at for at in view.out),
        ram=view.ram, lent=view.lent,
    )  # fmt: skip
    p = replace(p, occupied=sum(1 << at for men in view.workers for at in men if at >= 0))
    for side in cast.hidden:
        if all(square == OFF for square in p.workers[side]):
            p = _hidden(p, side, below)
    try:
        for power in cast.powers:
            if power.inward:  # views leave out what follows from the board
                p = power.at_start(p, [])
        return settle(p, [])
    except (BoardwireError, LookupError, AssertionError):
        return None


def _hidden(p: Position, side: int, below: Below) -> Position:
    """Place a side's hidden workers at random."""
    for number in range(len(p.workers[side])):
        open_ = tuple(squares_of(free(p)))
        p = with_worker(p, side, number, open_[below(len(open_))])
    return p


def _squares(view: View, least: int) -> int:
    return sum(1 << square for square, level in enumerate(view.levels) if level >= least)
