"""The original client of santorini-lobby.

- It sends size and login at once, and knows its user only from the RESULT of ADD_USER: a request to that user that came
  before is ignored.
- It answers the first GODS_AVAILABLE with SELECT_GODS and sends CHOOSE_GOD only after a second one.  The CLI sends
  SELECT_GODS for each god typed and once more; its challenger is who got RESULT true.  The GUI sends it once.
- The empty list makes the challenger send CHOOSE_FIRST_PLAYER.
- An unknown type, and a pawn of a user who was not announced, are its end.
- It never sends CHECK_ACTION: its user tries an action, and another one after RESULT false.
"""

from __future__ import annotations

from collections import deque
from random import Random
from typing import Any

from .client import BROKEN_OFF, LOST, WON, JsonLines

SILENT = {"TURN_CHANGE"}
CELLS = [(x, y) for x in range(5) for y in range(5)]


class Lobby(JsonLines):
    """The GUI."""

    cli = False

    def __init__(self, name: str, seats: int, luck: Random) -> None:
        super().__init__(name, seats, luck)
        self._user = ""
        self._size = 0
        self._users: list[str] = []
        self._lists: list[list[dict[str, str]]] = []
        self._mine = False
        self._challenger = False
        self._answered = 0
        self._requests: deque[str] = deque()
        self._pawns: dict[tuple[str, int], tuple[int, int]] = {}
        self._levels: dict[tuple[int, int], int] = {}
        self._tries: list[tuple[int, str, tuple[int, int]]] = []
        self._placing: list[tuple[tuple[int, int], tuple[int, int]]] = []
        self._request("SELECT_PLAYER_NUMBER", size=seats)
        self._request("ADD_USER", user={"username": name})

    def _request(self, kind: str, /, **content: Any) -> None:
        self._requests.append(kind)
        self.send({"type": kind, "content": content})

    @property
    def _me(self) -> dict[str, str]:
        return {"username": self._user}

    def hear(self, message: Any) -> None:
        kind, content = message["type"], message["content"]
        if kind in SILENT:
            return
        heard = getattr(self, f"_on_{kind.lower()}", None)
        if heard is None:
            self.dies(f"no such type: {kind}")
        else:
            heard(**{name: value for name, value in content.items() if name != "from"} | _origin(content))

    def _on_ping(self) -> None:
        self.send({"type": "PING", "content": {}})

    def _on_size_selected(self, size: int) -> None:
        self._size = size

    def _on_user_joined(self, user: Any) -> None:
        self._users.append(user["username"])

    def _on_result(self, value: bool) -> None:
        if not self._requests:
            self.dies("RESULT without a request")
            return
        kind = self._requests.popleft()
        if kind == "ADD_USER":
            if not value:
                self.dies("the login was refused")
                return
            self._user = self.name
            self._answer_list()
        elif kind == "SELECT_GODS":
            self._challenger |= value
            self._answer_list()
        elif kind == "PLACE_PAWNS" and not value:
            self._place()
        elif kind == "EXECUTE_ACTION" and not value:
            self._try()

    # --- gods -----------------------------------------------------------------------------------------------------

    def _on_gods_available(self, gods: list[dict[str, str]]) -> None:
        self._lists.append(gods)
        self._answer_list()

    def _on_god_chosen(self, user: Any, godIdentifier: Any) -> None:  # noqa: N803 - the name on the wire
        self._mine |= user["username"] == self._user

    def _answer_list(self) -> None:
        """React to the newest list, once; the CLI waits for the RESULTs of its SELECT_GODS first."""
        count = len(self._lists)
        if not self._user or count == self._answered or (self.cli and "SELECT_GODS" in self._requests):
            return
        self._answered = count
        newest = self._lists[-1]
        if count == 1:
            self._select()
        elif not newest:
            if self._challenger:
                others = [user for user in self._users if user != self._user] or [self._user]
                self._request("CHOOSE_FIRST_PLAYER", self=self._me, firstPlayer={"username": others[0]})
        elif not self._mine and (not self._challenger or self._size == 1):
            self._request("CHOOSE_GOD", user=self._me, god=self.luck.choice(newest))

    def _select(self) -> None:
        chosen = self._lists[0][: self._size]
        if self.cli:
            for typed in range(1, self._size):
                self._request("SELECT_GODS", user=self._me, gods=chosen[:typed])
            self._request("SELECT_GODS", user=self._me, gods=chosen)
        self._request("SELECT_GODS", user=self._me, gods=chosen)

    def idle(self) -> None:
        """The user tries again what was refused: gods to select before a second list, a god to choose after it."""
        if self._requests or not self._lists or not self._user or self._mine or self._challenger:
            return
        if len(self._lists) == 1 and self._answered == 1:
            self._select()
        elif self._lists[-1] and len(self._lists) > 1:
            self._request("CHOOSE_GOD", user=self._me, god=self.luck.choice(self._lists[-1]))

    # --- pawns ----------------------------------------------------------------------------------------------------

    def _on_request_place_pawns(self, user: Any) -> None:
        if not self._user or user["username"] != self._user:
            return
        self._mine = True
        taken = set(self._pawns.values())
        free = [cell for cell in CELLS if cell not in taken]
        self.luck.shuffle(free)
        self._placing = list(zip(free[::2], free[1::2], strict=False))
        self._place()

    def _place(self) -> None:
        if not self._placing:
            self.dies("no cells are taken for its pawns")
            return
        (x, y), (u, v) = self._placing.pop()
        self._request("PLACE_PAWNS", user=self._me, c1={"x": x, "y": y}, c2={"x": u, "y": v})

    def _on_pawn_placed(self, owner: Any, pawnId: int, coordinate: Any) -> None:  # noqa: N803 - see above
        if owner["username"] not in self._users:
            self.dies(f"a pawn of {owner['username']}, who was not announced")
        self._pawns[owner["username"], pawnId] = _cell(coordinate)

    # --- turns ----------------------------------------------------------------------------------------------------

    def _on_action_ready(self, user: Any, actionIdentifiers: list[dict[str, str]]) -> None:  # noqa: N803 - see above
        if not self._user or user["username"] != self._user:
            return
        names = [one["description"] for one in actionIdentifiers]
        pawns = [(number, at) for (owner, number), at in self._pawns.items() if owner == self._user]
        tries = [(number, name, cell) for name in names for number, _ in pawns for cell in CELLS]
        self.luck.shuffle(tries)
        places = dict(pawns)

        def worth(one: tuple[int, str, tuple[int, int]]) -> tuple[bool, bool, int]:
            number, name, (x, y) = one
            near = max(abs(x - places[number][0]), abs(y - places[number][1])) == 1
            return name != "Pass_turn", near, self._levels.get((x, y), 0) if name == "Move" else 0

        self._tries = sorted(tries, key=worth)
        self._try()

    def _try(self) -> None:
        if not self._tries:
            self.dies("every action is refused")
            return
        number, name, (x, y) = self._tries.pop()
        action = {"description": name}
        self._request("EXECUTE_ACTION", user=self._me, id=number, actionIdentifier=action, coordinate={"x": x, "y": y})

    def _on_move(self, to: Any, origin: Any) -> None:
        frm, at = _cell(origin), _cell(to)
        swap = {frm: at, at: frm}
        self._pawns = {pawn: swap.get(cell, cell) for pawn, cell in self._pawns.items()}

    def _on_build(self, building: Any, coordinate: Any) -> None:
        level = int(building["level"].removeprefix("LEVEL"))
        self._levels[_cell(coordinate)] = -1 if building["dome"] else level

    def _on_elimination(self, user: Any) -> None:
        self._pawns = {pawn: at for pawn, at in self._pawns.items() if pawn[0] != user["username"]}

    def _on_win(self, user: Any) -> None:
        self.ends(WON if user["username"] == self._user else LOST)

    def _on_server_error(self, type: str, description: str) -> None:  # noqa: A002 - see above
        self.ends(BROKEN_OFF)


class LobbyCli(Lobby):
    """The CLI."""

    cli = True


def _cell(coordinate: Any) -> tuple[int, int]:
    return coordinate["x"], coordinate["y"]


def _origin(content: Any) -> dict[str, Any]:
    return {"origin": content["from"]} if "from" in content else {}
