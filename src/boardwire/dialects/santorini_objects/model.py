"""Client-side model of a match, and server requests as decisions of the game.

- The original D server does not report displaced workers [13]. So the model displaces a worker by the mover's god; the
  report of a server that sends one has the same effect.
- A request may need several decisions (a god and two squares): `Request.step` returns the next one, or the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

import msgspec

from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.dialects.santorini_objects.messages.cells import CELLS, god_of, is_on_board, square_of
from boardwire.games.game import Decision, Outcome, Seat
from boardwire.games.santorini.actions import DONE, Action, Build, Move, PickGod, PlaceWorker
from boardwire.games.santorini.board import BEHIND, SQUARES
from boardwire.games.santorini.events import Termination
from boardwire.games.santorini.interned import BLOCKS, DOMES, MOVES, PLACES
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.view import View


class Model:
    """Board, players and turn."""

    def __init__(self, seats: int) -> None:
        self.names = [f"Player {seat + 1}" for seat in range(seats)]
        self.levels = [0] * len(SQUARES)
        self.domes: set[int] = set()
        self.workers: list[list[int]] = [[] for _ in range(seats)]
        self.gods: list[God | None] = [None] * seats
        self.out: set[Seat] = set()
        self.seat: Seat | None = None
        self.turns = 0
        self.acting = -1
        """Square of the worker that has moved in this turn; -1: none."""
        self.moved = False
        self.built: list[int] = []

    def name(self, player: int) -> str:
        """Return the name of player number `player`."""
        return self.names[player - 1] if 0 < player <= len(self.names) else f"Player {player}"

    def set_names(self, names: Iterable[str | None]) -> None:
        """Set the players' names, and the number of seats to their count."""
        all_names = [name or f"Player {n}" for n, name in enumerate(names, 1)]
        more = len(all_names) - len(self.names)
        self.names = all_names
        self.workers += [[] for _ in range(more)]
        self.gods += [None] * more

    def set_god(self, player: int, name: str) -> None:
        self.gods[player - 1] = god_of(name) or God.MORTAL

    def set_workers(self, player: int, cells: Iterable[wire.Position]) -> None:
        self.workers[player - 1] = [square_of(cell) for cell in cells if is_on_board(cell)]

    def begin_turn(self, player: int) -> None:
        self.turns += self.seat is not None
        self.seat = player - 1
        self.acting, self.moved, self.built = -1, False, []

    def move(self, player: int, worker: int, cell: wire.Position) -> None:
        side, to = player - 1, square_of(cell)
        if not 0 < worker <= len(self.workers[side]):
            return
        frm = self.workers[side][worker - 1]
        self._displace_worker(self.gods[side], frm, to)
        self.workers[side][worker - 1] = to
        if side == self.seat:
            self.acting, self.moved = to, True

    def _displace_worker(self, god: God | None, frm: int, to: int) -> None:
        """Move the worker that a move of Apollo or Minotaur displaces: document servers do not report it."""
        if god is God.APOLLO:
            displaced_to = frm
        elif god is God.MINOTAUR:
            displaced_to = BEHIND[frm][to]
        else:
            return
        for squares in self.workers:
            if to in squares and displaced_to >= 0:
                squares[squares.index(to)] = displaced_to

    def build(self, dome: bool, cell: wire.Position) -> None:
        square = square_of(cell)
        self.built.append(square)
        if dome:
            self.domes.add(square)
        else:
            self.levels[square] = min(3, cell.z + 1)

    def lose(self, player: int) -> None:
        """Remove an eliminated player's workers."""
        self.out.add(player - 1)
        self.workers[player - 1] = []

    def free(self) -> list[int]:
        """Return the squares without a worker."""
        occupied = {square for squares in self.workers for square in squares}
        return [square for square in SQUARES if square not in occupied]

    def view(
        self,
        decision: Decision[Action] | None = None,
        winner: Seat | None = None,
        placed: tuple[int, ...] = (),
        god: God | None = None,
    ) -> View:
        """Return the match as a view of the game.

        `placed` and `god` are choices of the player that have not been sent to the server.
        """
        deciding_seat = decision.seats[0] if decision is not None else None
        gods = [god if god is not None and seat == deciding_seat else own for seat, own in enumerate(self.gods)]
        workers = [placed if placed and seat == deciding_seat else tuple(own) for seat, own in enumerate(self.workers)]
        return View(
            levels=tuple(self.levels),
            domes=tuple(sorted(self.domes)),
            closed=(),
            workers=tuple(workers),
            gods=tuple(gods),
            powers=tuple(own or God.MORTAL for own in gods),
            memos=((),) * len(self.names),
            kept=((),) * len(self.names),
            order=tuple(range(len(self.names))),
            out=tuple(sorted(self.out)),
            turn=self.seat,
            waiting=decision.seats if decision is not None else (),
            kind=Kind(decision.kind) if decision is not None else None,
            ply=self.turns,
            acting=self.acting,
            built=tuple(self.built),
            ram=-1,
            offer=(),
            proposer=None,
            outcome=None if winner is None else Outcome(Termination.GIVEN, (winner,)),
        )


# --- requests -------------------------------------------------------------------------------------------------------


