"""Summaries of matches, computed from their events without applying the rules.

A list of a thousand matches must not replay them, so a summary trusts the journal and only counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final

import msgspec

from boardwire.games.game import Outcome
from boardwire.table import events as ev
from boardwire.table.events import Event, Player
from boardwire.table.match import Status, missing_opening_error
from boardwire.table.termination import upgrade_outcome

IMPORTED: Final = "import"
"""Dialect name of an imported match."""


class Summary(msgspec.Struct):
    """Summary of one match.

    - `moves`: the number of actions that were not undone; `turns`: the same, with consecutive actions of a seat counted
      once.
    - `at` and `changed`: the times of the opening and of the last event, in seconds since the epoch.
    """

    id: str
    game: str
    rules: int
    chairs: list[Player | None]
    status: Status = Status.WAITING
    outcome: Outcome | None = None
    moves: int = 0
    at: float = 0.0
    changed: float = 0.0
    seq: int = 0
    private: bool = False
    dialect: str = ""
    turns: int = 0
    started: bool = False


class Digest(msgspec.Struct, frozen=True):
    """Summary of a match so far, with the state needed to extend it by later events."""

    summary: Summary
    acted: bytes
    """Seats of the actions that were not undone, in order."""
    options: Any
    """Options of the opening, or of the start once the match has started."""


def summarize(events: Sequence[Event]) -> Summary:
    """Return the summary of a match; raise `Unavailable` if the events do not begin with an opening."""
    return digest(events).summary


def digest(events: Sequence[Event], before: Digest | None = None) -> Digest:
    """Return the digest of all events of a match, or extend `before` by later events.

    Raise `Unavailable` if the events do not begin with an opening.
    """
    if before is None:
        before = _initial_digest(events[0] if events else None)
        events = events[1:]
    if not events:
        return before
    summary = msgspec.structs.replace(
        before.summary, chairs=list(before.summary.chairs), changed=events[-1].at, seq=before.summary.seq + len(events)
    )
    chairs, acted, options = summary.chairs, bytearray(before.acted), before.options
    for event in events:
        match event:
            case ev.Acted(seat=seat):
                acted.append(seat)
            case (
                ev.Joined(seat=seat, player=player)
                | ev.Readied(seat=seat, player=player)
                | ev.Substituted(seat=seat, player=player)
            ):
                chairs[seat] = player
            case ev.Left(seat=seat) if summary.status is Status.WAITING:
                chairs[seat] = None
            case ev.Started():
                summary.status, summary.started, options = Status.PLAYING, True, event.options
            case ev.Undone(seat=seat):
                while acted.pop() != seat:
                    pass
            case ev.Ended(outcome=outcome):
                names = [player.name if player is not None else "" for player in chairs]
                summary.status, summary.outcome = Status.OVER, upgrade_outcome(outcome, names)
    summary.moves = len(acted)
    summary.turns = sum(1 for _ in groupby(acted))
    return Digest(summary, bytes(acted), options)


def _initial_digest(opening: Event | None) -> Digest:
    """Return the digest of a match that has only been opened."""
    if not isinstance(opening, ev.Opened):
        raise missing_opening_error(opening)
    game, _, rules = opening.game.partition("@")
    chairs: list[Player | None] = [None] * opening.seats
    summary = Summary(
        opening.match, game, int(rules), chairs, at=opening.at, changed=opening.at, seq=1,
        private=bool(opening.code), dialect=opening.dialect,
    )  # fmt: skip
    return Digest(summary, b"", opening.options)
