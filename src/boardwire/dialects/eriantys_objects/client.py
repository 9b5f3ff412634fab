"""Client script of eriantys-objects, for boardwire's server and the shipped one [7].

- Settings, used if the server asks: `mode` (simplified or expert) and `tower` (white, black or grey). If the tower is
  taken, the client chooses another.
- The client distinguishes the servers by their offer of assistants: boardwire's have no owner, the shipped server's do.
- boardwire expects a card's index in the offer, accepts several islands in a turn and asks each question once.
- The shipped server expects the index in the whole hand, accepts one island in a turn and repeats some questions.
"""

from __future__ import annotations

from typing import Final

from boardwire.dialects.dialect import ClientOptions, IntermediateView, Note, Over, Players, Result, Show, defeat_text
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects import pieces
from boardwire.dialects.eriantys_objects.model import Model
from boardwire.dialects.eriantys_objects.questions import QUESTIONS, QuestionInput, Questions
from boardwire.dialects.eriantys_objects.tell import DRAW
from boardwire.errors import Malformed
from boardwire.games.eriantys import Mode, Tower
from boardwire.games.eriantys.nature import count_range
from boardwire.games.game import Seat
from boardwire.talk import Gone, Script, Talk, Woke

SETTINGS: Final[dict[str, tuple[str, ...]]] = {"mode": tuple(Mode), "tower": tuple(Tower)}
"""Settings of the client, with their values."""

PING_SECONDS: Final = 1.0
LOGIN_TICKS: Final = 2
"""Pings without a message from the server after which a login is repeated [7.1]."""

BOARD_TICKS: Final = 2
"""Pings after which the player is asked even if the other boards have not arrived."""

MAX_REPLY_TICKS: Final = 30
"""Pings without a reaction to an answer after which the server counts as dead [7.5]."""

MAX_SILENT_TICKS: Final = 3600
"""Pings without any message during a match after which the server counts as dead.

A shipped server that fails in another player's turn still reads pings, so only its silence shows the failure.
"""

_SHOWN: Final = frozenset(
    {wire.DisplayIslandsMessage, wire.DisplayIslandMessage, wire.DisplayPlayerBoardMessage, wire.DisplayCemeteryMessage}
)
"""Displays after which the client shows the player the position."""


def play(options: ClientOptions) -> Script:
    """Return a script that plays one match."""

    async def script(talk: Talk[QuestionInput]) -> None:
        await Client(talk, options).run()

    return script


