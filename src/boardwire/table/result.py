"""Result of a finished match by side, computed from its events without replaying it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from boardwire import games
from boardwire.games.game import Seat
from boardwire.table import events as ev
from boardwire.table.events import Event
from boardwire.table.match import Status, to_type
from boardwire.table.summary import Summary, digest
from boardwire.table.termination import is_aborted


class SideResult(NamedTuple):
    """Result of a match: the seats of each side and its rank, 0 for winners and for all sides of a draw."""

    summary: Summary
    opening: ev.Opened
    options: dict[str, object]
    sides: tuple[tuple[Seat, ...], ...]
    ranks: tuple[int, ...]


def side_result(events: Sequence[Event]) -> SideResult | None:
    """Return the result of a match; None if it is not over, was aborted or never started."""
    match_digest = digest(events)
    summary, opening = match_digest.summary, events[0]
    assert isinstance(opening, ev.Opened), "digest has checked it"
    outcome = summary.outcome
    if summary.status is not Status.OVER or outcome is None or is_aborted(outcome):
        return None
    if not any(isinstance(event, ev.Started) for event in events):
        return None
    options = msgspec.to_builtins(match_digest.options)
    sides = starting_sides(summary.game, msgspec.json.encode(options, order="sorted"), opening.seats)
    ranks = tuple(int(bool(outcome.winners) and not any(seat in outcome.winners for seat in side)) for side in sides)
    return SideResult(summary, opening, options, sides, ranks)


@lru_cache(maxsize=1024)
def starting_sides(game: str, options: bytes, seats: int) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats of each side at the start of a match; `options` are the settled options as JSON."""
    rules = games.game(game)
    position = rules.new(to_type(msgspec.json.decode(options), rules.Options), seats)
    return tuple(map(tuple, rules.sides(position)))
