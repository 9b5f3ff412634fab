"""Client messages: one JSON object per line, identified by `action`, with its fields in `data`.

- Unknown fields are ignored, an unknown action is `UNKNOWN`, and numbers may be strings [1].
- Every other deviation raises `Malformed`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Final, TypeAlias, get_args

import msgspec

from boardwire.errors import Malformed
from boardwire.wire.envelopes import Envelopes

Cell: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=4)]
"""A row or a column."""


class AddPlayer(msgspec.Struct, frozen=True, gc=False):
    """Request a seat at a table of this size (creation 1) [4.1]."""

    playerNickname: str
    lobbySize: int


class SetPickedCards(msgspec.Struct, frozen=True):
    """The god player's cards, as many as players (creation 2) [4.2]."""

    cards: list[str]


class SetPlayerCard(msgspec.Struct, frozen=True, gc=False):
    """The player's own card (creation 3) [4.2]."""

    playerNickname: str
    card: str


class WorkerPosition(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Cell of a worker. Its number is ignored: the document's example has a wrong one."""

    workerID: int = -1
    x: Cell
    y: Cell


class SetWorkersPosition(msgspec.Struct, frozen=True):
    """The cells of both workers (creation 4) [4.3]."""

    playerNickname: str
    workersPosition: list[WorkerPosition]


class SetStartTurn(msgspec.Struct, frozen=True, gc=False):
    """Start a turn, plain or with the power (turn 2) [4.4]."""

    playerNickname: str
    basicTurn: bool


class SelectWorker(msgspec.Struct, frozen=True, gc=False):
    """Select the worker on this cell (turn 3) [4.4]."""

    playerNickname: str
    x: Cell
    y: Cell


class PlayStep(msgspec.Struct, frozen=True, gc=False):
    """Play the due step on this cell (turn 4) [4.4]."""

    x: Cell
    y: Cell


class SkipStep(msgspec.Struct, frozen=True, gc=False):
    """Skip the due step (turn 5) [4.4]."""


class GetDeck(msgspec.Struct, frozen=True, gc=False):
    """Request the deck (creation 2)."""


class GetPlayers(msgspec.Struct, frozen=True, gc=False):
    """Request the players (creation 4a)."""


class GetBattlefield(msgspec.Struct, frozen=True, gc=False):
    """Request the board (creation 4b)."""


class GetWorkersID(msgspec.Struct, frozen=True, gc=False):
    """Request the numbers of the player's workers; not in the document [3]."""

    playerNickname: str


class GetCardsInGame(msgspec.Struct, frozen=True, gc=False):
    """Request the cards in play; not in the document [3]."""


class Pong(msgspec.Struct, frozen=True, gc=False):
    """Answer to `ping`; not in the document [4.6]."""


class Unknown(msgspec.Struct, frozen=True, gc=False):
    """An action outside the protocol, which is ignored [1]."""


Query: TypeAlias = GetDeck | GetPlayers | GetBattlefield | GetWorkersID | GetCardsInGame
Choice: TypeAlias = (
    SetPickedCards | SetPlayerCard | SetWorkersPosition | SetStartTurn | SelectWorker | PlayStep | SkipStep
)
Request: TypeAlias = AddPlayer | Choice | Query | Pong

QUERIES: Final[tuple[type, ...]] = get_args(Query)
CHOICES: Final[tuple[type, ...]] = get_args(Choice)
UNKNOWN: Final = Unknown()


class _Envelope(msgspec.Struct, frozen=True):
    action: str


def action_of(name: str) -> str:
    """Return the action of a message class."""
    return name[0].lower() + name[1:]


_REQUESTS: Final[Envelopes[Request]] = Envelopes(Request, "action", "data", action_of, strict=False)
_open: Final = msgspec.json.Decoder(_Envelope).decode

ACTIONS: Final = _REQUESTS.kinds
"""Request class by action."""

TAGS: Final = _REQUESTS.tags
"""Action by request class."""

write: Final = _REQUESTS.encode
"""Encode a request as an ASCII line: `action` first, then `data`, as the shipped server requires [1]."""


MAX_CACHED_LINE_BYTES: Final = 64
"""Longest line whose decoded request is cached: mainly steps, which contain no name."""


def read(line: bytes) -> Request | Unknown:
    """Decode a line; raise `Malformed` if a known action has other fields."""
    return _known(line) if len(line) <= MAX_CACHED_LINE_BYTES else _decode_request(line)


def _decode_request(line: bytes) -> Request | Unknown:
    try:
        return _REQUESTS.decode(line)
    except Malformed as error:
        return _classify_malformed(line, error)


_known: Final = lru_cache(maxsize=1024)(_decode_request)


def _classify_malformed(line: bytes, error: Malformed) -> Unknown:
    """Return `UNKNOWN` for an unknown action, or raise `Malformed`."""
    action = action_in(line)
    if action not in ACTIONS:
        return UNKNOWN
    raise Malformed(f"{action} cannot be decoded: {error}") from None


def action_in(line: bytes) -> str:
    """Return the action of a line that may be of any type, or raise `Malformed`."""
    try:
        return _open(line).action
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise Malformed("a message is a JSON object with an action") from None
