"""What is wrong with a conversation: who broke which sentence of the dialect's page, and how.

A `Rule` is a sentence of a page with the number of its section; watchers declare theirs as constants.  A `Finding` is
one breach of it.  Everything that judges a conversation, live or written down, speaks in these.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import msgspec


class Side(StrEnum):
    """An end of the conversation."""

    CLIENT = "client"
    SERVER = "server"

    @property
    def other(self) -> Side:
        return Side.SERVER if self is Side.CLIENT else Side.CLIENT


class Rule(msgspec.Struct, frozen=True):
    """A sentence of a page: `section` is its number there."""

    section: str
    says: str


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """`side` broke `rule` (a sentence of the page, in `section`).  `detail` says what came and what should have come,
    `sent` is what the other side had said last, `number` the message of `connection` at which it was seen."""

    side: Side
    section: str
    rule: str
    detail: str
    sent: str = ""
    connection: int = 1
    number: int = 0
    at: float = 0.0

    @property
    def sentence(self) -> str:
        """The finding in one line."""
        return f"the {self.side} breaks {self.section}: {self.rule}: {self.detail}"

    def fields(self) -> dict[str, Any]:
        """As an object of `--json`, with the names that every command of the clinic has."""
        return {
            "event": "finding",
            "name": self.rule,
            "section": self.section,
            "verdict": "fail",
            "detail": self.detail,
            "side": self.side,
            "sent": self.sent,
            "connection": self.connection,
            "number": self.number,
            "at": round(self.at, 6),
        }
