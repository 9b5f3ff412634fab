"""One conversation: a script, its inputs, and the host that executes its requests.

A script is a coroutine that reads like the specification of the protocol::

    async def serve(talk: Talk[bytes | Notification | Woke | Gone]) -> None:
        talk.do(seek_a_table)
        while True:
            match await talk.next_input():
                case bytes(line): ...
                case Step() as step: ...

- There is no event loop. The script runs inside the call that delivers an input, until it awaits again.
- Inputs are messages from the peer, notifications of the host, `Woke` (a timer) and `Gone`; a talk is typed by their
  union.  Notifications come before queued messages, so that a message is handled in the latest state.
- `next_input` waits for any input, `notification` for any input but a message; messages then stay queued, in order.
- A script that returns hangs up.  A script that raises is reported to its host.
- Inputs that arrive while the script runs are queued, so a host may answer from inside `do`.

The kernel has no sockets, tables or clock; the host provides them.
"""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from inspect import CORO_RUNNING, getcoroutinestate
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

import msgspec


class Woke(msgspec.Struct, frozen=True):
    """The timer `name` has fired."""

    name: str


class Gone(msgspec.Struct, frozen=True):
    """The peer has disconnected; later output is discarded."""

    why: str = ""


class ScriptHost(Protocol):
    """Environment of a script: output, requests, timers."""

    def write(self, data: bytes, /) -> None:
        """Send `data` to the peer."""

    def do(self, request: Any, /) -> None:
        """Execute a request; the answer is a notification."""

    def wake(self, seconds: float, name: str, /) -> None:
        """Deliver `Woke(name)` after `seconds`. A timer of the same name restarts; 0 stops it."""

    def hang_up(self) -> None:
        """Send the remaining output, then close the connection."""

    def fault(self, error: Exception, /) -> None:
        """Handle an exception of the script, which ends the conversation."""


Script: TypeAlias = "Callable[[Talk[Any]], Coroutine[Any, Any, None]]"

InputT = TypeVar("InputT")

_ANY: Final = "any input"
_NO_MESSAGE: Final = "any input but a message"


class Talk(Generic[InputT]):
    """A running script with its queues.  The first group of methods is for the script, the second for the host."""

    __slots__ = ("_awaiting", "_coroutine", "_host", "_notifications", "do", "messages", "over", "say")

    def __init__(self, script: Script, host: ScriptHost) -> None:
        self._host = host
        self.messages: deque[InputT] = deque()
        """Messages from the peer that the script has not received yet."""
        self._notifications: deque[InputT] = deque()
        self._awaiting: str | None = None
        """The inputs that the script awaits; None before the start, while it runs, and after the end."""
        self.over = False
        self.say: Callable[[bytes], None] = host.write  # bound directly: a wrapper would cost a call per message
        """Send bytes to the peer."""
        self.do: Callable[[Any], None] = host.do
        """Send a request to the host; the answer is a notification."""
        self._coroutine = script(self)

    # --- for the script -------------------------------------------------------------------------------------------

    @types.coroutine
    def next_input(self) -> Generator[str, InputT, InputT]:
        """Return the next input."""
        if self._notifications:
            return self._notifications.popleft()
        if self.messages:
            return self.messages.popleft()
        return (yield _ANY)

    @types.coroutine
    def notification(self) -> Generator[str, InputT, InputT]:
        """Return the next input that is not a message."""
        if self._notifications:
            return self._notifications.popleft()
        return (yield _NO_MESSAGE)

    def wake(self, seconds: float, name: str = "") -> None:
        """Start or restart the timer `name`; 0 seconds stops it."""
        self._host.wake(seconds, name)

    # --- for the host ---------------------------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        """Number of queued messages."""
        return len(self.messages)

    def start(self) -> None:
        """Run the script until it first awaits an input."""
        self._resume(None)

    def receive(self, message: Any) -> None:
        """Deliver a message from the peer."""
        if self._awaiting is _ANY:
            self._resume(message)
        elif not self.over:
            self.messages.append(message)

    def tell(self, notification: Any) -> None:
        """Deliver an input that is not a message."""
        if self._awaiting is not None:
            self._resume(notification)
        elif not self.over:
            self._notifications.append(notification)

    def close(self) -> None:
        """End the script without output."""
        if not self.over and getcoroutinestate(self._coroutine) != CORO_RUNNING:
            self._finish()
            self._coroutine.close()

    def _resume(self, value: Any) -> None:
        """Run the script with an input until it awaits the next one or ends."""
        self._awaiting = None
        try:
            self._awaiting = self._coroutine.send(value)
        except StopIteration:
            self._finish()
            self._host.hang_up()
        except Exception as error:  # noqa: BLE001 - a fault in a script ends its conversation alone
            self._finish()
            self._host.fault(error)

    def _finish(self) -> None:
        self.over = True
        self.say = _discard
        self._awaiting = None
        self.messages.clear()
        self._notifications.clear()


def _discard(data: bytes) -> None:
    """Discard output after the end."""
