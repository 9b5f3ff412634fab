"""State diagram of eriantys-objects, as seen by one client; shown in the specification.

The questions of a match are taken from `ask.ASK` and `answer.ANSWER`, so the diagram follows the code.
"""

from __future__ import annotations

from typing import Final

from boardwire.dialects.diagram import END, START, Arc
from boardwire.dialects.dispatch import exhaustive
from boardwire.dialects.eriantys_objects.answer import ANSWER
from boardwire.dialects.eriantys_objects.ask import ASK, Asked
from boardwire.dialects.eriantys_objects.lobby import FORBIDDEN, HELD_SECONDS, TAKEN

LOGIN: Final = "Login"
HELD: Final = "Held"
NUMBER: Final = "Number"
TOWER: Final = "Tower"
OWN_TOWER: Final = "OwnTower"
MODE: Final = "Mode"
WAITING: Final = "Waiting"
WATCHING: Final = "Watching"

REQUESTS: Final = exhaustive(
    {
        Asked.CARD: "DisplayDeckAndAskCardMessage",
        Asked.OFFER: "ReqPlayCharacterCardMessage",
        Asked.EFFECT: "the character's Ask message",
        Asked.ISLAND: "StudentToIslandMessage",
        Asked.HALL: "StudentToHallMessage",
        Asked.STEPS: "ReqMoveMotherNatureMessage",
        Asked.CLOUD: "ReqMoveCloudToEntranceMessage",
    },
    Asked,
    "",
)
"""Request that asks each question."""

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


def arcs() -> tuple[Arc, ...]:
    """Return all arcs of the diagram."""
    kinds = {asked: kind.value for kind, asked in ASK.items()}
    found: list[Arc] = []
    for asked, request in REQUESTS.items():
        answers = " or ".join(answer.__name__ for answer, one in ANSWER.items() if one.asked is asked)
        when = _WHEN[asked] if asked in _WHEN else f"is to decide ({kinds[asked]})"
        found += (
            Arc(WATCHING, when, request, asked),
            Arc(asked, answers, "what it changed", WATCHING),
            Arc(asked, "sends what cannot be taken", f"TextMessage, {request}", asked),
        )
    return (*_LOBBY, *found, *_END)


_WHEN: Final = {
    Asked.OFFER: "may use a character",
    Asked.EFFECT: "has chosen a character that needs an answer",
    Asked.HALL: "has students left after the island",
}
