"""`boardwire replay`: print a stored match."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import msgspec
from cyclopts import Parameter

from boardwire.commands.arguments import find_dialect, find_store
from boardwire.errors import Malformed, Refused

if TYPE_CHECKING:
    from collections.abc import Iterable


def replay(
    match: str,
    *,
    dialect: Annotated[str, Parameter(name="--as")] = "",
    seat: int | None = None,
    to: int | None = None,
    data: str | None = None,
    store: str | None = None,
    json: bool = False,
) -> None:
    """Print the events of a match or, with --as, the conversation that the client of one seat would have had.

    Parameters
    ----------
    match
        Name of the match, as `boardwire matches` lists it.
    dialect
        A dialect of the game: print the conversation of its client as a transcript. Exit code 1 if the dialect cannot
        express the whole match.
    seat
        Seat of the client, from 0.
    to
        Number of the last event to include [the last].
    data
        Data directory of the server [the user's data directory].
    store
        Address of the server's database, instead of a directory.
    json
        Print one JSON object a line.
    """
    from boardwire.commands import journals

    if dialect:
        if seat is None:
            raise Malformed("--as needs --seat: 0 is the first seat")
        _print_conversation(match, find_store(data, store), dialect, seat, to, json=json)
        return
    if seat is not None or to is not None:
        raise Malformed("--seat and --to need --as DIALECT")
    for line in journals.replay(match, find_store(data, store), json=json):
        print(line)


def _print_conversation(match: str, place: Path | str, dialect: str, seat: int, to: int | None, *, json: bool) -> None:
    from boardwire.commands.journals import events_of
    from boardwire.proxy import stored_match, transcript

    events = events_of(match, place)
    find_dialect(dialect)
    conversation = stored_match.reconstruct(events, dialect, seat, to)
    lines: Iterable[str] = (msgspec.json.encode(fields).decode() for fields in conversation.fields())
    for line in lines if json else transcript.lines(conversation.records, dialect):
        print(line)
    if conversation.stopped:
        raise Refused(conversation.stopped)
