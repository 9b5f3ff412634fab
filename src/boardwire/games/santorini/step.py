"""One step of the current turn.

- `advance` applies a step and advances the stage, at most to END; it never begins the next turn, so `lookahead` can use
  it. It does not validate the action.
- `attempt` does not advance the stage: `settle` does.
- No god is named here: the mover's power decides where a worker in the way goes, and every power with a matching hook
  reacts to a move or build, the mover's own first.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.games.santorini.actions import Action, Build, Done, Move
from boardwire.games.santorini.edits import find, put, with_side, with_stage
from boardwire.games.santorini.effects import enter, follow
from boardwire.games.santorini.ending import win
from boardwire.games.santorini.events import Built, Cancelled, Declined, Event, Forced, Moved, PowerUsed, Termination
from boardwire.games.santorini.lineup import Rules
from boardwire.games.santorini.offers import offers, veiled
from boardwire.games.santorini.position import BUILT, CLOSE, END, FRESH, MOVED, OPEN, Position, Turn
from boardwire.games.santorini.powers.stride import Stride

_first: Final[dict[int, Turn]] = {}
"""Cached turns after a first move."""
_CACHE_LIMIT: Final = 4096
"""Maximum number of cached turns."""


def attempt(p: Position, action: Action, log: list[Event]) -> Position:
    """Return the position after a choice; if a hidden fact makes it impossible, it is cancelled and ends the turn."""
    foils = p.lineup.rules[p.seat].foils
    if foils and not p.turn.asks and any(foiled(p, action) for foiled in foils):
        log.append(Cancelled(p.seat))
        return replace(p, turn=replace(p.turn, stage=END))
    return _apply_step(p, action, log)


def advance(p: Position, action: Action, log: list[Event]) -> Position:
    """Return the position after a step of the current turn, with its stage advanced."""
    return flow(_apply_step(p, action, log))


def _apply_step(p: Position, action: Action, log: list[Event]) -> Position:
    """Apply a step or an answer, without advancing the stage."""
    turn = p.turn
    if turn.asks:
        ask = turn.asks[0]
        p = replace(p, turn=replace(turn, asks=turn.asks[1:]))
        return p.lineup.slots[ask.owner].reply(p, action, ask.topic, log)
    rules = p.lineup.rules[p.seat]
    kind = type(action)
    if kind is Move:
        return _apply_move(p, rules, action.frm, action.to, log)  # type: ignore[union-attr] # `is` narrows no type, but is faster than isinstance
    if kind is Build:
        return _apply_build(p, rules, action, log)  # type: ignore[arg-type] # `is` narrows no type, but is faster than isinstance
    if kind is Done:
        log.append(Declined(p.seat))
        stage = CLOSE if turn.stage in (MOVED, BUILT) else END
        return replace(p, turn=replace(turn, stage=stage))
    return rules.own.act(p, action, log)


def flow(p: Position) -> Position:
    """Skip the stages that offer no step."""
    while (p.turn.stage == BUILT or p.turn.stage == CLOSE) and not p.turn.asks and p.outcome is None:
        rules = p.lineup.rules[p.seat]
        if offers(veiled(p, rules)):
            return p
        p = with_stage(p, after(p.turn.stage, rules))
    return p


def after(stage: int, rules: Rules) -> int:
    """Return the stage that follows BUILT or CLOSE if that stage offers no step."""
    return CLOSE if stage == BUILT and rules.closings else END


def _apply_move(p: Position, rules: Rules, frm: int, to: int, log: list[Event]) -> Position:
    """Apply a move: displace a worker in the way, then judge the move and trigger its effects."""
    b1, b2, b3 = p.b1, p.b2, p.b3
    low = (b1 >> frm & 1) + (b2 >> frm & 1) + (b3 >> frm & 1)
    high = (b1 >> to & 1) + (b2 >> to & 1) + (b3 >> to & 1)
    side = rules.side
    squares = p.workers[side]
    if frm in squares:
        worker = squares.index(frm)
    else:
        side, worker = find(p, frm)
        squares = p.workers[side]
    pushed = p.occupied >> to & 1
    moved = Moved(p.seat, side, worker, frm, to)
    log.append(p.lineup.as_secret(side, moved, PowerUsed(p.seat, rules.own.god)) if p.lineup.hidden else moved)
    if pushed:
        p = _displace_worker(p, rules, frm, to, log)
        squares = p.workers[side]
    old = p.turn
    if old is FRESH:
        turn = first_move(side, worker, frm, high - low)
    else:
        turn = Turn(
            MOVED, side, worker, old.start if old.start >= 0 else frm, frm, old.moves + 1,
            old.climbed or high > low, old.descended or high < low, old.walked | 1 << worker,
            old.builders, old.built, old.domed, old.note, old.extra,
        )  # fmt: skip
    workers = with_side(p.workers, side, put(squares, worker, to))
    bits = p.occupied & ~(1 << frm) if not pushed else p.occupied
    p = replace(p, workers=workers, occupied=bits | 1 << to, turn=turn)
    if p.outcome is not None:  # the displaced worker may have entered a square that ends the match
        return p
    if rules.moves_unaffected:
        climbed = high == 3 and low < 3 and side == rules.side
        return win(p, side, Termination.CLIMB, log) if climbed else p
    return follow(p, Stride(side, worker, frm, to, low, high), log)


def first_move(side: int, worker: int, frm: int, rise: int) -> Turn:
    """Return the turn after its first move, made from `frm` with a change of `rise` levels; turns are cached."""
    key = ((side * 64 + worker) * 32 + frm) * 4 + (1 if rise > 0 else 2 if rise < 0 else 0)
    turn = _first.get(key)
    if turn is None:
        turn = Turn(MOVED, side, worker, frm, frm, 1, rise > 0, rise < 0, 1 << worker)
        if len(_first) < _CACHE_LIMIT:
            _first[key] = turn
    return turn


def _displace_worker(p: Position, rules: Rules, frm: int, to: int, log: list[Event]) -> Position:
    """Displace the worker on `to` according to the mover's power; `frm` counts as left, because it may go there."""
    target = rules.own.shove(p, frm, to)
    side, worker = find(p, to)
    workers = with_side(p.workers, side, put(p.workers[side], worker, target))
    log.append(p.lineup.as_secret(side, Forced(p.seat, side, worker, to, target, rules.own.god)))
    p = replace(p, workers=workers, occupied=p.occupied & ~(1 << frm) | 1 << target)
    return enter(p, side, target, log) if rules.entries else p


