"""santorini-lobby: Santorini as JSON lines with a type and a content (seed 004).

Specification: docs/dialects/santorini-lobby.md.
"""

from typing import Final

from boardwire.dialects.dialect import Dialect, Encoding
from boardwire.dialects.santorini_lobby.client import play
from boardwire.dialects.santorini_lobby.lobby import GAME, NAME
from boardwire.dialects.santorini_lobby.messages import MAX_LINE_BYTES, SIZES
from boardwire.dialects.santorini_lobby.server import serve
from boardwire.wire.lines import LineDecoder

DIALECTS: Final = {
    NAME: Dialect(
        NAME, GAME, 7004, lambda: LineDecoder(MAX_LINE_BYTES), serve, play, players=SIZES, encoding=Encoding.JSON
    )
}
