"""The Santorini engine: searches whole turns and plays them step by step.

- The core searches views that it supports completely (`views.readable`); for other views, `rules_search` searches with
  the full rules. `opening` chooses gods, starting player and placement.
- A turn is searched when it begins. Its later steps are cached by the board on which they are played. If another
  program has played the first steps, the engine searches from the middle of the turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import tanh
from typing import Final

from msgspec.structs import replace

from boardwire.bots.engine import WON, Past, SearchLimits, SearchResult, Stop
from boardwire.bots.greedy.santorini_board import SimpleBoard, after, simple_board
from boardwire.bots.santorini import native, opening, rules_search
from boardwire.bots.santorini.core import COMPILED
from boardwire.bots.santorini.core.search import MAX_PLIES, PROVED, WIN, Search
from boardwire.bots.santorini.core.state import State
from boardwire.bots.santorini.core.tables import (
    APHRODITE,
    ASTERIA,
    HERMES,
    MORPHEUS,
    MORTAL,
    OFF,
    PERSEPHONE,
    TRITON,
)
from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.native import NativeSearch
from boardwire.bots.santorini.views import action_of, is_supported, powers_of, state_of, step_of
from boardwire.bots.santorini.weights import net
from boardwire.games.game import Below, Decision
from boardwire.games.santorini import God, View
from boardwire.games.santorini.actions import Action, Move, Swap
from boardwire.games.santorini.kinds import Kind

MAX_PLANS: Final = 64
"""Maximum number of turns in progress whose later steps are cached."""
SCALE: Final = 300.0
"""Evaluation that is reported as a value of about 0.76."""
NEAR_WIN: Final = 0.99
"""Value of a win that is practically certain but not proved."""
MAX_LINE_TURNS: Final = 6
"""Maximum number of turns of the expected continuation."""
MAX_TABLE_BITS: Final = 18 if COMPILED else 15
"""Binary logarithm of the largest table: 20 MB compiled, where a second's search fills it."""
MAX_NATIVE_TABLE_BITS: Final = 20
"""The same for the search in C: 24 MB."""
DEMANDING: Final = (APHRODITE, PERSEPHONE)
"""Powers whose foes must meet a demand by the end of their turn."""
WALKERS: Final = (HERMES, TRITON)
"""Powers with any number of moves in a turn."""
STAGES: Final = {Kind.OPEN: 0, Kind.GO_ON: 1, Kind.BUILD_MORE: 2, Kind.CLOSE: 3}


class SantoriniEngine:
    """Search engine for Santorini."""

    name = "search"

    def __init__(self) -> None:
        self._search: Search | None = None
        self._native: NativeSearch | None = None
        self._bits = [0, 0]
        self._plans: dict[object, SearchResult] = {}

    def think(
        self, view: View, decision: Decision[Action], below: Below, limits: SearchLimits, stop: Stop, past: Past = ()
    ) -> SearchResult:
        """Return the best turn found."""
        choices = tuple(decision.choices)
        planned = self._plans.pop(_plan_key(view, simple_board(view), limits), None)
        if planned is not None and planned.turn[0] in choices:
            return self._cache_rest(view, limits, planned)
        if len(choices) == 1 and (decision.kind is not Kind.OPEN or is_supported(view)):
            return SearchResult(choices, 0.0, 0, 0)
        if decision.kind not in STAGES:
            return opening.think(view, decision, below)
        if not is_supported(view):
            return rules_search.think(view, decision, below, limits, stop, past)
        result = self._search_turns(view, choices, below, limits, stop)
        if result is None:
            return rules_search.think(view, decision, below, limits, stop, past)
        return self._cache_rest(view, limits, result)

    def _cache_rest(self, view: View, limits: SearchLimits, result: SearchResult) -> SearchResult:
        """Cache the later steps of a turn by the board after its first step."""
        if len(result.turn) > 1:
            while len(self._plans) >= MAX_PLANS:
                del self._plans[next(iter(self._plans))]
            seat = view.turn or 0
            board = after(simple_board(view), _simplify_step(view, result.turn[0]), seat % 2)
            self._plans[_plan_key(view, board, limits)] = replace(result, turn=result.turn[1:], nodes=0)
        return result

    def _search_turns(
        self, view: View, choices: tuple[Action, ...], below: Below, limits: SearchLimits, stop: Stop
    ) -> SearchResult | None:
        """Return the core's result, or None if the choices and the core's first steps overlap only in part."""
        powers = powers_of(view)
        turns = Turns(*powers)
        turns.note_steps = True
        roots = _turn_ends(turns, view, choices)
        steps = turns.steps[: len(roots)]  # turns that Persephone forbids come last
        offered = set(choices)
        firsts = {action_of(turn_steps[0]) for turn_steps in steps}
        side = (view.turn or 0) % 2
        own, foe = powers[side], powers[1 - side]
        is_turn_begun = view.kind is Kind.GO_ON
        if is_turn_begun and own in WALKERS and foe in DEMANDING:
            # a view does not show whether the demand is met: only a step that ends the turn surely meets it
            offered &= {action_of(turn_steps[0]) for turn_steps in steps if len(turn_steps) == 1}
        if not steps or not offered or not (firsts <= offered or offered <= firsts):
            return None
        if not firsts <= offered:  # the caller has omitted some choices: search the others
            indices = [n for n, turn_steps in enumerate(steps) if action_of(turn_steps[0]) in offered]
            roots, steps = [roots[n] for n in indices], [steps[n] for n in indices]
        search = self._core(limits.nodes, *powers, roots[0])
        order = _random_order(len(roots), below)
        values: list[int] = []
        best = search.think([roots[n] for n in order], limits.nodes, limits.depth or MAX_PLIES, stop, values)
        root, value = order[best], values[best]
        turn = tuple(action_of(step) for step in steps[root])
        line = tuple(_expected_line(search, turns, roots[root]))
        proved = _proof(value)
        if proved and ((is_turn_begun and _omits_ends(own, proved)) or _omits_builds(own, foe, proved)):
            return SearchResult(turn, NEAR_WIN if proved > 0 else -NEAR_WIN, search.depth, search.nodes, line)
        return SearchResult(turn, _scale(value), search.depth, search.nodes, line, proved)

    def _core(self, nodes: int, first_power: int, second_power: int, root: State) -> Search | NativeSearch:
        """Return the search for two powers, with a table large enough for this number of nodes."""
        bits = max(nodes, 1).bit_length()
        if (
            native.AVAILABLE
            and first_power == second_power == MORTAL
            and OFF not in (root.w0, root.w1, root.w2, root.w3)
        ):
            bits = min(bits, MAX_NATIVE_TABLE_BITS)
            if self._native is None or self._bits[1] < bits:
                self._native, self._bits[1] = NativeSearch(bits), bits
                self._native.net = net()
            return self._native
        bits = min(bits, MAX_TABLE_BITS)
        if self._search is None or self._bits[0] < bits:
            self._search, self._bits[0] = Search(bits), bits
            self._search.net = net()
        self._search.use(first_power, second_power)
        return self._search


