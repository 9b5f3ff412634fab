"""State diagram of tris-lines, as seen by one client.

Used by the specification's diagram and by the test that walks the server along the arcs.
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
    Arc(WAITING, "an opponent arrives", "READY", MOVING),
    Arc(WAITING, "leaves, or sends a line that is too long", "", END),
    Arc(MOVING, "sends anything but a free cell", "KO", MOVING),
    Arc(MOVING, "sends a free cell", "OK", WATCHING),
    Arc(MOVING, "completes a line", "W", END),
    Arc(MOVING, "fills the board", "P", END),
    Arc(MOVING, "reaches the limit of refused lines", "KO", END),
    Arc(MOVING, "opponent leaves", "DISCONNECTED", END),
    Arc(MOVING, "leaves, or sends a line that is too long", "", END),
    Arc(WATCHING, "sends anything", "", WATCHING),
    Arc(WATCHING, "opponent moves", "board", MOVING),
    Arc(WATCHING, "opponent completes a line", "board with L", END),
    Arc(WATCHING, "opponent fills the board", "board with P", END),
    Arc(WATCHING, "opponent leaves", "DISCONNECTED", END),
    Arc(WATCHING, "leaves, or sends a line that is too long", "", END),
)
