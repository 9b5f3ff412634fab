"""The HTTP application: the API, the web page, and one format for all errors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from boardwire.api.context import ApiContext
from boardwire.api.endpoint import Endpoint, accepts_gzip, client_address, respond
from boardwire.api.guard import Guard
from boardwire.api.problem import Problem
from boardwire.api.routes import ROUTES
from boardwire.api.web_page import DIRECTORY, File, Page
from boardwire.net.origins import Site


def application(desk: ApiContext, page: Path = DIRECTORY, *, limited: bool = True, site: Site | None = None) -> ASGIApp:
    """Return the application of a node with the names `site`. Unless `limited`, there is no rate limit."""
    by_path = groupby(sorted(ROUTES, key=lambda one: one.path), key=lambda one: one.path)
    routes = [_route(desk, path, tuple(endpoints)) for path, endpoints in by_path]
    routes.append(_page(desk, Page(page)))
    return Guard(Router(routes, redirect_slashes=False, default=_nothing), desk.served, limited=limited, site=site)


def _route(desk: ApiContext, path: str, endpoints: Sequence[Endpoint]) -> Route:
    by_method = {endpoint.method: endpoint for endpoint in endpoints}
    if "GET" in by_method:
        by_method["HEAD"] = by_method["GET"]
    allowed = ", ".join(sorted({*by_method, "OPTIONS"}))

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        response = await _carry_out(desk, by_method, allowed, request)
        await response(scope, receive, send)

    return Route(path, _Served(serve))


class _Served:
    """An ASGI application as an object: Starlette wraps plain functions."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


async def _carry_out(desk: ApiContext, by_method: dict[str, Endpoint], allowed: str, request: Request) -> Response:
    if request.method == "OPTIONS":
        return Response(status_code=204, headers={"Allow": allowed})
    endpoint = by_method.get(request.method)
    if endpoint is None:
        raise _not_allowed(request, allowed)
    return await respond(desk, endpoint, request)


def _page(desk: ApiContext, page: Page) -> Route:
    allowed = "GET, HEAD, OPTIONS"

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        path = request.path_params["path"]
        file = page.kept(path) or await desk.read(lambda: page.find(path), client_address(request), ("page", path))
        if file is None:
            await _nothing(scope, receive, send)
        elif request.method == "OPTIONS":
            await Response(status_code=204, headers={"Allow": allowed})(scope, receive, send)
        elif request.method not in ("GET", "HEAD"):
            raise _not_allowed(request, allowed)
        else:
            await _send_file(file, request)(scope, receive, send)

    return Route("/{path:path}", _Served(serve))


def _send_file(file: File, request: Request) -> Response:
    headers = {"ETag": file.tag, "Cache-Control": file.cache, "Vary": "Accept-Encoding"}
    known = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if file.tag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    if file.packed and accepts_gzip(request):
        return Response(file.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=file.media)
    return Response(file.body, headers=headers, media_type=file.media)


def _not_allowed(request: Request, allowed: str) -> Problem:
    words = f"{request.url.path} does not support {request.method}; allowed: {allowed}"
    return Problem(405, words, {"Allow": allowed})


async def _nothing(scope: Scope, receive: Receive, send: Send) -> None:
    raise Problem(404, f"no resource at {scope['path']}; see /openapi.json")
