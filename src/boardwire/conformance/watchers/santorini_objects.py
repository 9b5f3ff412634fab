"""Watcher of santorini-objects: both forms of the document's edition, and the shipped program's.

A request lists the legal replies, and moves and builds are reported one by one, so the match is followed by the rules.
Players and workers are numbered from 1, as on the wire.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from boardwire.conformance.display import show
from boardwire.conformance.finding import Phrase, Rule, Side, rules_of
from boardwire.conformance.java_objects import JavaObjectFramer
from boardwire.conformance.watchers import refusals
from boardwire.conformance.watchers.santorini_states import Board, PositionTracker, SantoriniWatcher
from boardwire.conformance.watchers.watcher import CROSSING_SECONDS, Unreadable, Watcher
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.dialects.santorini_objects.messages import texts
from boardwire.dialects.santorini_objects.messages.cells import god_of, is_on_board, square_of
from boardwire.dialects.santorini_objects.model import Model
from boardwire.errors import Objection
from boardwire.games.santorini import Rule as GameRule
from boardwire.games.santorini.actions import Action, Build, Move
from boardwire.games.santorini.powers.catalogue import God
from boardwire.wire.javastream import Framing

_rule, _ruling = rules_of("santorini-objects")

LOGIN: Final = _rule("login", "6.1", "the first message of a client gives the number of players")
TEXT: Final = _rule("text", "6.3", "a text of the server is one of the specification's")
NUMBER: Final = _rule("number", "7.2", "each player gets a number of its own: its position in the list of names")
ASKED: Final = _rule("asked", "9", "a client gives one of the offered answers")
REFUSED: Final = _rule("refused", "9", "an answer that was not offered changes nothing, and the request is repeated")
TAKEN: Final = _rule("taken", "9", "an answer that was offered is accepted")
OFFER: Final = _rule("offer", "6.6", "a request offers what the rules allow, and only to the player to move")
REPORTED: Final = _rule("told", "6.7", "reported moves and builds follow from the answer by the rules")
TURN: Final = _rule("turn", "6.6", "players take turns in the order of their numbers")
UNCHECKED: Final = _ruling(
    "unchecked", "12.8", "the server refuses an answer that was not offered, and repeats the request"
)
DEAD_END: Final = _ruling("dead-end", "6.6", "actions after which the turn cannot be finished are not offered")
STUCK: Final = _ruling("stuck", "6", "a player has lost when no turn can be finished, and not before")
WON: Final = _rule("won", "6.8", "UpdateWinner names the winner, and is the last message")

_TEXTS: Final = frozenset(
    {texts.ASK_NAME, texts.HELLO, texts.BAD_NUMBER, texts.BAD_NAME}
    | {form.format(number) for form in (texts.NUMBER, texts.SHIPPED_NUMBER) for number in (1, 2, 3)}
)

_FITTING: Final[dict[type, tuple[type, ...]]] = {
    wire.RequestInitializeGame: (wire.InitializeGame,),
    wire.RequestInitializeGodPower: (wire.InitializeGodPower,),
    wire.RequestInitializeWorkerPositions: (wire.InitializeWorkerPositions,),
    wire.RequestMove: (wire.ConsolidateMove,),
    wire.RequestBuild: (wire.ConsolidateBuild,),
    wire.RequestOptional: (wire.ConsolidateMove, wire.ConsolidateBuild, wire.DeclineLastOptional),
    wire.RequestAction: (wire.ConsolidateMove, wire.ConsolidateBuild, wire.DeclineLastAction),
}
"""The classes that may answer each request."""

_REQUESTS: Final[tuple[Any, ...]] = tuple(_FITTING)
_Cells: TypeAlias = tuple[frozenset[wire.Position], frozenset[wire.Position]]
_SETTING_UP_REQUESTS: Final = _REQUESTS[:3]
_SETTING_UP: Final = (wire.InitializeGame, wire.InitializeGodPower, wire.InitializeWorkerPositions)


class _Outdated(NamedTuple):
    """A request that another player's choice outdated at time `at`, with the squares that were free for it."""

    request: Any
    free: frozenset[int]
    at: float


