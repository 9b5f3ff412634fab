"""Termination signals, on every platform.

The event loop of Windows has no `add_signal_handler`; there, a handler of the `signal` module, which runs in the main
thread, posts the call to the loop. SIGBREAK (Ctrl-Break) exists only there.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Final

ENDING: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGBREAK") if hasattr(signal, name))
"""Signals that terminate a program."""


def on_ending(loop: asyncio.AbstractEventLoop, call: Callable[[int], object]) -> None:
    """On a termination signal, call `call` with its number, on the loop."""
    for number in ENDING:
        try:
            loop.add_signal_handler(number, call, number)
        except NotImplementedError:
            signal.signal(number, lambda caught, frame: loop.call_soon_threadsafe(call, caught))
