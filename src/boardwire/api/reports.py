"""Reports of players about other players or matches, for the moderators."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from starlette.requests import Request

from boardwire.api.authentication import CHALLENGE, authenticate, refuse_banned
from boardwire.api.body import decode_body
from boardwire.api.context import ApiContext
from boardwire.api.endpoint import ApiResponse, client_address
from boardwire.api.problem import Problem, over_rate
from boardwire.errors import Reason
from boardwire.games.game import Seat
from boardwire.moderation.acts import MAX_REPORT_LENGTH, Report, ReportKind
from boardwire.players.account import Scope
from boardwire.table.summary import Summary, summarize


class ReportRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A report about the player of a seat or, if `seat` is null, about the whole match."""

    match: Annotated[str, msgspec.Meta(max_length=64)]
    kind: ReportKind
    seat: Seat | None = None
    text: Annotated[str, msgspec.Meta(max_length=MAX_REPORT_LENGTH)] = ""


class Reported(msgspec.Struct, frozen=True):
    """The number of a stored report."""

    number: int


async def report(context: ApiContext, query: object, request: Request) -> ApiResponse:
    """Report a player or a match to the moderators; the token is the one from `welcome` or of an account."""
    caller = authenticate(context, request)
    if not caller.key:
        raise Problem(401, "player token required: Authorization: Bearer TOKEN", CHALLENGE, Reason.BAD_TOKEN)
    refuse_banned(context, caller)
    if caller.account is not None and Scope.PLAY not in caller.scopes:
        raise Problem(403, f"token with the scope {Scope.PLAY} required")
    address = client_address(request)
    if not context.reports.take(address):
        raise over_rate("reports", context.reports.limit, 60)
    body = await decode_body(request, ReportRequest)
    keys = (caller.key,) if caller.account is None else tuple(context.accounts.directory.keys(caller.player))
    summary = await context.read(lambda: _find_reported(context, body.match, keys), address)
    name = _reported_name(summary, body.seat)
    submitted = Report(
        number=0, at=0.0, kind=body.kind, match=body.match, seat=body.seat, name=name, text=body.text,
        reporter=caller.subject, address=address,
    )  # fmt: skip
    stored = await context.moderation.report(submitted)
    return ApiResponse(msgspec.json.encode(Reported(stored.number)), status=201, headers={"Cache-Control": "no-store"})


def _find_reported(context: ApiContext, match: str, keys: tuple[str, ...]) -> Summary:
    """Return the summary of a match that the reporter may see: a public one, or one in which it has a seat."""
    events: Any = context.journal.read(match)
    summary = summarize(events) if events else None
    if summary is not None and summary.private and not any(player and player.key in keys for player in summary.chairs):
        summary = None
    if summary is None:
        raise Problem(404, f"there is no match {match!r}", reason=Reason.NO_SUCH_MATCH)
    return summary


def _reported_name(summary: Summary, seat: Seat | None) -> str:
    """Return the name of the player at a seat, or '' without a seat; raise `Problem` if the seat is empty."""
    if seat is None:
        return ""
    if not 0 <= seat < len(summary.chairs) or (player := summary.chairs[seat]) is None:
        raise Problem(422, f"this match has no player at seat {seat}")
    return player.name
