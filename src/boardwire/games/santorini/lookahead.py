"""The legal steps: the offers after which the turn can still be finished correctly.

It must be possible to complete a turn [3.1]; foes' powers may restrict how it ends (`lawful`), or demand something that
is done if possible (`wish`, which `fate` may decide before the end). In the base game every turn can be completed,
because the square just left is free to build on; so there is no search unless a power in play marks a step as risky.
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
    """Budget of steps and places that the search for the legal steps may try."""

    def __init__(self, steps: int) -> None:
        self._left = steps

    def spend(self) -> None:
        """Spend one unit; raise `Illegal` if there is none left."""
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


def legal(p: Position, rules: Rules, offered: Actions, effort: Effort | None = None) -> Actions:
    """Return the legal steps among the offers, for a position as the seat knows it."""
    if rules.every_offer_legal:
        return offered
    if rules.laws and any(power.bound(p) for power in rules.laws):
        offered = _lawful(p, rules, offered, effort)
    elif rules.risk_checks:
        offered = _without_dead_ends(p, rules, offered, effort)
    for wisher in rules.wishers:
        if wisher.fate(p) is None:
            offered = _wished(p, rules, wisher, offered, effort)
    if not offered and rules.endless and p.turn.moves > 2:
        # The walk has reached the limit of moves: continue it with a smaller count, of the same parity for the laws.
        return choices(replace(p, turn=replace(p.turn, moves=2 - p.turn.moves % 2)), effort)
    return offered


def _without_dead_ends(p: Position, rules: Rules, offered: Actions, effort: Effort | None) -> Actions:
    """Remove risky steps after which the turn cannot be finished."""
    search: Search | None = None
    for risky_steps in rules.risk_checks:
        risky = risky_steps(p, offered)
        if risky:
            search = search or Search(rules, effort=effort)
            dead = [action for action in risky if not search.finds(p, action)]
            offered = tuple([action for action in offered if action not in dead]) if dead else offered
    return offered


def _lawful(p: Position, rules: Rules, offered: Actions, effort: Effort | None) -> Actions:
    """Return the steps after which the turn can be finished lawfully."""
    if not rules.obeying_suffices:
        search = Search(rules, effort=effort)
        return tuple(action for action in offered if search.finds(p, action))
    if p.turn.stage == OPEN:  # the move, the only one of the turn, decides
        for power in rules.laws:
            if power.bound(p):
                offered = tuple(power.obeying(p, offered))  # type: ignore[arg-type] # all of them are moves
    return offered


def _replies(p: Position) -> Actions:
    """Return the answers to a power's question, as far as the asked seat may know the position."""
    ask = p.turn.asks[0]
    known = p if ask.seat == CHANCE else veiled(p, p.lineup.rules[ask.seat])
    return p.lineup.slots[ask.owner].replies(known, ask.topic)


def _wished(p: Position, rules: Rules, wisher: Power, offered: Actions, effort: Effort | None) -> Actions:
    """Return the steps that fulfil a wish; all steps if none does, or only by spending a once-only power [3.17]."""
    if rules.granting_suffices and p.turn.stage == OPEN:
        return tuple(wisher.granting(p, offered)) or offered  # type: ignore[arg-type] # all of them are moves
    search = Search(rules, wisher, effort=effort)
    if not rules.own.once:
        return tuple(action for action in offered if search.finds(p, action)) or offered
    memo = rules.own.memo(p)
    thrifty = Search(rules, wisher, memo, effort)
    saving = {action for action in offered if thrifty.finds(p, action)}
    if not saving:
        return offered
    # Without the steps that fulfil the wish only if the power is spent later: it need not be spent then.
    spending = {action for action in offered if rules.own.memo(advance(p, action, [])) != memo}
    return tuple(action for action in offered if action in saving or (action in spending and search.finds(p, action)))


