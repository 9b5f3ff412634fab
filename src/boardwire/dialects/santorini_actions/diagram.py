"""State diagram for the specification: the requests in HEAR, and the events between them."""

from __future__ import annotations

from typing import Final

from boardwire.dialects.diagram import END, START, Arc
from boardwire.dialects.santorini_actions.answer import HEAR
from boardwire.dialects.santorini_actions.messages.requests import TAGS
from boardwire.dialects.santorini_actions.participant import Phase

_HAPPENS: Final = (
    (Phase.GOD, "setPickedCards naming you"),
    (Phase.WATCHING, "setPickedCards naming another"),
    (Phase.CARD, "setPickedCards, setPlayerCard"),
    (Phase.PLACING, "setPickedCards, setWorkersPosition"),
    (Phase.STARTING, "setPickedCards, actualPlayer"),
)
"""Phases when the last player has joined, with the messages sent; the last three at tables of other dialects."""

_ASKED: Final = (
    (Phase.GOD, "the god player goes", "setPickedCards naming you"),
    (Phase.CARD, "it is your turn to choose", "setPlayerCard"),
    (Phase.PLACING, "it is your turn to place", "setWorkersPosition"),
    (Phase.STARTING, "it is your turn", "actualPlayer"),
    (Phase.OUT, "the match is over, or you cannot move", "youWin or youLose"),
)


def arcs() -> tuple[Arc, ...]:
    """Return all arcs, in the order of a match."""
    found = [
        Arc(START, "connects", "ping in the shipped edition", Phase.LOBBY),
        Arc(Phase.LOBBY, "addPlayer, refused", "addPlayerResponse", Phase.LOBBY),
        Arc(Phase.LOBBY, "addPlayer", "addPlayerResponse", Phase.WAITING),
    ]
    found += [Arc(Phase.WAITING, "the last player comes", says, phase) for phase, says in _HAPPENS]
    for phase, requests in HEAR.items():
        for kind, heard in requests.items():
            found += [Arc(phase, TAGS[kind], heard.says, target) for target in heard.leads]
    found += [Arc(Phase.WATCHING, happens, says, target) for target, happens, says in _ASKED]
    found += [
        Arc(Phase.OUT, "addPlayer", "addPlayerResponse", Phase.WAITING),
        Arc(Phase.OUT, "the match is over", "", Phase.LOBBY),
        Arc(Phase.WATCHING, "in any state of a match, a player leaves", "serverError", END),
    ]
    return tuple(found)
