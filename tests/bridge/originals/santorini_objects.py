"""The original servers of santorini-objects: F (the final program) and D (the document's)."""

from __future__ import annotations

from typing import Any

import msgspec

from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.dialects.santorini_objects.messages.cells import CELLS, GODS, god_name, god_of, square_of
from boardwire.games.santorini.powers.catalogue import God

from .connections import Connection, Original
from .santorini_board import Board


class ObjectsServer(Original):
    """What F and D have in common: a queue, ids by arrival, and updates to everyone."""

    edition = Edition.D2

    def __init__(self, seed: int, gods: tuple[God, ...] = ()) -> None:
        super().__init__(seed)
        self.seats: list[Connection] = []
        self.size = 2
        self.board = Board(0)
        self.offer: list[God] = list(gods)
        self.asked = 0
        """The id of the player whose answer is awaited."""
        self.over = False

    def tell(self, connection: Connection, message: msgspec.Struct) -> None:
        """Write one message."""
        connection.write(self.edition.encode(message))

    def tell_all(self, message: msgspec.Struct) -> None:
        """Write one message to every player."""
        for connection in self.seats:
            self.tell(connection, message)

    def ask(self, player: int, message: msgspec.Struct) -> None:
        """Write a request to one player."""
        self.asked = player
        self.tell(self.seats[player - 1], message)

    def heard(self, connection: Connection, message: Any) -> None:
        if isinstance(message, Edition) or self.over:
            return
        if not self.board.gods:
            self.login(connection, message)
        else:
            if connection in self.seats:
                self.answered(self.seats.index(connection) + 1, message)

    def login(self, connection: Connection, message: Any) -> None:
        """Take a message of someone who has no seat yet."""
        raise NotImplementedError

    def answered(self, player: int, message: Any) -> None:
        """Take a message of a player."""
        raise NotImplementedError

    def deal(self) -> None:
        """Draw as many gods as players."""
        allowed = [god for god in GODS if self.size == 2 or god is not God.CHRONUS]
        while len(self.offer) < self.size:
            god = self.luck.choice(allowed)
            if god not in self.offer:
                self.offer.append(god)
        self.offer.sort(key=GODS.index)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(god_name(god) for god in self.offer)

    def begin(self) -> None:
        """The queue is full."""
        self.board = Board(self.size)
        self.deal()
        self.tell_all(wire.UpdateInitializeNames(tuple(seat.name for seat in self.seats)))

    def left(self, connection: Connection) -> None:
        if connection not in self.seats or self.over or not self.board.gods:
            if connection in self.seats and not self.board.gods:
                self.seats.remove(connection)
            return
        player = self.seats.index(connection) + 1
        if player - 1 in self.board.out:
            return
        self.end("disconnected", wire.UpdateDisconnection(player))

    def end(self, how: str, message: msgspec.Struct) -> None:
        """Tell everyone, and end the match."""
        self.tell_all(message)
        self.over = True
        winner = getattr(message, "player_id", 0)
        for number, connection in enumerate(self.seats, 1):
            if not connection.closed:
                self.results[connection.name] = ("won" if winner == number else "lost") if how == "won" else how

    def cells(self, squares: list[int]) -> frozenset[wire.Position]:
        """The cells of some squares, with their levels."""
        return frozenset(CELLS[square][self.board.levels[square]] for square in squares)


