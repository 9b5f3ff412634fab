"""Findings: breaches of a specification in a conversation.

- A `Rule` is a sentence of a specification with its section and a stable code. Watchers declare theirs as constants.
  A rule that we added to a published document is a `ruling`.
- A `Finding` is one breach of a rule. Live and recorded conversations give the same findings.
- Programs compare findings by `code`, `side` and `message`. The sentences are for people and exist in several
  languages (`language.py`).
- `FindingCounter` counts repeated findings. A `Finding` has its number in `count`; outputs show the first in full.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import partial
from typing import Any, Final, TypeAlias

import msgspec

MAX_KINDS: Final = 10_000
"""Number of kinds that a counter distinguishes; further ones are counted together.

Programs choose the names of their messages, so the number of kinds has no bound.
"""


class Side(StrEnum):
    """One end of a conversation."""

    CLIENT = "client"
    SERVER = "server"

    @property
    def other(self) -> Side:
        return Side.SERVER if self is Side.CLIENT else Side.CLIENT


class Rule(msgspec.Struct, frozen=True):
    """A sentence of a specification, in `section`.

    - `code` identifies the rule in `--json`, in reports and in translations.
    - `ruling`: the published document does not have this rule, so other servers may behave differently.
    """

    code: str
    section: str
    says: str
    ruling: bool = False


Declare: TypeAlias = Callable[[str, str, str], Rule]


def rules_of(dialect: str) -> tuple[Declare, Declare]:
    """Return two functions that declare a rule, or a ruling, of a dialect by the last part of its code."""

    def declare(ruling: bool, name: str, section: str, says: str) -> Rule:
        return Rule(f"{dialect}.{name}", section, says, ruling)

    return partial(declare, False), partial(declare, True)


class Phrase(msgspec.Struct, frozen=True):
    """A translatable sentence: a form with a `{}` for each value. Values may be phrases."""

    form: str
    values: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return self.form.format(*self.values) if self.values else self.form

    @property
    def shape(self) -> str:
        """The form, and those of nested phrases: identical in all languages and repetitions."""
        return " / ".join([self.form, *(value.shape for value in self.values if isinstance(value, Phrase))])


Kind: TypeAlias = tuple[str, Side, str, str]
"""Key of repeated findings: the rule's code, the side, the message's name and the shape of the detail."""


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """A breach of `rule` by `side`.

    - `detail` says what was received and what was expected; `sent` is the last message of the other side.
    - `number` counts the messages of `connection`.
    - `message` is the name of the message that broke the rule, or empty if there was none, as after a timeout.
    - `count` is the number of findings of this kind so far, including this one.
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
    """The detail before translation."""

    @property
    def kind(self) -> Kind:
        """The key that this finding shares with its repetitions."""
        return self.code, self.side, self.message, self.phrase.shape

    @property
    def sentence(self) -> str:
        """The finding in one line."""
        return f"the {self.side} breaks {self.section}: {self.rule}: {self.detail}"

    def fields(self) -> dict[str, Any]:
        """Return the object for `--json`."""
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


class FindingCounter:
    """Counts findings by kind."""

    def __init__(self) -> None:
        self._counts: dict[Kind, int] = {}

    def add(self, finding: Finding) -> Finding:
        """Count a finding; return it with the number of its kind so far."""
        kind = finding.kind
        if kind not in self._counts and len(self._counts) >= MAX_KINDS:
            kind = ("", finding.side, "", "")
        self._counts[kind] = self._counts.get(kind, 0) + 1
        return msgspec.structs.replace(finding, count=self._counts[kind])
