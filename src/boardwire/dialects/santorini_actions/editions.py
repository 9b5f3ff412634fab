"""The two editions of santorini-actions, as data: where the document and the program shipped for it differ.

Sections of the document are cited as (creation 1) to (finish 2), those of docs/dialects/santorini-actions.md
as [4.1].  Everything that is not a field here is common to both editions.
"""

from __future__ import annotations

from typing import Final

import msgspec


class Edition(msgspec.Struct, frozen=True):
    """One edition.  The defaults are the document's."""

    name: str
    port: int
    pings: bool = False
    """Whether the server pings, and drops who no longer answers [4.6]."""
    lower: bool = False
    """Whether names are written in lower case, and limited to a few characters; otherwise as registered [4.1]."""
    overall: bool = False
    """Whether `validNick` is the overall answer; otherwise it tells about the name alone [4.1]."""
    crowded: bool = True
    """Whether a size that nobody waits for is answered by `lobbyState:false` while the other is waited for [4.1]."""
    bare_deck: bool = True
    """Whether the deck is an array; otherwise an object with `listOfCards` [6]."""
    turns_to_all: bool = True
    """Whether every turn is announced to all; otherwise the first alone, then each to its player [6]."""
    echoes: bool = True
    """Whether `playStepResponse` has the cell of the action; otherwise that of the selected worker [6]."""
    complaint: str = "serverError"
    """The action that tells an offender what was wrong [5]."""


DOCUMENT: Final = Edition("santorini-actions", 7003)
SHIPPED: Final = Edition(
    "santorini-actions/shipped",
    1337,
    pings=True,
    lower=True,
    overall=True,
    crowded=False,
    bare_deck=False,
    turns_to_all=False,
    echoes=False,
    complaint="invalidRequest",
)
