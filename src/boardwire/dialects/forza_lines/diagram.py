"""The conversation of forza-lines as a table of arcs, for the diagram on its page and for the test that walks it."""

from typing import Final

from boardwire.dialects.diagram import END, START, Arc

NAMELESS, WAITING, MOVING, WATCHING = "Nameless", "Waiting", "YourTurn", "TheirTurn"

ARCS: Final = (
    Arc(START, "connects", "HELLO", NAMELESS),
    Arc(NAMELESS, "says no name", "NO", NAMELESS),
    Arc(NAMELESS, "says a name, first of a pair", "WELCOME", WAITING),
    Arc(NAMELESS, "says a name, second of a pair", "WELCOME START board TURN", WATCHING),
    Arc(WAITING, "an opponent comes", "START board TURN", MOVING),
    Arc(MOVING, "says what is no open column", "NO", MOVING),
    Arc(MOVING, "says an open column", "DROP board TURN", WATCHING),
    Arc(MOVING, "makes four in a row", "DROP board WON", END),
    Arc(WATCHING, "opponent drops a disc", "DROP board TURN", MOVING),
    Arc(WATCHING, "opponent makes four in a row", "DROP board LOST", END),
    *(Arc(at, "says a column", "NO", at) for at in (WAITING, WATCHING)),
    *(Arc(at, "either says something", "SAID", at) for at in (MOVING, WATCHING)),
    *(Arc(at, "resigns", "LOST", END) for at in (MOVING, WATCHING)),
    *(Arc(at, "opponent resigns", "WON", END) for at in (MOVING, WATCHING)),
    *(Arc(at, "opponent leaves", "BROKEN_OFF", END) for at in (MOVING, WATCHING)),
    *(Arc(at, "leaves", "", END) for at in (NAMELESS, WAITING, MOVING, WATCHING)),
)
