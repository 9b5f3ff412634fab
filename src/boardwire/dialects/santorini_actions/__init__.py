"""santorini-actions: Santorini as JSON lines over TCP (seed 003).

Specification: docs/dialects/santorini-actions.md.
"""

from functools import partial
from typing import Final

from boardwire.dialects.dialect import Dialect, Encoding
from boardwire.dialects.santorini_actions.client import play_as
from boardwire.dialects.santorini_actions.editions import DOCUMENT, SHIPPED, Edition
from boardwire.dialects.santorini_actions.lobby import SIZES
from boardwire.dialects.santorini_actions.server import serve_as
from boardwire.games.santorini.actions import PickGod, PlaceWorker, ProposeGod
from boardwire.wire.lines import LineDecoder


def dialect(edition: Edition) -> Dialect:
    """Return an edition as a dialect."""
    play = partial(play_as, edition)
    return Dialect(
        edition.name,
        "santorini",
        edition.port,
        LineDecoder,
        serve_as(edition),
        play,
        players=SIZES,
        encoding=Encoding.JSON,
        names_first=True,
        unconfirmed=(ProposeGod, PickGod, PlaceWorker),
    )


DIALECTS: Final = {edition.name: dialect(edition) for edition in (DOCUMENT, SHIPPED)}
