"""API endpoints: rows of the table from which the API is served and documented.

A handler is a function of the API context and a query, whose fields come from the path and the query string. It runs on
a reader thread, which also encodes the result, unless the endpoint uses the lobby (`on_loop`). A coroutine function
runs on the event loop and reads with `context.read`.
"""

from __future__ import annotations

import asyncio
import gzip
import inspect
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from boardwire.api.context import ApiContext
from boardwire.api.problem import MEDIA, Problem, over_rate
from boardwire.api.rate_limit import TokenBuckets
from boardwire.net.client_address import address_key

JSON: Final = "application/json"
TEXTS: Final = ("text/", "application/json", "application/problem+json", "application/javascript", "image/svg+xml")
MIN_COMPRESSED_BYTES: Final = 1024
"""Responses below this size are not compressed."""
MIN_THREAD_BYTES: Final = 8 * 1024
"""Responses of at least this size are compressed on a reader thread: 100 KB would block the event loop for 2 ms."""


T = TypeVar("T")


class NoQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A query without fields."""


class ApiResponse(msgspec.Struct, frozen=True):
    """A response that is not JSON with status 200."""

    body: bytes
    media: str = JSON
    status: int = 200
    headers: dict[str, str] = {}


class Endpoint(msgspec.Struct, frozen=True):
    """An endpoint. `answer` is the type of the response, `errors` are its error statuses."""

    path: str
    handler: Callable[..., Any]
    answer: Any
    query: type[msgspec.Struct] = NoQuery
    method: str = "GET"
    body: Any = None
    errors: tuple[int, ...] = ()
    statuses: tuple[int, ...] = (200,)
    medias: tuple[str, ...] = (JSON,)
    on_loop: bool = False
    tag: str = "server"
    bearer: bool = False
    """Whether a player token is required."""


_encode = msgspec.json.Encoder().encode


def read_query(request: Request, kind: type[msgspec.Struct]) -> Any:
    """Parse and validate the query of a request."""
    items = request.query_params.multi_items()
    parameters: dict[str, str] = dict(items)
    if len(parameters) < len(items):
        repeated = sorted(name for name, times in Counter(name for name, _ in items).items() if times > 1)
        raise Problem(422, f"the query has {', '.join(repeated)} more than once")
    clash = parameters.keys() & request.path_params.keys()
    if clash:
        raise Problem(422, f"{', '.join(sorted(clash))} is in the path already and must not be in the query")
    try:
        return msgspec.convert({**parameters, **request.path_params}, kind, strict=False)
    except msgspec.ValidationError as error:
        raise Problem(422, f"invalid query: {error}") from None


async def respond(context: ApiContext, endpoint: Endpoint, request: Request) -> Response:
    """Handle a request."""
    query = read_query(request, endpoint.query)
    if endpoint.on_loop:
        return finish(endpoint.handler(context, query), packs=False)  # compressing on the loop would delay moves
    if endpoint.method == "GET":
        return await unless_gone(request, _call_handler(context, endpoint, query, request))
    return await _call_handler(context, endpoint, query, request)


async def _call_handler(context: ApiContext, endpoint: Endpoint, query: Any, request: Request) -> Response:
    """Call a handler: a coroutine in the event loop, any other on a reader thread, merged with equal requests."""
    packs = accepts_gzip(request)
    if inspect.iscoroutinefunction(endpoint.handler):
        value = await endpoint.handler(context, query, request)
        if not isinstance(value, Response | ApiResponse):
            value = _json_response(value)
        if packs and isinstance(value, ApiResponse) and len(value.body) >= MIN_THREAD_BYTES:
            if endpoint.method != "GET":  # full reader threads would answer "try again" after the change was made
                return finish(value, packs=False)
            return await context.read(lambda: finish(value, packs), client_address(request))
        return finish(value, packs)
    key = endpoint.path, query, packs
    return await context.read(lambda: finish(endpoint.handler(context, query), packs), client_address(request), key)


async def unless_gone(request: Request, reading: Coroutine[Any, Any, T]) -> T:
    """Return the result of `reading`; if the client disconnects first, cancel it."""
    work = asyncio.create_task(reading)
    disconnection = asyncio.create_task(_await_disconnect(request))
    try:
        await asyncio.wait((work, disconnection), return_when=asyncio.FIRST_COMPLETED)
        if not work.done():
            raise Problem(503, "the connection was closed before the response was ready")
        return work.result()
    finally:
        work.cancel()
        disconnection.cancel()
        del work  # the traceback of its exception refers to this frame


async def _await_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def client_address(request: Request) -> str:
    """Return the key of the client's address that limits use."""
    return address_key(request.client.host) if request.client else ""


def spend(buckets: TokenBuckets, request: Request, per_second: float) -> None:
    """Take a token from the bucket of the sender's address; raise `Problem` if it is empty."""
    if not buckets.take(client_address(request)):
        raise over_rate("requests of this kind", buckets.limit, 1 / per_second)


def finish(value: Any, packs: bool) -> Response:
    """Return the response for a value, compressed if that helps and the client supports it."""
    if isinstance(value, Response):
        return value
    answer = value if isinstance(value, ApiResponse) else _json_response(value)
    body, headers = answer.body, dict(answer.headers)
    if answer.media.startswith(TEXTS):
        headers["Vary"] = "Accept-Encoding"
        if packs and len(body) >= MIN_COMPRESSED_BYTES:
            body = gzip.compress(body, 5, mtime=0)
            headers["Content-Encoding"] = "gzip"
    return Response(body, answer.status, headers, answer.media)


def _json_response(value: Any) -> ApiResponse:
    return ApiResponse(_encode(value), headers={"Cache-Control": "no-cache"})


def problem_response(problem: Problem, path: str) -> Response:
    """Return the response for an error."""
    headers = {"Cache-Control": "no-store", **problem.headers}
    return Response(_encode(problem.info(path)), problem.status, headers, MEDIA)


def accepts_gzip(request: Request) -> bool:
    """Return whether the client accepts gzip."""
    for part in request.headers.get("accept-encoding", "").lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() in ("gzip", "*"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
