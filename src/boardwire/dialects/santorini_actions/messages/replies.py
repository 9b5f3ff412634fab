"""What a server says: one JSON object a line, told apart by `action`; the writer's and the reader's side of it.

Fields stand in the order in which the shipped program writes them, fields without a value are left out, and everything
is ASCII [1].  Boards and views are written by `battlefield`, since they are most of what is said.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

import msgspec

from boardwire.dialects.santorini_actions.messages.battlefield import CellInterface
from boardwire.dialects.santorini_actions.messages.cards import DivinityCard
from boardwire.dialects.santorini_actions.messages.requests import action_of
from boardwire.dialects.santorini_actions.steps import Step
from boardwire.errors import Malformed
from boardwire.wire.envelopes import Envelopes


class AddPlayerResponse(msgspec.Struct, frozen=True):
    """The name as it was sent, the size, and three verdicts (creation 1) [4.1]."""

    playerNickname: str  # noqa: N815 - the wire's own spelling, here and below
    lobbySize: int  # noqa: N815
    lobbyState: bool  # noqa: N815
    validNick: bool  # noqa: N815
    fullLobby: bool  # noqa: N815


class SetPickedCards(msgspec.Struct, frozen=True):
    """All are there, and this one is the god player (creation 2)."""

    playerNickname: str  # noqa: N815


class Pile(msgspec.Struct, frozen=True):
    """A deck as the shipped program writes it [6]."""

    listOfCards: list[DivinityCard]  # noqa: N815


class GetDeckResponse(msgspec.Struct, frozen=True):
    """The deck, in either shape (creation 2)."""

    deck: list[DivinityCard] | Pile


class SetPlayerCard(msgspec.Struct, frozen=True):
    """Choose one of these (creation 3)."""

    cards: list[str]


class SetWorkersPosition(msgspec.Struct, frozen=True):
    """Place the workers of these numbers (creation 4)."""

    workersID: list[int]  # noqa: N815


class PlayerInterface(msgspec.Struct, frozen=True):
    """A player with colour and card (creation 4a)."""

    playerNickname: str  # noqa: N815
    color: str
    card: str


class GetPlayersResponse(msgspec.Struct, frozen=True):
    """All players (creation 4a)."""

    players: list[PlayerInterface]


class Board(msgspec.Struct, frozen=True):
    """All cells, by rows."""

    cellMatrix: list[list[CellInterface]]  # noqa: N815


class GetBattlefieldResponse(Board, frozen=True):
    """The board, to who asked (creation 4b)."""


class BattlefieldUpdate(Board, frozen=True):
    """The board, to everybody (creation 5)."""


class ActualPlayer(msgspec.Struct, frozen=True):
    """Whose turn it is (turn 1)."""

    playerNickname: str  # noqa: N815


class SetStartTurnResponse(msgspec.Struct, frozen=True):
    """A turn, and its first step (turn 2)."""

    playerNickname: str  # noqa: N815
    basicTurn: bool  # noqa: N815
    currentStep: str  # noqa: N815


class WorkerViewUpdate(msgspec.Struct, frozen=True):
    """The cells that a step may go to (turn 3, turn 7)."""

    workerView: list[list[bool]]  # noqa: N815


class PlayStepResponse(msgspec.Struct, frozen=True):
    """A cell, and the step that follows (turn 4)."""

    x: int
    y: int
    nextStep: str  # noqa: N815


class SkipStepResponse(msgspec.Struct, frozen=True):
    """The step that follows (turn 5)."""

    currentStep: str  # noqa: N815


class YouWin(msgspec.Struct, frozen=True):
    """(finish 1)"""


class YouLose(msgspec.Struct, frozen=True):
    """(finish 1)"""


class ServerError(msgspec.Struct, frozen=True):
    """What is wrong, in words; then it is over (finish 2)."""

    error: str = ""


class InvalidRequest(msgspec.Struct, frozen=True):
    """An action of our own: your request was not taken, nothing changed [5]."""

    error: str = ""


class Ping(msgspec.Struct, frozen=True):
    """Are you there [4.6]?"""


class GetWorkersIDResponse(msgspec.Struct, frozen=True):
    """A player's workers [3]."""

    player: str
    workersID: list[int]  # noqa: N815


class GetCardsInGameResponse(msgspec.Struct, frozen=True):
    """The cards that are played [3]."""

    cards: list[DivinityCard]


Reply: TypeAlias = (
    AddPlayerResponse | SetPickedCards | GetDeckResponse | SetPlayerCard | SetWorkersPosition | GetPlayersResponse
    | GetBattlefieldResponse | BattlefieldUpdate | ActualPlayer | SetStartTurnResponse | WorkerViewUpdate
    | PlayStepResponse | SkipStepResponse | YouWin | YouLose | ServerError | InvalidRequest | Ping
    | GetWorkersIDResponse | GetCardsInGameResponse
)  # fmt: skip

PING: Final = b'{"action":"ping"}\n'
YOU_WIN: Final = b'{"action":"youWin"}\n'
YOU_LOSE: Final = b'{"action":"youLose"}\n'
DISCONNECTED: Final = "One Client Disconnected - Game Interrupted"
"""The text of the only error the shipped program ever sends [4.5]."""

INTERRUPTED: Final = "Game Interrupted"
NO_CARDS_YET: Final = b'{"error":"invalidRequest"}\n'
"""The shipped program's answer to `getCardsInGame` before there are any: without an envelope [7.3]."""

_REPLIES: Final[Envelopes[Reply]] = Envelopes(Reply, "action", "data", action_of, optional=(InvalidRequest,))

ACTIONS: Final = frozenset(_REPLIES.kinds)
"""Every reply's action."""

write: Final = _REPLIES.encode
"""The line that says it."""


@lru_cache(maxsize=1024)
def started(name: str, plain: bool, first: Step) -> bytes:
    """`setStartTurnResponse` (turn 2): the same few, turn after turn."""
    return write(SetStartTurnResponse(name, plain, first))


@lru_cache(maxsize=256)
def stepped(cell: int, following: Step) -> bytes:
    """`playStepResponse` about a cell (turn 4)."""
    return b'{"action":"playStepResponse","data":{"x":%d,"y":%d,"nextStep":"%b"}}\n' % (
        cell // 5,
        cell % 5,
        following.encode(),
    )


def skipped(following: Step) -> bytes:
    """`skipStepResponse` (turn 5)."""
    return b'{"action":"skipStepResponse","data":{"currentStep":"%b"}}\n' % following.encode()


def complaint(action: str, why: str) -> bytes:
    """What an offender is told, and nobody else: `serverError` or `invalidRequest` [5]."""
    return write(ServerError(why) if action == "serverError" else InvalidRequest(why))


def read(line: bytes) -> Reply | None:
    """What a server's line says; None for an action this client does not know, which it passes over [1]."""
    try:
        return _REPLIES.decode(line)
    except Malformed as error:
        try:
            action = msgspec.json.decode(line)["action"]
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, KeyError, TypeError):
            raise Malformed(f"not a message: {line[:60]!r}") from None
        if action in ACTIONS:
            raise Malformed(f"{action} cannot be read: {error}") from None
        return None
