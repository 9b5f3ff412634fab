"""Export and import of matches as files.

- Only finished matches are exported: a match in play would reveal hidden information.
- An imported match is replayed before it is stored. Its name is derived from its content, so importing a file again
  returns the existing match.
- Imports run one at a time, and the rate per address is limited: each may take a second.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Final, Literal

import msgspec
import structlog
from starlette.requests import Request

from boardwire.api import match_file as records
from boardwire.api.body import read_body
from boardwire.api.context import ApiContext
from boardwire.api.endpoint import JSON, ApiResponse, client_address
from boardwire.api.match_cache import MatchReader
from boardwire.api.match_file import Record
from boardwire.api.matches import Id, MatchQuery
from boardwire.api.problem import Problem, over_rate
from boardwire.errors import BoardwireError
from boardwire.table.events import Event, Opened
from boardwire.table.match import Status
from boardwire.table.ports import AppendResult

log = structlog.get_logger("boardwire.api")

BODY_LIMIT: Final = 1024 * 1024
"""Largest request body, in bytes."""


class ExportQuery(MatchQuery, frozen=True, forbid_unknown_fields=True):
    """The match and its format: `json` can be imported again, `text` is for people."""

    format: Annotated[Literal["json", "text"], msgspec.Meta(description="file format")] = "json"


class Imported(msgspec.Struct, frozen=True):
    """The stored match; it may have existed already."""

    id: Id


def export_match(context: ApiContext, query: ExportQuery) -> ApiResponse:
    """Return a finished match as a file."""
    record = _record_of(context.reader, query.id)
    name = f"{record.game}-{record.opened:%Y-%m-%d}-{query.id}"
    if query.format == "text":
        return _attachment_response(records.write_text(record), "text/plain", f"{name}.txt")
    return _attachment_response(records.write_json(record), JSON, f"{name}.json")


def _attachment_response(body: bytes, media: str, name: str) -> ApiResponse:
    disposition = f'attachment; filename="{name}"'
    return ApiResponse(body, media, headers={"Content-Disposition": disposition, "Cache-Control": "no-cache"})


def _record_of(reader: MatchReader, name: str) -> Record:
    """Return the record of a finished match; raise `Problem` if it is still played."""
    summary, events = reader.events(name)
    if summary.status is not Status.OVER:
        raise Problem(409, "the match is not over; it may contain hidden information")
    try:
        return records.record_of(events)
    except BoardwireError as error:
        raise Problem(409, str(error), reason=error.reason) from None


async def import_match(context: ApiContext, query: object, request: Request) -> ApiResponse:
    """Import an exported match. It is replayed first; one that was not played to its end is stored as adjourned."""
    address = client_address(request)
    if not context.imports.take(address):
        raise over_rate("imports", context.imports.limit, 10)
    body = await read_body(request, BODY_LIMIT, "match")
    is_duplicate, events = await context.read(lambda: _check_import(context.reader, body), address)
    opening = events[0]
    assert isinstance(opening, Opened), "a stored match begins with its opening"
    if not is_duplicate:
        async with context.importing:
            is_duplicate = await _store_import(context, opening.match, events) is AppendResult.SUPERSEDED
    status = 200 if is_duplicate else 201
    headers = {"Location": f"/api/matches/{opening.match}", "Cache-Control": "no-store"}
    return ApiResponse(msgspec.json.encode(Imported(opening.match)), status=status, headers=headers)


def _check_import(reader: MatchReader, body: bytes) -> tuple[bool, list[Event]]:
    """Return the replayed events of the match, and whether it exists already."""
    try:
        record = records.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(422, f"invalid match file: {error}") from None
    existing = _existing_events(reader, record)
    if existing:
        return True, existing
    try:
        events = records.events_of(record)
    except BoardwireError as error:
        raise Problem(422, f"the match cannot be replayed: {error}", reason=error.reason) from None
    except Exception as error:
        log.error("the rules raised an exception; the match was not imported", match=record.id, exc_info=error)
        raise Problem(422, "the match cannot be imported: the server's rules raised an exception") from error
    opening = events[0]
    assert isinstance(opening, Opened), "a stored match begins with its opening"
    return bool(reader.exists(opening.match)), events


def _existing_events(reader: MatchReader, record: Record) -> list[Event]:
    """Return the events of an existing match with this name and content, if any."""
    try:
        summary, events = reader.events(record.id)
        is_equal = summary.status is Status.OVER and records.record_of(events) == record
    except (Problem, BoardwireError):
        return []
    return list(events) if is_equal else []


async def _store_import(context: ApiContext, name: str, events: list[Event]) -> AppendResult:
    """Store the match. If another request has stored it meanwhile, its name guarantees that it is the same."""
    future: asyncio.Future[AppendResult] = asyncio.get_running_loop().create_future()

    def on_stored(result: AppendResult) -> None:
        if not future.done():
            future.set_result(result)

    context.journal.append(name, 1, events, on_stored)
    result = await future
    if result is AppendResult.FAILED:
        raise Problem(503, "the match cannot be stored; try again in 10 seconds", {"Retry-After": "10"})
    return result
