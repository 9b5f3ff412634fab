"""santorini-objects: Santorini as Java objects over TCP (seed 000).

Every listener serves both the document's edition and the shipped one. The listeners differ in the edition of their
client and in the form of the document's edition (D1 or D2) that they assume. Specification:
docs/dialects/santorini-objects.md.
"""

from typing import Final

from boardwire.dialects.dialect import Dialect, Encoding
from boardwire.dialects.santorini_objects.client import play_in
from boardwire.dialects.santorini_objects.editions import Edition, EditionDecoder
from boardwire.dialects.santorini_objects.lobby import SEATS
from boardwire.dialects.santorini_objects.server import serve

LOGIN_TIMEOUT_SECONDS: Final = 10.0
"""Time limit for the complete first message [6.1, 7.1]."""


def _dialect_of(name: str, port: int, document: Edition, client: Edition) -> Dialect:
    """Return a dialect whose server assumes `document` for D clients, and whose client speaks `client`."""
    return Dialect(
        name,
        "santorini",
        port,
        lambda: EditionDecoder(document, Edition.F),
        serve,
        play_in(client),
        LOGIN_TIMEOUT_SECONDS,
        players=SEATS,
        encoding=Encoding.OBJECTS,
    )


DIALECTS: Final = {
    "santorini-objects": _dialect_of("santorini-objects", 7000, Edition.D2, Edition.D2),
    "santorini-objects/d1": _dialect_of("santorini-objects/d1", 7010, Edition.D1, Edition.D1),
    "santorini-objects/shipped": _dialect_of("santorini-objects/shipped", 2072, Edition.D2, Edition.F),
}
