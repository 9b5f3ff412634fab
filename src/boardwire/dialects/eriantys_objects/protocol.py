"""Declaration of eriantys-objects. Its questions are those of `ask.ASK` and `answer.ANSWER`."""

from __future__ import annotations

from typing import Final

from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects.answer import ANSWER, QUERIES
from boardwire.dialects.eriantys_objects.ask import ASK, Question
from boardwire.dialects.eriantys_objects.lobby import FORBIDDEN, HELD_SECONDS, TAKEN
from boardwire.dialects.protocol import END, START, Arc, Protocol, Sections, message_types

LOGIN: Final = "Login"
HELD: Final = "Held"
NUMBER: Final = "Number"
TOWER: Final = "Tower"
OWN_TOWER: Final = "OwnTower"
MODE: Final = "Mode"
WAITING: Final = "Waiting"
WATCHING: Final = "Watching"

_REQUESTS: Final[dict[Question, type]] = {
    Question.CARD: wire.DisplayDeckAndAskCardMessage,
    Question.OFFER: wire.ReqPlayCharacterCardMessage,
    Question.EFFECT: wire.AskMoveStudentFromCardToIslandMessage,
    Question.ISLAND: wire.StudentToIslandMessage,
    Question.HALL: wire.StudentToHallMessage,
    Question.STEPS: wire.ReqMoveMotherNatureMessage,
    Question.CLOUD: wire.ReqMoveCloudToEntranceMessage,
}
EFFECTS: Final[dict[type, type]] = {
    wire.MovedFromCardToIsland: wire.AskMoveStudentFromCardToIslandMessage,
    wire.MovedStudentFromCardToHall: wire.ReqStudentFromCardToHall,
    wire.MovedBanCardMessage: wire.AskMoveBanCardMessage,
    wire.ChosenColorToIgnore: wire.AskColorToIgnore,
}
"""Answers about a character, each with its request."""
QUESTION_OF: Final = {answer: _REQUESTS[reader.question] for answer, reader in ANSWER.items()} | EFFECTS
"""The request that each message answers."""

_LOBBY: Final = (
    Arc(START, "connects", "the stream's header", LOGIN),
    Arc(LOGIN, "LoginRequest, not a name", f"GenericMessage {FORBIDDEN} LoginReply(false, true)", LOGIN),
    Arc(LOGIN, "LoginRequest, in use", f"GenericMessage {TAKEN} LoginReply(false, true)", LOGIN),
    Arc(LOGIN, "LoginRequest, a table waits", "LoginReply(true, true), InitialResMessage", TOWER),
    Arc(LOGIN, "LoginRequest, no table waits", "LoginReply(true, true), PlayerNumberRequest", NUMBER),
    Arc(LOGIN, "LoginRequest, another client is choosing", "", HELD),
    Arc(HELD, "there is a table", "LoginReply(true, true), InitialResMessage", TOWER),
    Arc(HELD, f"the choosing client left, or {HELD_SECONDS} s", "LoginReply(true, true), PlayerNumberRequest", NUMBER),
    Arc(NUMBER, "PlayerNumberReply", "InitialResMessage", OWN_TOWER),
    Arc(OWN_TOWER, "ChosenTowerMessage", "GameModeReq", MODE),
    Arc(MODE, "GameModeRes", "", WAITING),
    Arc(MODE, "GameModeRes, but that tower is taken at such a table", "InitialResMessage", TOWER),
    Arc(TOWER, "ChosenTowerMessage", "", WAITING),
    Arc(TOWER, "ChosenTowerMessage, not left", "InitialResMessage", TOWER),
    Arc(TOWER, "the table is full, another waits", "InitialResMessage", TOWER),
    Arc(TOWER, "the table is full, none waits", "PlayerNumberRequest", NUMBER),
    Arc(WAITING, "a player leaves", "LobbyInfoMessage", WAITING),
    Arc(WAITING, "all seats are taken", "clouds, islands, own board", WATCHING),
)

_END: Final = (
    Arc(WATCHING, "a player acts", "what it changed", WATCHING),
    Arc(WATCHING, "RequestPlayersBoard", "LobbyInfoMessage", WATCHING),
    Arc(WATCHING, "ReqRealPlayerBoardMessage", "DisplayPlayerBoardMessage", WATCHING),
    Arc(WATCHING, "a player has won", "WinMessage", END),
    Arc(WATCHING, "a draw, or a player left", "DisconnectionMessage", END),
)


def _all_arcs() -> tuple[Arc, ...]:
    """Return the arcs of lobby, questions and end."""
    kinds = {question: kind.value for kind, question in ASK.items()}
    arcs: list[Arc] = []
    for question, kind in _REQUESTS.items():
        request = "the character's Ask message" if question is Question.EFFECT else kind.__name__
        answers = " or ".join(answer.__name__ for answer, reader in ANSWER.items() if reader.question is question)
        when = _WHEN[question] if question in _WHEN else f"is to decide ({kinds[question]})"
        arcs += (
            Arc(WATCHING, when, request, question),
            Arc(question, answers, "what it changed", WATCHING),
            Arc(question, "sends an illegal answer", f"TextMessage, {request}", question),
        )
    return (*_LOBBY, *arcs, *_END)


_WHEN: Final = {
    Question.OFFER: "may use a character",
    Question.EFFECT: "has chosen a character that needs an answer",
    Question.HALL: "has students left after the island",
}

PROTOCOLS: Final = {
    "eriantys-objects": Protocol(
        client=message_types(wire.Request),
        server=message_types(wire.REPLIES),
        arcs=_all_arcs(),
        sections=Sections(
            framing="1", messages="2.1", first="3.2.3", second="3.2.2", turns="3.4", refused="6.1", won="3.6",
            lost="3.6", left="3.6", unknown="2.1", pings="3.1", three="3.2.7", expert="3.2.2",
        ),
        heartbeats=frozenset({"PingMessage"}),
        queries=frozenset(kind.__name__ for kind in QUERIES),
        farewells=frozenset(),
        java=wire.SHIPPED,
        encode_request=wire.encode,
        encode_reply=wire.encode,
        heartbeat_seconds=7.0,
        pings_unasked=True,
    ),
}  # fmt: skip
