"""The legal steps: those offers after which the turn can still be finished correctly.

A turn must be completable [3.1], foes' powers may restrict how it ends (`lawful`), and some things must be done if
possible (`wish`, which `fate` may decide before the end). In the base game nothing can go wrong, since the square just
left is always free to build on; so there is no search unless a power in play marks a step as risky.
"""

from __future__ import annotations

from collections import deque

from msgspec.structs import replace

from boardwire.errors import Illegal
from boardwire.games.game import CHANCE
from boardwire.games.santorini.actions import DONE_ONLY, Action, Actions, Build, Move
from boardwire.games.santorini.edits import put
from boardwire.games.santorini.lineup import Rules
from boardwire.games.santorini.offers import offers, room, veiled
from boardwire.games.santorini.position import END, MOVED, OPEN, Memo, Position
from boardwire.games.santorini.powers.power import Power
from boardwire.games.santorini.step import advance


class Effort:
    """Budget of steps and places to try while searching for the legal steps; raises `Illegal` when it is spent."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def spend(self) -> None:
        """Spend one."""
        self._left -= 1
        if self._left < 0:
            raise Illegal("the legal steps of this position take too long to compute")


def choices(p: Position, effort: Effort | None = None) -> Actions:
    """Return exactly the legal steps."""
    if p.turn.asks:
        return _replies(p)
    rules = p.lineup.rules[p.seat]
    if rules.veils:
        p = veiled(p, rules)
    return legal(p, rules, offers(p), effort)


def legal(p: Position, rules: Rules, found: Actions, effort: Effort | None = None) -> Actions:
    """Return the legal steps among the offers of a position, as far as the seat knows it."""
    if rules.every_offer_legal:
        return found
    if rules.laws and any(power.bound(p) for power in rules.laws):
        found = _lawful(p, rules, found, effort)
    elif rules.risk_checks:
        found = _without_dead_ends(p, rules, found, effort)
    for wisher in rules.wishers:
        if wisher.fate(p) is None:
            found = _wished(p, rules, wisher, found, effort)
    if not found and rules.endless and p.turn.moves > 2:
        # a seat bound by a law may continue an endless walk; laws may distinguish odd and even numbers of moves
        return choices(replace(p, turn=replace(p.turn, moves=2 - p.turn.moves % 2)), effort)
    return found


def _without_dead_ends(p: Position, rules: Rules, found: Actions, effort: Effort | None) -> Actions:
    """Remove risky steps after which the turn cannot be finished."""
    search: Search | None = None
    for risky_steps in rules.risk_checks:
        risky = risky_steps(p, found)
        if risky:
            search = search or Search(rules, effort=effort)
            dead = [action for action in risky if not search.finds(p, action)]
            found = tuple([action for action in found if action not in dead]) if dead else found
    return found


def _lawful(p: Position, rules: Rules, found: Actions, effort: Effort | None) -> Actions:
    """Return the steps after which the turn can be finished lawfully."""
    if not rules.obeying_suffices:
        search = Search(rules, effort=effort)
        return tuple(action for action in found if search.finds(p, action))
    if p.turn.stage == OPEN:  # the move decides it
        for power in rules.laws:
            if power.bound(p):
                found = tuple(power.obeying(p, found))  # type: ignore[arg-type] # nothing but moves
    return found


def _replies(p: Position) -> Actions:
    """Return the answers to a power's question; the seat asked may know less than the seat to move."""
    ask = p.turn.asks[0]
    known = p if ask.seat == CHANCE else veiled(p, p.lineup.rules[ask.seat])
    return p.lineup.slots[ask.owner].replies(known, ask.topic)


def _wished(p: Position, rules: Rules, wisher: Power, found: Actions, effort: Effort | None) -> Actions:
    """Return the steps that fulfil a wish; all, if none does or only with a once-only power [3.17]."""
    if rules.granting_suffices and p.turn.stage == OPEN:
        return tuple(wisher.granting(p, found)) or found  # type: ignore[arg-type] # nothing but moves
    search = Search(rules, wisher, effort=effort)
    if not rules.own.once:
        return tuple(action for action in found if search.finds(p, action)) or found
    memo = rules.own.memo(p)
    thrifty = Search(rules, wisher, memo, effort)
    saving = {action for action in found if thrifty.finds(p, action)}
    if not saving:
        return found
    # a step that fulfils the wish only if the power is spent later is not offered: the power need not be spent then
    spending = {action for action in found if rules.own.memo(advance(p, action, [])) != memo}
    return tuple(action for action in found if action in saving or (action in spending and search.finds(p, action)))


