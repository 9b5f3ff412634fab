"""Client-side model of a match, and candidate actions for a turn.

- Users are numbered in the order in which they were announced.
- A MOVE onto an occupied cell swaps two pawns [3]; an ELIMINATION removes the user's pawns.
- The protocol lists kinds of action, not cells, and servers may have further gods. So the client sends a CHECK_ACTION
  for each candidate, and the actions that the server grants are the choices. For an unknown god, or if no adjacent cell
  is legal, every cell is a candidate.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.messages import god_by_name
from boardwire.errors import Malformed
from boardwire.games.game import Outcome, Seat
from boardwire.games.santorini.actions import DONE, Action, Build, Done, Force, Move
from boardwire.games.santorini.board import AROUND, BEHIND, SQUARES, WRAPPED, squares_of
from boardwire.games.santorini.events import Termination
from boardwire.games.santorini.interned import BLOCKS, DOMES, MOVES
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import square_name
from boardwire.games.santorini.view import View

D = TypeVar("D", bound=wire.PawnAction)


class Model:
    """Board, users and progress of a match."""

    def __init__(self) -> None:
        self.size = 0
        self.users: list[str] = []
        self.gods: dict[Seat, God | None] = {}
        self.offer: tuple[God, ...] = ()
        self.proposer: Seat | None = None
        self.order: list[Seat] = []
        self.out: list[Seat] = []
        self.levels = [0] * 25
        self.domes: set[int] = set()
        self.workers: dict[Seat, list[int]] = {}
        self.turn = 0
        self.seat: Seat | None = None
        self.pawn = -1
        """The pawn that has acted in this turn; -1: none."""
        self.hand = -1
        """The client's pawn in the last request, which the events that follow confirm."""
        self.moved = False
        self.built: list[int] = []
        self.winner: Seat | None = None

    def seat_of(self, name: str) -> Seat:
        """Return the index of a user; add a user who was not announced."""
        if name not in self.users:
            self.users.append(name)
        return self.users.index(name)

    def set_god(self, name: str, god: str) -> None:
        """Store a user's god, or None for an unknown one."""
        self.gods[self.seat_of(name)] = god_by_name(god)
        if len(self.gods) == self.size > 1:
            self.proposer = self.seat_of(name)  # the challenger gets the last god [5.5]

    def place_pawn(self, name: str, number: int, square: int) -> None:
        """Put a pawn on its first cell; users place in order of play."""
        squares = self.workers.setdefault(self.seat_of(name), [])
        squares += [-1] * (number + 1 - len(squares))
        squares[number] = square
        if self.seat_of(name) not in self.order:
            self.order.append(self.seat_of(name))

    def begin_turn(self, name: str, turn: int) -> None:
        """Begin a user's turn, in which no pawn has acted yet."""
        self.seat, self.turn = self.seat_of(name), turn
        self.pawn, self.hand, self.moved, self.built = -1, -1, False, []

    def move_pawn(self, frm: int, to: int) -> None:
        """Move a pawn, or swap two."""
        for seat, squares in self.workers.items():
            for number, square in enumerate(squares):
                if square == frm:
                    squares[number] = to
                    if seat == self.seat:
                        self.pawn, self.moved = number, True
                elif square == to:
                    squares[number] = frm
        self._fix_pawn()

    def build(self, square: int, level: int, dome: bool) -> None:
        """Set the new state of a cell."""
        self.levels[square] = level
        (self.domes.add if dome else self.domes.discard)(square)
        self.built.append(square)
        self._fix_pawn()

    def _fix_pawn(self) -> None:
        """Note the pawn that has acted, which must complete the turn."""
        if self.pawn < 0:
            self.pawn = self.hand

    def eliminate(self, name: str) -> None:
        """Remove an eliminated user's pawns."""
        seat = self.seat_of(name)
        self.workers[seat] = [-1 for _ in self.workers.get(seat, [])]
        self.out.append(seat)

    @property
    def kind(self) -> Kind:
        """The kind of decision that the turn has reached."""
        if not self.moved:
            return Kind.OPEN
        return Kind.BUILD_MORE if self.built else Kind.GO_ON

    def view(self, kind: Kind | None = None, waiting: tuple[Seat, ...] = (), placed: tuple[int, ...] = ()) -> View:
        """Return the match as a view of the game, as far as the protocol reveals it.

        `waiting` are the seats that must decide, `placed` the cells that the player has chosen for pawns and not sent.
        """
        seats = range(max(self.size, len(self.users)))
        squares = self.workers.get(self.seat, []) if self.seat is not None else []
        return View(
            levels=tuple(self.levels),
            domes=tuple(sorted(self.domes)),
            closed=(),
            workers=tuple(
                placed if placed and seat in waiting else tuple(self.workers.get(seat, ())) for seat in seats
            ),
            gods=tuple(self.gods.get(seat) for seat in seats),
            powers=tuple(self.gods.get(seat) or God.MORTAL for seat in seats),
            memos=((),) * len(seats),
            kept=(),
            order=tuple(self.order) or tuple(seats),
            out=tuple(self.out),
            turn=self.seat,
            waiting=waiting,
            kind=kind,
            ply=self.turn,
            acting=squares[self.pawn] if 0 <= self.pawn < len(squares) else -1,
            built=tuple(self.built),
            ram=-1,
            offer=self.offer,
            proposer=self.proposer,
            outcome=None if self.winner is None else Outcome(Termination.GIVEN, (self.winner,)),
        )


