"""The conversation in docs/dialects/eriantys-messages.md is real."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from boardwire.simulation.server import SimulatedServer

PAGE = (Path(__file__).parents[3] / "docs" / "dialects" / "eriantys-messages.md").read_text("utf-8")


class Simple:
    """A client that follows the specification alone and takes the first choice."""

    def __init__(self, server: SimulatedServer, name: str, tower: str) -> None:
        self.peer = server.connect("eriantys-messages")
        self.name = name
        self.log: list[str] = []
        self._known: dict[str, Any] = {}
        self._say("LoginRequest")
        self._say("PlayerNicknameMessage", numPlayers=2, colorTower=tower, gameMode="simplified")

    def _say(self, kind: str, **arguments: Any) -> None:
        self.receive()
        line = json.dumps({"type": kind, "nickname": self.name, **arguments}, separators=(",", ":"))
        self.log.append(f"> {line}")
        self.peer.send(f"{line}\n".encode())

    def receive(self) -> str:
        """Process messages; return the last keyword of `ask`, or the type of the end."""
        last = ""
        for line in self.peer.take().decode().splitlines():
            self.log.append(f"< {line}")
            message = json.loads(line)
            if message["type"] == "DisplayCloudsMessage" or message["nickname"] == self.name:
                self._known |= message
            last = message.get("ask") or ("end" if message["type"] == "WinMessage" else last)
        return last

    def answer(self, word: str) -> None:
        """Answer a question."""
        known = self._known
        match word:
            case "assistant":
                self._say("PlayAssistantCardMessage", assistantCard=known["assistantCardsModel"][0]["value"])
            case "refused":  # only a card that the other has played
                self._say("PlayAssistantCardMessage", assistantCard=known["assistantCardsModel"][1]["value"])
            case "students" | "studentsOrCloud":
                colour = known["entrance"][0]
                if known["hall"][colour] < 10:
                    self._say("StudentToHallMessage", students=[colour])
                else:
                    self._say("StudentToIslandMessage", students=[colour], indexIsland=0)
            case "motherNature":
                self._say("MoveMotherNatureMessage", movement=1)
            case "cloud":
                cloud = next(index for index, students in enumerate(known["clouds"]) if students)
                self._say("AddStudentFromCloudToWaitingMessage", cloudIndex=cloud)
            case "end":
                self._say("EndGameMessage")


def played() -> list[str]:
    """Return Ann's messages and replies in a whole match."""
    server = SimulatedServer(seed=7)
    people = [Simple(server, "ann", "WHITE"), Simple(server, "bob", "BLACK")]
    while not all(one.peer.closed for one in people):
        for one in people:
            one.answer(one.receive())
    return people[0].log


def test_the_conversation_in_the_specification_is_real_and_finishes() -> None:
    (block,) = re.findall(r"^```\n(> \{.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    lines = [line for line in block.splitlines() if line != "..."]
    log = iter(played())
    for line in lines:
        pattern = re.compile(".*".join(map(re.escape, line.split("…"))))
        assert any(pattern.fullmatch(said) for said in log), f"nobody said {line}"
    assert next(log, None) is None, "it goes to the end"
