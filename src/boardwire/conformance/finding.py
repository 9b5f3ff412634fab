"""What is wrong with a conversation: who broke which sentence of the dialect's page, and how.

- A `Rule` is a sentence of a specification with the number of its section and a code that never changes.  Watchers
  declare theirs as constants.  A rule that we added to a published document is a `ruling`.
- A `Finding` is one breach of a rule.  Everything that judges a conversation, live or recorded, reports findings.
- Programs compare findings by `code`, `side` and `message`, never by their sentences, which are for people and exist
  in several languages (`language.py`).
- `Tally` counts findings that repeat.  A `Finding` carries its number in `count`; outputs show the first in full.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Final, TypeAlias

import msgspec

MAX_KINDS: Final = 10_000
"""Kinds of findings that a tally tells apart.  A program can choose the names of the messages it sends, so the number
is bounded; findings of further kinds count as one."""


class Side(StrEnum):
    """An end of the conversation."""

    CLIENT = "client"
    SERVER = "server"

    @property
    def other(self) -> Side:
        return Side.SERVER if self is Side.CLIENT else Side.CLIENT


class Rule(msgspec.Struct, frozen=True):
    """A sentence of a specification: `section` is its number there.

    `code` identifies the rule in `--json`, in reports and in the catalogue of translations.  `ruling` says that the
    published document does not have this rule: other servers may do otherwise and still follow the document.
    """

    code: str
    section: str
    says: str
    ruling: bool = False


class Phrase(msgspec.Struct, frozen=True):
    """A sentence that can be translated: a form with a `{}` for each value.  Values may be phrases."""

    form: str
    values: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return self.form.format(*self.values) if self.values else self.form

    @property
    def shape(self) -> str:
        """The form, and those of the phrases among the values: what is the same in every language and repetition."""
        return " / ".join([self.form, *(value.shape for value in self.values if isinstance(value, Phrase))])


Kind: TypeAlias = tuple[str, Side, str, str]
"""What repeated findings have in common: the rule's code, the side, the message's name and the shape of the detail."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """`side` broke `rule` (a sentence of the specification, in `section`).

    `detail` says what came and what should have come, `sent` is what the other side had said last.  `number` counts
    the messages of `connection`; `message` is the name of the one at which the breach was found, or empty if there was
    none, as after a timeout.  `count` is how often this kind of finding has occurred so far, this one included.
    """

    side: Side
    section: str
    rule: str
    detail: str
    sent: str = ""
    connection: int = 1
    number: int = 0
    at: float = 0.0
    code: str = ""
    message: str = ""
    ruling: bool = False
    count: int = 1
    phrase: Phrase = Phrase("")
    """The detail before it was put into words."""

    @property
    def kind(self) -> Kind:
        """What this finding has in common with its repetitions."""
        return self.code, self.side, self.message, self.phrase.shape

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
            "code": self.code,
            "side": self.side,
            "message": self.message,
            "ruling": self.ruling,
            "count": self.count,
            "sent": self.sent,
            "connection": self.connection,
            "number": self.number,
            "at": round(self.at, 6),
        }


class Tally:
    """Counts findings by their kind."""

    def __init__(self) -> None:
        self._counts: dict[Kind, int] = {}

    def add(self, finding: Finding) -> Finding:
        """Count a finding; return it with its number."""
        kind = finding.kind
        if kind not in self._counts and len(self._counts) >= MAX_KINDS:
            kind = ("", finding.side, "", "")
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return msgspec.structs.replace(finding, count=self._counts[kind])
