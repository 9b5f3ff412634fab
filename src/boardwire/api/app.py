"""The HTTP application: what it answers, and to which requests."""

from __future__ import annotations

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route


def application(ready: Callable[[], bool]) -> Starlette:
    """The application of a node; `ready` tells whether it takes players."""

    async def healthz(request: Request) -> Response:
        return PlainTextResponse("ok")

    async def readyz(request: Request) -> Response:
        return PlainTextResponse("ready") if ready() else PlainTextResponse("stopping", 503)

    return Starlette(routes=[Route("/healthz", healthz), Route("/readyz", readyz)])
