"""What an engine thinks of matches that are over.

Rules:

- A study costs many thoughts, so it is made once, behind everybody's moves, and kept; whoever asks meanwhile is told
  how far it is (202).
- Only so many are made at once, few of them for one address, and an address can ask for so many.
- One that cannot be made to its end is forgotten; whoever asks again begins it again.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from starlette.requests import Request

from boardwire.api.context import Desk
from boardwire.api.endpoint import Answer, client_address
from boardwire.api.matches import MatchQuery
from boardwire.api.problem import Problem
from boardwire.api.reader_threads import checked
from boardwire.api.studies import STUDIES_AT_ONCE, STUDIES_PER_SECOND, Progress
from boardwire.bots.match_analysis import Turn, turns_of
from boardwire.errors import BoardwireError, Reason
from boardwire.table.match import Match, Status


async def match_analysis(desk: Desk, query: MatchQuery, request: Request) -> Answer:
    """What an engine thinks of each turn of a match that is over; 202 while it is still thinking."""
    studies = desk.studies
    address = client_address(request)
    kept = await desk.read(lambda: studies.shelf.get(query.id), address, ("study", query.id))
    if kept is not None:
        return Answer(kept, headers={"Cache-Control": "no-cache"})
    if not studies.has_thinkers:
        raise Problem(503, "this server analyses no matches: it has nobody who thinks; `boardwire analyse` does")
    if studies.progress(query.id) is None:
        _check_room(desk, address)
        match, turns = await desk.read(lambda: _turns(desk, query.id), address, ("turns", query.id))
        if not studies.allowances.take(address):
            often = f"{STUDIES_AT_ONCE} analyses at once, then one every {1 / STUDIES_PER_SECOND:g} seconds"
            raise Problem(429, f"an address may ask for {often}", {"Retry-After": "10"})
        if studies.progress(query.id) is None:
            _check_room(desk, address)
            studies.begin(match, turns, address)
    progress = studies.progress(query.id) or Progress(query.id, 0, 0)
    headers = {"Retry-After": "1", "Cache-Control": "no-store"}
    return Answer(msgspec.json.encode(progress), status=202, headers=headers)


def _check_room(desk: Desk, address: str) -> None:
    if why := desk.studies.why_not(address):
        raise Problem(503, why, {"Retry-After": "5"})


def _turns(desk: Desk, name: str) -> tuple[Match, Sequence[Turn]]:
    summary, events = desk.reader.events(name)
    if summary.status is not Status.OVER:
        raise Problem(409, "the match is not over; it can be analysed then")
    try:
        match, turns = turns_of(checked(events))
    except BoardwireError as error:
        raise Problem(503, f"match {name!r} cannot be replayed: {error}", reason=Reason.UNREADABLE) from None
    if match is None or not turns:
        raise Problem(409, "nobody has moved in this match; there is nothing to analyse")
    return match, turns
