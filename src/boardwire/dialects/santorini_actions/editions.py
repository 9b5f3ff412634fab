"""Editions of santorini-actions: differences between the document and the shipped program, as data.

Sections of the document are cited as (creation 1) to (finish 2), those of docs/dialects/santorini-actions.md as [4.1].
All other behaviour is common to both editions.
"""

from __future__ import annotations

from typing import Final

import msgspec


class Edition(msgspec.Struct, frozen=True):
    """One edition. The defaults are the document's."""

    name: str
    port: int
    pings: bool = False
    """Whether the server sends pings and closes connections that stop answering [4.6]."""
    lower: bool = False
    """Whether names must match a short pattern and are converted to lower case; otherwise they stay unchanged [4.1]."""
    nick_is_verdict: bool = False
    """Whether `validNick` is the overall verdict; otherwise it concerns only the name [4.1]."""
    reports_other_size: bool = True
    """Whether `lobbyState` is false if only a table of the other size is waiting [4.1]."""
    bare_deck: bool = True
    """Whether the deck is an array; otherwise an object with `listOfCards` [6]."""
    turns_to_all: bool = True
    """Whether all players receive every turn announcement; otherwise only the first one [6]."""
    echoes: bool = True
    """Whether `playStepResponse` contains the cell of the action; otherwise that of the selected worker [6]."""
    complaint: str = "serverError"
    """Action of the message that reports an error to the client that caused it [5]."""


DOCUMENT: Final = Edition("santorini-actions", 7003)
SHIPPED: Final = Edition(
    "santorini-actions/shipped",
    1337,
    pings=True,
    lower=True,
    nick_is_verdict=True,
    reports_other_size=False,
    bare_deck=False,
    turns_to_all=False,
    echoes=False,
    complaint="invalidRequest",
)