def candidate_actions(model: Model, seat: Seat, kinds: tuple[str, ...], wide: bool = False) -> tuple[Action, ...]:
    """Return candidate actions of the kinds in ACTION_READY, on adjacent cells or, if `wide`, on all cells."""
    names = {wire.ACTIONS.get(kind.lower(), kind) for kind in kinds}
    return tuple(dict.fromkeys(_candidates(model, seat, names, wide)))


def _candidates(model: Model, seat: Seat, kinds: set[str], wide: bool) -> Iterator[Action]:
    """Yield the actions that may be legal, for the server to check; `wide`: of every pawn, on every cell."""
    pawns = model.workers.get(seat, [])
    for pawn in pawns if wide or model.pawn < 0 else [pawns[model.pawn]]:
        if pawn < 0:
            continue
        for at in SQUARES if wide else _cells_around(pawn, model.gods.get(seat, God.MORTAL)):
            if wire.MOVE in kinds and at != pawn and at not in model.domes:
                yield MOVES[pawn][at]
            if at not in model.domes and wire.BUILD_BLOCK in kinds and model.levels[at] < 3:
                yield BLOCKS[pawn][at]
            if at not in model.domes and wire.BUILD_DOME in kinds and at != pawn:
                yield DOMES[pawn][at]
            across = BEHIND[at][pawn]
            if wire.FERRY in kinds and across >= 0:
                yield Force(at, across)
    if wire.PASS_TURN in kinds:
        yield DONE


def _cells_around(pawn: int, god: God | None) -> tuple[int, ...]:
    """Return the cells where a pawn may act: its own, for Zeus, and the adjacent ones; Urania's board wraps around."""
    if god is God.URANIA:
        return (pawn, *squares_of(WRAPPED[pawn]))
    return SQUARES if god is None else (pawn, *AROUND[pawn])


def to_request(kind: type[D], model: Model, seat: Seat, action: Action) -> D:
    """Return the request that checks or executes an action."""
    squares = model.workers[seat]
    match action:
        case Move(frm, to):
            pawn, name, at = frm, wire.MOVE, to
        case Build(by, site, dome):
            pawn, name, at = by, wire.BUILD_DOME if dome else wire.BUILD_BLOCK, site
        case Force(frm, to):
            pawn, name, at = (frm + to) // 2, wire.FERRY, frm
        case Done():
            pawn = squares[max(model.pawn, 0)]
            name, at = wire.PASS_TURN, pawn
        case _:
            raise ValueError(f"santorini-lobby cannot express {action}")
    if pawn not in squares:
        raise Malformed(f"the pawn is no longer on {square_name(pawn)}: it has moved since the server asked")
    user = wire.User(model.users[seat])
    return kind(user=user, id=squares.index(pawn), action=wire.ActionName(name), coordinate=wire.CELLS[at])
