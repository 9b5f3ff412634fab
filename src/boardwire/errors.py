"""Errors of this package.

- Every error has a sentence for people (`str(error)`) and a `Reason` for programs. Code depends on the reason or the
  class, never on the sentence.
- `Malformed`, `Illegal` and `Refused` answer a request; `Unavailable` and `ConfigError` concern the server itself.
- Any other exception that reaches a caller is a bug.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import ClassVar, Self

import msgspec


class Reason(StrEnum):
    """Error code for programs. The first three are the defaults of the classes with the same names."""

    MALFORMED = "malformed"
    ILLEGAL = "illegal"
    REFUSED = "refused"

    STALE = "stale"
    NOT_YOUR_TURN = "not-your-turn"
    NOT_BEGUN = "not-begun"
    BEGUN = "begun"
    OVER = "over"
    NO_UNDO = "no-undo"
    UNDO_DECLINED = "undo-declined"
    NO_DRAW = "no-draw"
    DRAW_DECLINED = "draw-declined"
    NOT_DUE = "not-due"

    NO_SUCH_TABLE = "no-such-table"
    NO_SUCH_MATCH = "no-such-match"
    NO_SUCH_GAME = "no-such-game"
    PRIVATE = "private"
    FULL = "full"
    SEAT_TAKEN = "seat-taken"
    NOT_YOUR_SEAT = "not-your-seat"
    NO_SEAT = "no-seat"
    NO_TABLE = "no-table"
    AT_TABLE = "at-table"
    NAME_TAKEN = "name-taken"
    NAME_TOO_LONG = "name-too-long"
    CHOICE_TAKEN = "choice-taken"
    NOTHING_IN_COMMON = "nothing-in-common"
    BAD_TOKEN = "bad-token"
    BANNED = "banned"
    MUTED = "muted"
    NO_SUCH_PLAYER = "no-such-player"
    NO_ACCOUNT = "no-account"

    LIMIT = "limit"
    SERVER_FULL = "server-full"
    UNAVAILABLE = "unavailable"
    UNREADABLE = "unreadable"
    FAULT = "fault"


class Objection(msgspec.Struct, frozen=True, omit_defaults=True):
    """The rule of a game that an action violates.

    `rule` is a code of that game (`Rule` in its package), `card` the god or character that imposes it, `seat` the owner
    of the card, and `most` the limit that the rule sets, if any.
    """

    rule: str
    card: str = ""
    seat: int | None = None
    most: int = 0


class BoardwireError(Exception):
    """Base class of the errors of this package.

    Games know seats, not names: `{}` in `words` stands for the player at `seat`. `naming` fills in the name.
    """

    default_reason: ClassVar[Reason]
    """Default reason of the class."""

    def __init__(self, words: str = "", seat: int | None = None, reason: Reason | None = None) -> None:
        super().__init__(words if seat is None else words.replace("{}", f"player {seat + 1}"))
        self.words = words
        self.seat = seat
        self.reason = reason or self.default_reason

    def naming(self, names: Sequence[str]) -> Self:
        """Return the error with the player's name in its sentence; `names` is by seat, '' keeps the number."""
        name = "" if self.seat is None else names[self.seat]
        return type(self)(self.words.replace("{}", name), reason=self.reason) if name else self

    def without_frames(self) -> Self:
        """Drop traceback, cause and context, and return the error.

        Use this before an error is stored: its frames refer to their locals, often to the object that stores it, and
        only the garbage collector could free such a cycle.
        """
        self.__cause__ = self.__context__ = None
        return self.with_traceback(None)


class Malformed(BoardwireError):
    """The input cannot be parsed."""

    default_reason = Reason.MALFORMED


class Illegal(BoardwireError):
    """The action violates the rules of the game; `objection` is the rule, if the game names it."""

    default_reason = Reason.ILLEGAL
    objection: Objection | None = None

    def by(self, rule: str, *, card: str = "", seat: int | None = None, most: int = 0) -> Self:
        """Set the violated rule and return the error."""
        self.objection = Objection(rule, card, seat, most)
        return self


def validation_message(error: Exception) -> str:
    """Return msgspec's message about an invalid value of a file as KEY: PROBLEM.

    "Expected `int`, got `str` - at `$.budget.nodes`" becomes "budget.nodes: expected int, got str".
    """
    problem, _, path = str(error).rpartition(" - at `$")
    if not problem:
        return str(error)
    problem = problem.replace("`", "")
    return f"{path.rstrip('`').lstrip('.')}: {problem[:1].lower()}{problem[1:]}"


def either(choices: Iterable[object]) -> str:
    """Join choices for a sentence: `2, 3 or 4`."""
    *first, last = map(str, choices)
    return f"{', '.join(first)} or {last}" if first else last


def near(name: str, known: Iterable[str]) -> str:
    """Return a suffix that suggests the most similar known name, or '' if none is similar."""
    from difflib import get_close_matches  # not at the top: every command imports this module, few make a suggestion

    closest = get_close_matches(name, list(known), 1)
    return f" (did you mean {closest[0]!r}?)" if closest else ""


class Refused(BoardwireError):
    """The request is legal but not possible now, or not for this player."""

    default_reason = Reason.REFUSED


class Unavailable(BoardwireError):
    """A disk, port, database or remote server failed, or stored data cannot be read."""

    default_reason = Reason.UNAVAILABLE


class ConfigError(BoardwireError):
    """A setting has a valid form but cannot be used, such as the address of another program's database.

    A setting that cannot be parsed is `Malformed`.
    """

    default_reason = Reason.REFUSED
