"""What a client says: one JSON object a line, told apart by `action`.

Unknown fields are ignored, an unknown action is nothing at all (`UNKNOWN`), numbers may be written as text [1].
Everything else that does not fit is `Malformed`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Final, TypeAlias

import msgspec

from boardwire.errors import Malformed

Cell: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=4)]
"""A row or a column."""


class _Request(msgspec.Struct, frozen=True, gc=False, tag_field="action"):
    pass


class Application(msgspec.Struct, frozen=True, gc=False):
    """A name and a number of players; the number is judged by the lobby, so any will do here."""

    playerNickname: str  # noqa: N815 - the wire's own spelling, here and below
    lobbySize: int  # noqa: N815


class AddPlayer(_Request, frozen=True, gc=False, tag="addPlayer"):
    """Let me play (creation 1)."""

    data: Application


class Cards(msgspec.Struct, frozen=True):
    """Names of cards."""

    cards: list[str]


class SetPickedCards(_Request, frozen=True, tag="setPickedCards"):
    """The god player's choice for all (creation 2)."""

    data: Cards


class Card(msgspec.Struct, frozen=True, gc=False):
    """A player's card."""

    playerNickname: str  # noqa: N815
    card: str


class SetPlayerCard(_Request, frozen=True, gc=False, tag="setPlayerCard"):
    """My card (creation 3)."""

    data: Card


class WorkerPosition(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Where a worker comes to stand; its number is not looked at, since the document's own example has a wrong one."""

    workerID: int = -1  # noqa: N815
    x: Cell
    y: Cell


class Positions(msgspec.Struct, frozen=True):
    """Where a player's workers come to stand."""

    playerNickname: str  # noqa: N815
    workersPosition: list[WorkerPosition]  # noqa: N815


class SetWorkersPosition(_Request, frozen=True, tag="setWorkersPosition"):
    """My workers (creation 4)."""

    data: Positions


class TurnKind(msgspec.Struct, frozen=True, gc=False):
    """Whether the turn is a plain one."""

    playerNickname: str  # noqa: N815
    basicTurn: bool  # noqa: N815


class SetStartTurn(_Request, frozen=True, gc=False, tag="setStartTurn"):
    """I begin my turn (turn 2)."""

    data: TurnKind


class NamedCell(msgspec.Struct, frozen=True, gc=False):
    """A cell, and who says so."""

    playerNickname: str  # noqa: N815
    x: Cell
    y: Cell


class SelectWorker(_Request, frozen=True, gc=False, tag="selectWorker"):
    """I take the worker on this cell (turn 3)."""

    data: NamedCell


class Target(msgspec.Struct, frozen=True, gc=False):
    """A cell."""

    x: Cell
    y: Cell


class PlayStep(_Request, frozen=True, gc=False, tag="playStep"):
    """I do the step there (turn 4)."""

    data: Target


class SkipStep(_Request, frozen=True, gc=False, tag="skipStep"):
    """I do not do the step (turn 5)."""


class GetDeck(_Request, frozen=True, gc=False, tag="getDeck"):
    """Which cards are there (creation 2)?"""


class GetPlayers(_Request, frozen=True, gc=False, tag="getPlayers"):
    """Who plays (creation 4a)?"""


class GetBattlefield(_Request, frozen=True, gc=False, tag="getBattlefield"):
    """How does the board look (creation 4b)?"""


class Nickname(msgspec.Struct, frozen=True, gc=False):
    """Who says so."""

    playerNickname: str  # noqa: N815


class GetWorkersID(_Request, frozen=True, gc=False, tag="getWorkersID"):
    """Which numbers do my workers have [3]?"""

    data: Nickname


class GetCardsInGame(_Request, frozen=True, gc=False, tag="getCardsInGame"):
    """Which cards are played [3]?"""


class Pong(_Request, frozen=True, gc=False, tag="pong"):
    """I am still here [4.6]."""


class Unknown(msgspec.Struct, frozen=True, gc=False):
    """An action this protocol does not have: a safe extension point [1]."""


Query: TypeAlias = GetDeck | GetPlayers | GetBattlefield | GetWorkersID | GetCardsInGame
Choice: TypeAlias = (
    SetPickedCards | SetPlayerCard | SetWorkersPosition | SetStartTurn | SelectWorker | PlayStep | SkipStep
)
Request: TypeAlias = AddPlayer | Choice | Query | Pong

QUERIES: Final = (GetDeck, GetPlayers, GetBattlefield, GetWorkersID, GetCardsInGame)
CHOICES: Final = (
    SetPickedCards,
    SetPlayerCard,
    SetWorkersPosition,
    SetStartTurn,
    SelectWorker,
    PlayStep,
    SkipStep,
)
ACTIONS: Final = {str(kind.__struct_config__.tag): kind for kind in (AddPlayer, *CHOICES, *QUERIES, Pong)}
"""Every request by its action."""

UNKNOWN: Final = Unknown()


class _Envelope(msgspec.Struct, frozen=True):
    action: str


_decode: Final[Callable[[bytes], Request]] = msgspec.json.Decoder(Request, strict=False).decode
_open: Final = msgspec.json.Decoder(_Envelope).decode
_encode: Final = msgspec.json.Encoder().encode


def read(line: bytes) -> Request | Unknown:
    """What a line says."""
    try:
        return _decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return _other(line, error)


def _other(line: bytes, error: Exception) -> Unknown:
    """A line that is no request of ours: an unknown action, or nothing that can be read."""
    try:
        action = _open(line).action
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise Malformed("a message is a JSON object with an action") from None
    if action not in ACTIONS:
        return UNKNOWN
    raise Malformed(f"{action} cannot be read: {error}") from None


def write(request: Request) -> bytes:
    """The line that says it, in ASCII; `action` first, then `data`, as the shipped server wants it [1]."""
    return ascii_only(_encode(request)) + b"\n"


def ascii_only(json: bytes) -> bytes:
    r"""JSON with everything outside ASCII written as ``\u`` escapes [1]."""
    if json.isascii():
        return json
    text = json.decode()
    units = "".join(c if c.isascii() else "".join(f"\\u{unit:04x}" for unit in _utf16(c)) for c in text)
    return units.encode("ascii")


def _utf16(character: str) -> list[int]:
    raw = character.encode("utf-16-be", "surrogatepass")
    return [raw[at] << 8 | raw[at + 1] for at in range(0, len(raw), 2)]
