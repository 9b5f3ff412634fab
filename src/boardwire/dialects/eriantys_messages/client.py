"""The client's end of eriantys-messages: logs in, plays one match, and says goodbye.

Settings: `mode` (simplified or expert) and `tower` (WHITE, BLACK or GREY; another colour is tried if it is taken).
"""

from __future__ import annotations

from typing import Any, Final

from boardwire.dialects.dialect import Answer, Ask, Note, Over, Result, Seating, Show
from boardwire.dialects.eriantys_messages import messages as say
from boardwire.dialects.eriantys_messages.display import JOINING, LAST_ROUND, TURN_OVER
from boardwire.dialects.eriantys_messages.table import WORDS, Table
from boardwire.games.eriantys import (
    Kind,
    MoveMotherNature,
    PlayAssistant,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
)
from boardwire.games.game import Decision, Malformed
from boardwire.talk import Gone, Script, Talk, Woke

PING_SECONDS: Final = 5.0
_TOWERS: Final = ("WHITE", "BLACK", "GREY")


def play(seating: Seating) -> Script:
    """A script that plays one match."""

    async def script(talk: Talk) -> None:
        await Client(talk, seating).play()

    return script


class Client:
    """One player's side of the conversation."""

    def __init__(self, talk: Talk, seating: Seating) -> None:
        self._talk = talk
        self._seating = seating
        self._name = seating.name
        wanted = seating.settings.get("tower", "").upper()
        self._towers = sorted(_TOWERS, key=lambda tower: tower != wanted)
        self._table = Table(self._name)
        self._kind: Kind | None = None
        """What the player is asked just now."""
        self._sent: Any = None
        """The answer whose fate is not known yet."""

    async def play(self) -> None:
        """From the login to the end."""
        self._send(say.LoginRequest(nickname=self._name))
        self._talk.wake(PING_SECONDS, "ping")
        while True:
            match await self._talk.hear():
                case bytes(line):
                    try:
                        reply = say.decode_reply(line)
                    except Malformed as error:
                        self._talk.do(Note(f"The server says something strange: {error}"))
                        continue
                    if self._hear(reply):
                        return
                case Answer(action=action):
                    self._answer(action)
                case Woke():
                    self._send(say.PingMessage(nickname=self._name))
                    self._talk.wake(PING_SECONDS, "ping")
                case Gone() | Malformed():
                    self._over("The connection is gone.", Result.BROKEN_OFF)
                    return

    def _send(self, request: say.Request) -> None:
        self._talk.say(say.encode(request))

    def _register(self) -> None:
        if not self._towers:
            self._talk.do(Note("All towers are taken."))
            return
        self._send(
            say.PlayerNicknameMessage(
                nickname=self._name,
                numPlayers=self._seating.players,
                colorTower=self._towers[0],
                gameMode=self._seating.settings.get("mode", "simplified"),
            )
        )

    def _hear(self, reply: say.Reply) -> bool:
        """Take a message in; True if it was the last."""
        match reply:
            case say.LoginReply(nicknameAccepted=True):
                self._register()
            case say.LoginReply() | say.InvalidNicknameMessage():
                self._name = self._table.me = f"{self._name}'"
                self._send(say.LoginRequest(nickname=self._name))
            case say.InvalidTowerMessage():
                self._towers.pop(0)
                self._register()
            case say.TextMessage(text=text, ask=ask):
                self._text(text, ask)
            case say.WinMessage(winner=winner):
                self._send(say.EndGameMessage(nickname=self._name))
                self._won(winner)
                return True
            case say.DisconnectionMessage(nicknameDisconnected=gone):
                self._over(f"{gone or 'Somebody'} has left; the match is over.", Result.BROKEN_OFF)
                return True
            case say.InvalidNumberStudentsMovedMessage():
                self._again("That is not the number of students to be moved now.")
            case say.InvalidMovementMessage(movementAllowed=most):
                self._again(f"Mother nature can go 1 to {most} islands.")
            case say.InvalidCharacterCardMessage(reason=reason):
                self._table.used = True  # so that it is not tried for ever
                self._again(reason)
            case say.ErrorMessage(error=error):
                self._again(error)
            case say.PingMessage():
                pass
            case _:
                self._table.show(reply)
                if isinstance(reply, say.DisplayCemeteryMessage) and self._table.begun and self._sent is None:
                    self._talk.do(Show(self._table.view(None)))
        return False

    def _text(self, text: str, ask: str) -> None:
        if ask not in WORDS:
            refused = self._sent is not None and text not in (JOINING, TURN_OVER) and not text.startswith(LAST_ROUND)
            if refused:
                self._again(text)
            else:
                self._talk.do(Note(text))
            return
        kind = WORDS[ask]
        self._settled(kind)
        self._kind = kind
        self._ask("")

    def _settled(self, kind: Kind) -> None:
        """The last answer was taken."""
        table = self._table
        if kind is Kind.ASSISTANT or self._kind is None:
            table.moved, table.used = 0, False
        if isinstance(self._sent, ToHall | ToIsland):
            table.moved += 1
        table.used = table.used or isinstance(self._sent, UseCharacter)
        self._sent = None

    def _ask(self, again: str) -> None:
        if self._kind is None:
            return
        view = self._table.view(self._kind)
        seat = self._table.names.index(self._name)
        self._talk.do(Ask(view, Decision(self._kind, (seat,), self._table.choices(self._kind)), again))

    def _again(self, why: str) -> None:
        self._sent = None
        self._ask(why)

    def _answer(self, action: Any) -> None:
        if self._kind is None or self._sent is not None:
            return
        self._sent = action
        name = self._name
        match action:
            case PlayAssistant(card=card):
                self._send(say.PlayAssistantCardMessage(nickname=name, assistantCard=card))
            case ToHall(colour=colour):
                self._send(say.StudentToHallMessage(nickname=name, students=(colour.name,)))
            case ToIsland(colour=colour, island=head):
                index = self._index(head)
                self._send(say.StudentToIslandMessage(nickname=name, students=(colour.name,), indexIsland=index))
            case MoveMotherNature(steps=steps):
                self._send(say.MoveMotherNatureMessage(nickname=name, movement=steps))
            case TakeCloud(cloud=cloud):
                self._send(say.AddStudentFromCloudToWaitingMessage(nickname=name, cloudIndex=cloud))
            case UseCharacter():
                self._send(self._character(action))

    def _character(self, use: UseCharacter) -> say.Request:
        swapped = use.give is not None and use.colour is not None
        return say.PlayCharacterCardMessage(
            nickname=self._name,
            character=use.character.name,
            student=use.colour.name if use.colour is not None and not swapped else "",
            indexIsland=None if use.island is None else self._index(use.island),
            students=(use.colour.name,) if swapped and use.colour is not None else (),
            entrance=(use.give.name,) if use.give is not None else (),
        )

    def _index(self, head: int) -> int:
        heads = [island.tiles[0] for island in self._table.view(None).islands]
        return heads.index(head)

    def _won(self, winner: tuple[str, ...]) -> None:
        if self._name in winner:
            text = "You win!" if len(winner) == 1 else f"You win, with {' and '.join(winner)}."
            self._over(text, Result.WON)
        else:
            self._over(f"{' and '.join(winner) or 'Nobody'} wins.", Result.LOST if winner else Result.DRAWN)

    def _over(self, text: str, result: Result) -> None:
        self._talk.do(Over(self._table.view(None) if self._table.begun else None, text, result))
