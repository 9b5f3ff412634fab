"""What a client knows of a match from what it was told, as a view of the game.

Users are numbered in the order in which they were announced.  A MOVE onto an occupied cell makes two pawns change
places [2]; an ELIMINATION takes the user's pawns away.  It judges nothing: what is legal, the server knows.
"""

from __future__ import annotations

from boardwire.dialects.santorini_lobby.gods import god_called
from boardwire.games.game import Outcome, Seat
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.view import View


class Scene:
    """A board, its users and how far the match has come."""

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
        self.hand = -1
        """The own pawn that was told to act last; what then happens shows that it did."""
        self.moved = False
        self.built: list[int] = []
        self.winner: Seat | None = None

    def seat_of(self, name: str) -> Seat:
        """The number of a user; one that nobody announced is taken in now."""
        if name not in self.users:
            self.users.append(name)
        return self.users.index(name)

    def join(self, name: str) -> None:
        """A user has logged in."""
        self.seat_of(name)

    def take(self, name: str, god: str) -> None:
        """A user has its god; None is one that we do not know."""
        self.gods[self.seat_of(name)] = god_called(god)

    def place(self, name: str, number: int, square: int) -> None:
        """A pawn came onto the board."""
        squares = self.workers.setdefault(self.seat_of(name), [])
        squares += [-1] * (number + 1 - len(squares))
        squares[number] = square
        if self.seat_of(name) not in self.order:
            self.order.append(self.seat_of(name))

    def begin(self, name: str, turn: int) -> None:
        """A turn begins."""
        self.seat, self.turn = self.seat_of(name), turn
        self.pawn, self.hand, self.moved, self.built = -1, -1, False, []

    def walk(self, frm: int, to: int) -> None:
        """A pawn moved, or two changed places."""
        for seat, squares in self.workers.items():
            for number, square in enumerate(squares):
                if square == frm:
                    squares[number] = to
                    if seat == self.seat:
                        self.pawn, self.moved = number, True
                elif square == to:
                    squares[number] = frm
        self._fix()

    def build(self, square: int, level: int, dome: bool) -> None:
        """A cell has a new state."""
        self.levels[square] = level
        (self.domes.add if dome else self.domes.discard)(square)
        self.built.append(square)
        self._fix()

    def _fix(self) -> None:
        """The first pawn that acts in a turn is the one that acts on."""
        if self.pawn < 0:
            self.pawn = self.hand

    def eliminate(self, name: str) -> None:
        """A user is out, with its pawns."""
        seat = self.seat_of(name)
        self.workers[seat] = [-1 for _ in self.workers.get(seat, [])]
        self.out.append(seat)

    @property
    def kind(self) -> Kind:
        """The question that a turn has come to."""
        if not self.moved:
            return Kind.OPEN
        return Kind.BUILD_MORE if self.built else Kind.GO_ON

    def view(self, kind: Kind | None = None, waiting: tuple[Seat, ...] = (), placed: tuple[int, ...] = ()) -> View:
        """As the game's own view, as far as the protocol tells.  `placed` are pawns that the player who is asked has
        chosen cells for."""
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
            seat=self.seat,
            waiting=waiting,
            kind=kind,
            ply=self.turn,
            acting=squares[self.pawn] if 0 <= self.pawn < len(squares) else -1,
            built=tuple(self.built),
            ram=-1,
            offer=self.offer,
            proposer=self.proposer,
            outcome=None if self.winner is None else Outcome("won", (self.winner,)),
        )
