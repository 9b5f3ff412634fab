"""The HTTP application: the API, the web page, and one format for all errors."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from boardwire import games
from boardwire.api.context import ApiContext
from boardwire.api.endpoint import Endpoint, accepts_gzip, client_address, respond
from boardwire.api.guard import EMBED_POLICY, Guard
from boardwire.api.problem import Problem
from boardwire.api.routes import ROUTES
from boardwire.api.web_page import DIRECTORY, DOCS_DIRECTORY, DOCS_NOT_BUILT, INDEX, File, Page
from boardwire.net.origins import Site

EMBED: Final = "embed.html"


def application(
    context: ApiContext,
    page: Path = DIRECTORY,
    docs: Path = DOCS_DIRECTORY,
    *,
    limited: bool = True,
    site: Site | None = None,
    endpoints: Sequence[Endpoint] = ROUTES,
    index: str = INDEX,
) -> ASGIApp:
    """Return the HTTP application of a node.

    `page` and `docs` are the directories of the web page and the documentation, `index` is the file that `/` shows,
    and `site` has the names of the server. Unless `limited`, there is no rate limit.
    """
    by_path = groupby(sorted(endpoints, key=attrgetter("path")), key=attrgetter("path"))
    routes = [_endpoint_route(context, path, tuple(methods)) for path, methods in by_path]
    routes.append(Route("/docs", _AsgiApp(RedirectResponse("/docs/"))))  # the site has relative links
    routes.append(Route("/analysis", _AsgiApp(RedirectResponse("./#/analysis"))))  # the page routes by what follows `#`
    routes += [Route(f"/analysis/{name}", _AsgiApp(RedirectResponse(f"../#/analysis/{name}"))) for name in games.NAMES]
    routes.append(_file_route(context, Page(docs, DOCS_NOT_BUILT), "/docs"))
    files = Page(page, index=index)
    routes.append(Route("/rules/{place:path}", _AsgiApp(_redirect_to_rules)))
    routes.append(_embed_route(context, files))
    routes.append(_file_route(context, files, ""))
    return Guard(Router(routes, redirect_slashes=False, default=_not_found), context.served, limited=limited, site=site)


def _endpoint_route(context: ApiContext, path: str, endpoints: Sequence[Endpoint]) -> Route:
    """Return the route of the endpoints of one path; HEAD is answered like GET."""
    by_method = {endpoint.method: endpoint for endpoint in endpoints}
    if "GET" in by_method:
        by_method["HEAD"] = by_method["GET"]
    allowed = ", ".join(sorted({*by_method, "OPTIONS"}))

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        response = await _handle_request(context, by_method, allowed, request)
        await response(scope, receive, send)

    return Route(path, _AsgiApp(serve))


class _AsgiApp:
    """An ASGI application as an object: Starlette would call a plain function as a request handler."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


async def _handle_request(
    context: ApiContext, by_method: dict[str, Endpoint], allowed: str, request: Request
) -> Response:
    if request.method == "OPTIONS":
        return Response(status_code=204, headers={"Allow": allowed})
    endpoint = by_method.get(request.method)
    if endpoint is None:
        raise _not_allowed(request, allowed)
    return await respond(context, endpoint, request)


def _file_route(context: ApiContext, page: Page, prefix: str) -> Route:
    """Return the route to static files, whose paths begin with `prefix`."""
    allowed = "GET, HEAD, OPTIONS"

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        path = request.path_params["path"]
        file = page.cached(path) or await context.read(
            lambda: page.find(path), client_address(request), ("file", prefix, path)
        )
        if file is None:
            await _not_found(scope, receive, send)
        elif request.method == "OPTIONS":
            await Response(status_code=204, headers={"Allow": allowed})(scope, receive, send)
        elif request.method not in ("GET", "HEAD"):
            raise _not_allowed(request, allowed)
        else:
            await _send_file(file, request)(scope, receive, send)

    return Route(f"{prefix}/{{path:path}}", _AsgiApp(serve))


def _embed_route(context: ApiContext, page: Page) -> Route:
    """Return the route to the replay that other sites may frame.

    It is the same file for every match: the script in it reads the match from its address.
    """

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        if request.method not in ("GET", "HEAD"):
            raise _not_allowed(request, "GET, HEAD")
        file = page.cached(EMBED) or await context.read(
            lambda: page.find(EMBED), client_address(request), ("file", "", EMBED)
        )
        if file is None:
            raise Problem(404, "the page has not been built; run `make web`")
        response = _send_file(file, request)
        response.headers["Content-Security-Policy"] = EMBED_POLICY
        await response(scope, receive, send)

    return Route("/embed/{match}", _AsgiApp(serve))


async def _redirect_to_rules(scope: Scope, receive: Receive, send: Send) -> None:
    """Redirect to the rules on the page, which routes by what follows `#`."""
    request = Request(scope, receive)
    if request.method not in ("GET", "HEAD"):
        raise _not_allowed(request, "GET, HEAD")
    place = "/".join(quote(part, safe="") for part in request.path_params["place"].split("/")[:2])
    await RedirectResponse(f"/#/rules/{place}", 302)(scope, receive, send)


def _send_file(file: File, request: Request) -> Response:
    """Return a file, compressed if the client accepts it, or 304 if the client has it."""
    headers = {"ETag": file.tag, "Cache-Control": file.cache, "Vary": "Accept-Encoding"}
    tags = [tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")]
    if file.tag in tags or "*" in tags:
        return Response(status_code=304, headers=headers)
    if file.packed and accepts_gzip(request):
        return Response(file.packed, headers={**headers, "Content-Encoding": "gzip"}, media_type=file.media)
    return Response(file.body, headers=headers, media_type=file.media)


def _not_allowed(request: Request, allowed: str) -> Problem:
    detail = f"{request.url.path} does not support {request.method}; allowed: {allowed}"
    return Problem(405, detail, {"Allow": allowed})


async def _not_found(scope: Scope, receive: Receive, send: Send) -> None:
    raise Problem(404, f"no resource at {scope['path']}; see /openapi.json")
