"""Cases of a client examination, each with the section of the specification that it tests.

A case consists of a course of the match (`Goal`), a delivery of the server's messages (`ByteDelivery`) and a fault
(`Trouble`). All dialects have the same cases, except for features that a protocol lacks (`Sections`).
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

import msgspec
from msgspec.structs import replace

from boardwire import dialects
from boardwire.dialects import Encoding, Protocol


class Goal(Enum):
    """The course of the match that the case needs."""

    LEFT = auto()
    """Another player leaves after a few moves."""
    OVER = auto()
    """The match is played to its end, with any winner."""
    WON = auto()
    LOST = auto()
    DRAWN = auto()


class ByteDelivery(Enum):
    """How the server's bytes are delivered."""

    WHOLE = auto()
    """All messages that are sent at one time in one piece."""
    BYTES = auto()
    """One byte at a time; after the first bytes of long data, small pieces."""
    MERGED = auto()
    """All messages of 0.1 s in one piece."""
    SLOW = auto()
    """Each piece with a delay of 0.7 s."""
    EXTRA = auto()
    """With an unknown member in each JSON object."""


class Trouble(Enum):
    """A fault of the server, which occurs once."""

    NONE = auto()
    REFUSAL = auto()
    """The server refuses a reply."""
    UNKNOWN = auto()
    """The server sends an unknown message and continues."""
    GARBAGE = auto()
    """The server sends bytes that are not a message, and closes if nothing after them would be readable."""
    HALF = auto()
    """The server sends half a message and closes."""
    CLOSE = auto()
    """The server closes in the middle of the match."""


class Out(Enum):
    """The player who is out of a match of three before its end."""

    NONE = auto()
    ANOTHER = auto()
    ITSELF = auto()


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One case. `does` tells the person who drives the client what the server and the other players do."""

    name: str
    section: str
    does: str
    goal: Goal = Goal.LEFT
    delivery: ByteDelivery = ByteDelivery.WHOLE
    trouble: Trouble = Trouble.NONE
    out: Out = Out.NONE
    last: bool = False
    """Whether the other players connect before the client."""
    others: int = 1
    """Number of other players, if they connect before the client; otherwise the client decides."""
    settings: dict[str, str] = {}
    """Settings that the other players request."""
    moves: int = 3
    """Events of the match before the fault, or before another player leaves."""
    held: float = 0.0
    """Seconds for which the client must wait for the other players."""
    speed: float = 1.0
    """Speed of the server's clock relative to ours."""
    tries: int = 1
    """Limit of the matches in which to reach the goal."""


def cases(dialect: str, game: str = "") -> tuple[Case, ...]:
    """Return the cases of a dialect in order; `game` chooses one if the dialect has several games."""
    client_dialect, protocol = dialects.dialect(dialect), dialects.protocol(dialect)
    game = client_dialect.game or game or DEFAULT_GAME
    if not client_dialect.game:
        lacking = dict.fromkeys(_ABSENT.get(game, ()), "")
        protocol = replace(protocol, sections=replace(protocol.sections, **lacking))
    return tuple(
        replace(case, section=f"{dialects.specification_path(dialect)}, {case.section}")
        for case in _cases(protocol, game, client_dialect.encoding is Encoding.OBJECTS)
        if case.section
    )


DRAW_TRIES: Final = 24
"""Matches played to reach a draw.

In Forza Quattro, 8 to 12 of 20 matches against a random client are drawn, so all 24 fail for about one such client in
200,000.
"""

COALESCED: Final = "takes several messages at once"
"""Name of the case that fails for a client that does not split its input into messages."""

FIRST: Final = ", coming first"
LAST: Final = ", coming last"
"""Suffixes of cases that differ from the case without suffix in who connects first."""

MOVING_EVENTS: Final = 26
"""Events of Santorini with three players until all workers are placed."""

DEFAULT_GAME: Final = "tris"
"""Default game of a dialect of several games."""

_ABSENT: Final = {
    "tris": ("three", "out"), "forza": ("three", "out"), "santorini": ("drawn",), "eriantys": ("drawn", "out"),
}  # fmt: skip
"""Features that a game lacks, for a dialect of several games."""

_MOVES: Final = {"tris": 2, "santorini": 8, "eriantys": 6}
"""Events of a match before its fault, by game; default 3."""

PING_SPEED: Final = 10.0
"""Speed of the server's clock while it pings a waiting client."""


