"""Request bodies: JSON, with limits on size and time."""

from __future__ import annotations

import asyncio
from typing import Final, TypeVar

import msgspec
from starlette.requests import Request

from boardwire.api.endpoint import JSON
from boardwire.api.problem import Problem

BODY_SECONDS: Final = 20.0
"""Time in which a request body must arrive."""
SMALL_BODY_BYTES: Final = 16 * 1024
"""Largest request body of a route without another limit."""

T = TypeVar("T")


async def read_body(request: Request, limit: int = SMALL_BODY_BYTES, noun: str = "body") -> bytes:
    """Return the body of a request; raise `Problem` if it is not JSON, too large or too slow."""
    media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media != JSON:
        raise Problem(415, f"the Content-Type of a {noun} must be {JSON}, not {media or 'missing'}")
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > limit:
                    raise Problem(413, f"a {noun} must have at most {limit} bytes")
    except TimeoutError:
        raise Problem(408, f"the {noun} was not received within {BODY_SECONDS:.0f} seconds") from None
    return bytes(body)


async def decode_body(request: Request, kind: type[T]) -> T:
    """Return the body of a request as a value of `kind`; raise `Problem` if it is invalid."""
    body = await read_body(request)
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(422, f"invalid body: {error}") from None
