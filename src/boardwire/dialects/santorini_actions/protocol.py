"""Declaration of santorini-actions. Its conversation is the requests in HANDLERS, and the events between them."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from boardwire.dialects.protocol import END, START, Arc, Protocol, Sections, message_types
from boardwire.dialects.santorini_actions.answer import HANDLERS
from boardwire.dialects.santorini_actions.messages import replies, requests
from boardwire.dialects.santorini_actions.participant import Phase

_TABLE_FULL: Final = (
    (Phase.GOD, "setPickedCards naming you"),
    (Phase.WATCHING, "setPickedCards naming another"),
    (Phase.CARD, "setPickedCards, setPlayerCard"),
    (Phase.PLACING, "setPickedCards, setWorkersPosition"),
    (Phase.STARTING, "setPickedCards, actualPlayer"),
)
"""Phases after the last player has joined, with the messages sent; the last three at tables of other dialects."""

_ASKED: Final = (
    (Phase.GOD, "the god player goes", "setPickedCards naming you"),
    (Phase.CARD, "it is your turn to choose", "setPlayerCard"),
    (Phase.PLACING, "it is your turn to place", "setWorkersPosition"),
    (Phase.STARTING, "it is your turn", "actualPlayer"),
    (Phase.OUT, "the match is over, or you cannot move", "youWin or youLose"),
)


def _all_arcs() -> tuple[Arc, ...]:
    """Return all arcs, in the order of a match."""
    arcs = [
        Arc(START, "connects", "ping in the shipped edition", Phase.LOBBY),
        Arc(Phase.LOBBY, "addPlayer, refused", "addPlayerResponse", Phase.LOBBY),
        Arc(Phase.LOBBY, "addPlayer", "addPlayerResponse", Phase.WAITING),
    ]
    arcs += [Arc(Phase.WAITING, "the last player comes", messages, phase) for phase, messages in _TABLE_FULL]
    for phase, handlers in HANDLERS.items():
        for kind, handler in handlers.items():
            arcs += [Arc(phase, requests.TAGS[kind], handler.sends, target) for target in handler.next_phases]
    arcs += [Arc(Phase.WATCHING, trigger, messages, target) for target, trigger, messages in _ASKED]
    arcs += [
        Arc(Phase.OUT, "addPlayer", "addPlayerResponse", Phase.WAITING),
        Arc(Phase.OUT, "the match is over", "", Phase.LOBBY),
        Arc(Phase.WATCHING, "in any state of a match, a player leaves", "serverError", END),
    ]
    return tuple(arcs)


def _action_name(kind: type) -> str:
    return requests.action_of(kind.__name__)


_DOCUMENT: Final = Protocol(
    client=message_types(requests.Request, _action_name),
    server=message_types(replies.Reply, _action_name),
    arcs=_all_arcs(),
    sections=Sections(
        framing="1", messages="3", first="4.1", second="4.1", turns="4.4", refused="5", won="4.5", lost="4.5",
        left="4.5", unknown="10", extra="1", three="4.1", out="4.5",
    ),
    heartbeats=frozenset({"ping", "pong"}),
    queries=frozenset(map(_action_name, requests.QUERIES)),
    decode_request=requests.read,
    decode_reply=replies.read,
    encode_request=requests.write,
    encode_reply=replies.write,
    tag_field="action",
)  # fmt: skip

PROTOCOLS: Final = {
    "santorini-actions": _DOCUMENT,
    "santorini-actions/shipped": replace(
        _DOCUMENT, sections=replace(_DOCUMENT.sections, pings="4.6"), heartbeat_seconds=12.0
    ),
}
