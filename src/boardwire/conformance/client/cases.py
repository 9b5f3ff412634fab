"""Cases of a client examination, each with the section of the specification that it tests.

A case has a course of the match (`Goal`), a delivery of the server's bytes (`Delivery`) and a fault (`Trouble`).  All
dialects have the same cases, as far as the specification covers them; `SPECIFICATIONS` has the differences.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Any, Final

import msgspec

from boardwire import dialects
from boardwire.conformance.server import specification_path


class Goal(Enum):
    """The course of the match that the case needs."""

    LEFT = auto()
    """Another player leaves after a few moves."""
    OVER = auto()
    """The match is played to its end, with any winner."""
    WON = auto()
    LOST = auto()
    DRAWN = auto()


class Delivery(Enum):
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
    """The server sends bytes that are no message, and closes if nothing after them would be readable."""
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
    """One case; see the module docstring.  `does` describes the server's behaviour to the person who drives the
    client."""

    name: str
    section: str
    does: str
    goal: Goal = Goal.LEFT
    delivery: Delivery = Delivery.WHOLE
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


class Specification(msgspec.Struct, frozen=True, kw_only=True):
    """Sections of a dialect's specification; empty: the protocol has no such feature."""

    framing: str
    first: str
    second: str
    turns: str
    refused: str
    won: str
    lost: str
    drawn: str = ""
    left: str
    unknown: str
    extra: str = ""
    pings: str = ""
    three: str = ""
    out: str = ""
    expert: str = ""
    moves: int = 3
    held: float = 0.0
    speed: float = 1.0
    long: bool = False
    """Whether matches are long: wins and losses are then examined from one seat each."""


_D: Final = Specification(
    framing="2", first="6.1", second="6.2", turns="6.7", refused="9", won="6.9", lost="6.9", left="9", unknown="13",
    three="6.2", out="6", moves=5,
)  # fmt: skip
_F: Final = Specification(
    framing="2", first="7.1", second="7.2", turns="7.6", refused="9", won="7.8", lost="7.8", left="9", unknown="13",
    three="7.2", out="7", moves=5,
)  # fmt: skip
_ACTIONS: Final = Specification(
    framing="1", first="4.1", second="4.1", turns="4.4", refused="5", won="4.5", lost="4.5", left="4.5", unknown="10",
    extra="1", three="4.1", out="4.5", moves=8,
)  # fmt: skip
SPECIFICATIONS: Final = {
    "tris-lines": Specification(
        framing="1", first="2", second="2", turns="2", refused="5", won="3", lost="3", drawn="6.4", left="5",
        unknown="8", moves=2,
    ),
    "forza-lines": Specification(
        framing="1", first="3", second="3", turns="4", refused="5", won="4", lost="4", drawn="4", left="4",
        unknown="2.2",
    ),
    "santorini-objects": _D,
    "santorini-objects/d1": _D,
    "santorini-objects/shipped": _F,
    "santorini-actions": _ACTIONS,
    "santorini-actions/shipped": msgspec.structs.replace(_ACTIONS, pings="4.6", held=1.2, speed=10.0),
    "santorini-lobby": Specification(
        framing="1", first="5.2", second="5.3", turns="5.8", refused="10", won="5.10", lost="5.10", left="10",
        unknown="13", extra="1", pings="9", three="5.2", out="5.9", moves=8, held=3.0, speed=10.0,
    ),
    "eriantys-messages": Specification(
        framing="1", first="4.1", second="4.2", turns="4.5", refused="6.6", won="4.7", lost="4.7", left="6.7",
        unknown="3", extra="1", pings="6.8", three="6.1", expert="6.5", moves=6, held=20.0, long=True,
    ),
    "eriantys-objects": Specification(
        framing="1", first="3.2.3", second="3.2.2", turns="3.4", refused="6.1", won="3.6", lost="3.6", left="3.6",
        unknown="2.1", pings="3.1", three="3.2.7", expert="3.2.2", moves=6, held=7.0, long=True,
    ),
    "native": Specification(
        framing="1", first="3.4", second="3.4", turns="10", refused="4.7", won="5.6", lost="5.6", drawn="5.6",
        left="12", unknown="1", extra="1", pings="1", three="3.4", out="6", held=2.5, speed=10.0,
    ),
}  # fmt: skip


