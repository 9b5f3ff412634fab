"""Organiser's tables, their events and webhooks.

Every route needs a token with the scope `organise` of a player with the role `organiser`, and shows only that player's
tables: for tables of other organisers, the response is 404.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from starlette.requests import Request

from boardwire.api.authentication import require
from boardwire.api.body import decode_body
from boardwire.api.context import ApiContext
from boardwire.api.endpoint import ApiResponse, client_address
from boardwire.api.problem import Problem
from boardwire.errors import BoardwireError, Malformed, Reason, Refused, Unavailable
from boardwire.organise.delivery import Delivery, read_deliveries
from boardwire.organise.events import EventKind, OrganiserEvent, read_events, read_table, read_tables
from boardwire.organise.table_record import TableRecord, TableRequest, TableState
from boardwire.organise.tables import OrganisedTables
from boardwire.organise.webhooks import MAX_URL_LENGTH, Webhook, add_webhook, delete_webhook, read_webhooks
from boardwire.players.account import Role, Scope
from boardwire.records.records import Work

T = TypeVar("T")
Limit = Annotated[int, msgspec.Meta(ge=1, le=200, description="maximum number of results")]
Number = Annotated[int, msgspec.Meta(ge=0, le=1 << 62)]


class OrganisedTableList(msgspec.Struct, frozen=True):
    """A page of tables, newest first; `next` continues it, None is the end."""

    tables: tuple[TableRecord, ...]
    next: int | None


class OrganiserEvents(msgspec.Struct, frozen=True):
    """Events, oldest first; `next` is the value of `after` for the next request, even if there are no new events."""

    events: tuple[OrganiserEvent, ...]
    next: int


class Webhooks(msgspec.Struct, frozen=True):
    """All webhooks of an organiser, without their secrets."""

    webhooks: tuple[Webhook, ...]


class WebhookRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A webhook; without `kinds` it gets every event."""

    url: Annotated[str, msgspec.Meta(max_length=MAX_URL_LENGTH)]
    kinds: tuple[EventKind, ...] = ()


class Deliveries(msgspec.Struct, frozen=True):
    """A page of the delivery log, newest first; `next` continues it, None is the end."""

    deliveries: tuple[Delivery, ...]
    next: int | None


class TablesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of tables, before the number `next` of an earlier response."""

    limit: Limit = 50
    before: Number | UnsetType = UNSET
    state: TableState | UnsetType = UNSET


class TableQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One table, by its match."""

    id: Annotated[str, msgspec.Meta(max_length=64)]


class EventsQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Events after a number, of one match if it is given."""

    after: Number = 0
    limit: Limit = 100
    match: Annotated[str, msgspec.Meta(max_length=64)] = ""


class WebhookQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One webhook."""

    number: Number


class DeliveriesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of the delivery log, before the number `next` of an earlier response."""

    limit: Limit = 50
    before: Number | UnsetType = UNSET


def _require_organiser(context: ApiContext, request: Request) -> tuple[OrganisedTables, int]:
    """Return the service and the number of the organiser; raise `Problem` for other callers."""
    _, account = require(context, request, scope=Scope.ORGANISE, role=Role.ORGANISER)
    if context.organised is None:
        raise Problem(503, "organiser's tables are not available on the nodes of a cluster")
    return context.organised, account.id


async def _read_records(context: ApiContext, request: Request, tables: OrganisedTables, work: Work[T]) -> T:
    return await context.read(lambda: tables.records.read(work), client_address(request))


def _uncached_response(value: object, status: int = 200, location: str = "") -> ApiResponse:
    """Return a response that no cache may store."""
    headers = {"Cache-Control": "no-store", **({"Location": location} if location else {})}
    return ApiResponse(msgspec.json.encode(value), status=status, headers=headers)


def _problem_for(error: BoardwireError) -> Problem:
    if isinstance(error, Unavailable):
        return Problem(503, str(error), {"Retry-After": "1"}, error.reason)
    over = isinstance(error, Refused) and error.reason in (Reason.LIMIT, Reason.SERVER_FULL)
    return Problem(429, str(error), {"Retry-After": "10"}, error.reason) if over else Problem(422, str(error))


async def open_organised(context: ApiContext, query: object, request: Request) -> ApiResponse:
    """Open a private table for other players. Every seat admits one player, by link, name or port."""
    tables, owner = _require_organiser(context, request)
    body = await decode_body(request, TableRequest)
    try:
        record = await tables.open(owner, body)
    except (Refused, Malformed, Unavailable) as error:
        raise _problem_for(error) from None
    return _uncached_response(record, 201, f"/api/organise/tables/{record.match}")


async def list_organised(context: ApiContext, query: TablesQuery, request: Request) -> ApiResponse:
    """Return the organiser's tables, newest first."""
    tables, owner = _require_organiser(context, request)
    before = None if isinstance(query.before, UnsetType) else query.before
    state = None if isinstance(query.state, UnsetType) else query.state
    rows = await _read_records(context, request, tables, lambda db: read_tables(db, owner, before, query.limit, state))
    next_number = rows[-1][0] if len(rows) == query.limit else None
    return _uncached_response(OrganisedTableList(tuple(table for _, table in rows), next_number))


