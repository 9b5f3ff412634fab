"""Native requests as calls, for client scripts: bots, terminals, tests.

    async def script(talk: Talk[Any]) -> None:
        caller = Caller(talk)
        await caller.hello("ann")
        seated = await caller.open("tris", bots=("", "random"))
        caller.act(seated.state.seq, 4)
        reply = await caller.next_input()

Rules:

- Requests with a reply (`hello`, `tables`, `open`, `find`, `pair`, `join`, `watch`, `resume`, `leave`, `sync`,
  `why`, `ping`, `hint`) are awaited and return it, or raise `Refused`. Messages that arrive before the reply are queued
  for `next_input`.
- Requests that the table answers with a step or a refusal (`act`, `chat`, `undo`, ...) are only sent; `next_input`
  returns the answer.
- States always have the whole view, even if the server sent only the changes.
- Pings are answered, and replies of unknown type are skipped. `ConnectionLost` is raised when the connection is over.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Final, TypeVar

import msgspec
from msgspec.structs import replace

from boardwire.dialects.native import messages as wire
from boardwire.dialects.native.fold import fold
from boardwire.errors import Malformed, Objection, Reason, Refused
from boardwire.games.game import Seat
from boardwire.talk import Gone, Talk
from boardwire.wire import websocket

_REASONS: Final = {reason.value: reason for reason in Reason}
"""Reasons by code; a newer server may send further ones."""

R = TypeVar("R", bound=wire.Reply)


class ConnectionLost(Exception):
    """The connection has ended for the reason in the message."""


class Caller:
    """Client side of a native connection."""

    def __init__(self, talk: Talk[Any], masks: websocket.Masks = websocket.zero_mask) -> None:
        self._talk = talk
        self._masks = masks
        self._view: Any = None
        """The last view; the next step may have only the changes."""
        self._early_messages: deque[Any] = deque()
        """Messages that arrived while a reply was awaited."""

    # --- requests with their own reply ------------------------------------------------------------------------------

    async def hello(self, name: str = "", token: str = "") -> wire.Welcome:
        """Introduce the player."""
        return await self._request_reply(wire.Hello(name=name, token=token), wire.Welcome)

    async def tables(self, game: str = "") -> tuple[wire.TableInfo, ...]:
        """Return the public tables."""
        return (await self._request_reply(wire.List(game=game), wire.Tables)).tables

    async def open(self, game: str, **settings: Any) -> wire.Seated:
        """Open a table; `settings` are the other fields of `messages.Open`."""
        return await self._request_reply(wire.Open(game=game, **settings), wire.Seated)

    async def find(self, game: str, seats: int = 2, options: Any = None) -> wire.Seated:
        """Take a seat at any waiting table, or open one."""
        return await self._request_reply(wire.Find(game=game, seats=seats, options=options), wire.Seated)

    async def pair(self, game: str, **settings: Any) -> wire.Seated:
        """Take a seat at a waiting table with these options and this clock, or open one.

        `settings` are the other fields of `messages.Pair`.
        """
        return await self._request_reply(wire.Pair(game=game, **settings), wire.Seated)

    async def join(self, match: str, code: str = "", seat: Seat | None = None) -> wire.Seated:
        """Take a seat at this table."""
        return await self._request_reply(wire.Join(match=match, code=code, seat=seat), wire.Seated)

    async def watch(self, match: str, code: str = "") -> wire.Watching:
        """Watch a match."""
        return await self._request_reply(wire.Watch(match=match, code=code), wire.Watching)

    async def resume(self, match: str, seat: Seat) -> wire.Seated:
        """Return to a held seat."""
        return await self._request_reply(wire.Resume(match=match, seat=seat), wire.Seated)

    async def sit_down(self, request: wire.Request) -> wire.Seated:
        """Send a request that leads to a seat, and return the seat."""
        return await self._request_reply(request, wire.Seated)

    async def leave(self) -> wire.Gone:
        """Leave the table."""
        return await self._request_reply(wire.Leave(), wire.Gone)

    async def ping(self) -> wire.Pong:
        """Check the connection."""
        return await self._request_reply(wire.Ping(), wire.Pong)

    async def why(self, action: Any) -> Objection | None:
        """Return the rule that forbids an action now, or None if it is legal."""
        return (await self._request_reply(wire.Why(action=action), wire.Because)).objection

    async def sync(self) -> wire.MatchState:
        """Return the state of the match."""
        return (await self._request_reply(wire.Sync(), wire.State)).state

    async def hint(self) -> wire.Advice:
        """Return an engine's advice, at a practice table."""
        return await self._request_reply(wire.Hint(), wire.Advice)

    # --- requests that the table answers ----------------------------------------------------------------------------

    def act(self, seq: int, action: Any) -> None:
        """Choose an action, based on the state at `seq`."""
        self.send(wire.Act(seq=seq, action=action))

    def chat(self, text: str) -> None:
        """Send a chat line to the table."""
        self.send(wire.Say(text=text))

    def undo(self) -> None:
        """Offer to undo the last action."""
        self.send(wire.Undo())

    def agree(self, agree: bool) -> None:
        """Answer an undo offer."""
        self.send(wire.Agree(agree=agree))

    def draw(self, agree: bool = True) -> None:
        """Offer a draw, or answer the one on offer."""
        self.send(wire.Draw(agree=agree))

    def resign(self) -> None:
        """Resign."""
        self.send(wire.Resign())

    def call_time(self) -> None:
        """Call the time of absent players, who forfeit."""
        self.send(wire.CallTime())

    def rematch(self) -> None:
        """Request a rematch."""
        self.send(wire.Rematch())

    # --- receiving --------------------------------------------------------------------------------------------------

    async def next_input(self) -> Any:
        """Return the next message from the server, or another input of the script."""
        return self._early_messages.popleft() if self._early_messages else await self._next_reply()

    async def _request_reply(self, request: wire.Request, answer: type[R]) -> R:
        """Send a request and wait for its reply; messages that come before it are queued."""
        self.send(request)
        while True:
            received = await self._next_reply()
            if isinstance(received, answer):
                return received
            if isinstance(received, wire.Refused):
                raise Refused(received.reason, reason=_REASONS.get(received.code))
            self._early_messages.append(received)

    def send(self, request: wire.Request) -> None:
        """Send a request; its answer comes from `next_input`."""
        self._talk.say(websocket.encode_text(wire.encode(request), self._masks()))

    def _with_whole_view(self, reply: wire.Reply) -> wire.Reply:
        """Store the view of a reply; return the reply with a whole view instead of changes."""
        if isinstance(reply, wire.Seated | wire.Watching | wire.State | wire.Step):
            state = reply.state
            if state.changes is not None:
                state = replace(state, view=fold(self._view, state.changes), changes=None)
                reply = replace(reply, state=state)
            self._view = state.view
        return reply

    async def _next_reply(self) -> Any:
        """Return the next reply or other input; answer pings, and ignore messages of unknown types."""
        while True:
            match await self._talk.next_input():
                case str(text):
                    try:
                        return self._with_whole_view(wire.decode_reply(text))
                    except (msgspec.ValidationError, msgspec.DecodeError) as error:
                        if wire.is_unknown_type(text):
                            continue
                        raise ConnectionLost(f"The server sent a message that cannot be decoded: {error}.") from None
                case websocket.Ping(payload=payload):
                    self._talk.say(websocket.encode_pong(payload, self._masks()))
                case websocket.Pong():
                    pass
                case websocket.Close(reason=reason):
                    detail = f": {reason}" if reason else ""
                    raise ConnectionLost(f"The server closed the connection{detail}.")
                case Malformed() as reason:
                    raise ConnectionLost(f"The server sent data that cannot be decoded: {reason}.")
                case Gone():
                    raise ConnectionLost("The connection was lost.")
                case other:
                    return other
