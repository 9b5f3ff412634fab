"""The client's requests as calls, for scripts that speak the native dialect: a bot, a terminal, a test.

It stands apart from `client`, which plays one match, because other scripts use it too.

    async def script(talk: Talk[Any]) -> None:
        caller = Caller(talk)
        await caller.hello("ann")
        seated = await caller.open("tris", bots=("", "random"))
        caller.act(seated.state.seq, 4)
        reply = await caller.hear()

Rules:

- What has one answer of its own (`hello`, `tables`, `open`, `find`, `join`, `watch`, `resume`, `leave`, `sync`, `why`,
  `ping`) is awaited and gives it; `Refused`, the error, says why not.  What else comes before the answer waits for
  `hear`.
- What the table answers with a step, or refuses (`act`, `chat`, `undo`, ...), is said, and the answer is heard.
- A state that is heard has the whole view, also where the server told only what has changed in it.
- Pings are answered, and replies of a type that it does not know are skipped.  `Hung` is raised when the connection is
  over.
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
"""By code; a newer server may have others."""

R = TypeVar("R", bound=say.Reply)


class Hung(Exception):
    """The connection is over; `str()` of it says why."""


class Caller:
    """See the module."""

    def __init__(self, talk: Talk[Any], masks: websocket.Masks = websocket.zero_mask) -> None:
        self._talk = talk
        self._masks = masks
        self._view: Any = None
        """The view that was told last: a step may tell only what has changed in it."""
        self._unheard: deque[Any] = deque()
        """What came while an answer was awaited."""

    # --- what has an answer of its own ------------------------------------------------------------------------------

    async def hello(self, name: str = "", token: str = "") -> say.Welcome:
        """Say who it is."""
        return await self._ask(say.Hello(name=name, token=token), say.Welcome)

    async def tables(self, game: str = "") -> tuple[say.TableInfo, ...]:
        """The public tables."""
        return (await self._ask(say.List(game=game), say.Tables)).tables

    async def open(self, game: str, **settings: Any) -> say.Seated:
        """Open a table; `settings` are the other fields of `messages.Open`."""
        return await self._ask(say.Open(game=game, **settings), say.Seated)

    async def find(self, game: str, seats: int = 2, options: Any = None) -> say.Seated:
        """Sit down wherever somebody waits."""
        return await self._ask(say.Find(game=game, seats=seats, options=options), say.Seated)

    async def join(self, match: str, code: str = "", seat: Seat | None = None) -> say.Seated:
        """Sit down at this table."""
        return await self._ask(say.Join(match=match, code=code, seat=seat), say.Seated)

    async def watch(self, match: str, code: str = "") -> say.Watching:
        """Follow this match."""
        return await self._ask(say.Watch(match=match, code=code), say.Watching)

    async def resume(self, match: str, seat: Seat) -> say.Seated:
        """Come back to a seat that is kept."""
        return await self._ask(say.Resume(match=match, seat=seat), say.Seated)

    async def leave(self) -> say.Gone:
        """Leave the table."""
        return await self._ask(say.Leave(), say.Gone)

    async def ping(self) -> say.Pong:
        """Ask whether the server is there."""
        return await self._ask(say.Ping(), say.Pong)

    async def why(self, action: Any) -> Objection | None:
        """By which rule an action is not legal now."""
        return (await self._ask(say.Why(action=action), say.Because)).objection

    async def sync(self) -> say.MatchState:
        """How the match stands."""
        return (await self._ask(say.Sync(), say.State)).state

    async def hint(self) -> say.Advice:
        """What would be good here, at a table for practice."""
        return await self._ask(say.Hint(), say.Advice)

    # --- what the table answers -------------------------------------------------------------------------------------

    def act(self, seq: int, action: Any) -> None:
        """Make a choice, having seen event `seq`."""
        self._send(say.Act(seq=seq, action=action))

    def chat(self, text: str) -> None:
        """Say something to the table."""
        self._send(say.Say(text=text))

    def undo(self) -> None:
        """Ask to take back the last step."""
        self._send(say.Undo())

    def agree(self, agree: bool) -> None:
        """Answer the undo on offer."""
        self._send(say.Agree(agree=agree))

    def resign(self) -> None:
        """Give up."""
        self._send(say.Resign())

    def call_time(self) -> None:
        """Wait no longer for those who are away."""
        self._send(say.CallTime())

    def rematch(self) -> None:
        """Once more."""
        self._send(say.Rematch())

    # --- hearing ----------------------------------------------------------------------------------------------------

    async def hear(self) -> Any:
        """The next message of the server, or whatever else the script's host tells it."""
        return self._unheard.popleft() if self._unheard else await self._next()

    async def _ask(self, request: say.Request, answer: type[R]) -> R:
        self._send(request)
        while True:
            heard = await self._next()
            if isinstance(heard, answer):
                return heard
            if isinstance(heard, say.Refused):
                raise Refused(heard.reason, reason=_REASONS.get(heard.code))
            self._unheard.append(heard)

    def _send(self, request: say.Request) -> None:
        self._talk.say(websocket.encode_text(say.encode(request), self._masks()))

    def _whole(self, reply: say.Reply) -> say.Reply:
        """A reply whose state has the whole view."""
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
                        if say.is_news(text):
                            continue
                        raise Hung(f"The server says what cannot be read: {error}.") from None
                case websocket.Ping(payload=payload):
                    self._talk.say(websocket.encode_pong(payload, self._masks()))
                case websocket.Pong():
                    pass
                case websocket.Close(reason=reason):
                    raise Hung(f"The server closed the connection: {reason}." if reason else "The connection is gone.")
                case Malformed() as reason:
                    raise Hung(f"The server cannot be understood: {reason}.")
                case Gone():
                    raise Hung("The connection is gone.")
                case other:
                    return other
