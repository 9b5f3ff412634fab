"""Native requests as calls, for client scripts: bots, terminals, tests.

    async def script(talk: Talk[Any]) -> None:
        caller = Caller(talk)
        await caller.hello("ann")
        seated = await caller.open("tris", bots=("", "random"))
        caller.act(seated.state.seq, 4)
        reply = await caller.hear()

Rules:

- Requests with their own reply (`hello`, `tables`, `open`, `find`, `pair`, `join`, `watch`, `resume`, `leave`, `sync`,
  `why`, `ping`, `hint`) are awaited and return it, or raise `Refused`.  Other messages that arrive first are kept for
  `hear`.
- Requests that the table answers with a step or a refusal (`act`, `chat`, `undo`, ...) are only sent; the answer comes
  from `hear`.
- States always have the whole view, even if the server sent only the changes.
- Pings are answered, and replies of unknown type are skipped.  `ConnectionLost` is raised when the connection is over.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from boardwire.dialects.native import messages as say
from boardwire.dialects.native.fold import fold
from boardwire.errors import Malformed, Objection, Reason, Refused
from boardwire.games.game import Seat
from boardwire.talk import Gone, Talk
from boardwire.wire import websocket

_REASONS: Final = {reason.value: reason for reason in Reason}
"""Reasons by code; a newer server may have more."""

R = TypeVar("R", bound=say.Reply)


class ConnectionLost(Exception):
    """The connection is over; the message says why."""


class Caller:
    """Client side of a native connection."""

    def __init__(self, talk: Talk[Any], masks: websocket.Masks = websocket.zero_mask) -> None:
        self._talk = talk
        self._masks = masks
        self._view: Any = None
        """Last view received; the next step may hold only the changes."""
        self._unheard: deque[Any] = deque()
        """Messages that arrived while a reply was awaited."""

    # --- requests with their own reply ------------------------------------------------------------------------------

    async def hello(self, name: str = "", token: str = "") -> say.Welcome:
        """Introduce the player."""
        return await self._ask(say.Hello(name=name, token=token), say.Welcome)

    async def tables(self, game: str = "") -> tuple[say.TableInfo, ...]:
        """Return the public tables."""
        return (await self._ask(say.List(game=game), say.Tables)).tables

    async def open(self, game: str, **settings: Any) -> say.Seated:
        """Open a table; `settings` are the other fields of `messages.Open`."""
        return await self._ask(say.Open(game=game, **settings), say.Seated)

    async def find(self, game: str, seats: int = 2, options: Any = None) -> say.Seated:
        """Take a seat at any waiting table, or open one."""
        return await self._ask(say.Find(game=game, seats=seats, options=options), say.Seated)

    async def pair(self, game: str, **settings: Any) -> say.Seated:
        """Take a seat at a waiting table with these options and this clock, or open one.

        `settings` are the other fields of `messages.Pair`.
        """
        return await self._ask(say.Pair(game=game, **settings), say.Seated)

    async def join(self, match: str, code: str = "", seat: Seat | None = None) -> say.Seated:
        """Take a seat at this table."""
        return await self._ask(say.Join(match=match, code=code, seat=seat), say.Seated)

    async def watch(self, match: str, code: str = "") -> say.Watching:
        """Watch a match."""
        return await self._ask(say.Watch(match=match, code=code), say.Watching)

    async def resume(self, match: str, seat: Seat) -> say.Seated:
        """Return to a held seat."""
        return await self._ask(say.Resume(match=match, seat=seat), say.Seated)

    async def sit_down(self, request: say.Request) -> say.Seated:
        """Make a request that leads to a seat."""
        return await self._ask(request, say.Seated)

    async def leave(self) -> say.Gone:
        """Leave the table."""
        return await self._ask(say.Leave(), say.Gone)

    async def ping(self) -> say.Pong:
        """Check the connection."""
        return await self._ask(say.Ping(), say.Pong)

    async def why(self, action: Any) -> Objection | None:
        """Return the rule that forbids an action now, or None if it is legal."""
        return (await self._ask(say.Why(action=action), say.Because)).objection

    async def sync(self) -> say.MatchState:
        """Return the state of the match."""
        return (await self._ask(say.Sync(), say.State)).state

    async def hint(self) -> say.Advice:
        """Return an engine's advice, at a practice table."""
        return await self._ask(say.Hint(), say.Advice)

    # --- requests that the table answers ----------------------------------------------------------------------------

    def act(self, seq: int, action: Any) -> None:
        """Choose an action, based on the state at `seq`."""
        self.send(say.Act(seq=seq, action=action))

    def chat(self, text: str) -> None:
        """Send a chat line to the table."""
        self.send(say.Say(text=text))

    def undo(self) -> None:
        """Offer to undo the last action."""
        self.send(say.Undo())

    def agree(self, agree: bool) -> None:
        """Answer an undo offer."""
        self.send(say.Agree(agree=agree))

    def draw(self, agree: bool = True) -> None:
        """Offer a draw, or answer the one on offer."""
        self.send(say.Draw(agree=agree))

    def resign(self) -> None:
        """Resign."""
        self.send(say.Resign())

    def call_time(self) -> None:
        """Let absent players forfeit."""
        self.send(say.CallTime())

    def rematch(self) -> None:
        """Request a rematch."""
        self.send(say.Rematch())

    # --- hearing ----------------------------------------------------------------------------------------------------

    async def hear(self) -> Any:
        """Return the next server message, or other input from the script's host."""
        return self._unheard.popleft() if self._unheard else await self._next()

    async def _ask(self, request: say.Request, answer: type[R]) -> R:
        self.send(request)
        while True:
            heard = await self._next()
            if isinstance(heard, answer):
                return heard
            if isinstance(heard, say.Refused):
                raise Refused(heard.reason, reason=_REASONS.get(heard.code))
            self._unheard.append(heard)

    def send(self, request: say.Request) -> None:
        """Send a request; its answer comes from `hear`."""
        self._talk.say(websocket.encode_text(say.encode(request), self._masks()))

    def _whole(self, reply: say.Reply) -> say.Reply:
        """Return the reply with its changes folded into a whole view."""
        if isinstance(reply, say.Seated | say.Watching | say.State | say.Step):
            state = reply.state
            if state.changes is not None:
                state = replace(state, view=fold(self._view, state.changes), changes=None)
                reply = replace(reply, state=state)
            self._view = state.view
        return reply

    async def _next(self) -> Any:
        while True:
            match await self._talk.hear():
                case str(text):
                    try:
                        return self._whole(say.decode_reply(text))
                    except (msgspec.ValidationError, msgspec.DecodeError) as error:
                        if say.is_unknown_type(text):
                            continue
                        raise ConnectionLost(f"The server sent a message that cannot be read: {error}.") from None
                case websocket.Ping(payload=payload):
                    self._talk.say(websocket.encode_pong(payload, self._masks()))
                case websocket.Pong():
                    pass
                case websocket.Close(reason=reason):
                    raise ConnectionLost(
                        f"The server closed the connection: {reason}." if reason else "The connection is gone."
                    )
                case Malformed() as reason:
                    raise ConnectionLost(f"The server sent data that cannot be decoded: {reason}.")
                case Gone():
                    raise ConnectionLost("The connection is gone.")
                case other:
                    return other
