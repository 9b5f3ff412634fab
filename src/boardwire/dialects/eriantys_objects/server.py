"""The server's end of eriantys-objects (protocol page, 4 and 9).

1. A client logs in and finds a seat (`lobby`).
2. When the table is full the match begins: clouds, islands and the own board are displayed to each [4.1.6].
3. Whoever must decide is asked (`ask`), everybody is told what happened (`tell`).
4. WinMessage to everybody, or DisconnectionMessage if somebody left; then the connection ends [9.11].

Anything else that a client says gets a text and the outstanding request again, and changes nothing (`line`).  What
comes twice is dropped without a word: the shipped clients say some things twice [9.9].
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from boardwire.dialects.eriantys_objects import classes as wire
from boardwire.dialects.eriantys_objects import models
from boardwire.dialects.eriantys_objects.ask import Turn, default
from boardwire.dialects.eriantys_objects.line import Line
from boardwire.dialects.eriantys_objects.lobby import NAME, find_seat
from boardwire.dialects.eriantys_objects.stream import ADDRESSEE
from boardwire.dialects.eriantys_objects.tell import Telling, follow, tell
from boardwire.errors import Illegal
from boardwire.games.eriantys import View
from boardwire.games.game import Outcome, Seat
from boardwire.table import events as told
from boardwire.table.commands import Act, AnswerUndo
from boardwire.table.events import Leaving
from boardwire.table.guest import Refusal, Seated, Step
from boardwire.table.match import Match
from boardwire.talk import Talk

DISCONNECTED: Final = " disconnected from the server. GAME ENDED."
DRAW: Final = "The game ends in a draw. GAME ENDED."
_SERVER: Final = "Server_nickname"


async def serve(talk: Talk[Any]) -> None:
    """One client, from its login to the end of its match."""
    line = Line(talk)
    seated = await find_seat(line)
    if seated is not None:
        await Sitting(line, seated).play()


class Sitting:
    """One seat's conversation."""

    __slots__ = ("_acting", "_answered", "_line", "_match", "_moved", "_seat", "_telling", "_turn")

    def __init__(self, line: Line, seated: Seated) -> None:
        self._line = line
        self._seat: Seat = seated.seat
        self._match: Match = seated.match
        self._telling: Telling | None = None
        """What was told last; before the match begins there is nothing."""
        self._turn = Turn(seated.seat)
        self._moved = -1
        """How far the play was when the last decision was put."""
        self._acting: Act | None = None
        """The answer whose outcome is not known yet; messages wait for it."""
        self._answered: type | None = None
        """The class of the last answer that was taken."""

    @property
    def _view(self) -> View | None:
        """The table as this client was told of it."""
        return None if self._telling is None else self._telling.after

    @property
    def _names(self) -> tuple[str, ...]:
        """The players, as they were when the match began."""
        return _names(self._match) if self._telling is None else self._telling.names

    async def play(self) -> None:
        """Until the match, or the line, is over."""
        while self._match.outcome is None:
            heard = await self._line.hear(messages=self._acting is None)
            if heard is None:
                return
            if isinstance(heard, Step):
                self._hear_step(heard)
            elif isinstance(heard, wire.Message):
                self._hear_message(heard)
            elif isinstance(heard, Seated):  # at another table where somebody waits; the client knows neither
                self._seat, self._match, self._turn = heard.seat, heard.match, Turn(heard.seat)
            elif isinstance(heard, Refusal) and heard.command is self._acting:
                self._acting = None
                self._line.refuse(str(heard.reason))
        self._end(self._match.outcome)

    # --- what happened ----------------------------------------------------------------------------------------------

    def _hear_step(self, step: Step) -> None:
        self._match = step.match
        for moment in step.moments:
            MATCH_EVENTS[type(moment.event)](self, moment.event)
        if step.match.position is not None:
            self._tell(step)
            self._put()

    def _tell(self, step: Step) -> None:
        before = self._telling
        key = (NAME, before is None)
        if key not in step.memo:
            happened = [event for moment in step.moments for event in moment.happened]
            view: View = step.match.setting.game.view(step.match.position, None)
            step.memo[key] = follow(before, view, happened, self._names)
        self._telling = telling = step.memo[key]
        self._line.say(tell(telling, self._seat))
        self._turn.hear(telling.happened)

    def _put(self) -> None:
        """Ask this player, if it must decide something that was not put yet."""
        decision, match = self._match.pending, self._match
        if decision is None or self._seat not in decision.seats:
            self._turn.rest()
            self._line.request = b""
            self._moved = match.moved
        elif match.moved != self._moved:
            self._moved = match.moved
            action = default(decision)
            if action is None:
                self._ask()
            else:
                self._act(action)

    def _ask(self) -> None:
        assert self._match.pending is not None
        assert self._telling is not None, "whoever is asked has seen the table"
        self._line.ask(self._turn.put(self._match.pending, self._telling.after))

    def _act(self, *actions: Any) -> None:
        self._acting = Act(self._seat, actions, self._match.seq)
        self._line.talk.do(self._acting)

    def acted(self, event: told.Acted) -> None:
        """A step of the game."""
        if event.seat == self._seat:
            if self._acting is not None:
                self._line.accept()
            self._acting = None
            self._turn.took(event.action)

    def left(self, event: told.Left) -> None:
        """Somebody went: the others learn who is left [4.6]."""
        if event.seat == self._seat or self._match.outcome is not None:
            return
        if self._skips:  # a lobby without its player would tell clients that the match is over
            self._text(f"{self._names[event.seat]} is away: their turns pass.")
        else:
            self._line.send(self._lobby(self._staying()))

    def returned(self, event: told.Returned) -> None:
        """Somebody is back, whom others played on without."""
        if event.seat != self._seat and self._match.outcome is None and self._skips:
            self._text(f"{self._names[event.seat]} is back.")

    @property
    def _skips(self) -> bool:
        return self._match.setting.policy.leaving is Leaving.SKIPS and self._match.position is not None

    def _text(self, text: str) -> None:
        self._line.send(wire.TextMessage(nickname=ADDRESSEE, text=text))

    def undo_offered(self, event: told.UndoOffered) -> None:
        """The protocol has no words for it."""
        if event.seat != self._seat:
            self._line.talk.do(AnswerUndo(self._seat, agree=False))

    def undone(self, event: told.Undone) -> None:
        """Show everything anew, and ask afresh."""
        self._telling = None
        self._turn.begin()
        self._acting = None

    def silent(self, event: told.Event) -> None:
        """Nothing to say, or the displays say it."""

    # --- what the client says ---------------------------------------------------------------------------------------

    def _hear_message(self, message: wire.Message) -> None:
        if type(message) in ANSWER:
            ANSWER[type(message)](self, message)
        elif self._turn.asked is not None and self._turn.takes(message):
            self._answer(message)
        elif not self._is_repeated(message):
            self._line.refuse("that is not what you are asked" if self._turn.asked else "it is not your turn")

    def _answer(self, message: wire.Message) -> None:
        try:
            actions = self._turn.read(message)
        except Illegal as reason:
            self._line.refuse(str(reason))
            return
        self._answered = type(message)
        if actions:
            self._act(*actions)
        else:
            self._line.accept()
            self._ask()

    def _is_repeated(self, message: wire.Message) -> bool:
        """[9.9] no card, once more; the last answer, once more; the login, once more."""
        match message:
            case wire.PlayedCharacterCardMessage(card_played=None):
                return True
            case wire.LoginRequest(nickname=name):
                return name == self._line.name
            case _:
                return type(message) is self._answered

    def others(self, message: wire.RequestPlayersBoard) -> None:
        """Who are the other players?"""
        names = self._names
        self._line.send(self._lobby(tuple("" if seat == self._seat else name for seat, name in enumerate(names))))

    def board(self, message: wire.ReqRealPlayerBoardMessage) -> None:
        """Show me that player's board."""
        if self._view is None or message.nick_to_send not in self._names:
            self._line.refuse("there is no such player in this match")
        else:
            name = message.nick_to_send
            self._line.send(models.board(self._view, self._names.index(name), name))

    def _staying(self) -> tuple[str, ...]:
        """The names by seat, without those who are away."""
        names = self._names
        return tuple(
            "" if chair.player is None or chair.away is not None else name
            for name, chair in zip(names, self._match.chairs, strict=True)
        )

    def _lobby(self, names: tuple[str, ...]) -> wire.LobbyInfoMessage:
        """These players, as far as there is something to know of them."""
        players = tuple(
            wire.PlayerModel(nickname=name) if self._view is None else models.player(self._view, seat, name)
            for seat, name in enumerate(names)
            if name
        )
        return wire.LobbyInfoMessage(nickname=_SERVER, nickname_list=players)

    # --- the end ----------------------------------------------------------------------------------------------------

    def _end(self, outcome: Outcome) -> None:
        """[9.11] everybody is told who won, or that it is over; winners are told of themselves."""
        names = self._names
        if outcome.termination in told.BROKEN_OFF or self._view is None:
            away = (names[seat] for seat, chair in enumerate(self._match.chairs) if chair.away is not None)
            self._line.send(self._lobby(self._staying()), _disconnection(next(away, "Somebody"), DISCONNECTED))
        elif not outcome.winners:
            self._line.send(_disconnection("", DRAW))
        else:
            winner = self._seat if self._seat in outcome.winners else outcome.winners[0]
            if len(outcome.winners) > 1:
                text = " and ".join(names[seat] for seat in outcome.winners) + " win together."
                self._text(text)
            self._line.send(wire.WinMessage(nickname="server", winner=models.player(self._view, winner, names[winner])))


