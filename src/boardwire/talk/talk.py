"""One conversation: a script, the inputs it waits for, and the host that carries out what it asks.

A script is a coroutine that reads like the protocol's document::

    async def serve(talk: Talk[bytes | News | Woke | Gone]) -> None:
        talk.do(seek_a_table)
        while True:
            match await talk.hear():
                case bytes(line): ...
                case Step() as step: ...

Rules:

- There is no event loop.  The script runs only inside the call that brings it an input, and until it awaits again.
- Inputs are messages from the peer, news (anything the host tells), `Woke` (a timer of its own) and `Gone`; a talk is
  typed by the union of them.  News come before messages that are still waiting, so that a message is judged by the
  newest state.
- `hear` waits for any input, `news` for anything but a message: messages then wait, in order, until they are heard.
- A script that returns has hung up.  A script that raises has a fault: its host is told, and nobody else.
- Inputs that arrive while the script runs are queued, so a host may answer from inside `do`.

It knows nothing of sockets, tables or time: the host does.
"""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Callable, Coroutine, Generator
from inspect import CORO_RUNNING, getcoroutinestate
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

import msgspec


class Woke(msgspec.Struct, frozen=True):
    """The timer called `name` has run off."""

    name: str


class Gone(msgspec.Struct, frozen=True):
    """The peer is gone: nothing that is said from now on reaches anybody."""

    why: str = ""


class Host(Protocol):
    """Carries out what a script asks."""

    def write(self, data: bytes, /) -> None:
        """Send `data` to the peer."""

    def do(self, request: Any, /) -> None:
        """Carry out a request; its answer is news."""

    def wake(self, seconds: float, name: str, /) -> None:
        """Bring `Woke(name)` after so many seconds; a timer of the same name is set anew, 0 seconds stops it."""

    def hang_up(self) -> None:
        """Send what is still to be sent, then end the connection."""

    def fault(self, error: Exception, /) -> None:
        """The script failed; the conversation is over."""


Script: TypeAlias = "Callable[[Talk[Any]], Coroutine[Any, Any, None]]"

Heard = TypeVar("Heard")

_ANY: Final = "any input"
_NEWS: Final = "anything but a message"


class Talk(Generic[Heard]):
    """See the module.  The first group of methods is for the script, the second for the host."""

    __slots__ = ("_awaiting", "_coroutine", "_host", "_news", "do", "messages", "over", "say")

    def __init__(self, script: Script, host: Host) -> None:
        self._host = host
        self.messages: deque[Heard] = deque()
        """What the peer has said and the script has not heard yet."""
        self._news: deque[Heard] = deque()
        self._awaiting: str | None = None
        """What the script waits for; None while it runs, before and after."""
        self.over = False
        self.say: Callable[[bytes], None] = host.write  # the host's own, because they are called most
        """Send bytes to the peer."""
        self.do: Callable[[Any], None] = host.do
        """Ask the host for something; the answer comes as news."""
        self._coroutine = script(self)

    # --- for the script -------------------------------------------------------------------------------------------

    @types.coroutine
    def hear(self) -> Generator[str, Heard, Heard]:
        """The next input."""
        if self._news:
            return self._news.popleft()
        if self.messages:
            return self.messages.popleft()
        return (yield _ANY)

    @types.coroutine
    def news(self) -> Generator[str, Heard, Heard]:
        """The next input that is not a message."""
        if self._news:
            return self._news.popleft()
        return (yield _NEWS)

    def wake(self, seconds: float, name: str = "") -> None:
        """Hear `Woke(name)` after so many seconds (0: never mind)."""
        self._host.wake(seconds, name)

    # --- for the host ---------------------------------------------------------------------------------------------

    @property
    def waiting(self) -> int:
        """How many messages the script has not heard yet."""
        return len(self.messages)

    def start(self) -> None:
        """Run the script up to its first wait."""
        self._resume(None)

    def receive(self, message: Any) -> None:
        """Bring a message from the peer."""
        if self._awaiting is _ANY:
            self._resume(message)
        elif not self.over:
            self.messages.append(message)

    def tell(self, news: Any) -> None:
        """Bring news: anything but a message."""
        if self._awaiting is not None:
            self._resume(news)
        elif not self.over:
            self._news.append(news)

    def close(self) -> None:
        """End the script without a word."""
        if not self.over and getcoroutinestate(self._coroutine) != CORO_RUNNING:
            self._finish()
            self._coroutine.close()

    def _resume(self, value: Any) -> None:
        self._awaiting = None
        try:
            self._awaiting = self._coroutine.send(value)
        except StopIteration:
            self._finish()
            self._host.hang_up()
        except Exception as error:  # noqa: BLE001 - whatever a script does wrong is its own conversation's end
            self._finish()
            self._host.fault(error)

    def _finish(self) -> None:
        self.over = True
        self.say = _say_nothing
        self._awaiting = None
        self.messages.clear()
        self._news.clear()


def _say_nothing(data: bytes) -> None:
    """Nothing that is said after the end reaches anybody."""
