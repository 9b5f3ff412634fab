"""The routes of the API, which also generate its documentation."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from boardwire.api import (
    analysis,
    asyncapi,
    conversations,
    games,
    import_export,
    matches,
    my_matches,
    nodes,
    openapi,
    puzzles,
)
from boardwire.api.context import ApiContext
from boardwire.api.endpoint import JSON, ApiResponse, Endpoint, NoQuery
from boardwire.api.match_file import Record
from boardwire.api.problem import Problem
from boardwire.api.studies import Progress
from boardwire.bots.match_analysis import Study
from boardwire.dialects.native import messages as say
from boardwire.dialects.native import tell


class TablesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A filter of tables."""

    game: str = ""


class TableList(msgspec.Struct, frozen=True):
    """Public tables, oldest first; if there are too many, waiting ones first."""

    tables: tuple[say.TableInfo, ...]


class Health(msgspec.Struct, frozen=True):
    """State of the server."""

    status: str


TABLE_LIMIT: Final = 500
"""Tables that one response lists."""


def tables(desk: ApiContext, query: TablesQuery) -> ApiResponse:
    """Return the open public tables, as the native dialect lists them."""
    surveyed = desk.lobby.surveyed(query.game)
    answer: ApiResponse | None = surveyed.memo.get("http")
    if answer is None:
        body = msgspec.json.encode(TableList(tell.tables(surveyed, TABLE_LIMIT)))
        answer = surveyed.memo["http"] = ApiResponse(body, headers={"Cache-Control": "no-cache"})
    return answer


def healthz(desk: ApiContext, query: NoQuery) -> Health:
    """Return whether the server is alive."""
    return Health("ok")


def readyz(desk: ApiContext, query: NoQuery) -> Health:
    """Return whether the server accepts players: not while it stops or cannot write the journal."""
    reason = desk.ready()
    if reason:
        raise Problem(503, reason)
    return Health("ready")


def metrics(desk: ApiContext, query: NoQuery) -> ApiResponse:
    """Return Prometheus metrics."""
    return ApiResponse(generate_latest(desk.registry), CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


def openapi_document(desk: ApiContext, query: NoQuery) -> ApiResponse:
    """Return the OpenAPI document."""
    return _openapi()


def asyncapi_document(desk: ApiContext, query: NoQuery) -> ApiResponse:
    """Return the AsyncAPI document of the WebSocket."""
    return _asyncapi()


@cache
def _openapi() -> ApiResponse:
    return ApiResponse(msgspec.json.encode(openapi.document(ROUTES)), headers={"Cache-Control": "no-cache"})


@cache
def _asyncapi() -> ApiResponse:
    return ApiResponse(msgspec.json.encode(asyncapi.document()), headers={"Cache-Control": "no-cache"})


_READ: Final = (422, 503)
"""Errors of everything that runs on a reader thread."""
_FIND: Final = (404, *_READ)

ROUTES: Final[tuple[Endpoint, ...]] = (
    Endpoint("/api/tables", tables, TableList, TablesQuery, on_loop=True, errors=(422,), tag="tables"),
    Endpoint("/api/matches", matches.list_matches, matches.Matches, matches.MatchesQuery, errors=_READ, tag="matches"),
    Endpoint(
        "/api/matches/{id}", matches.one_match, matches.MatchDetail, matches.MatchQuery, errors=_FIND, tag="matches"
    ),
    Endpoint(
        "/api/matches/{id}/events", matches.match_events, matches.Events, matches.PartQuery, errors=_FIND, tag="matches"
    ),
    Endpoint(
        "/api/matches/{id}/steps", matches.match_steps, matches.Steps, matches.PartQuery, errors=_FIND, tag="matches"
    ),
    Endpoint(
        "/api/matches/{id}/export", import_export.export_match, Record, import_export.ExportQuery, errors=(409, *_FIND),
        medias=(JSON, "text/plain"), tag="matches",
    ),
    Endpoint(
        "/api/matches/{id}/analysis", analysis.match_analysis, Study | Progress, matches.MatchQuery,
        errors=(409, 429, *_FIND), statuses=(200, 202), tag="matches",
    ),
    Endpoint(
        "/api/matches/{id}/wire", conversations.match_wire, conversations.Wire, conversations.WireQuery,
        errors=(409, 429, *_FIND), tag="matches",
    ),
    Endpoint(
        "/api/wire", conversations.live_wire, conversations.Live, conversations.LiveQuery, errors=(401, 403, 422),
        tag="tables",
    ),
    Endpoint(
        "/api/matches/import", import_export.import_match, import_export.Imported, method="POST", body=Record,
        errors=(403, 408, 413, 415, 422, 429, 503), statuses=(201, 200), tag="matches",
    ),
    Endpoint(
        "/api/mine", my_matches.my_matches, my_matches.MyMatches, my_matches.MineQuery, errors=(401, *_READ),
        tag="matches", bearer=True,
    ),
    Endpoint("/api/games", games.all_games, games.Games, errors=_READ, tag="games"),
    Endpoint("/api/games/{name}", games.one_game, games.GameDetail, games.GameQuery, errors=_FIND, tag="games"),
    Endpoint("/api/bots", games.all_bots, games.Bots, errors=_READ, tag="games"),
    Endpoint("/api/puzzles", puzzles.all_puzzles, puzzles.Puzzles, errors=_READ, tag="games"),
    Endpoint(
        "/api/puzzles/{name}", puzzles.one_puzzle, puzzles.PuzzleDetail, puzzles.PuzzleQuery, errors=_FIND, tag="games"
    ),
    Endpoint("/api/nodes", nodes.all_nodes, nodes.Nodes, errors=_READ),
    Endpoint("/healthz", healthz, Health, on_loop=True, errors=(422,)),
    Endpoint("/readyz", readyz, Health, on_loop=True, errors=_READ),
    Endpoint("/metrics", metrics, bytes, on_loop=True, errors=(422,), medias=("text/plain",)),
    Endpoint("/openapi.json", openapi_document, dict[str, Any], errors=_READ),
    Endpoint("/asyncapi.json", asyncapi_document, dict[str, Any], errors=_READ),
)  # fmt: skip
