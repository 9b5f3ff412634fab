"""Players: search, profiles, histories, head-to-head, leaderboards, follows, blocks and challenges."""

from __future__ import annotations

import time
from functools import partial
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import UNSET, UnsetType
from starlette.requests import Request

from boardwire.api.authentication import require
from boardwire.api.body import decode_body
from boardwire.api.context import CHANGES_PER_SECOND, ApiContext
from boardwire.api.endpoint import ApiResponse, NoQuery, client_address, spend
from boardwire.api.matches import Id, MatchInfo, Number, find_matches, info
from boardwire.api.my_matches import newest_of
from boardwire.api.problem import problem_of
from boardwire.errors import BoardwireError
from boardwire.players import profiles, relations
from boardwire.players.account import MAX_NAME_LENGTH, Kind
from boardwire.players.profiles import Bucket, CategoryInfo, HeadToHead, HistoryPoint, Profile, Ranked
from boardwire.players.ratings import Category, Pool
from boardwire.players.relations import Relation
from boardwire.players.speed import Speed
from boardwire.records.records import Work
from boardwire.table.match import Status
from boardwire.table.summary import Summary

T = TypeVar("T")
PlayerName = Annotated[
    str,
    msgspec.Meta(min_length=1, max_length=4 * MAX_NAME_LENGTH, description="a player's name, or `#` and its number"),
]
Limit = Annotated[int, msgspec.Meta(ge=1, le=200, description="maximum number of results")]


class SearchQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A search by the beginning of a name."""

    name: Annotated[str, msgspec.Meta(max_length=4 * MAX_NAME_LENGTH, description="how the name begins")] = ""


class PlayerQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The player."""

    player: PlayerName


class CategoryQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A category of ratings."""

    game: Annotated[str, msgspec.Meta(max_length=64)] = "tris"
    mode: Annotated[str, msgspec.Meta(max_length=64)] = ""
    speed: Speed = Speed.UNLIMITED
    pool: Pool = Pool.PEOPLE

    @property
    def category(self) -> Category:
        return Category(self.pool, self.game, self.mode, self.speed)


class HistoryQuery(CategoryQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The player and a category of ratings."""

    player: PlayerName


class LeaderboardQuery(CategoryQuery, frozen=True, forbid_unknown_fields=True):
    """A part of a leaderboard: the ranks after `after`."""

    after: Annotated[int, msgspec.Meta(ge=0, le=10_000)] = 0
    limit: Limit = 50


class PlayerMatchesQuery(PlayerQuery, frozen=True, forbid_unknown_fields=True):
    """The player's finished matches, newest first, before the number `next` of an earlier response."""

    limit: Limit = 50
    before: Annotated[Number, msgspec.Meta(description="the `next` of the previous page")] | UnsetType = UNSET


