"""Named timers of one conversation.

- Each name has one timer: setting it again restarts it, 0 seconds stops it.
- A timer that is due calls `fire` with its name, once. After `stop`, no timer fires and none can be set.
- Postponing a timer schedules no call: the pending call, which is then too early, schedules the remaining time. It is
  therefore cheap to restart a timeout with every message.

The caller provides the clock: `now` returns the time, `later` schedules a call.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol, TypeAlias


class Call(Protocol):
    """A scheduled call."""

    def cancel(self) -> object: ...


Later: TypeAlias = Callable[[float, Callable[[], None]], Call]
Now: TypeAlias = Callable[[], float]

CLOCK_TOLERANCE_SECONDS: Final = 0.002
"""A clock with a resolution of 1 ms may call too early by this time."""


class Timers:
    """Timers by name; `fire` is called with the name of a timer that is due."""

    __slots__ = ("_calls", "_due", "_fire", "_later", "_now")

    def __init__(self, now: Now, later: Later, fire: Callable[[str], None]) -> None:
        self._now = now
        self._later = later
        self._fire = fire
        self._calls: dict[str, Call] | None = {}
        """None after `stop`."""
        self._due: dict[str, float] = {}
        """When each timer is due, which may be after its scheduled call."""

    def set(self, seconds: float, name: str) -> None:
        """Start or restart a timer; 0 seconds stops it."""
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
            self._calls[name] = self._later(seconds, partial(self._on_call, name))

    def stop(self) -> None:
        """Stop all timers for good."""
        calls, self._calls = self._calls, None
        for call in (calls or {}).values():
            call.cancel()

    def _on_call(self, name: str) -> None:
        if self._calls is None:
            return
        remaining = self._due[name] - self._now()
        if remaining > CLOCK_TOLERANCE_SECONDS:
            self._calls[name] = self._later(remaining, partial(self._on_call, name))
        else:
            self._calls.pop(name, None)
            self._fire(name)
