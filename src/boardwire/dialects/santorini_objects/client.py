"""Client script of santorini-objects, for this server and the original ones.

- It speaks one edition, keeps its own board and asks its player each request as a decision (`model`).
- It answers without the player: the name, HELLO, and the decline that ends F's turns.
- Original servers do not report displaced workers, send `RequestError` without a new request, and end by closing the
  connection.
- A client that has lost stays connected: on some servers leaving ends the match for all [13].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from boardwire.dialects.dialect import Answer, ClientOptions, Note, Over, Players, Result, Show, defeat_text, question
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.dialects.santorini_objects.messages import texts
from boardwire.dialects.santorini_objects.messages.cells import is_on_board, square_of
from boardwire.dialects.santorini_objects.model import Model, Request, Step, request_of
from boardwire.errors import Malformed
from boardwire.games.game import Seat
from boardwire.games.santorini.actions import PickGod, PlaceWorker
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.squares import square_name
from boardwire.talk import Gone, Script, Talk, Woke

RETRY_SECONDS: Final = 0.5
"""Wait after an error for the server to repeat its request, before asking the player again [13]."""
REFUSED: Final = "The server refused this choice."


def play_in(edition: Edition) -> Callable[[ClientOptions], Script]:
    """Return the client of one edition."""

    def play(options: ClientOptions) -> Script:
        async def script(talk: Talk[Any]) -> None:
            await Client(talk, edition, options).run()

        return script

    return play


class Client:
    """Client side of one match."""

    def __init__(self, talk: Talk[Any], edition: Edition, options: ClientOptions) -> None:
        self._talk = talk
        self._edition = edition
        self._options = options
        self._board = Model(options.players)
        self._seat: Seat = -1
        self._message: msgspec.Struct | None = None
        """The last request, if no event has followed it."""
        self._request: Request | None = None
        self._steps: list[Step] = []
        """Decisions of the current request; the last one may be unanswered."""
        self.over = False

    async def run(self) -> None:
        """Log in, then handle inputs until the match is over."""
        self._log_in()
        while not self.over:
            received = await self._talk.next_input()
            if isinstance(received, Answer):
                self._handle_answer(received.action)
            elif isinstance(received, Woke):
                self._ask_again()
            elif isinstance(received, Gone | Malformed):
                self._lose_connection()
            elif type(received) in HANDLERS and type(received) in self._edition.schema.types:
                self._handle_message(received)

    def _handle_message(self, message: msgspec.Struct) -> None:
        """Handle a message about this table's players and board; others are ignored."""
        if getattr(message, "player_id", 1) not in range(1, len(self._board.names) + 1):
            return  # not a player of this table
        position = getattr(message, "new_position", None)
        if position is None or is_on_board(position):
            handle = HANDLERS[type(message)]
            if handle not in (Client.handle_request, Client.handle_error, Client.handle_text):
                self._message = None
            handle(self, message)

    def _send(self, message: msgspec.Struct) -> None:
        self._talk.say(self._edition.encode(message))

    # --- the handshake --------------------------------------------------------------------------------------------

    def _log_in(self) -> None:
        players, name = self._options.players, self._options.name
        if self._edition.is_shipped:
            self._send(wire.Connection(players, name))
        else:
            self._send(wire.Message(f"{players} players"))
        self._talk.do(Note(f"Waiting for a table of {players}."))

    def handle_text(self, message: wire.Message) -> None:
        """Answer a question of the handshake, or store the seat that the text gives."""
        text = message.message or ""
        if text == texts.ASK_NAME:
            self._send(wire.Message(self._options.name))
        elif text == texts.HELLO:
            # the server disconnects a client that does not answer within a second [13]
            self._send(wire.Message(texts.HELLO))
        elif text in _ERRORS:
            self._end_match(_ERRORS[text], Result.BROKEN_OFF)
        elif text[:-1] in (texts.NUMBER[:-2], texts.SHIPPED_NUMBER[:-2]) and text[-1] in "123":
            self._seat = int(text[-1]) - 1
            self._talk.do(Note(f"You have seat {text[-1]}."))

    def handle_names(self, message: wire.UpdateInitializeNames) -> None:
        self._board.set_names(message.players_names)
        self._talk.do(Players(tuple(self._board.names), self._seat if self._seat >= 0 else None))
        self._show_text("The match begins: " + ", ".join(self._board.names) + ".")

    # --- questions ------------------------------------------------------------------------------------------------

    def handle_request(self, message: msgspec.Struct) -> None:
        """Ask the player a request. An identical request means that the server has rejected the answer [9]."""
        self._talk.wake(0, "again")
        again = REFUSED if message == self._message else ""
        self._message = message
        request = request_of(message, self._board, self._seat)
        self._request = request
        self._steps = []
        if request is not None:
            self._continue_request(request, again)

    def _continue_request(self, request: Request, again: str = "") -> None:
        """Ask the next question of a request, or send its answer."""
        step = request.step(tuple(self._steps))
        if isinstance(step, msgspec.Struct) and not isinstance(step, Step):
            self._send(step)
            return
        choices = tuple(step.decision.choices)
        if step.only and len(choices) == 1:
            self._steps.append(msgspec.structs.replace(step, answer=choices[0]))
            self._continue_request(request)
            return
        self._steps.append(step)
        self._ask_player(step, again)

    def _ask_player(self, step: Step, again: str) -> None:
        """Ask the player, and show the chosen god and workers that have not been sent."""
        answers = [earlier_step.answer for earlier_step in self._steps]
        placed = tuple(answer.at for answer in answers if isinstance(answer, PlaceWorker))
        god = next((answer.god for answer in answers if isinstance(answer, PickGod)), None)
        self._talk.do(question(self._board.view(step.decision, placed=placed, god=god), step.decision, again))

    def _handle_answer(self, action: Any) -> None:
        """Handle the player's choice. An answer to a closed question is dropped."""
        request, step = self._request, self._steps[-1] if self._steps else None
        if request is None or step is None or step.answer is not None:
            return
        if action not in step.decision.choices:
            self._ask_player(step, "That is not among the choices.")
            return
        self._steps[-1] = msgspec.structs.replace(step, answer=action)
        self._continue_request(request)

    def handle_error(self, message: wire.RequestError) -> None:
        """Handle F's rejection; the original server sends nothing else, this server repeats the request."""
        self._talk.wake(RETRY_SECONDS, "again")

    def _ask_again(self) -> None:
        """Ask the whole request again, because the server has not repeated it."""
        if self._request is not None:
            self._steps = []
            self._continue_request(self._request, REFUSED)

    # --- what happened --------------------------------------------------------------------------------------------

    def handle_god_and_workers(self, message: wire.UpdateInitializeGame) -> None:
        self._board.set_god(message.player_id, message.god_power)
        self._board.set_workers(message.player_id, message.worker_positions)
        self._show_text(f"{self._board.name(message.player_id)} has {message.god_power}.")

    def handle_god(self, message: wire.UpdateInitializeGodPower) -> None:
        self._close_question(message.player_id, Kind.PICK_GOD)
        self._board.set_god(message.player_id, message.god_power)
        self._show_text(f"{self._board.name(message.player_id)} has {message.god_power}.")

    def handle_workers(self, message: wire.UpdateInitializeWorkerPositions) -> None:
        self._close_question(message.player_id, Kind.PLACE_WORKER)
        self._board.set_workers(message.player_id, message.worker_positions)
        self._show_text(f"{self._board.name(message.player_id)} has placed both workers.")

    def _close_question(self, player: int, kind: Kind) -> None:
        """Close the question that a set-up update answers, even if it was asked twice [10]."""
        if player - 1 == self._seat and self._steps and self._steps[0].decision.kind == kind:
            self._request, self._steps = None, []

    def handle_turn(self, message: wire.UpdateTurn | wire.UpdateShippedTurn) -> None:
        """Begin a turn, and drop earlier requests."""
        self._request, self._steps = None, []
        self._board.begin_turn(message.player_id)
        is_own = self._board.seat == self._seat
        self._show_text("It is your turn." if is_own else f"{self._board.name(message.player_id)} plays.")

    def handle_move(self, message: wire.UpdateMove) -> None:
        self._show_text(self._apply_move(message))

    def handle_build(self, message: wire.UpdateBuild) -> None:
        self._show_text(self._apply_build(message))

    def handle_actions(self, message: wire.UpdateActions) -> None:
        """Apply all effects of one F action, builds first."""
        texts = [self._apply_build(build) for build in message.update_build if is_on_board(build.new_position)]
        texts += [self._apply_move(move) for move in message.update_move if is_on_board(move.new_position)]
        self._show_text(" ".join(texts))

    def _apply_move(self, message: wire.UpdateMove | wire.UpdateShippedMove) -> str:
        """Apply a move to the board and return a text about it."""
        player, worker, cell = message.player_id, message.worker_id, message.new_position
        if player not in range(1, len(self._board.names) + 1):
            return ""
        self._board.move(player, worker, cell)
        return f"{self._board.name(player)}'s worker {worker} is on {square_name(square_of(cell))}."

    def _apply_build(self, message: wire.UpdateBuild) -> str:
        """Apply a build to the board and return a text about it."""
        self._board.build(message.dome, message.new_position)
        piece = "A dome" if message.dome else "A block"
        return f"{piece} is built on {square_name(square_of(message.new_position))}."

    # --- the end --------------------------------------------------------------------------------------------------

    def handle_loss(self, message: wire.UpdateLoser) -> None:
        self._board.lose(message.player_id)
        self._request, self._steps = None, []
        is_own = message.player_id - 1 == self._seat
        self._show_text("You have lost." if is_own else f"{self._board.name(message.player_id)} has lost.")

    def handle_win(self, message: wire.UpdateWinner) -> None:
        seat = message.player_id - 1
        has_won = seat == self._seat
        text = "You win!" if has_won else defeat_text(self._board.name(message.player_id))
        self._end_match(text, Result.WON if has_won else Result.LOST, seat)

    def handle_disconnection(self, message: wire.UpdateDisconnection) -> None:
        self._end_match(f"{self._board.name(message.player_id)} has left.", Result.BROKEN_OFF)

    def _lose_connection(self) -> None:
        has_lost = self._seat in self._board.out
        self._end_match("The server closed the connection.", Result.LOST if has_lost else Result.BROKEN_OFF)

    def _end_match(self, text: str, result: Result, winner: Seat | None = None) -> None:
        self.over = True
        self._talk.do(Over(self._board.view(winner=winner), text, result))

    def _show_text(self, text: str) -> None:
        self._talk.do(Show(self._board.view(), text))


