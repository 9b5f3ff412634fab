"""The other end of a native connection: who it is, where it sits, and how much it may ask for.

Time is counted by the conversation's own timers: an allowance is given anew when its timer runs off.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from boardwire.dialects.native import messages as say
from boardwire.dialects.native.tell import Fixed
from boardwire.errors import BoardwireError, Reason, Refused
from boardwire.games.game import Seat
from boardwire.lobby import requests
from boardwire.table.events import Player
from boardwire.table.match import Match
from boardwire.talk import Heartbeat, Strikes, Talk
from boardwire.wire import websocket

STRIKE_LIMIT: Final = 100
"""How many unreadable messages in a row end the connection."""
PING_SECONDS: Final = 20.0
PINGS: Final = 2
"""How many pings may stay unanswered."""


class Allowance(msgspec.Struct, frozen=True):
    """So many of something in so many seconds."""

    name: str
    most: int
    seconds: float
    words: str


LINES: Final = Allowance("lines", 10, 10.0, "you talk too fast: at most 10 lines in 10 seconds")
HINTS: Final = Allowance("hints", 20, 60.0, "you ask for advice too often: at most 20 times in 60 seconds")
LISTS: Final = Allowance("lists", 60, 10.0, "you ask for the tables too often: at most 60 times in 10 seconds")

WHYS: Final = Allowance("whys", 60, 10.0, "you ask for rules too often: at most 60 times in 10 seconds")


class Peer:
    """One connection: who it is, where it sits, what it may still ask for."""

    __slots__ = (
        "done", "fixed", "heart", "match", "pending", "player", "seat", "spent", "strikes", "talk", "token",
    )  # fmt: skip

    def __init__(self, talk: Talk[Any]) -> None:
        self.talk = talk
        self.player = Player()
        self.token = ""
        self.match: Match | None = None
        self.seat: Seat | None = None
        self.pending: Any = None
        """What was asked of the lobby or the table, until its answer has been said: further requests wait for it."""
        self.spent: dict[str, int] = {}
        """What was used of each allowance."""
        self.fixed = Fixed()
        self.strikes = Strikes(STRIKE_LIMIT)
        self.heart = Heartbeat(talk, PING_SECONDS, PINGS, websocket.encode_ping())
        self.done = False

    def ask(self, request: Any) -> None:
        """Ask the lobby or the table; what the client says meanwhile is heard when the answer has been said."""
        self.pending = request
        self.talk.do(request)

    def send(self, reply: say.Reply) -> None:
        """Say one message."""
        self.talk.say(websocket.encode_text(say.encode(reply)))

    def refuse(self, reason: BoardwireError) -> None:
        """Refuse something without asking the table, and let that be counted as the table's refusals are."""
        self.explain(reason)
        self.talk.do(requests.Decline(reason))

    def explain(self, error: BoardwireError) -> None:
        """Say why something was not done."""
        self.send(say.Refused(code=error.reason, reason=str(error)))

    def spend(self, allowance: Allowance) -> None:
        """Use up one; `Refused` if none is left."""
        spent = self.spent.get(allowance.name, 0)
        if spent >= allowance.most:
            raise Refused(allowance.words, reason=Reason.LIMIT)
        if not spent:
            self.talk.wake(allowance.seconds, allowance.name)
        self.spent[allowance.name] = spent + 1

    def close(self, code: int, reason: str = "") -> None:
        """Say the last frame; nothing more is heard."""
        self.talk.say(websocket.encode_close(code, reason))
        self.done = True
