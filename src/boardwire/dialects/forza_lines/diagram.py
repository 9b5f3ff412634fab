"""State diagram of forza-lines, as seen by one client; shown in the specification and walked by a test."""

from typing import Final

from boardwire.dialects.diagram import END, START, Arc

NAMELESS, WAITING, MOVING, WATCHING = "Nameless", "Waiting", "YourTurn", "TheirTurn"

ARCS: Final = (
    Arc(START, "connects", "HELLO", NAMELESS),
    Arc(NAMELESS, "sends an invalid name", "NO", NAMELESS),
    Arc(NAMELESS, "sends a name, first of a pair", "WELCOME", WAITING),
    Arc(NAMELESS, "sends a name, second of a pair", "WELCOME START board TURN", WATCHING),
    Arc(WAITING, "an opponent arrives", "START board TURN", MOVING),
    Arc(MOVING, "sends anything but an open column", "NO", MOVING),
    Arc(MOVING, "sends an open column", "DROP board TURN", WATCHING),
    Arc(MOVING, "makes four in a row", "DROP board WON", END),
    Arc(WATCHING, "opponent drops a disc", "DROP board TURN", MOVING),
    Arc(WATCHING, "opponent makes four in a row", "DROP board LOST", END),
    *(Arc(at, "sends a column", "NO", at) for at in (WAITING, WATCHING)),
    *(Arc(at, "either player chats", "SAID", at) for at in (MOVING, WATCHING)),
    *(Arc(at, "resigns", "LOST", END) for at in (MOVING, WATCHING)),
    *(Arc(at, "opponent resigns", "WON", END) for at in (MOVING, WATCHING)),
    *(Arc(at, "opponent leaves", "BROKEN_OFF", END) for at in (MOVING, WATCHING)),
    *(Arc(at, "leaves", "", END) for at in (NAMELESS, WAITING, MOVING, WATCHING)),
)
