"""A match in a few facts, read off its events without playing it.

A list of a thousand matches must not apply a thousand matches' moves.  So a summary counts and looks; it knows no
rules, and believes the journal.
"""

from __future__ import annotations

from typing import Final

import msgspec

from boardwire.errors import Reason, Refused
from boardwire.games.game import Outcome
from boardwire.table import events as told
from boardwire.table.events import Event, Player
from boardwire.table.match import Status
from boardwire.table.termination import renewed

IMPORTED: Final = "import"
"""What opened a match that was not played here; it stands where a dialect's name does."""


class Summary(msgspec.Struct):
    """One match.  `moves` counts the players' actions that stand; `at` is when it was opened, `changed` the time of its
    last event, both in seconds since the epoch."""

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


def summarize(events: list[Event]) -> Summary:
    """The summary of a match; `Refused` if these are not the events of one."""
    opening = events[0] if events else None
    if not isinstance(opening, told.Opened):
        raise Refused("a match begins with its opening", reason=Reason.UNREADABLE)
    game, _, rules = opening.game.partition("@")
    chairs: list[Player | None] = [None] * opening.seats
    summary = Summary(
        opening.match, game, int(rules), chairs, at=opening.at, changed=events[-1].at, seq=len(events),
        private=bool(opening.code), dialect=opening.dialect,
    )  # fmt: skip
    acted: list[int] = []
    for event in events[1:]:
        match event:
            case told.Acted(seat=seat):
                acted.append(seat)
            case (
                told.Joined(seat=seat, player=player)
                | told.Readied(seat=seat, player=player)
                | told.Substituted(seat=seat, player=player)
            ):
                chairs[seat] = player
            case told.Left(seat=seat) if summary.status is Status.WAITING:
                chairs[seat] = None
            case told.Started():
                summary.status = Status.PLAYING
            case told.Undone(seat=seat):
                while acted.pop() != seat:
                    pass
            case told.Ended(outcome=outcome):
                names = [player.name if player is not None else "" for player in chairs]
                summary.status, summary.outcome = Status.OVER, renewed(outcome, names)
    summary.moves = len(acted)
    return summary
