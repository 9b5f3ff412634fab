"""Client script of eriantys-messages: log in, play one match, confirm the end.

- Settings: `mode` (simplified or expert) and `tower` (WHITE, BLACK or GREY).
- If the tower is taken, the client tries another; if the nickname is taken, it appends a number.
- The next display or question confirms that the server accepted an answer.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from boardwire.dialects.dialect import (
    Answer,
    ClientOptions,
    IntermediateView,
    Note,
    Over,
    Players,
    ProtocolViolation,
    Result,
    Show,
    defeat_text,
    question,
)
from boardwire.dialects.eriantys_messages import messages as wire
from boardwire.dialects.eriantys_messages.model import WORDS, Model, Turn, choices
from boardwire.dialects.eriantys_messages.tell import TURN_OVER
from boardwire.dialects.eriantys_texts import read_last_round
from boardwire.errors import Malformed
from boardwire.games.eriantys import (
    Kind,
    Mode,
    MoveMotherNature,
    PlayAssistant,
    TakeCloud,
    ToHall,
    ToIsland,
    Tower,
    UseCharacter,
    View,
)
from boardwire.games.eriantys.nature import count_range
from boardwire.games.game import Decision
from boardwire.talk import Gone, Script, Talk, Woke

PING_SECONDS: Final = 5.0  # [6.8]
SILENCE_SECONDS: Final = 15.0
NAME_TRIES: Final = 9
_NAME_LIMIT: Final = 32
_TOWERS: Final = ("WHITE", "BLACK", "GREY")
SETTINGS: Final[dict[str, tuple[str, ...]]] = {"mode": tuple(Mode), "tower": tuple(Tower)}
"""Settings of the client, with their values."""


def play(options: ClientOptions) -> Script:
    """Return a script that plays one match."""

    async def script(talk: Talk[Any]) -> None:
        await Client(talk, options).play()

    return script


class Client:
    """Client side of one conversation."""

    def __init__(self, talk: Talk[Any], options: ClientOptions) -> None:
        self._talk = talk
        self._options = options
        self._table = Model(options.name)
        self._tries = 1
        tower_wish = options.settings.get("tower", "").upper()
        self._towers = sorted(_TOWERS, key=lambda tower: tower != tower_wish)
        self._word = ""
        """Keyword of the open question, or ''."""
        self._sent: Any = None
        """Answer that the server has neither accepted nor refused yet."""
        self._players = Players()
        self._over = False

    async def play(self) -> None:
        """Run the conversation from the login to the end."""
        self._send(wire.LoginRequest(nickname=self._table.me))
        self._talk.wake(PING_SECONDS, "ping")
        self._talk.wake(SILENCE_SECONDS, "silence")
        while not self._over:
            match await self._talk.next_input():
                case bytes(line):
                    self._talk.wake(SILENCE_SECONDS, "silence")
                    try:
                        self._handle_reply(wire.decode_reply(line))
                    except Malformed as error:
                        self._talk.do(ProtocolViolation(f"The server sent a message that cannot be decoded: {error}"))
                    except (LookupError, ValueError):  # other servers may display an impossible position
                        self._talk.do(ProtocolViolation("The server's displays are incomplete or contradictory."))
                case Answer(action=action):
                    self._answer_question(action)
                case Woke("ping"):
                    self._send(wire.PingMessage(nickname=self._table.me))
                    self._talk.wake(PING_SECONDS, "ping")
                case Woke():
                    self._end_match(f"No message from the server for {SILENCE_SECONDS:g} s.", Result.BROKEN_OFF)
                case Gone() | Malformed():
                    self._end_match("The server closed the connection.", Result.BROKEN_OFF)

    def _send(self, request: wire.Request) -> None:
        self._talk.say(wire.encode(request))

    def _end_match(self, text: str, result: Result) -> None:
        view = None
        with suppress(Malformed, LookupError, ValueError):  # other servers may have displayed an impossible position
            view = self._view(None) if self._table.has_begun else None
        self._talk.do(Over(view, text, result))
        self._over = True

    # --- login [6.1] -------------------------------------------------------------------------------------------------

    def _register(self) -> None:
        """Request a seat with the next tower colour."""
        if not self._towers:
            self._end_match("The server refused all tower colours; try again later.", Result.BROKEN_OFF)
            return
        self._send(
            wire.PlayerNicknameMessage(
                nickname=self._table.me,
                numPlayers=self._options.players,
                colorTower=self._towers[0],
                gameMode=self._options.settings.get("mode", "simplified"),
            )
        )

    def _try_next_name(self) -> None:
        """Log in with the next name; end the match after `NAME_TRIES` names."""
        self._tries += 1
        if self._tries > NAME_TRIES:
            self._end_match(f"The server refused {NAME_TRIES} names like {self._options.name}.", Result.BROKEN_OFF)
            return
        self._table.me = f"{self._options.name[: _NAME_LIMIT - 1]}{self._tries}"
        self._send(wire.LoginRequest(nickname=self._table.me))

    # --- the server's messages --------------------------------------------------------------------------------------

    def _handle_reply(self, reply: wire.Reply) -> None:
        """Handle one reply of the server: login, question, refusal, end, or display."""
        match reply:
            case wire.LoginReply(connectionSuccessful=False):
                self._end_match("The server refused the login.", Result.BROKEN_OFF)
            case wire.LoginReply(nicknameAccepted=True):
                self._register()
            case wire.LoginReply() | wire.InvalidNicknameMessage():
                self._try_next_name()
            case wire.InvalidTowerMessage():
                self._towers.pop(0)
                self._register()
            case wire.TextMessage(text=text, ask=word):
                self._handle_text(text, word)
            case wire.WinMessage(winner=winner):
                self._send(wire.EndGameMessage(nickname=self._table.me))
                self._handle_win(winner)
            case wire.DisconnectionMessage(nicknameDisconnected=leaver):
                self._end_match(f"{leaver or 'A player'} has left; the match is over.", Result.BROKEN_OFF)
            case wire.InvalidNumberStudentsMovedMessage():
                self._handle_refusal("The server refused the students of this move.")
            case wire.InvalidMovementMessage(movementAllowed=max_steps):
                self._handle_refusal(f"Mother nature can move {count_range(max_steps, 'island')}.")
            case wire.InvalidCharacterCardMessage(reason=reason):
                self._table.turn.barred = True
                self._handle_refusal(reason)
            case wire.ErrorMessage(error=error):
                self._handle_refusal(error)
            case wire.PingMessage():
                pass
            case _:
                self._note_acceptance()
                change = self._table.apply_display(reply)
                if self._table.has_begun:
                    self._talk.do(IntermediateView(lambda: self._view(None)))
                if change:
                    self._talk.do(Note(change))

    def _handle_text(self, text: str, word: str) -> None:
        """Handle a question or an information; both come as `TextMessage`."""
        if word in WORDS:
            self._note_acceptance()
            if WORDS[word] is Kind.ASSISTANT:
                self._table.turn = Turn()
            self._word = word
            self._ask_player("")
        elif text == TURN_OVER:
            self._note_acceptance()
            self._table.turn = Turn()
            self._talk.do(Show(self._view(None), text))
        elif word == wire.REFUSED:
            self._handle_refusal(text)
        else:  # [3] information that answers nothing: players may leave and return at any time
            if (last := read_last_round(text)) is not None:
                self._table.last_round = last.reason
                self._table.clouds_closed = not last.clouds
            self._talk.do(Note(text))

    def _note_acceptance(self) -> None:
        """Record that the server accepted the last answer."""
        turn = self._table.turn
        match self._sent:
            case None:
                return
            case ToHall() | ToIsland():
                turn.moved += 1
            case TakeCloud():
                turn.took_cloud = True
            case UseCharacter(character=character):
                turn.used_character = character
        self._sent, self._word = None, ""

    def _handle_refusal(self, why: str) -> None:
        self._sent = None
        self._ask_player(why)

    def _handle_win(self, winner: tuple[str, ...]) -> None:
        """End the match with the result that the list of winners means for this player."""
        others = [name for name in winner if name != self._table.me]
        if not winner:
            self._end_match("The match has no winner.", Result.DRAWN)
        elif self._table.me not in winner:
            self._end_match(defeat_text(*winner), Result.LOST)
        elif len(winner) == len(self._table.names):
            self._end_match("All share the win.", Result.DRAWN)
        else:
            self._end_match(f"You win, with {' and '.join(others)}!" if others else "You win!", Result.WON)

    # --- the player -------------------------------------------------------------------------------------------------

    def _ask_player(self, again: str) -> None:
        """Ask the player the open question; `again` is the reason of a refusal."""
        table, word = self._table, self._word
        if not word:
            return
        view, seat = self._view(WORDS[word]), table.names.index(table.me)
        decision = Decision(WORDS[word], (seat,), choices(view, seat, word, table.turn.barred))
        self._talk.do(question(view, decision, again))

    def _view(self, kind: Kind | None) -> View:
        """Announce the players if they have changed; return the known position as a view."""
        table = self._table
        players = Players(tuple(table.names), table.names.index(table.me) if table.me in table.names else None)
        if players != self._players:
            self._players = players
            self._talk.do(players)
        return table.view(kind)

    def _answer_question(self, action: Any) -> None:
        """Send the player's answer unless the question is closed or already answered."""
        if not self._word or self._sent is not None:
            return
        self._sent = action
        self._send(self._request_of(action))

    def _request_of(self, action: Any) -> wire.Request:
        """Return the message of an action."""
        name = self._table.me
        match action:
            case PlayAssistant(card=card):
                return wire.PlayAssistantCardMessage(nickname=name, assistantCard=card)
            case ToHall(colour=colour):
                return wire.StudentToHallMessage(nickname=name, students=(colour.name,))
            case ToIsland(colour=colour, island=head):
                index = self._table.heads.index(head)
                return wire.StudentToIslandMessage(nickname=name, students=(colour.name,), indexIsland=index)
            case MoveMotherNature(steps=steps):
                return wire.MoveMotherNatureMessage(nickname=name, movement=steps)
            case TakeCloud(cloud=cloud):
                return wire.AddStudentFromCloudToWaitingMessage(nickname=name, cloudIndex=cloud)
        return self._character_request(action)

    def _character_request(self, use: UseCharacter) -> wire.Request:
        """Return the message that uses a character, with swapped students in two lists."""
        colour = "" if use.colour is None else use.colour.name
        return wire.PlayCharacterCardMessage(
            nickname=self._table.me,
            character=use.character.name,
            student=colour if use.give is None else "",
            indexIsland=None if use.island is None else self._table.heads.index(use.island),
            students=() if use.give is None else (colour,),
            entrance=() if use.give is None else (use.give.name,),
        )
