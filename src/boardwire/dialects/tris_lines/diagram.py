"""The conversation of tris-lines as a table of arcs, for the diagram on its page and for the test that walks it.

States are those of one client: it waits for an opponent, it is to move, or the opponent is.
"""

from __future__ import annotations

from typing import Final

from boardwire.dialects.diagram import END, START, Arc

WAITING: Final = "Waiting"
MOVING: Final = "YourTurn"
WATCHING: Final = "TheirTurn"

ARCS: Final = (
    Arc(START, "connects, first of a pair", "WAIT", WAITING),
    Arc(START, "connects, second of a pair", "READY", WATCHING),
    Arc(WAITING, "sends anything", "", WAITING),
    Arc(WAITING, "an opponent comes", "READY", MOVING),
    Arc(WAITING, "leaves, or sends too long a line", "", END),
    Arc(MOVING, "sends what is no free cell", "KO", MOVING),
    Arc(MOVING, "sends a free cell", "OK", WATCHING),
    Arc(MOVING, "completes a line", "W", END),
    Arc(MOVING, "fills the board", "P", END),
    Arc(MOVING, "is refused too often", "KO", END),
    Arc(MOVING, "opponent leaves", "DISCONNECTED", END),
    Arc(MOVING, "leaves, or sends too long a line", "", END),
    Arc(WATCHING, "sends anything", "", WATCHING),
    Arc(WATCHING, "opponent moves", "board", MOVING),
    Arc(WATCHING, "opponent completes a line", "board with L", END),
    Arc(WATCHING, "opponent fills the board", "board with P", END),
    Arc(WATCHING, "opponent leaves", "DISCONNECTED", END),
    Arc(WATCHING, "leaves, or sends too long a line", "", END),
)