def _cases(protocol: Protocol, game: str, has_objects: bool) -> tuple[Case, ...]:
    """Return all cases of a protocol; `has_objects`: its messages are Java objects."""
    spec, moves = protocol.sections, _MOVES.get(game, 3)
    is_long = game == "eriantys"  # for long matches, wins and losses are examined from one seat each
    tries = 3 if is_long else 8
    speed = 1.0 if protocol.pings_unasked else PING_SPEED

    def once(section: str) -> str:
        """Return the section of a case that repeats another from the other seat, or '' if matches are long."""
        return "" if is_long else section

    return (
        Case(name="comes first", section=spec.first, does="the other player connects after your client", moves=moves),
        Case(
            name="comes last", section=spec.second, does="the other player has connected already",
            last=True, moves=moves,
        ),
        Case(
            name="shows that it is alive", section=spec.pings, does="the other players keep your client waiting",
            held=protocol.heartbeat_seconds / speed, speed=speed, moves=moves,
        ),
        Case(
            name="plays with three", section=spec.three, does="two other players wait for a match of three", last=True,
            others=2, moves=moves,
        ),
        Case(
            name="plays on when another is out", section=spec.out,
            does="one of the two other players is out, and play continues",
            last=True, others=2, out=Out.ANOTHER, moves=MOVING_EVENTS,
        ),
        Case(
            name="is out while others play on", section=spec.out,
            does="your client is out, and the two other players continue",
            last=True, others=2, out=Out.ITSELF, moves=MOVING_EVENTS,
        ),
        Case(
            name="plays in expert mode", section=spec.expert, does="the other player requests expert mode", last=True,
            settings={"mode": "expert"}, moves=3 * moves,
        ),
        Case(name="plays to the end", section=spec.turns, does="a whole match", goal=Goal.OVER),
        Case(name="wins", section=spec.won, does="the other player lets your client win", goal=Goal.WON, tries=tries),
        Case(
            name="loses", section=spec.lost, does="the other player tries to win",
            goal=Goal.LOST, tries=tries, last=True,
        ),
        Case(
            name="draws", section=spec.drawn, does="the other player tries to draw",
            goal=Goal.DRAWN, tries=DRAW_TRIES,
        ),
        Case(
            name=f"wins{LAST}", section=once(spec.won),
            does="the other player has connected already and lets your client win",
            goal=Goal.WON, tries=tries, last=True,
        ),
        Case(
            name=f"loses{FIRST}", section=once(spec.lost),
            does="the other player connects after your client and tries to win",
            goal=Goal.LOST, tries=tries,
        ),
        Case(
            name=f"draws{LAST}", section=once(spec.drawn),
            does="the other player has connected already and tries to draw",
            goal=Goal.DRAWN, tries=DRAW_TRIES, last=True,
        ),
        Case(
            name="learns that the other has left", section=spec.left, does="the other player leaves", moves=moves + 1,
        ),
        Case(
            name=f"learns that the other has left{LAST}", section=spec.left,
            does="the other player has connected already, and then leaves", moves=moves + 1, last=True,
        ),
        Case(
            name="continues after a refusal", section=spec.refused, does="one of your client's answers is refused",
            trouble=Trouble.REFUSAL, moves=moves, last=True,
        ),
        Case(
            name=COALESCED, section=spec.framing, does="several messages arrive in one packet",
            delivery=ByteDelivery.MERGED, moves=moves + 1,
        ),
        Case(
            name="takes one byte at a time", section=spec.framing, does="messages arrive byte by byte",
            delivery=ByteDelivery.BYTES, moves=moves,
        ),
        Case(
            name="waits for a slow server", section=spec.framing, does="every message is delayed",
            delivery=ByteDelivery.SLOW, moves=moves,
        ),
        Case(
            name="ignores unknown members", section=spec.extra, does="every object has an additional member",
            delivery=ByteDelivery.EXTRA, moves=moves,
        ),
        Case(
            name="survives an unknown message", section=spec.unknown, does="one message is not in the specification",
            trouble=Trouble.UNKNOWN, moves=moves,
        ),
        Case(
            name="survives bytes that are not a message", section=spec.framing,
            does="some bytes are not a message, and then the server closes" if has_objects
            else "one line is not a message",
            trouble=Trouble.GARBAGE, moves=moves,
        ),
        Case(
            name="ends after an incomplete message", section=spec.framing,
            does="the server closes in the middle of a message", trouble=Trouble.HALF, moves=moves,
        ),
        Case(
            name="ends when the server closes", section=spec.left, does="the server closes in the middle of a match",
            trouble=Trouble.CLOSE, moves=moves,
        ),
    )  # fmt: skip
