"""Analyses of finished matches.

- An analysis takes many searches, so it runs only once, at lower priority than moves, and is stored. Meanwhile,
  requests get its progress (202).
- The number of running analyses is limited, in total and per address, and so is the rate of requests per address.
- A failed analysis is not stored; the next request starts it again.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from starlette.requests import Request

from boardwire.api.context import ApiContext
from boardwire.api.endpoint import ApiResponse, client_address
from boardwire.api.matches import MatchQuery
from boardwire.api.problem import Problem, over_rate
from boardwire.api.reader_threads import with_checks
from boardwire.api.studies import Progress
from boardwire.bots.match_analysis import MatchTurn, turns_of
from boardwire.errors import BoardwireError, Reason
from boardwire.table.match import Match, Status


async def match_analysis(context: ApiContext, query: MatchQuery, request: Request) -> ApiResponse:
    """Return the analysis of each turn of a finished match; 202 while it is running."""
    studies = context.studies
    address = client_address(request)
    stored = await context.read(lambda: studies.analyses.get(query.id), address, ("study", query.id))
    if stored is not None:
        return ApiResponse(stored, headers={"Cache-Control": "no-cache"})
    if not studies.has_thinkers:
        raise Problem(503, "this server has no bot workers to analyse matches; use `boardwire analyse`")
    if studies.progress(query.id) is None:
        _check_room(context, address)
        match, turns = await context.read(lambda: _finished_turns(context, query.id), address, ("turns", query.id))
        if not studies.allowances.take(address):
            raise over_rate("analyses", studies.allowances.limit, 10)
        if studies.progress(query.id) is None:
            _check_room(context, address)
            studies.begin(match, turns, address)
    progress = studies.progress(query.id) or Progress(query.id, 0, 0)
    headers = {"Retry-After": "1", "Cache-Control": "no-store"}
    return ApiResponse(msgspec.json.encode(progress), status=202, headers=headers)


def _check_room(context: ApiContext, address: str) -> None:
    if refusal := context.studies.refusal(address):
        raise Problem(503, refusal, {"Retry-After": "5"})


def _finished_turns(context: ApiContext, name: str) -> tuple[Match, Sequence[MatchTurn]]:
    """Return a finished match and its turns; raise `Problem` for any other."""
    summary, events = context.reader.events(name)
    if summary.status is not Status.OVER:
        raise Problem(409, "the match is not over; analyse it after its end")
    try:
        match, turns = turns_of(with_checks(events))
    except BoardwireError as error:
        raise Problem(503, f"match {name!r} cannot be replayed: {error}", reason=Reason.UNREADABLE) from None
    if match is None or not turns:
        raise Problem(409, "this match has no moves to analyse")
    return match, turns
