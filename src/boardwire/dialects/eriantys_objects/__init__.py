"""eriantys-objects: Eriantys as Java objects over TCP, as the shipped program speaks it (seed 001).

Specification: docs/dialects/eriantys-objects.md.
"""

from typing import Final

from boardwire.dialects.dialect import Dialect, Encoding
from boardwire.dialects.eriantys_objects.client import SETTINGS, play
from boardwire.dialects.eriantys_objects.lobby import NAME
from boardwire.dialects.eriantys_objects.messages import GREETING, replies, requests
from boardwire.dialects.eriantys_objects.server import serve

PORT: Final = 16847

DIALECTS: Final = {
    NAME: Dialect(
        NAME,
        "eriantys",
        PORT,
        requests,
        serve,
        play,
        handshake=5.0,
        greeting=GREETING,
        replies=replies,
        settings=SETTINGS,
        encoding=Encoding.OBJECTS,
        names_first=True,
    )
}
