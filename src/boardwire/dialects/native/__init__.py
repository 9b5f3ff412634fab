"""native: boardwire's own dialect, JSON messages over a WebSocket, for the web page, bots and new clients.

- Specification: docs/dialects/native.md; messages: `messages.py`.
- Server: `server.py` (the conversation), `answer.py` (requests), `tell.py` (states and steps).
- Client: `client.py` (plays one match), `relay.py` (passes messages on, for the full-screen client), `caller.py`
  (requests as calls, for any script).
"""

from typing import Final

from boardwire.dialects.dialect import Dialect, Encoding
from boardwire.dialects.native.client import SETTINGS, aside, play
from boardwire.dialects.native.server import serve
from boardwire.wire.websocket import FrameDecoder, encode_close

REPLY_LIMIT: Final = 1024 * 1024
"""Longest message that a client accepts, in bytes: a full list of tables is the longest reply."""


def replies() -> FrameDecoder:
    """Return a decoder for a server's frames."""
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
        farewell=encode_close(1012, "the server is restarting; reconnect later"),  # 1012: service restart [1]
        expulsion=encode_close(1008, "banned"),  # 1008: policy violation [1]
        announces=True,
        replies=replies,
        settings=SETTINGS,
        aside=aside,
        encoding=Encoding.FRAMES,
    ),
}