class Search:
    """A search for a way to finish the turn lawfully and, if a power has a wish, so that it is fulfilled.

    If walking is endless, positions of successful and failed searches are cached for the next one. Without `shortcuts`
    everything is tried, for comparison.
    """

    def __init__(
        self,
        rules: Rules,
        wisher: Power | None = None,
        memo: Memo | None = None,
        effort: Effort | None = None,
        shortcuts: bool = True,
    ) -> None:
        self._own = rules.own
        self._memo = memo  # what the own power must still remember, unspent
        self._laws = rules.laws
        self._wisher = wisher
        self._effort = effort
        self._endless = rules.endless
        self._strolls = rules.strolls and shortcuts
        self._still = rules.no_move_after_build and shortcuts and (wisher is not None or bool(rules.laws))
        self._built = rules.build_ends_turn and shortcuts
        self._dead: set[object] = set()
        self._alive: set[object] = set()

    def finds(self, p: Position, action: Action) -> bool:
        """Whether the turn can be finished after this step."""
        if self._still and p.turn.stage == MOVED and type(action) is Build:
            if not self._right(p):  # building does not set it right
                return False
            if self._built:
                return True
        p = self._after(p, action)
        if not self._endless:
            return self._finishes(p)
        seen: set[object] = set()
        found = self._walks(p, seen)
        if not found:
            self._dead |= seen
        return found

    def _after(self, p: Position, action: Action) -> Position:
        if self._effort is not None:
            self._effort.spend()
        return advance(p, action, [])

    def _verdict(self, p: Position) -> bool | None:
        """Whether the turn is finished correctly (True) or cannot be (False); None while it continues."""
        wisher = self._wisher
        if self._memo is not None and self._own.memo(p) != self._memo:
            return False
        if p.outcome is not None or p.turn.stage >= END:
            return self._right(p)
        return False if wisher is not None and wisher.fate(p) is False else None

    def _right(self, p: Position) -> bool:
        """Whether the turn would be correct if it ended now."""
        for power in self._laws:
            if not power.lawful(p):
                return False
        return self._wisher is None or self._wisher.wish(p)

    def _ways(self, p: Position) -> Actions:
        """Return the continuations of a turn that matter for its end."""
        if self._effort is not None:
            self._effort.spend()
        found = offers(p)
        if found[-1:] == DONE_ONLY and p.turn.stage:  # who may stop need not try out more builds
            return tuple(action for action in found if not isinstance(action, Build))
        if self._still and p.turn.stage == MOVED and not self._right(p):  # building does not set it right
            return tuple(action for action in found if not isinstance(action, Build))
        return found

    def _ends_by_building(self, p: Position) -> bool:
        """Whether any build would finish the turn correctly, so that builds need not be tried."""
        if not self._built or p.turn.stage != MOVED or p.turn.asks:
            return False
        if self._effort is not None:
            self._effort.spend()
        return room(p, self._own.builders(p)) != 0 and self._right(p)

    def _finishes(self, p: Position) -> bool:
        verdict = self._verdict(p)
        if verdict is not None:
            return verdict
        if self._ends_by_building(p):
            return True
        # the last offers first: builds, which end a turn, stand behind moves
        return any(self._finishes(self._after(p, action)) for action in reversed(self._ways(p)))

    def _walks(self, p: Position, seen: set[object]) -> bool:
        """Search an endless walk: breadth first, each place once."""
        verdict = self._verdict(p)
        if verdict is not None:
            return verdict
        start = self._place(p)
        before: dict[object, object] = {start: None}
        paths = deque([(start, p)])
        while paths:
            here, p = paths.popleft()
            if here in self._alive:
                return self._remember(here, before)
            if here in self._dead:
                continue
            seen.add(here)
            if self._ends_by_building(p):
                return self._remember(here, before)
            strolls = self._is_stroll(p)
            for action in reversed(self._ways(p)):
                if strolls and isinstance(action, Move) and _stepped(p, action) in before:
                    continue
                after = self._after(p, action)
                verdict = self._verdict(after)
                if verdict:
                    return self._remember(here, before)
                if verdict is None and (there := self._place(after)) not in before:
                    before[there] = here
                    paths.append((there, after))
        return False

    def _remember(self, place: object, before: dict[object, object]) -> bool:
        """Mark all places on a successful path as good."""
        while place is not None:
            self._alive.add(place)
            place = before[place]
        return True

    def _place(self, p: Position) -> object:
        """Return the part of a position that matters for the rest of its turn."""
        if self._is_stroll(p):
            return p.workers
        return p.workers, p.b1, p.b2, p.b3, p.domes, p.memos, replace(p.turn, moves=0, came=-1)

    def _is_stroll(self, p: Position) -> bool:
        turn = p.turn
        return self._strolls and turn.stage == MOVED and not (turn.climbed or turn.descended)


def _stepped(p: Position, action: Move) -> object:
    """Return the place that a step of a stroll leads to."""
    side = p.turn.hand
    squares = p.workers[side]
    stepped = put(squares, squares.index(action.frm), action.to)
    return (stepped, p.workers[1]) if side == 0 else (p.workers[0], stepped)
