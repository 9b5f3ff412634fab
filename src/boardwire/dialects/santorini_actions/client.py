"""Client script of santorini-actions, for this server and for programs that follow the document.

- It writes `action` before `data` and answers pings at once.
- It accepts responses before or after the updates, repeated boards and results, and turns that are announced only to
  their player [10].
- It requests the view of both workers before asking its player, so that the player sees every move at once.
"""

from __future__ import annotations

import re
from collections import deque
from typing import Any, Final, TypeVar

from boardwire.dialects.dialect import (
    Answer,
    ClientOptions,
    Note,
    Over,
    Players,
    ProtocolViolation,
    Result,
    Show,
    question,
)
from boardwire.dialects.santorini_actions.editions import Edition
from boardwire.dialects.santorini_actions.messages import replies, requests
from boardwire.dialects.santorini_actions.messages.cards import CHOOSE_BASIC, god_of
from boardwire.dialects.santorini_actions.model import Model
from boardwire.dialects.santorini_actions.steps import Step
from boardwire.errors import Malformed
from boardwire.games.game import Decision
from boardwire.games.santorini import Action, God, Kind, View
from boardwire.games.santorini.actions import DONE, USE, Build, Move, PickGod, PlaceWorker, ProposeGod, Raze
from boardwire.talk import Gone, Script, Talk, Woke

MAX_NAME_ATTEMPTS: Final = 20
"""Names tried before giving up."""

VIEW_TIMEOUT_SECONDS: Final = 3.0
"""Time limit for the view of an announced step: two programs forget to send it [10]."""

STEP_REFUSED: Final = "The server refused this step."

R = TypeVar("R")

_ASKS: Final = (replies.SetPickedCards, replies.SetPlayerCard, replies.SetWorkersPosition, replies.ActualPlayer)
"""Questions that may arrive while another reply is awaited, and are queued."""

_KINDS: Final = {
    Step.MOVE: Kind.OPEN,
    Step.MOVE_SPECIAL: Kind.GO_ON,
    Step.MOVE_UNTIL: Kind.GO_ON,
    Step.BUILD: Kind.GO_ON,
    Step.BUILD_SPECIAL: Kind.BUILD_MORE,
    Step.REMOVE: Kind.CLOSE,
}
_OPTIONAL: Final = frozenset({Step.MOVE_SPECIAL, Step.MOVE_UNTIL, Step.BUILD_SPECIAL, Step.REMOVE})


class _Finished(Exception):
    """Raised to end the conversation after the player has received the result; not an error."""


def play_as(edition: Edition, options: ClientOptions) -> Script:
    """Return a script that plays one match."""

    async def play(talk: Talk[Any]) -> None:
        try:
            await Client(talk, edition, options).play()
        except _Finished:
            return

    return play


