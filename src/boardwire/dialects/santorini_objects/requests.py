"""A server's request as decisions of the game, and the answer made of what the player chose.

A request may take several decisions (a god and two squares).  `step` gives the next one, or the message to send.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from boardwire.dialects.santorini_objects import classes as wire
from boardwire.dialects.santorini_objects.cells import CELLS, god_of, is_on_board, square_of
from boardwire.dialects.santorini_objects.knowledge import Knowledge
from boardwire.games.game import Decision, Seat
from boardwire.games.santorini.actions import (
    BLOCKS,
    DOMES,
    DONE,
    MOVES,
    PLACES,
    Action,
    Build,
    Move,
    PickGod,
    PlaceWorker,
)
from boardwire.games.santorini.kinds import Kind


class Step(msgspec.Struct, frozen=True):
    """One decision of a request, and the answer once there is one; `only`: a single choice needs no asking."""

    decision: Decision[Action]
    only: bool = False
    answer: Action | None = None


Next: TypeAlias = Step | msgspec.Struct


class Request(msgspec.Struct, frozen=True):
    """A request: `step` of the answers so far is the next decision, or the message that answers it."""

    step: Callable[[tuple[Step, ...]], Next]


def request_of(message: msgspec.Struct, board: Knowledge, seat: Seat) -> Request | None:
    """What a message asks; None if it leaves nothing to do."""
    match message:
        case wire.RequestInitializeGame(god_powers=gods):
            return Request(lambda done: _god_and_workers(gods, board, seat, done))
        case wire.RequestInitializeGodPower(god_powers=gods):
            return Request(lambda done: wire.InitializeGodPower(_name(done)) if done else _pick(gods, seat))
        case wire.RequestInitializeWorkerPositions(possible_positions=cells):
            free = [square_of(cell) for cell in cells if is_on_board(cell)]
            return Request(lambda done: _workers(free, seat, done) or wire.InitializeWorkerPositions(_cells(done)))
        case wire.RequestMove(worker1_moves=one, worker2_moves=two):
            return _steps(board, seat, ((one, two), _NONE), False, False, False)
        case wire.RequestBuild(can_force_dome=force, worker1_builds=one, worker2_builds=two):
            return _steps(board, seat, (_NONE, (one, two)), force, False, False)
        case wire.RequestOptional():
            moves, builds = (
                (message.worker1_moves, message.worker2_moves),
                (message.worker1_builds, message.worker2_builds),
            )
            return _steps(board, seat, (moves, builds), message.can_force_dome, message.can_decline, False)
        case wire.RequestAction():
            moves, builds = (
                (message.worker1_moves, message.worker2_moves),
                (message.worker1_builds, message.worker2_builds),
            )
            return _steps(board, seat, (moves, builds), message.can_force_dome, message.can_decline, True)
    return None


# --- the set-up -----------------------------------------------------------------------------------------------------


def _pick(gods: tuple[str, ...], seat: Seat) -> Next:
    known = tuple(PickGod(god) for god in map(god_of, gods) if god is not None)
    if not known:  # a god we have never heard of, or none at all: there is nothing to choose by
        return wire.InitializeGodPower(gods[0] if gods else "")
    return Step(Decision(Kind.PICK_GOD, (seat,), known), only=True)


def _name(done: tuple[Step, ...]) -> str:
    picked = done[0].answer
    return picked.god.value.capitalize() if isinstance(picked, PickGod) else ""


def _workers(free: list[int], seat: Seat, done: tuple[Step, ...]) -> Step | None:
    """The next worker's square; None when both are placed."""
    taken = [step.answer.at for step in done if isinstance(step.answer, PlaceWorker)]
    if len(taken) == 2:
        return None
    return Step(Decision(Kind.PLACE_WORKER, (seat,), tuple(PLACES[at] for at in free if at not in taken)))


def _cells(done: tuple[Step, ...]) -> tuple[wire.Position, ...]:
    return tuple(CELLS[step.answer.at][0] for step in done if isinstance(step.answer, PlaceWorker))


def _god_and_workers(gods: tuple[str, ...], board: Knowledge, seat: Seat, done: tuple[Step, ...]) -> Next:
    first = _pick(gods, seat)
    if isinstance(first, wire.InitializeGodPower):
        name, placed = first.god_power or "", done
    elif not done:
        return first
    else:
        name, placed = _name(done), done[1:]
    return _workers(board.free(), seat, placed) or wire.InitializeGame(name, _cells(placed))


# --- turns ----------------------------------------------------------------------------------------------------------

_Cells: TypeAlias = tuple[frozenset[wire.Position], frozenset[wire.Position]]
_NONE: _Cells = (frozenset(), frozenset())


def _steps(
    board: Knowledge, seat: Seat, offered: tuple[_Cells, _Cells], force: bool, decline: bool, is_shipped: bool
) -> Request | None:
    """A move, a build or nothing more.  The cells go back as they came, so that their levels are the server's."""
    answers: dict[Action, msgspec.Struct] = {}
    moves, builds = offered
    for worker, square in enumerate(board.workers[seat][:2]):
        for cell in _in_order(moves[worker]):
            answers[MOVES[square][square_of(cell)]] = wire.ConsolidateMove(worker + 1, cell)
        for cell in _in_order(builds[worker]):
            at = square_of(cell)
            if cell.z < 3:
                answers[BLOCKS[square][at]] = wire.ConsolidateBuild(False, worker + 1, cell)
            if cell.z == 3 or force:
                answers[DOMES[square][at]] = wire.ConsolidateBuild(cell.z < 3, worker + 1, cell)
    if decline:
        answers[DONE] = wire.DeclineLastAction() if is_shipped else wire.DeclineLastOptional()
    if not answers:
        return None
    # F: a turn ends only when the client declines, also where nothing else is on offer [3.2.10]
    step = Step(Decision(_kind(board, answers), (seat,), tuple(answers)), only=set(answers) == {DONE})
    return Request(lambda done: answers[done[0].answer] if done and done[0].answer is not None else step)


def _in_order(cells: frozenset[wire.Position]) -> list[wire.Position]:
    return sorted((cell for cell in cells if is_on_board(cell)), key=lambda cell: (cell.x, cell.y))


def _kind(board: Knowledge, answers: dict[Action, msgspec.Struct]) -> Kind:
    if not board.moved:
        return Kind.OPEN
    has_built = any(isinstance(action, Build) for action in answers) and DONE in answers
    has_moves = any(isinstance(action, Move) for action in answers)
    return Kind.BUILD_MORE if has_built and not has_moves else Kind.GO_ON
