"""native: our own dialect, JSON messages over a WebSocket, for the page, for bots and for anything new.

Its page is docs/dialects/native.md.  The messages are in `messages.py`, what each request asks for in `answer.py`, the
conversation in `server.py`, and the client's end in `client.py` and `caller.py` (requests as calls, for any script).
"""

from typing import Final

from boardwire.dialects.dialect import Dialect, Encoding
from boardwire.dialects.native.client import SETTINGS, aside, play
from boardwire.dialects.native.server import serve
from boardwire.wire.websocket import FrameDecoder, encode_close

REPLY_LIMIT: Final = 1024 * 1024
"""The longest message a client takes; a list of very many tables is longer than anything a client says."""


def replies() -> FrameDecoder:
    """What reads a server's frames."""
    return FrameDecoder(masked=False, limit=REPLY_LIMIT)


DIALECTS: Final = {
    "native": Dialect(
        "native",
        "",
        7070,
        FrameDecoder,
        serve,
        play,
        handshake=10.0,
        farewell=encode_close(1012, "the server stops; come again"),  # a service that is started again [1]
        replies=replies,
        settings=SETTINGS,
        aside=aside,
        encoding=Encoding.FRAMES,
    ),
}
