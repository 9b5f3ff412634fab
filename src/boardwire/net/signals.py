"""Signals that ask a program to end, on every platform.

Windows has no `add_signal_handler`: there the handler of the `signal` module, which runs in the main thread, posts the
call to the loop. SIGBREAK (Ctrl-Break) exists only there.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from typing import Final

ENDING: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGBREAK") if hasattr(signal, name))
"""Signals that ask a program to end."""


def on_ending(loop: asyncio.AbstractEventLoop, call: Callable[[int], object]) -> None:
    """Call `call` with the number of each ending signal, on the loop."""
    for number in ENDING:
        try:
            loop.add_signal_handler(number, call, number)
        except NotImplementedError:
            signal.signal(number, lambda caught, frame: loop.call_soon_threadsafe(call, caught))