class DialectWatcher(SantoriniWatcher):
    """Watcher of santorini-objects."""

    dead_end, stuck = DEAD_END, STUCK
    framer = partial(JavaObjectFramer, Framing.EACH)
    framing = _rule("framing", "2", "every message is a separate Java object stream")
    unknown = _rule("unknown", "4", "an object is of a class of the specification, with its fields")

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._model = Model(2)
        self._player_name = ""
        self._asks_name = False
        self.seat = -1
        self.names: tuple[str | None, ...] = ()
        self._request: Any = None
        """The open request."""
        self._last_request: Any = None
        """The latest request, also after its answer, to recognize a repetition."""
        self._legal: bool | None = None
        """Whether the pending reply was offered; None if there is no reply, or this is unknown."""
        self._answer: Any = None
        """The client's answer that awaits the server's reply."""
        self._board_unexplained = False
        self._is_shipped_client = self.edition == "shipped"
        """Whether the client has logged in as the shipped program does."""
        self._outdated_request: _Outdated | None = None
        self.expect(Side.CLIENT, "the number of players")

    def read(self, side: Side, message: Any) -> Any:
        return None if isinstance(message, Edition) else message

    # --- the client ---------------------------------------------------------------------------------------------------

    def client(self, message: Any) -> None:
        if isinstance(message, Unreadable) or self.lost or self.over:
            return
        match message:
            case wire.Connection(name=name):
                self._player_name, self._is_shipped_client = name or "", True
                self.expect(Side.SERVER, "PLAYER_ and a number, once all players have connected")
            case wire.Message(message=text):
                if self._asks_name:
                    self._player_name, self._asks_name = text or "", False
            case _ if isinstance(message, wire.REQUESTS):
                self._judge_answer(message)

    def _judge_answer(self, message: Any) -> None:
        """Check a reply from the client against the open request."""
        if self._request is None:
            if self._answer is None and not self.crosses:
                self.blame(Side.CLIENT, ASKED, "got {} without a question", show(message))
            return
        legal = self._is_offered(message, self._request, set(self._model.free()))
        if legal is False and self._answers_outdated(message):
            self.expect_again()
            self.expect_reply(self._refusal, "the request again", "answer")
            return
        if legal is False:
            request_name, why = type(self._request).__name__, self._reason(message)
            self.blame(Side.CLIENT, ASKED, "got {} in reply to {}, but {}", show(message), request_name, why)
        self._outdated_request = None
        self._legal, self._answer = legal, message
        if not legal:
            self.expect_again()
            self.expect_reply(self._refusal, "the request again", "answer")
            return
        self._request = None
        if not isinstance(message, _SETTING_UP):  # the server may wait for the choices of others [10]
            self.expect_reply(TAKEN, "the result of the answer", "answer")

    @property
    def _refusal(self) -> Rule:
        """The rule that a reply which was not offered is refused: a ruling, except for the shipped program."""
        return REFUSED if self._is_shipped_client else UNCHECKED

    def _answers_outdated(self, message: Any) -> bool:
        """Return whether a reply answers a request that another player's choice has just outdated."""
        outdated, self._outdated_request = self._outdated_request, None
        if outdated is None or self.now - outdated.at >= CROSSING_SECONDS:
            return False
        return self._is_offered(message, outdated.request, outdated.free) is True

    def _is_offered(self, message: Any, request: Any, free: Set[int]) -> bool | None:
        """Return whether a request offers this reply, or None if unknown; `free` are the squares without a worker."""
        moves, builds = _offer(request)
        match message:
            case wire.InitializeGame(god_power=god, worker_positions=cells):
                return (
                    isinstance(request, wire.RequestInitializeGame)
                    and god in request.god_powers
                    and _can_place(cells, free)
                )
            case wire.InitializeGodPower(god_power=god):
                return isinstance(request, wire.RequestInitializeGodPower) and god in request.god_powers
            case wire.InitializeWorkerPositions(worker_positions=cells):
                return isinstance(request, wire.RequestInitializeWorkerPositions) and _can_place(cells, free)
            case wire.ConsolidateMove(worker_id=worker, new_position=cell):
                return None if worker == 0 else worker in (1, 2) and cell in moves[worker - 1]
            case wire.ConsolidateBuild(worker_id=worker, new_position=cell, force_dome=force):
                if worker == 0 or (force and cell is not None and cell.z == 3):
                    return None
                fits = worker in (1, 2) and cell in builds[worker - 1]
                return fits and (not force or bool(getattr(request, "can_force_dome", False)))
        return bool(getattr(request, "can_decline", False))

    def _reason(self, message: Any) -> Phrase:
        """Return the phrase for the rule that forbids a reply."""
        request = self._request
        if not isinstance(message, _FITTING[type(request)]):
            return Phrase("it does not answer {}", (type(request).__name__,))
        match message:
            case wire.InitializeGame(god_power=god) | wire.InitializeGodPower(god_power=god) if (
                god not in request.god_powers
            ):
                return Phrase("{} is not among {}", (show(god), show(list(request.god_powers))))
            case wire.InitializeGame() | wire.InitializeWorkerPositions():
                return Phrase("workers stand on two different free cells of level 0")
            case wire.ConsolidateMove(worker_id=worker, new_position=cell):
                return self._forbidden(worker, cell, None)
            case wire.ConsolidateBuild(worker_id=worker, new_position=cell, force_dome=force):
                return self._forbidden(worker, cell, bool(force) or (cell is not None and cell.z == 3))
        return Phrase("this step cannot be declined")

    def _forbidden(self, worker: int, cell: wire.Position | None, dome: bool | None) -> Phrase:
        """Return the phrase for the rule that forbids a move (`dome` is None) or a build of a dome or a block."""
        workers = self._model.workers[self.seat] if 0 <= self.seat < len(self._model.workers) else []
        if self._model.seat is None:
            objection = None
        elif worker not in (1, 2) or worker > len(workers):
            objection = Objection(GameRule.NO_WORKER)
        elif cell is None or not is_on_board(cell):
            objection = Objection(GameRule.NOWHERE)
        else:
            frm, to = workers[worker - 1], square_of(cell)
            action = Move(frm, to) if dome is None else Build(frm, to, dome)
            objection = self.tracker.objection(self.seat, action)
            if objection is None and self.tracker.is_known:
                return Phrase("the height {} is wrong; the cell has height {}", (cell.z, self._model.levels[to]))
        return refusals.explain("santorini", objection)

    # --- the server ---------------------------------------------------------------------------------------------------

    def server(self, message: Any) -> None:
        if isinstance(message, Unreadable) or self.lost:
            return
        if self.over and isinstance(message, _REQUESTS) and message.player_id - 1 == self.seat:
            self.ask(type(message).__name__, "an answer to {}", type(message).__name__)
            return
        if self.over:
            self.lose(Side.SERVER, WON, "got {} after the end", show(message))
            return
        if not isinstance(message, wire.RequestError):
            self.settle_reply("answer")
        number = getattr(message, "player_id", 1)
        if self.names and not 0 < number <= len(self.names):
            self.lose(Side.SERVER, NUMBER, "got {}; there is no player {}", show(message), number)
        elif isinstance(message, _REQUESTS):
            self._judge_request(message)
        else:
            self.dispatch(message)

    def _message(self, message: wire.Message) -> None:
        text = message.message or ""
        if text not in _TEXTS:
            self.blame(Side.SERVER, TEXT, "got {}", show(text))
        elif text == texts.ASK_NAME:
            self._asks_name = True
            self.ask("Message", "a name")
        elif text[-1:].isdigit():
            self.seat = int(text[-1]) - 1
        elif text in (texts.BAD_NAME, texts.BAD_NUMBER):
            self.over = True

    def _updateinitializenames(self, message: wire.UpdateInitializeNames) -> None:
        self.names = message.players_names
        self._model = Model(len(self.names))
        self._model.set_names(message.players_names)
        values = self.names[self.seat] if 0 <= self.seat < len(self.names) else None
        if self._player_name and values is not None and values != self._player_name and self._player_name in self.names:
            at = self.names.index(self._player_name) + 1
            self.blame(Side.SERVER, NUMBER, "got number {}; the name has number {}", self.seat + 1, at)
        self.group.enter(f"{self.seat}/{self._player_name}", self)

    def _note_outdated(self, player: int) -> None:
        """Note that another player has chosen while this one had a question: its reply may be under way."""
        if player - 1 != self.seat and isinstance(self._request, _SETTING_UP_REQUESTS):
            self._outdated_request = _Outdated(self._request, frozenset(self._model.free()), self.now)

    def _updateinitializegame(self, message: wire.UpdateInitializeGame) -> None:
        self._note_outdated(message.player_id)
        self._model.set_god(message.player_id, message.god_power)
        self._workers(message.player_id, message.worker_positions, wire.InitializeGame)

    def _updateinitializegodpower(self, message: wire.UpdateInitializeGodPower) -> None:
        self._note_outdated(message.player_id)
        self._model.set_god(message.player_id, message.god_power)
        if message.player_id - 1 == self.seat:
            self._judge(message, wire.InitializeGodPower)

    def _updateinitializeworkerpositions(self, message: wire.UpdateInitializeWorkerPositions) -> None:
        self._note_outdated(message.player_id)
        self._workers(message.player_id, message.worker_positions, wire.InitializeWorkerPositions)

    def _workers(self, player: int, cells: tuple[wire.Position, ...], kind: type) -> None:
        if player - 1 == self.seat:
            self._judge(cells, kind)
        taken = {square for own in self._model.workers for square in own}
        squares = [square_of(cell) for cell in cells if is_on_board(cell)]
        if len(set(squares)) != 2 or set(squares) & taken:
            self.lose(Side.SERVER, REPORTED, "got workers on {}, which are not two free cells", show(list(cells)))
            return
        self._model.set_workers(player, cells)

    def _judge(self, message: Any, *kinds: type) -> None:
        """Report that the server has accepted the last reply, as an update shows, if it was not offered."""
        if isinstance(self._answer, kinds) and self._legal is False:
            form = "got {} in reply to {}, which was not offered"
            self.blame(Side.SERVER, self._refusal, form, show(message), show(self._answer))
        self._legal = self._answer = None

    def _updateturn(self, message: wire.UpdateTurn) -> None:
        self._turn(message.player_id)

    def _updateshippedturn(self, message: wire.UpdateShippedTurn) -> None:
        self._turn(message.player_id)

    def _turn(self, player: int) -> None:
        model = self._model
        self._request = None
        self.withdraw()
        self._settle()
        first = model.seat is None
        model.begin_turn(player)
        if self.expected is not None and self.expected.side is Side.CLIENT and player - 1 != self.seat:
            self.expect_nothing()
        if first:
            gods = [god or God.MORTAL for god in model.gods]
            self.tracker = PositionTracker(gods, model.workers, self._board(), player - 1)
        else:
            self.see_turn(player - 1, TURN, "got a turn for player {}; it is another player's turn", player)

    def _board(self) -> Board:
        model = self._model
        return Board(tuple(model.levels), frozenset(model.domes), tuple(frozenset(own) for own in model.workers))

    def _see(self) -> None:
        """Follow the board after a move or a build; half of a swap or a push is judged with the other half."""
        self._board_unexplained = self.tracker.is_known and not self.tracker.see(self._board())

    def _settle(self) -> None:
        """Report the board if it still does not follow from a legal action."""
        if self._board_unexplained:
            self.see_board(self._board(), REPORTED, "no legal action leads to the reported board")
        self._board_unexplained = False

    def _judge_request(self, message: Any) -> None:
        """Judge a request of the server, and follow which question is open."""
        self._settle()
        if message.player_id - 1 != self.seat:
            self.blame(Side.SERVER, OFFER, "player {} got {}", self.seat + 1, show(message))
            return
        if self._legal and self._is_repeated(message):
            self.blame(
                Side.SERVER, TAKEN, "got {} again in reply to {}, which was offered", show(message), show(self._answer)
            )
        self._legal = self._answer = None
        if isinstance(message, wire.RequestInitializeGame):
            self.withdraw()  # it may ask for god and workers separately, so it may come twice
        elif self._request not in (None, message) and isinstance(message, _SETTING_UP_REQUESTS):
            self.withdraw()  # a choice of another player leads to a new offer
            if self._outdated_request is None:
                self._outdated_request = _Outdated(self._request, frozenset(self._model.free()), self.now)
        self._request = message
        name = type(message).__name__
        self.ask(name, "an answer to {}", name, about=message)
        self._compare(message)

    def _is_repeated(self, message: Any) -> bool:
        """Return whether a request is repeated; `RequestInitializeGame` may ask for god and workers separately."""
        return message == self._last_request and not isinstance(message, wire.RequestInitializeGame)

    def _compare(self, message: Any) -> None:
        """Report moves and builds of an offer that differ from the legal ones."""
        self._last_request = message
        tracker = self.tracker
        if len(tracker.candidates) != 1 or tracker.over or not isinstance(message, _REQUESTS[3:]):
            return
        moves, builds = _offer(message)
        own = self._model.workers[self.seat] if 0 <= self.seat < len(self._model.workers) else []
        if self.seat not in tracker.seats:
            return  # the shipped edition offers to decline at the end of a turn
        for worker, square in enumerate(own[:2], 1):
            self._compare_cells(worker, square, Move, moves, "got moves of worker {} to {}; expected {}")
            self._compare_cells(worker, square, Build, builds, "got builds of worker {} on {}; expected {}")

    def _compare_cells(self, worker: int, square: int, kind: type, cells: _Cells, form: str) -> None:
        """Report the offered moves or builds of a worker if they differ from the legal ones."""
        actual = {square_of(cell) for cell in cells[worker - 1] if is_on_board(cell)}
        allowed = _targets(self.tracker.choices, kind, square)
        if any(cells) and actual != allowed:
            rule = DEAD_END if allowed < actual <= _targets(self.tracker.offered, kind, square) else OFFER
            self.blame(Side.SERVER, rule, form, worker, show(sorted(actual)), show(sorted(allowed)))

    def _updatemove(self, message: wire.UpdateMove) -> None:
        if message.player_id - 1 == self.seat == self._model.seat:
            self._judge(message, wire.ConsolidateMove)
        self._move(message.player_id, message.worker_id, message.new_position)
        self._see()

    def _updatebuild(self, message: wire.UpdateBuild) -> None:
        if self._model.seat == self.seat:
            self._judge(message, wire.ConsolidateBuild)
        self._build(message)
        self._see()

    def _updateactions(self, message: wire.UpdateActions) -> None:
        if self._model.seat == self.seat:
            self._judge(message, wire.ConsolidateMove, wire.ConsolidateBuild)
        for build in message.update_build:
            self._build(build)
        for move in message.update_move:
            self._move(move.player_id, move.worker_id, move.new_position)
        self._see()
        self._settle()

    def _move(self, player: int, worker: int, cell: wire.Position) -> None:
        if not is_on_board(cell) or not 0 < player <= len(self.names) or worker not in (1, 2):
            self.lose(
                Side.SERVER,
                REPORTED,
                "got worker {} of player {} on {}, which does not exist",
                worker,
                player,
                show(cell),
            )
            return
        self._model.move(player, worker, cell)

    def _build(self, message: wire.UpdateBuild) -> None:
        if not is_on_board(message.new_position):
            self.lose(Side.SERVER, REPORTED, "got {}, which is not a cell", show(message))
            return
        self._model.build(message.dome, message.new_position)

    def _was_late(self) -> bool:
        """Return whether another player took the god first: at some tables all pick at the same time."""
        answer = self._answer
        return isinstance(answer, wire.InitializeGodPower) and god_of(answer.god_power or "") in self._model.gods

    def _requesterror(self, message: wire.RequestError) -> None:
        if message.message != texts.REJECTED:
            self.blame(Side.SERVER, REFUSED, "got {}; expected {}", show(message), texts.REJECTED)
        if self._legal and not self._was_late():
            self.blame(
                Side.SERVER, TAKEN, "got {} in reply to {}, which was offered", show(message), show(self._answer)
            )
        elif self._legal is None and self._answer is not None:
            self.blame(Side.CLIENT, ASKED, "{} was refused; {}", show(self._answer), refusals.UNKNOWN)
        self.settle_reply("answer")
        self._legal = self._answer = None
        self.expect_again()

    def _updateloser(self, message: wire.UpdateLoser) -> None:
        self._settle()
        self._model.lose(message.player_id)
        self.may_leave = self.may_leave or message.player_id - 1 == self.seat
        self._request = None
        self.withdraw()
        form = "got UpdateLoser of player {}, who can still move"
        self.see_out(message.player_id - 1, self._board(), WON, form, message.player_id)

    def _updatewinner(self, message: wire.UpdateWinner) -> None:
        self._settle()
        self.over = True
        self.note_result()
        self.expect(Side.SERVER, "the end of the connection")
        winners = self.tracker.winners
        if winners and (message.player_id - 1,) not in winners:
            self.blame(Side.SERVER, WON, "got UpdateWinner of player {}; another player has won", message.player_id)

    def table(self) -> Iterator[Watcher]:
        return (
            watcher
            for watcher in self.group.others(self)
            if isinstance(watcher, DialectWatcher)
            and self.names
            and watcher.names == self.names
            and watcher.seat != self.seat
        )

    def _updatedisconnection(self, message: wire.UpdateDisconnection) -> None:
        self.over = True


