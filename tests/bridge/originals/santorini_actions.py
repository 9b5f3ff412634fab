"""The original servers of santorini-actions: the shipped program, and the one of the document's own date."""

from __future__ import annotations

from typing import Any

import msgspec

from boardwire.dialects.santorini_actions.messages import replies, requests
from boardwire.dialects.santorini_actions.messages.battlefield import BLOCKS, COLORS, DOME, CellInterface
from boardwire.dialects.santorini_actions.messages.cards import card, god_of
from boardwire.dialects.santorini_actions.steps import Step
from boardwire.games.santorini.board import AROUND
from boardwire.games.santorini.powers.catalogue import God

from .connections import Connection, Original
from .santorini_board import RING, Board

DECK = (
    God.APOLLO, God.ARTEMIS, God.ATHENA, God.ATLAS, God.DEMETER, God.HEPHAESTUS, God.MINOTAUR, God.PAN, God.PROMETHEUS,
    God.ARES, God.CHRONUS, God.HESTIA, God.TRITON, God.ZEUS,
)  # fmt: skip
OPTIONAL = frozenset({Step.MOVE_SPECIAL, Step.MOVE_UNTIL, Step.BUILD_SPECIAL, Step.REMOVE})
STEPS = {
    God.ARTEMIS: (Step.MOVE, Step.MOVE_SPECIAL, Step.BUILD),
    God.DEMETER: (Step.MOVE, Step.BUILD, Step.BUILD_SPECIAL),
    God.HEPHAESTUS: (Step.MOVE, Step.BUILD, Step.BUILD_SPECIAL),
    God.HESTIA: (Step.MOVE, Step.BUILD, Step.BUILD_SPECIAL),
    God.PROMETHEUS: (Step.BUILD, Step.MOVE, Step.BUILD),
    God.ARES: (Step.MOVE, Step.BUILD, Step.REMOVE),
    God.TRITON: (Step.MOVE, Step.MOVE_UNTIL, Step.BUILD),
}
PLAIN = (Step.MOVE, Step.BUILD)


def java_order(names: list[str]) -> list[str]:
    """Return the names in the order of a Java HashMap's keys."""

    def bucket(name: str) -> int:
        code = 0
        for letter in name:
            code = (31 * code + ord(letter)) & 0xFFFFFFFF
        return (code ^ code >> 16) & 15

    return sorted(names, key=bucket)


