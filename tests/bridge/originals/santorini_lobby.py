"""The original server of santorini-lobby."""

from __future__ import annotations

from typing import Any

from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.messages import IDENTIFIERS, OFFERED_GODS, god_by_name, square_of
from boardwire.games.santorini.board import AROUND, BEHIND, WRAPPED, squares_of
from boardwire.games.santorini.powers.catalogue import God

from .connections import Connection, Original
from .santorini_board import TOP, Board

BUILD = (wire.BUILD_BLOCK, wire.BUILD_DOME)


class LobbyServer(Original):
    """The program.  Faults: after a build of level 3 it offers Hephaestus a second build that cannot be, lists domes
    without a cell, goes on with ACTION_READY after WIN, and dies where the last player is stuck as well."""

    name = "santorini-lobby"

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.users: dict[str, Connection] = {}
        self.size = 0
        self.challenger = ""
        self.offer: list[God] = []
        self.chosen: dict[str, God] = {}
        self.order: list[str] = []
        self.board = Board(0)
        self.turn = -1
        self.kinds: tuple[str, ...] = ()
        self.over = False

    def tell_all(self, message: wire.Event) -> None:
        for connection in self.connections:
            connection.write(wire.encode(message))

    def accepted(self, connection: Connection) -> None:
        if self.size:
            connection.write(wire.encode(wire.SizeSelected(self.size)))
        for user in self.users:
            connection.write(wire.encode(wire.UserJoined(wire.User(user))))

    def heard(self, connection: Connection, message: Any) -> None:
        request = wire.parse_request(message)
        if isinstance(request, wire.Ping):
            return
        taken = not self.over and self.take(connection, request)
        connection.write(wire.encode(wire.Result(taken)))
        if self.over:
            connection.close()

    def take(self, connection: Connection, request: Any) -> bool:
        match request:
            case wire.SelectPlayerNumber(size=size):
                if self.size or size not in (1, 2, 3):
                    return False
                self.size = size
                self.tell_all(wire.SizeSelected(size))
                return True
            case wire.AddUser(user=wire.User(username=name)):
                return self.add(connection, name)
            case wire.SelectGods(user=wire.User(username=name), gods=gods):
                return self.select(name, [god_by_name(god.name) for god in gods])
            case wire.ChooseGod(user=wire.User(username=name), god=god):
                return self.choose(name, god_by_name(god.name))
            case wire.ChooseFirstPlayer(user=wire.User(username=name), first=wire.User(username=first)):
                return self.first(name, first)
            case wire.PlacePawns(user=wire.User(username=name), c1=one, c2=two):
                return self.place(name, [square_of(one), square_of(two)])
            case wire.CheckAction() | wire.ExecuteAction():
                return self.deed(request)
        return False

    def add(self, connection: Connection, name: str) -> bool:
        if not self.size or not 0 < len(name) <= 15 or name in self.users or len(self.users) == self.size:
            return False
        self.users[name] = connection
        connection.name = connection.name or name
        self.tell_all(wire.UserJoined(wire.User(name)))
        if len(self.users) == self.size:
            self.tell_all(wire.GodsAvailable(tuple(IDENTIFIERS[god] for god in OFFERED_GODS)))
        return True

    def select(self, name: str, gods: list[God | None]) -> bool:
        if self.challenger or name not in self.users or len(gods) != self.size or None in gods:
            return False
        self.challenger = name
        self.offer = [god for god in gods if god is not None]
        self.tell_offer()
        return True

    def tell_offer(self) -> None:
        self.tell_all(wire.GodsAvailable(tuple(IDENTIFIERS[god] for god in self.offer)))

    def choose(self, name: str, god: God | None) -> bool:
        if name in self.chosen or name == self.challenger or god not in self.offer or name not in self.users:
            return False
        self.give(name, god)
        if len(self.offer) == 1:
            self.give(self.challenger, self.offer[0])
        self.tell_offer()
        return True

    def give(self, name: str, god: God | None) -> None:
        assert god is not None
        self.chosen[name] = god
        self.offer.remove(god)
        self.tell_all(wire.GodChosen(wire.User(name), IDENTIFIERS[god]))

    def first(self, name: str, first: str) -> bool:
        if name != self.challenger or len(self.chosen) < self.size or first == name or first not in self.users:
            return False
        names = list(self.chosen)
        at = names.index(first)
        self.order = names[at:] + names[:at]
        self.board = Board(self.size)
        self.board.gods = [self.chosen[one] for one in self.order]
        self.tell_all(wire.RequestPlacePawns(wire.User(first)))
        return True

    def place(self, name: str, squares: list[int | None]) -> bool:
        board = self.board
        waiting = next((seat for seat, own in enumerate(board.workers) if not own), None)
        if waiting is None or self.order[waiting] != name or len(set(squares)) != 2:
            return False
        cells = [square for square in squares if square is not None and board.owner(square) is None]
        if len(cells) != 2:
            return False
        board.workers[waiting] = cells
        for number, square in enumerate(cells):
            self.tell_all(wire.PawnPlaced(wire.User(name), number, wire.CELLS[square]))
        if waiting + 1 < self.size:
            self.tell_all(wire.RequestPlacePawns(wire.User(self.order[waiting + 1])))
        else:
            self.begin(0)
        return True

    # --- the turn -----------------------------------------------------------------------------------------------------

    def begin(self, seat: int) -> None:
        """Begin a turn; who is stuck is out."""
        board = self.board
        self.turn += 1
        board.begin(seat)
        self.tell_all(wire.TurnChange(wire.User(self.order[seat]), self.turn))
        self.ready()
        if not any(self.targets(worker, kind) for worker in (0, 1) for kind in self.kinds):
            self.eliminate(seat)

    def ready(self) -> None:
        """List the kinds of the step."""
        board = self.board
        if board.moves == 0:
            kinds: tuple[str, ...] = (wire.MOVE,)
            if board.god is God.PROMETHEUS and not board.early:
                kinds = (wire.MOVE, *BUILD)
            if board.god is God.CHARON and not self.ferried:
                kinds = (wire.MOVE, wire.FERRY)
        elif not board.may_end:
            again = board.god is God.ARTEMIS and board.moves == 1
            kinds = (wire.MOVE, *BUILD) if again else BUILD
        elif board.god is God.HEPHAESTUS:
            kinds = (wire.BUILD_BLOCK, wire.PASS_TURN)
        else:
            kinds = (*BUILD, wire.PASS_TURN)
        self.kinds = kinds
        names = tuple(wire.ActionName(kind) for kind in kinds)
        self.tell_all(wire.ActionReady(wire.User(self.order[board.seat]), names))

    ferried = False

    def targets(self, worker: int, kind: str) -> list[int]:
        """Return the cells where an action of a kind is legal now."""
        board = self.board
        if board.worker not in (None, worker):
            return []
        at = board.workers[board.seat][worker]
        match kind:
            case wire.MOVE:
                cells = board.move_cells(worker)
                if board.god is God.URANIA and board.moves == 0:
                    cells = [to for to in squares_of(WRAPPED[at]) if board.may_enter(at, to)]
                return cells
            case wire.BUILD_BLOCK | wire.BUILD_DOME:
                cells = board.build_cells(worker)
                if board.god is God.URANIA and board.moves and not board.built:
                    cells = [
                        to
                        for to in squares_of(WRAPPED[at])
                        if to not in board.domes and board.owner(to) is None and not board._is_by_limus(to)
                    ]
                high = [to for to in cells if board.levels[to] == TOP]
                if kind == wire.BUILD_BLOCK:
                    return [to for to in cells if to not in high]
                return cells if board.god is God.ATLAS else [to for to in high if to != at]
            case wire.FERRY:
                return [
                    frm
                    for frm in AROUND[at]
                    if board.owner(frm) not in (None, board.seat)
                    and (to := BEHIND[frm][at]) >= 0
                    and board.owner(to) is None
                    and to not in board.domes
                ]
        return [at]

    def deed(self, request: wire.CheckAction | wire.ExecuteAction) -> bool:
        board, kind, worker = self.board, request.action.description, request.id
        square = square_of(request.coordinate)
        if self.turn < 0 or request.user.username != self.order[board.seat] or kind not in self.kinds:
            return False
        if square is None or worker not in (0, 1) or board.worker not in (None, worker):
            return False
        if kind != wire.PASS_TURN and square not in self.targets(worker, kind):
            return False
        if isinstance(request, wire.ExecuteAction):
            self.execute(kind, worker, square)
        return True

    def execute(self, kind: str, worker: int, square: int) -> None:
        board = self.board
        match kind:
            case wire.MOVE:
                moved, won = board.move(worker, square)
                if board.god is God.APOLLO or len(moved) == 1:
                    moved = moved[:1]  # the others see a swap
                else:
                    moved.reverse()
                for _, _, frm, to in moved:
                    self.tell_all(wire.Move(wire.CELLS[frm], wire.CELLS[to]))
                if won:
                    self.win(board.seat)
                    self.ready()  # the turn goes on
                    return
            case wire.BUILD_BLOCK | wire.BUILD_DOME:
                board.build(worker, square, dome=kind == wire.BUILD_DOME)
                building = wire.Building(f"LEVEL{board.levels[square]}", square in board.domes)
                self.tell_all(wire.Build(building, wire.CELLS[square]))
            case wire.FERRY:
                own = board.workers[board.seat][worker]
                foe, to = board.owner(square), BEHIND[square][own]
                assert foe is not None
                board.workers[foe][board.workers[foe].index(square)] = to
                board.worker, self.ferried = worker, True
                self.tell_all(wire.Move(wire.CELLS[square], wire.CELLS[to]))
            case wire.PASS_TURN:
                self.end_turn()
                return
        if (chronus := board.tower_winner()) == board.seat and chronus is not None:
            self.win(chronus)
            self.end_turn()
            return
        self.go_on()

    def go_on(self) -> None:
        board = self.board
        after = len(board.built) - board.early
        more = board.god in (God.HEPHAESTUS, God.DEMETER, God.HESTIA) and after == 1
        if board.may_end and not more:
            self.end_turn()
            return
        if board.may_end and board.god is God.HEPHAESTUS and not board.build_cells(board.worker or 0):
            self.fault("Hephaestus is offered a second build that cannot be")
        self.ready()
        pawn = board.worker or 0
        if not board.may_end and not any(self.targets(pawn, kind) for kind in self.kinds):
            self.fault("a turn runs into a dead end")
            self.eliminate(board.seat)

    def end_turn(self) -> None:
        self.ferried = False
        self.begin(self.board.next_seat())

    def eliminate(self, seat: int) -> None:
        board = self.board
        following = board.next_seat()
        board.eliminate(seat)
        self.ferried = False
        self.tell_all(wire.Elimination(wire.User(self.order[seat])))
        self.results[self.order[seat]] = "lost"
        if len(board.alive) > 1:
            self.begin(following)
            return
        board.begin(following)
        if not any(self.targets(worker, kind) for worker in (0, 1) for kind in (wire.MOVE,)):
            self.fault("the last player is stuck as well")
            self.clock.later(20.0, self.lose_lobby)
            return
        self.turn += 1
        self.tell_all(wire.TurnChange(wire.User(self.order[following]), self.turn))
        self.ready()
        self.win(following)

    def lose_lobby(self) -> None:
        """The stack has overflowed; pings find the lobby dead later."""
        self.fail("Connection to user ", f'User: "{self.order[0]}" has been lost.')

    def win(self, seat: int) -> None:
        self.tell_all(wire.Win(wire.User(self.order[seat])))
        for place, name in enumerate(self.order):
            if place not in self.board.out:
                self.results[name] = "won" if place == seat else "lost"
        self.over = True

    def fail(self, kind: str, text: str) -> None:
        if not self.over:
            self.tell_all(wire.ServerError(kind, text))
            self.over = True
            for name in self.users:
                self.results.setdefault(name, "disconnected")

    def left(self, connection: Connection) -> None:
        self.connections.remove(connection)
        name = next((user for user, one in self.users.items() if one is connection), "")
        if name:
            self.fail("User disconnected", f'User: "{name}" disconnected. Terminating.')
