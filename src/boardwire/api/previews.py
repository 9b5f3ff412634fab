"""Link previews of matches: a document with Open Graph tags that redirects to the page, and its picture.

- `/match/ID` shows only data that anyone may read at `/api/matches/ID`. The response is the same for a match in play at
  a private table and for one that does not exist, without names and picture.
- The picture is drawn on a reader thread, within the share of its address, once for each position.
- The page has its route after `#`, which browsers do not send to the server, so a preview needs a separate address.
"""

from __future__ import annotations

import re
from html import escape
from typing import Annotated, Any, Final
from urllib.parse import quote

import msgspec
from msgspec import UNSET, UnsetType
from starlette.requests import Request

from boardwire.api.board_picture import HEIGHT, WIDTH, board_picture
from boardwire.api.context import ApiContext
from boardwire.api.endpoint import ApiResponse, Endpoint, client_address
from boardwire.api.matches import MatchQuery, Number
from boardwire.api.problem import Problem
from boardwire.table.match import Status
from boardwire.table.summary import Summary

HTML: Final = "text/html; charset=utf-8"
PNG: Final = "image/png"
FINISHED_PICTURE_SECONDS: Final = 86_400
"""Time for which HTTP caches may keep the picture of a finished match."""
RUNNING_PICTURE_SECONDS: Final = 30
"""Time for which HTTP caches may keep the picture of a match in play."""

TITLES: Final = {"santorini": "Santorini", "eriantys": "Eriantys", "forza": "Forza Quattro", "tris": "Tris"}
_HOST: Final = re.compile(r"[0-9A-Za-z.:\[\]-]{1,255}")


class PreviewQuery(MatchQuery, frozen=True, forbid_unknown_fields=True):
    """A position of a match: after event number `at`; without it, the last one."""

    at: Annotated[Number, msgspec.Meta(description="number of an event")] | UnsetType = UNSET


async def match_page(context: ApiContext, query: PreviewQuery, request: Request) -> ApiResponse:
    """Return a document that redirects to the match on the page, with Open Graph tags for link previews."""

    def read() -> Summary | None:
        try:
            return context.reader.digest(query.id).summary
        except Problem as problem:
            if problem.status != 404:
                raise
            return None

    summary = await context.read(read, client_address(request), ("preview", query.id))
    body = _preview_document(query, summary, _server_origin(request)).encode()
    return ApiResponse(body, HTML, headers={"Cache-Control": "no-cache", "Vary": "Host"})


def match_picture(context: ApiContext, query: PreviewQuery) -> ApiResponse:
    """Return the position as spectators see it, as a picture of 1200 by 630 pixels."""
    summary = context.reader.digest(query.id).summary
    all_steps = context.reader.steps(query.id)
    place = max(1, len(all_steps) if isinstance(query.at, UnsetType) else all_steps.count_to(query.at))
    last = all_steps.number(place - 1) if len(all_steps) else 0
    body = context.pictures.get((query.id, last))
    if body is None:
        steps = all_steps.part(place - 1, 1, 0)
        view: dict[str, Any] | None = msgspec.json.decode(steps[0])["state"].get("view") if steps else None
        body = board_picture(summary.game, view)
        context.pictures.put((query.id, last), body, len(body))
    seconds = FINISHED_PICTURE_SECONDS if summary.status is Status.OVER else RUNNING_PICTURE_SECONDS
    headers = {"Cache-Control": f"public, max-age={seconds}", "Cross-Origin-Resource-Policy": "cross-origin"}
    return ApiResponse(body, PNG, headers=headers)


def _server_origin(request: Request) -> str:
    """Return the origin by which the client reached this server, or '' if its Host header is not a plain name."""
    host = request.headers.get("host", "")
    if _HOST.fullmatch(host) is None:
        return ""
    secure = request.headers.get("x-forwarded-proto", "").lower() == "https"
    return f"{'https' if secure else 'http'}://{host}"


def _preview_document(query: PreviewQuery, summary: Summary | None, origin: str) -> str:
    """Return the HTML document with the tags that link previews read; browsers are redirected to the page."""
    at = "" if isinstance(query.at, UnsetType) else str(query.at)
    over = summary is not None and summary.status is Status.OVER
    target = f"/#/{'replay' if over else 'table'}/{quote(query.id)}{f'/{at}' if over and at else ''}"
    title, description = (
        ("boardwire", "Play board games in the browser.") if summary is None else _title_and_description(summary)
    )
    tags = {"og:site_name": "boardwire", "og:type": "website", "og:title": title, "og:description": description}
    if summary is not None and origin:
        tags["og:url"] = f"{origin}/match/{quote(query.id)}{f'?at={at}' if at else ''}"
        tags["og:image"] = f"{origin}/match/{quote(query.id)}/picture.png{f'?at={at}' if at else ''}"
        tags |= {"og:image:width": str(WIDTH), "og:image:height": str(HEIGHT), "og:image:alt": title}
    elements = "\n".join(f'<meta property="{name}" content="{escape(value)}">' for name, value in tags.items())
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<title>{escape(title)}</title>\n<link rel="icon" type="image/svg+xml" href="/icon.svg">\n{elements}\n'
        f'<meta name="description" content="{escape(description)}">\n'
        '<meta name="twitter:card" content="summary_large_image">\n'
        f'<meta http-equiv="refresh" content="0; url={target}">\n'
        f'<p><a href="{target}">{escape(title)}</a></p>\n</html>\n'
    )


def _title_and_description(summary: Summary) -> tuple[str, str]:
    """Return the title and the description of a match."""
    names = [_plain_name(player.name) if player is not None else "" for player in summary.chairs]
    labels = [name or f"Player {seat}" for seat, name in enumerate(names, 1)]
    title = f"{TITLES.get(summary.game, summary.game)}: {' – '.join(labels)}"
    turns = f"{summary.turns} turn{'' if summary.turns == 1 else 's'}"
    if summary.status is not Status.OVER:
        return title, "Waiting for players." if summary.status is Status.WAITING else f"Being played: {turns}."
    winners = [] if summary.outcome is None else [labels[seat] for seat in summary.outcome.winners]
    return title, f"{' and '.join(winners)} won after {turns}." if winners else f"No winner after {turns}."


def _plain_name(name: str) -> str:
    """Return a name without control and direction characters."""
    return "".join(character for character in name if character.isprintable())


ROUTES: Final = (
    Endpoint("/match/{id}", match_page, None, PreviewQuery, errors=(422, 503), medias=("text/html",), tag="matches"),
    Endpoint(
        "/match/{id}/picture.png", match_picture, bytes, PreviewQuery, errors=(404, 422, 503), medias=(PNG,),
        tag="matches",
    ),
)  # fmt: skip
