"""What is put to a process that thinks, and what it answers: values as bytes, in frames.

A question holds what a bot may see, its seat's view and the choices, and never a position.  A frame is the length of a
message in four bytes, and the message.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import cache
from typing import Any, Final

import msgspec

from boardwire import games
from boardwire.bots.engine import Thought
from boardwire.bots.levels import Level
from boardwire.errors import Malformed
from boardwire.games.game import Decision

FRAME_LIMIT: Final = 16 * 1024 * 1024
"""Bytes of one message; a view with its choices has a few thousand."""


class Question(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """What to think about, for how long at most, and with which luck.  `number` tells it from others."""

    number: int
    game: str
    kind: str
    seat: int
    view: bytes
    choices: bytes
    level: Level
    seed: int


class Halt(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """Nobody waits for the answer to this question any longer."""

    number: int


class Reply(msgspec.Struct, frozen=True, array_like=True, tag=True):
    """What came of a question: a thought, whose actions are bytes, or what went wrong."""

    number: int
    turn: bytes = b""
    line: bytes = b""
    value: float = 0.0
    depth: int = 0
    nodes: int = 0
    proved: int = 0
    fault: str = ""
    forecast: Any = None
    doubt: str = ""


_encode: Final = msgspec.msgpack.encode
_asked: Final = msgspec.msgpack.Decoder(Question | Halt)
_answered: Final = msgspec.msgpack.Decoder(Reply)


def put(number: int, game: str, view: Any, decision: Decision[Any], level: Level, seed: int) -> Question:
    """A decision as a question."""
    choices = _encode(tuple(decision.choices))
    return Question(number, game, str(decision.kind), decision.seats[0], _encode(view), choices, level, seed)


def understand(question: Question) -> tuple[Any, Decision[Any]]:
    """The view and the decision that a question holds."""
    game = games.game(question.game)
    kinds: type[StrEnum] = getattr(game, "Kind")  # noqa: B009 - no part of the protocol, but every game has it
    decision = Decision(kinds(question.kind), (question.seat,), _actions(question.game).decode(question.choices))
    return msgspec.msgpack.decode(question.view, type=game.View), decision


@cache
def _actions(game: str) -> msgspec.msgpack.Decoder[tuple[Any, ...]]:
    action: Any = games.game(game).Action
    return msgspec.msgpack.Decoder(tuple[action, ...])


def answer(number: int, thought: Thought) -> Reply:
    """A thought as a reply."""
    return Reply(
        number,
        _encode(thought.turn),
        _encode(thought.line),
        thought.value,
        thought.depth,
        thought.nodes,
        thought.proved,
        forecast=thought.forecast,
        doubt=thought.doubt,
    )


def thought_of(reply: Reply, game: str) -> Thought:
    """The thought that a reply holds."""
    actions = _actions(game)
    turn, line = actions.decode(reply.turn), actions.decode(reply.line)
    return Thought(turn, reply.value, reply.depth, reply.nodes, line, reply.proved, reply.forecast, reply.doubt)


def frame(message: Question | Halt | Reply) -> bytes:
    """A message as it goes through a pipe."""
    body = _encode(message)
    return len(body).to_bytes(4, "big") + body


def read_asked(read: Callable[[int], bytes]) -> Question | Halt | None:
    """The next question, or that one is to be dropped; None: there is nobody to ask any more."""
    body = _body(read)
    return None if body is None else _asked.decode(body)


def read_reply(read: Callable[[int], bytes]) -> Reply | None:
    """The next reply; None: there is nobody to answer any more."""
    body = _body(read)
    return None if body is None else _answered.decode(body)


def _body(read: Callable[[int], bytes]) -> bytes | None:
    """`read` gives as many bytes as it is asked for, or fewer at the end."""
    head = read(4)
    length = int.from_bytes(head, "big")
    if length > FRAME_LIMIT:
        raise Malformed(f"a message of {length} bytes; at most {FRAME_LIMIT} are read")
    body = read(length) if len(head) == 4 else b""
    return body if len(head) == 4 and len(body) == length else None
