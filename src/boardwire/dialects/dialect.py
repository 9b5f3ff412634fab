"""What a dialect is to everything above it: how to decode its bytes, and a script for each end.

The server's script speaks to tables through the lobby's errands and the table's commands (`boardwire.table`).
The client's script speaks to a player through the small vocabulary below, so that a person at a terminal, a bot and a
test can sit behind any dialect's client.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any, TypeAlias

import msgspec

from boardwire.games.game import Decision, Seat
from boardwire.table.events import Event
from boardwire.talk import Script
from boardwire.wire.codec import Decoder


class Ask(msgspec.Struct, frozen=True):
    """Client to player: choose one.  The answer is news: `Answer`.  A new question replaces the one before it."""

    view: Any
    decision: Decision[Any]
    again: str = ""
    """Why the last answer was not taken, if this is the same question again."""


class Answer(msgspec.Struct, frozen=True):
    """Player to client: this is my choice."""

    action: Any


class Players(msgspec.Struct, frozen=True):
    """Client to player: who sits where, by the seats of the views, and which seat is yours (None: not known yet).

    It is told before the first view, and again when it changes.
    """

    names: tuple[str, ...] = ()
    seat: Seat | None = None
    options: Any = None
    """What the table plays by, where the protocol tells that."""

    def name(self, seat: Seat) -> str:
        """What a player is called; by number where the protocol tells no names."""
        return (self.names[seat] if seat < len(self.names) else "") or f"player {seat + 1}"


class Show(msgspec.Struct, frozen=True):
    """Client to player: this is how it stands, and what happened, in words."""

    view: Any
    text: str = ""


class Glimpse(msgspec.Struct, frozen=True):
    """Client to player: something of the table has been told; `look` is how it stands, perhaps in the midst of a step
    of which more will be told.  Of no use to a person, who is shown the whole."""

    look: Callable[[], Any]


class Note(msgspec.Struct, frozen=True):
    """Client to player: something to know, without a board."""

    text: str


class Strange(msgspec.Struct, frozen=True):
    """Client to player: the server says what the protocol does not have, or nothing at all."""

    text: str


def question(view: Any, decision: Decision[Any], again: str = "") -> Ask | Strange:
    """Return the question for the player, or what is strange about it if the server leaves nothing to choose."""
    if decision.choices:
        return Ask(view, decision, again)
    return Strange(f"The server asks for a {decision.kind} and leaves nothing to choose.")


class Result(StrEnum):
    """How a match went for the client's player."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"
    BROKEN_OFF = "broken off"


class Over(msgspec.Struct, frozen=True):
    """Client to player: it is over."""

    view: Any
    text: str
    result: Result
    winners: tuple[Seat, ...] = ()
    """Who has won, where the protocol tells and the view does not."""


def lost_to(*winners: str) -> str:
    """What a player reads who has lost, where the protocol says to whom."""
    return f"You lose: {' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}."


PlayerNews: TypeAlias = Ask | Players | Show | Glimpse | Note | Strange | Over


class Seating(msgspec.Struct, frozen=True):
    """What a client's player wants, where the protocol asks: a name, a number of players, further settings."""

    name: str = "player"
    players: int = 2
    settings: dict[str, str] = {}


class Encoding(StrEnum):
    """How a dialect encodes its messages."""

    TEXT = "text lines"
    JSON = "JSON lines"
    OBJECTS = "Java objects"
    FRAMES = "WebSocket frames"


class Dialect(msgspec.Struct, frozen=True):
    """One protocol, both ends of it.  `port` is the default one; `handshake` is how many seconds a peer has for its
    first message, where the protocol lets the client speak first (0: it need not speak).  `players` are the numbers of
    players that it can be asked for, `settings` what its client takes in `Seating.settings`, with the values each can
    have (none: any)."""

    name: str
    game: str
    port: int
    decoder: Callable[[], Decoder]
    serve: Script
    play: Callable[[Seating], Script]
    handshake: float = 0.0
    greeting: bytes = b""
    """What either end sends before anything else."""
    farewell: bytes = b""
    """What the server says to whoever is there when it stops, where the protocol has a word for that."""
    replies: Callable[[], Decoder] | None = None
    """How a client decodes what the server sends, where that differs."""
    players: tuple[int, ...] = ()
    """None: as many as the game allows."""
    settings: dict[str, tuple[str, ...]] = {}
    aside: Callable[[Event], bytes] | None = None
    """How a client says what nobody asks it, by the event of its own seat that comes of it (talk, giving up, taking
    back); nothing where it has no words."""
    encoding: Encoding = Encoding.TEXT