class Client:
    """One client's conversation."""

    def __init__(self, talk: Talk[Any], edition: Edition, options: ClientOptions) -> None:
        self._talk = talk
        self._edition = edition
        self._options = options
        self._early_questions: deque[Any] = deque()
        """Questions that came while another reply or the player's choice was awaited."""
        self._model = Model(options.name, options.players)
        self._players = Players()
        self._view: tuple[int, ...] = ()
        """Cells of the due step, as of the last view."""

    async def play(self) -> None:
        """Run the conversation until it ends with `_Finished`."""
        await self._request_seat()
        while True:
            match await self._next_input():
                case replies.SetPickedCards(playerNickname=name):
                    await self._pick_cards(name)
                case replies.SetPlayerCard(cards=names):
                    await self._choose_card(names)
                case replies.SetWorkersPosition(workersID=workers):
                    await self._place_workers(workers)
                case replies.ActualPlayer(playerNickname=name) if self._model.is_me(name):
                    await self._play_turn()

    # --- receiving and asking ---------------------------------------------------------------------------------------

    async def _next_input(self) -> Any:
        """Return the next reply that `_handle_input` does not handle."""
        if self._early_questions:
            return self._early_questions.popleft()
        while True:
            reply = self._handle_input(await self._talk.next_input())
            if reply is not None:
                return reply

    async def _receive_reply(self, *kinds: type[R]) -> R:
        """Return the next reply of these types; questions that come before it are queued."""
        while True:
            reply = self._handle_input(await self._talk.next_input())
            if isinstance(reply, kinds):
                return reply
            if isinstance(reply, _ASKS):
                self._early_questions.append(reply)

    def _handle_input(self, received: Any) -> Any:
        """Handle an input that needs no decision. Return the reply if it is still to be handled."""
        if isinstance(received, Gone | Malformed):
            self._end_match("The server closed the connection.", Result.BROKEN_OFF)
        if isinstance(received, Woke):
            return received
        if not isinstance(received, bytes):
            return None  # the player's answer to a closed question
        if received.strip() == b"quit":  # [10] the bare word ends the client
            self._end_match("The server ended the game.", Result.BROKEN_OFF)
        try:
            return self._handle_reply(replies.read(received))
        except Malformed:
            self._talk.do(
                ProtocolViolation(f"Unexpected message from the server: {received[:100].decode('utf-8', 'replace')}")
            )
            return None

    def _handle_reply(self, reply: replies.Reply | None) -> Any:
        """Handle a reply that answers no request of this client; return any other one."""
        match reply:
            case replies.Ping():
                self._talk.say(requests.write(requests.Pong()))
            case replies.BattlefieldUpdate():
                self._model.learn_board(reply)
                self._talk.do(Show(self._match_view(None)))
            case replies.ActualPlayer(playerNickname=name) if not self._model.is_me(name):
                self._talk.do(Show(self._match_view(None), f"It is {name}'s turn."))
            case replies.YouWin():
                self._end_match("You win!", Result.WON)
            case replies.YouLose():
                self._end_match("You lose.", Result.LOST)
            case replies.ServerError(error=fault):  # (finish 2) report it and close
                self._end_match(f"The server ended the match: {fault}", Result.BROKEN_OFF)
            case _:
                return reply
        return None

    def _end_match(self, text: str, result: Result) -> None:
        self._talk.do(Over(self._match_view(None), text, result))
        raise _Finished

    def _match_view(self, kind: Kind | None) -> View:
        """Return the match as it is known, after announcing new players."""
        players = Players(tuple(self._model.names), self._model.seat)
        if players != self._players:
            self._players = players
            self._talk.do(players)
        return self._model.view(kind)

    def _send(self, request: requests.Request) -> None:
        self._talk.say(requests.write(request))

    async def _ask_player(self, kind: Kind, choices: tuple[Action, ...], again: str = "") -> Action:
        """Ask the player and return its choice; questions from the server are queued meanwhile."""
        self._talk.do(question(self._match_view(kind), Decision(kind, (self._model.seat,), choices), again))
        while True:
            received = await self._talk.next_input()
            if isinstance(received, Answer):
                action: Action = received.action
                return action
            reply = self._handle_input(received)
            if isinstance(reply, _ASKS):
                self._early_questions.append(reply)

    # --- set-up -----------------------------------------------------------------------------------------------------

    async def _request_seat(self) -> None:
        """Request a seat, trying other names, and the other table size if the server asks for it."""
        name, size = self._allowed_name(self._options.name), self._options.players
        for attempt in range(2, MAX_NAME_ATTEMPTS + 2):
            self._model = Model(name, size)
            self._send(requests.AddPlayer(name, size))
            verdict = await self._receive_reply(replies.AddPlayerResponse)
            if verdict.fullLobby:
                self._end_match("The server is full.", Result.BROKEN_OFF)
            if verdict.lobbyState and verdict.validNick:
                self._talk.do(Note(f"You are {name}. Waiting for the other players."))
                return
            if not verdict.lobbyState:  # (creation 1) there is a lobby of the other size only
                size = 5 - size if size in (2, 3) else 2
                self._talk.do(Note(f"The server is filling a table for {size} players; joining that one."))
            else:
                name = self._allowed_name(self._options.name, str(attempt))
                self._talk.do(Note(f"That name is taken; trying {name}."))
        self._end_match(f"The server refused all {MAX_NAME_ATTEMPTS} names; choose another name.", Result.BROKEN_OFF)

    def _allowed_name(self, name: str, suffix: str = "") -> str:
        """Return a name that the edition allows; the shipped one requires lower case [4.1]."""
        if self._edition.lower:
            name = re.sub(r"[^a-z0-9_.-]", "_", name.lower())[: 15 - len(suffix)]
        return (name or "player") + suffix

    async def _pick_cards(self, god: str) -> None:
        """Request the deck; the god player picks a card for each player (creation 2)."""
        self._model.god = god
        if self._model.is_me(god):
            self._model.sit(1)
        self._send(requests.GetDeck())
        self._model.learn_deck(await self._receive_reply(replies.GetDeckResponse))
        if not self._model.is_me(god):
            self._talk.do(Note(f"{god} picks the gods."))
            return
        proposed: list[God] = []
        while len(proposed) < self._model.players:
            gods = [god_of(card.cardName) for card in self._model.deck]
            choices = tuple(ProposeGod(god) for god in gods if god is not None and god not in proposed)
            action = await self._ask_player(Kind.PROPOSE_GOD, choices)
            assert isinstance(action, ProposeGod), "a player must answer with one of the choices"
            proposed.append(action.god)
            self._model.offer = tuple(proposed)
        self._send(requests.SetPickedCards([god.name for god in proposed]))

    async def _choose_card(self, names: list[str]) -> None:
        """Ask for the client's own card; a newer offer replaces an open one (creation 3)."""
        self._model.offer = tuple(god for god in map(god_of, names) if god is not None)
        if not self._model.cards:
            self._model.sit(len(names))
        # the offer does not show the choices of others
        if 2 < self._model.players > len(names) and not self._model.cards:
            self._send(requests.GetPlayers())
            self._model.learn_cards((await self._receive_reply(replies.GetPlayersResponse)).players)
        action = await self._ask_player(Kind.PICK_GOD, tuple(PickGod(god) for god in self._model.offer))
        assert isinstance(action, PickGod), "a player answers with one of the choices"
        if any(isinstance(reply, replies.SetPlayerCard) for reply in self._early_questions):
            return  # the card may be taken: the newer offer is handled next
        self._send(requests.SetPlayerCard(self._model.name, action.god.name))
        self._model.offer = ()

    async def _place_workers(self, workers: list[int]) -> None:
        """Place both workers after fetching players and board (creation 4)."""
        await self._learn_players()
        self._send(requests.GetBattlefield())
        self._model.learn_board(await self._receive_reply(replies.GetBattlefieldResponse))
        positions: list[requests.WorkerPosition] = []
        has_workers = bool(self._model.own_workers)  # a match from a position asks only as a formality [8]
        for number, cell in zip(workers, self._model.free if has_workers else (), strict=False):
            positions.append(requests.WorkerPosition(workerID=number, x=cell // 5, y=cell % 5))
        for number in () if has_workers else workers:
            action = await self._ask_player(Kind.PLACE_WORKER, tuple(PlaceWorker(cell) for cell in self._model.free))
            assert isinstance(action, PlaceWorker), "a player answers with one of the choices"
            self._model.place(action.at)
            positions.append(requests.WorkerPosition(workerID=number, x=action.at // 5, y=action.at % 5))
        self._send(requests.SetWorkersPosition(self._model.name, positions))

    async def _learn_players(self) -> None:
        self._send(requests.GetPlayers())
        self._model.learn_players((await self._receive_reply(replies.GetPlayersResponse)).players)

    # --- the turn ---------------------------------------------------------------------------------------------------

    async def _play_turn(self) -> None:
        """Play one turn, from its kind to its last step (turn 2 to 7)."""
        model = self._model
        if len(model.cards) < model.players:
            await self._learn_players()  # at this table gods and workers are chosen together
        is_basic = False
        if model.own_god in CHOOSE_BASIC or model.chooses_kind():
            is_basic = await self._ask_player(Kind.OPEN, (USE, DONE)) == DONE
        self._send(requests.SetStartTurn(model.name, is_basic))
        start = await self._receive_reply(replies.SetStartTurnResponse)
        model.acting, model.built = -1, ()
        step: Step | None = await self._play_first_step(Step(start.currentStep), start.basicTurn)
        while step is not None and step is not Step.END:
            step = await self._play_later_step(step, start.basicTurn)
        model.acting, model.built = -1, ()

    async def _play_first_step(self, step: Step, is_basic: bool) -> Step | None:
        """Play the first step, with either worker."""
        choices: list[Action] = []
        at = -1
        for at in self._model.own_workers:
            choices += self._actions_of(step, at, await self._select_worker(at), is_basic)
        again = ""
        while choices:
            action = await self._ask_player(Kind.OPEN, tuple(choices), again)
            by = action.frm if isinstance(action, Move) else action.by if isinstance(action, Build) else at
            if by != at:
                at = by
                await self._select_worker(at)
            next_step = await self._play_step(action)
            if next_step is not None:
                return next_step
            again = STEP_REFUSED
        return None

    async def _select_worker(self, cell: int) -> tuple[int, ...]:
        """Select a worker and return the cells of its next step."""
        self._send(requests.SelectWorker(self._model.name, cell // 5, cell % 5))
        return _flagged_cells((await self._receive_reply(replies.WorkerViewUpdate)).workerView)

    async def _play_later_step(self, step: Step, is_basic: bool) -> Step | None:
        """Play a further step; None if all its cells are refused."""
        kind = Kind.OPEN if step is Step.MOVE else _KINDS[step]
        choices = tuple(self._actions_of(step, self._model.acting, self._view, is_basic))
        if step in _OPTIONAL:
            choices += (DONE,)
        again = ""
        while choices:
            next_step = await self._play_step(await self._ask_player(kind, choices, again))
            if next_step is not None:
                return next_step
            again = STEP_REFUSED
        return None

    def _actions_of(self, step: Step, by: int, cells: tuple[int, ...], is_basic: bool) -> list[Action]:
        """Return the cells of a view as actions of the game."""
        model = self._model
        if step in (Step.MOVE, Step.MOVE_SPECIAL, Step.MOVE_UNTIL):
            return [Move(by, cell) for cell in cells]
        if step is Step.REMOVE:
            return [Raze(cell) for cell in cells]
        domes = model.own_god is God.ATLAS and not is_basic
        return [Build(by, cell, domes or model.levels[cell] == 3) for cell in cells]

    async def _play_step(self, action: Action) -> Step | None:
        """Play or skip a step. Return the step that follows, or None if the server refused it."""
        model = self._model
        match action:
            case Move(to=cell) | Build(at=cell) | Raze(at=cell):
                self._send(requests.PlayStep(cell // 5, cell % 5))
            case _:
                self._send(requests.SkipStep())
        next_step = await self._receive_next_step()
        if next_step is not None:
            match action:
                case Move(to=cell):
                    model.acting = cell
                case Build(by=by, at=cell):
                    model.acting, model.built = by, (*model.built, cell)
        return next_step

    async def _receive_next_step(self) -> Step | None:
        """Return the step that follows, with its view; they come in either order [10]."""
        next_step: Step | None = None
        view: tuple[int, ...] | None = None
        while next_step is None or (next_step is not Step.END and view is None):
            match await self._receive_reply(
                replies.PlayStepResponse,
                replies.SkipStepResponse,
                replies.WorkerViewUpdate,
                replies.InvalidRequest,
                Woke,
            ):
                case replies.InvalidRequest():
                    return None
                case replies.WorkerViewUpdate(workerView=flags):
                    view = _flagged_cells(flags)
                case replies.PlayStepResponse(nextStep=step) | replies.SkipStepResponse(currentStep=step):
                    next_step = Step(step)
                case Woke() if next_step in _OPTIONAL:
                    self._send(requests.SkipStep())  # [10] otherwise Triton without a target would wait for ever
                    next_step = None
            waits = next_step not in (None, Step.END) and view is None
            self._talk.wake(VIEW_TIMEOUT_SECONDS if waits else 0, "view")
        self._view = view or ()
        return next_step


def _flagged_cells(flags: list[list[bool]]) -> tuple[int, ...]:
    return tuple(5 * x + y for x, row in enumerate(flags) for y, flag in enumerate(row) if flag)
