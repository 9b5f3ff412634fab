"""Matches: the list, and one match with its events and steps.

Matches at private tables are not listed, and can be read only when they are over.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Final, TypeAlias, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from boardwire.api.context import ApiContext
from boardwire.api.replay import open_options
from boardwire.dialects.native import messages as wire
from boardwire.games.game import Outcome
from boardwire.table.match import Status
from boardwire.table.ports import MatchFilter
from boardwire.table.summary import IMPORTED, Summary

EXAMINED_LIMIT: Final = 500
"""Matches that one request examines; `next` continues from there."""
MATCHES_PER_READ: Final = 50
PART_BYTES: Final = 512 * 1024
"""Size at which a part of a match ends, even if more steps were requested."""

Id: TypeAlias = Annotated[str, msgspec.Meta(pattern="^[0-9A-Za-z_-]{1,64}$", description="the name of a match")]
Number: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""Number of an event or a match, within the integer range of every JSON parser."""


Found = TypeVar("Found")
Newest: TypeAlias = Callable[[int | None, int], list[tuple[int, str]]]
"""Returns up to `count` matches with their numbers, newest first, older than a number."""


class MatchInfo(msgspec.Struct, frozen=True):
    """A match. `players`, `dialects` and `bots` are by seat, '' if the seat is empty or has no bot. `moves` counts the
    players' actions that were not undone; in `turns`, consecutive actions of a seat count once. `at` is the time when
    it was opened, in seconds since the epoch. `imported` matches were played elsewhere."""

    id: str
    game: str
    rules: int
    dialects: tuple[str, ...]
    players: tuple[str, ...]
    bots: tuple[str, ...]
    status: Status
    outcome: Outcome | None
    moves: int
    at: float
    imported: bool
    turns: int


class MatchDetail(MatchInfo, frozen=True):
    """A match with more details: the game's options (without a starting position until it is over), the number of
    events, and the time of the last one."""

    options: dict[str, Any]
    seq: int
    changed: float


class MatchesQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A filter of matches, newest first, before the number `next` of an earlier response."""

    limit: Annotated[int, msgspec.Meta(ge=1, le=200, description="maximum number of results")] = 50
    before: Annotated[Number, msgspec.Meta(description="the `next` of the previous page")] | UnsetType = UNSET
    game: Annotated[str, msgspec.Meta(max_length=64, description="only of this game")] | UnsetType = UNSET
    status: Status | UnsetType = UNSET
    player: Annotated[str, msgspec.Meta(max_length=64, description="only with a player of this name")] | UnsetType = (
        UNSET
    )
    people: (
        Annotated[bool, msgspec.Meta(description="true: only between people; false: only against bots")] | UnsetType
    ) = UNSET


class Matches(msgspec.Struct, frozen=True):
    """A page of matches; `next` continues with older ones, None is the end. A page of a search may be short or empty
    and still have a next one."""

    matches: tuple[MatchInfo, ...]
    next: int | None


class MatchQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The match."""

    id: Id


class PartQuery(MatchQuery, frozen=True, forbid_unknown_fields=True):
    """A part of a match: after event number `after`."""

    after: Number = 0
    limit: Annotated[int, msgspec.Meta(ge=1, le=1000, description="maximum number of results")] = 200


class Events(msgspec.Struct, frozen=True):
    """A part of a match's events, as `boardwire replay --json` prints them; `next` continues, None is the end."""

    events: tuple[dict[str, Any], ...]
    next: int | None


class EncodedEvents(msgspec.Struct, frozen=True):
    """`Events` with encoded events."""

    events: tuple[msgspec.Raw, ...]
    next: int | None


class Steps(msgspec.Struct, frozen=True):
    """A part of a match as `step` messages of the native dialect for a spectator; `next` continues, None is the end.
    The first step is the state at the start."""

    steps: tuple[wire.Step, ...]
    next: int | None


class EncodedSteps(msgspec.Struct, frozen=True):
    """`Steps` with encoded steps."""

    steps: tuple[msgspec.Raw, ...]
    next: int | None


