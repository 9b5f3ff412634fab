"""Server-side state of a native connection: player, match and seat, pending request, rate limits.

The period of a rate limit begins with its first request and ends with a timer of the conversation.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from boardwire.dialects.native import messages as wire
from boardwire.dialects.native.tell import FixedFields
from boardwire.errors import BoardwireError, Reason, Refused
from boardwire.games.game import Seat
from boardwire.lobby import requests
from boardwire.table.events import Player
from boardwire.table.guest import Announced
from boardwire.table.match import Match
from boardwire.talk import BadMessageCount, Heartbeat, Talk
from boardwire.wire import websocket

MAX_BAD_MESSAGES: Final = 100
"""Number of consecutive unreadable messages after which the connection is closed."""
PING_SECONDS: Final = 20.0
MAX_UNANSWERED_PINGS: Final = 2
"""Number of unanswered pings after which the connection is closed."""


class RateLimit(msgspec.Struct, frozen=True):
    """At most `max_requests` requests in `seconds`; `noun` names them in a refusal."""

    noun: str
    max_requests: int
    seconds: float

    @property
    def refusal(self) -> str:
        """The sentence for a request beyond the limit."""
        return f"too many {self.noun}: at most {self.max_requests} in {self.seconds:.0f} seconds"


LINES: Final = RateLimit("chat lines", 10, 10.0)
HINTS: Final = RateLimit("hints", 20, 60.0)
LISTS: Final = RateLimit("lists of tables", 60, 10.0)
WHYS: Final = RateLimit("questions about rules", 60, 10.0)


class ClientSession:
    """One native connection."""

    __slots__ = (
        "bad_messages",
        "delayed_announcement",
        "fixed_fields",
        "heart",
        "is_done",
        "match",
        "pending",
        "player",
        "request_counts",
        "seat",
        "talk",
        "token",
    )  # fmt: skip

    def __init__(self, talk: Talk[Any]) -> None:
        self.talk = talk
        self.player = Player()
        self.token = ""
        self.match: Match | None = None
        self.seat: Seat | None = None
        self.pending: Any = None
        """The unanswered request to the lobby or the table; further requests wait for the answer."""
        self.request_counts: dict[str, int] = {}
        """Number of requests in the current period of each rate limit."""
        self.fixed_fields = FixedFields()
        self.bad_messages = BadMessageCount(MAX_BAD_MESSAGES)
        self.heart = Heartbeat(talk, PING_SECONDS, MAX_UNANSWERED_PINGS, websocket.encode_ping())
        self.is_done = False
        self.delayed_announcement: Announced | None = None
        """Announcement that came before `welcome` was sent."""

    def ask(self, request: Any) -> None:
        """Send a request to the lobby or the table; the client's next messages wait for the answer."""
        self.pending = request
        self.talk.do(request)

    def send(self, reply: wire.Reply) -> None:
        """Send a message."""
        self.talk.say(websocket.encode_text(wire.encode(reply)))

    def refuse(self, reason: BoardwireError) -> None:
        """Refuse a request without the table; the refusal is counted like the table's."""
        self.explain(reason)
        self.talk.do(requests.Decline(reason))

    def explain(self, error: BoardwireError) -> None:
        """Send the reason for a refusal."""
        self.send(wire.Refused(code=error.reason, reason=str(error)))

    def spend(self, limit: RateLimit) -> None:
        """Count a request; raise `Refused` if it exceeds its rate limit."""
        count = self.request_counts.get(limit.noun, 0)
        if count >= limit.max_requests:
            raise Refused(limit.refusal, reason=Reason.LIMIT)
        if not count:  # the first request begins the period
            self.talk.wake(limit.seconds, limit.noun)
        self.request_counts[limit.noun] = count + 1

    def close(self, code: int, reason: str = "") -> None:
        """Send a close frame and end the conversation."""
        self.talk.say(websocket.encode_close(code, reason))
        self.is_done = True
