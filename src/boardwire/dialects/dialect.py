"""Interface of a dialect: a decoder, and a script for each end of the connection.

- The server's script sends lobby requests (`boardwire.lobby`) and table commands (`boardwire.table`).
- The client's script exchanges the messages below with a player: a person at a terminal, a bot or a test.
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
    """Client to player: choose an action. The player replies with `Answer`. A new question replaces an open one."""

    view: Any
    decision: Decision[Any]
    again: str = ""
    """Why the previous answer was rejected, if the same question is asked again."""


class Answer(msgspec.Struct, frozen=True):
    """Player to client: the chosen action."""

    action: Any


class Players(msgspec.Struct, frozen=True):
    """Client to player: player names by seat, and the player's own seat (None: not known yet).

    Sent before the first view, and again after a change.
    """

    names: tuple[str, ...] = ()
    seat: Seat | None = None
    options: Any = None
    """Options of the table, if the protocol sends them."""

    def name(self, seat: Seat) -> str:
        """Return the name of a player, or "player N" if the protocol sends no names."""
        return (self.names[seat] if 0 <= seat < len(self.names) else "") or f"player {seat + 1}"


class Show(msgspec.Struct, frozen=True):
    """Client to player: the current view, and a description of what happened."""

    view: Any
    text: str = ""


class IntermediateView(msgspec.Struct, frozen=True):
    """Client to player: the view has changed, possibly in the middle of a step. `look` returns the current view.

    Terminals ignore it and wait for the `Show` that follows.
    """

    look: Callable[[], Any]


class Note(msgspec.Struct, frozen=True):
    """Client to player: a text without a view."""

    text: str


class ProtocolViolation(msgspec.Struct, frozen=True):
    """Client to player: the server broke the protocol, or does not answer."""

    text: str


class Relayed(msgspec.Struct, frozen=True):
    """Client to player: a message from the server unchanged, from a script that only relays (native)."""

    message: Any


def question(view: Any, decision: Decision[Any], again: str = "") -> Ask | ProtocolViolation:
    """Return the question for the player, or a protocol violation if there is no choice."""
    if decision.choices:
        return Ask(view, decision, again)
    return ProtocolViolation(f"The server asked for {decision.kind}, but no choice is legal.")


class Result(StrEnum):
    """Result of a match for the client's player."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"
    BROKEN_OFF = "broken off"


class Over(msgspec.Struct, frozen=True):
    """Client to player: the match has ended."""

    view: Any
    text: str
    result: Result
    winners: tuple[Seat, ...] = ()
    """The winning seats, if the protocol sends them and the view does not contain them."""


def defeat_text(*winners: str) -> str:
    """Return the text for a player who lost, naming the winners."""
    return f"You lose: {' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}."


PlayerMessage: TypeAlias = Ask | Players | Show | IntermediateView | Note | ProtocolViolation | Relayed | Over


class ClientOptions(msgspec.Struct, frozen=True):
    """Options of a client: the player's name, the number of players, and settings specific to the dialect."""

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
    """One protocol with the scripts of both ends.

    - `handshake`: time limit in seconds for a client's first message; 0 if the server sends first.
    - `players`: table sizes that a client can request; empty for every size of the game.
    - `settings`: keys of `ClientOptions.settings`, each with its possible values; empty for any value.
    """

    name: str
    game: str
    port: int
    decoder: Callable[[], Decoder]
    serve: Script
    play: Callable[[ClientOptions], Script]
    handshake: float = 0.0
    greeting: bytes = b""
    """Bytes that each end sends on connecting."""
    farewell: bytes = b""
    """Bytes that the server sends to every connection when it stops."""
    expulsion: bytes = b""
    """Bytes that the server sends to a client that it has banned."""
    replies: Callable[[], Decoder] | None = None
    """Decoder of the server's messages, if it differs from `decoder`."""
    players: tuple[int, ...] = ()
    settings: dict[str, tuple[str, ...]] = {}
    aside: Callable[[Event], bytes] | None = None
    """Encodes an action that no question asks for (chat, resignation, undo), given the event that it causes.

    Returns b"" if the protocol has no such message.
    """
    encoding: Encoding = Encoding.TEXT
    names_first: bool = False
    """Whether a client sends its name before it requests a table, so that the name can identify a reserved seat."""
    has_names: bool = True
    """Whether a client sends a name; if not, the soak identifies a player's match by its moves."""
    unconfirmed: tuple[type, ...] = ()
    """Actions that the server does not confirm: its next message to the player follows another player's action."""
    announces: bool = False
    """Whether the protocol has a message for announcements from the server (`table.guest.Announced`)."""
