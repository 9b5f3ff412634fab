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
from boardwire.dialects.santorini_actions.messages.requests import action_in, action_of
from boardwire.dialects.santorini_actions.steps import Step
from boardwire.errors import Malformed
from boardwire.wire.envelopes import Envelopes


class AddPlayerResponse(msgspec.Struct, frozen=True):
    """To the sender: the name and the size as sent, and three verdicts (creation 1) [4.1]."""

    playerNickname: str
    lobbySize: int
    lobbyState: bool
    validNick: bool
    fullLobby: bool


class SetPickedCards(msgspec.Struct, frozen=True):
    """To all: the table is full, and this player is the god player (creation 2) [4.2]."""

    playerNickname: str


class Pile(msgspec.Struct, frozen=True):
    """The deck as the shipped program writes it [6]."""

    listOfCards: list[DivinityCard]


class GetDeckResponse(msgspec.Struct, frozen=True):
    """To the sender: the deck, with every card that the match can name; a Pile in the shipped edition [3]."""

    deck: list[DivinityCard] | Pile


class SetPlayerCard(msgspec.Struct, frozen=True):
    """To one player: choose one of these cards (creation 3) [4.2]."""

    cards: list[str]


class SetWorkersPosition(msgspec.Struct, frozen=True):
    """To one player: place the workers with these numbers (creation 4) [4.3]."""

    workersID: list[int]


class PlayerInterface(msgspec.Struct, frozen=True):
    """A player with colour and card (creation 4a)."""

    playerNickname: str
    color: str
    card: str


class GetPlayersResponse(msgspec.Struct, frozen=True):
    """To the sender: the players in the order of choosing, the god player last; empty before the first has chosen."""

    players: list[PlayerInterface]


class Board(msgspec.Struct, frozen=True):
    """All cells, by rows."""

    cellMatrix: list[list[CellInterface]]


class GetBattlefieldResponse(Board, frozen=True):
    """To the sender: the board (creation 4b)."""


class BattlefieldUpdate(Board, frozen=True):
    """To all who are still in: the board after a change (creation 5) [4.4]."""


class ActualPlayer(msgspec.Struct, frozen=True):
    """A turn begins (turn 1) [4.4]; the editions differ in the recipients [6]."""

    playerNickname: str


class SetStartTurnResponse(msgspec.Struct, frozen=True):
    """To the sender: the kind of a turn, and its first step (turn 2) [4.4]."""

    playerNickname: str
    basicTurn: bool
    currentStep: str


class WorkerViewUpdate(msgspec.Struct, frozen=True):
    """To the sender: the cells that a step may target (turn 3, turn 7) [4.4].

    Exactly one for each `selectWorker`, and one for each step that is followed by another: after one too many, the
    shipped client takes every later view for the one before it.
    """

    workerView: list[list[bool]]


class PlayStepResponse(msgspec.Struct, frozen=True):
    """To the sender: the step was played [4.4]; `nextStep` follows. The editions differ in the cell [6]."""

    x: int
    y: int
    nextStep: str


class SkipStepResponse(msgspec.Struct, frozen=True):
    """To the sender: the step was skipped, and this one follows (turn 5) [4.4]."""

    currentStep: str


class YouWin(msgspec.Struct, frozen=True):
    """To one player: it has won; sent once (finish 1) [4.5]."""


class YouLose(msgspec.Struct, frozen=True):
    """To one player: it has lost; sent once (finish 1) [4.5]."""


class ServerError(msgspec.Struct, frozen=True):
    """An error text [5]."""

    error: str = ""


class InvalidRequest(msgspec.Struct, frozen=True):
    """To the sender: the request was refused and nothing changed [5].

    Shipped edition only; an extension, which the shipped program ignores.
    """

    error: str = ""


class Ping(msgspec.Struct, frozen=True):
    """Shipped edition only: answer with `pong`, or never [4.6]."""


class GetWorkersIDResponse(msgspec.Struct, frozen=True):
    """To the sender: the numbers of its own workers [3]."""

    player: str
    workersID: list[int]


class GetCardsInGameResponse(msgspec.Struct, frozen=True):
    """To the sender: the cards that the god player picked, chosen or not [3]."""

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
def start_response(name: str, plain: bool, first: Step) -> bytes:
    """Encode `setStartTurnResponse` (turn 2). Cached, because few variants recur every turn."""
    return write(SetStartTurnResponse(name, plain, first))


@lru_cache(maxsize=256)
def step_response(cell: int, following: Step) -> bytes:
    """Encode `playStepResponse` for a cell (turn 4)."""
    return b'{"action":"playStepResponse","data":{"x":%d,"y":%d,"nextStep":"%b"}}\n' % (
        cell // 5,
        cell % 5,
        following.encode(),
    )


def skip_response(following: Step) -> bytes:
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
        action = action_in(line)
        if action in ACTIONS:
            raise Malformed(f"{action} cannot be decoded: {error}") from None
        return None
