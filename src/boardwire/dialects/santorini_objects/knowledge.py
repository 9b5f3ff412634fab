"""What a client knows of the match: the board as far as the server's messages tell it.

The original D server does not say where a displaced worker went (protocol page, 4), so a worker that moves onto another
displaces it as its god does; a server that says it, says the same.
"""

from __future__ import annotations

from collections.abc import Iterable

from boardwire.dialects.santorini_objects import classes as wire
from boardwire.dialects.santorini_objects.cells import god_of, is_on_board, square_of
from boardwire.games.game import Decision, Outcome, Seat
from boardwire.games.santorini.actions import Action
from boardwire.games.santorini.board import BEHIND, SQUARES
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.view import View


class Knowledge:
    """The board, the players and the turn."""

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
        self.moved = False
        self.built: list[int] = []

    def name(self, player: int) -> str:
        """What player number `player` is called."""
        return self.names[player - 1] if 0 < player <= len(self.names) else f"Player {player}"

    def set_names(self, names: Iterable[str | None]) -> None:
        """The players' names are told; their number is that of the seats."""
        told = [name or f"Player {n}" for n, name in enumerate(names, 1)]
        more = len(told) - len(self.names)
        self.names = told
        self.workers += [[] for _ in range(more)]
        self.gods += [None] * more

    def set_god(self, player: int, name: str) -> None:
        """A player's god is told."""
        self.gods[player - 1] = god_of(name) or God.MORTAL

    def set_workers(self, player: int, cells: Iterable[wire.Position]) -> None:
        """A player's workers come onto the board."""
        self.workers[player - 1] = [square_of(cell) for cell in cells if is_on_board(cell)]

    def begin_turn(self, player: int) -> None:
        """It is this player's turn."""
        self.turns += self.seat is not None
        self.seat = player - 1
        self.acting, self.moved, self.built = -1, False, []

    def move(self, player: int, worker: int, cell: wire.Position) -> None:
        """A worker stands elsewhere."""
        side, to = player - 1, square_of(cell)
        if not 0 < worker <= len(self.workers[side]):
            return
        frm = self.workers[side][worker - 1]
        self._displace(self.gods[side], frm, to)
        self.workers[side][worker - 1] = to
        if side == self.seat:
            self.acting, self.moved = to, True

    def _displace(self, god: God | None, frm: int, to: int) -> None:
        if god is God.APOLLO:
            away = frm
        elif god is God.MINOTAUR:
            away = BEHIND[frm][to]
        else:
            return
        for squares in self.workers:
            if to in squares and away >= 0:
                squares[squares.index(to)] = away

    def build(self, dome: bool, cell: wire.Position) -> None:
        """A block or a dome was built."""
        square = square_of(cell)
        self.built.append(square)
        if dome:
            self.domes.add(square)
        else:
            self.levels[square] = min(3, cell.z + 1)

    def lose(self, player: int) -> None:
        """A player is out and its workers leave."""
        self.out.add(player - 1)
        self.workers[player - 1] = []

    def free(self) -> list[int]:
        """The squares where nobody stands."""
        taken = {square for squares in self.workers for square in squares}
        return [square for square in SQUARES if square not in taken]

    def view(
        self, decision: Decision[Action] | None = None, winner: Seat | None = None, placed: tuple[int, ...] = ()
    ) -> View:
        """The match in the game's own terms.  `placed` are workers that the asked player has chosen squares for."""
        asked = decision.seats[0] if decision is not None else None
        workers = [placed if placed and seat == asked else tuple(own) for seat, own in enumerate(self.workers)]
        return View(
            levels=tuple(self.levels),
            domes=tuple(sorted(self.domes)),
            closed=(),
            workers=tuple(workers),
            gods=tuple(self.gods),
            powers=tuple(god or God.MORTAL for god in self.gods),
            memos=((),) * len(self.names),
            kept=((),) * len(self.names),
            order=tuple(range(len(self.names))),
            out=tuple(sorted(self.out)),
            seat=self.seat,
            waiting=decision.seats if decision is not None else (),
            kind=Kind(decision.kind) if decision is not None else None,
            ply=self.turns,
            acting=self.acting,
            built=tuple(self.built),
            ram=-1,
            offer=(),
            proposer=None,
            outcome=None if winner is None else Outcome("told", (winner,)),
        )
