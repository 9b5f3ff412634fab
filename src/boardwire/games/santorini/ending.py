"""The end of a match: wins, eliminations, the ply cap and forfeits [1].

A side that loses is removed with its workers, tokens and powers; the last side standing wins. With two sides that ends
the match; with three, play continues. A single player (practice) has no opponent, so being stuck ends the match without
a winner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from boardwire.games.game import Outcome, Seat
from boardwire.games.santorini.edits import find, with_memo, with_worker
from boardwire.games.santorini.events import Banished, Drawn, Eliminated, Event, PowerChanged, Termination, Won
from boardwire.games.santorini.position import OFF, OVER, Position, Side
from boardwire.games.santorini.powers.catalogue import God

if TYPE_CHECKING:
    from boardwire.games.santorini.powers.stride import Stride


def win(p: Position, side: Side, how: Termination, log: list[Event], god: God | None = None) -> Position:
    """End the match with a win."""
    seats = p.lineup.seats_of(side)
    log.append(Won(seats, how, god))
    return replace(p, outcome=Outcome(how, seats))


def truce(p: Position) -> bool:
    """Return whether a power prevents every win in the current turn."""
    return any(prevents_wins(p) for prevents_wins in p.lineup.rules[p.seat].truces)


def judged(p: Position, stride: Stride, log: list[Event]) -> Position:
    """End the match if a move wins: by the basic rule, then as modified by the powers in their order [1.1]."""
    rules = p.lineup.rules[p.seat]
    winner = stride.side if stride.high == 3 and stride.low < 3 and stride.side == rules.side else -1
    how, god = Termination.CLIMB, None
    for power in rules.judges:
        judged_winner = power.judge(p, stride, winner)
        if judged_winner != winner:
            winner, how, god = judged_winner, Termination.POWER, power.god
    return win(p, winner, how, log, god) if winner >= 0 and not truce(p) else p


def draw(p: Position, how: Termination, log: list[Event]) -> Position:
    """End the match without a winner."""
    log.append(Drawn(how))
    return replace(p, outcome=Outcome(how))


def standing(p: Position) -> tuple[Side, ...]:
    """Return the sides still in the match."""
    return tuple(side for side in range(p.lineup.sides) if not p.out >> side & 1)


def lose(p: Position, seat: Seat, reason: Termination, log: list[Event], god: God | None = None) -> Position:
    """Eliminate the side of a seat; the last side left wins."""
    side = p.lineup.side(seat)
    if p.outcome is not None or p.out >> side & 1:
        return p
    for other in p.lineup.seats_of(side):
        log.append(Eliminated(other, reason, god))
        p = replace(p, out=p.out | 1 << other)
    left = standing(p)
    if len(left) == 1:
        return win(p, left[0], reason, log, god)
    if not left:
        return draw(p, reason, log)
    return _clear_side(p, side, log)


def _clear_side(p: Position, side: Side, log: list[Event]) -> Position:
    """Remove the workers, powers and open questions of an eliminated side; its turn, if it is running, is over."""
    for number, square in enumerate(p.workers[side]):
        if square >= 0:
            log.append(Banished(side, number, square))
            p = with_worker(p, side, number, OFF)
    for seat in p.lineup.seats_of(side):
        p = deal(p, seat, God.MORTAL)
    gone = p.lineup.seats_of(side)
    asks = tuple(ask for ask in p.turn.asks if ask.owner % p.lineup.seats not in gone and ask.seat not in gone)
    if asks != p.turn.asks:
        p = replace(p, turn=replace(p.turn, asks=asks))
    if p.lineup.side(p.seat) == side:
        p = replace(p, turn=replace(p.turn, stage=OVER, asks=()), owed=())
    return p


def deal(p: Position, seat: Seat, card: God) -> Position:
    """Give a seat another card, with the power in its initial state; the tokens of the old power are removed."""
    seats = p.lineup.seats
    for slot in (seat, seats + seat):
        if slot in p.lineup.slots:
            p = p.lineup.slots[slot].leave(p)
    p = replace(p, lineup=p.lineup.dealt(seat, card))
    fresh = p.lineup.fresh
    return with_memo(with_memo(p, seat, fresh[seat]), seats + seat, fresh[seats + seat])


def change_power(p: Position, seat: Seat, god: God, log: list[Event] | None = None) -> Position:
    """Put another power into effect for a seat; the tokens of the old power are removed.

    The new power starts in its initial state, except that a lasting power of the seat's own card keeps its memo.
    """
    old = p.lineup.powers[seat]
    if old.god is god:
        return p
    card_slot = p.lineup.seats + seat
    if old.lasting and old.god is p.lineup.cards[seat]:
        p = with_memo(p, card_slot, old.memo(p))
    p = old.leave(p)
    p = replace(p, lineup=p.lineup.changed(seat, god))
    new = p.lineup.powers[seat]
    keeps_memo = new.lasting and god is p.lineup.cards[seat]
    if log is not None:
        log.append(PowerChanged(seat, god))
    return with_memo(p, seat, p.memos[card_slot] or new.fresh if keeps_memo else new.fresh)


def hand_over(p: Position, giver: Seat, taker: Seat, log: list[Event]) -> Position:
    """Pass the power of a seat to another seat; there it starts in its initial state unless it is lasting."""
    power = p.lineup.powers[giver]
    memo = power.memo(p)
    p = change_power(change_power(p, giver, God.MORTAL, log), taker, power.god, log)
    return with_memo(p, taker, memo) if power.lasting else p


def give(p: Position, seat: Seat, god: God, log: list[Event]) -> Position:
    """Give the power from a seat's card to the seat, or to the seat to which a keeper diverts it."""
    for keeper in p.lineup.keepers:
        seat = keeper.diverts(p, seat)
    return change_power(p, seat, god, log)


def banish(p: Position, square: int, log: list[Event], god: God) -> Position:
    """Remove the worker on a square by a power; a side without workers has lost."""
    side, number = find(p, square)
    log.append(Banished(side, number, square, god))
    p = with_worker(p, side, number, OFF)
    if all(other < 0 for other in p.workers[side]):
        p = lose(p, p.lineup.seats_of(side)[0], Termination.NO_WORKERS, log, god)
    return p
