"""Export of the personal data that the server stores about the caller.

The response has the data stored under the player's account or token: names, devices, matches, ratings, relations,
reports and sanctions in the format of the API, and in `records` the player's rows of every table
(`components.PERSONAL`). Not included are secrets and their hashes, texts of others about the player, which are their
personal data, and results of tournaments, which are public.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, UnsetType
from starlette.requests import Request

from boardwire.api.authentication import CHALLENGE, Caller, authenticate
from boardwire.api.context import ApiContext
from boardwire.api.endpoint import ApiResponse, client_address
from boardwire.api.matches import MatchInfo, Number, facts, find_matches
from boardwire.api.my_matches import newest_of
from boardwire.api.problem import Problem
from boardwire.components import personal_rows
from boardwire.errors import Reason
from boardwire.games.game import Seat
from boardwire.moderation import act_log
from boardwire.moderation.acts import Act, Report
from boardwire.players.account import Kind, Role
from boardwire.players.accounts import load
from boardwire.players.profiles import RatingInfo, profile
from boardwire.players.relations import Challenge, Relation, challenges, related_players
from boardwire.table.summary import Summary

EXPORT_MATCHES = 200
"""Matches in one response; `next` continues."""


class StoredToken(msgspec.Struct, frozen=True):
    """A device or program that has access to the account."""

    kind: str
    label: str
    scopes: tuple[str, ...]
    created: float
    used: float


class StoredPasskey(msgspec.Struct, frozen=True):
    """A passkey; its private key is only on the player's device."""

    id: str
    label: str
    created: float


class StoredAccount(msgspec.Struct, frozen=True):
    """The account of a player."""

    number: int
    name: str
    kind: Kind
    role: Role
    created: float
    tokens: tuple[StoredToken, ...]
    passkeys: tuple[StoredPasskey, ...]
    has_recovery_code: bool
    ratings: tuple[RatingInfo, ...]
    follows: tuple[str, ...]
    blocks: tuple[str, ...]
    challenges: tuple[Challenge, ...]


class StoredMatch(MatchInfo, frozen=True):
    """A match with the player's seat. `/api/matches/ID/export` returns all of a finished match."""

    seat: Seat


class PersonalData(msgspec.Struct, frozen=True):
    """Everything that is stored about a player; `next` continues the list of matches.

    `records` has the stored rows by table: tournaments, push subscriptions, e-mail, sanctions and all others.
    """

    exported: float
    subject: str
    account: StoredAccount | None
    matches: tuple[StoredMatch, ...]
    next: int | None
    reports: tuple[Report, ...]
    ban: Act | None
    mute: Act | None
    records: dict[str, list[dict[str, Any]]]


class ExportQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A page of the caller's matches: those before the number `next` of an earlier response."""

    before: Annotated[Number, msgspec.Meta(description="the `next` of the previous response")] | UnsetType = UNSET


async def export_data(context: ApiContext, query: ExportQuery, request: Request) -> ApiResponse:
    """Return all data stored about the player whose token is sent as `Authorization: Bearer TOKEN`."""
    caller = authenticate(context, request)
    if not caller.key:
        raise Problem(401, "player token required: Authorization: Bearer TOKEN", CHALLENGE, Reason.BAD_TOKEN)
    if caller.account is not None and not caller.is_session:
        raise Problem(403, "an API token gives no access to personal data; sign in")
    address = client_address(request)
    data = await context.read(lambda: msgspec.json.encode(_personal_data(context, query, caller)), address)
    headers = {"Cache-Control": "no-store", "Content-Disposition": 'attachment; filename="boardwire-data.json"'}
    return ApiResponse(data, headers=headers)


def _personal_data(context: ApiContext, query: ExportQuery, caller: Caller) -> PersonalData:
    """Return everything stored about the caller, with one page of its matches."""
    moderation = context.moderation
    keys = (caller.key,) if caller.account is None else tuple(context.accounts.directory.keys(caller.player))
    subject = caller.subject
    before = None if isinstance(query.before, UnsetType) else query.before
    matches, next_number = find_matches(
        context, partial(newest_of, context, keys), before, EXPORT_MATCHES, partial(_stored_match, keys)
    )
    now = moderation.now()
    return PersonalData(
        now,
        subject,
        _stored_account(context, caller),
        tuple(matches),
        next_number,
        tuple(moderation.records.read(lambda db: act_log.reports_of(db, subject))),
        moderation.sanctions.ban_of(subject, now),
        moderation.sanctions.mute_of(subject, now),
        context.accounts.records.read(lambda db: personal_rows(db, caller.player, keys)),
    )


def _stored_match(keys: tuple[str, ...], summary: Summary) -> StoredMatch | None:
    seat = next((seat for seat, player in enumerate(summary.chairs) if player and player.key in keys), None)
    return None if seat is None else StoredMatch(**facts(summary), seat=seat)


def _stored_account(context: ApiContext, caller: Caller) -> StoredAccount | None:
    """Return the caller's account with tokens and relations, without secrets; None for a guest."""
    if caller.account is None:
        return None
    account, records, now = caller.account, context.accounts.records, context.moderation.now()
    entry = records.read(lambda db: load(db, account.id))
    keys = context.accounts.keys(account.id)
    tokens = tuple(
        StoredToken(token.kind, token.label, tuple(sorted(token.scopes)), token.created, token.used)
        for token in entry.tokens
    )
    return StoredAccount(
        account.id,
        account.name,
        account.kind,
        account.role,
        account.created,
        tokens,
        tuple(StoredPasskey(*passkey) for passkey in keys.passkeys),
        keys.has_recovery,
        records.read(lambda db: profile(db, account.name)).ratings,
        tuple(name for _, name in records.read(lambda db: related_players(db, account.id, Relation.FOLLOW))),
        tuple(name for _, name in records.read(lambda db: related_players(db, account.id, Relation.BLOCK))),
        tuple(records.read(lambda db: challenges(db, account.id, now))),
    )