class Search:
    """A search for a lawful end of the turn that also, with a `wisher`, fulfils its wish.

    In an endless walk, places of successful and failed searches are cached for the next search. Without `shortcuts`
    every continuation is tried, for comparison.
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
        self._memo = memo  # the memo of the own power, which must not change: the power must not be spent
        self._laws = rules.laws
        self._wisher = wisher
        self._effort = effort
        self._endless = rules.endless
        self._strolls = rules.strolls and shortcuts
        self._no_move_after_build = rules.no_move_after_build and shortcuts and (wisher is not None or bool(rules.laws))
        self._build_ends_turn = rules.build_ends_turn and shortcuts
        self._dead: set[object] = set()
        self._alive: set[object] = set()

    def finds(self, p: Position, action: Action) -> bool:
        """Return whether the turn can be finished after this step."""
        if self._no_move_after_build and p.turn.stage == MOVED and type(action) is Build:
            if not self._is_correct(p):  # a build cannot correct it
                return False
            if self._build_ends_turn:
                return True
        p = self._advance(p, action)
        if not self._endless:
            return self._finishes(p)
        seen: set[object] = set()
        found = self._walks(p, seen)
        if not found:
            self._dead |= seen
        return found

    def _advance(self, p: Position, action: Action) -> Position:
        """Return the position after a step, counted as effort."""
        if self._effort is not None:
            self._effort.spend()
        return advance(p, action, [])

    def _verdict(self, p: Position) -> bool | None:
        """Return whether the turn is finished correctly (True) or cannot be (False); None while it continues."""
        wisher = self._wisher
        if self._memo is not None and self._own.memo(p) != self._memo:
            return False
        if p.outcome is not None or p.turn.stage >= END:
            return self._is_correct(p)
        return False if wisher is not None and wisher.fate(p) is False else None

    def _is_correct(self, p: Position) -> bool:
        """Return whether the turn would be correct if it ended now."""
        for power in self._laws:
            if not power.lawful(p):
                return False
        return self._wisher is None or self._wisher.wish(p)

    def _continuations(self, p: Position) -> Actions:
        """Return the continuations of a turn that can affect whether it ends correctly."""
        if self._effort is not None:
            self._effort.spend()
        offered = offers(p)
        may_stop = offered[-1:] == DONE_ONLY and p.turn.stage != OPEN  # further builds change nothing
        builds_fail = self._no_move_after_build and p.turn.stage == MOVED and not self._is_correct(p)
        if may_stop or builds_fail:
            return tuple(action for action in offered if not isinstance(action, Build))
        return offered

    def _ends_by_building(self, p: Position) -> bool:
        """Return whether any build would finish the turn correctly, so that builds need not be tried."""
        if not self._build_ends_turn or p.turn.stage != MOVED or p.turn.asks:
            return False
        if self._effort is not None:
            self._effort.spend()
        return room(p, self._own.builders(p)) != 0 and self._is_correct(p)

    def _finishes(self, p: Position) -> bool:
        """Return whether the turn can be finished correctly from here; depth first, for turns that must end."""
        verdict = self._verdict(p)
        if verdict is not None:
            return verdict
        if self._ends_by_building(p):
            return True
        # In reverse order: builds, which usually end a turn, come after moves.
        return any(self._finishes(self._advance(p, action)) for action in reversed(self._continuations(p)))

    def _walks(self, p: Position, seen: set[object]) -> bool:
        """Search an endless walk breadth first, visiting each place once."""
        verdict = self._verdict(p)
        if verdict is not None:
            return verdict
        start = self._place(p)
        before: dict[object, object] = {start: None}
        paths = deque([(start, p)])
        while paths:
            here, p = paths.popleft()
            if here in self._alive:
                return self._mark_alive(here, before)
            if here in self._dead:
                continue
            seen.add(here)
            if self._ends_by_building(p):
                return self._mark_alive(here, before)
            strolls = self._is_stroll(p)
            for action in reversed(self._continuations(p)):
                if strolls and isinstance(action, Move) and _stepped(p, action) in before:
                    continue
                after = self._advance(p, action)
                verdict = self._verdict(after)
                if verdict:
                    return self._mark_alive(here, before)
                if verdict is None and (there := self._place(after)) not in before:
                    before[there] = here
                    paths.append((there, after))
        return False

    def _mark_alive(self, place: object, before: dict[object, object]) -> bool:
        """Cache all places on a successful path; return True."""
        while place is not None:
            self._alive.add(place)
            place = before[place]
        return True

    def _place(self, p: Position) -> object:
        """Return the part of a position that the rest of its turn depends on."""
        if self._is_stroll(p):
            return p.workers
        return p.workers, p.b1, p.b2, p.b3, p.domes, p.memos, replace(p.turn, moves=0, came=-1)

    def _is_stroll(self, p: Position) -> bool:
        """Return whether the walk so far has stayed on one level, so that only the workers have changed."""
        turn = p.turn
        return self._strolls and turn.stage == MOVED and not (turn.climbed or turn.descended)


def _stepped(p: Position, action: Move) -> object:
    """Return the place after a step of a stroll."""
    side = p.turn.hand
    squares = p.workers[side]
    stepped = put(squares, squares.index(action.frm), action.to)
    return (stepped, p.workers[1]) if side == 0 else (p.workers[0], stepped)