async def one_organised(context: ApiContext, query: TableQuery, request: Request) -> ApiResponse:
    """Return one table of the organiser, with its seats and its result."""
    tables, owner = _require_organiser(context, request)
    table = await _read_records(context, request, tables, lambda db: read_table(db, owner, query.id))
    if table is None:
        raise Problem(404, f"you have no table {query.id!r}")
    # an open table is newer than its record, which is stored in the background
    return _uncached_response(tables.current(query.id) or table)


async def cancel_organised(context: ApiContext, query: TableQuery, request: Request) -> ApiResponse:
    """Close a table; a match in play ends without a winner. A table that is over stays as it is."""
    tables, owner = _require_organiser(context, request)
    table = await _read_records(context, request, tables, lambda db: read_table(db, owner, query.id))
    if table is None:
        raise Problem(404, f"you have no table {query.id!r}")
    return _uncached_response(tables.cancel(query.id) or table)


async def organiser_events(context: ApiContext, query: EventsQuery, request: Request) -> ApiResponse:
    """Return the events of the organiser's tables after a number, oldest first."""
    tables, owner = _require_organiser(context, request)
    events = await _read_records(
        context, request, tables, lambda db: read_events(db, owner, query.after, query.limit, query.match)
    )
    return _uncached_response(OrganiserEvents(tuple(events), events[-1].number if events else query.after))


async def add_organiser_webhook(context: ApiContext, query: object, request: Request) -> ApiResponse:
    """Add a webhook. Its secret, which signs every delivery, is in this response only."""
    tables, owner = _require_organiser(context, request)
    body = await decode_body(request, WebhookRequest)
    now = context.lobby.clock.now()
    try:
        webhook = await tables.records.write(lambda db: add_webhook(db, owner, body.url, body.kinds, now))
    except (Refused, Malformed, Unavailable) as error:
        raise _problem_for(error) from None
    return _uncached_response(webhook, 201, "/api/organise/webhooks")


async def list_webhooks(context: ApiContext, query: object, request: Request) -> ApiResponse:
    """Return the organiser's webhooks."""
    tables, owner = _require_organiser(context, request)
    return _uncached_response(
        Webhooks(tuple(await _read_records(context, request, tables, lambda db: read_webhooks(db, owner))))
    )


async def remove_webhook(context: ApiContext, query: WebhookQuery, request: Request) -> ApiResponse:
    """Delete a webhook and its pending deliveries."""
    tables, owner = _require_organiser(context, request)
    if not await tables.records.write(lambda db: delete_webhook(db, owner, query.number)):
        raise Problem(404, f"you have no webhook {query.number}")
    return _uncached_response(
        Webhooks(tuple(await _read_records(context, request, tables, lambda db: read_webhooks(db, owner))))
    )


async def list_deliveries(context: ApiContext, query: DeliveriesQuery, request: Request) -> ApiResponse:
    """Return the log of webhook deliveries, newest first."""
    tables, owner = _require_organiser(context, request)
    before = None if isinstance(query.before, UnsetType) else query.before
    rows = await _read_records(context, request, tables, lambda db: read_deliveries(db, owner, before, query.limit))
    return _uncached_response(Deliveries(tuple(rows), rows[-1].number if len(rows) == query.limit else None))