def _disconnection(name: str, text: str) -> wire.DisconnectionMessage:
    """Real clients print the nickname and the text, and not who has gone: so both fields name the leaver."""
    return wire.DisconnectionMessage(nickname=name, message_str=text, nickname_disconnected=name)


def _names(match: Match) -> tuple[str, ...]:
    return tuple(player.name if player is not None else "" for player in match.players)


MATCH_EVENTS: Final[dict[type, Callable[[Sitting, Any], None]]] = {
    told.Acted: Sitting.acted,
    told.Left: Sitting.left,
    told.UndoOffered: Sitting.undo_offered,
    told.Undone: Sitting.undone,
    told.Returned: Sitting.returned,
    **dict.fromkeys((told.Opened, told.Joined, told.Readied, told.Substituted, told.Skipped), Sitting.silent),
    **dict.fromkeys((told.Started, told.Dealt, told.Resigned, told.TimedOut, told.Chatted), Sitting.silent),
    **dict.fromkeys((told.UndoAgreed, told.UndoDeclined, told.Ended), Sitting.silent),
}
"""What this seat makes of each event of a match."""

ANSWER: Final[dict[type, Callable[[Sitting, Any], None]]] = {
    wire.RequestPlayersBoard: Sitting.others,
    wire.ReqRealPlayerBoardMessage: Sitting.board,
}
"""What a client may ask unbidden."""
