"""A santorini-actions player for checks: single messages, and whole stages of a match.

It relies on the document only: replies to one step come in any order, and any player may be the god player.
"""

from __future__ import annotations

from secrets import token_hex
from typing import Any

from boardwire.conformance.display import show
from boardwire.conformance.server.check import Failed, Probe, Wire, fills_table, stage, unexpected
from boardwire.conformance.server.climb import FIRST, SECOND, TURNS, Cell, ClimbTurn
from boardwire.conformance.server.json_lines import JsonPlayer, Message

SHIPPED = "shipped"
CARDS = ("PAN", "APOLLO")


class Player(JsonPlayer):
    """One connection. `name` is lower case and unused on the server."""

    tag, content = "action", "data"  # in this order, as the original server requires [santorini-actions 1]

    def __init__(self, wire: Wire, edition: str) -> None:
        super().__init__(wire)
        self.edition = edition
        self.name = f"check{token_hex(4)}"

    async def several(self, *actions: str) -> dict[str, dict[str, Any]]:
        """Receive these messages next, in any order; return the last of each."""
        found: dict[str, dict[str, Any]] = {}
        left = list(actions)
        while left:
            message = await self.receive(" and ".join(left))
            action = message.get("action")
            if action not in left:
                raise unexpected(message, " and ".join(left))
            left.remove(action)
            found[action] = message.get("data", {})
        return found

    async def join(self, size: int = 2, name: str = "") -> dict[str, Any]:
        """Request a seat."""
        return await self.ask("addPlayer", "addPlayerResponse", playerNickname=name or self.name, lobbySize=size)

    async def join_first(self, size: int = 2) -> dict[str, Any]:
        """Request a seat as the first player of an attempt, when the lobby must be empty; return the response."""
        self.probe.enter_queue()
        came = await self.join(size)
        if self.edition != SHIPPED and came.get("lobbyState") is False and not self.probe.alone:
            raise self.probe.stranger("lobbyState is false, so a lobby of another size is open", harmless=True)
        await self.wire.waits_alone()
        return came

    async def enter_first(self, size: int = 2) -> None:
        """Take a seat as the first player of an attempt, when the lobby must be empty."""
        self.probe.enter_queue()
        await self.enter(size)
        await self.wire.waits_alone()

    async def enter(self, size: int = 2) -> None:
        """Take a seat, following one redirect to another lobby in the document's edition."""
        came = await self.join(size)
        if self.edition != SHIPPED and came.get("lobbyState") is False:
            came = await self.join(size)
        if not accepted(came):
            raise unexpected({"action": "addPlayerResponse", "data": came}, f"that {self.name} is admitted")

    async def board(self) -> dict[Cell, Message]:
        """Request the battlefield and return its cells."""
        return cells(await self.ask("getBattlefield", "getBattlefieldResponse"))

    async def place(self, where: tuple[Cell, Cell], ids: list[int]) -> None:
        """Place both workers."""
        places = [{"workerID": one, "x": x, "y": y} for one, (x, y) in zip(ids, where, strict=True)]
        await self.say("setWorkersPosition", playerNickname=self.name, workersPosition=places)

    async def select(self, cell: Cell) -> set[Cell]:
        """Select a worker and return the cells of its view."""
        x, y = cell
        return viewed(await self.ask("selectWorker", "workerViewUpdate", playerNickname=self.name, x=x, y=y))

    async def start(self, basic: bool = False) -> dict[str, Any]:
        """Start the turn and return the response's data."""
        return await self.ask("setStartTurn", "setStartTurnResponse", playerNickname=self.name, basicTurn=basic)


def accepted(came: dict[str, Any]) -> bool:
    """Return whether an addPlayerResponse accepts the player."""
    return bool(came.get("lobbyState") and came.get("validNick") and not came.get("fullLobby"))


def cells(data: dict[str, Any]) -> dict[Cell, Message]:
    """Return a cellMatrix by cell; raise `Failed` if it is malformed."""
    rows = data.get("cellMatrix")
    try:
        board = {(x, y): cell for x, row in enumerate(rows or ()) for y, cell in enumerate(row) if "height" in cell}
    except TypeError:
        board = {}
    if len(board) != 25:
        raise unexpected(data, "a cellMatrix of 25 cells")
    return board


