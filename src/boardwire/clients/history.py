"""Reads journals for people and programs: the matches of a data directory, and one match event by event."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from boardwire.games.game import Outcome, Refused
from boardwire.store.sqlite import Archive
from boardwire.table import events as told
from boardwire.table.events import Event, Player
from boardwire.table.match import Status


class Summary(msgspec.Struct):
    """One match in a list.  `moves` counts the players' actions that stand."""

    id: str
    game: str
    rules: int
    dialects: list[str]
    players: list[str]
    status: Status = Status.WAITING
    outcome: Outcome | None = None
    moves: int = 0


def summarize(events: list[Event]) -> Summary:
    """The summary of a match from its events, without playing it."""
    opening = events[0] if events else None
    if not isinstance(opening, told.Opened):
        raise Refused("a match begins with its opening")
    game, _, rules = opening.game.partition("@")
    chairs: list[Player | None] = [None] * opening.seats
    summary = Summary(opening.match, game, int(rules), [], [])
    acted: list[int] = []
    for event in events[1:]:
        match event:
            case told.Joined(seat=seat, player=player) | told.Readied(seat=seat, player=player):
                chairs[seat] = player
            case told.Substituted(seat=seat, player=player):
                chairs[seat] = player
            case told.Left(seat=seat) if summary.status is Status.WAITING:
                chairs[seat] = None
            case told.Started():
                summary.status = Status.PLAYING
            case told.Acted(seat=seat):
                acted.append(seat)
            case told.Undone(seat=seat):
                while acted.pop() != seat:
                    pass
            case told.Ended(outcome=outcome):
                summary.status, summary.outcome = Status.OVER, outcome
    summary.moves = len(acted)
    summary.dialects = [player.dialect if player else "" for player in chairs]
    summary.players = [player.name if player else "" for player in chairs]
    return summary


def matches(directory: Path, *, json: bool) -> Iterator[str]:
    """A line for each match; then, if some of them cannot be read, `Refused` names those."""
    unreadable = []
    with _archive(directory) as archive:
        for name in archive.names():
            try:
                summary = summarize(archive.events(name))
            except Refused:
                unreadable.append(name)
            else:
                yield msgspec.json.encode(summary).decode() if json else _row(summary)
    if unreadable:
        raise Refused(f"these matches in {directory} cannot be read: {', '.join(unreadable)}")


@contextmanager
def _archive(directory: Path) -> Iterator[Archive]:
    try:
        with Archive(directory) as archive:
            yield archive
    except sqlite3.Error as error:
        raise Refused(f"cannot read the matches in {directory}: {error}") from None


def _row(summary: Summary) -> str:
    names = [name or f"player {seat + 1}" for seat, name in enumerate(summary.players)]
    result = "" if summary.outcome is None else _result(summary.outcome, names)
    facts = f"{summary.id}  {summary.game:<10} {summary.status:<8} {summary.moves:>4} moves"
    return f"{facts}  {' - '.join(names)}  {result}".rstrip()


def _result(outcome: Outcome, names: list[str]) -> str:
    if not outcome.winners:
        return outcome.termination
    return f"{' and '.join(names[seat] for seat in outcome.winners)} won ({outcome.termination})"


def replay(match: str, directory: Path, *, json: bool) -> Iterator[str]:
    """A line for each event of a match."""
    with _archive(directory) as archive:
        events = archive.events(match)
    if not events:
        raise Refused(f"there is no match {match!r} in {directory}")
    for seq, event in enumerate(events, 1):
        fields: dict[str, Any] = msgspec.to_builtins(event)
        _without_keys(fields)
        if json:
            yield msgspec.json.encode({"seq": seq, **fields}).decode()
        else:
            name, at = fields.pop("event"), fields.pop("at")
            yield f"{seq:>4}  {_time(at)}  {name:<12} {_words(fields)}"


def _without_keys(fields: dict[str, Any]) -> None:
    """What a player must show to return is nobody else's business, nor is the code of a private table."""
    fields.pop("code", None)
    if isinstance(fields.get("player"), dict):
        fields["player"].pop("key", None)


def _time(at: float) -> str:
    return datetime.fromtimestamp(at).isoformat(" ", "milliseconds")


def _words(fields: dict[str, Any]) -> str:
    return "  ".join(f"{name}={msgspec.json.encode(value).decode()}" for name, value in fields.items())
