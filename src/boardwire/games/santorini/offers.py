"""The steps that the current turn offers, without lookahead.

All offers are built from `targets` and `sites`: the own power extends them, then others limit them [1.1]. Powers call
them too. `lookahead` removes the steps after which the turn cannot be finished.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from boardwire.games.santorini.actions import DONE_ONLY, Actions
from boardwire.games.santorini.board import in_reach
from boardwire.games.santorini.edits import free, worker_mask
from boardwire.games.santorini.interned import blocks, domes, moves
from boardwire.games.santorini.position import BUILT, CLOSE, MOVED, OPEN, Position

if TYPE_CHECKING:
    from boardwire.games.santorini.lineup import Rules

MAX_MOVES_PER_TURN: Final = 100
"""An endless walk would be legal, but it changes nothing, and a match must end."""


def targets(p: Position, frm: int) -> int:
    """Return the squares the worker on `frm` may move to in this turn."""
    return limited(p, frm, p.lineup.rules[p.seat].reach(p, frm))


def limited(p: Position, frm: int, squares: int) -> int:
    """Apply the limits of others to target squares that a power allows."""
    rules = p.lineup.rules[p.seat]
    for closed in rules.closers:
        squares &= ~closed(p)
    for limit in rules.move_limits:
        squares = limit(p, frm, squares)
    return squares


def sites(p: Position, by: int) -> tuple[int, int]:
    """Return the squares on which the worker on `by` may build a block, and a dome, in this turn."""
    rules = p.lineup.rules[p.seat]
    block, dome = rules.spots(p, by)
    return limited_sites(p, by, block, dome) if rules.build_limits or rules.closers else (block, dome)


def limited_sites(p: Position, by: int, block: int, dome: int) -> tuple[int, int]:
    """Apply the limits of others to building sites that a power allows."""
    rules = p.lineup.rules[p.seat]
    for closed in rules.closers:
        shut = closed(p)
        block &= ~shut
        dome &= ~shut
    for limit in rules.build_limits:
        block, dome = limit(p, by, block, dome)
    return block, dome


def room(p: Position, squares: Iterable[int]) -> int:
    """Return the squares where any of the workers on these squares may build."""
    squares_left = 0
    for by in squares:
        block, dome = sites(p, by)
        squares_left |= block | dome
    return squares_left


def builds(p: Position, by: int) -> Actions:
    """Return all builds of the worker on `by`."""
    block, dome = sites(p, by)
    return blocks(by, block) + domes(by, dome)


def landing(p: Position) -> int:
    """Return the squares onto which the acting seat may force a worker: free squares that are not closed to it."""
    squares = free(p)
    for closed in p.lineup.rules[p.seat].closers:
        squares &= ~closed(p)
    return squares


def victims(p: Position) -> int:
    """Return the foes' workers that the acting seat's power may target."""
    rules = p.lineup.rules[p.seat]
    squares = p.occupied & ~worker_mask(p, rules.side)
    for closed in rules.closers:
        squares &= ~closed(p)
    return squares


def veiled(p: Position, rules: Rules) -> Position:
    """Return the position as far as the acting seat may know it."""
    for conceal in rules.veils:
        p = conceal(p, rules.side)
    return p


def offers(p: Position) -> Actions:
    """Return all steps of the current stage of the turn."""
    turn = p.turn
    if turn.asks:
        ask = turn.asks[0]
        return p.lineup.slots[ask.owner].replies(p, ask.topic)
    stage = turn.stage
    rules = p.lineup.rules[p.seat]
    if stage == OPEN:
        return _opening_offers(p, rules)
    if stage == MOVED:
        return _offers_after_move(p, rules)
    if stage == BUILT and rules.more_builds:
        offered = rules.more_builds(p)
        return offered + DONE_ONLY if offered else ()
    if stage == CLOSE and rules.closings:
        offered = rules.closings(p)
        return offered if not offered or rules.own.must_close(p) else offered + DONE_ONLY
    return ()


def _opening_offers(p: Position, rules: Rules) -> Actions:
    """Return the offers at the start of a turn: openings and moves."""
    offered: Actions = rules.openings(p) if rules.openings else ()
    own, closers, limits = rules.own, rules.closers, rules.move_limits
    b1, b2, b3, blocked = p.b1, p.b2, p.b3, p.occupied | p.domes | p.solid
    for frm in own.movers(p):
        to = in_reach(own.adjacent[frm], frm, b1, b2, b3, blocked) if rules.plain_reach else own.reach(p, frm)
        for closed in closers:
            to &= ~closed(p)
        for limit in limits:
            to = limit(p, frm, to)
        offered += moves(frm, to)
    return offered


def _offers_after_move(p: Position, rules: Rules) -> Actions:
    """Return the offers after a move: more moves and builds."""
    offered: Actions = rules.more_moves(p) if rules.more_moves and p.turn.moves < MAX_MOVES_PER_TURN else ()
    spots, is_limited = rules.spots, rules.build_limits or rules.closers
    for by in rules.own.builders(p):
        block, dome = spots(p, by)
        if is_limited:
            block, dome = limited_sites(p, by, block, dome)
        offered += blocks(by, block) + domes(by, dome) if dome else blocks(by, block)
    if rules.skips and rules.skips(p):
        offered += DONE_ONLY
    return offered
