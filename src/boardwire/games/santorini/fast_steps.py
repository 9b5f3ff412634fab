"""Fast path for steps that no power affects, which are most steps.

The result equals that of `step`, `offers`, `lookahead` and `turn`: the same position, decision and events. Those
modules define the rules; this one only skips their hooks, and leaves all other cases to them: a win, a side that cannot
move, a worker in the way, an additional turn, the ply cap, a turn whose start a power affects. The `plain_...` flags of
`Rules` name the parts of a turn that no power affects.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.games.game import Decision, Seat
from boardwire.games.santorini.actions import Action, Actions, Build, Move
from boardwire.games.santorini.board import in_reach
from boardwire.games.santorini.edits import put, with_side
from boardwire.games.santorini.events import Built, Event, Moved, TurnStarted
from boardwire.games.santorini.interned import blocks, domes, moves
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.lineup import Rules
from boardwire.games.santorini.lookahead import choices
from boardwire.games.santorini.position import FRESH, MOVED, Position
from boardwire.games.santorini.step import first_move
from boardwire.games.santorini.turn import ALONE, begin, following, settle

_OPEN: Final = Kind.OPEN
_GO_ON: Final = Kind.GO_ON
_decisions: Final[dict[int, Decision[Action]]] = {}
"""Cached decisions after a first move, if no dome can be built, by square, building sites and seat."""
_CACHE_LIMIT: Final = 4096
"""Maximum number of cached decisions."""


def plain_step(p: Position, action: Action, log: list[Event]) -> Position | None:
    """Return the position after a choice of the current turn, or None if the slow path is needed."""
    kind = type(action)
    if kind is Build:
        return _apply_build(p, action, log)  # type: ignore[arg-type] # `is` narrows no type, but is faster than isinstance
    if kind is Move and p.turn is FRESH:
        return _apply_move(p, action, log)  # type: ignore[arg-type] # `is` narrows no type, but is faster than isinstance
    return None


def _apply_move(p: Position, action: Move, log: list[Event]) -> Position | None:
    """Return the position after a first move, or None if the slow path is needed."""
    seat = p.seat
    rules = p.lineup.rules[seat]
    if not rules.plain_move:
        return None
    frm, to = action.frm, action.to
    side = rules.side
    squares = p.workers[side]
    if p.occupied >> to & 1 or frm not in squares:
        return None
    b1, b2, b3 = p.b1, p.b2, p.b3
    low = (b1 >> frm & 1) + (b2 >> frm & 1) + (b3 >> frm & 1)
    high = (b1 >> to & 1) + (b2 >> to & 1) + (b3 >> to & 1)
    if high == 3 and low < 3:
        return None
    worker = squares.index(frm)
    occupied = p.occupied ^ (1 << frm | 1 << to)
    workers = with_side(p.workers, side, put(squares, worker, to))
    turn = first_move(side, worker, frm, high - low)
    log.append(Moved(seat, side, worker, frm, to))
    if rules.plain_sites:
        open_ = rules.own.adjacent[to] & ~(occupied | p.domes | p.solid)
        if open_:
            decision = _build_decision(seat, to, open_ & ~b3, open_ & b3)
            return replace(p, workers=workers, occupied=occupied, turn=turn, decision=decision)
    p = replace(p, workers=workers, occupied=occupied, turn=turn)
    legal = choices(p)
    return replace(p, decision=Decision(_GO_ON, ALONE[seat], legal)) if legal else settle(p, log)


def _build_decision(seat: Seat, by: int, block: int, dome: int) -> Decision[Action]:
    """Return the decision of a seat to build from a square."""
    if not dome:
        key = (block << 5 | by) << 2 | seat
        decision = _decisions.get(key)
        if decision is None:
            decision = Decision(_GO_ON, ALONE[seat], blocks(by, block))
            if len(_decisions) < _CACHE_LIMIT:
                _decisions[key] = decision
        return decision
    return Decision(_GO_ON, ALONE[seat], blocks(by, block) + domes(by, dome))


def _apply_build(p: Position, action: Build, log: list[Event]) -> Position | None:
    """Return the position after the build that ends a turn, or None if the slow path is needed."""
    turn = p.turn
    rules_by_seat = p.lineup.rules
    if not rules_by_seat[p.seat].plain_build or turn.stage != MOVED or turn.asks or p.owed:
        return None
    by, at, dome = action.by, action.at, action.dome
    ply, seat = p.ply + 1, following(p)
    rules = rules_by_seat[seat]
    if ply >= p.options.ply_cap or p.workers[turn.hand][turn.worker] != by:
        return None
    bit = 1 << at
    b1, b2, b3, domes_ = p.b1, p.b2, p.b3, p.domes
    level = (b1 >> at & 1) + (b2 >> at & 1) + (b3 >> at & 1)
    if dome:
        domes_ |= bit
    elif level == 0:
        b1, level = b1 | bit, 1
    elif level == 1:
        b2, level = b2 | bit, 2
    else:
        b3, level = b3 | bit, 3
    log.append(Built(p.seat, by, at, level, dome))
    if not rules.plain_start or p.ram >= 0:
        p = replace(p, b1=b1, b2=b2, b3=b3, domes=domes_, seat=seat, ply=ply, turn=FRESH)
        return settle(begin(p, log), log)
    log.append(TurnStarted(seat, ply))
    if rules.plain_open:
        closed = p.occupied | domes_ | p.solid
        legal = _moves(rules, p.workers[rules.side], b1, b2, b3, closed)
        if legal:
            decision = Decision(_OPEN, ALONE[seat], legal)
            return replace(
                p, b1=b1, b2=b2, b3=b3, domes=domes_, seat=seat, ply=ply, turn=FRESH, decision=decision,
            )  # fmt: skip
    p = replace(p, b1=b1, b2=b2, b3=b3, domes=domes_, seat=seat, ply=ply, turn=FRESH)
    legal = choices(p)
    return replace(p, decision=Decision(_OPEN, ALONE[seat], legal)) if legal else settle(p, log)


def _moves(rules: Rules, squares: tuple[int, ...], b1: int, b2: int, b3: int, closed: int) -> Actions:
    """Return all moves at the start of a turn."""
    adjacent = rules.own.adjacent
    legal: Actions = ()
    for frm in squares:
        if frm >= 0:
            legal += moves(frm, in_reach(adjacent[frm], frm, b1, b2, b3, closed))
    return legal
