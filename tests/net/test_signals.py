"""Ending signals, with and without a loop that handles them."""

from __future__ import annotations

import asyncio
import signal
from typing import Any

import pytest

from boardwire.net.signals import ENDING, on_ending


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("has_handlers", [True, False])
def test_the_call_gets_the_number_on_the_loop(number: int, has_handlers: bool) -> None:
    before = {one: signal.getsignal(one) for one in ENDING}

    async def caught() -> Any:
        loop = asyncio.get_running_loop()
        if not has_handlers:

            def missing(*arguments: object) -> None:
                raise NotImplementedError

            loop.__dict__["add_signal_handler"] = missing
        found: asyncio.Future[int] = loop.create_future()
        on_ending(loop, found.set_result)
        signal.raise_signal(number)
        return await asyncio.wait_for(found, 10)

    try:
        assert asyncio.run(caught()) == number
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
