"""Changes to the board that trigger other powers: moves, builds, razed blocks and forced workers.

The turn machine and the powers use the same functions, so that every power with a matching hook reacts, whatever the
cause of a change. Changes of `solid` tokens and memos trigger nothing: they are plain edits (`edits`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from boardwire.games.santorini.edits import find, level, relocated, with_block, with_level, with_worker
from boardwire.games.santorini.ending import judged
from boardwire.games.santorini.events import Built, Event, Forced, Moved, Razed
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import God

if TYPE_CHECKING:
    from boardwire.games.santorini.powers.stride import Stride


def force(p: Position, paths: tuple[tuple[int, int], ...], log: list[Event], god: God) -> Position:
    """Relocate workers by a power, all at once; `paths` has pairs (from, to). This is no move and never wins [1.1]."""
    workers = tuple(find(p, frm) for frm, _ in paths)
    p = relocated(p, paths)
    for (side, worker), (frm, to) in zip(workers, paths, strict=True):
        log.append(p.lineup.as_secret(side, Forced(p.seat, side, worker, frm, to, god)))
    for (side, _), (_, to) in zip(workers, paths, strict=True):
        p = enter(p, side, to, log)
    return p


def follow(p: Position, stride: Stride, log: list[Event]) -> Position:
    """End the match if a move won, otherwise trigger its effects (a win comes before effects [3.16, 3.22])."""
    rules = p.lineup.rules[p.seat]
    if rules.judges or stride.high == 3:
        p = judged(p, stride, log)
        if p.outcome is not None:
            return p
    if rules.entries:
        p = enter(p, stride.side, stride.to, log)
    for seat, effect in rules.move_effects:
        if p.outcome is None and not p.out >> seat & 1:  # a previous effect may have eliminated the owner of this one
            p = effect(p, stride, log)
    return p


def move_on(p: Position, stride: Stride, log: list[Event]) -> Position:
    """Let a power move a worker on after its move; like any move, this may win and triggers effects."""
    side, worker = stride.side, stride.worker
    log.append(p.lineup.as_secret(side, Moved(p.seat, side, worker, stride.frm, stride.to)))
    turn = replace(
        p.turn,
        came=stride.frm,
        moves=p.turn.moves + 1,
        climbed=p.turn.climbed or stride.high > stride.low,
        descended=p.turn.descended or stride.high < stride.low,
    )
    return follow(replace(with_worker(p, side, worker, stride.to), turn=turn), stride, log)


def enter(p: Position, side: int, square: int, log: list[Event]) -> Position:
    """Trigger the effects of a worker that has come onto a square."""
    for entered in p.lineup.rules[p.seat].entries:
        if p.outcome is None:
            p = entered(p, side, square, log)
    return p


def raze(p: Position, at: int, left: int, log: list[Event], god: God) -> Position:
    """Remove blocks by a power, so that `left` remain."""
    log.append(Razed(p.seat, at, left, god))
    p = with_level(p, at, left)
    for effect in p.lineup.rules[p.seat].raze_effects:
        if p.outcome is None:
            p = effect(p, at, log)
    return p


def build(p: Position, by: int, at: int, dome: bool, log: list[Event], god: God | None = None) -> Position:
    """Build a block or a dome."""
    p = replace(p, domes=p.domes | 1 << at, turn=replace(p.turn, domed=True)) if dome else with_block(p, at)
    log.append(Built(p.seat, by, at, level(p, at), dome, god))
    for effect in p.lineup.rules[p.seat].build_effects:
        if p.outcome is None:
            p = effect(p, at, dome, log)
    return p