def viewed(data: dict[str, Any]) -> set[Cell]:
    """Return the cells of a workerView."""
    rows = data.get("workerView")
    if not isinstance(rows, list) or [len(row) for row in rows] != [5] * 5:
        raise unexpected(data, "a workerView of 25 booleans")
    return {(x, y) for x, row in enumerate(rows) for y, flag in enumerate(row) if flag}


@stage
async def visit(probe: Probe, edition: str) -> Player:
    """Open a connection; the shipped edition expects a ping at once."""
    player = Player(await probe.connect(), edition)
    if edition == SHIPPED:
        await player.wire.beat(show({"action": "ping"}))
    return player


@fills_table
async def gather(probe: Probe, edition: str, size: int = 2) -> list[Player]:
    """Fill a lobby; return the players, the god player first."""
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


@stage
async def draft(probe: Probe, edition: str, cards: tuple[str, str] = CARDS) -> tuple[Player, Player]:
    """Fill a lobby of two and pick cards; the god player gets the first card."""
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
    """Return the numbers of the workers that a player has to place."""
    ids = (await player.expect("setWorkersPosition")).get("workersID")
    if not isinstance(ids, list) or len(ids) != 2:
        raise Failed(f"setWorkersPosition had {show(ids)}; expected two numbers of workers")
    return ids


async def placed(players: tuple[Player, ...]) -> None:
    """Check that every player sees two workers placed."""
    for player in players:
        await player.several("battlefieldUpdate", "battlefieldUpdate")


@stage
async def deploy(probe: Probe, edition: str, cards: tuple[str, str] = CARDS) -> tuple[Player, Player]:
    """Set up a match of two, up to the request to the god player to begin."""
    god, other = await draft(probe, edition, cards)
    for placer, where in ((god, FIRST), (other, SECOND)):
        await placer.place(where, await worker_ids(placer))
        await placed((god, other))
    for player in (god, other):
        await player.expect("actualPlayer", playerNickname=god.name)
    return god, other


@stage
async def begin(player: Player, turn: ClimbTurn, basic: bool = False) -> None:
    """Start a turn and select the worker that plays it."""
    await player.start(basic)
    if turn.to not in await player.select(turn.frm):
        raise Failed(f"the view of the worker on {show(turn.frm)} has no {show(turn.to)}; expected it")


@stage
async def step(player: Player, others: tuple[Player, ...], cell: Cell, follows: str) -> dict[str, dict[str, Any]]:
    """Play a step; the response names the next step or the end of the turn."""
    x, y = cell
    await player.say("playStep", x=x, y=y)
    view = () if follows == "END" else ("workerViewUpdate",)
    came = await player.several("battlefieldUpdate", *view, "playStepResponse")
    if came["playStepResponse"].get("nextStep") != follows:
        raise unexpected({"action": "playStepResponse", "data": came["playStepResponse"]}, f"nextStep {follows}")
    for other in others:
        came[other.name] = await other.expect("battlefieldUpdate")
    return came


@stage
async def whole_turn(player: Player, other: Player, turn: ClimbTurn) -> None:
    """Move and build; the turn then passes to the other player."""
    await begin(player, turn)
    await step(player, (other,), turn.to, "BUILD")
    assert turn.build is not None
    await step(player, (other,), turn.build, "END")
    if player.edition != SHIPPED:
        await player.expect("actualPlayer", playerNickname=other.name)
    await other.expect("actualPlayer", playerNickname=other.name)


@stage
async def climb(probe: Probe, edition: str) -> tuple[Player, Player]:
    """Play a whole match, up to the god player's winning move."""
    god, other = await deploy(probe, edition)
    mover, waiter = god, other
    for turn in TURNS[:-1]:
        await whole_turn(mover, waiter, turn)
        mover, waiter = waiter, mover
    last = TURNS[-1]
    await begin(god, last)
    await god.say("playStep", x=last.to[0], y=last.to[1])
    return god, other
