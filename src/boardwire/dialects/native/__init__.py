"""native: our own dialect, JSON messages over a WebSocket, for the page, for bots and for anything new.

The specification is docs/dialects/native.md; the messages are in `messages.py`.
"""

from typing import Final

from boardwire.dialects.dialect import Dialect
from boardwire.dialects.native.client import play
from boardwire.dialects.native.server import serve
from boardwire.wire.websocket import FrameDecoder

DIALECTS: Final = {
    "native": Dialect(
        "native", "", 7070, FrameDecoder, serve, play, handshake=10.0, replies=lambda: FrameDecoder(masked=False)
    ),
}
