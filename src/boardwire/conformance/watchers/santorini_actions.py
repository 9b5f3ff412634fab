"""Watcher of santorini-actions. Boards show every step, so the match is followed by the rules once the gods are known.

The server sends the gods only on request. If the client never asks for them, only views and steps are judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from boardwire.conformance.display import show
from boardwire.conformance.finding import Phrase, Rule, Side, rules_of
from boardwire.conformance.watchers import refusals
from boardwire.conformance.watchers.santorini_states import Board, PositionTracker, SantoriniWatcher
from boardwire.conformance.watchers.watcher import Unreadable, Watcher
from boardwire.dialects.santorini_actions.messages import replies, requests
from boardwire.dialects.santorini_actions.messages.battlefield import COLORS, DOME
from boardwire.dialects.santorini_actions.messages.cards import god_of
from boardwire.dialects.santorini_actions.session import PING_DELAY_SECONDS, PONG_TIMEOUT_SECONDS
from boardwire.dialects.santorini_actions.steps import Step, find_due_step
from boardwire.errors import Malformed, Objection
from boardwire.games.santorini import Rule as GameRule
from boardwire.games.santorini.actions import Build, Move
from boardwire.games.santorini.powers.catalogue import God

_rule, _ruling = rules_of("santorini-actions")

JOIN: Final = _rule(
    "join", "4.1", "addPlayer is answered by addPlayerResponse, with the name and the size as they were sent"
)
NAME: Final = _rule("name", "4.1", "a name is unique on the server, and an invalid or taken one gets validNick false")
SIZE: Final = _rule("size", "4.1", "lobbyState is false if the size is not 2 or 3")
CARDS: Final = _rule("cards", "4.2", "the god player sends as many different cards of the deck as there are players")
CARD: Final = _rule("card", "4.2", "a player answers setPlayerCard with one of the offered cards")
WORKERS: Final = _rule(
    "workers", "4.3", "the answer to setWorkersPosition has two different free cells, where the workers are placed"
)
TURN: Final = _rule("turn", "4.4.1", "only the player to move plays")
START: Final = _rule("start", "4.4.2", "setStartTurn is answered by setStartTurnResponse with the first step")
SELECT: Final = _rule("select", "4.4.3", "selectWorker names one's own worker, and gets the cells that the rules allow")
STEP: Final = _rule("step", "4.4.4", "playStep goes to a cell of the view, and only what is optional is skipped")
STEPS: Final = _rule("steps", "4.4.4", "steps come in the order of the god's turn")
BOARD: Final = _rule("board", "4.4", "the board after a step follows from the rules")
END: Final = _rule("end", "4.5", "the winner gets youWin, the others youLose")
QUERY: Final = _rule("query", "4", "getDeck, getPlayers and getBattlefield are answered in every state of a match")
ERROR: Final = _rule("error", "5", "a refused request is answered with the reason, and changes nothing")
DECK: Final = _rule("deck", "6", "a deck is an array, in the shipped edition with listOfCards")
PINGED: Final = _rule(
    "pinged", "4.6", "the server sends ping as soon as a client connects, and again 5 seconds after each pong"
)
PONG: Final = _rule("pong", "4.6", "a client that has answered a ping before answers the next within 10 seconds")
SHIPPED: Final = _rule("shipped", "4.6", "only the shipped edition has pings")
NAMING: Final = _ruling("naming", "4.1", "a name without 1 to 64 printable characters is not valid")
DEAD_END: Final = _ruling("dead-end", "4.4.3", "a view leaves out steps after which the turn cannot be finished")
STUCK: Final = _ruling("stuck", "4.5", "a player who cannot finish a turn is out as soon as it begins")
LAST_STEP: Final = _ruling("last-step", "4.5", "the step that ends the match is not answered")
ORDER: Final = _ruling("order", "9.6", "the boards of a step come before its response")
SURPLUS: Final = _rule("surplus", "4.4", "one view comes for each selectWorker and for each step that follows another")
SENDER: Final = _rule("sender", "5", "a request that names another player is refused")

_ANSWERS: Final[dict[Any, type]] = {
    requests.GetDeck: replies.GetDeckResponse,
    requests.GetPlayers: replies.GetPlayersResponse,
    requests.GetBattlefield: replies.GetBattlefieldResponse,
}
_OPTIONAL: Final = frozenset({Step.MOVE_SPECIAL, Step.MOVE_UNTIL, Step.BUILD_SPECIAL, Step.REMOVE})
_AFTER: Final[dict[str, frozenset[str]]] = {
    Step.MOVE: frozenset({Step.MOVE_SPECIAL, Step.MOVE_UNTIL, Step.BUILD}),
    Step.MOVE_SPECIAL: frozenset({Step.MOVE_SPECIAL, Step.BUILD}),
    Step.MOVE_UNTIL: frozenset({Step.MOVE_UNTIL, Step.BUILD}),
    Step.BUILD: frozenset({Step.MOVE, Step.BUILD_SPECIAL, Step.REMOVE, Step.END}),
    Step.BUILD_SPECIAL: frozenset({Step.BUILD_SPECIAL, Step.REMOVE, Step.END}),
    Step.REMOVE: frozenset({Step.END}),
}
_PLAYS: Final = (requests.SelectWorker, requests.PlayStep, requests.SkipStep)
"""Requests of the player to move."""
_UNKNOWN_PLAYER: Final = "\0"
"""Name of the player to move, if it is another player whose name is unknown."""


class DialectWatcher(SantoriniWatcher):
    """Watcher of santorini-actions."""

    dead_end, stuck = DEAD_END, STUCK
    framing = _rule("framing", "1", "a message is one JSON object on one line")
    unknown = _rule("unknown", "3", "a message has an action of the specification, with its data")

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.me = ""
        self._reset()
        self.expect(Side.CLIENT, "addPlayer")
        self._has_ponged = False
        self._pinged_at: float | None = None
        """Since when the client owes a pong; None for a client that has never answered a ping."""
        self._ping_due: float | None = None
        """When the server must send the next ping."""

    def start(self) -> None:
        self._ping_due = self.now if self.edition else None

    def report_overdue(self, patience: float) -> None:
        """Report overdue replies, pings and pongs."""
        super().report_overdue(patience)
        if self._ping_due is not None and self.now - self._ping_due >= patience:
            self.blame(Side.SERVER, PINGED, "nothing arrived for {:.1f} s; expected ping", self.now - self._ping_due)
            self._ping_due = None
        if self._pinged_at is not None and self.now - self._pinged_at >= PONG_TIMEOUT_SECONDS:
            self.blame(Side.CLIENT, PONG, "nothing arrived for {:.1f} s; expected pong", self.now - self._pinged_at)
            self._pinged_at = None

    def _reset(self) -> None:
        """Reset the state of a match."""
        self._size = 0
        self._god = ""
        self._had_other_god_player = False
        """Whether another god player was asked before: that one may have picked some of the cards."""
        self.picks: list[frozenset[str]] = []
        self._deck: frozenset[str] = frozenset()
        self._offer: list[str] = []
        self._question: type | None = None
        """Class of the open question outside turns."""
        self._placed: frozenset[int] | None = None
        self._cells: Board | None = None
        self.names: dict[str, int] = {}
        self._gods: dict[str, God] = {}
        self._turn = ""
        self._is_basic_turn = False
        self._step = ""
        self._selected = -1
        self._view: frozenset[int] | None = None
        self._unjudged = False
        """Whether the last step could not be judged, because no view had arrived."""
        self.tracker = PositionTracker.at()
        self._view_due = False
        """Whether a view may arrive for the next step."""
        self._board_came = True
        """Whether a board has arrived since the last step was requested."""
        self._last_step = False
        """Whether the match ended with a step of this player, which gets no response."""
        self.withdraw()
        self.result_due = None
        self._is_playing = self.over = False
        self.won = False
        self.lost = False

    def read(self, side: Side, message: Any) -> Any:
        if side is Side.CLIENT:
            return requests.read(message)
        if message == replies.NO_CARDS_YET.strip():
            return message
        content = replies.read(message)
        if content is None:
            raise Malformed("the specification has no such action")
        return content

    def name(self, side: Side, message: Any) -> str:
        return "invalidRequest" if isinstance(message, bytes) else requests.action_of(type(message).__name__)

    def _is_me(self, name: str) -> bool:
        return name.casefold() == self.me.casefold()

    @property
    def _is_my_turn(self) -> bool:
        return bool(self._turn) and self._is_me(self._turn)

    # --- the client ---------------------------------------------------------------------------------------------------

    def client(self, message: Any) -> None:
        if isinstance(message, requests.AddPlayer):
            self.expect_reply(JOIN, "addPlayerResponse", message)
            return
        if isinstance(message, requests.Pong) and self.edition:
            self._has_ponged, self._pinged_at, self._ping_due = True, None, self.now + PING_DELAY_SECONDS
        if isinstance(message, requests.Pong | requests.Unknown) or not self._is_playing or self.lost:
            return
        if isinstance(message, Unreadable):
            self._expect_refusal()
        elif isinstance(message, requests.QUERIES):
            if type(message) in _ANSWERS:
                self.expect_reply(QUERY, requests.action_of(_ANSWERS[type(message)].__name__), type(message))
        else:
            self._choose(message)

    def _expect_refusal(self, rule: Rule | None = None, why: str = "", *values: Any) -> None:
        """Expect a refusal of the client's request, and report a breach of `rule` if there is one."""
        if rule is not None:
            self.blame(Side.CLIENT, rule, why, *values)
        self.expect_reply(ERROR, "invalidRequest" if self.edition else "serverError", "complaint")

    def _choose(self, message: Any) -> None:
        """Judge a request that sets cards or workers, or begins or continues a turn."""
        player_name = getattr(message, "playerNickname", self.me)
        if not self._is_me(player_name):
            self._expect_refusal(SENDER, "got {}; this connection is {}", show(player_name), show(self.me))
            return
        match message:
            case requests.SetPickedCards(cards=cards):
                self._pick(cards)
            case requests.SetPlayerCard(card=card):
                fits = self._question is replies.SetPlayerCard and card.upper() in self._offer
                self._take(
                    fits,
                    CARD,
                    "got {}; expected one of {}",
                    card,
                    show(self._offer),
                )
            case requests.SetWorkersPosition(workersPosition=positions):
                self._place(positions)
            case _ if not self._is_my_turn:
                name = self.name(Side.CLIENT, message)
                self._expect_refusal(None if self.crosses else TURN, "got {}; it is not this player's turn", name)
            case requests.SetStartTurn():
                fits = self._step == "" or self._selected >= -1
                self._step = ""
                self._take(fits, START, "got setStartTurn in the middle of a turn")
                if fits:
                    self.expect_reply(START, "setStartTurnResponse", requests.SetStartTurn)
            case requests.SelectWorker(x=x, y=y):
                self._select(5 * x + y)
            case requests.PlayStep(x=x, y=y):
                self._play(5 * x + y)
            case requests.SkipStep():
                self._skip()

    def _take(self, fits: bool, rule: Rule, why: str, *values: Any) -> None:
        """Close the open question if the answer fits, otherwise report it."""
        if fits:
            self._question = None
        else:
            self._expect_refusal(rule, why, *values)

    def _pick(self, cards: list[str]) -> None:
        names = [card.upper() for card in cards]
        fits = (
            self._question is replies.SetPickedCards
            and len(names) == len(set(names)) == (self._size or len(names))
            and (not self._deck or set(names) <= self._deck)
        )
        self._take(fits, CARDS, "got {}", show(cards))
        if fits:
            self.picks.append(frozenset(names))

    def _place(self, positions: list[requests.WorkerPosition]) -> None:
        squares = [5 * place.x + place.y for place in positions]
        taken = {square for own in self._cells.workers for square in own} if self._cells else set()
        fits = self._question is replies.SetWorkersPosition and len(squares) == len(set(squares)) == 2
        fits = fits and not taken & set(squares)
        self._take(fits, WORKERS, "got {}", show([[place.x, place.y] for place in positions]))
        self._placed = frozenset(squares) if fits else frozenset()

    def _select(self, square: int) -> None:
        own_squares = self._workers(self.me)
        if own_squares is not None and square not in own_squares:
            why = refusals.explain("santorini", Objection(GameRule.NO_WORKER))
            self._expect_refusal(SELECT, "got cell {},{}, but {}", square // 5, square % 5, why)
            return
        self._selected, self._unjudged = square, own_squares is None
        self.expect_reply(SELECT, "workerViewUpdate", requests.SelectWorker)

    def _play(self, square: int) -> None:
        """Judge a step to a square, which must be in the view of the selected worker."""
        if any(reply.tag is requests.SelectWorker for reply in self.pending_replies):
            self._view = None  # the view is under way
        if self._view is not None and square not in self._view:
            why, view = refusals.explain("santorini", self._objection(square)), _cells_text(self._view)
            form = "got cell {},{}, but {}; expected one of {}"
            self._expect_refusal(STEP, form, square // 5, square % 5, why, view)
            return
        self._unjudged = self._view is None
        self._view_due, self._board_came = True, False
        self.expect_reply(STEP, "playStepResponse", requests.PlayStep)

    def _objection(self, square: int) -> Objection | None:
        """Return the rule that forbids a step to a cell outside the view, or None if it is unknown."""
        tracker, seat = self.tracker, self.names.get(self.me.casefold())
        if square not in range(25):
            return Objection(GameRule.NOWHERE)
        if seat is None:
            return None
        building = self._step in (Step.BUILD, Step.BUILD_SPECIAL)
        if not building:
            return tracker.objection(seat, Move(self._selected, square))
        builders = {choice.by for choice in tracker.choices if isinstance(choice, Build)}
        by = self._selected if self._selected in builders or len(builders) != 1 else builders.pop()
        level = 0 if self._cells is None else self._cells.levels[square]
        return tracker.objection(seat, Build(by, square, level == 3))

    def _skip(self) -> None:
        if self._step and self._step not in _OPTIONAL:
            self._expect_refusal(STEP, "got skipStep at {}, which is not optional", self._step)
            return
        self._unjudged, self._view_due = not self._step, True
        self.expect_reply(STEP, "skipStepResponse", requests.SkipStep)

    # --- the server ---------------------------------------------------------------------------------------------------

    def server(self, message: Any) -> None:
        if isinstance(message, Unreadable):
            return
        if isinstance(message, bytes):
            self.settle_reply("complaint")
            self.expect_again()
            return
        if isinstance(message, replies.Ping):
            self._ping_due = None
            if not self.edition:
                self.blame(Side.SERVER, SHIPPED, "got ping")
            elif self._has_ponged:
                self._pinged_at = self.now
        if not self.lost or isinstance(message, replies.AddPlayerResponse):
            self.dispatch(message)

    def _addplayerresponse(self, data: replies.AddPlayerResponse) -> None:
        """Judge the reply to a request for a seat."""
        reply = self.settle_reply_where(lambda tag: isinstance(tag, requests.AddPlayer))
        if reply is None:
            self.blame(Side.SERVER, JOIN, "got addPlayerResponse without a request")
            return
        request = reply.tag
        if (data.playerNickname, data.lobbySize) != (request.playerNickname, request.lobbySize):
            actual, sent = [data.playerNickname, data.lobbySize], [request.playerNickname, request.lobbySize]
            self.blame(Side.SERVER, JOIN, "got {}; expected {}", show(actual), show(sent))
        is_admitted = data.lobbyState and data.validNick and not data.fullLobby
        if data.lobbyState and request.lobbySize not in (2, 3):
            self.blame(
                Side.SERVER, SIZE, "got lobbyState true in reply to a size of {}; expected false", request.lobbySize
            )
        holder = self.group.watchers.get(request.playerNickname.casefold())
        pattern = r"[a-zA-Z0-9_.-]{1,15}" if self.edition else r".{1,64}"
        is_invalid = not re.fullmatch(pattern, request.playerNickname) or not request.playerNickname.isprintable()
        if is_admitted and is_invalid:
            rule = NAME if self.edition else NAMING
            self.blame(
                Side.SERVER,
                rule,
                "got validNick true in reply to {}, which is not a valid name",
                show(request.playerNickname),
            )
        elif is_admitted and holder is not None and holder is not self:
            form = "got validNick true in reply to {}, which another player has"
            self.blame(Side.SERVER, NAME, form, show(request.playerNickname))
        if is_admitted:
            self._reset()
            self.me, self._size = request.playerNickname, request.lobbySize
            self.group.enter(self.me.casefold(), self)
            self.expect(Side.SERVER, "setPickedCards, once all players have connected")

    def _setpickedcards(self, data: replies.SetPickedCards) -> None:
        self._had_other_god_player = self._had_other_god_player or self._god not in ("", data.playerNickname)
        self._is_playing, self._god = True, data.playerNickname
        if self._is_me(self._god):
            self._question = replies.SetPickedCards
            self.ask("setPickedCards", "getDeck, setPickedCards")

    def _getdeckresponse(self, data: replies.GetDeckResponse) -> None:
        if self.settle_reply(requests.GetDeck) is None:
            self.blame(Side.SERVER, QUERY, "got getDeckResponse without a request")
        shipped = isinstance(data.deck, replies.Pile)
        if shipped is not bool(self.edition):
            forms = Phrase("an array"), "listOfCards"
            self.blame(Side.SERVER, DECK, "got the deck as {}; expected {}", forms[shipped], forms[not shipped])
        cards = data.deck.listOfCards if isinstance(data.deck, replies.Pile) else data.deck
        self._deck = frozenset(card.cardName for card in cards)

    def _setplayercard(self, data: replies.SetPlayerCard) -> None:
        self._question, self._offer = replies.SetPlayerCard, [card.upper() for card in data.cards]
        self.ask("setPlayerCard", "setPlayerCard with one of {}", ", ".join(data.cards), about=frozenset(self._offer))
        god = self.group.watchers.get(self._god.casefold())
        if isinstance(god, DialectWatcher) and not any(set(self._offer) <= picks for picks in god.picks):
            sent = [sorted(picks) for picks in god.picks]
            has_picked_all = god._is_playing and god._is_me(god._god) and not self._had_other_god_player
            if has_picked_all and god is not self and len(self._offer) == self._size:
                self.blame(Side.SERVER, CARDS, "got {}; the god player has picked {}", show(data.cards), show(sent))

    def _setworkersposition(self, data: replies.SetWorkersPosition) -> None:
        self._question = replies.SetWorkersPosition
        self.ask("setWorkersPosition", "setWorkersPosition with two free cells")

    def _getplayersresponse(self, data: replies.GetPlayersResponse) -> None:
        self.settle_reply(requests.GetPlayers)
        for player in data.players:
            if player.color in COLORS:
                self.names[player.playerNickname.casefold()] = COLORS.index(player.color)
                self._gods[player.playerNickname.casefold()] = god_of(player.card) or God.MORTAL

    def _getbattlefieldresponse(self, data: replies.Board) -> None:
        self.settle_reply(requests.GetBattlefield)
        self._learn(data)

    def _battlefieldupdate(self, data: replies.Board) -> None:
        """Judge a board: it must come before the response to a step, and change only with a step."""
        before = self._cells
        self._learn(data)
        now = self._cells
        if before is None or now is None:
            return
        own_squares = self._workers(self.me)
        if self._placed is not None and own_squares and not self._turn:
            if not own_squares <= self._placed:
                expected = "none" if not self._placed else show(sorted(self._placed))
                self.blame(
                    Side.SERVER, WORKERS, "own workers are on {}; expected {}", show(sorted(own_squares)), expected
                )
            if len(own_squares) == 2:
                self._placed = None
        is_step_pending = any(reply.tag in (requests.PlayStep, requests.SkipStep) for reply in self.pending_replies)
        if not is_step_pending and not self._board_came and _changes(before, now):
            self.blame(Side.SERVER, ORDER, "got the board after playStepResponse")
        elif self._is_my_turn and not is_step_pending and _changes(before, now):
            self.lose(Side.SERVER, TURN, "the board has changed without a request of the player to move")
        self._board_came = True
        self._follow()

    def _learn(self, data: replies.Board) -> None:
        """Store a board, and the colours of the players on it."""
        levels: list[int] = []
        domes: set[int] = set()
        workers: dict[int, set[int]] = {seat: set() for seat in range(3)}
        cells = [cell for row in data.cellMatrix for cell in row]
        if len(cells) != 25:
            self.lose(Side.SERVER, BOARD, "got a board of {} cells; expected 25", len(cells))
            return
        for square, cell in enumerate(cells):
            dome = cell.lastBlock == DOME
            levels.append(cell.height - dome)
            if dome:
                domes.add(square)
            if cell.player is not None and cell.workerColor in COLORS:
                seat = COLORS.index(cell.workerColor)
                self.names.setdefault(cell.player.casefold(), seat)
                workers[seat].add(square)
        seats = max(self._size, max((seat + 1 for seat, own in workers.items() if own), default=0))
        self._cells = Board(tuple(levels), frozenset(domes), tuple(frozenset(workers[n]) for n in range(seats)))

    def _workers(self, name: str) -> frozenset[int] | None:
        """Return the squares of a player's workers, or None if they are unknown."""
        seat = self.names.get(name.casefold())
        if self._cells is None or seat is None or seat >= len(self._cells.workers):
            return None
        return self._cells.workers[seat]

    def _follow(self, *, settled: bool = False) -> None:
        """Check the board against the rules.

        With one worker missing, it is half of a swap or a push and is checked only if `settled`
        [santorini-actions 7.1].
        """
        tracker, board = self.tracker, self._cells
        if board is None:
            return
        missing = sum(2 - len(own) for seat, own in enumerate(board.workers) if not _is_out(tracker, seat))
        if missing != 1 or settled:
            self.see_board(board, BOARD, "no legal step leads to the board that arrived")

    def _actualplayer(self, data: replies.ActualPlayer) -> None:
        """Judge the announcement of the player whose turn begins."""
        first = not self._turn
        self._turn, self._step, self._selected, self._view = data.playerNickname, "", -1, None
        self._view_due = False
        if self._is_my_turn:
            self.ask("actualPlayer", "setStartTurn")
            if self.over:
                return
        else:
            self.expect_nothing()
        seat = self.names.get(data.playerNickname.casefold())
        if first and seat is not None and self._cells is not None:
            self._begin(seat)
        elif seat is not None:
            self._follow(settled=True)
            if not self.lost:
                form = "got actualPlayer {}; it is another player's turn"
                self.see_turn(seat, TURN, form, data.playerNickname)

    def _begin(self, seat: int) -> None:
        """Follow the match from its first turn if the gods of all players are known."""
        cells, gods = self._cells, {self.names[name]: god for name, god in self._gods.items() if name in self.names}
        if cells is None or set(gods) != set(range(len(cells.workers))) or len(gods) != self._size:
            return
        self.tracker = PositionTracker(
            [gods[god_seat] for god_seat in sorted(gods)], [sorted(own) for own in cells.workers], cells, seat
        )

    def _setstartturnresponse(self, data: replies.SetStartTurnResponse) -> None:
        if self.settle_reply(requests.SetStartTurn) is None:
            self.blame(Side.SERVER, START, "got setStartTurnResponse without a request")
        self._is_basic_turn, self._step = data.basicTurn, data.currentStep
        if data.currentStep not in (Step.MOVE, Step.BUILD):
            self.blame(Side.SERVER, STEPS, "got currentStep {}; expected MOVE or BUILD", data.currentStep)
        self.expect(Side.CLIENT, "selectWorker")

    def _workerviewupdate(self, data: replies.WorkerViewUpdate) -> None:
        cells = [flag for row in data.workerView for flag in row]
        self._view = frozenset(square for square, flag in enumerate(cells) if flag)
        selected = self.settle_reply(requests.SelectWorker)
        if selected is None and not self._view_due:
            self.blame(Side.SERVER, SURPLUS, "got workerViewUpdate when no view was due")
        self._view_due = self._view_due and selected is not None
        if selected is not None and len(self.tracker.candidates) == 1:
            self._compare(self.tracker, self._view)
        self.expect(Side.CLIENT, "playStep with one of {}", _cells_text(self._view))

    def _compare(self, tracker: PositionTracker, view: frozenset[int]) -> None:
        """Report the view of a selected worker if it differs from the legal cells."""
        position = tracker.candidates[0]
        if position.decision is None:
            return
        expected = frozenset(find_due_step(position, position.decision, self._selected, self._is_basic_turn).targets)
        if expected != view:
            offered = msgspec.structs.replace(position.decision, choices=tuple(tracker.offered))
            rule = (
                DEAD_END
                if expected < view <= set(find_due_step(position, offered, self._selected, self._is_basic_turn).targets)
                else SELECT
            )
            self.blame(Side.SERVER, rule, "got the view {}; expected {}", _cells_text(view), _cells_text(expected))

    def _playstepresponse(self, data: replies.PlayStepResponse) -> None:
        self._judge_step_reply(requests.PlayStep, "playStepResponse", data.nextStep)

    def _skipstepresponse(self, data: replies.SkipStepResponse) -> None:
        self._judge_step_reply(requests.SkipStep, "skipStepResponse", data.currentStep)

    def _judge_step_reply(self, kind: type, name: str, next_step: str) -> None:
        """Judge a reply, called `name`, to a request of this kind; `next_step` is the one that it announces."""
        if self.over and self._last_step:
            self._last_step = False
            self.blame(Side.SERVER, LAST_STEP, "got {} after the end of the match", name)
            return
        requested = next(
            (reply.tag for reply in self.pending_replies if reply.tag in (requests.PlayStep, requests.SkipStep)), None
        )
        if requested is None:
            self.lose(Side.SERVER, STEP, "got {} without a request", name)
            return
        if requested is not kind:
            self.lose(Side.SERVER, STEP, "got {}; the request was {}", name, requests.action_of(requested.__name__))
            return
        self.settle_reply(kind)
        if self.tracker.over:
            self.blame(Side.SERVER, LAST_STEP, "got {} in reply to the step that ends the match", name)
        if self._step in _AFTER and next_step not in _AFTER[self._step]:
            self.lose(
                Side.SERVER,
                STEPS,
                "got {} after {}; expected {}",
                next_step,
                self._step,
                _alternatives(_AFTER[self._step]),
            )
            return
        self._follow(settled=True)
        self._step = next_step
        if next_step == Step.END:
            self._turn, self._view = _UNKNOWN_PLAYER, None  # the shipped edition does not name the next player
            self.expect_nothing()
            self.expect(Side.SERVER, "actualPlayer")

    def _youwin(self, data: Any) -> None:
        self._end(won=True)

    def _youlose(self, data: Any) -> None:
        self._end(won=False)

    def _end(self, *, won: bool) -> None:
        """Judge a result that the server sends to this player."""
        own_seat, table = self.names.get(self.me.casefold()), set(self.names)
        self._follow(settled=True)
        if won and not self.lost:
            others = [
                watcher
                for watcher in self.group.others(self)
                if isinstance(watcher, DialectWatcher) and set(watcher.names) == table
            ]
            if table and any(watcher.won for watcher in others):
                self.blame(Side.SERVER, END, "got youWin after another player has won")
            elif self.tracker.over and (own_seat,) not in self.tracker.winners:
                self.blame(Side.SERVER, END, "got youWin; another player has won")
        elif not self.lost and self.tracker.winners == {(own_seat,)}:
            self.blame(Side.SERVER, END, "got youLose; this player has won")
        self.won = won
        self._last_step = any(reply.tag in (requests.PlayStep, requests.SkipStep) for reply in self.pending_replies)
        self.pending_replies.clear()
        self._is_playing, self._turn, self.tracker = False, "", PositionTracker.at()
        self.over = True
        if won or self._size == 2:
            self.note_result()
        self.withdraw()
        self.expect(Side.CLIENT, "addPlayer, for another match", required=False)

    def table(self) -> Iterator[Watcher]:
        names = set(self.names)
        return (
            watcher
            for watcher in self.group.others(self)
            if isinstance(watcher, DialectWatcher) and watcher._is_playing and names and set(watcher.names) == names
        )

    def _servererror(self, data: Any) -> None:
        """Process serverError: a refusal in the document's edition, or the end if nothing was requested."""
        if self._settle_refused() and not self.edition:
            self.may_leave = True
            self.expect_again()
        else:
            self.over = True
            self.expect(Side.SERVER, "the end of the connection")

    def _invalidrequest(self, data: Any) -> None:
        self._settle_refused()
        self.expect_again()

    def _settle_refused(self) -> bool:
        """Settle the request that the server has refused, an illegal one if there is one, otherwise the oldest.

        Return whether there was one.
        """
        if self.settle_reply("complaint") is not None:
            return True
        reply = self.pending_replies.popleft() if self.pending_replies else None
        if reply is not None and reply.tag in _PLAYS and self._is_my_turn and self._unjudged and not self.lost:
            name = requests.action_of(reply.tag.__name__)
            self.blame(Side.CLIENT, reply.rule, "{} was refused; {}", name, refusals.UNKNOWN)
        return reply is not None


def _is_out(tracker: PositionTracker, seat: int) -> bool:
    return any(p.out >> seat & 1 for p in tracker.candidates)


def _changes(before: Board, now: Board) -> bool:
    """Return whether more has changed than the removal of a player's workers."""
    if (before.levels, before.domes) != (now.levels, now.domes):
        return True
    return any(not own <= was for was, own in zip(before.workers, now.workers, strict=False))


def _cells_text(squares: frozenset[int] | None) -> str:
    return show([[square // 5, square % 5] for square in sorted(squares or ())])


def _alternatives(words: frozenset[str]) -> str:
    return " or ".join(sorted(words))


ITALIAN_RULES: Final = {
    "join": "addPlayer riceve addPlayerResponse, con il nome e la dimensione inviati",
    "name": "un nome è unico su tutto il server, e uno sbagliato o già preso non è valido",
    "naming": "un nome che non ha da 1 a 64 caratteri stampabili non è valido",
    "size": "lobbyState è false se la dimensione non è 2 o 3",
    "cards": "il giocatore divino invia tante carte diverse del mazzo quanti sono i giocatori",
    "card": "un giocatore risponde a setPlayerCard con una delle carte offerte",
    "workers": "la risposta a setWorkersPosition ha due celle libere diverse, e i lavoratori vanno lì",
    "turn": "gioca solo il giocatore di turno",
    "start": "setStartTurn riceve setStartTurnResponse con il primo passo",
    "select": "selectWorker prende un proprio lavoratore e riceve le celle che le regole permettono",
    "step": "playStep va in una cella della vista, e si salta solo ciò che è facoltativo",
    "steps": "i passi si susseguono come nel turno della divinità",
    "board": "il campo dopo un passo è quello che risulta dalle regole",
    "end": "il vincitore riceve youWin, gli altri youLose",
    "query": "getDeck, getPlayers e getBattlefield ricevono risposta in ogni fase della partita",
    "error": "una richiesta non accettata riceve il motivo, e non cambia niente",
    "deck": "un mazzo è un array; nell'edizione distribuita sta in listOfCards",
    "pinged": "il server invia ping appena un client si connette, e di nuovo 5 secondi dopo ogni pong",
    "pong": "un client che ha già risposto a un ping risponde al successivo entro 10 secondi",
    "shipped": "i ping esistono solo nell'edizione distribuita",
    "dead-end": "una vista tralascia i passi dopo i quali il turno non si può finire",
    "stuck": "un giocatore è fuori quando non può finire nessun turno, appena il turno comincia",
    "last-step": "il passo che termina la partita non riceve risposta",
    "order": "i campi di un passo vengono prima della sua risposta",
    "surplus": "arriva una vista per ogni selectWorker e per ogni passo che ne segue un altro",
    "sender": "una richiesta che nomina un altro giocatore non viene accettata",
    "framing": "un messaggio è un oggetto JSON su una riga",
    "unknown": "un messaggio ha un'azione della specifica, con i suoi dati",
}
"""Italian sentences of the rules, by the last part of their codes."""

ITALIAN_FORMS: Final = {
    "nothing arrived for {:.1f} s; expected ping": "per {:.1f} s non è arrivato niente; si aspettava ping",
    "nothing arrived for {:.1f} s; expected pong": "per {:.1f} s non è arrivato niente; si aspettava pong",
    "got {} after {}; expected {}": "è arrivato {} dopo {}; si aspettava {}",
    "got {} in reply to the step that ends the match": "è arrivato {} al passo che termina la partita",
    "got {} without a request": "è arrivato {}, e nessuno l'aveva chiesto",
    "got {}; the request was {}": "è arrivato {}, ed era stato chiesto {}",
    "got {}; expected one of {}": "è arrivato {}; si aspettava uno di {}",
    "got {}; the god player has picked {}": "è arrivato {}; il giocatore divino ha scelto {}",
    "got a board of {} cells; expected 25": "è arrivato un campo di {} celle; se ne aspettavano 25",
    "got actualPlayer {}; it is another player's turn": "è arrivato actualPlayer {}; è il turno di un altro giocatore",
    "addPlayer, for another match": "addPlayer, per un'altra partita",
    "got addPlayerResponse without a request": "è arrivato addPlayerResponse, e nessuno l'aveva chiesto",
    "got currentStep {}; expected MOVE or BUILD": "è arrivato currentStep {}; si aspettava MOVE o BUILD",
    "getDeck, setPickedCards": "getDeck, setPickedCards",
    "got getDeckResponse without a request": "è arrivato getDeckResponse, e nessuno l'aveva chiesto",
    "got the deck as {}; expected {}": "è arrivato il mazzo come {}; si aspettava {}",
    "an array": "un array",
    "got lobbyState true in reply to a size of {}; expected false": (
        "è arrivato lobbyState true per la dimensione {}; si aspettava false"
    ),
    "no legal step leads to the board that arrived": "nessun passo legale porta al campo che è arrivato",
    "own workers are on {}; expected {}": "i propri lavoratori sono arrivati in {}; si aspettava {}",
    "got ping": "è arrivato ping",
    "playStep with one of {}": "playStep con uno di {}",
    "setPickedCards, once all players have connected": "setPickedCards, quando sono arrivati tutti i giocatori",
    "setPlayerCard with one of {}": "setPlayerCard con uno di {}",
    "got setStartTurn in the middle of a turn": "è arrivato setStartTurn a metà di un turno",
    "got setStartTurnResponse without a request": "è arrivato setStartTurnResponse, e nessuno l'aveva chiesto",
    "setWorkersPosition with two free cells": "setWorkersPosition con due celle libere",
    "got skipStep at {}, which is not optional": "è arrivato skipStep a {}, che non è facoltativo",
    "got the board after playStepResponse": "il campo è arrivato dopo playStepResponse",
    "the board has changed without a request of the player to move": (
        "il campo è cambiato senza una richiesta del giocatore di turno"
    ),
    "got the view {}; expected {}": "è arrivata la vista {}; si aspettava {}",
    "got validNick true in reply to {}, which another player has": (
        "è arrivato validNick true a {}, che è il nome di un altro giocatore"
    ),
    "got validNick true in reply to {}, which is not a valid name": "è arrivato validNick true a {}, che non è un nome",
    "got workerViewUpdate when no view was due": "è arrivato workerViewUpdate, e non era dovuta nessuna vista",
    "got youLose; this player has won": "è arrivato youLose; questo giocatore ha vinto",
    "got youWin after another player has won": "è arrivato youWin, e ha già vinto un altro giocatore",
    "got youWin; another player has won": "è arrivato youWin; ha vinto un altro giocatore",
    "got cell {},{}, but {}": "è arrivata la cella {},{}, ma {}",
    "got cell {},{}, but {}; expected one of {}": "è arrivata la cella {},{}, ma {}; si aspettava una di {}",
}
"""Italian forms of the details that only this watcher uses."""