def _apply_build(p: Position, rules: Rules, action: Build, log: list[Event]) -> Position:
    """Apply a build and trigger its effects."""
    by, at, dome = action.by, action.at, action.dome
    turn = p.turn
    bit = 1 << at
    b1, b2, b3, domes = p.b1, p.b2, p.b3, p.domes
    level = (b1 >> at & 1) + (b2 >> at & 1) + (b3 >> at & 1)
    if dome:
        domes |= bit
    elif level == 0:
        b1, level = b1 | bit, 1
    elif level == 1:
        b2, level = b2 | bit, 2
    else:
        b3, level = b3 | bit, 3
    log.append(Built(p.seat, -1 if rules.own.hidden else by, at, level, dome))
    hand, worker = turn.hand, turn.worker
    if worker < 0 or p.workers[hand][worker] != by:
        hand, worker = find(p, by)
    if turn.stage == OPEN:  # a build before the move selects the acting worker
        turn = replace(
            turn, hand=hand, worker=worker, built=(*turn.built, at), builders=turn.builders | 1 << worker,
            domed=turn.domed or dome,
        )  # fmt: skip
    else:
        stage = turn.stage if turn.stage == CLOSE else BUILT if rules.more_builds or rules.closings else END
        turn = Turn(
            stage, turn.hand, turn.worker, turn.start, turn.came, turn.moves, turn.climbed, turn.descended,
            turn.walked, turn.builders | 1 << worker, (*turn.built, at), turn.domed or dome, turn.note, turn.extra,
        )  # fmt: skip
    p = replace(p, b1=b1, b2=b2, b3=b3, domes=domes, turn=turn)
    for effect in rules.build_effects:
        if p.outcome is None:
            p = effect(p, at, dome, log)
    return p
