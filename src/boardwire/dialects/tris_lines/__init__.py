"""tris-lines: Tris as text lines over TCP (seed 002). Specification: docs/dialects/tris-lines.md."""

from typing import Final

from boardwire.dialects.dialect import Dialect
from boardwire.dialects.tris_lines.client import play
from boardwire.dialects.tris_lines.messages import LINE_LIMIT
from boardwire.dialects.tris_lines.server import serve
from boardwire.wire.lines import LineDecoder

DIALECTS: Final = {
    "tris-lines": Dialect(
        "tris-lines",
        "tris",
        7002,
        lambda: LineDecoder(LINE_LIMIT),
        serve,
        play,
        players=(2,),
        has_names=False,
    ),
}
