"""The arcs match the server's behaviour and the specification."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, get_args

from boardwire.dialects.eriantys_messages import messages as wire
from boardwire.dialects.eriantys_messages.client import Client as Speaker
from boardwire.dialects.eriantys_messages.protocol import (
    ARCS,
    CLOUD,
    CONNECTED,
    ENDED,
    NAMED,
    NATURE,
    PLANNING,
    PLAYING,
    STUDENTS,
    WAITING,
    WATCHING,
)
from boardwire.dialects.protocol import END, START, Arc
from boardwire.games.eriantys import Action, Character
from boardwire.simulation.server import SimulatedServer

from .players import COLOURS, NAMES, Raw, kinds

PAGE = Path(__file__).parents[3] / "docs" / "dialects" / "eriantys-messages.md"
BY_WORD = {
    "assistant": PLANNING, "students": STUDENTS, "studentsOrCloud": STUDENTS, "motherNature": NATURE, "cloud": CLOUD,
}  # fmt: skip
"""State of a client after each question."""

HEARD = {
    "PlayAssistantCardMessage": "a card",
    "StudentToHallMessage": "students",
    "StudentToIslandMessage": "students",
    "MoveMotherNatureMessage": "mother nature",
    "AddStudentFromCloudToWaitingMessage": "a cloud",
    "PlayCharacterCardMessage": "a character",
}


def summary(messages: list[dict[str, Any]]) -> str:
    """Return the messages as labels of the table of arcs."""
    found: list[str] = []
    for message in messages:
        kind, text = message["type"], message.get("text", "")
        if kind.startswith("Invalid") or kind == "ErrorMessage" or message.get("ask") == wire.REFUSED:
            word = "refusal"
        elif kind == "TextMessage" and message["ask"]:
            word = f"ask {message['ask'].removesuffix('OrCloud')}"
        elif kind == "TextMessage" and text == "Your turn is over":
            word = "turn over"
        elif kind in ("WinMessage", "DisconnectionMessage", "LoginReply"):
            word = kind
        else:
            word = "displays"
        if word not in found:
            found.append(word)
    if "WinMessage" in found and "turn over" in found:
        found.remove("turn over")  # who made the last move of all is told both
    return ", ".join(found)


class Walk:
    """Clients take random steps; every step must be an arc of the table."""

    def __init__(self, seed: int, count: int, mode: str) -> None:
        self.seen: set[Arc] = set()
        self._random = Random(seed)
        self._server = SimulatedServer(seed=seed)
        self._mode = mode
        self._clients = [Raw(self._server, name) for name in NAMES[:count]]
        self._states = [START] * count

    def _note(self, who: int, what: str, said: str, target: str) -> None:
        arc = Arc(self._states[who], what, said, target)
        assert arc in ARCS, f"{arc} is not in the table"
        assert self._clients[who].peer.closed == (target == END)
        self._states[who] = target
        self.seen.add(arc)

    def run(self) -> set[Arc]:
        for who, client in enumerate(self._clients):
            self._enter(who, client)
        while not {ENDED, END} & set(self._states):
            self._step()
        for who, state in enumerate(self._states):
            if state == ENDED:
                self._clients[who].say("EndGameMessage")
                self._note(who, "EndGameMessage, or 5 s", "", END)
        return self.seen

    def _enter(self, who: int, client: Raw) -> None:
        self._note(who, "connects", "", CONNECTED)
        self._refused(who, "MoveMotherNatureMessage", movement=1)
        for _ in range(2):
            self._note_said(who, "LoginRequest", client.say("LoginRequest"), NAMED)
        seats = {"numPlayers": len(self._clients), "gameMode": self._mode}
        self._refused(who, "PlayerNicknameMessage", colorTower="PINK", **seats)
        colour = COLOURS[len(self._clients)].split()[who]
        said = client.say("PlayerNicknameMessage", colorTower=colour, **seats)
        assert kinds(said[:2]) == ["TowerMessage", "AssignPlayerDeckResponseMessage"]
        if said[2:]:
            rest = summary(said[2:])
            self._note(who, "PlayerNicknameMessage, table full", f"tower, deck, {rest}", self._state(said, WATCHING))
            for other in range(who):
                heard = self._clients[other].take()
                self._note_said(other, "table full", heard, self._state(heard, WATCHING))
        else:
            self._note(who, "PlayerNicknameMessage", "tower, deck", WAITING)
            self._refused(who, "LoginRequest")

    def _state(self, said: list[dict[str, Any]], otherwise: str) -> str:
        if "WinMessage" in kinds(said):
            return ENDED
        words = [message["ask"] for message in said if message.get("ask", "") not in ("", wire.REFUSED)]
        return BY_WORD[words[-1]] if words else otherwise

    def _note_said(self, who: int, what: str, said: list[dict[str, Any]], target: str) -> None:
        self._note(who, what, summary(said), target)

    def _refused(self, who: int, kind: str, **arguments: Any) -> None:
        said = self._clients[who].say(kind, **arguments)
        assert summary(said) in ("refusal", "LoginReply"), said
        self._note(who, "anything else", "refusal", self._states[who])

    def _step(self) -> None:
        who = self._random.randrange(len(self._clients))
        chance = self._random.random()
        if chance < (0.02 if {NATURE, CLOUD} & set(self._states) else 0.004):
            self._leave(who)
        elif chance < 0.1:
            self._refused(who, "EndGameMessage")
        elif self._states[who] != WATCHING:
            self._move(who)

    def _leave(self, who: int) -> None:
        self._clients[who].peer.drop()
        self._states[who] = END
        for other, client in enumerate(self._clients):
            if other != who:
                self._note_said(other, "another player leaves", client.take(), END)

    def _move(self, who: int) -> None:
        table = self._server.lobby.table("match-1").match
        assert table.pending is not None
        by_type: dict[str, list[Any]] = {}
        for choice in table.pending.choices:
            if getattr(choice, "give", None) is None and isinstance(choice, get_args(Action)):
                by_type.setdefault(type(choice).__name__, []).append(choice)
        choices = by_type[self._random.choice(sorted(by_type))]
        request = _request(self._random.choice(choices), table.position.ring.heads)
        source = self._states[who]
        said = self._clients[who].say(type(request).__name__, **request_fields(request))
        assert source in PLAYING
        self._note_said(who, HEARD[type(request).__name__], said, self._state(said, WATCHING))
        for other, client in enumerate(self._clients):
            if other != who:
                heard = client.take()
                if heard:
                    self._note_said(other, "another player moves", heard, self._state(heard, WATCHING))


def _request(action: Any, heads: tuple[int, ...]) -> Any:
    """Return a client's message of an action, with islands by index."""
    speaker = Speaker.__new__(Speaker)

    class Table:
        me = ""

    table: Any = Table()
    table.heads = list(heads)
    speaker._table = table
    return speaker._request_of(action)


def request_fields(request: Any) -> dict[str, Any]:
    """Return the arguments of a message, without the nickname."""
    return {field: getattr(request, field) for field in request.__struct_fields__ if field != "nickname"}


def test_every_step_is_an_arc_and_every_arc_is_taken() -> None:
    seen: set[Arc] = set()
    for seed in range(30):
        seen |= Walk(seed, 2 + seed % 2, "expert" if seed % 3 else "simplified").run()
    assert seen == set(ARCS), set(ARCS) - seen


def test_the_specification_names_every_character() -> None:
    page = PAGE.read_text()
    assert all(f"`{character.name}`" in page for character in Character)