class AgainstQuery(PlayerQuery, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Two players."""

    other: PlayerName


class ChallengeQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A challenge."""

    number: Annotated[int, msgspec.Meta(ge=1, le=2**53)]


class FoundPlayer(msgspec.Struct, frozen=True):
    """A player."""

    number: int
    name: str
    kind: Kind


class FoundPlayers(msgspec.Struct, frozen=True):
    """Players, by name."""

    players: tuple[FoundPlayer, ...]


class History(msgspec.Struct, frozen=True):
    """A rating after each match, oldest first."""

    points: tuple[HistoryPoint, ...]


class Leaderboard(msgspec.Struct, frozen=True):
    """A part of a leaderboard; `next` continues, None is the end."""

    players: tuple[Ranked, ...]
    next: int | None


class Categories(msgspec.Struct, frozen=True):
    """All categories that have a rating."""

    categories: tuple[CategoryInfo, ...]


class Distribution(msgspec.Struct, frozen=True):
    """Histogram of the ratings of ranked players, in bars of 50 points."""

    bars: tuple[Bucket, ...]


class PlayerMatches(msgspec.Struct, frozen=True):
    """A page of a player's matches at public tables; `next` continues with older ones, None is the end."""

    matches: tuple[MatchInfo, ...]
    next: int | None


class Relations(msgspec.Struct, frozen=True):
    """Players whom the caller follows and blocks."""

    follows: tuple[str, ...]
    blocks: tuple[str, ...]


class PlayerChallenge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Challenge a player to a seat at a private table that the caller has opened."""

    match: Id
    code: Annotated[str, msgspec.Meta(max_length=64)] = ""
    game: Annotated[str, msgspec.Meta(max_length=64)] = ""
    rated: bool = False


class Challenges(msgspec.Struct, frozen=True):
    """Open challenges to the caller, newest first."""

    challenges: tuple[relations.Challenge, ...]


class ChallengeSent(msgspec.Struct, frozen=True):
    """Confirmation that a challenge was sent."""

    player: str


# --- for everyone -----------------------------------------------------------------------------------------------------


def find_players(context: ApiContext, query: SearchQuery) -> FoundPlayers:
    """Return players whose names begin with a text."""
    players = _read_records(context, lambda db: profiles.search(db, query.name))
    return FoundPlayers(tuple(FoundPlayer(player.number, player.name, Kind(player.kind)) for player in players))


def player_profile(context: ApiContext, query: PlayerQuery) -> Profile:
    """Return the profile of a player: its ratings and number of followers."""
    return _read_records(context, lambda db: profiles.profile(db, query.player))


def player_history(context: ApiContext, query: HistoryQuery) -> History:
    """Return the history of a rating."""
    return History(tuple(_read_records(context, lambda db: profiles.history(db, query.player, query.category))))


def player_matches(context: ApiContext, query: PlayerMatchesQuery) -> PlayerMatches:
    """Return the finished matches of a player at public tables, newest first."""
    number = _read_records(context, lambda db: profiles.find_player(db, query.player))[0]
    keys = tuple(context.accounts.directory.keys(number))
    before = None if isinstance(query.before, UnsetType) else query.before
    rows, next_number = find_matches(context, partial(newest_of, context, keys), before, query.limit, _public_match)
    return PlayerMatches(tuple(rows), next_number)


def _public_match(summary: Summary) -> MatchInfo | None:
    is_listed = summary.started and summary.status is Status.OVER and not summary.private
    return info(summary) if is_listed else None


def players_head_to_head(context: ApiContext, query: AgainstQuery) -> HeadToHead:
    """Return the rated matches between two players."""
    return _read_records(context, lambda db: profiles.head_to_head(db, query.player, query.other, 50))


def leaderboard(context: ApiContext, query: LeaderboardQuery) -> Leaderboard:
    """Return the ranked players of a category, best first."""
    rows = _read_records(context, lambda db: profiles.leaderboard(db, query.category, query.limit + 1, query.after))
    has_more = len(rows) > query.limit
    return Leaderboard(tuple(rows[: query.limit]), query.after + query.limit if has_more else None)


def leaderboard_categories(context: ApiContext, query: NoQuery) -> Categories:
    """Return the categories that have ratings."""
    return Categories(tuple(_read_records(context, context.counts.categories)))


def leaderboard_distribution(context: ApiContext, query: CategoryQuery) -> Distribution:
    """Return a histogram of the ratings in a category."""
    return Distribution(tuple(_read_records(context, lambda db: context.counts.distribution(db, query.category))))


def _read_records(context: ApiContext, work: Work[T]) -> T:
    try:
        return context.accounts.records.read(work)
    except BoardwireError as error:
        raise problem_of(error) from None


# --- for players ------------------------------------------------------------------------------------------------------


async def my_relations(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Return the players whom the caller follows and blocks."""
    _, account = require(context, request)
    return await _relations_response(context, request, account.id)


async def follow_player(context: ApiContext, query: PlayerQuery, request: Request) -> ApiResponse:
    """Follow a player."""
    return await _change_relation(context, request, query.player, Relation.FOLLOW, ends=False)


async def unfollow_player(context: ApiContext, query: PlayerQuery, request: Request) -> ApiResponse:
    """Stop following a player."""
    return await _change_relation(context, request, query.player, Relation.FOLLOW, ends=True)


async def block_player(context: ApiContext, query: PlayerQuery, request: Request) -> ApiResponse:
    """Block a player, who can then no longer challenge the caller."""
    return await _change_relation(context, request, query.player, Relation.BLOCK, ends=False)


async def unblock_player(context: ApiContext, query: PlayerQuery, request: Request) -> ApiResponse:
    """Unblock a player."""
    return await _change_relation(context, request, query.player, Relation.BLOCK, ends=True)


async def _change_relation(
    context: ApiContext, request: Request, name: str, relation: Relation, *, ends: bool
) -> ApiResponse:
    """Follow or block a player, or end that; return all relations."""
    spend(context.changes, request, CHANGES_PER_SECOND)
    _, account = require(context, request)

    def work(db: Any) -> None:
        other = profiles.find_player(db, name)[0]
        if ends:
            relations.unrelate(db, account.id, other, relation)
        else:
            relations.relate(db, account.id, other, relation, time.time())

    await context.accounts.records.write(work)
    return await _relations_response(context, request, account.id)


async def _relations_response(context: ApiContext, request: Request, player: int) -> ApiResponse:
    def work(db: Any) -> Relations:
        follows, blocks = (
            relations.related_players(db, player, relation) for relation in (Relation.FOLLOW, Relation.BLOCK)
        )
        return Relations(tuple(name for _, name in follows), tuple(name for _, name in blocks))

    return _uncached_response(await context.read(lambda: _read_records(context, work), client_address(request)))


async def challenge_player(context: ApiContext, query: PlayerQuery, request: Request) -> ApiResponse:
    """Challenge a player to a seat at a private table that the caller has opened. The player's clients are notified."""
    spend(context.changes, request, CHANGES_PER_SECOND)
    _, account = require(context, request)
    body = await decode_body(request, PlayerChallenge)

    def work(db: Any) -> relations.Challenge | None:
        other = profiles.find_player(db, query.player)[0]
        return relations.challenge(
            db, account.id, other, body.game, body.match, body.code, rated=body.rated, now=time.time()
        )

    sent = await context.accounts.records.write(work)
    if sent is not None:
        context.on_challenge(sent)
    return _uncached_response(ChallengeSent(query.player), 201)


async def my_challenges(context: ApiContext, query: NoQuery, request: Request) -> ApiResponse:
    """Return the open challenges to the caller."""
    _, account = require(context, request)
    challenges = await context.read(
        lambda: _read_records(context, lambda db: relations.challenges(db, account.id, time.time())),
        client_address(request),
    )
    return _uncached_response(Challenges(tuple(challenges)))


async def remove_challenge(context: ApiContext, query: ChallengeQuery, request: Request) -> ApiResponse:
    """Decline a challenge, or withdraw one that the caller has sent."""
    spend(context.changes, request, CHANGES_PER_SECOND)
    _, account = require(context, request)
    await context.accounts.records.write(lambda db: relations.withdraw(db, query.number, account.id))
    return await my_challenges(context, NoQuery(), request)


def _uncached_response(value: Any, status: int = 200) -> ApiResponse:
    """Return a response that no cache may store, because it is for this caller only; 201 adds the location."""
    headers = {"Cache-Control": "no-store", **({"Location": "/api/account/challenges"} if status == 201 else {})}
    return ApiResponse(msgspec.json.encode(value), status=status, headers=headers)