def _expected_line(search: Search | NativeSearch, turns: Turns, here: State) -> Iterator[Action]:
    """Yield the expected continuation, step by step, from the search's table."""
    for _ in range(MAX_LINE_TURNS):
        code = -1 if here.won else search.expected(here)
        pool: list[State] = []
        count = turns.all(here, pool) if code >= 0 else 0
        number = next((n for n in range(count) if pool[n].code == code), None)
        if number is None:
            return
        yield from map(action_of, turns.steps[number])
        here = pool[number]


def _turn_ends(turns: Turns, view: View, choices: tuple[Action, ...]) -> list[State]:
    """Return the states after each possible rest of the current turn; the steps to them are in `turns.steps`."""
    seat = view.turn or 0
    here, pool = state_of(view, seat), list[State]()
    stage = STAGES[view.kind or Kind.OPEN]
    if stage == 0 and view.acting < 0 and not view.built:
        return pool[: turns.all(here, pool)]
    worker = (0 if here.w0 == view.acting else 1) if view.acting >= 0 else -1
    steps = [step for step in map(step_of, choices) if step >= 0]
    turns.begin(here, pool)
    turns.go_on(stage, worker, steps, view.built[-1] if view.built else -1, len(view.built))
    return pool[: turns.end()]


def _random_order(count: int, below: Below) -> list[int]:
    """Return the numbers below `count` in random order, so that ties are broken at random."""
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        other = below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def _scale(value: int) -> float:
    """Convert an evaluation to a value from -1 to 1."""
    return WON if value > PROVED else -WON if value < -PROVED else tanh(value / SCALE)


def _proof(value: int) -> int:
    """Return the number of turns to a proved win (positive) or loss (negative), or 0."""
    if value > PROVED:
        return (WIN - value + 1) // 2
    return -((WIN + value + 1) // 2) if value < -PROVED else 0


def _omits_builds(own: int, foe: int, proved: int) -> bool:
    """Return whether a proof omitted turns of the loser: Morpheus may build more often than the search considers."""
    return (own if proved < 0 else foe) == MORPHEUS and proved != 1


def _omits_ends(own: int, proved: int) -> bool:
    """Return whether a proof in the middle of a turn omitted possible ends of it.

    Hermes and Triton may walk further, and Asteria may place a dome if she has moved down, which a view does not show.
    """
    return own == ASTERIA or (proved < 0 and own in WALKERS)


def _simplify_step(view: View, action: Action) -> Action:
    """Convert a step for the simplified board, which does not support Apollo's swaps."""
    if isinstance(action, Move) and view.powers[view.turn or 0] is God.APOLLO:
        return Swap(action.frm, action.to) if any(action.to in workers for workers in view.workers) else action
    return action


def _plan_key(view: View, board: SimpleBoard, limits: SearchLimits) -> object:
    """Return the cache key of the later steps of a turn."""
    return board, view.turn, view.ply, view.powers, limits
