"""Views: the part of a position that a seat may see.

A view is made from the position as the seat may know it (`Power.conceal`), so that hidden facts cannot leak through a
field. Squares are numbered from 0; `levels` do not include domes; a worker that is hidden or off the board is at -1.
"""

from __future__ import annotations

from typing import Final

import msgspec

from boardwire.games.game import CHANCE, Outcome, Seat
from boardwire.games.santorini.actions import (
    Action,
    Aim,
    ChooseStart,
    Done,
    NameStart,
    PickGod,
    PlaceToken,
    ProposeGod,
    Use,
)
from boardwire.games.santorini.board import squares_of
from boardwire.games.santorini.edits import heights, with_memo
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.position import Position
from boardwire.games.santorini.powers.catalogue import God


class View(msgspec.Struct, frozen=True):
    """The match as one seat sees it.

    - `workers`: squares by side and number.
    - `gods`: by seat (None: not picked yet); `powers`: the powers in effect; `memos` and `kept`: the memos of the
      powers and of the gods' cards.
    - `waiting`: the seats that must decide; `kind`: the kind of the decision.
    - `acting`: the square of the acting worker; `built`: the squares built on in the current turn.
    - `closed`: squares that a token closes; `out`: the eliminated seats.
    - `ram`: the square of the Ram; `lent`: the power beside it.
    """

    levels: tuple[int, ...]
    domes: tuple[int, ...]
    closed: tuple[int, ...]
    workers: tuple[tuple[int, ...], ...]
    gods: tuple[God | None, ...]
    powers: tuple[God, ...]
    memos: tuple[tuple[int, ...], ...]
    kept: tuple[tuple[int, ...], ...]
    order: tuple[Seat, ...]
    out: tuple[Seat, ...]
    turn: Seat | None = msgspec.field(name="seat")  # the name in the native protocol
    waiting: tuple[Seat, ...]
    kind: Kind | None
    ply: int
    acting: int
    built: tuple[int, ...]
    ram: int
    offer: tuple[God, ...]
    proposer: Seat | None
    outcome: Outcome | None
    lent: God = God.MORTAL


def known(position: Position, seat: Seat | None) -> Position:
    """Return the position as far as a seat may know it."""
    if not (position.lineup.secretive or position.lineup.secrets):
        return position  # nothing is hidden: the usual case
    side = None if seat is None else position.lineup.side(seat)
    for power in position.lineup.secretive:
        if power.side != side:
            position = power.conceal(position, side)
    for other in position.lineup.secrets:
        if position.lineup.side(other) != side:
            position = with_memo(position, position.lineup.seats + other, ())
    return position


def view(position: Position, seat: Seat | None) -> View:
    """Return what `seat` may see; None is a spectator."""
    p = known(position, seat)
    setup, decision, turn = p.setup, p.decision, p.turn
    return View(
        levels=heights(p),
        domes=tuple(squares_of(p.domes)),
        closed=tuple(squares_of(p.solid)),
        workers=p.workers,
        gods=setup.gods if setup is not None else p.lineup.cards,
        powers=p.lineup.gods,
        memos=tuple(() if power.inward else power.memo(p) for power in p.lineup.powers),
        kept=p.memos[p.lineup.seats :],
        order=p.order,
        out=tuple(squares_of(p.out)),
        turn=None if setup is not None or decision is None else p.seat,
        waiting=decision.seats if decision is not None else (),
        kind=Kind(decision.kind) if decision is not None else None,
        ply=p.ply,
        acting=p.workers[turn.hand][turn.worker] if turn.worker >= 0 else -1,
        built=turn.built,
        ram=p.ram,
        offer=setup.offer if setup is not None else (),
        proposer=setup.proposer if setup is not None else None,
        outcome=p.outcome,
        lent=p.lent,
    )


_SQUARELESS: Final = (Done, Use, Aim, ProposeGod, PickGod, NameStart, ChooseStart)
"""The choices that name no square."""


def conceals(position: Position, seat: Seat, action: Action) -> bool:
    """Return whether a choice reveals a hidden worker, a collision with one, or a secret square."""
    lineup = position.lineup
    if seat == CHANCE or not lineup.secretive or isinstance(action, _SQUARELESS):
        return False
    side = lineup.side(seat)
    if side in lineup.hidden:
        return True
    if position.setup is not None:
        return isinstance(action, PlaceToken) and any(power.seat == seat for power in lineup.secretive)
    return any(foiled(position, action) for foiled in lineup.rules[seat].foils)