def info(summary: Summary) -> MatchInfo:
    """Return a match for a list."""
    return MatchInfo(**facts(summary))


def facts(summary: Summary) -> dict[str, Any]:
    """Return the fields of `MatchInfo`."""
    return {
        "id": summary.id,
        "game": summary.game,
        "rules": summary.rules,
        "dialects": tuple(player.dialect if player else "" for player in summary.chairs),
        "players": tuple(player.name if player else "" for player in summary.chairs),
        "bots": tuple(player.bot if player else "" for player in summary.chairs),
        "status": summary.status,
        "outcome": summary.outcome,
        "moves": summary.moves,
        "at": summary.at,
        "imported": summary.dialect == IMPORTED,
        "turns": summary.turns,
    }


def list_matches(context: ApiContext, query: MatchesQuery) -> Matches:
    """Return the matches of public tables, newest first."""
    before = None if isinstance(query.before, UnsetType) else query.before
    newest = partial(context.journal.list_public, _journal_filter(query))
    rows, next_number = find_matches(
        context, newest, before, query.limit, lambda summary: info(summary) if _matches_query(summary, query) else None
    )
    return Matches(tuple(rows), next_number)


def _journal_filter(query: MatchesQuery) -> MatchFilter:
    """Return the part of the query that the journal filters; the rest is filtered match by match."""
    over = None if query.status is UNSET else query.status is Status.OVER
    return MatchFilter("" if query.game is UNSET else query.game, "" if query.player is UNSET else query.player, over)


def find_matches(
    context: ApiContext, newest: Newest, before: int | None, limit: int, convert: Callable[[Summary], Found | None]
) -> tuple[list[Found], int | None]:
    """Return up to `limit` results of `convert` for the newest matches before a number, without None, and the number
    from which to continue (None: the end)."""
    matches: list[Found] = []
    examined = 0
    while len(matches) < limit and examined < EXAMINED_LIMIT:
        rows = newest(before, min(MATCHES_PER_READ, limit - len(matches)))
        if not rows:
            return matches, None
        examined += len(rows)
        before = rows[-1][0]
        summaries = context.reader.summaries(name for _, name in rows)
        matches += [row for summary in summaries if (row := convert(summary)) is not None]
    has_older = before is not None and newest(before, 1)
    return matches, before if has_older else None


def _matches_query(summary: Summary, query: MatchesQuery) -> bool:
    return (
        not summary.private
        and query.game in (UNSET, summary.game)
        and query.status in (UNSET, summary.status)
        and query.people in (UNSET, sum(player is not None and not player.bot for player in summary.chairs) > 1)
        and (query.player is UNSET or any(player and player.name == query.player for player in summary.chairs))
    )


def one_match(context: ApiContext, query: MatchQuery) -> MatchDetail:
    """Return a match."""
    digest = context.reader.digest(query.id)
    summary, options = digest.summary, msgspec.to_builtins(digest.options)
    return MatchDetail(
        **facts(summary),
        options=options if summary.status is Status.OVER else open_options(options),
        seq=summary.seq,
        changed=summary.changed,
    )


def match_events(context: ApiContext, query: PartQuery) -> EncodedEvents:
    """Return the events of a match. An action that spectators may not see yet is replaced by the mark `hidden`."""
    event_log, over = context.reader.event_log(query.id)
    part = event_log.part(query.after, query.limit, over=over)
    last = query.after + len(part)
    return EncodedEvents(tuple(part), last if last < len(event_log.events) else None)


def match_steps(context: ApiContext, query: PartQuery) -> EncodedSteps:
    """Return the match step by step, as a spectator saw it."""
    steps = context.reader.steps(query.id)
    start = steps.count_to(query.after)
    part = steps.part(start, query.limit, PART_BYTES)
    end = start + len(part)
    return EncodedSteps(tuple(map(msgspec.Raw, part)), steps.number(end - 1) if end < len(steps) else None)
