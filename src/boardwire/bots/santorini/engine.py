"""The Santorini engine: it searches whole turns in the core, and says the best one step by step.

Where the core knows everything in a view (`sight.readable`) the search is exact as far as it goes.  Anything else is
for `shallow`, which looks less far, with the rules themselves; gods, start and places are for `opening`.

A turn is thought out when it begins.  Its later steps are remembered by the board they are taken on, so that they need
no second thought; if somebody else took the first ones, the engine thinks again from the middle of the turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import tanh
from typing import Final

from msgspec.structs import replace

from boardwire.bots.engine import WON, Limits, Stop, Thought
from boardwire.bots.greedy.santorini_board import Sketch, after, sketch
from boardwire.bots.santorini import opening, shallow
from boardwire.bots.santorini.core import COMPILED
from boardwire.bots.santorini.core.search import MAX_PLIES, PROVED, WIN, Search
from boardwire.bots.santorini.core.state import State
from boardwire.bots.santorini.core.tables import MORPHEUS
from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.views import action_of, powers_of, readable, state_of, step_of
from boardwire.bots.santorini.weights import net
from boardwire.games.game import Below, Decision
from boardwire.games.santorini import God, View
from boardwire.games.santorini.actions import Action, Move, Swap
from boardwire.games.santorini.kinds import Kind

PLANS: Final = 64
"""Turns under way that an engine remembers the rest of."""
SCALE: Final = 300.0
"""The judgement that is worth about three quarters of a win."""
UNSURE: Final = 0.99
"""What a win is worth that is as good as proved."""
LONGEST_LINE: Final = 6
"""Turns of the expected line."""
LARGEST_TABLE: Final = 18 if COMPILED else 15
"""The search's table has two to this power places at most: 20 MB compiled, where it fills them within a second."""
STAGES: Final = {Kind.OPEN: 0, Kind.GO_ON: 1, Kind.BUILD_MORE: 2, Kind.CLOSE: 3}


class SantoriniEngine:
    """Plays Santorini by searching."""

    name = "search"

    def __init__(self) -> None:
        self._search: Search | None = None
        self._size = 0
        self._plans: dict[object, Thought] = {}

    def think(self, view: View, decision: Decision[Action], below: Below, limits: Limits, stop: Stop) -> Thought:
        """The best turn that it finds."""
        choices = tuple(decision.choices)
        planned = self._plans.pop(_place(view, sketch(view), limits), None)
        if planned is not None and planned.turn[0] in choices:
            return self._plan(view, limits, planned)
        if len(choices) == 1:
            return Thought(choices, 0.0, 0, 0)
        if decision.kind not in STAGES:
            return opening.think(view, decision, below)
        if not readable(view):
            return shallow.think(view, decision, below, limits, stop)
        thought = self._searched(view, choices, below, limits, stop)
        if thought is None:
            return shallow.think(view, decision, below, limits, stop)
        return self._plan(view, limits, thought)

    def _plan(self, view: View, limits: Limits, thought: Thought) -> Thought:
        """Remember the rest of a turn, by the board after its first step."""
        if len(thought.turn) > 1:
            while len(self._plans) >= PLANS:
                del self._plans[next(iter(self._plans))]
            seat = view.seat or 0
            board = after(sketch(view), _shown(view, thought.turn[0]), seat % 2)
            self._plans[_place(view, board, limits)] = replace(thought, turn=thought.turn[1:], nodes=0)
        return thought

    def _searched(
        self, view: View, choices: tuple[Action, ...], below: Below, limits: Limits, stop: Stop
    ) -> Thought | None:
        """What the core finds; None if it sees other choices than there are."""
        search = self._core(limits.nodes)
        search.use(*powers_of(view))
        turns = Turns(*powers_of(view))
        turns.note_steps = True
        roots = _ways(turns, view, choices)
        steps = turns.steps
        if not steps or not {action_of(way[0]) for way in steps} <= set(choices):
            return None
        order = _shuffled(len(roots), below)
        known: list[int] = []
        best = search.think([roots[n] for n in order], limits.nodes, limits.depth or MAX_PLIES, stop, known)
        chosen, value = order[best], known[best]
        turn = tuple(action_of(step) for step in steps[chosen])
        line = tuple(_expected(search, turns, roots[chosen]))
        side = (view.seat or 0) % 2
        proved = _proof(value)
        if proved and _is_short_of(turns.powers[side], turns.powers[1 - side], proved):
            return Thought(turn, UNSURE if proved > 0 else -UNSURE, search.depth, search.nodes, line)
        return Thought(turn, _share(value), search.depth, search.nodes, line, proved)

    def _core(self, nodes: int) -> Search:
        """The search, with a table large enough for so many nodes."""
        size = min(max(nodes, 1).bit_length(), LARGEST_TABLE)
        if self._search is None or self._size < size:
            self._search, self._size = Search(size), size
            self._search.net = net()
        return self._search


def _expected(search: Search, turns: Turns, here: State) -> Iterator[Action]:
    """How the table of the search says that play goes on, step by step."""
    for _ in range(LONGEST_LINE):
        code = -1 if here.won else search.expected(here)
        pool: list[State] = []
        count = turns.all(here, pool) if code >= 0 else 0
        found = next((n for n in range(count) if pool[n].code == code), None)
        if found is None:
            return
        yield from map(action_of, turns.steps[found])
        here = pool[found]


def _ways(turns: Turns, view: View, choices: tuple[Action, ...]) -> list[State]:
    """What the ways to finish the running turn lead to; their steps are in `turns.steps`."""
    seat = view.seat or 0
    here, pool = state_of(view, seat), list[State]()
    stage = STAGES[view.kind or Kind.OPEN]
    if stage == 0 and view.acting < 0 and not view.built:
        return pool[: turns.all(here, pool)]
    worker = (0 if here.w0 == view.acting else 1) if view.acting >= 0 else -1
    steps = [step for step in map(step_of, choices) if step >= 0]
    turns.begin(here, pool)
    turns.go_on(stage, worker, steps, view.built[-1] if view.built else -1, len(view.built))
    return pool[: turns.end()]


def _shuffled(count: int, below: Below) -> list[int]:
    """The first numbers in an order of luck's, so that luck decides between equals."""
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        other = below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def _share(value: int) -> float:
    """A judgement as a share of a win, from -1 to 1."""
    return WON if value > PROVED else -WON if value < -PROVED else tanh(value / SCALE)


def _proof(value: int) -> int:
    """The turns to a proved end: the winner's own."""
    if value > PROVED:
        return (WIN - value + 1) // 2
    return -((WIN + value + 1) // 2) if value < -PROVED else 0


def _is_short_of(own: int, foe: int, proved: int) -> bool:
    """Whether a proof left turns of the loser out: Morpheus may build more often than the search looks at."""
    return (own if proved < 0 else foe) == MORPHEUS and proved != 1


def _shown(view: View, action: Action) -> Action:
    """A step as the sketch of a board understands it, which does not know who changes places."""
    if isinstance(action, Move) and view.powers[view.seat or 0] is God.APOLLO:
        return Swap(action.frm, action.to) if any(action.to in men for men in view.workers) else action
    return action


def _place(view: View, board: Sketch, limits: Limits) -> object:
    """By what the rest of a turn is found again."""
    return board, view.seat, view.ply, view.powers, limits
