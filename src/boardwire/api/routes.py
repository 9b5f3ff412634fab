"""Routes of the API, from which its documentation is also generated."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from boardwire.api import (
    accounts,
    admin,
    analysis,
    asyncapi,
    conversations,
    games,
    import_export,
    mail,
    matches,
    my_matches,
    nodes,
    openapi,
    organise,
    players,
    positions,
    previews,
    privacy,
    push,
    puzzles,
    reports,
    tournaments,
)
from boardwire.api.context import ApiContext
from boardwire.api.endpoint import JSON, ApiResponse, Endpoint, NoQuery
from boardwire.api.match_file import Record
from boardwire.api.problem import Problem
from boardwire.api.studies import Progress
from boardwire.bots.match_analysis import Study
from boardwire.dialects.native import messages as wire
from boardwire.dialects.native import tell
from boardwire.moderation.acts import Act
from boardwire.organise.table_record import TableRecord, TableRequest
from boardwire.organise.webhooks import Webhook
from boardwire.players.profiles import HeadToHead, Profile


class TablesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A filter of tables."""

    game: str = ""


class TableList(msgspec.Struct, frozen=True):
    """Public tables, oldest first; if there are too many, waiting ones first."""

    tables: tuple[wire.TableInfo, ...]


class Health(msgspec.Struct, frozen=True):
    """State of the server."""

    status: str


TABLE_LIMIT: Final = 500
"""Largest number of tables in one response."""


def tables(context: ApiContext, query: TablesQuery) -> ApiResponse:
    """Return the open public tables, as the native dialect lists them."""
    surveyed = context.lobby.shared_survey(query.game)
    answer: ApiResponse | None = surveyed.memo.get("http")
    if answer is None:
        body = msgspec.json.encode(TableList(tell.tables(surveyed, TABLE_LIMIT)))
        answer = surveyed.memo["http"] = ApiResponse(body, headers={"Cache-Control": "no-cache"})
    return answer


def healthz(context: ApiContext, query: NoQuery) -> Health:
    """Return whether the server is alive."""
    return Health("ok")


def readyz(context: ApiContext, query: NoQuery) -> Health:
    """Return whether the server accepts players: it does not while it stops or cannot write to the journal."""
    reason = context.ready()
    if reason:
        raise Problem(503, reason)
    return Health("ready")


