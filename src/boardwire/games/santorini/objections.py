"""Explanations of illegal steps: the rule that forbids a step, and the god whose rule it is.

`lookahead` decides what is legal; this module only explains, for people who learn the game. It checks in the order in
which the choices are computed, and names the first rule that removes the step: the stage of the turn, the acting
worker, the board, the own power, limits and closed squares of others, and whether the turn can be finished. It uses
only what the seat may know.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum

from boardwire.errors import Objection, Reason, Refused
from boardwire.games.game import Seat
from boardwire.games.santorini.actions import Action, Build, Move, PickGod, PlaceToken, PlaceWorker
from boardwire.games.santorini.board import SQUARES
from boardwire.games.santorini.edits import level, worker_mask
from boardwire.games.santorini.lineup import Rules, overrides
from boardwire.games.santorini.lookahead import Search
from boardwire.games.santorini.offers import veiled
from boardwire.games.santorini.position import MOVED, OPEN, Position
from boardwire.games.santorini.powers.power import Power


class Rule(StrEnum):
    """Why a step is illegal."""

    NOT_NOW = "not now"
    """Another decision is open."""
    NOWHERE = "nowhere"
    """The square does not exist."""
    NOT_OFFERED = "not offered"
    """The god, or the seat, is not on offer."""
    NO_WORKER = "no worker"
    """No worker of the player's side stands there."""
    OTHER_WORKER = "other worker"
    """Another worker has begun the turn, or must build."""
    MOVE_FIRST = "move first"
    MOVED = "moved"
    """The worker has moved, and no power allows another move."""
    HERE = "here"
    """The worker itself stands on that square."""
    FAR = "far"
    DOME = "dome"
    TOKEN = "token"
    """A token closes the square to all."""
    TAKEN = "taken"
    HIGH = "high"
    ONLY_DOME = "only dome"
    """Only a dome can be built on three blocks."""
    NO_DOME = "no dome"
    """A dome needs three blocks below it."""
    POWER = "power"
    """The power of `card` forbids it."""
    UNFINISHED = "unfinished"
    """The turn could not be finished after the step, because of the power of `card`."""


def objection(position: Position, seat: Seat, action: Action) -> Objection | None:
    """Return the rule that makes a step illegal for `seat`, or None."""
    decision = position.decision
    if decision is None:
        raise Refused("the match is over", reason=Reason.OVER)
    if seat not in decision.seats:
        raise Refused("it is not your turn to choose", reason=Reason.NOT_YOUR_TURN)
    if action in decision.choices:
        return None
    if not all(square in SQUARES for square in _squares_of_action(action)):
        return Objection(Rule.NOWHERE)
    if position.setup is not None:
        return _setup_objection(position, seat, action, decision.choices)
    rules = position.lineup.rules[seat]
    p = veiled(position, rules)
    if p.turn.asks:
        return _imposed_by(p.lineup.slots[p.turn.asks[0].owner])
    if isinstance(action, Move):
        return _move_objection(p, rules, action)
    if isinstance(action, Build):
        return _build_objection(p, rules, action)
    return _imposed_by(rules.own) if any(type(choice) is type(action) for choice in decision.choices) else _not_now()


def _not_now() -> Objection:
    return Objection(Rule.NOT_NOW)


def _imposed_by(power: Power, rule: Rule = Rule.POWER) -> Objection:
    """Return an objection imposed by a power."""
    return Objection(rule, power.god.value, power.seat)


def _owner_of(hook: object) -> Power:
    """Return the power whose bound method a hook is."""
    power = hook.__self__  # type: ignore[attr-defined] # a hook is a method of its power
    assert isinstance(power, Power), "the rules of a turn are made of hooks of powers"
    return power


def _squares_of_action(action: Action) -> tuple[int, ...]:
    """Return the squares that a step names."""
    match action:
        case Move(frm, to):
            return frm, to
        case Build(by, at):
            return by, at
        case PlaceWorker(at) | PlaceToken(at):
            return (at,)
    return ()


def _setup_objection(p: Position, seat: Seat, action: Action, choices: Collection[Action]) -> Objection:
    """Return the rule that makes a step of the set-up illegal."""
    if not any(type(choice) is type(action) for choice in choices):
        return _not_now()
    if isinstance(action, PlaceWorker | PlaceToken):
        bit = 1 << action.at
        if p.occupied & bit:
            return Objection(Rule.TAKEN)
        if p.solid & bit:
            return Objection(Rule.TOKEN)
        return _imposed_by(
            next((power for power in _powers_of_side(p, seat) if not power.squares(p) & bit), p.lineup.powers[seat])
        )
    return Objection(Rule.NOT_OFFERED, action.god.value if isinstance(action, PickGod) else "")


def _powers_of_side(p: Position, seat: Seat) -> list[Power]:
    """Return the powers of a side: one of its seats places the workers."""
    return [p.lineup.powers[mate] for mate in p.lineup.seats_of(p.lineup.side(seat))]


