"""Declaration of santorini-objects, one for each edition. Its questions are those of `ask.ASK`."""

from __future__ import annotations

from typing import Final

import msgspec

from boardwire.dialects.protocol import END, START, Arc, Protocol, Sections, message_types
from boardwire.dialects.santorini_objects.ask import ASK, MESSAGE_NAMES
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.dialects.santorini_objects.messages import texts
from boardwire.games.santorini.kinds import Kind

WAITING: Final = "Waiting"
NAMING: Final = "Naming"
WATCHING: Final = "Watching"
CLOSING: Final = "Closing"
_STATES: Final = {Kind.PICK_GOD: "Picking", Kind.PLACE_WORKER: "Placing", Kind.OPEN: "Acting"}
"""State of a client with a question, by the first kind of decision that has its request."""


def _all_arcs(edition: Edition) -> tuple[Arc, ...]:
    begin = _shipped_lobby_arcs() if edition.is_shipped else _document_lobby_arcs()
    return (*begin, *_question_arcs(edition), *_end_arcs(edition))


def _document_lobby_arcs() -> tuple[Arc, ...]:
    number = texts.NUMBER.format("i")
    return (
        Arc(START, 'Message "2 players" or "3 players"', "", WAITING),
        Arc(START, "any other first object", "", END),
        Arc(WAITING, "the table is full", texts.ASK_NAME, NAMING),
        Arc(WAITING, "sends anything", "", WAITING),
        Arc(NAMING, "Message with the name", "", WAITING),
        Arc(NAMING, "sends anything else", texts.ASK_NAME, NAMING),
        Arc(NAMING, "is silent for a minute", "", END),
        Arc(WAITING, "all have names", f"{number}, UpdateInitializeNames", WATCHING),
    )


def _shipped_lobby_arcs() -> tuple[Arc, ...]:
    number = texts.SHIPPED_NUMBER.format("i")
    return (
        Arc(START, "SerializableConnection", "", WAITING),
        Arc(START, "a number that is not 2 or 3", texts.BAD_NUMBER, END),
        Arc(START, "an invalid or taken name", texts.BAD_NAME, END),
        Arc(START, "any other first object", "", END),
        Arc(WAITING, "sends anything", "", WAITING),
        Arc(WAITING, "the table is full", f"{number}, UpdateInitializeNames", WATCHING),
    )


def _question_arcs(edition: Edition) -> tuple[Arc, ...]:
    """Return the transitions of one state per kind of request."""
    arcs: list[Arc] = []
    kinds_by_question = {
        question: [Kind(kind) for kind, other in ASK[edition].items() if other is question]
        for question in MESSAGE_NAMES
    }
    error = "RequestError, " if edition.is_shipped else ""
    for question, kinds in kinds_by_question.items():
        if kinds:
            request, answer = MESSAGE_NAMES[question]
            state = _STATES[kinds[0]]
            arcs += (
                Arc(WATCHING, f"is to decide ({', '.join(kinds)})", request, state),
                Arc(state, answer, "updates to all", WATCHING),
                Arc(state, "sends what is not offered", f"{error}the same request", state),
            )
    if edition.is_shipped:
        arcs += (
            Arc(WATCHING, "its own action has ended its turn", "RequestAction with nothing on offer", CLOSING),
            Arc(CLOSING, "DeclineLastAction", "what happened since", WATCHING),
            Arc(CLOSING, "DeclineLastAction after the last turn", "what happened since, UpdateWinner", END),
            Arc(CLOSING, "sends anything else", "RequestError, the same request", CLOSING),
        )
    return tuple(arcs)


def _end_arcs(edition: Edition) -> tuple[Arc, ...]:
    turn = "UpdateLoser, UpdateTurn, UpdateWinner" if edition.is_shipped else "UpdateLoser, UpdateWinner"
    return (
        Arc(WATCHING, "a player acts", "updates", WATCHING),
        Arc(WATCHING, "sends anything", "RequestError" if edition.is_shipped else "", WATCHING),
        Arc(WATCHING, "a player has won", "UpdateWinner", END),
        Arc(WATCHING, "one of two is stuck", turn, END),
        Arc(WATCHING, "one of three is stuck", "UpdateLoser, UpdateTurn", WATCHING),
        Arc(WATCHING, "a player leaves", "UpdateDisconnection", END),
    )


def _protocol_of(edition: Edition, sections: Sections) -> Protocol:
    """Return the declaration of an edition, with the messages of both D and F, which share a listener."""
    every, other = Edition.D2.schema.types | Edition.F.schema.types, Edition.D2 if edition.is_shipped else Edition.F

    def encode(message: msgspec.Struct) -> bytes:
        return (edition if type(message) in edition.schema.types else other).encode(message)

    return Protocol(
        client=message_types((wire.Message, *wire.REQUESTS)),
        server=message_types(kind for kind in every if kind not in (wire.Position, *wire.REQUESTS)),
        arcs=_all_arcs(edition),
        java=edition.schema,
        sections=sections,
        farewells=frozenset({"Message", "Connection"}),
        encode_request=encode,
        encode_reply=encode,
    )


_D: Final = Sections(
    framing="2", messages="4", first="6.1", second="6.2", turns="6.7", refused="9", won="6.9", lost="6.9", left="9",
    unknown="13", three="6.2", out="6",
)  # fmt: skip
_F: Final = Sections(
    framing="2", messages="4", first="7.1", second="7.2", turns="7.6", refused="9", won="7.8", lost="7.8", left="9",
    unknown="13", three="7.2", out="7",
)  # fmt: skip

PROTOCOLS: Final = {
    "santorini-objects": _protocol_of(Edition.D2, _D),
    "santorini-objects/d1": _protocol_of(Edition.D1, _D),
    "santorini-objects/shipped": _protocol_of(Edition.F, _F),
}
