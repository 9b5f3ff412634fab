"""The timers of one conversation, by name.

Rules:

- There is one timer of a name: setting it again lets its time begin anew, 0 seconds stops it.
- A timer that has run off rings its name, once.  Whoever has stopped them all hears of none any more, and sets none.
- A timer that is put off costs no call: the one under way finds, when it comes, that it is too early, and another one
  is made for the rest.  So a silence may begin anew with every message.

It knows no clock: `now` gives the time, `later` makes a call after so many seconds, and gives what cancels it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol, TypeAlias


class Call(Protocol):
    """A call that is to come."""

    def cancel(self) -> object: ...


Later: TypeAlias = Callable[[float, Callable[[], None]], Call]
Now: TypeAlias = Callable[[], float]

GRAIN: Final = 0.002
"""A clock that counts in thousandths of a second may call so much too early."""


class Timers:
    """See the module.  `ring` is called with the name of a timer that has run off."""

    __slots__ = ("_calls", "_due", "_later", "_now", "_ring")

    def __init__(self, now: Now, later: Later, ring: Callable[[str], None]) -> None:
        self._now = now
        self._later = later
        self._ring = ring
        self._calls: dict[str, Call] | None = {}
        """None: they are stopped for good."""
        self._due: dict[str, float] = {}
        """When each of them rings, which may be after its call."""

    def set(self, seconds: float, name: str) -> None:
        """Ring `name` after so many seconds; see `boardwire.talk.Host.wake`."""
        if self._calls is None:
            return
        due = self._now() + seconds
        if name in self._calls:
            if seconds > 0 and due >= self._due[name]:
                self._due[name] = due
                return
            self._calls.pop(name).cancel()
        if seconds > 0:
            self._due[name] = due
            self._calls[name] = self._later(seconds, partial(self._run_off, name))

    def stop(self) -> None:
        """Ring no more."""
        calls, self._calls = self._calls, None
        for call in (calls or {}).values():
            call.cancel()

    def _run_off(self, name: str) -> None:
        if self._calls is None:
            return
        left = self._due[name] - self._now()
        if left > GRAIN:
            self._calls[name] = self._later(left, partial(self._run_off, name))
        else:
            self._calls.pop(name, None)
            self._ring(name)