class Client:
    """Client side of one conversation."""

    def __init__(self, talk: Talk[QuestionInput], options: ClientOptions) -> None:
        self._talk = talk
        self._options = options
        self._name = options.name
        self._model = Model()
        self._questions = Questions(self._model, talk, self._send)
        self._logged_in = False
        self._chooses_terms = False
        """Whether this player chooses the number of players and the mode."""
        self._polled_tower: wire.ColorTower | None = None
        """Unavailable tower to request repeatedly until the shipped server answers with the chosen mode [7.2]."""
        self._ticks = 0
        self._players = Players()
        self.over = False

    async def run(self) -> None:
        """Run the conversation from the login to the end."""
        self._send(wire.PingMessage())
        self._send(wire.LoginRequest(nickname=self._name))
        self._talk.wake(PING_SECONDS, "ping")
        while not self.over:
            received = await self._talk.next_input()
            if isinstance(received, wire.Message):
                self._ticks = 0
                self._questions.note_message(received)
                self._handle_message(received)
            elif isinstance(received, Woke):
                self._handle_tick()
            elif isinstance(received, Gone | Malformed):
                self._end_match("The server closed the connection.", Result.BROKEN_OFF)
            else:
                self._ticks = 0
                self._questions.handle_choice(received.action)

    def _send(self, message: wire.Message) -> None:
        self._talk.say(wire.encode(message))

    def _handle_tick(self) -> None:
        """Ping every second, repeat an unanswered login or tower request, and give up on a silent server [7.5]."""
        self._ticks += 1
        self._send(wire.PingMessage())
        self._talk.wake(PING_SECONDS, "ping")
        if not self._logged_in and self._ticks % LOGIN_TICKS == 0:
            self._send(wire.LoginRequest(nickname=self._name))
        if self._polled_tower is not None:
            self._send(wire.ChosenTowerMessage(nickname=self._name, color_tower=self._polled_tower))
        if self._ticks >= BOARD_TICKS:
            self._questions.handle_boards()
        self._questions.seconds_waited += 1
        is_dead = self._questions.awaits_reaction and self._questions.seconds_waited >= MAX_REPLY_TICKS
        if is_dead or (self._model.has_begun and not self._questions.is_open and self._ticks >= MAX_SILENT_TICKS):
            self._end_match("The server has stopped answering.", Result.BROKEN_OFF)  # [7.5]

    # --- the server's messages --------------------------------------------------------------------------------------

    def _handle_message(self, message: wire.Message) -> None:
        """Handle one message from the server: a question, a leaving player, a display, or a report."""
        if type(message) in QUESTIONS:
            if not self._questions.is_end(message):
                self._questions.handle_request(message)
            elif isinstance(message, wire.DisplayDeckAndAskCardMessage) and self._model.round_is_complete:
                self._end_by_leaders("The server has ended the match.")  # [7.7] after the last round
            else:
                self._end_match("The server has ended the match.", Result.BROKEN_OFF)  # [7.8] it cannot continue
        elif isinstance(message, wire.LobbyInfoMessage) and (leaver := self._names_of_leavers(message)):
            self._end_by_board(f"{leaver} has left.")
        elif self._model.apply_display(message, self._name):
            self._show_display(message)
        elif not self._is_lobby(message):
            self._handle_report(message)

    def _names_of_leavers(self, lobby: wire.LobbyInfoMessage) -> str:
        """Return the names of players who left; '' with boardwire's server, which reports the end itself.

        The shipped server cannot continue after a player has left [7.7].
        """
        if not self._model.has_begun or not self._questions.is_shipped:
            return ""
        return ", ".join(player.nickname or "" for player in self._model.players_missing_from(lobby.nickname_list))

    def _show_display(self, message: wire.Message) -> None:
        """Show the player what a stored display has changed."""
        players = Players(self._model.names, 0)
        if self._model.has_begun and players != self._players:
            self._players = players
            self._talk.do(players)
        if isinstance(message, wire.DisplayPlayerBoardMessage) and not self._model.others:
            self._send(wire.RequestPlayersBoard(nickname=self._name))
        if self._model.has_begun and type(message) not in _SHOWN:
            self._talk.do(IntermediateView(lambda: self._model.view(None)))
        if isinstance(message, wire.LobbyInfoMessage):
            self._questions.handle_boards()
        elif self._model.has_begun and type(message) in _SHOWN:
            self._talk.do(Show(self._model.view(None)))

    def _is_lobby(self, message: wire.Message) -> bool:
        """Answer a message of the lobby phase; return False for any other message."""
        match message:
            case wire.LoginReply(nickname_accepted=accepted, connection_successful=successful):
                self._handle_login_reply(accepted, successful)
            case wire.PlayerNumberRequest():
                self._chooses_terms = True
                self._send(wire.PlayerNumberReply(nickname=self._name, player_number=self._options.players))
            case wire.InitialResMessage(available_towers=towers, game_mode=mode):
                self._choose_tower(tuple(towers), mode)
            case wire.GameModeReq():
                self._model.expert = self._preferred_mode is Mode.EXPERT
                self._send(wire.GameModeRes(nickname=self._name, game_mode=pieces.MODES[self._preferred_mode]))
            case _:
                return False
        return True

    @property
    def _preferred_mode(self) -> Mode:
        wish = self._options.settings.get("mode", "")
        return Mode.EXPERT if wish == Mode.EXPERT else Mode.SIMPLIFIED

    def _handle_login_reply(self, accepted: bool, successful: bool) -> None:
        """Handle the reply to a login; a taken name is tried again with an apostrophe."""
        self._logged_in = accepted and successful
        if accepted and not successful:
            self._end_match("The lobby is full.", Result.BROKEN_OFF)
        elif not successful:
            self._end_match("The server refused the connection.", Result.BROKEN_OFF)
        elif not accepted:
            self._name += "'"
            self._send(wire.LoginRequest(nickname=self._name))

    def _choose_tower(self, towers: tuple[wire.ColorTower, ...], mode: wire.GameMode | None) -> None:
        """Choose the preferred tower or the first; poll while the first player has not chosen the mode."""
        self._polled_tower = None
        if mode is not None:
            self._model.expert = mode is wire.GameMode.ADVANCED
        elif not self._chooses_terms:
            grey = wire.ColorTower.GREY
            self._polled_tower = grey if grey not in towers else wire.ColorTower.NULL
            return
        wish = self._options.settings.get("tower", "").upper()
        tower = next(
            (available for available in towers if available.name == wish),
            towers[0] if towers else wire.ColorTower.NULL,
        )
        self._send(wire.ChosenTowerMessage(nickname=self._name, color_tower=tower))

    def _handle_report(self, message: wire.Message) -> None:
        """Handle a message that is neither a question nor a display nor about the lobby."""
        match message:
            case wire.StartTurnMessage():
                self._questions.begin_turn()
            case wire.TextMessage(text=text) | wire.GenericMessage(message=text):
                self._questions.note_text(text)
                if isinstance(message, wire.GenericMessage) and len(self._model.others) > 1:
                    # Another player's turn begins: only the boards show the changes of the last turn.
                    self._send(wire.RequestPlayersBoard(nickname=self._name))
                self._talk.do(Note(text))
            case wire.WinMessage(winner=winner):
                has_won = winner.nickname == self._name
                self._end_match(
                    "You win!" if has_won else defeat_text(winner.nickname or "another player"),
                    Result.WON if has_won else Result.LOST,
                    self._model.team(winner.nickname),
                )
            case wire.DisconnectionMessage(message_str=text, nickname_disconnected=leaver):
                self._end_match(f"{leaver}{text}", Result.DRAWN if text == DRAW else Result.BROKEN_OFF)
            case wire.InvalidMovementMessage(movement_allowed=max_steps):
                self._questions.note_text(f"Mother nature can move {count_range(max_steps, 'island')}.")
            case wire.ErrorMessage(error=error):
                self._end_match(error, Result.BROKEN_OFF)
            case _:
                pass  # ends of turns, used no-entry tiles, and errors that no known server sends

    def _end_by_board(self, text: str) -> None:
        """End the match by the board: the shipped server reports the end only to the winner [7.7]."""
        if self._model.is_over:
            self._end_by_leaders(text)
        else:
            self._end_match(text, Result.BROKEN_OFF)

    def _end_by_leaders(self, text: str) -> None:
        """End the match without a report from the server: the leaders on the board have won."""
        winners = self._model.leaders
        has_won = 0 in winners
        report = f"{text} {'You win' if has_won else 'You lose'} by the board."
        self._end_match(report, Result.WON if has_won else Result.LOST, winners)

    def _end_match(self, text: str, result: Result, winners: tuple[Seat, ...] = ()) -> None:
        self.over = True
        self._talk.do(Over(self._model.view(None) if self._model.has_begun else None, text, result, winners))
