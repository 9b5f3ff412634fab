"""Texts that both Eriantys dialects send, with the parser for their clients."""

from __future__ import annotations

from typing import Final, NamedTuple

_LAST_ROUND: Final = "This is the last round"
_CLOUDS_CLOSED: Final = "nobody takes a cloud"


class LastRound(NamedTuple):
    """Announcement of the last round: the reason, and whether clouds are still chosen."""

    reason: str
    clouds: bool

    def text(self) -> str:
        """Return the sentence, without a full stop."""
        return f"{_LAST_ROUND} ({self.reason})" + ("" if self.clouds else f"; {_CLOUDS_CLOSED}")


def read_last_round(text: str) -> LastRound | None:
    """Return the announcement in a text, or None if the text is another one."""
    if not text.startswith(_LAST_ROUND):
        return None
    reason = text.removeprefix(_LAST_ROUND).partition(")")[0].strip(" (.")
    return LastRound(reason, _CLOUDS_CLOSED not in text)
