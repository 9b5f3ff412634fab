"""Endpoints: a request that fails leaves nothing to the garbage collector."""

from __future__ import annotations

import asyncio
import gc
from typing import Any, cast

import pytest
from starlette.requests import Request

from boardwire.api.endpoint import unless_gone
from boardwire.api.problem import Problem


class ConnectedRequest:
    """A request whose client never disconnects."""

    async def receive(self) -> Any:
        await asyncio.Event().wait()


async def refuse() -> None:
    await asyncio.sleep(0)
    raise Problem(404, "no such match")


def test_refused_request_leaves_no_cycle() -> None:
    async def ask() -> None:
        with pytest.raises(Problem, match="no such match"):
            await unless_gone(cast("Request", ConnectedRequest()), refuse())
        await asyncio.sleep(0)  # the cancelled task ends

    async def ask_twice() -> int:
        await ask()  # the first one fills caches
        gc.collect()
        gc.disable()
        try:
            await ask()
            return gc.collect()
        finally:
            gc.enable()

    assert asyncio.run(ask_twice()) == 0