class FinalServer(ObjectsServer):
    """F.  Faults: Atlas loses his power when Athena climbs, REJECTED repeats no request, a tower win of Chronus may be
    announced for another player, and the match hangs where the last survivor is stuck as well."""

    name = "santorini-objects/shipped"
    edition = Edition.F

    def __init__(self, seed: int, gods: tuple[God, ...] = (), *, announces: bool = True) -> None:
        super().__init__(seed, gods)
        self.dealt: tuple[God, ...] = ()
        self.playing = False
        self.announces = announces
        """Whether a request says that Atlas has lost his power."""

    def login(self, connection: Connection, message: Any) -> None:
        if not isinstance(message, wire.Connection) or connection in self.seats:
            return
        self.size = message.num_of_players
        connection.name = message.name or ""
        for waiting in self.seats:
            self.tell(waiting, wire.Message("HELLO"))
        if connection.name in [seat.name for seat in self.seats]:
            self.tell(connection, wire.Message("ERROR_NOT_VALID_NAME"))
            connection.close()
            return
        self.seats.append(connection)
        if len(self.seats) == self.size:
            for number, seat in enumerate(self.seats, 1):
                self.tell(seat, wire.Message(f"PLAYER_{number}"))
            self.begin()
            self.dealt = tuple(self.offer)
            self.ask(1, wire.RequestInitializeGodPower(1, self.names))

    def answered(self, player: int, message: Any) -> None:
        board = self.board
        if isinstance(message, wire.Message):
            return
        if player != self.asked:
            self.reject(player)
        elif None in board.gods:
            self.god(player, message)
        elif not self.playing:
            self.place(player, message)
        else:
            self.act(player, message)

    def reject(self, player: int) -> None:
        """Refuse; the request is not repeated."""
        self.fault("REJECTED")
        self.tell(self.seats[player - 1], wire.RequestError(player, "REJECTED"))

    def god(self, player: int, message: Any) -> None:
        god = god_of(getattr(message, "god_power", None))
        if god not in self.offer:
            self.reject(player)
            return
        self.offer.remove(god)
        self.board.gods[player - 1] = god
        self.tell_all(wire.UpdateInitializeGodPower(player, god_name(god)))
        if self.offer:
            self.ask(player + 1, wire.RequestInitializeGodPower(player + 1, self.names))
        else:
            self.request_workers(1)

    def request_workers(self, player: int) -> None:
        free = tuple(CELLS[square][0] for square in range(25) if self.board.owner(square) is None)
        self.ask(player, wire.RequestInitializeWorkerPositions(player, free))

    def place(self, player: int, message: Any) -> None:
        cells = getattr(message, "worker_positions", None) or ()
        squares = [square_of(cell) for cell in cells]
        if len(set(squares)) != 2 or any(self.board.owner(square) is not None for square in squares):
            self.reject(player)
            return
        self.board.workers[player - 1] = squares
        self.tell_all(wire.UpdateInitializeWorkerPositions(player, tuple(cells)))
        if player < self.size:
            self.request_workers(player + 1)
        else:
            self.playing = True
            self.turn(0, first=True)

    def turn(self, seat: int, *, first: bool = False) -> None:
        self.board.begin(seat)
        self.tell_all(wire.UpdateShippedTurn(first, seat + 1))
        self.request()

    @property
    def has_lost_power(self) -> bool:
        return self.board.athena_has_climbed

    def request(self) -> None:
        """Ask the current player, or let it lose."""
        board = self.board
        if (chronus := board.tower_winner()) is not None:
            picked = [god for god in board.gods if god is not None]
            index = self.dealt.index(God.CHRONUS)
            if picked[index] is not God.CHRONUS:
                self.fault("Chronus wins for another player")
            self.win(index if picked[index] is not God.CHRONUS else chronus)
            return
        player = board.seat + 1
        moves = [self.cells(board.move_cells(worker)) for worker in (0, 1)]
        builds = [self.cells(board.build_cells(worker)) for worker in (0, 1)]
        if not board.may_end and not any((*moves, *builds)):
            self.lose(player)
            return
        force = board.god is God.ATLAS and not (self.announces and self.has_lost_power)
        optional = (board.may_end or not board.moves) and any(builds)
        self.ask(
            player,
            wire.RequestAction(
                board.may_end, force, optional, board.moves > 0 and any(moves), player,
                builds[0], moves[0], builds[1], moves[1],
            ),
        )  # fmt: skip

    def lose(self, player: int) -> None:
        board = self.board
        following = board.next_seat()
        board.eliminate(player - 1)
        self.tell_all(wire.UpdateLoser(player))
        self.results[self.seats[player - 1].name] = "lost"
        self.tell_all(wire.UpdateShippedTurn(False, following + 1))
        if len(board.alive) == 1:
            board.begin(following)
            if board.is_stuck():
                self.fault("the last survivor is stuck as well")
                self.tell_all(wire.UpdateLoser(following + 1))
                self.tell_all(wire.UpdateShippedTurn(False, following + 1))
                self.asked = 0
                return
            self.win(following)
        else:
            board.begin(following)
            self.request()

    def win(self, seat: int) -> None:
        self.end("won", wire.UpdateWinner(seat + 1))
        for connection in self.seats:
            connection.close()

    def act(self, player: int, message: Any) -> None:
        board = self.board
        match message:
            case wire.ConsolidateMove(worker_id=number, new_position=cell) if cell is not None and cell in self.cells(
                board.move_cells(number - 1)
            ):
                moved, won = board.move(number - 1, square_of(cell))
                if board.gods[board.seat] is God.MINOTAUR:
                    moved.reverse()
                updates = tuple(
                    wire.UpdateShippedMove(
                        seat + 1, worker + 1, CELLS[to][board.levels[to]], CELLS[frm][board.levels[frm]]
                    )
                    for seat, worker, frm, to in moved
                )
                self.tell_all(wire.UpdateActions((), updates))
                if won:
                    self.win(board.seat)
                    return
            case wire.ConsolidateBuild(force_dome=force, worker_id=number, new_position=cell) if (
                cell is not None and self.may_build(cell, force=force)
            ):
                self.build(number - 1, square_of(cell), cell, force=force)
            case wire.DeclineLastAction():
                self.turn(board.next_seat())
                return
            case _:
                self.reject(player)
                return
        self.request()

    def may_build(self, cell: wire.Position, *, force: bool) -> bool:
        board = self.board
        if cell not in self.cells([*board.build_cells(0), *board.build_cells(1)]):
            return False
        return not force or (board.god is God.ATLAS and not self.has_lost_power)

    def build(self, worker: int, at: int, cell: wire.Position, *, force: bool) -> None:
        board = self.board
        own = board.workers[board.seat][worker]
        dome = board.build(worker, at, dome=force)
        moves: tuple[wire.UpdateShippedMove, ...] = ()
        if own == at:  # Zeus rises with the block
            moves = (wire.UpdateShippedMove(board.seat + 1, worker + 1, CELLS[at][board.levels[at]], cell),)
        self.tell_all(wire.UpdateActions((wire.UpdateBuild(dome, cell),), moves))