def metrics(context: ApiContext, query: NoQuery) -> ApiResponse:
    """Return Prometheus metrics."""
    return ApiResponse(generate_latest(context.registry), CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


def openapi_document(context: ApiContext, query: NoQuery) -> ApiResponse:
    """Return the OpenAPI document."""
    return _openapi_response()


def asyncapi_document(context: ApiContext, query: NoQuery) -> ApiResponse:
    """Return the AsyncAPI document of the WebSocket."""
    return _asyncapi_response()


@cache
def _openapi_response() -> ApiResponse:
    return ApiResponse(msgspec.json.encode(openapi.document(ROUTES)), headers={"Cache-Control": "no-cache"})


@cache
def _asyncapi_response() -> ApiResponse:
    return ApiResponse(msgspec.json.encode(asyncapi.document()), headers={"Cache-Control": "no-cache"})


_READ: Final = (422, 503)
"""Error statuses of routes that use a reader thread."""
_FIND: Final = (404, *_READ)
"""Error statuses of routes to one resource."""
_MODERATOR: Final = (401, 403, *_READ)
"""Error statuses of routes that only moderators may read."""
_ACT: Final = (401, 403, 404, 408, 409, 413, 415, 422, 503)
"""Error statuses of acts of moderators."""
_OWN: Final = (401, 403, *_READ)
"""Error statuses of routes that need a token with a scope."""
_CHANGE: Final = (401, 403, 404, 408, 409, 413, 415, 422, 429, 503)
"""Error statuses of routes that change a player's records."""

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
    Endpoint(
        "/api/organise/tables", organise.open_organised, TableRecord, method="POST", body=TableRequest,
        errors=(401, 403, 408, 413, 415, 422, 503), statuses=(201,), tag="organise", bearer=True,
    ),
    Endpoint(
        "/api/organise/tables", organise.list_organised, organise.OrganisedTableList, organise.TablesQuery,
        errors=_OWN, tag="organise", bearer=True,
    ),
    Endpoint(
        "/api/organise/tables/{id}", organise.one_organised, TableRecord, organise.TableQuery,
        errors=(404, *_OWN), tag="organise", bearer=True,
    ),
    Endpoint(
        "/api/organise/tables/{id}", organise.cancel_organised, TableRecord, organise.TableQuery, method="DELETE",
        errors=(404, *_OWN), tag="organise", bearer=True,
    ),
    Endpoint(
        "/api/organise/events", organise.organiser_events, organise.OrganiserEvents, organise.EventsQuery,
        errors=_OWN, tag="organise", bearer=True,
    ),
    Endpoint(
        "/api/organise/webhooks", organise.add_organiser_webhook, Webhook, method="POST", body=organise.WebhookRequest,
        errors=(401, 403, 408, 413, 415, 422, 503), statuses=(201,), tag="organise", bearer=True,
    ),
    Endpoint(
        "/api/organise/webhooks", organise.list_webhooks, organise.Webhooks, errors=_OWN, tag="organise", bearer=True
    ),
    Endpoint(
        "/api/organise/webhooks/{number}", organise.remove_webhook, organise.Webhooks, organise.WebhookQuery,
        method="DELETE", errors=(404, *_OWN), tag="organise", bearer=True,
    ),
    Endpoint(
        "/api/organise/deliveries", organise.list_deliveries, organise.Deliveries, organise.DeliveriesQuery,
        errors=_OWN, tag="organise", bearer=True,
    ),
    Endpoint("/api/account", accounts.my_account, accounts.AccountInfo, errors=_OWN, tag="account", bearer=True),
    Endpoint(
        "/api/account", accounts.claim_account, accounts.SessionInfo, method="POST", body=accounts.ClaimRequest,
        errors=_CHANGE, statuses=(201,), tag="account",
    ),
    Endpoint(
        "/api/account", accounts.delete_account, accounts.Deleted, method="DELETE", errors=_CHANGE, tag="account",
        bearer=True,
    ),
    Endpoint(
        "/api/account/challenge", accounts.make_challenge, accounts.ChallengeInfo, method="POST",
        body=accounts.ChallengeRequest, errors=_CHANGE, tag="account",
    ),
    Endpoint(
        "/api/account/sessions", accounts.sign_in, accounts.SessionInfo, method="POST", body=accounts.SignInRequest,
        errors=_CHANGE, tag="account",
    ),
    Endpoint(
        "/api/account/name", accounts.rename_account, accounts.AccountInfo, method="POST", body=accounts.RenameRequest,
        errors=_CHANGE, tag="account", bearer=True,
    ),
    Endpoint(
        "/api/account/recovery", accounts.renew_recovery, accounts.SecretInfo, method="POST", errors=_CHANGE,
        tag="account", bearer=True,
    ),
    Endpoint(
        "/api/account/passkeys", accounts.add_passkey, accounts.AccountInfo, method="POST",
        body=accounts.PasskeyRequest, errors=_CHANGE, tag="account", bearer=True,
    ),
    Endpoint(
        "/api/account/passkeys/{credential}", accounts.remove_passkey, accounts.AccountInfo, accounts.PasskeyQuery,
        method="DELETE", errors=_CHANGE, tag="account", bearer=True,
    ),
    Endpoint(
        "/api/account/tokens", accounts.add_token, accounts.SecretInfo, method="POST", body=accounts.TokenRequest,
        errors=_CHANGE, statuses=(201,), tag="account", bearer=True,
    ),
    Endpoint(
        "/api/account/tokens/{number}", accounts.remove_token, accounts.Deleted, accounts.TokenQuery, method="DELETE",
        errors=_CHANGE, tag="account", bearer=True,
    ),
    Endpoint(
        "/api/players", players.find_players, players.FoundPlayers, players.SearchQuery, errors=_READ, tag="players"
    ),
    Endpoint(
        "/api/players/{player}", players.player_profile, Profile, players.PlayerQuery, errors=_FIND, tag="players"
    ),
    Endpoint(
        "/api/players/{player}/history", players.player_history, players.History, players.HistoryQuery, errors=_FIND,
        tag="players",
    ),
    Endpoint(
        "/api/players/{player}/matches", players.player_matches, players.PlayerMatches, players.PlayerMatchesQuery,
        errors=_FIND, tag="players",
    ),
    Endpoint(
        "/api/players/{player}/against/{other}", players.players_head_to_head, HeadToHead, players.AgainstQuery,
        errors=_FIND, tag="players",
    ),
    Endpoint(
        "/api/players/{player}/challenge", players.challenge_player, players.ChallengeSent, players.PlayerQuery,
        method="POST", body=players.PlayerChallenge, errors=_CHANGE, statuses=(201,), tag="players", bearer=True,
    ),
    Endpoint(
        "/api/players/{player}/follow", players.follow_player, players.Relations, players.PlayerQuery, method="PUT",
        errors=_CHANGE, tag="players", bearer=True,
    ),
    Endpoint(
        "/api/players/{player}/follow", players.unfollow_player, players.Relations, players.PlayerQuery,
        method="DELETE", errors=_CHANGE, tag="players", bearer=True,
    ),
    Endpoint(
        "/api/players/{player}/block", players.block_player, players.Relations, players.PlayerQuery, method="PUT",
        errors=_CHANGE, tag="players", bearer=True,
    ),
    Endpoint(
        "/api/players/{player}/block", players.unblock_player, players.Relations, players.PlayerQuery,
        method="DELETE", errors=_CHANGE, tag="players", bearer=True,
    ),
    Endpoint(
        "/api/account/relations", players.my_relations, players.Relations, errors=_OWN, tag="account", bearer=True
    ),
    Endpoint(
        "/api/account/challenges", players.my_challenges, players.Challenges, errors=_OWN, tag="account", bearer=True
    ),
    Endpoint(
        "/api/account/challenges/{number}", players.remove_challenge, players.Challenges, players.ChallengeQuery,
        method="DELETE", errors=_CHANGE, tag="account", bearer=True,
    ),
    Endpoint(
        "/api/leaderboard", players.leaderboard, players.Leaderboard, players.LeaderboardQuery, errors=_READ,
        tag="players",
    ),
    Endpoint(
        "/api/leaderboard/categories", players.leaderboard_categories, players.Categories, errors=_READ, tag="players"
    ),
    Endpoint(
        "/api/leaderboard/distribution", players.leaderboard_distribution, players.Distribution,
        players.CategoryQuery, errors=_READ, tag="players",
    ),
    Endpoint(
        "/api/positions", positions.check_position, positions.PositionInfo, method="POST",
        body=positions.PositionRequest, errors=(403, 408, 413, 415, 422, 503), tag="games",
    ),
    Endpoint(
        "/api/positions/search", positions.search, positions.Found, method="POST", body=positions.SearchRequest,
        errors=(403, 408, 409, 413, 415, 422, 429, 503), tag="games",
    ),
    Endpoint("/api/games", games.all_games, games.Games, errors=_READ, tag="games"),
    Endpoint("/api/games/{name}", games.one_game, games.GameDetail, games.GameQuery, errors=_FIND, tag="games"),
    Endpoint("/api/bots", games.all_bots, games.Bots, errors=_READ, tag="games"),
    Endpoint("/api/puzzles", puzzles.all_puzzles, puzzles.Puzzles, errors=_READ, tag="games"),
    Endpoint(
        "/api/puzzles/{name}", puzzles.one_puzzle, puzzles.PuzzleDetail, puzzles.PuzzleQuery, errors=_FIND, tag="games"
    ),
    Endpoint(
        "/api/puzzles/{name}/try", puzzles.try_puzzle, puzzles.Attempt, puzzles.TryQuery, errors=_FIND, tag="games"
    ),
    Endpoint(
        "/api/reports", reports.report, reports.Reported, method="POST", body=reports.ReportRequest,
        errors=(401, 403, 404, 408, 413, 415, 422, 429, 503), statuses=(201,), tag="moderation", bearer=True,
    ),
    Endpoint("/api/caller", admin.caller_info, admin.CallerInfo, errors=(401, *_READ), tag="account"),
    Endpoint(
        "/api/privacy/export", privacy.export_data, privacy.PersonalData, privacy.ExportQuery, errors=_MODERATOR,
        tag="account", bearer=True,
    ),
    Endpoint(
        "/api/admin/tables", admin.list_tables, admin.AdminTables, errors=_MODERATOR, tag="moderation", bearer=True
    ),
    Endpoint(
        "/api/admin/players", admin.list_players, admin.PlayerRows, admin.PlayersQuery, errors=_MODERATOR,
        tag="moderation", bearer=True,
    ),
    Endpoint(
        "/api/admin/players/{number}/role", admin.set_role, Act, admin.PlayerQuery, method="POST", body=admin.NewRole,
        errors=_ACT, tag="moderation", bearer=True,
    ),
    Endpoint(
        "/api/admin/sanctions", admin.list_sanctions, admin.Sanctions, errors=_MODERATOR, tag="moderation", bearer=True
    ),
    Endpoint(
        "/api/admin/bans", admin.ban, Act, method="POST", body=admin.NewSanction, errors=_ACT, tag="moderation",
        bearer=True,
    ),
    Endpoint(
        "/api/admin/bans", admin.unban, Act, admin.SubjectQuery, method="DELETE", errors=_ACT, tag="moderation",
        bearer=True,
    ),
    Endpoint(
        "/api/admin/mutes", admin.mute, Act, method="POST", body=admin.NewSanction, errors=_ACT, tag="moderation",
        bearer=True,
    ),
    Endpoint(
        "/api/admin/mutes", admin.unmute, Act, admin.SubjectQuery, method="DELETE", errors=_ACT, tag="moderation",
        bearer=True,
    ),
    Endpoint(
        "/api/admin/matches/{id}/close", admin.close_match, Act, admin.CloseQuery, method="POST", body=admin.ActReason,
        errors=_ACT, tag="moderation", bearer=True,
    ),
    Endpoint(
        "/api/admin/announcement", admin.announce, Act, method="POST", body=admin.NewAnnouncement, errors=_ACT,
        tag="moderation", bearer=True,
    ),
    Endpoint(
        "/api/admin/drain", admin.drain, Act, method="POST", body=admin.DrainRequest, errors=_ACT, tag="moderation",
        bearer=True,
    ),
    Endpoint(
        "/api/admin/reports", admin.list_reports, admin.Reports, admin.ReportsQuery, errors=_MODERATOR,
        tag="moderation", bearer=True,
    ),
    Endpoint(
        "/api/admin/reports/{number}", admin.resolve_report, Act, admin.ReportQuery, method="POST",
        body=admin.ActReason, errors=_ACT, tag="moderation", bearer=True,
    ),
    Endpoint(
        "/api/admin/audit", admin.audit_log, admin.Audit, admin.AuditQuery, errors=_MODERATOR, tag="moderation",
        bearer=True,
    ),
    Endpoint(
        "/api/admin/quotas", admin.list_quotas, admin.QuotasInfo, errors=_MODERATOR, tag="moderation", bearer=True
    ),
    Endpoint(
        "/api/tournaments", tournaments.list_tournaments, tournaments.TournamentList, tournaments.TournamentsQuery,
        errors=_READ, tag="tournaments",
    ),
    Endpoint(
        "/api/tournaments", tournaments.create_tournament, tournaments.TournamentInfo, method="POST",
        body=tournaments.NewTournament, errors=(401, 403, 408, 409, 413, 415, 429, *_READ), statuses=(201,),
        tag="tournaments", bearer=True,
    ),
    Endpoint(
        "/api/tournaments/{id}", tournaments.one_tournament, tournaments.TournamentInfo, tournaments.TournamentQuery,
        errors=(401, *_FIND), tag="tournaments",
    ),
    Endpoint(
        "/api/tournaments/{id}/rounds/{round}", tournaments.one_round, tournaments.RoundInfo, tournaments.RoundQuery,
        errors=_FIND, tag="tournaments",
    ),
    Endpoint(
        "/api/tournaments/{id}/enter", tournaments.enter_tournament, tournaments.TournamentInfo,
        tournaments.TournamentIdQuery, method="POST", body=tournaments.Entry,
        errors=(401, 403, 408, 409, 413, 415, *_FIND), tag="tournaments", bearer=True,
    ),
    *(
        Endpoint(
            f"/api/tournaments/{{id}}/{action}", handler, tournaments.TournamentInfo, tournaments.TournamentIdQuery,
            method="POST", errors=(401, 403, 409, *_FIND), tag="tournaments", bearer=True,
        )
        for action, handler in (
            ("withdraw", tournaments.withdraw_from_tournament), ("check-in", tournaments.check_in_to_tournament),
            ("start", tournaments.start_tournament), ("cancel", tournaments.cancel_tournament),
        )
    ),
    Endpoint("/api/push", push.push_info, push.PushInfo, errors=_READ, tag="push"),
    Endpoint(
        "/api/push", push.subscribe, push.Subscribed, method="POST", body=push.NewSubscription,
        errors=(401, 408, 413, 415, 429, *_READ), tag="push", bearer=True,
    ),
    Endpoint(
        "/api/push/end", push.unsubscribe, push.Subscribed, method="POST", body=push.EndedSubscription,
        errors=(401, 408, 413, 415, *_READ), tag="push", bearer=True,
    ),
    Endpoint("/api/account/mail", mail.my_mail, mail.MailInfo, errors=_OWN, tag="account", bearer=True),
    Endpoint(
        "/api/account/mail", mail.set_address, mail.MailInfo, method="POST", body=mail.NewAddress, errors=_CHANGE,
        tag="account", bearer=True,
    ),
    Endpoint(
        "/api/account/mail/confirm", mail.confirm_address, mail.MailInfo, method="POST", body=mail.Code,
        errors=_CHANGE, tag="account", bearer=True,
    ),
    Endpoint(
        "/api/account/mail", mail.remove_address, mail.MailInfo, method="DELETE", errors=_CHANGE, tag="account",
        bearer=True,
    ),
    Endpoint(
        "/api/mail/unsubscribe", mail.unsubscribe_mail, mail.Unsubscribed, mail.UnsubscribeQuery, method="POST",
        errors=(429, *_READ), tag="account",
    ),
    Endpoint("/api/nodes", nodes.all_nodes, nodes.Nodes, errors=_READ),
    *previews.ROUTES,
    Endpoint("/healthz", healthz, Health, on_loop=True, errors=(422,)),
    Endpoint("/readyz", readyz, Health, on_loop=True, errors=_READ),
    Endpoint("/metrics", metrics, bytes, on_loop=True, errors=(422,), medias=("text/plain",)),
    Endpoint("/openapi.json", openapi_document, dict[str, Any], errors=_READ),
    Endpoint("/asyncapi.json", asyncapi_document, dict[str, Any], errors=_READ),
)  # fmt: skip