class ShippedServer(Original):
    """The shipped program.  Faults: the result of a player who is stuck is told only after its `setStartTurn`, results
    are repeated, and after an elimination among three the first player of the list goes on."""

    name = "santorini-actions/shipped"
    pings = True

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.players: dict[str, Connection] = {}
        self.order: list[str] = []
        self.size = 2
        self.board = Board(0)
        self.offer: list[str] = []
        self.chosen: list[str] = []
        """The names of those who have a card, in that order."""
        self.steps: list[Step] = []
        self.at = 0
        self.over = False
        self.turns: dict[str, int] = {}

    # --- saying -------------------------------------------------------------------------------------------------------

    def tell(self, name: str, message: msgspec.Struct) -> None:
        connection = self.players[name]
        if self.order and self.order.index(name) in self.board.out and not isinstance(message, replies.YouLose):
            return  # who is out hears nothing more
        connection.write(replies.write(message))  # type: ignore[arg-type]  # one of its replies

    def tell_all(self, message: msgspec.Struct) -> None:
        for name in self.order:
            self.tell(name, message)

    def accepted(self, connection: Connection) -> None:
        if self.pings:
            connection.write(replies.PING)

    def matrix(self) -> list[list[CellInterface]]:
        board = self.board
        cells = []
        for at in range(25):
            owner, dome = board.owner(at), at in board.domes
            cells.append(
                CellInterface(
                    player=None if owner is None else self.order[owner],
                    workerColor=None if owner is None else COLORS[owner],
                    height=board.levels[at] + dome,
                    lastBlock=DOME if dome else BLOCKS[board.levels[at]],
                )
            )
        return [cells[row : row + 5] for row in range(0, 25, 5)]

    def update(self) -> None:
        self.tell_all(replies.BattlefieldUpdate(self.matrix()))

    def view(self, name: str, cells: list[int]) -> None:
        flags = [[5 * x + y in cells for y in range(5)] for x in range(5)]
        self.tell(name, replies.WorkerViewUpdate(flags))

    # --- hearing ------------------------------------------------------------------------------------------------------

    def heard(self, connection: Connection, message: Any) -> None:
        request = requests.read(message)
        if isinstance(request, requests.AddPlayer):
            self.add(connection, request)
        elif connection.name and self.order and not self.over:
            self.answer(connection.name, request)

    def add(self, connection: Connection, request: requests.AddPlayer) -> None:
        name = request.playerNickname.lower()
        taken = name in self.players
        connection.write(
            replies.write(replies.AddPlayerResponse(request.playerNickname, request.lobbySize, True, not taken, False))
        )
        if taken:
            return
        self.players[name] = connection
        connection.name = name
        self.size = request.lobbySize
        if len(self.players) == self.size:
            self.order = self.seated(list(self.players))
            self.board = Board(self.size)
            self.tell_all(replies.SetPickedCards(self.order[0]))

    def seated(self, names: list[str]) -> list[str]:
        """The order of play; the first is the god player."""
        return java_order(names)

    def answer(self, name: str, request: Any) -> None:
        board, seat = self.board, self.order.index(name)
        if seat in board.out:
            return
        match request:
            case requests.GetDeck():
                cards = [self.card(god) for god in DECK if self.size == 2 or god is not God.CHRONUS]
                self.tell(name, replies.GetDeckResponse(replies.Pile(cards)))
            case requests.GetPlayers():
                players = [
                    replies.PlayerInterface(one, COLORS[self.order.index(one)], self.god(one).name)
                    for one in self.chosen
                ]
                self.tell(name, replies.GetPlayersResponse(players))
            case requests.GetBattlefield():
                self.tell(name, replies.GetBattlefieldResponse(self.matrix()))
            case requests.SetPickedCards(cards=cards) if seat == 0 and not self.offer and not self.chosen:
                self.offer = list(cards)
                self.tell(self.order[1], replies.SetPlayerCard(list(self.offer)))
            case requests.SetPlayerCard(card=chosen) if chosen in self.offer:
                self.pick(name, seat, chosen)
            case requests.SetWorkersPosition(workersPosition=places):
                self.place(seat, [5 * place.x + place.y for place in places])
            case requests.SetStartTurn(basicTurn=plain) if seat == board.seat:
                self.start(name, plain)
            case requests.SelectWorker(x=x, y=y) if seat == board.seat:
                board_worker = board.workers[seat].index(5 * x + y)
                self.selected = board_worker
                self.view(name, self.cells(self.step, board_worker))
            case requests.PlayStep(x=x, y=y) if seat == board.seat:
                self.play(name, 5 * x + y)
            case requests.SkipStep() if seat == board.seat and self.step in OPTIONAL:
                self.skip(name)

    def card(self, god: God) -> Any:
        return card(god)

    def god(self, name: str) -> God:
        god = self.board.gods[self.order.index(name)]
        assert god is not None
        return god

    def pick(self, name: str, seat: int, chosen: str) -> None:
        self.offer.remove(chosen)
        self.board.gods[seat] = god_of(chosen)
        self.chosen.append(name)
        if self.offer:
            self.tell(self.order[(seat + 1) % self.size], replies.SetPlayerCard(list(self.offer)))
        else:
            self.tell(self.order[0], replies.SetWorkersPosition([0, 1]))

    def place(self, seat: int, squares: list[int]) -> None:
        for square in squares:
            self.board.workers[seat].append(square)
            self.update()
        if seat + 1 < self.size:
            self.tell(self.order[seat + 1], replies.SetWorkersPosition([2 * seat + 2, 2 * seat + 3]))
        else:
            self.board.begin(0)
            self.tell_all(replies.ActualPlayer(self.order[0]))

    # --- the turn -----------------------------------------------------------------------------------------------------

    @property
    def step(self) -> Step:
        return self.steps[self.at] if self.at < len(self.steps) else Step.END

    def grammar(self, god: God) -> tuple[Step, ...]:
        return STEPS.get(god, PLAIN)

    def start(self, name: str, plain: bool) -> None:
        board = self.board
        board.begin(board.seat, plain=plain)
        self.steps, self.at, self.selected = list(PLAIN if plain else self.grammar(self.god(name))), 0, 0
        if not any(self.cells(self.step, worker) for worker in (0, 1)):
            self.eliminate(name, 2)
            return
        self.turns[name] = self.turns.get(name, 0) + 1
        self.started(name, plain)

    def started(self, name: str, plain: bool) -> None:
        self.tell(name, replies.SetStartTurnResponse(name, plain, self.step))

    def cells(self, step: Step, worker: int) -> list[int]:
        board = self.board
        match step:
            case Step.MOVE | Step.MOVE_SPECIAL | Step.MOVE_UNTIL:
                return board.move_cells(worker)
            case Step.BUILD | Step.BUILD_SPECIAL:
                return board.build_cells(worker)
            case Step.REMOVE:
                other = board.workers[board.seat][1 - worker]
                return [
                    at for at in AROUND[other] if board.levels[at] and at not in board.domes and board.owner(at) is None
                ]
        return []

    def play(self, name: str, cell: int) -> None:
        board, worker = self.board, self.selected
        assert cell in self.cells(self.step, worker), "our client plays what the view shows"
        won = False
        match self.step:
            case Step.MOVE | Step.MOVE_SPECIAL | Step.MOVE_UNTIL:
                moved, won = board.move(worker, cell)
                if len(moved) > 1:
                    self.update()
            case Step.BUILD | Step.BUILD_SPECIAL:
                board.build(worker, cell, dome=board.god is God.ATLAS)
            case Step.REMOVE:
                board.levels[cell] -= 1
        self.update()
        if won or board.tower_winner() is not None:
            self.win(name if won else self.order[board.tower_winner() or 0], name, cell)
            return
        stays = self.step is Step.MOVE_UNTIL or (self.step is Step.MOVE and Step.MOVE_UNTIL in self.steps)
        if stays and board.workers[board.seat][worker] in RING:
            self.at = self.steps.index(Step.MOVE_UNTIL)
        elif stays:
            self.at = self.steps.index(Step.BUILD)
        else:
            self.at += 1
        self.go_on(name, cell, played=True)

    def skip(self, name: str) -> None:
        self.at += 1
        self.go_on(name, 0, played=False)

    def go_on(self, name: str, cell: int, *, played: bool) -> None:
        """Say what step follows, or end the turn."""
        board = self.board
        while self.step in OPTIONAL and not self.cells(self.step, self.selected):
            self.at += 1
        if self.step is not Step.END and not self.cells(self.step, self.selected):
            self.fault("a turn runs into a dead end")
            self.eliminate(name, 3 if self.step is Step.BUILD else 1)
            return
        if self.step is Step.END:
            following = board.next_seat()
            board.begin(following)
            self.tell(self.order[following], replies.ActualPlayer(self.order[following]))
        else:
            self.view(name, self.cells(self.step, self.selected))
        if played:
            at = self.place_told(name, cell)
            self.tell(name, replies.PlayStepResponse(at // 5, at % 5, self.step))
        else:
            self.tell(name, replies.SkipStepResponse(self.step))

    def place_told(self, name: str, cell: int) -> int:
        own = self.board.workers[self.order.index(name)]
        return own[1 - self.selected] if self.step is Step.REMOVE else own[self.selected]

    # --- the end ------------------------------------------------------------------------------------------------------

    def eliminate(self, name: str, wins: int) -> None:
        board, seat = self.board, self.order.index(name)
        following = board.next_seat()
        board.eliminate(seat)
        self.tell(name, replies.YouLose())
        self.results[name] = "lost"
        self.update()
        if len(board.alive) == 1:
            last = self.order[board.alive[0]]
            for _ in range(wins):
                self.tell(last, replies.YouWin())
            self.tell(last, replies.ActualPlayer(last))
            self.results[last] = "won"
            self.over = True
            return
        first = board.alive[0]
        if first != following:
            self.fault("after an elimination the wrong player goes on")
        board.begin(first)
        self.tell(self.order[first], replies.ActualPlayer(self.order[first]))

    def win(self, winner: str, actor: str, cell: int) -> None:
        for name in self.order:
            if self.order.index(name) not in self.board.out:
                self.tell(name, replies.YouWin() if name == winner else replies.YouLose())
                self.results[name] = "won" if name == winner else "lost"
        self.tell(actor, replies.PlayStepResponse(cell // 5, cell % 5, Step.END))
        self.over = True

    def left(self, connection: Connection) -> None:
        name = connection.name
        if not name or self.over:
            return
        if not self.order:
            del self.players[name]
        elif self.order.index(name) not in self.board.out:
            self.over = True
            for other in self.order:
                if not self.players[other].closed:
                    self.tell(other, replies.ServerError(replies.DISCONNECTED))
                    self.results.setdefault(other, "disconnected")
                    self.players[other].close()


class DocumentDateServer(ShippedServer):
    """The program of the document's own date.  Faults: no view for special steps, a surplus view before the second
    turn, the match goes on after a win, and an elimination among three passes the turn to no one."""

    name = "santorini-actions"
    pings = False

    def seated(self, names: list[str]) -> list[str]:
        return names

    def card(self, god: God) -> Any:
        return msgspec.structs.replace(card(god), chooseBasic=False)

    def grammar(self, god: God) -> tuple[Step, ...]:
        old = {
            God.PROMETHEUS: (Step.BUILD_SPECIAL, Step.MOVE, Step.BUILD),
            God.TRITON: (Step.MOVE_UNTIL, Step.BUILD),
        }
        return old.get(god) or super().grammar(god)

    def started(self, name: str, plain: bool) -> None:
        if self.turns[name] > 1:
            self.view(name, [])
        super().started(name, plain)

    def view(self, name: str, cells: list[int]) -> None:
        if self.step in OPTIONAL and self.at:
            self.fault("no view for a special step")
            return
        super().view(name, cells)

    def place_told(self, name: str, cell: int) -> int:
        return cell

    def win(self, winner: str, actor: str, cell: int) -> None:
        self.tell(actor, replies.PlayStepResponse(cell // 5, cell % 5, Step.BUILD))
        for name in self.order:
            if self.order.index(name) not in self.board.out:
                self.tell(name, replies.YouWin() if name == winner else replies.YouLose())
                self.results[name] = "won" if name == winner else "lost"
        self.over = True

    def eliminate(self, name: str, wins: int) -> None:
        board = self.board
        if len(board.alive) > 2:
            self.fault("after an elimination no one goes on")
            board.out.add(self.order.index(name))
            self.tell(name, replies.YouLose())
            self.results[name] = "lost"
            return
        super().eliminate(name, 1)
