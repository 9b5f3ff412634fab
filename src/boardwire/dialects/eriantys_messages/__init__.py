"""eriantys-messages: the published document's messages as JSON lines (seed 001).

Specification: docs/dialects/eriantys-messages.md.
"""

from typing import Final

from boardwire.dialects.dialect import Dialect, Encoding
from boardwire.dialects.eriantys_messages.client import SETTINGS, play
from boardwire.dialects.eriantys_messages.lobby import PLAYERS
from boardwire.dialects.eriantys_messages.messages import NAME
from boardwire.dialects.eriantys_messages.server import serve
from boardwire.wire.lines import LineDecoder

DIALECTS: Final = {
    NAME: Dialect(
        NAME,
        "eriantys",
        7001,
        LineDecoder,
        serve,
        play,
        handshake=15.0,
        players=PLAYERS,
        settings=SETTINGS,
        encoding=Encoding.JSON,
        names_first=True,
    )
}