_ERRORS: Final = {
    texts.BAD_NAME: "That name is taken or invalid; choose another.",
    texts.BAD_NUMBER: "Tables are for 2 or 3 players.",
}

HANDLERS: Final[dict[type, Callable[[Client, Any], None]]] = {
    wire.Message: Client.handle_text,
    wire.UpdateInitializeNames: Client.handle_names,
    **dict.fromkeys((wire.RequestInitializeGame, wire.RequestInitializeGodPower), Client.handle_request),
    wire.RequestInitializeWorkerPositions: Client.handle_request,
    **dict.fromkeys(
        (wire.RequestMove, wire.RequestBuild, wire.RequestOptional, wire.RequestAction), Client.handle_request
    ),
    wire.RequestError: Client.handle_error,
    wire.UpdateInitializeGame: Client.handle_god_and_workers,
    wire.UpdateInitializeGodPower: Client.handle_god,
    wire.UpdateInitializeWorkerPositions: Client.handle_workers,
    wire.UpdateTurn: Client.handle_turn,
    wire.UpdateShippedTurn: Client.handle_turn,
    wire.UpdateMove: Client.handle_move,
    wire.UpdateBuild: Client.handle_build,
    wire.UpdateActions: Client.handle_actions,
    wire.UpdateLoser: Client.handle_loss,
    wire.UpdateWinner: Client.handle_win,
    wire.UpdateDisconnection: Client.handle_disconnection,
}
"""Handlers by message type. F's moves come only inside `UpdateActions`, so `UpdateShippedMove` has none."""
