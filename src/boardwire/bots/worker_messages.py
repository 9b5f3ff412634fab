"""Messages between the server and worker processes, and their framing.

A question contains the view of a seat and its choices, never a position. A frame is the length of a message in four
bytes, followed by the message.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from typing import Any, Final

import msgspec

from boardwire import games
from boardwire.bots.engine import Past, PastChoice, SearchResult
from boardwire.bots.levels import Level
from boardwire.errors import Malformed
from boardwire.games.game import Decision

FRAME_LIMIT: Final = 16 * 1024 * 1024
"""Maximum size of a message in bytes; a view with its choices has a few thousand."""


class Question(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """A decision to search, with its limits and seed, identified by `number`; `past`: earlier choices of the seat."""

    number: int
    game: str
    kind: str
    seat: int
    view: bytes
    choices: bytes
    level: Level
    seed: int
    past: bytes = b""


class Halt(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Cancels a question: the result is no longer needed."""

    number: int


class Reply(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """The answer to a question: a result with encoded actions, or a fault."""

    number: int
    turn: bytes = b""
    line: bytes = b""
    value: float = 0.0
    depth: int = 0
    nodes: int = 0
    proved: int = 0
    fault: str = ""
    forecast: Any = None
    fallback_reason: str = ""


_encode: Final = msgspec.msgpack.encode
_request_decoder: Final = msgspec.msgpack.Decoder(Question | Halt)
_reply_decoder: Final = msgspec.msgpack.Decoder(Reply)


def encode_question(
    number: int, game: str, view: Any, decision: Decision[Any], level: Level, seed: int, past: Past = ()
) -> Question:
    """Encode a decision as a question."""
    choices, earlier = _encode(tuple(decision.choices)), _encode(tuple(past)) if past else b""
    return Question(number, game, str(decision.kind), decision.seats[0], _encode(view), choices, level, seed, earlier)


def decode_question(question: Question) -> tuple[Any, Decision[Any]]:
    """Decode the view and the decision of a question."""
    game = games.game(question.game)
    kinds: type[StrEnum] = getattr(game, "Kind")  # noqa: B009 - `Kind` is not in the `Game` protocol, but every game has it
    decision = Decision(
        kinds(question.kind), (question.seat,), _actions_decoder(question.game).decode(question.choices)
    )
    return msgspec.msgpack.decode(question.view, type=game.View), decision


def decode_past(question: Question) -> Past:
    """Decode the earlier choices of a question's seat."""
    if not question.past:
        return ()
    view, action = games.game(question.game).View, games.game(question.game).Action
    pairs = msgspec.msgpack.decode(question.past, type=tuple[tuple[view, action], ...])  # type: ignore[valid-type]
    return [PastChoice(view_before, choice) for view_before, choice in pairs]


@cache
def _actions_decoder(game: str) -> msgspec.msgpack.Decoder[tuple[Any, ...]]:
    action: Any = games.game(game).Action
    return msgspec.msgpack.Decoder(tuple[action, ...])


def encode_result(number: int, result: SearchResult) -> Reply:
    """Encode a result as a reply."""
    return Reply(
        number,
        _encode(result.turn),
        _encode(result.line),
        result.value,
        result.depth,
        result.nodes,
        result.proved,
        forecast=result.forecast,
        fallback_reason=result.fallback_reason,
    )


def decode_result(reply: Reply, game: str) -> SearchResult:
    """Decode the result of a reply."""
    actions = _actions_decoder(game)
    turn, line = actions.decode(reply.turn), actions.decode(reply.line)
    return SearchResult(
        turn, reply.value, reply.depth, reply.nodes, line, reply.proved, reply.forecast, reply.fallback_reason
    )


def frame(message: Question | Halt | Reply) -> bytes:
    """Encode a message as a frame."""
    body = _encode(message)
    return len(body).to_bytes(4, "big") + body


def read_request(read: Callable[[int], bytes]) -> Question | Halt | None:
    """Read the next question or cancellation; None at the end of the input."""
    body = _body(read)
    return None if body is None else _request_decoder.decode(body)


def read_reply(read: Callable[[int], bytes]) -> Reply | None:
    """Read the next reply; None at the end of the input."""
    body = _body(read)
    return None if body is None else _reply_decoder.decode(body)


def _body(read: Callable[[int], bytes]) -> bytes | None:
    """Read one message with `read`, which returns fewer bytes than requested only at the end of the input."""
    head = read(4)
    length = int.from_bytes(head, "big")
    if length > FRAME_LIMIT:
        raise Malformed(f"a message must have at most {FRAME_LIMIT} bytes, not {length}")
    body = read(length) if len(head) == 4 else b""
    return body if len(head) == 4 and len(body) == length else None
