"""Counts of lines of whole turns, to compare rules engines [7].

- `perft` counts lines of exactly `depth` turns. `states` counts each distinct position after a turn once per node;
  `actions` counts sequences of steps (None if a power makes them endless).
- `wins` counts last turns that win for the side to move; `stuck` counts nodes at the last ply whose player has no legal
  turn and so has lost: they add nothing to the other counts.
- Positions are equal if heights (any dome is a dome), the squares of each side's workers (and their identities, if a
  power distinguishes them), the player to move, the memos and the winner are equal.
- A turn includes automatic effects at its end, replies of others and draws of chance; an additional turn is a turn.
"""

from __future__ import annotations

from collections import deque

import msgspec
from msgspec.structs import replace

from boardwire.games.santorini.actions import Action, Actions
from boardwire.games.santorini.events import Termination
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.lineup import Rules
from boardwire.games.santorini.lookahead import choices
from boardwire.games.santorini.position import END, Position
from boardwire.games.santorini.setup import answer
from boardwire.games.santorini.step import attempt, flow
from boardwire.games.santorini.turn import finish, settle


class Count(msgspec.Struct, frozen=True):
    """The counts; `actions` and `wins_actions` are None if sequences of steps are endless."""

    states: int = 0
    actions: int | None = 0
    wins_states: int = 0
    wins_actions: int | None = 0
    stuck: int = msgspec.field(default=0, name="stuck_leaves")


class Turns:
    """The distinct positions after a turn, with the number of step sequences that lead to each."""

    def __init__(self, p: Position) -> None:
        self.ends: dict[object, tuple[Position, int]] = {}
        if p.decision is None:
            return
        if endless(p):
            self._visit_walk(p, tuple(p.decision.choices))
        else:
            self._visit(p, tuple(p.decision.choices))

    def _visit(self, p: Position, steps: Actions) -> None:
        """Find the ends of a turn, depth first."""
        for action in steps:
            q = self._step(p, action)
            if q is not None:
                self._visit(q, choices(q) if q.setup is None else _placement_choices(q))

    def _visit_walk(self, p: Position, steps: Actions) -> None:
        """Find the ends of an endless walk, breadth first, visiting each place once."""
        seen: set[object] = set()
        places = deque([(p, steps)])
        while places:
            p, steps = places.popleft()
            for action in steps:
                q = self._step(p, action)
                if q is None:
                    continue
                here = _key(q), q.workers, replace(q.turn, moves=0, came=-1, start=-1)
                if here not in seen:
                    seen.add(here)
                    places.append((q, choices(q)))

    def _step(self, p: Position, action: Action) -> Position | None:
        """Return the position after a step, or None if it ends the turn."""
        if p.setup is not None:
            return self._place(p, action)
        q = flow(attempt(p, action, []))
        if q.outcome is None and not q.turn.asks and q.turn.stage == END and q.lineup.rules[q.seat].ends:
            q = finish(q, [])
        if q.outcome is None and (q.turn.asks or q.turn.stage < END):
            return q
        self._count_end(q)
        return None

    def _place(self, p: Position, action: Action) -> Position | None:
        """Return the position after a placement, or None if it ends the turn: placing a side's workers is a turn."""
        assert p.decision is not None
        q = answer(p, p.decision.seats[0], action, [])
        asked = q.decision if q.setup is not None else None
        if asked is not None and (asked.kind != Kind.PLACE_WORKER or asked.seats == p.decision.seats):
            return q
        self._count_end(q)
        return None

    def _count_end(self, q: Position) -> None:
        """Count one more path to an end of the turn."""
        key = _key(q)
        _, times = self.ends.get(key, (q, 0))
        self.ends[key] = q, times + 1


def endless(p: Position) -> bool:
    """Return whether the step sequences of the next turn have no maximum length."""
    return p.setup is None and _is_endless_walk(p, p.lineup.rules[p.seat])


def _is_endless_walk(p: Position, rules: Rules) -> bool:
    return rules.endless and not (rules.own.once and rules.own.memo(p))  # a power that is spent has no effect


def _placement_choices(p: Position) -> Actions:
    return tuple(p.decision.choices) if p.decision is not None else ()


def _settled_end(end: Position) -> Position:
    return end if end.setup is not None else settle(end, [])


def _key(p: Position) -> object:
    domes = p.domes
    marked = p.lineup.marked
    workers = tuple(squares if side in marked else tuple(sorted(squares)) for side, squares in enumerate(p.workers))
    inward = p.lineup.inward  # memos of how a turn began, which do not matter after its end
    memos = tuple(() if slot in inward else memo for slot, memo in enumerate(p.memos)) if inward else p.memos
    return workers, p.b1 | domes, p.b2 | domes, p.b3 | domes, domes, memos, p.solid, p.owed, p.outcome


def perft(p: Position, depth: int) -> Count:
    """Count the lines of `depth` turns from a position."""
    countable = not any(_is_endless_walk(p, rules) for rules in p.lineup.rules)
    states, actions, wins, wins_actions, stuck = _count_nodes(p, depth)
    return Count(states, actions if countable else None, wins, wins_actions if countable else None, stuck)


def divide(p: Position, depth: int) -> dict[Position, int]:
    """Return the number of states below each distinct position after the first turn."""
    ends = [_settled_end(end) for end, _ in Turns(p).ends.values()]
    return {end: _count_nodes(end, depth - 1)[0] if depth > 1 else 1 for end in ends}


def _count_nodes(p: Position, depth: int) -> tuple[int, int, int, int, int]:
    """Return states, actions, wins, winning actions and stuck nodes for `depth` turns."""
    if depth == 0:
        return 1, 1, 0, 0, 0
    ends = Turns(p).ends.values()
    if depth == 1:
        if not ends:
            return 0, 0, 0, 0, int(p.outcome is not None and p.outcome.termination == Termination.STUCK)
        won = [times for end, times in ends if end.outcome is not None and p.seat in end.outcome.winners]
        return len(ends), sum(times for _, times in ends), len(won), sum(won), 0
    states = actions = wins = wins_actions = stuck = 0
    for end, times in ends:
        if end.outcome is None:
            below = _count_nodes(_settled_end(end), depth - 1)
            states += below[0]
            actions += times * below[1]
            wins += below[2]
            wins_actions += times * below[3]
            stuck += below[4]
    return states, actions, wins, wins_actions, stuck
