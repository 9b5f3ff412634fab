"""Cases of a client examination, each with the section of the specification that it tests.

A case has a course of the match (`Goal`), a `ByteDelivery` of the server's messages and a fault (`Trouble`). All
dialects have the same cases, as far as their protocols have the features (`Sections`).
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
    """All messages of one moment in one piece."""
    BYTES = auto()
    """One byte at a time; the middle of long data in small pieces."""
    MERGED = auto()
    """All messages of a tenth of a second in one piece."""
    SLOW = auto()
    """Each piece with a delay of most of a second."""
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

    NOBODY = auto()
    ANOTHER = auto()
    ITSELF = auto()


class Case(msgspec.Struct, frozen=True, kw_only=True):
    """One case; see the module docstring. `does` describes the server's behaviour to the person who drives the
    client."""

    name: str
    section: str
    does: str
    goal: Goal = Goal.LEFT
    delivery: ByteDelivery = ByteDelivery.WHOLE
    trouble: Trouble = Trouble.NONE
    out: Out = Out.NOBODY
    last: bool = False
    """Whether the other players connect before the client."""
    others: int = 1
    """Number of other players, if they connect before the client; otherwise the client decides."""
    settings: dict[str, str] = {}
    """Settings that the other players request."""
    moves: int = 3
    """Events of the match before the fault, or before another player leaves."""
    held: float = 0.0
    """Seconds that the client waits for the other players."""
    speed: float = 1.0
    """Speed of the server's clock relative to ours."""
    tries: int = 1
    """Matches in which the goal should have been reached."""


def cases(dialect: str, game: str = "") -> tuple[Case, ...]:
    """Return the cases of a dialect, in the order in which a client meets them; `game` is for dialects of several
    games."""
    spoken, protocol = dialects.dialect(dialect), dialects.protocol(dialect)
    game = spoken.game or game or DEFAULT_GAME
    if not spoken.game:
        absent = dict.fromkeys(_ABSENT.get(game, ()), "")
        protocol = replace(protocol, sections=replace(protocol.sections, **absent))
    return tuple(
        replace(case, section=f"{dialects.specification_path(dialect)}, {case.section}")
        for case in _cases(protocol, game, spoken.encoding is Encoding.OBJECTS)
        if case.section
    )


DRAW_TRIES: Final = 24
"""Matches played to reach a draw.

In Forza Quattro, 8 to 12 of 20 matches against a random client are drawn, so all 24 fail for about one such client in
200,000.
"""

COALESCED: Final = "takes several messages at once"
"""The case that fails for a client that does not split its input into messages."""

FIRST: Final = ", coming first"
LAST: Final = ", coming last"
"""Suffix of cases that seat the client differently from the case of the same name."""

MOVING_EVENTS: Final = 26
"""Events after which three players of Santorini have placed their workers and move."""

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


def _cases(protocol: Protocol, game: str, objects: bool) -> tuple[Case, ...]:
    spec, few = protocol.sections, _MOVES.get(game, 3)
    long = game == "eriantys"  # wins and losses are then examined from one seat each
    tries = 3 if long else 8
    speed = 1.0 if protocol.pings_unasked else PING_SPEED

    def once(section: str) -> str:
        """Return the section for another whole match, or '' if matches are long."""
        return "" if long else section

    return (
        Case(name="comes first", section=spec.first, does="the other player comes after yours", moves=few),
        Case(name="comes last", section=spec.second, does="the other player is there already", last=True, moves=few),
        Case(
            name="shows that it is alive", section=spec.pings, does="the others keep yours waiting",
            held=protocol.heartbeat_seconds / speed, speed=speed, moves=few,
        ),
        Case(
            name="plays with three", section=spec.three, does="two others wait for a match of three", last=True,
            others=2, moves=few,
        ),
        Case(
            name="plays on when another is out", section=spec.out, does="one of two others is out, and play goes on",
            last=True, others=2, out=Out.ANOTHER, moves=MOVING_EVENTS,
        ),
        Case(
            name="is out while others play on", section=spec.out, does="yours is out, and two others play on",
            last=True, others=2, out=Out.ITSELF, moves=MOVING_EVENTS,
        ),
        Case(
            name="plays in expert mode", section=spec.expert, does="the other player wants expert mode", last=True,
            settings={"mode": "expert"}, moves=3 * few,
        ),
        Case(name="plays to the end", section=spec.turns, does="a whole match", goal=Goal.OVER),
        Case(name="wins", section=spec.won, does="the other lets yours win", goal=Goal.WON, tries=tries),
        Case(name="loses", section=spec.lost, does="the other tries to win", goal=Goal.LOST, tries=tries, last=True),
        Case(name="draws", section=spec.drawn, does="the other tries for a draw", goal=Goal.DRAWN, tries=DRAW_TRIES),
        Case(
            name=f"wins{LAST}", section=once(spec.won), does="the other is there already, and lets yours win",
            goal=Goal.WON, tries=tries, last=True,
        ),
        Case(
            name=f"loses{FIRST}", section=once(spec.lost), does="the other comes after yours, and tries to win",
            goal=Goal.LOST, tries=tries,
        ),
        Case(
            name=f"draws{LAST}", section=once(spec.drawn), does="the other is there already, and tries for a draw",
            goal=Goal.DRAWN, tries=DRAW_TRIES, last=True,
        ),
        Case(
            name="learns that the other has left", section=spec.left, does="the other leaves", moves=few + 1,
        ),
        Case(
            name=f"learns that the other has left{LAST}", section=spec.left,
            does="the other is there already, and leaves", moves=few + 1, last=True,
        ),
        Case(
            name="continues after a refusal", section=spec.refused, does="one of your answers is refused",
            trouble=Trouble.REFUSAL, moves=few, last=True,
        ),
        Case(
            name=COALESCED, section=spec.framing, does="several messages arrive in one packet",
            delivery=ByteDelivery.MERGED, moves=few + 1,
        ),
        Case(
            name="takes one byte at a time", section=spec.framing, does="messages arrive byte by byte",
            delivery=ByteDelivery.BYTES, moves=few,
        ),
        Case(
            name="waits for a slow server", section=spec.framing, does="every message is delayed",
            delivery=ByteDelivery.SLOW, moves=few,
        ),
        Case(
            name="ignores unknown members", section=spec.extra, does="every object has an additional member",
            delivery=ByteDelivery.EXTRA, moves=few,
        ),
        Case(
            name="survives an unknown message", section=spec.unknown, does="one message is not in the specification",
            trouble=Trouble.UNKNOWN, moves=few,
        ),
        Case(
            name="survives bytes that are not a message", section=spec.framing,
            does="some bytes are not a message, and then the server closes" if objects else "one line is not a message",
            trouble=Trouble.GARBAGE, moves=few,
        ),
        Case(
            name="ends after an incomplete message", section=spec.framing,
            does="the server closes in the middle of a message", trouble=Trouble.HALF, moves=few,
        ),
        Case(
            name="ends when the server closes", section=spec.left, does="the server closes in the middle of a match",
            trouble=Trouble.CLOSE, moves=few,
        ),
    )  # fmt: skip