def cases(dialect: str, game: str = "") -> tuple[Case, ...]:
    """Return the cases of a dialect, in the order in which a client meets them; `game` is for dialects of several
    games."""
    specification = SPECIFICATIONS[dialect]
    if not dialects.dialect(dialect).game:
        specification = msgspec.structs.replace(specification, **_BY_GAME[game or DEFAULT_GAME])
    return tuple(
        msgspec.structs.replace(case, section=f"{specification_path(dialect)}, {case.section}")
        for case in _cases(specification, bool(dialects.dialect(dialect).greeting) or "objects" in dialect)
        if case.section
    )


DRAW_TRIES: Final = 24
"""Matches played to reach a draw.

In Forza Quattro, 8 to 12 of 20 matches against a random client are drawn, so all 24 fail for about one such client in
200,000.
"""

COALESCED: Final = "takes several messages at once"
"""The case that a client fails which does not split its input into messages."""

FIRST: Final = ", coming first"
LAST: Final = ", coming last"
"""Suffix of cases that seat the client at the other place than the case of the same name."""

MOVING_EVENTS: Final = 26
"""Events after which three players of Santorini have placed their workers and move."""

DEFAULT_GAME: Final = "tris"
"""Default game of a dialect of several games."""

_NEITHER: Final = {"three": "", "out": ""}
_BY_GAME: Final[dict[str, dict[str, Any]]] = {
    "tris": {**_NEITHER, "moves": 2},
    "forza": {**_NEITHER},
    "santorini": {"drawn": "", "moves": 8},
    "eriantys": {"drawn": "", "out": "", "moves": 6, "long": True},
}
"""Differences by game where a dialect has several."""


def _cases(spec: Specification, objects: bool) -> tuple[Case, ...]:
    few, tries = spec.moves, 3 if spec.long else 8

    def once(section: str) -> str:
        """Return a section for another whole match, if matches are short."""
        return "" if spec.long else section

    return (
        Case(name="comes first", section=spec.first, does="the other player comes after yours", moves=few),
        Case(name="comes last", section=spec.second, does="the other player is there already", last=True, moves=few),
        Case(
            name="shows that it is there", section=spec.pings, does="the others let yours wait",
            held=spec.held, speed=spec.speed, moves=few,
        ),
        Case(
            name="plays with three", section=spec.three, does="two others are there, and want to be three", last=True,
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
        Case(name="wins", section=spec.won, does="the other plays so that yours can win", goal=Goal.WON, tries=tries),
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
            name="hears that the other has left", section=spec.left, does="the other leaves", moves=few + 1,
        ),
        Case(
            name=f"hears that the other has left{LAST}", section=spec.left,
            does="the other is there already, and leaves", moves=few + 1, last=True,
        ),
        Case(
            name="goes on after a refusal", section=spec.refused, does="one of your answers is not taken",
            trouble=Trouble.REFUSAL, moves=few, last=True,
        ),
        Case(
            name=COALESCED, section=spec.framing, does="what the server says comes in heaps",
            delivery=Delivery.MERGED, moves=few + 1,
        ),
        Case(
            name="takes one byte at a time", section=spec.framing, does="what the server says comes byte by byte",
            delivery=Delivery.BYTES, moves=few,
        ),
        Case(
            name="waits for a slow server", section=spec.framing, does="everything comes late",
            delivery=Delivery.SLOW, moves=few,
        ),
        Case(
            name="passes over members it does not know", section=spec.extra, does="every object has one member more",
            delivery=Delivery.EXTRA, moves=few,
        ),
        Case(
            name="survives an unknown message", section=spec.unknown, does="one message is not in the specification",
            trouble=Trouble.UNKNOWN, moves=few,
        ),
        Case(
            name="survives bytes that are no message", section=spec.framing,
            does="some bytes are no message, and then the server closes" if objects else "one line is no message",
            trouble=Trouble.GARBAGE, moves=few,
        ),
        Case(
            name="ends after half a message", section=spec.framing, does="the server stops in mid-message and closes",
            trouble=Trouble.HALF, moves=few,
        ),
        Case(
            name="ends when the server closes", section=spec.left, does="the server closes in mid-match",
            trouble=Trouble.CLOSE, moves=few,
        ),
    )  # fmt: skip
