"""Automatic changes after a step, up to the next decision.

`settle` applies the effects at the end of a turn, begins the next turn with the effects at its start, and computes the
choices. A player without a legal step has lost, so that one call may pass over several seats. No god is named here.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.games.game import CHANCE, Decision, Seat
from boardwire.games.santorini.board import NEIGHBOURS
from boardwire.games.santorini.edits import with_stage, worker_mask
from boardwire.games.santorini.ending import change_power, draw, lose
from boardwire.games.santorini.events import Event, Termination, TurnStarted
from boardwire.games.santorini.kinds import BY_STAGE, Kind
from boardwire.games.santorini.lookahead import Effort, choices, legal
from boardwire.games.santorini.offers import offers, veiled
from boardwire.games.santorini.position import END, FRESH, MOVED, OVER, Position, Turn
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.step import after

ALONE: Final = tuple((seat,) for seat in range(4))


def settle(p: Position, log: list[Event], effort: Effort | None = None) -> Position:
    """Return the position with its next decision, or with its outcome."""
    while p.outcome is None:
        turn = p.turn
        if turn.asks:
            ask = turn.asks[0]
            kind = Kind.CHANCE if ask.seat == CHANCE else Kind.REPLY
            return replace(p, decision=Decision(kind, (ask.seat,), choices(p)))
        stage = turn.stage
        rules = p.lineup.rules[p.seat]
        if stage >= END:
            p = finish(p, log) if stage == END and rules.ends else _begin_next_turn(p, log)
            continue
        known = veiled(p, rules) if rules.veils else p
        legal_steps = offers(known)
        if not legal_steps and stage > MOVED:
            p = with_stage(p, after(stage, rules))
            continue
        legal_steps = legal(known, rules, legal_steps, effort)
        if legal_steps:
            return replace(p, decision=Decision(BY_STAGE[stage], ALONE[p.seat], legal_steps))
        p = lose(p, p.seat, Termination.STUCK, log)
    return replace(p, decision=None)


def finish(p: Position, log: list[Event]) -> Position:
    """Apply the automatic effects at the end of a turn; powers may ask a question before the next turn begins."""
    ends = p.lineup.rules[p.seat].ends
    p = replace(p, turn=replace(p.turn, stage=OVER))
    for seat, effect in ends:
        if p.outcome is None and not p.out >> seat & 1:  # a previous effect may have eliminated the owner of this one
            p = effect(p, log)
    return p


def following(p: Position) -> Seat:
    """Return the seat that takes the next turn."""
    order, out = p.order, p.out
    at = order.index(p.seat)
    if not out:
        return order[at + 1 - len(order)]
    for step in range(1, len(order) + 1):
        seat = order[(at + step) % len(order)]
        if not out >> seat & 1:
            return seat
    raise AssertionError("the match is over")


def _begin_next_turn(p: Position, log: list[Event]) -> Position:
    """Begin the next turn, or end the match at the ply cap."""
    if p.ply + 1 >= p.options.ply_cap:
        return draw(p, Termination.PLY_CAP, log)
    if p.owed:
        return begin(replace(p, ply=p.ply + 1, turn=Turn(extra=p.owed[0]), owed=p.owed[1:]), log)
    return begin(replace(p, seat=following(p), ply=p.ply + 1, turn=FRESH), log)


def begin(p: Position, log: list[Event]) -> Position:
    """Begin a turn with the effects at its start."""
    log.append(TurnStarted(p.seat, p.ply, p.turn.extra != 0))
    if p.ram >= 0 and not p.turn.extra:  # an additional turn is played with the power that gave it
        p = _lend_ram_power(p, log)
    for keeper in p.lineup.keepers:  # first, because they may change the powers in effect
        p = keeper.at_start(p, log)
    for effect in p.lineup.rules[p.seat].starts:
        if p.outcome is None:
            p = effect(p, log)
    return p


def _lend_ram_power(p: Position, log: list[Event]) -> Position:
    """Give the Ram's power for this turn to the seats that have a worker beside it [1.4]."""
    for seat in p.order:
        near = worker_mask(p, p.lineup.side(seat)) & NEIGHBOURS[p.ram]
        p = change_power(p, seat, p.lent if near else God.MORTAL, log)
    return p