class Step(msgspec.Struct, frozen=True):
    """One decision of a request, and its answer. `only`: a single choice is taken without a question."""

    decision: Decision[Action]
    only: bool = False
    answer: Action | None = None


Next: TypeAlias = Step | msgspec.Struct


class Request(msgspec.Struct, frozen=True):
    """A server request. `step` maps the answers so far to the next decision or to the answering message."""

    step: Callable[[tuple[Step, ...]], Next]


def request_of(message: msgspec.Struct, board: Model, seat: Seat) -> Request | None:
    """Return the request in a message, or None if it requires no answer."""
    match message:
        case wire.RequestInitializeGame(god_powers=gods):
            return Request(lambda answered: _god_and_workers(gods, board, seat, answered))
        case wire.RequestInitializeGodPower(god_powers=gods):
            return Request(
                lambda answered: wire.InitializeGodPower(_picked_name(answered)) if answered else _pick_step(gods, seat)
            )
        case wire.RequestInitializeWorkerPositions(possible_positions=cells):
            free = [square_of(cell) for cell in cells if is_on_board(cell)]
            return Request(
                lambda answered: (
                    _placement_step(free, seat, answered) or wire.InitializeWorkerPositions(_placed_cells(answered))
                )
            )
        case wire.RequestMove(worker1_moves=first, worker2_moves=second):
            return _step_request(board, seat, ((first, second), _NONE), False, False, False)
        case wire.RequestBuild(can_force_dome=force, worker1_builds=first, worker2_builds=second):
            return _step_request(board, seat, (_NONE, (first, second)), force, False, False)
        case wire.RequestOptional() | wire.RequestAction():
            moves = message.worker1_moves, message.worker2_moves
            builds = message.worker1_builds, message.worker2_builds
            shipped = isinstance(message, wire.RequestAction)
            return _step_request(board, seat, (moves, builds), message.can_force_dome, message.can_decline, shipped)
    return None


# --- the set-up -----------------------------------------------------------------------------------------------------


def _pick_step(gods: tuple[str, ...], seat: Seat) -> Next:
    """Return the choice of a god, or the reply if the player cannot choose."""
    picks = tuple(PickGod(god) for god in map(god_of, gods) if god is not None)
    if not picks:  # only unknown gods, or none: the player cannot choose
        return wire.InitializeGodPower(gods[0] if gods else "")
    return Step(Decision(Kind.PICK_GOD, (seat,), picks), only=True)


def _picked_name(answered: tuple[Step, ...]) -> str:
    pick = answered[0].answer
    return pick.god.value.capitalize() if isinstance(pick, PickGod) else ""


def _placement_step(free: list[int], seat: Seat, answered: tuple[Step, ...]) -> Step | None:
    """Return the decision for the next worker's square, or None when both are placed."""
    chosen_squares = [step.answer.at for step in answered if isinstance(step.answer, PlaceWorker)]
    if len(chosen_squares) == 2:
        return None
    return Step(Decision(Kind.PLACE_WORKER, (seat,), tuple(PLACES[at] for at in free if at not in chosen_squares)))


def _placed_cells(answered: tuple[Step, ...]) -> tuple[wire.Position, ...]:
    return tuple(CELLS[step.answer.at][0] for step in answered if isinstance(step.answer, PlaceWorker))


def _god_and_workers(gods: tuple[str, ...], board: Model, seat: Seat, answered: tuple[Step, ...]) -> Next:
    first = _pick_step(gods, seat)
    if isinstance(first, wire.InitializeGodPower):
        name, placed = first.god_power or "", answered
    elif not answered:
        return first
    else:
        name, placed = _picked_name(answered), answered[1:]
    return _placement_step(board.free(), seat, placed) or wire.InitializeGame(name, _placed_cells(placed))


# --- turns ----------------------------------------------------------------------------------------------------------

_Cells: TypeAlias = tuple[frozenset[wire.Position], frozenset[wire.Position]]
_NONE: _Cells = (frozenset(), frozenset())


def _step_request(
    board: Model, seat: Seat, offered: tuple[_Cells, _Cells], force: bool, decline: bool, is_shipped: bool
) -> Request | None:
    """Return the request for a move, a build or a decline.

    Answers have the cells as received, and so the server's levels.
    """
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
    # F: a turn ends only when the client declines, even if declining is the only choice [7.8]
    step = Step(Decision(_kind_of(board, answers), (seat,), tuple(answers)), only=set(answers) == {DONE})
    return Request(
        lambda answered: answers[answered[0].answer] if answered and answered[0].answer is not None else step
    )


def _in_order(cells: frozenset[wire.Position]) -> list[wire.Position]:
    return sorted((cell for cell in cells if is_on_board(cell)), key=lambda cell: (cell.x, cell.y))


def _kind_of(board: Model, answers: dict[Action, msgspec.Struct]) -> Kind:
    """Return the kind of decision that a request means: a move, a further build, or either."""
    if not board.moved:
        return Kind.OPEN
    has_built = any(isinstance(action, Build) for action in answers) and DONE in answers
    has_moves = any(isinstance(action, Move) for action in answers)
    return Kind.BUILD_MORE if has_built and not has_moves else Kind.GO_ON
