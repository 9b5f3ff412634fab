"""Finished matches of a player, identified by token.

The token is the one from `welcome` in the native dialect, sent as `Authorization: Bearer TOKEN`. The journal stores
only its hash, so reading the journal gives no access. Without the token nothing is revealed, not even whether a player
exists. Matches at private tables are included.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

import msgspec
from msgspec import UNSET, UnsetType
from starlette.requests import Request

from boardwire.api.authentication import authenticate
from boardwire.api.context import ApiContext
from boardwire.api.endpoint import ApiResponse, client_address
from boardwire.api.matches import MatchInfo, Number, facts, find_matches
from boardwire.api.problem import Problem
from boardwire.dialects.dialect import Result
from boardwire.games.game import Outcome, Seat
from boardwire.table.events import Player, account_key
from boardwire.table.match import Status
from boardwire.table.summary import Summary
from boardwire.table.termination import is_aborted


class MyMatch(MatchInfo, frozen=True):
    """A match with the player's `seat` and `result`, and the time when it ended (`changed`)."""

    seat: Seat
    result: Result
    changed: float


class MyMatches(msgspec.Struct, frozen=True):
    """A page of the player's matches, like `Matches`."""

    matches: tuple[MyMatch, ...]
    next: int | None


class MineQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A filter of the player's matches, newest first, before the number `next` of an earlier response."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=200, description="maximum number of results")] = 50
    before: Annotated[Number, msgspec.Meta(description="the `next` of the previous page")] | UnsetType = UNSET
    game: Annotated[str, msgspec.Meta(max_length=64, description="only of this game")] | UnsetType = UNSET
    result: Result | UnsetType = UNSET
    opponent: Annotated[
        str, msgspec.Meta(max_length=64, description="only with this text in another player's name")
    ] = ""


async def my_matches(context: ApiContext, query: MineQuery, request: Request) -> ApiResponse:
    """Return the finished matches of the player whose token is sent as `Authorization: Bearer TOKEN`."""
    caller = authenticate(context, request)
    if not caller.key:
        raise Problem(401, "player token required: Authorization: Bearer TOKEN", {"WWW-Authenticate": "Bearer"})
    keys = tuple(context.accounts.directory.keys(caller.player)) if caller.player else (caller.key,)
    matches = await context.read(
        lambda: msgspec.json.encode(_matches_of(context, query, keys)), client_address(request), ("mine", query, keys)
    )
    return ApiResponse(matches, headers={"Cache-Control": "no-store"})


def _matches_of(context: ApiContext, query: MineQuery, keys: Sequence[str]) -> MyMatches:
    before = None if isinstance(query.before, UnsetType) else query.before
    newest = partial(newest_of, context, keys)
    rows, next_number = find_matches(
        context, newest, before, query.limit, lambda summary: _my_match(summary, query, keys)
    )
    return MyMatches(tuple(rows), next_number)


def newest_of(context: ApiContext, keys: Sequence[str], before: int | None, count: int) -> list[tuple[int, str]]:
    """Return the numbers and names of up to `count` matches of a player with several keys, newest first."""
    rows = {row for key in keys for row in context.journal.of_player(key, before, count)}
    return sorted(rows, reverse=True)[:count]


def _my_match(summary: Summary, query: MineQuery, keys: Sequence[str]) -> MyMatch | None:
    """Return the match for the player's list if it passes the filter."""
    seat = next((seat for seat, player in enumerate(summary.chairs) if player and _is_own(player, keys)), None)
    if seat is None or summary.status is not Status.OVER or summary.outcome is None or not summary.moves:
        return None
    if query.game not in (UNSET, summary.game):
        return None
    result = _result_for(summary.outcome, seat)
    others = [player.name for place, player in enumerate(summary.chairs) if player is not None and place != seat]
    if query.result not in (UNSET, result) or query.opponent.casefold() not in " ".join(others).casefold():
        return None
    return MyMatch(**facts(summary), seat=seat, result=result, changed=summary.changed)


def _is_own(player: Player, keys: Sequence[str]) -> bool:
    return player.key in keys or (bool(player.account) and account_key(player.account) in keys)


def _result_for(outcome: Outcome, seat: Seat) -> Result:
    if seat in outcome.winners:
        return Result.WON
    if outcome.winners:
        return Result.LOST
    return Result.BROKEN_OFF if is_aborted(outcome) else Result.DRAWN
