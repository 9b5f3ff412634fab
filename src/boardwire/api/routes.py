"""The table of everything the API can do; it serves the requests and it documents them."""

from __future__ import annotations

from typing import Final

import msgspec

from boardwire.api import games, matches
from boardwire.api.desk import Desk
from boardwire.api.endpoint import Endpoint, NoQuery
from boardwire.api.problem import Problem
from boardwire.dialects.native import messages as say
from boardwire.dialects.native import state


class TablesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which tables."""

    game: str = ""


class TableList(msgspec.Struct, frozen=True):
    """The public tables, oldest first."""

    tables: tuple[say.TableInfo, ...]


class Health(msgspec.Struct, frozen=True):
    """How the server is."""

    status: str


TABLE_LIMIT: Final = 500


def tables(desk: Desk, query: TablesQuery) -> TableList:
    """The public tables that are open now, as the native dialect lists them."""
    found = desk.lobby.survey(query.game)
    return TableList(tuple(map(state.table, found[-TABLE_LIMIT:])))


def healthz(desk: Desk, query: NoQuery) -> Health:
    """Whether the server runs at all."""
    return Health("ok")


def readyz(desk: Desk, query: NoQuery) -> Health:
    """Whether the server takes players: not while it stops, nor while the journal cannot be written."""
    reason = desk.ready()
    if reason:
        raise Problem(503, reason)
    return Health("ready")


ROUTES: Final = (
    Endpoint("/api/tables", tables, TableList, TablesQuery, on_loop=True, errors=(422,), tag="tables"),
    Endpoint(
        "/api/matches", matches.list_matches, matches.Matches, matches.MatchesQuery, errors=(422, 503), tag="matches"
    ),
    Endpoint(
        "/api/matches/{id}",
        matches.one_match,
        matches.MatchDetail,
        matches.MatchQuery,
        errors=(404, 422, 503),
        tag="matches",
    ),
    Endpoint(
        "/api/matches/{id}/events",
        matches.match_events,
        matches.Events,
        matches.PartQuery,
        errors=(404, 422, 503),
        tag="matches",
    ),
    Endpoint(
        "/api/matches/{id}/steps",
        matches.match_steps,
        matches.Steps,
        matches.PartQuery,
        errors=(404, 422, 503),
        tag="matches",
    ),
    Endpoint("/api/games", games.all_games, games.Games, errors=(422, 503), tag="games"),
    Endpoint(
        "/api/games/{name}", games.one_game, games.GameDetail, games.GameQuery, errors=(404, 422, 503), tag="games"
    ),
    Endpoint("/healthz", healthz, Health, on_loop=True, errors=(422,)),
    Endpoint("/readyz", readyz, Health, on_loop=True, errors=(422, 503)),
)
