"""The search: iterative deepening, negamax with aspiration windows, a transposition table and proofs.

- A **value** is in hundredths of a step for the side to move. `WIN - n` is a proved win within n turns of both sides;
  such a value is exact, because nothing that could refute it is pruned.
- If the foe threatens to win next, only replies that prevent it are searched, and they cost no depth.
- Move order: the table's turn, killers, climbs, and turns that refuted other states; late turns are first searched less
  deeply.
- Near the leaves, a state without threats whose evaluation exceeds the window by far is not searched (`SURPLUS`). Its
  value is never a proof.
- A leaf is evaluated only if neither side can win at once.
- Without powers and from a symmetric root (`symmetry`), symmetric states share one table entry.
- Table entries of earlier searches are ignored, so that the same state, limits and seed always give the same result.

It has no clock: `stop` is called every few hundred nodes.

`mortal.c` is the same search without powers in C, with the same results at the same number of nodes; change both.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import TYPE_CHECKING, Final

from boardwire.bots.santorini.core.evaluation import GONE, worth
from boardwire.bots.santorini.core.net import Net
from boardwire.bots.santorini.core.state import State, copy_state, key
from boardwire.bots.santorini.core.symmetry import symmetries_of, transform
from boardwire.bots.santorini.core.tables import HIPPOLYTA, MORTAL, OFF, SELENE
from boardwire.bots.santorini.core.turns import Turns, mortal_stuck, mortal_turns, mortal_wins, threats

if TYPE_CHECKING:
    from mypy_extensions import i64

WIN: Final = 30000
PROVED: Final = 29000
"""Values beyond this are proved wins or losses."""
UNSETTLED: Final = 32000
"""Not a value: the turns of the state must be searched."""
MAX_PLIES: Final = 60
"""Longest line, in turns of both sides."""
TABLE_BITS: Final = 18
"""Binary logarithm of the number of table entries."""
CLOCK_CHECK_MASK: Final = 63
"""`stop` is called when the node count has none of these bits: interpreted, 64 nodes take about 4 ms."""
STOP_CHECK_MASK: Final = 255
"""The limit of nodes is checked when the node count has none of these bits."""
THREAT: Final = 150
"""Cost of an immediate threat of the foe at a leaf with powers."""
SURPLUS: Final = 25
"""Excess over the window, for each turn of depth left, that makes a state not worth searching."""
SURPLUS_DEPTH: Final = 6
"""Greatest depth at which this is assumed."""
HISTORY_LIMIT_BITS: Final = 12
"""Binary logarithm of the limit that the score of a turn approaches."""
MAX_BONUS: Final = 1600
"""Largest change of a score."""
KILLER_RANK: Final = 500
REDUCTION_TURNS: Final = 136
"""Turns of a state for which there is a reduction; there are at most 128 without powers."""
REDUCTION_DEPTHS: Final = 64


def _reductions() -> list[i64]:
    """Return the depth by which late turns are first searched less, at `depth * REDUCTION_TURNS + number`."""
    return [
        int(0.5 + log(depth) * log(number) / 2.25) if depth > 2 and number > 1 else 0
        for depth in range(REDUCTION_DEPTHS)
        for number in range(REDUCTION_TURNS)
    ]


REDUCTIONS: Final[list[i64]] = _reductions()
EXACT: Final = 0
AT_LEAST: Final = 1
AT_MOST: Final = 2


class Entry:
    """A table entry."""

    key: i64
    age: i64
    depth: i64
    value: i64
    bound: i64
    code: i64
    symmetry: i64
    """Symmetry by which the board was transformed when it was stored; `code` is only valid for the same one."""

    def __init__(self) -> None:
        self.key = 0
        self.age = 0
        self.depth = 0
        self.value = 0
        self.bound = 0
        self.code = 0
        self.symmetry = 0


def _to_front(order: list[i64], at: i64) -> None:
    """Move an element to the front."""
    chosen: i64 = order[at]
    while at > 0:
        order[at] = order[at - 1]
        at -= 1
    order[0] = chosen


class Search:
    """A reusable search."""

    mortal: bool
    twins: bool
    """Whether symmetric states share table entries."""
    net: Net | None
    nodes: i64
    depth: i64
    turns: Turns
    _marked: bool
    _table: list[Entry]
    _mask: i64
    _age: i64
    _pools: list[list[State]]
    _history: list[i64]
    _killers: list[i64]
    _limit: i64
    _stop: Callable[[], bool]
    _stopped: bool
    _flipped: State
    _symmetries: list[i64]
    _symmetry: i64
    _twin: State

    def __init__(self, table: i64 = TABLE_BITS) -> None:
        self.mortal = True
        self.twins = True
        self.net = None
        self.nodes = 0
        self.depth = 0
        self.turns = Turns(MORTAL, MORTAL)
        self.turns.longest = 2
        self._marked = False
        self._table = [Entry() for _ in range(1 << table)]
        self._mask = (1 << table) - 1
        self._age = 0
        self._pools = [[] for _ in range(MAX_PLIES + 4)]
        self._history = [0] * 65536
        self._killers = [0] * (2 * MAX_PLIES + 8)
        self._limit = 0
        self._stop = _never
        self._stopped = False
        self._flipped = State()
        self._symmetries = []
        self._symmetry = 0
        self._twin = State()

    def use(self, one: i64, other: i64) -> None:
        """Set the powers: side 0 has `one`, side 1 `other`."""
        self.mortal = one == MORTAL and other == MORTAL
        self.turns.powers = [one, other]
        self._marked = one == SELENE or other == SELENE or one == HIPPOLYTA or other == HIPPOLYTA

    def think(self, roots: list[State], nodes: i64, depth: i64, stop: Callable[[], bool], known: list[i64]) -> i64:
        """Return the index of the best of `roots`, the states after the turns to choose from; of equals the first.

        `known` gets the value of each searched root for the side that chooses.
        """
        self.nodes = 0
        self.depth = 0
        self._age += 1
        self._limit = nodes
        self._stop = stop
        self._stopped = False
        for n in range(65536):
            self._history[n] = 0
        for n in range(2 * MAX_PLIES + 8):
            self._killers[n] = 0
        self._symmetries = symmetries_of(roots) if self.mortal and self.twins else []
        order: list[i64] = []
        size: i64 = len(roots)
        n2: i64 = 0
        while n2 < size:
            order.append(n2)
            known.append(0)
            n2 += 1
        value: i64 = 0
        target: i64 = 1
        while target <= depth:
            window: i64 = 35 if target > 3 else WIN + 1
            low: i64 = value - window
            high: i64 = value + window
            while True:
                found: i64 = self._search_roots(roots, order, known, target, low, high)
                if self._stopped:
                    break
                if found <= low and low > -WIN:
                    window *= 4
                    low = found - window
                elif found >= high and high < WIN:
                    window *= 4
                    high = found + window
                else:
                    value = found
                    break
            if self._stopped:
                break
            self.depth = target
            if value > PROVED or value < -PROVED or size == 1:
                break
            target += 1
        return order[0]

    def _search_roots(
        self, roots: list[State], order: list[i64], known: list[i64], depth: i64, low: i64, high: i64
    ) -> i64:
        """Search the roots once; the best moves to the front of `order`."""
        alpha: i64 = low
        best: i64 = -WIN - 1
        n: i64 = 0
        size: i64 = len(order)
        while n < size:
            chosen: i64 = order[n]
            s = roots[chosen]
            value: i64 = 0
            if s.won:
                value = s.won * (WIN - 1)
            elif n == 0 or alpha <= -WIN:
                value = -self._search(None, s, depth - 1, -high, -alpha, 1)
            else:
                value = -self._search(None, s, depth - 1, -alpha - 1, -alpha, 1)
                if value > alpha and not self._stopped:
                    value = -self._search(None, s, depth - 1, -high, -alpha, 1)
            if self._stopped:
                if -WIN <= best < -PROVED:  # what was tried is lost, but the rest may not be
                    while n < size and known[order[n]] < -PROVED:
                        n += 1
                    if n < size:
                        _to_front(order, n)
                return best
            if n == 0 or value > alpha or value < known[chosen]:
                known[chosen] = value
            if value > best:
                best = value
                if value > alpha or n == 0:
                    _to_front(order, n)
            if value > alpha:
                alpha = value
                if alpha >= high:
                    break
            n += 1
        return best

    def expected(self, s: State) -> i64:
        """Return the code of the table's best turn in a state, or -1."""
        key: i64 = self._key(s)
        entry = self._table[(key ^ key >> 31) & self._mask]
        if entry.key != key or entry.age != self._age or entry.bound == AT_MOST or entry.symmetry != self._symmetry:
            return -1
        return entry.code

    def _key(self, s: State) -> i64:
        """Return the table key of a state and set `_symmetry` to the symmetry it was transformed by."""
        mark: i64 = key(s)
        self._symmetry = 0
        if self._marked:
            mark ^= (s.w1 * 32 + s.w3) << 40
        for symmetry in self._symmetries:
            transform(s, symmetry, self._twin)
            other: i64 = key(self._twin)
            if other < mark:
                mark = other
                self._symmetry = symmetry
        return mark

    def _search(self, before: State | None, s: State, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """Return the value of a state for its side to move (alpha-beta); 0 if the search was stopped."""
        self.nodes += 1
        if self.nodes & CLOCK_CHECK_MASK == 0 and (
            (self.nodes & STOP_CHECK_MASK == 0 and self.nodes >= self._limit) or self._stop()
        ):
            self._stopped = True
        if self._stopped:
            return 0
        must: i64 = 0
        if self.mortal:
            if mortal_wins(s):
                return WIN - ply - 1
            must = threats(s)
            settled: i64 = self._settled_value(before, s, must, depth, ply)
            if settled != UNSETTLED:
                return settled
        elif depth <= 0:
            return self._evaluate_leaf(s, alpha, beta, ply)
        if ply >= MAX_PLIES:
            return worth(s)
        mark: i64 = self._key(s)
        symmetry: i64 = self._symmetry
        entry = self._table[(mark ^ mark >> 31) & self._mask]
        first: i64 = -1
        if entry.key == mark and entry.age == self._age:
            if entry.symmetry == symmetry:
                first = entry.code
            if entry.depth >= depth or entry.value > PROVED or entry.value < -PROVED:
                seen: i64 = _usable_value(entry, alpha, beta, ply)
                if seen != UNSETTLED:
                    return seen
        value: i64 = self._evaluate(before, s, ply) if self.mortal else self._evaluate_powers(s)
        if (
            must == 0
            and beta - alpha == 1
            and -PROVED < beta < PROVED
            and depth <= SURPLUS_DEPTH
            and value - SURPLUS * depth >= beta
            and (self.mortal or not self._foe_wins(s))
        ):
            return value
        pool = self._pools[ply]
        n: i64 = mortal_turns(s, pool, must, True) if self.mortal else self.turns.all(s, pool)
        if n == 0:
            # Without powers only turns that stop the threats were generated: the side may have others, and lose later.
            return -(WIN - ply - 2) if self.mortal and not mortal_stuck(s) else -(WIN - ply)
        return self._search_turns(
            s, pool, n, depth if must == 0 else depth + 1, alpha, beta, ply, mark, symmetry, first
        )

    def _settled_value(self, before: State | None, s: State, must: i64, depth: i64, ply: i64) -> i64:
        """Return the value of a state without powers if its turns need no search, otherwise `UNSETTLED`.

        `must` is the mask of squares where the foe threatens to win.
        """
        if must & (must - 1) and (s.b3 >> s.w0 & 1) == 0 and (s.b3 >> s.w1 & 1) == 0:  # two threats, one build
            return -(WIN - ply - 2) if not mortal_stuck(s) else -(WIN - ply)
        if depth <= 0 and must == 0:
            return -(WIN - ply) if mortal_stuck(s) else self._evaluate(before, s, ply)
        return UNSETTLED

    def _search_turns(
        self, s: State, pool: list[State], n: i64, depth: i64, alpha: i64, beta: i64, ply: i64,
        mark: i64, symmetry: i64, first: i64,
    ) -> i64:  # fmt: skip
        """Search the `n` turns of a state, the most promising first."""
        if self._rank_turns(s, pool, n, ply, first):
            return WIN - ply - 1
        best: i64 = -WIN - 1
        chosen: i64 = 0
        start: i64 = alpha
        k: i64 = 0
        while k < n:
            t = _select_turn(pool, k, n)
            value: i64 = -(WIN - ply - 1)
            if not t.won:
                value = self._search_reply(s, t, k, depth, alpha, beta, ply)
            if self._stopped:
                return 0
            if value > best:
                best = value
                chosen = t.code
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        self._refuted(s.side * 32768, pool, k, depth, ply)
                        break
            k += 1
        bound: i64 = AT_MOST if best <= start else AT_LEAST if best >= beta else EXACT
        self._store_entry(mark, symmetry, depth, best, bound, chosen, ply)
        return best

    def _rank_turns(self, s: State, pool: list[State], n: i64, ply: i64, first: i64) -> bool:
        """Rank the turns by the table, the killers and the history; return whether one of them wins."""
        history = self._history
        base: i64 = s.side * 32768
        one: i64 = self._killers[2 * ply]
        other: i64 = self._killers[2 * ply + 1]
        k: i64 = 0
        while k < n:
            t = pool[k]
            if t.won == 1:
                return True
            code: i64 = t.code
            if code == first:
                t.rank = 1000000
            elif code == one or code == other:
                t.rank += KILLER_RANK
            if code != first:
                t.rank += history[base + code] >> 1
            k += 1
        return False

    def _search_reply(self, s: State, t: State, k: i64, depth: i64, alpha: i64, beta: i64, ply: i64) -> i64:
        """Return the value of the turn from `s` to `t`, the `k`th in order.

        Later turns are first searched with a null window and less deeply.
        """
        if k == 0:
            return -self._search(s, t, depth - 1, -beta, -alpha, ply + 1)
        reduction: i64 = 0
        if depth >= 3:
            row: i64 = depth if depth < REDUCTION_DEPTHS else REDUCTION_DEPTHS - 1
            column: i64 = k if k < REDUCTION_TURNS else REDUCTION_TURNS - 1
            reduction = REDUCTIONS[row * REDUCTION_TURNS + column]
            if reduction > depth - 2:
                reduction = depth - 2
        value: i64 = -self._search(s, t, depth - 1 - reduction, -alpha - 1, -alpha, ply + 1)
        if value > alpha and reduction:
            value = -self._search(s, t, depth - 1, -alpha - 1, -alpha, ply + 1)
        if value > alpha and value < beta:
            value = -self._search(s, t, depth - 1, -beta, -alpha, ply + 1)
        return value

    def _evaluate(self, before: State | None, s: State, ply: i64) -> i64:
        """Evaluate a state without powers."""
        net = self.net
        if net is None:
            return worth(s)
        _update(net, before, s, ply)
        return net.worth(s, ply)

    def _refuted(self, base: i64, pool: list[State], k: i64, depth: i64, ply: i64) -> None:
        """Raise the score of the turn that refuted its state, and lower those of the turns tried before it."""
        bonus: i64 = depth * depth * 16
        if bonus > MAX_BONUS:
            bonus = MAX_BONUS
        code: i64 = pool[k].code
        self._add_score(base + code, bonus)
        j: i64 = 0
        while j < k:
            self._add_score(base + pool[j].code, -(bonus >> 1))
            j += 1
        if self._killers[2 * ply] != code:
            self._killers[2 * ply + 1] = self._killers[2 * ply]
            self._killers[2 * ply] = code

    def _add_score(self, place: i64, bonus: i64) -> None:
        """Change a score by a bonus, the less the closer the score is to the limit."""
        old: i64 = self._history[place]
        size: i64 = bonus if bonus > 0 else -bonus
        self._history[place] = old + bonus - (old * size >> HISTORY_LIMIT_BITS)

    def _store_entry(self, mark: i64, symmetry: i64, depth: i64, value: i64, bound: i64, code: i64, ply: i64) -> None:
        """Store a result in the table; proved values are stored relative to the state instead of the root."""
        entry = self._table[(mark ^ mark >> 31) & self._mask]
        if value > PROVED:
            value += ply
        elif value < -PROVED:
            value -= ply
        entry.key = mark
        entry.age = self._age
        entry.depth = depth
        entry.value = value
        entry.bound = bound
        entry.code = code
        entry.symmetry = symmetry

    def _evaluate_powers(self, s: State) -> i64:
        """Evaluate a state with powers: the net, which does not know them, and the workers off the board."""
        net = self.net
        if net is None:
            return worth(s)
        value: i64 = net.judge(s)
        if s.w0 == OFF or s.w1 == OFF:
            value -= GONE
        if s.w2 == OFF or s.w3 == OFF:
            value += GONE
        return value

    def _evaluate_leaf(self, s: State, alpha: i64, beta: i64, ply: i64) -> i64:
        """Evaluate a leaf with powers: an own immediate win counts fully, a threat of the foe costs `THREAT`."""
        if self.turns.wins(s):
            return WIN - ply - 1
        value: i64 = self._evaluate_powers(s)
        if value > alpha and self._foe_wins(s):
            value -= THREAT
        return value

    def _foe_wins(self, s: State) -> bool:
        """Return whether the side not to move could win at once if it were its turn."""
        flipped = self._flipped
        copy_state(s, flipped)
        flipped.w0 = s.w2
        flipped.w1 = s.w3
        flipped.w2 = s.w0
        flipped.w3 = s.w1
        flipped.m0 = s.m1
        flipped.m1 = s.m0
        flipped.side = 1 - s.side
        return self.turns.wins(flipped)


def _update(net: Net, before: State | None, s: State, ply: i64) -> None:
    """Update the net for the state at a ply, incrementally if the state before is given."""
    if before is None:
        net.begin(s, ply)
    else:
        net.follow(before, s, ply)


def _usable_value(entry: Entry, alpha: i64, beta: i64, ply: i64) -> i64:
    """Return the value of a table entry if it decides the search in this window, otherwise `UNSETTLED`."""
    seen: i64 = entry.value
    if seen > PROVED:
        seen -= ply
    elif seen < -PROVED:
        seen += ply
    if (
        entry.bound == EXACT
        or (entry.bound == AT_LEAST and seen >= beta)
        or (entry.bound == AT_MOST and seen <= alpha)
    ):  # fmt: skip
        return seen
    return UNSETTLED


def _select_turn(pool: list[State], k: i64, n: i64) -> State:
    """Swap the highest-ranked of the turns `k` to `n - 1` to place `k` and return it."""
    top: i64 = k
    most: i64 = pool[k].rank
    j: i64 = k + 1
    while j < n:
        if pool[j].rank > most:
            most = pool[j].rank
            top = j
        j += 1
    t = pool[top]
    if top != k:
        pool[top] = pool[k]
        pool[k] = t
    return t


def _never() -> bool:
    return False
