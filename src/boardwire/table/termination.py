"""Terminations that are not decided by the rules of a game.

A game has a `Termination` for ends by its rules. The table adds forfeits (a player resigns or runs out of time, and the
others win by the rules), draws by agreement, and aborted matches, which have no winner.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from boardwire.games.game import Outcome


class Termination(StrEnum):
    """Why the match ended; `Outcome.by` is the seat responsible."""

    RESIGNED = "resigned"
    TIMED_OUT = "timed out"
    STAYED_AWAY = "stayed away"
    """The player left and did not return in time."""
    AGREED = "agreed"
    """The players agreed to a draw."""
    ABANDONED = "abandoned"
    """A player left, which ended the match for all; `by` None: all players left."""
    CONNECTION_LOST = "connection lost"
    """A player's program stopped answering, which ended the match for all."""
    INTERRUPTED = "interrupted"
    """The server stopped, and the match could not resume."""
    ADJOURNED = "adjourned"
    """An imported record has no result."""
    ADJUDICATED = "adjudicated"
    """The organiser of a tournament ended a match that took too long; the arena counts it as a draw."""
    CLOSED = "closed"
    """A moderator of the server ended the match."""
    FAULT = "fault"
    """The rules or the dealer raised an error: a fault of the server."""


ABORTED: Final = frozenset(Termination) - {
    Termination.RESIGNED, Termination.TIMED_OUT, Termination.STAYED_AWAY, Termination.AGREED,
}  # fmt: skip

PLAYER_LOST: Final = frozenset({Termination.ABANDONED, Termination.CONNECTION_LOST})
"""Terminations by a lost player, whose seat is `Outcome.by`."""


def is_aborted(outcome: Outcome) -> bool:
    """Return whether the match was aborted: no winner and no draw."""
    return outcome.termination in ABORTED


_OLD_DISCONNECT: Final = "the connection to ", " was lost"


def upgrade_outcome(outcome: Outcome, names: Sequence[str]) -> Outcome:
    """Return an outcome from a journal in the current form.

    Old journals name the disconnected player in the text of the termination; `names` are the players by seat.
    """
    before, after = _OLD_DISCONNECT
    text = outcome.termination
    if not (text.startswith(before) and text.endswith(after)):
        return outcome
    name = text.removeprefix(before).removesuffix(after)
    by = names.index(name) if name in names else None
    return Outcome(Termination.CONNECTION_LOST, outcome.winners, by)
