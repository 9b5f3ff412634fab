"""What a server says: one JSON object a line, told apart by `action`; the writer's and the reader's side of it.

Fields stand in the order in which the shipped program writes them, fields without a value are left out, and everything
is ASCII [1].  Boards and views are written by `battlefield`, since they are most of what is said.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final, TypeAlias

import msgspec

from boardwire.dialects.santorini_actions.messages.battlefield import CellInterface
from boardwire.dialects.santorini_actions.messages.cards import DivinityCard
from boardwire.dialects.santorini_actions.messages.requests import ascii_only
from boardwire.dialects.santorini_actions.steps import Step
from boardwire.errors import Malformed


class _Reply(msgspec.Struct, frozen=True, tag_field="action"):
    pass


class Application(msgspec.Struct, frozen=True):
    """The answer to an application: the name as it was sent, the size, and three verdicts [4.1]."""

    playerNickname: str  # noqa: N815 - the wire's own spelling, here and below
    lobbySize: int  # noqa: N815
    lobbyState: bool  # noqa: N815
    validNick: bool  # noqa: N815
    fullLobby: bool  # noqa: N815


class AddPlayerResponse(_Reply, frozen=True, tag="addPlayerResponse"):
    """(creation 1)"""

    data: Application


class Nickname(msgspec.Struct, frozen=True):
    """A player."""

    playerNickname: str  # noqa: N815


class SetPickedCards(_Reply, frozen=True, tag="setPickedCards"):
    """All are there, and this one is the god player (creation 2)."""

    data: Nickname


class Pile(msgspec.Struct, frozen=True):
    """A deck as the shipped program writes it [6]."""

    listOfCards: list[DivinityCard]  # noqa: N815


class Deck(msgspec.Struct, frozen=True):
    """A deck in either shape."""

    deck: list[DivinityCard] | Pile


class GetDeckResponse(_Reply, frozen=True, tag="getDeckResponse"):
    """(creation 2)"""

    data: Deck


class Names(msgspec.Struct, frozen=True):
    """Names of cards."""

    cards: list[str]


class SetPlayerCard(_Reply, frozen=True, tag="setPlayerCard"):
    """Choose one of these (creation 3)."""

    data: Names


class Workers(msgspec.Struct, frozen=True):
    """Numbers of workers."""

    workersID: list[int]  # noqa: N815


class SetWorkersPosition(_Reply, frozen=True, tag="setWorkersPosition"):
    """Place these (creation 4)."""

    data: Workers


class PlayerInterface(msgspec.Struct, frozen=True):
    """A player with colour and card (creation 4a)."""

    playerNickname: str  # noqa: N815
    color: str
    card: str


class Players(msgspec.Struct, frozen=True):
    """All players."""

    players: list[PlayerInterface]


class GetPlayersResponse(_Reply, frozen=True, tag="getPlayersResponse"):
    """(creation 4a)"""

    data: Players


class Cells(msgspec.Struct, frozen=True):
    """A board."""

    cellMatrix: list[list[CellInterface]]  # noqa: N815


class GetBattlefieldResponse(_Reply, frozen=True, tag="getBattlefieldResponse"):
    """(creation 4b)"""

    data: Cells


class BattlefieldUpdate(_Reply, frozen=True, tag="battlefieldUpdate"):
    """(creation 5)"""

    data: Cells


class ActualPlayer(_Reply, frozen=True, tag="actualPlayer"):
    """Whose turn it is (turn 1)."""

    data: Nickname


class Started(msgspec.Struct, frozen=True):
    """A turn, and its first step."""

    playerNickname: str  # noqa: N815
    basicTurn: bool  # noqa: N815
    currentStep: str  # noqa: N815


class SetStartTurnResponse(_Reply, frozen=True, tag="setStartTurnResponse"):
    """(turn 2)"""

    data: Started


class Flags(msgspec.Struct, frozen=True):
    """Cells that a step may go to."""

    workerView: list[list[bool]]  # noqa: N815


class WorkerViewUpdate(_Reply, frozen=True, tag="workerViewUpdate"):
    """(turn 3, turn 7)"""

    data: Flags


class Stepped(msgspec.Struct, frozen=True):
    """A cell, and the step that follows."""

    x: int
    y: int
    nextStep: str  # noqa: N815


class PlayStepResponse(_Reply, frozen=True, tag="playStepResponse"):
    """(turn 4)"""

    data: Stepped


class Skipped(msgspec.Struct, frozen=True):
    """The step that follows."""

    currentStep: str  # noqa: N815


class SkipStepResponse(_Reply, frozen=True, tag="skipStepResponse"):
    """(turn 5)"""

    data: Skipped


class YouWin(_Reply, frozen=True, tag="youWin"):
    """(finish 1)"""


class YouLose(_Reply, frozen=True, tag="youLose"):
    """(finish 1)"""


class Fault(msgspec.Struct, frozen=True):
    """What is wrong, in words."""

    error: str = ""


class ServerError(_Reply, frozen=True, tag="serverError"):
    """(finish 2)"""

    data: Fault


class InvalidRequest(_Reply, frozen=True, tag="invalidRequest"):
    """An action of our own: your request was not taken, nothing changed [5]."""

    data: Fault = Fault()


class Ping(_Reply, frozen=True, tag="ping"):
    """Are you there [4.6]?"""


class Owned(msgspec.Struct, frozen=True):
    """A player's workers."""

    player: str
    workersID: list[int]  # noqa: N815


class GetWorkersIDResponse(_Reply, frozen=True, tag="getWorkersIDResponse"):
    """[3]"""

    data: Owned


class CardList(msgspec.Struct, frozen=True):
    """Cards."""

    cards: list[DivinityCard]


class GetCardsInGameResponse(_Reply, frozen=True, tag="getCardsInGameResponse"):
    """[3]"""

    data: CardList


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

_encode: Final = msgspec.json.Encoder().encode
_decode: Final[Callable[[bytes], Reply]] = msgspec.json.Decoder(Reply).decode


def write(reply: Reply) -> bytes:
    """The line that says it."""
    return ascii_only(_encode(reply)) + b"\n"


@lru_cache(maxsize=1024)
def started(name: str, plain: bool, first: Step) -> bytes:
    """`setStartTurnResponse` (turn 2): the same few, turn after turn."""
    return write(SetStartTurnResponse(Started(name, plain, first)))


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
    return write(ServerError(Fault(why)) if action == "serverError" else InvalidRequest(Fault(why)))


def read(line: bytes) -> Reply | None:
    """What a server's line says; None for an action this client does not know, which it passes over [1]."""
    try:
        return _decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        try:
            action = msgspec.json.decode(line)["action"]
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, KeyError, TypeError):
            raise Malformed(f"not a message: {line[:60]!r}") from None
        if action in ACTIONS:
            raise Malformed(f"{action} cannot be read: {error}") from None
        return None


ACTIONS: Final = frozenset(
    {
        "addPlayerResponse", "setPickedCards", "getDeckResponse", "setPlayerCard", "setWorkersPosition",
        "getPlayersResponse", "getBattlefieldResponse", "battlefieldUpdate", "actualPlayer", "setStartTurnResponse",
        "workerViewUpdate", "playStepResponse", "skipStepResponse", "youWin", "youLose", "serverError",
        "invalidRequest", "ping", "getWorkersIDResponse", "getCardsInGameResponse",
    }
)  # fmt: skip
"""Every reply's action."""
