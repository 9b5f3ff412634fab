"""Declaration of forza-lines."""

from typing import Final

from boardwire.dialects.forza_lines.messages import FLOOR, NAME
from boardwire.dialects.protocol import END, START, Arc, MessageType, Protocol, Sections

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

PROTOCOLS: Final = {
    NAME: Protocol(
        client=(
            MessageType("name", "The player's name.", "3", form="the first line"),
            MessageType("column", "Drop a disc into this column, counted from the left.", "2.1", form="`1` … `7`"),
            MessageType("SAY", "Send a chat line to the table, at most 500 characters.", "2.1", form="`SAY WORDS`"),
            MessageType("RESIGN", "Resign.", "2.1"),
        ),
        server=(
            MessageType("HELLO", "Send your name.", "3", form="`HELLO WORDS`"),
            MessageType("WELCOME", "You have a seat; wait.", "3", form="`WELCOME WORDS`"),
            MessageType(
                "START", "The match begins: your colour, and the other player's name, which may contain spaces.", "3",
                form="`START COLOUR NAME`",
            ),
            MessageType("DROP", "To both: a disc was dropped; the board follows.", form="`DROP COLOUR COLUMN`"),
            MessageType("|", "To both: a row of the board.", "2.3", form="a row"),
            MessageType(FLOOR, "To both: the floor, which ends the board.", "2.3"),
            MessageType("TURN", "To both: whose turn it is.", form="`TURN COLOUR`"),
            MessageType("SAID", "To both: a chat line; `WATCHER` is a spectator.", form="`SAID COLOUR WORDS`"),
            MessageType("NO", "Your last line was refused, and why.", "5", form="`NO REASON WORDS`"),
            *(
                MessageType(word, "The match is over, and how it ended.", form=f"`{word} WORDS`")
                for word in ("WON", "LOST", "DRAWN")
            ),
            MessageType("BROKEN_OFF", "The match is over without a result, and why.", form="`BROKEN_OFF WORDS`"),
        ),
        arcs=ARCS,
        sections=Sections(
            framing="1", messages="2.2", first="3", second="3", turns="4", refused="5", won="4", lost="4", drawn="4",
            left="4", unknown="2.2",
        ),
        queries=frozenset({"SAY"}),
        farewells=frozenset({"RESIGN"}),  # possible at any time, so it may cross any end
    ),
}  # fmt: skip
