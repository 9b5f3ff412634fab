"""A player of santorini-actions for checks: says and expects single messages, and plays whole stretches of a match.

It relies on nothing but the document: answers of one step may come in any order, and anybody may be the god player.
"""

from __future__ import annotations

from secrets import token_hex
from typing import Any

from boardwire.conformance.display import show
from boardwire.conformance.server.check import Failed, Probe, gathers, stretch, unexpected
from boardwire.conformance.server.climb import FIRST, SECOND, TURNS, Cell, Turn
from boardwire.conformance.server.json_lines import JsonWire, Message

SHIPPED = "shipped"
CARDS = ("PAN", "APOLLO")


class Player:
    """One connection.  `name` is in lower case and free on any server."""

    def __init__(self, line: JsonWire, edition: str) -> None:
        self.line = line
        self.probe = line.wire.probe
        self.edition = edition
        self.name = f"check{token_hex(4)}"

    async def say(self, action: str, **data: Any) -> None:
        """Send a message; the action comes before the data, as the original server wants it [santorini-actions 1]."""
        await self.line.send({"action": action, "data": data} if data else {"action": action})

    async def expect(self, action: str, **data: Any) -> dict[str, Any]:
        """The next message must be this one, with at least these data."""
        wanted = show({"action": action, "data": data} if data else {"action": action})
        message = await self.line.hear(wanted)
        came: dict[str, Any] = message.get("data", {})
        if message.get("action") != action or any(came.get(key) != value for key, value in data.items()):
            raise unexpected(message, wanted)
        return came

    async def ask(self, query: str, answer: str, **data: Any) -> dict[str, Any]:
        """Send a request and expect its answer next: nothing else may have come before."""
        await self.say(query, **data)
        return await self.expect(answer)

    async def several(self, *actions: str) -> dict[str, dict[str, Any]]:
        """These messages come next, in any order; the last of each."""
        found: dict[str, dict[str, Any]] = {}
        left = list(actions)
        while left:
            message = await self.line.hear(" and ".join(left))
            action = message.get("action")
            if action not in left:
                raise unexpected(message, " and ".join(left))
            left.remove(action)
            found[action] = message.get("data", {})
        return found

    async def join(self, size: int = 2, name: str = "") -> dict[str, Any]:
        """Ask for a seat."""
        return await self.ask("addPlayer", "addPlayerResponse", playerNickname=name or self.name, lobbySize=size)

    async def join_first(self, size: int = 2) -> dict[str, Any]:
        """Ask for a seat as the first player of a trial, where nobody else may wait; return the answer."""
        self.probe.enter_queue()
        came = await self.join(size)
        if self.edition != SHIPPED and came.get("lobbyState") is False and not self.probe.alone:
            raise self.probe.stranger("lobbyState is false, so a lobby of another size is open", harmless=True)
        await self.line.wire.waits_alone()
        return came

    async def enter_first(self, size: int = 2) -> None:
        """Take a seat as the first player of a trial, where nobody else may wait."""
        self.probe.enter_queue()
        await self.enter(size)
        await self.line.wire.waits_alone()

    async def enter(self, size: int = 2) -> None:
        """Take a seat.  The document's edition may send us to another lobby first."""
        came = await self.join(size)
        if self.edition != SHIPPED and came.get("lobbyState") is False:
            came = await self.join(size)
        if not accepted(came):
            raise unexpected({"action": "addPlayerResponse", "data": came}, f"that {self.name} is taken in")

    async def board(self) -> dict[Cell, Message]:
        """The battlefield, asked for."""
        return cells(await self.ask("getBattlefield", "getBattlefieldResponse"))

    async def place(self, where: tuple[Cell, Cell], ids: list[int]) -> None:
        """Place both workers."""
        places = [{"workerID": one, "x": x, "y": y} for one, (x, y) in zip(ids, where, strict=True)]
        await self.say("setWorkersPosition", playerNickname=self.name, workersPosition=places)

    async def select(self, cell: Cell) -> set[Cell]:
        """Select a worker; where its step can go."""
        x, y = cell
        return viewed(await self.ask("selectWorker", "workerViewUpdate", playerNickname=self.name, x=x, y=y))

    async def start(self, basic: bool = False) -> dict[str, Any]:
        """Begin the turn."""
        return await self.ask("setStartTurn", "setStartTurnResponse", playerNickname=self.name, basicTurn=basic)


def accepted(came: dict[str, Any]) -> bool:
    """Whether an addPlayerResponse takes the player in."""
    return bool(came.get("lobbyState") and came.get("validNick") and not came.get("fullLobby"))


def cells(data: dict[str, Any]) -> dict[Cell, Message]:
    """A cellMatrix, by cell; `Failed` if it is none."""
    rows = data.get("cellMatrix")
    try:
        board = {(x, y): cell for x, row in enumerate(rows or ()) for y, cell in enumerate(row) if "height" in cell}
    except TypeError:
        board = {}
    if len(board) != 25:
        raise unexpected(data, "a cellMatrix of 25 cells")
    return board


