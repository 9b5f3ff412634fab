"""ANSWER: a user's request as actions, by the kind of decision that it answers.

- This module refuses requests that do not fit the position; the table refuses other illegal ones. In both cases only
  the sender receives RESULT false.
- A pawn is a worker identified by its number. After a worker has acted in a turn, requests for the other one, including
  passing, are refused [5.8].
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import StrEnum
from typing import Any, Final, TypeAlias

from boardwire.dialects.dispatch import exhaustive
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.ask import TURN, UNASKABLE, ferrying_square, workers_of
from boardwire.dialects.santorini_lobby.messages import god_by_name, square_of
from boardwire.dialects.santorini_lobby.participant import Participant
from boardwire.games.santorini.actions import DONE, Action, ChooseStart, PickGod, ProposeGod
from boardwire.games.santorini.interned import BLOCKS, DOMES, MOVES, PLACES
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.position import Position

Actions: TypeAlias = tuple[Any, ...]
"""Actions to perform, all or none; empty for a request that must be refused."""


def actions(user: Participant, request: wire.Request) -> Actions:
    """Return the actions of a request."""
    pending = user.match.pending
    if pending is None or isinstance(request, wire.SelectPlayerNumber):
        return ()
    read = ANSWER[pending.kind].get(type(request))
    if read is None or request.user.username != user.names[user.seat]:  # a user is bound to its connection [12.2]
        return ()
    return read(user, request)


def _read_gods(user: Participant, request: wire.SelectGods) -> Actions:
    """Return the proposals of the selected gods, or nothing if there is one god too few or too many."""
    gods = [god for entry in request.gods if (god := god_by_name(entry.name)) is not None]
    if not len(gods) == len(request.gods) == len(user.match.chairs):
        return ()
    return tuple(ProposeGod(god) for god in gods)  # the game refuses a duplicate [12.4]


def _choose_god(user: Participant, request: wire.ChooseGod) -> Actions:
    god = god_by_name(request.god.name)
    return () if god is None else (PickGod(god),)


def _choose_first_player(user: Participant, request: wire.ChooseFirstPlayer) -> Actions:
    first = request.first.username
    return (ChooseStart(user.names.index(first)),) if first in user.names else ()


def _place_pawns(user: Participant, request: wire.PlacePawns) -> Actions:
    first, second = square_of(request.c1), square_of(request.c2)
    return () if first is None or second is None else (PLACES[first], PLACES[second])


def _read_action(user: Participant, request: wire.PawnAction) -> Actions:
    """Return the requested action if it is one of the choices."""
    pending, position = user.match.pending, user.match.position
    if pending is None or user.seat not in pending.seats:
        return ()
    squares = workers_of(position, user.seat)
    if not 0 <= request.id < len(squares) or squares[request.id] < 0:
        return ()
    pawn, at = squares[request.id], square_of(request.coordinate)
    name = wire.ACTIONS.get(request.action.description.lower())
    steps = _STEPS.get(name)
    if steps is not None:
        action = None if at is None else steps[pawn][at]
    elif name == wire.PASS_TURN:
        action = DONE if _may_pass(position, pawn) and (at is not None or request.coordinate is None) else None
    elif name == wire.FERRY:
        action = _ferry_of(pawn, at, pending.choices)
    else:
        return ()
    return (action,) if action in pending.choices else ()


_STEPS: Final[dict[str | None, tuple[tuple[Action, ...], ...]]] = {
    wire.MOVE: MOVES,
    wire.BUILD_BLOCK: BLOCKS,
    wire.BUILD_DOME: DOMES,
}
"""Action by name, square of the pawn and target square."""


def _may_pass(p: Position, pawn: int) -> bool:
    """Return whether no other pawn has acted in this turn."""
    turn = p.turn
    return turn.worker < 0 or p.workers[turn.hand][turn.worker] == pawn


def _ferry_of(pawn: int, at: int | None, choices: Collection[Any]) -> Action | None:
    """Return the ferry of the opponent on a cell, or None. A request may also name the cell where the pawn lands."""
    return next(
        (choice for choice in choices if ferrying_square(choice) == pawn and at in (choice.frm, choice.to)), None
    )


_TURN: Final[dict[type, Callable[[Participant, Any], Actions]]] = {
    wire.CheckAction: _read_action,
    wire.ExecuteAction: _read_action,
}

ANSWER: Final[dict[StrEnum, dict[type, Callable[[Participant, Any], Actions]]]] = exhaustive(
    {
        Kind.PROPOSE_GOD: {wire.SelectGods: _read_gods},
        Kind.PICK_GOD: {wire.ChooseGod: _choose_god},
        Kind.CHOOSE_START: {wire.ChooseFirstPlayer: _choose_first_player},
        Kind.PLACE_WORKER: {wire.PlacePawns: _place_pawns},
        **dict.fromkeys(TURN, _TURN),
    },
    Kind, {}, *UNASKABLE,
)  # fmt: skip
"""Functions that read a request, by kind of decision and class of request; see `ask.py` for the kinds without any."""