def _move_objection(p: Position, rules: Rules, action: Move) -> Objection:
    """Return the rule that makes a move illegal."""
    turn, own = p.turn, rules.own
    frm, to = action.frm, action.to
    if turn.stage == OPEN:
        movers, offered = own.movers(p), True
    elif turn.stage == MOVED and rules.more_moves is not None:
        movers = tuple(step.frm for step in rules.more_moves(p) if isinstance(step, Move))
        offered = False
    else:
        return Objection(Rule.MOVED)
    if not movers:
        return Objection(Rule.MOVED)
    if frm not in movers:
        return _wrong_worker(p, rules, frm)
    board_rule = _board_objection(p, own, frm, to) or _height_objection(p, frm, to)
    targets = own.reach(p, frm)
    if not targets >> to & 1:
        foe = p.occupied >> to & 1 and not worker_mask(p, rules.side) >> to & 1
        return board_rule if board_rule is not None and not (foe and overrides(own, "shove")) else _imposed_by(own)
    for closed in rules.closers:
        if closed(p) >> to & 1:
            return _imposed_by(_owner_of(closed))
    for limit in rules.move_limits:
        targets = limit(p, frm, targets)
        if not targets >> to & 1:
            return _imposed_by(_owner_of(limit))
    return (_completion_objection(p, rules, action) if offered else None) or _imposed_by(own)


def _build_objection(p: Position, rules: Rules, action: Build) -> Objection:
    """Return the rule that makes a build illegal."""
    turn, own = p.turn, rules.own
    if turn.stage == MOVED:
        if action.by not in own.builders(p):
            return _wrong_worker(p, rules, action.by)
        return _site_objection(p, rules, action) or _completion_objection(p, rules, action) or _imposed_by(own)
    offered = [step for step in _extra_builds(p, rules) if isinstance(step, Build)]
    if not offered:
        return Objection(Rule.MOVE_FIRST) if turn.stage == OPEN else _not_now()
    if all(step.by != action.by for step in offered):
        return _wrong_worker(p, rules, action.by)
    return _site_objection(p, rules, action) or _imposed_by(own)


def _extra_builds(p: Position, rules: Rules) -> tuple[Action, ...]:
    """Return the builds that the own power allows besides the compulsory one."""
    if p.turn.stage == OPEN:
        return rules.openings(p) if rules.openings is not None else ()
    more = rules.more_builds(p) if rules.more_builds is not None else ()
    return more + (rules.closings(p) if rules.closings is not None else ())


def _site_objection(p: Position, rules: Rules, action: Build) -> Objection | None:
    """Return the objection to the site of a build, or to a block or a dome there; None if the worker may build it."""
    own, by, at = rules.own, action.by, action.at
    block, dome = own.spots(p, by)
    if not (dome if action.dome else block) >> at & 1:
        return (
            _board_objection(p, own, by, at)
            or _wrong_piece(action, dome if not action.dome else block)
            or _imposed_by(own)
        )
    for closed in rules.closers:
        if closed(p) >> at & 1:
            return _imposed_by(_owner_of(closed))
    for limit in rules.build_limits:
        block, dome = limit(p, by, block, dome)
        if not (dome if action.dome else block) >> at & 1:
            return _imposed_by(_owner_of(limit))
    return None


def _wrong_piece(action: Build, other: int) -> Objection | None:
    """Return an objection if only the other piece, block or dome, could be built there."""
    if not other >> action.at & 1:
        return None
    return Objection(Rule.NO_DOME if action.dome else Rule.ONLY_DOME)


def _wrong_worker(p: Position, rules: Rules, square: int) -> Objection:
    """Return the objection to a step of a worker that the seat does not have or must not use."""
    if not worker_mask(p, rules.side) >> square & 1:
        return Objection(Rule.NO_WORKER)
    return Objection(Rule.OTHER_WORKER)


def _board_objection(p: Position, own: Power, frm: int, to: int) -> Objection | None:
    """Return the objection to the target square of a step, without the level, limits and powers."""
    bit = 1 << to
    if frm == to:
        return Objection(Rule.HERE)
    if p.domes & bit:
        return Objection(Rule.DOME)
    if not own.adjacent[frm] & bit:
        return Objection(Rule.FAR)
    if p.occupied & bit:
        return Objection(Rule.TAKEN)
    return Objection(Rule.TOKEN) if p.solid & bit else None


def _height_objection(p: Position, frm: int, to: int) -> Objection | None:
    return Objection(Rule.HIGH) if level(p, to) > level(p, frm) + 1 else None


def _completion_objection(p: Position, rules: Rules, action: Action) -> Objection | None:
    """Return the objection to a step after which the turn could not be finished correctly, or None."""
    bound = next((power for power in rules.laws if power.bound(p)), None)
    if bound is not None:
        if not Search(rules).finds(p, action):
            return _imposed_by(bound, Rule.UNFINISHED)
    else:
        for risky_steps in rules.risk_checks:
            if risky_steps(p, (action,)) and not Search(rules).finds(p, action):
                return _imposed_by(_owner_of(risky_steps), Rule.UNFINISHED)
    wisher = next((power for power in rules.wishers if power.fate(p) is None), None)
    return None if wisher is None else _imposed_by(wisher, Rule.UNFINISHED)
