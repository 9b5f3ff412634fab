"""Matches out of a server, as files, and into it again.

Rules:

- What goes out is over; a match in play would tell what its players may not know.
- What comes in is played through before it is stored.  It gets a name that follows from what it says, so a record that
  comes twice is one match, and one that is here already is only pointed at.
- Imports are made one at a time, and an address can make only so many: each may cost a second of work.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Final, Literal

import msgspec
import structlog
from starlette.requests import Request

from boardwire.api import match_file as records
from boardwire.api.context import IMPORTS_AT_ONCE, IMPORTS_PER_SECOND, Desk
from boardwire.api.endpoint import JSON, Answer, client_address
from boardwire.api.match_cache import Reader
from boardwire.api.match_file import Record
from boardwire.api.matches import Id, MatchQuery
from boardwire.api.problem import Problem
from boardwire.errors import BoardwireError
from boardwire.table.events import Event, Opened
from boardwire.table.match import Status
from boardwire.table.ports import AppendResult

log = structlog.get_logger("boardwire.api")

BODY_LIMIT: Final = 1024 * 1024
"""Bytes of the body of a request."""
BODY_SECONDS: Final = 20.0
"""How long it may take to come."""


class ExportQuery(MatchQuery, frozen=True, forbid_unknown_fields=True):
    """Which match, and how it is written: `json` can be imported again, `text` is for reading alone."""

    format: Annotated[Literal["json", "text"], msgspec.Meta(description="how it is written")] = "json"


class Imported(msgspec.Struct, frozen=True):
    """The match that was stored, or was there already."""

    id: Id


def export_match(desk: Desk, query: ExportQuery) -> Answer:
    """A match that is over, as a file."""
    record = _record(desk.reader, query.id)
    name = f"{record.game}-{record.opened:%Y-%m-%d}-{query.id}"
    if query.format == "text":
        return _attachment(records.write_text(record), "text/plain", f"{name}.txt")
    return _attachment(records.write_json(record), JSON, f"{name}.json")


def _attachment(body: bytes, media: str, name: str) -> Answer:
    disposition = f'attachment; filename="{name}"'
    return Answer(body, media, headers={"Content-Disposition": disposition, "Cache-Control": "no-cache"})


def _record(reader: Reader, name: str) -> Record:
    summary, events = reader.events(name)
    if summary.status is not Status.OVER:
        raise Problem(409, "the match is not over; until then some of it may be secret")
    try:
        return records.record_of(events)
    except BoardwireError as error:
        raise Problem(409, str(error), reason=error.reason) from None


async def import_match(desk: Desk, query: object, request: Request) -> Answer:
    """Take in a match that was exported, here or elsewhere.  It is played through first; one that was not played to its
    end is kept as adjourned."""
    address = client_address(request)
    if not desk.imports.take(address):
        often = f"{IMPORTS_AT_ONCE} matches at once, then one every {1 / IMPORTS_PER_SECOND:g} seconds"
        raise Problem(429, f"an address may import {often}", {"Retry-After": "10"})
    body = await _body(request)
    known, events = await desk.read(lambda: _check(desk.reader, body), address)  # long work, queued by address
    opening = events[0]
    assert isinstance(opening, Opened), "a match begins with its opening"
    if not known:
        async with desk.importing:
            known = await _store(desk, opening.match, events) is AppendResult.SUPERSEDED
    status = 200 if known else 201
    headers = {"Location": f"/api/matches/{opening.match}", "Cache-Control": "no-store"}
    return Answer(msgspec.json.encode(Imported(opening.match)), status=status, headers=headers)


async def _body(request: Request) -> bytes:
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != JSON:
        raise Problem(415, f"a match is imported as {JSON}, not as {media or 'something without a Content-Type'}")
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > BODY_LIMIT:
                    raise Problem(413, f"a match has at most {BODY_LIMIT} bytes")
    except TimeoutError:
        raise Problem(408, f"the match did not come within {BODY_SECONDS:.0f} seconds") from None
    return bytes(body)


def _check(reader: Reader, body: bytes) -> tuple[bool, list[Event]]:
    """The events of the match, played through, and whether it is here already."""
    try:
        record = records.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(422, f"this is not a match: {error}") from None
    here = _known(reader, record)
    if here:
        return True, here
    try:
        events = records.events_of(record)
    except BoardwireError as error:
        raise Problem(422, f"this cannot have been played: {error}", reason=error.reason) from None
    except Exception as error:
        log.error("a fault in the rules; a match was not imported", match=record.id, exc_info=error)
        raise Problem(422, "this cannot be taken in: the rules of this server fail when it is played") from error
    opening = events[0]
    assert isinstance(opening, Opened), "a match begins with its opening"
    return bool(reader.holds(opening.match)), events


def _known(reader: Reader, record: Record) -> list[Event]:
    """The events of the match of the same name, if it says the same."""
    try:
        summary, events = reader.events(record.id)
        same = summary.status is Status.OVER and records.record_of(events) == record
    except (Problem, BoardwireError):
        return []
    return list(events) if same else []


async def _store(desk: Desk, name: str, events: list[Event]) -> AppendResult:
    """Stored, or somebody else has stored it meanwhile: the name says that it is the same."""
    answer: asyncio.Future[AppendResult] = asyncio.get_running_loop().create_future()

    def done(result: AppendResult) -> None:
        if not answer.done():
            answer.set_result(result)

    desk.journal.append(name, 1, events, done)
    result = await answer
    if result is AppendResult.FAILED:
        raise Problem(503, "the match cannot be stored at the moment", {"Retry-After": "10"})
    return result