def _can_place(cells: tuple[wire.Position | None, ...] | None, free: Set[int]) -> bool:
    """Return whether two workers can stand on these cells."""
    squares = [square_of(cell) for cell in cells or () if cell is not None and is_on_board(cell)]
    return len(squares) == len(set(squares)) == 2 and set(squares) <= free


def _targets(choices: Set[Action], kind: type, square: int) -> set[int]:
    """Return the squares of the moves or builds of the worker on a square."""
    return {
        choice.to if isinstance(choice, Move) else choice.at
        for choice in choices
        if isinstance(choice, Move | Build) and isinstance(choice, kind)
        and (choice.frm if isinstance(choice, Move) else choice.by) == square
    }  # fmt: skip


def _offer(request: Any) -> tuple[_Cells, _Cells]:
    """Return the moves and the builds of a request, by worker."""
    none: frozenset[wire.Position] = frozenset()
    return (
        (getattr(request, "worker1_moves", none), getattr(request, "worker2_moves", none)),
        (getattr(request, "worker1_builds", none), getattr(request, "worker2_builds", none)),
    )


ITALIAN_RULES: Final = {
    "login": "il primo messaggio di un client dice in quanti si gioca",
    "text": "un testo del server è uno di quelli della specifica",
    "number": "ogni giocatore riceve un numero proprio, che è il suo posto fra i nomi",
    "asked": "una risposta è una di quelle offerte",
    "refused": "una risposta non offerta non cambia niente, e si chiede di nuovo",
    "taken": "una risposta offerta viene accettata",
    "offer": "una richiesta offre ciò che le regole permettono, e solo al giocatore di turno",
    "told": "ciò che si dice di mosse e costruzioni è ciò che risulta dalle regole",
    "turn": "i turni girano nell'ordine dei numeri dei giocatori",
    "won": "UpdateWinner nomina chi ha vinto, ed è l'ultimo messaggio",
    "unchecked": "il server non accetta risposte non offerte, e chiede di nuovo",
    "dead-end": "le azioni dopo le quali il turno non si può finire non vengono offerte",
    "stuck": "un giocatore ha perso quando non può finire nessun turno, e non prima",
    "framing": "ogni messaggio è un flusso di oggetti Java a sé",
    "unknown": "un oggetto è di una classe della specifica, con i suoi campi",
}
"""Italian sentences of the rules, by the last part of their codes."""

