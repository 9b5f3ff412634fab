"""Acts of moderators and administrators, and reports of players.

An act has a number, a time, an author (`by`), a target and a reason. `until` ends a ban, a mute or an announcement; 0
means that it has no end.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from boardwire.errors import Malformed

MAX_REASON_LENGTH: Final = 500
"""Longest reason of an act, in characters."""
MAX_ANNOUNCEMENT_LENGTH: Final = 500
"""Longest announcement, in characters."""
MAX_REPORT_LENGTH: Final = 1000
"""Longest text of a report, in characters."""
FOREVER: Final = 0.0
"""`until` of an act without an end."""


class ActKind(StrEnum):
    """Kind of act. Its target is a subject, a match, a node, a report or a player."""

    BAN = "ban"
    UNBAN = "unban"
    MUTE = "mute"
    UNMUTE = "unmute"
    CLOSE = "close"
    """A match was ended."""
    ANNOUNCE = "announce"
    """`reason` is the announcement; an empty one withdraws the last."""
    DRAIN = "drain"
    """A node accepts no new players, and stops; the target is its name, or empty for every node."""
    RESOLVE = "resolve"
    """A report was answered; `reason` is the answer."""
    CANCEL = "cancel"
    """A tournament of another organiser was cancelled."""
    TOKEN = "token"
    """An access token for administrators was created."""
    ROLE = "role"
    """A player was given a role; `reason` is the role."""


class Act(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the audit log."""

    number: int
    at: float
    by: str
    kind: ActKind
    target: str = ""
    reason: str = ""
    until: float = FOREVER

    def holds(self, now: float) -> bool:
        """Return whether a ban, a mute or an announcement is still in force."""
        return self.until == FOREVER or now < self.until


class ReportKind(StrEnum):
    """Kind of report."""

    ABUSE = "abuse"
    """Insults in chat or in a name."""
    CHEATING = "cheating"
    STALLING = "stalling"
    """Playing so slowly that the others leave."""
    OTHER = "other"


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A report of a player about another seat of a match, or about the match."""

    number: int
    at: float
    kind: ReportKind
    match: str
    seat: int | None
    name: str
    """Name of the reported player."""
    text: str
    reporter: str
    """Subject of the player who reported."""
    address: str = ""
    answered_by: str = ""
    answer: str = ""

    @property
    def is_open(self) -> bool:
        """Whether no moderator has answered it."""
        return not self.answered_by


def check_text(subject: str, text: str, limit: int, *, required: bool = False) -> str:
    """Return a text without surrounding spaces and control characters; raise `Malformed` if it is too long.

    The error begins with `subject`.
    """
    cleaned = "".join(character for character in text.strip() if character.isprintable() or character == "\n")
    if required and not cleaned:
        raise Malformed(f"{subject} is empty")
    if len(cleaned) > limit:
        raise Malformed(f"{subject} must have at most {limit} characters, not {len(cleaned)}")
    return cleaned
