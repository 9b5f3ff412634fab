"""Sentences that both Eriantys dialects send as text, and that their clients read back."""

from __future__ import annotations

from typing import Final, NamedTuple

_LAST_ROUND: Final = "This is the last round"
_CLOUDS_CLOSED: Final = "nobody takes a cloud"


class LastRound(NamedTuple):
    """Announcement of the last round: why it is the last, and whether clouds are taken in it."""

    reason: str
    clouds: bool

    def text(self) -> str:
        """Return the sentence, without a full stop."""
        return f"{_LAST_ROUND} ({self.reason})" + ("" if self.clouds else f"; {_CLOUDS_CLOSED}")


def read_last_round(text: str) -> LastRound | None:
    """Return the announcement that a text is, or None if it is another text."""
    if not text.startswith(_LAST_ROUND):
        return None
    reason = text.removeprefix(_LAST_ROUND).partition(")")[0].strip(" (.")
    return LastRound(reason, _CLOUDS_CLOSED not in text)