ITALIAN_FORMS: Final = {
    "got {} again in reply to {}, which was offered": "è arrivato di nuovo {} in risposta a {}, che era stato offerto",
    "player {} got {}": "al giocatore {} è arrivato {}",
    "got {} in reply to {}, which was not offered": "è arrivato {} in risposta a {}, che non era stato offerto",
    "got {} in reply to {}, which was offered": "è arrivato {} in risposta a {}, che era stato offerto",
    "got {} without a question": "è arrivato {}, e niente era stato chiesto",
    "got {}; there is no player {}": "è arrivato {}; non c'è un giocatore {}",
    "got {}, which is not a cell": "è arrivato {}; non c'è una cella così",
    "PLAYER_ and a number, once all players have connected": "PLAYER_ e un numero, quando sono arrivati tutti",
    "got UpdateLoser of player {}, who can still move": (
        "è arrivato UpdateLoser del giocatore {}, che può ancora muovere"
    ),
    "got UpdateWinner of player {}; another player has won": (
        "è arrivato UpdateWinner del giocatore {}; ha vinto un altro giocatore"
    ),
    "got builds of worker {} on {}; expected {}": (
        "sono arrivate costruzioni del lavoratore {} su {}; si aspettava {}"
    ),
    "the number of players": "in quanti si gioca",
    "got moves of worker {} to {}; expected {}": "sono arrivate mosse del lavoratore {} verso {}; si aspettava {}",
    "got number {}; the name has number {}": "è stato detto il numero {}, e il nome è il numero {}",
    "the request again": "di nuovo la richiesta",
    "got a turn for player {}; it is another player's turn": (
        "è arrivato il turno del giocatore {}; è quello di un altro"
    ),
    "got worker {} of player {} on {}, which does not exist": (
        "è arrivato il lavoratore {} del giocatore {} su {}; non esiste"
    ),
    "got workers on {}, which are not two free cells": (
        "sono arrivati lavoratori su {}, che non sono due celle libere"
    ),
    "it does not answer {}": "non è una risposta a {}",
    "the height {} is wrong; the cell has height {}": "l'altezza {} è sbagliata; la cella ha altezza {}",
    "this step cannot be declined": "a questo passo non si può rinunciare",
    "workers stand on two different free cells of level 0": (
        "i lavoratori stanno su due celle diverse, libere e di livello 0"
    ),
    "got {} in reply to {}, but {}": "è arrivato {} in risposta a {}, ma {}",
    "{} is not among {}": "{} non è fra {}",
}
"""Italian forms of the details that only this watcher uses."""
