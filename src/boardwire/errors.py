"""Why something was not done: three errors, and nothing else, for whoever asked.

Each says in words a person understands what was wrong and what would be right, and by a `Reason` what sort of thing it
was.  Words are for people: whoever decides something looks at the reason.  Any other exception is a fault of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import ClassVar, Self

import msgspec


class Reason(StrEnum):
    """Why something was not done, as a code that programs and pages tell apart.  The first three are those of the
    errors, where nobody needs to know more exactly."""

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

    LIMIT = "limit"
    SERVER_FULL = "server-full"
    UNAVAILABLE = "unavailable"
    UNREADABLE = "unreadable"
    FAULT = "fault"


class Objection(msgspec.Struct, frozen=True, omit_defaults=True):
    """The rule of a game that forbids something, as a code of that game's own (`Rule` in its package).  `card` names
    the god or character whose rule it is and `seat` whose that is, `most` is the bound that the rule sets, where there
    is one."""

    rule: str
    card: str = ""
    seat: int | None = None
    most: int = 0


class BoardwireError(Exception):
    """Why something was not done.  `str()` of it is a sentence for the player, `reason` a code for programs.

    Where the sentence speaks of a player, `{}` stands for that one in `words`, and `seat` says who it is: games know
    no names, and whoever knows them says `naming` before the sentence is read.
    """

    usual: ClassVar[Reason]
    """The reason where none is given."""

    def __init__(self, words: str = "", seat: int | None = None, reason: Reason | None = None) -> None:
        super().__init__(words if seat is None else words.replace("{}", f"player {seat + 1}"))
        self.words = words
        self.seat = seat
        self.reason = reason or self.usual

    def naming(self, names: Sequence[str]) -> Self:
        """The same error with the player's name in its sentence; names go by seat, and one without keeps its number."""
        name = "" if self.seat is None else names[self.seat]
        return type(self)(self.words.replace("{}", name), reason=self.reason) if name else self

    def without_frames(self) -> Self:
        """The same error, for whoever keeps it or tells it: what it was raised in hangs on it, and its own cause, and
        holds whatever was at hand there, often its keeper.  Only the collector would free such a ring."""
        self.__cause__ = self.__context__ = None
        return self.with_traceback(None)


class Malformed(BoardwireError):
    """It cannot be read."""

    usual = Reason.MALFORMED


class Illegal(BoardwireError):
    """It was read, but is against the rules; `objection` is the rule, where the game tells it by a code."""

    usual = Reason.ILLEGAL
    objection: Objection | None = None

    def by(self, rule: str, *, card: str = "", seat: int | None = None, most: int = 0) -> Self:
        """The same error, with the rule that it breaks."""
        self.objection = Objection(rule, card, seat, most)
        return self


class Refused(BoardwireError):
    """It may be legal, but not now or not for you."""

    usual = Reason.REFUSED
