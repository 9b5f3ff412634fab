"""Lists of stored matches and of their events, as text or JSON, from a directory or a database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any

import msgspec

from boardwire.errors import BoardwireError, Refused, Unavailable
from boardwire.games.game import Outcome
from boardwire.players.pseudonyms import load_deleted, mask_deleted
from boardwire.records.backends import Place, durable_backend
from boardwire.store.group_commit import Archive
from boardwire.table.events import Event, public_fields
from boardwire.table.match import Status
from boardwire.table.summary import summarize
from boardwire.wire.text import escaped


class MatchLine(msgspec.Struct, frozen=True):
    """One match in a list, as JSON.

    `dialects` and `players` are by seat, empty for free seats; `moves` counts the players' actions without those taken
    back.
    """

    id: str
    game: str
    rules: int
    dialects: list[str]
    players: list[str]
    status: Status
    outcome: Outcome | None
    moves: int


def line_of(events: Sequence[Event]) -> MatchLine:
    """Return the list entry of a match; raise `Unavailable` if the events are invalid."""
    summary = summarize(events)
    return MatchLine(
        summary.id,
        summary.game,
        summary.rules,
        [player.dialect if player else "" for player in summary.chairs],
        [player.name if player else "" for player in summary.chairs],
        summary.status,
        summary.outcome,
        summary.moves,
    )


def matches(place: Place, *, json: bool) -> Iterator[str]:
    """Yield a line for each match; at the end, raise `Unavailable` if some of them cannot be read."""
    unreadable = []
    is_deleted = load_deleted(place)
    with open_archive(place) as archive:
        for name in archive.names():
            try:
                line = line_of(mask_deleted(archive.events(name), is_deleted))
            except BoardwireError:
                unreadable.append(name)
            else:
                yield msgspec.json.encode(line).decode() if json else _match_row(line)
    if unreadable:
        raise Unavailable(f"cannot read these matches in {durable_backend(place).label}: {', '.join(unreadable)}")


def open_archive(place: Place) -> AbstractContextManager[Archive]:
    """Open the matches of a data directory or database for reading."""
    return durable_backend(place).archive()


def _match_row(line: MatchLine) -> str:
    names = [name or f"player {seat + 1}" for seat, name in enumerate(line.players)]
    result = "" if line.outcome is None else _result_phrase(line.outcome, names)
    facts = f"{line.id}  {line.game:<10} {line.status:<8} {line.moves:>4} {'move ' if line.moves == 1 else 'moves'}"
    return escaped(f"{facts}  {' - '.join(names)}  {result}".rstrip())


def _result_phrase(outcome: Outcome, names: list[str]) -> str:
    if not outcome.winners:
        return outcome.termination
    return f"{' and '.join(names[seat] for seat in outcome.winners)} won ({outcome.termination})"


def events_of(match: str, place: Place) -> list[Event]:
    """Return the events of a match; raise `Refused` if there is no such match."""
    with open_archive(place) as archive:
        events = archive.events(match)
    if not events:
        raise Refused(f"there is no match {match!r} in {durable_backend(place).label}")
    return list(mask_deleted(events, load_deleted(place)))


def replay(match: str, place: Place, *, json: bool) -> Iterator[str]:
    """Yield a line for each event of a match."""
    for seq, event in enumerate(events_of(match, place), 1):
        fields = public_fields(event)
        if json:
            yield msgspec.json.encode({"seq": seq, **fields}).decode()
        else:
            name, at = fields.pop("event"), fields.pop("at")
            yield escaped(f"{seq:>4}  {_format_time(at)}  {name:<12} {_format_fields(fields)}")


def _format_time(at: float) -> str:
    return datetime.fromtimestamp(at).isoformat(" ", "milliseconds")


def _format_fields(fields: dict[str, Any]) -> str:
    return "  ".join(f"{name}={msgspec.json.encode(value).decode()}" for name, value in fields.items())
