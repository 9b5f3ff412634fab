"""Server messages: one JSON object per line, identified by `action`; encoder and decoder.

Fields are in the shipped program's order, fields without a value are omitted, and everything is ASCII [1]. Boards and
views are encoded by `battlefield`, because they are most of the traffic.
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
    """The name as sent, the size, and three verdicts (creation 1) [4.1]."""

    playerNickname: str  # noqa: N815 - the wire's spelling, here and below
    lobbySize: int  # noqa: N815
    lobbyState: bool  # noqa: N815
    validNick: bool  # noqa: N815
    fullLobby: bool  # noqa: N815


class SetPickedCards(msgspec.Struct, frozen=True):
    """The table is full; this player is the god player (creation 2)."""

    playerNickname: str  # noqa: N815


class Pile(msgspec.Struct, frozen=True):
    """The deck as the shipped program writes it [6]."""

    listOfCards: list[DivinityCard]  # noqa: N815


class GetDeckResponse(msgspec.Struct, frozen=True):
    """The deck, in either shape (creation 2)."""

    deck: list[DivinityCard] | Pile


class SetPlayerCard(msgspec.Struct, frozen=True):
    """Choose one of these cards (creation 3)."""

    cards: list[str]


class SetWorkersPosition(msgspec.Struct, frozen=True):
    """Place the workers with these numbers (creation 4)."""

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
    """The board, for the client that requested it (creation 4b)."""


class BattlefieldUpdate(Board, frozen=True):
    """The board, for all players (creation 5)."""


class ActualPlayer(msgspec.Struct, frozen=True):
    """The player whose turn begins (turn 1)."""

    playerNickname: str  # noqa: N815


class SetStartTurnResponse(msgspec.Struct, frozen=True):
    """The kind of a turn, and its first step (turn 2)."""

    playerNickname: str  # noqa: N815
    basicTurn: bool  # noqa: N815
    currentStep: str  # noqa: N815


class WorkerViewUpdate(msgspec.Struct, frozen=True):
    """The cells that a step may target (turn 3, turn 7)."""

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
    """The recipient has won (finish 1)."""


class YouLose(msgspec.Struct, frozen=True):
    """The recipient has lost (finish 1)."""


class ServerError(msgspec.Struct, frozen=True):
    """An error text; the connection ends (finish 2)."""

    error: str = ""


class InvalidRequest(msgspec.Struct, frozen=True):
    """Extension of this server: the request was refused and nothing changed [5]."""

    error: str = ""


class Ping(msgspec.Struct, frozen=True):
    """Heartbeat [4.6]."""


class GetWorkersIDResponse(msgspec.Struct, frozen=True):
    """A player's workers [3]."""

    player: str
    workersID: list[int]  # noqa: N815


class GetCardsInGameResponse(msgspec.Struct, frozen=True):
    """The cards in play [3]."""

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
"""The only error text that the shipped program sends [4.5]."""

INTERRUPTED: Final = "Game Interrupted"
NO_CARDS_YET: Final = b'{"error":"invalidRequest"}\n'
"""The shipped program's answer to `getCardsInGame` before cards are picked: without an envelope [7.3]."""

_REPLIES: Final[Envelopes[Reply]] = Envelopes(Reply, "action", "data", action_of, optional=(InvalidRequest,))

ACTIONS: Final = frozenset(_REPLIES.kinds)
"""Actions of all replies."""

write: Final = _REPLIES.encode
"""Encode a reply as a line."""


@lru_cache(maxsize=1024)
def started(name: str, plain: bool, first: Step) -> bytes:
    """Encode `setStartTurnResponse` (turn 2). Cached: few variants recur every turn."""
    return write(SetStartTurnResponse(name, plain, first))


@lru_cache(maxsize=256)
def stepped(cell: int, following: Step) -> bytes:
    """Encode `playStepResponse` for a cell (turn 4)."""
    return b'{"action":"playStepResponse","data":{"x":%d,"y":%d,"nextStep":"%b"}}\n' % (
        cell // 5,
        cell % 5,
        following.encode(),
    )


def skipped(following: Step) -> bytes:
    """Encode `skipStepResponse` (turn 5)."""
    return b'{"action":"skipStepResponse","data":{"currentStep":"%b"}}\n' % following.encode()


def complaint(action: str, why: str) -> bytes:
    """Encode an error for the client that caused it: `serverError` or `invalidRequest` [5]."""
    return write(ServerError(why) if action == "serverError" else InvalidRequest(why))


def read(line: bytes) -> Reply | None:
    """Decode a server's line. Return None for an unknown action, which is ignored [1]."""
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
