"""The timers of one conversation, by name.

Rules:

- There is one timer of a name: setting it again lets its time begin anew, 0 seconds stops it.
- A timer that has run off rings its name, once.  Whoever has stopped them all hears of none any more, and sets none.

It knows no clock: `later` makes a call after so many seconds, and gives what cancels it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol, TypeAlias


class Call(Protocol):
    """A call that is to come."""

    def cancel(self) -> object: ...


Later: TypeAlias = Callable[[float, Callable[[], None]], Call]


class Timers:
    """See the module.  `ring` is called with the name of a timer that has run off."""

    __slots__ = ("_calls", "_later", "_ring")

    def __init__(self, later: Later, ring: Callable[[str], None]) -> None:
        self._later = later
        self._ring = ring
        self._calls: dict[str, Call] | None = {}
        """None: they are stopped for good."""

    def set(self, seconds: float, name: str) -> None:
        """Ring `name` after so many seconds; see `boardwire.talk.Host.wake`."""
        if self._calls is None:
            return
        if (old := self._calls.pop(name, None)) is not None:
            old.cancel()
        if seconds > 0:
            self._calls[name] = self._later(seconds, partial(self._run_off, name))

    def stop(self) -> None:
        """Ring no more."""
        calls, self._calls = self._calls, None
        for call in (calls or {}).values():
            call.cancel()

    def _run_off(self, name: str) -> None:
        if self._calls is not None:
            self._calls.pop(name, None)
            self._ring(name)
