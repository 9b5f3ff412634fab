"""Declaration of tris-lines. Sections of the published document are in parentheses."""

from __future__ import annotations

from typing import Final

from boardwire.dialects.protocol import END, START, Arc, MessageType, Protocol, Sections

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

PROTOCOLS: Final = {
    "tris-lines": Protocol(
        client=(MessageType("cell", "Put my mark on this cell (2).", form="`0` … `8`"),),
        server=(
            MessageType("WAIT", "To the first player only: your mark is 1; wait (1)."),
            MessageType("READY", "To both: the match begins, and the first player moves (1)."),
            MessageType("OK", "To the mover: your move is valid, now the other moves (3)."),
            MessageType("KO", "To the mover: your move is not valid, try again (3).", "5"),
            MessageType("W", "To the mover: your move is valid and you have won (3), (5)."),
            MessageType("P", "To the mover: your move is valid and the match is drawn (3), (5)."),
            MessageType(
                "board",
                "To the other: the board after the move. `L` after the last comma: you have lost; `P`: the match is"
                " drawn; otherwise it is your move (4), (5).",
                form="`c,c,c,c,c,c,c,c,c,`",
            ),
            MessageType(
                "DISCONNECTED", "To the remaining player: the match is over without a result on the board (6).", "5"
            ),
        ),
        arcs=ARCS,
        sections=Sections(
            framing="1", messages="2", first="2", second="2", turns="2", refused="5", won="3", lost="3", drawn="6.4",
            left="5", unknown="8",
        ),
        farewells=frozenset(),
    ),
}  # fmt: skip
