"""The original client of santorini-actions, in both editions.

- It goes through its stages one after the other: setPickedCards, the deck, its card, its workers, turns.  A message of
  a later stage raises a flag that it looks at when it comes there.
- It looks up every card that it is told of in the deck, and dies on one that is not there.
- It takes exactly one workerViewUpdate for each selectWorker and for each step but END; one that is left over would
  shift all later views.
"""

from __future__ import annotations

from collections import deque
from itertools import product
from random import Random
from typing import Any, ClassVar

from .client import BROKEN_OFF, LOST, WON, JsonLines

OPTIONAL = {"MOVE_SPECIAL", "MOVE_UNTIL", "BUILD_SPECIAL", "REMOVE"}
STEPS = {"MOVE", "BUILD", "END"} | OPTIONAL


class Actions(JsonLines):
    """The document's program."""

    shipped: ClassVar[bool] = False

    def __init__(self, name: str, seats: int, luck: Random) -> None:
        super().__init__(name, seats, luck)
        self._stage = "joining"
        self._deck: dict[str, Any] = {}
        self._flags: dict[str, deque[Any]] = {}
        self._board: list[list[dict[str, Any]]] = []
        self._tried: set[tuple[int, int]] = set()
        self._worker = (-1, -1)
        self._step = ""
        self._act("addPlayer", playerNickname=name, lobbySize=seats)

    def _act(self, action: str, **data: Any) -> None:
        self.send({"action": action, "data": data} if data else {"action": action})

    def hear(self, message: Any) -> None:
        action, data = message["action"], message.get("data", {})
        match action:
            case "ping":
                self._act("pong")
            case "battlefieldUpdate":
                self._board = data["cellMatrix"]
            case "youWin":
                self.ends(WON)
                self._stage = "over"
            case "youLose":
                self.ends(LOST)
                self._stage = "over"
            case "serverError":
                self.ends(BROKEN_OFF)
                self.closed = True
            case _:
                self._flags.setdefault(action, deque()).append(data)
        while self._advance():
            pass

    def _flag(self, action: str) -> Any:
        """Return the oldest unread message of that kind, or None."""
        told = self._flags.get(action)
        return told.popleft() if told else None

    def _card(self, name: str) -> Any:
        """Return a card of the deck."""
        if name not in self._deck:
            self.dies(f"{name} is not in the deck")
        return self._deck.get(name, {})

    def _advance(self) -> bool:
        """Enter the next stage if its message has arrived."""
        return False if self.fault or self._stage == "over" else getattr(self, f"_{self._stage}")()

    def _joining(self) -> bool:
        reply = self._flag("addPlayerResponse")
        if reply is None:
            return False
        if reply["fullLobby"] or not reply["validNick"] or not reply["lobbyState"]:
            self.dies(f"not let in: {reply}")
        self._stage = "waiting"
        return True

    def _waiting(self) -> bool:
        told = self._flag("setPickedCards")
        if told is None:
            return False
        self._god = told["playerNickname"] == self.name
        self._act("getDeck")
        self._stage = "decking"
        return True

    def _decking(self) -> bool:
        reply = self._flag("getDeckResponse")
        if reply is None:
            return False
        cards = reply["deck"]["listOfCards"] if self.shipped else reply["deck"]
        self._deck = {card["cardName"]: card for card in cards}
        if self._god:
            self._act("setPickedCards", cards=self.luck.sample(sorted(self._deck), self.seats))
        self._stage = "carding"
        return True

    def _carding(self) -> bool:
        offer = self._flag("setPlayerCard")
        if offer is None:
            return False
        for name in offer["cards"]:
            self._card(name)
        self._mine = self.luck.choice(offer["cards"])
        self._act("setPlayerCard", playerNickname=self.name, card=self._mine)
        self._stage = "placing"
        return True

    def _placing(self) -> bool:
        told = self._flag("setWorkersPosition")
        if told is None:
            return False
        self._workers = told["workersID"]
        self._act("getPlayers")
        self._act("getBattlefield")
        self._stage = "looking"
        return True

    def _players(self) -> bool:
        reply = self._flag("getPlayersResponse")
        if reply is None:
            return False
        for player in reply["players"]:
            self._card(player["card"])
        return True

    def _looking(self) -> bool:
        if not self._flags.get("getPlayersResponse") or not self._flags.get("getBattlefieldResponse"):
            return False
        self._players()
        self._board = self._flags["getBattlefieldResponse"].popleft()["cellMatrix"]
        free = [(x, y) for x, y in product(range(5), repeat=2) if "player" not in self._board[x][y]]
        free = [(x, y) for x, y in free if self._board[x][y]["lastBlock"] != "DOME"]
        cells = self.luck.sample(free, 2)
        placed = [{"workerID": w, "x": x, "y": y} for w, (x, y) in zip(self._workers, cells, strict=True)]
        self._act("setWorkersPosition", playerNickname=self.name, workersPosition=placed)
        self._stage = "resting"
        return True

    def _resting(self) -> bool:
        told = self._flag("actualPlayer")
        if told is None:
            return False
        if told["playerNickname"] == self.name:
            choice = self._card(self._mine).get("chooseBasic", False)
            self._act("setStartTurn", playerNickname=self.name, basicTurn=choice and self.luck.random() < 0.5)
            self._stage = "starting"
        return True

    def _starting(self) -> bool:
        reply = self._flag("setStartTurnResponse")
        if reply is None:
            return False
        self._step, self._tried = reply["currentStep"], set()
        self._act("getPlayers")
        self._stage = "checking"
        return True

    def _checking(self) -> bool:
        if not self._players():
            return False
        self._select()
        return True

    def _select(self) -> None:
        own = [(x, y) for x, y in product(range(5), repeat=2) if self._board[x][y].get("player") == self.name]
        left = [cell for cell in own if cell not in self._tried]
        if not left:
            self.dies("no worker can do anything")
            return
        self._worker = max(left, key=lambda cell: (self._board[cell[0]][cell[1]]["height"], self.luck.random()))
        self._tried.add(self._worker)
        self._act("selectWorker", playerNickname=self.name, x=self._worker[0], y=self._worker[1])
        self._stage = "selecting"

    def _selecting(self) -> bool:
        view = self._flag("workerViewUpdate")
        if view is None:
            return False
        self._play(view["workerView"])
        return True

    def _play(self, view: list[list[bool]]) -> None:
        cells = [(x, y) for x, y in product(range(5), repeat=2) if view[x][y]]
        if self._step not in STEPS:
            self.dies(f"no such step: {self._step}")
        elif self._step in OPTIONAL and (not cells or self.luck.random() < 0.6):
            self._act("skipStep")
            self._stage = "stepping"
        elif cells:
            climbs = self._step.startswith("MOVE")
            x, y = max(cells, key=lambda c: (climbs and self._board[c[0]][c[1]]["height"], self.luck.random()))
            self._act("playStep", x=x, y=y)
            self._stage = "stepping"
        elif self._stage == "selecting":
            self._select()
        else:
            self.dies(f"nothing can be done in the step {self._step}")

    def _stepping(self) -> bool:
        if self._flags.get("playStepResponse"):
            following = self._flags["playStepResponse"][0]["nextStep"]
        elif self._flags.get("skipStepResponse"):
            following = self._flags["skipStepResponse"][0]["currentStep"]
        else:
            return False
        if following != "END" and not self._flags.get("workerViewUpdate"):
            return False
        self._flag("playStepResponse") or self._flag("skipStepResponse")
        self._step = following
        if following == "END":
            if self._flags.get("workerViewUpdate"):
                self.dies("a view is left over at the end of a turn")
            self._stage = "resting"
        else:
            self._play(self._flag("workerViewUpdate")["workerView"])
        return True


class ActionsShipped(Actions):
    """The shipped program."""

    shipped = True