def viewed(data: dict[str, Any]) -> set[Cell]:
    """A workerView, as cells."""
    rows = data.get("workerView")
    if not isinstance(rows, list) or [len(row) for row in rows] != [5] * 5:
        raise unexpected(data, "a workerView of 25 booleans")
    return {(x, y) for x, row in enumerate(rows) for y, flag in enumerate(row) if flag}


@stretch
async def visit(probe: Probe, edition: str) -> Player:
    """A new connection; the shipped edition is pinged at once."""
    player = Player(JsonWire(await probe.connect()), edition)
    if edition == SHIPPED:
        await player.line.wire.beat(show({"action": "ping"}))
    return player


@gathers
async def gather(probe: Probe, edition: str, size: int = 2) -> list[Player]:
    """A full lobby, the god player first."""
    players = [await visit(probe, edition) for _ in range(size)]
    await players[0].enter_first(size)
    for player in players[1:]:
        await player.enter(size)
    names = [player.name for player in players]
    god = (await players[0].expect("setPickedCards")).get("playerNickname")
    if god not in names:
        raise Failed(f"setPickedCards named {show(god)}; expected one of {show(names)}")
    for player in players[1:]:
        await player.expect("setPickedCards", playerNickname=god)
    first = names.index(god)
    return players[first:] + players[:first]


@stretch
async def draft(probe: Probe, edition: str, cards: tuple[str, str] = CARDS) -> tuple[Player, Player]:
    """Two players with cards; the god player has the first one."""
    god, other = await gather(probe, edition)
    await god.say("setPickedCards", cards=list(cards))
    offer = (await other.expect("setPlayerCard")).get("cards")
    if sorted(offer or ()) != sorted(cards):
        raise Failed(f"setPlayerCard offered {show(offer)}; expected {show(cards)}")
    await other.say("setPlayerCard", playerNickname=other.name, card=cards[1])
    await god.expect("setPlayerCard", cards=[cards[0]])
    await god.say("setPlayerCard", playerNickname=god.name, card=cards[0])
    return god, other


async def worker_ids(player: Player) -> list[int]:
    """The numbers of the workers that a player is to place."""
    ids = (await player.expect("setWorkersPosition")).get("workersID")
    if not isinstance(ids, list) or len(ids) != 2:
        raise Failed(f"setWorkersPosition had {show(ids)}; expected two numbers of workers")
    return ids


async def placed(players: tuple[Player, ...]) -> None:
    """Everybody sees two workers come."""
    for player in players:
        await player.several("battlefieldUpdate", "battlefieldUpdate")


@stretch
async def deploy(probe: Probe, edition: str, cards: tuple[str, str] = CARDS) -> tuple[Player, Player]:
    """Two players with cards and workers; the god player is asked to begin."""
    god, other = await draft(probe, edition, cards)
    for placer, where in ((god, FIRST), (other, SECOND)):
        await placer.place(where, await worker_ids(placer))
        await placed((god, other))
    for player in (god, other):
        await player.expect("actualPlayer", playerNickname=god.name)
    return god, other


@stretch
async def begin(player: Player, turn: Turn, basic: bool = False) -> None:
    """Start a turn and select the worker that plays it."""
    await player.start(basic)
    if turn.to not in await player.select(turn.frm):
        raise Failed(f"the view of the worker on {show(turn.frm)} has no {show(turn.to)}; expected it")


@stretch
async def step(player: Player, others: tuple[Player, ...], cell: Cell, follows: str) -> dict[str, dict[str, Any]]:
    """Play a step that is followed by another, or by the end of the turn."""
    x, y = cell
    await player.say("playStep", x=x, y=y)
    view = () if follows == "END" else ("workerViewUpdate",)
    came = await player.several("battlefieldUpdate", *view, "playStepResponse")
    if came["playStepResponse"].get("nextStep") != follows:
        raise unexpected({"action": "playStepResponse", "data": came["playStepResponse"]}, f"nextStep {follows}")
    for other in others:
        came[other.name] = await other.expect("battlefieldUpdate")
    return came


@stretch
async def whole_turn(player: Player, other: Player, turn: Turn) -> None:
    """Move and build; the other player is next."""
    await begin(player, turn)
    await step(player, (other,), turn.to, "BUILD")
    assert turn.build is not None
    await step(player, (other,), turn.build, "END")
    if player.edition != SHIPPED:
        await player.expect("actualPlayer", playerNickname=other.name)
    await other.expect("actualPlayer", playerNickname=other.name)


@stretch
async def climb(probe: Probe, edition: str) -> tuple[Player, Player]:
    """A whole match; the god player has just made the winning move."""
    god, other = await deploy(probe, edition)
    mover, waiter = god, other
    for turn in TURNS[:-1]:
        await whole_turn(mover, waiter, turn)
        mover, waiter = waiter, mover
    last = TURNS[-1]
    await begin(god, last)
    await god.say("playStep", x=last.to[0], y=last.to[1])
    return god, other