class DocumentServer(ObjectsServer):
    """D.  Faults: displaced workers are not told, everyone wins by stepping down two levels, optional steps do not
    exist, and a player who is stuck gets a request without cells: the match never ends."""

    name = "santorini-objects"
    edition = Edition.D2

    def login(self, connection: Connection, message: Any) -> None:
        if not isinstance(message, wire.Message):
            return
        text = message.message or ""
        if connection not in self.seats:
            self.size = int(text[0])
            self.seats.append(connection)
            if len(self.seats) == self.size:
                self.tell(self.seats[0], wire.Message("Player's name"))
            return
        connection.name = text
        unnamed = [seat for seat in self.seats if not seat.name]
        if unnamed:
            self.tell(unnamed[0], wire.Message("Player's name"))
            return
        for number, seat in enumerate(self.seats, 1):
            self.tell(seat, wire.Message(f"You are player {number}"))
        self.begin()
        self.ask(1, wire.RequestInitializeGame(1, self.names))

    def answered(self, player: int, message: Any) -> None:
        board = self.board
        if player != self.asked:
            return  # nothing of it is checked; our client does not do that
        match message:
            case wire.InitializeGame(god_power=name, worker_positions=cells):
                god = god_of(name)
                assert god is not None
                self.offer.remove(god)
                board.gods[player - 1] = god
                board.workers[player - 1] = [square_of(cell) for cell in cells or () if cell is not None]
                self.tell_all(wire.UpdateInitializeGame(player, name or "", tuple(cells or ())))  # type: ignore[arg-type]  # cells are not None, see above
                if player < self.size:
                    self.ask(player + 1, wire.RequestInitializeGame(player + 1, self.names))
                else:
                    self.turn(0)
            case wire.ConsolidateMove(worker_id=number, new_position=cell) if cell is not None:
                to = square_of(cell)
                frm = board.workers[board.seat][number - 1]
                moved, won = board.move(number - 1, to)
                self.tell_all(wire.UpdateMove(player, number, cell))
                if won or board.levels[frm] - board.levels[to] >= 2:
                    if not won:
                        self.fault("everybody wins by stepping down two levels")
                    self.end("won", wire.UpdateWinner(player))
                    return
                if len(moved) > 1:
                    self.fault("a displaced worker is not told")
                self.request_build()
            case wire.ConsolidateBuild(force_dome=force, worker_id=number, new_position=cell) if cell is not None:
                dome = board.build(max(0, number - 1), square_of(cell), dome=force)
                self.tell_all(wire.UpdateBuild(dome, cell))
                self.turn(board.next_seat())

    def turn(self, seat: int) -> None:
        board = self.board
        board.begin(seat)
        self.tell_all(wire.UpdateTurn(seat + 1))
        moves = [self.cells(board.move_cells(worker)) for worker in (0, 1)]
        if not any(moves):
            self.fault("a player who is stuck is asked for ever")
        self.ask(seat + 1, wire.RequestMove(seat + 1, *moves))

    def request_build(self) -> None:
        board = self.board
        builds = [self.cells(board.build_cells(worker)) for worker in (0, 1)]
        if not any(builds):
            self.fault("a player who is stuck is asked for ever")
        self.ask(board.seat + 1, wire.RequestBuild(board.god is God.ATLAS, board.seat + 1, *builds))

    def end(self, how: str, message: msgspec.Struct) -> None:
        super().end(how, message)  # the sockets stay open


class OldDocumentServer(DocumentServer):
    """D1: the same conversation, with the older optional class that is never sent."""

    name = "santorini-objects/d1"
    edition = Edition.D1
