"""How a match can end that its game's rules alone have not ended.

The rules end a match by a `Termination` of the game; everything else is the table's: somebody gives up, by word or by
the clock, and the others win as the rules say; or the match is broken off, and nobody does.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from boardwire.games.game import Outcome


class Termination(StrEnum):
    """What ended the match; `Outcome.by` is the seat that it speaks of."""

    RESIGNED = "resigned"
    TIMED_OUT = "timed out"
    STAYED_AWAY = "stayed away"
    """The player left, and did not come back in time."""
    ABANDONED = "abandoned"
    """A player left, and with that it was over for all; without a seat: nobody was there any more."""
    CONNECTION_LOST = "connection lost"
    """A player's program answered no more, and with that it was over for all."""
    INTERRUPTED = "interrupted"
    """The server went, and the match could not go on."""
    ADJOURNED = "adjourned"
    """A record that was taken in leaves it open."""
    FAULT = "fault"
    """The rules, or luck, failed: the server made a mistake."""


BROKEN_OFF: Final = frozenset(Termination) - {Termination.RESIGNED, Termination.TIMED_OUT, Termination.STAYED_AWAY}

LOST_A_PLAYER: Final = frozenset({Termination.ABANDONED, Termination.CONNECTION_LOST})
"""It is over for all because one is gone; `Outcome.by` says who."""


def is_broken_off(outcome: Outcome) -> bool:
    """Whether the match came to no end that counts: there is no winner, and it is no draw."""
    return outcome.termination in BROKEN_OFF


_LOST: Final = "the connection to ", " was lost"


def renewed(outcome: Outcome, names: Sequence[str]) -> Outcome:
    """An outcome from a journal.  Older ones name the player whose connection was lost in the words of the end; `names`
    are those of the players, by seat."""
    before, after = _LOST
    words = outcome.termination
    if not (words.startswith(before) and words.endswith(after)):
        return outcome
    name = words.removeprefix(before).removesuffix(after)
    by = names.index(name) if name in names else None
    return Outcome(Termination.CONNECTION_LOST, outcome.winners, by)
