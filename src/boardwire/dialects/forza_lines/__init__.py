"""forza-lines: Forza Quattro as lines that a person can type. Specification: docs/dialects/forza-lines.md."""

from typing import Final

from boardwire.dialects.dialect import Dialect
from boardwire.dialects.forza_lines.client import aside, play
from boardwire.dialects.forza_lines.messages import LINE_LIMIT, NAME
from boardwire.dialects.forza_lines.server import serve
from boardwire.wire.lines import LineDecoder

DIALECTS: Final = {
    NAME: Dialect(
        NAME,
        "forza",
        7005,
        lambda: LineDecoder(LINE_LIMIT),
        serve,
        play,
        handshake=120.0,
        players=(2,),
        aside=aside,
        names_first=True,
    ),
}
