"""What a client says: one JSON object a line, told apart by `action`, what it says in `data`.

Unknown fields are ignored, an unknown action is nothing at all (`UNKNOWN`), numbers may be written as text [1].
Everything else that does not fit is `Malformed`.
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
    """Let me play (creation 1).  The number of players is judged by the lobby, so any will do here."""

    playerNickname: str  # noqa: N815 - the wire's own spelling, here and below
    lobbySize: int  # noqa: N815


class SetPickedCards(msgspec.Struct, frozen=True):
    """The god player's choice for all (creation 2)."""

    cards: list[str]


class SetPlayerCard(msgspec.Struct, frozen=True, gc=False):
    """My card (creation 3)."""

    playerNickname: str  # noqa: N815
    card: str


class WorkerPosition(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Where a worker comes to stand; its number is not looked at, since the document's own example has a wrong one."""

    workerID: int = -1  # noqa: N815
    x: Cell
    y: Cell


class SetWorkersPosition(msgspec.Struct, frozen=True):
    """My workers (creation 4)."""

    playerNickname: str  # noqa: N815
    workersPosition: list[WorkerPosition]  # noqa: N815


class SetStartTurn(msgspec.Struct, frozen=True, gc=False):
    """I begin my turn, a plain one or not (turn 2)."""

    playerNickname: str  # noqa: N815
    basicTurn: bool  # noqa: N815


class SelectWorker(msgspec.Struct, frozen=True, gc=False):
    """I take the worker on this cell (turn 3)."""

    playerNickname: str  # noqa: N815
    x: Cell
    y: Cell


class PlayStep(msgspec.Struct, frozen=True, gc=False):
    """I do the step there (turn 4)."""

    x: Cell
    y: Cell


class SkipStep(msgspec.Struct, frozen=True, gc=False):
    """I do not do the step (turn 5)."""


class GetDeck(msgspec.Struct, frozen=True, gc=False):
    """Which cards are there (creation 2)?"""


class GetPlayers(msgspec.Struct, frozen=True, gc=False):
    """Who plays (creation 4a)?"""


class GetBattlefield(msgspec.Struct, frozen=True, gc=False):
    """How does the board look (creation 4b)?"""


class GetWorkersID(msgspec.Struct, frozen=True, gc=False):
    """Which numbers do my workers have [3]?"""

    playerNickname: str  # noqa: N815


class GetCardsInGame(msgspec.Struct, frozen=True, gc=False):
    """Which cards are played [3]?"""


class Pong(msgspec.Struct, frozen=True, gc=False):
    """I am still here [4.6]."""


class Unknown(msgspec.Struct, frozen=True, gc=False):
    """An action this protocol does not have: a safe extension point [1]."""


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
    """The action of a message, by what it is called here."""
    return name[0].lower() + name[1:]


_REQUESTS: Final[Envelopes[Request]] = Envelopes(Request, "action", "data", action_of, strict=False)
_open: Final = msgspec.json.Decoder(_Envelope).decode

ACTIONS: Final = _REQUESTS.kinds
"""Every request by its action."""

TAGS: Final = _REQUESTS.tags
"""The action of every request."""

write: Final = _REQUESTS.encode
"""The line that says it, in ASCII; `action` first, then `data`, as the shipped server wants it [1]."""


SHORT: Final = 64
"""Lines up to this length are remembered, a thousand of them: steps, which have no name in them, above all."""


def read(line: bytes) -> Request | Unknown:
    """What a line says."""
    return _known(line) if len(line) <= SHORT else _read(line)


def _read(line: bytes) -> Request | Unknown:
    try:
        return _REQUESTS.decode(line)
    except Malformed as error:
        return _other(line, error)


_known: Final = lru_cache(maxsize=1024)(_read)


def _other(line: bytes, error: Malformed) -> Unknown:
    """A line that is no request of ours: an unknown action, or nothing that can be read."""
    try:
        action = _open(line).action
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise Malformed("a message is a JSON object with an action") from None
    if action not in ACTIONS:
        return UNKNOWN
    raise Malformed(f"{action} cannot be read: {error}") from None
