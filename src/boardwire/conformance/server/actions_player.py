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
    """One connection. `name` is in lower case and unused on the server."""

    tag, content = "action", "data"  # in this order, as the original server requires [santorini-actions 1]

    def __init__(self, wire: Wire, edition: str) -> None:
        super().__init__(wire)
        self.edition = edition
        self.name = f"check{token_hex(4)}"

    async def receive_all(self, *actions: str) -> dict[str, dict[str, Any]]:
        """Receive exactly these messages, in any order; return the data of the last message of each action."""
        by_action: dict[str, dict[str, Any]] = {}
        left = list(actions)
        while left:
            message = await self.receive(" and ".join(left))
            action = message.get("action")
            if action not in left:
                raise unexpected(message, " and ".join(left))
            left.remove(action)
            by_action[action] = message.get("data", {})
        return by_action

    async def join(self, size: int = 2, name: str = "") -> dict[str, Any]:
        """Request a seat and return the data of the response."""
        return await self.ask("addPlayer", "addPlayerResponse", playerNickname=name or self.name, lobbySize=size)

    async def join_first(self, size: int = 2) -> dict[str, Any]:
        """Request a seat as the first player of an attempt, for which the lobby must be empty."""
        self.probe.enter_queue()
        received = await self.join(size)
        if self.edition != SHIPPED and received.get("lobbyState") is False and not self.probe.alone:
            raise self.probe.other_player("lobbyState is false, so a lobby of another size is open", harmless=True)
        await self.wire.expect_no_opponent()
        return received

    async def enter_first(self, size: int = 2) -> None:
        """Take a seat as the first player of an attempt, for which the lobby must be empty."""
        self.probe.enter_queue()
        await self.enter(size)
        await self.wire.expect_no_opponent()

    async def enter(self, size: int = 2) -> None:
        """Take a seat. In the document's edition, lobbyState false means that a second request opens another lobby."""
        received = await self.join(size)
        if self.edition != SHIPPED and received.get("lobbyState") is False:
            received = await self.join(size)
        if not is_accepted(received):
            raise unexpected({"action": "addPlayerResponse", "data": received}, f"{self.name} to be admitted")

    async def board(self) -> dict[Cell, Message]:
        """Request the battlefield and return its cells."""
        return cells(await self.ask("getBattlefield", "getBattlefieldResponse"))

    async def place(self, where: tuple[Cell, Cell], ids: list[int]) -> None:
        """Place both workers."""
        places = [{"workerID": worker, "x": x, "y": y} for worker, (x, y) in zip(ids, where, strict=True)]
        await self.say("setWorkersPosition", playerNickname=self.name, workersPosition=places)

    async def select(self, cell: Cell) -> set[Cell]:
        """Select a worker and return the cells of its view."""
        x, y = cell
        return view_cells(await self.ask("selectWorker", "workerViewUpdate", playerNickname=self.name, x=x, y=y))

    async def start(self, basic: bool = False) -> dict[str, Any]:
        """Start the turn and return the response's data."""
        return await self.ask("setStartTurn", "setStartTurnResponse", playerNickname=self.name, basicTurn=basic)


def is_accepted(received: dict[str, Any]) -> bool:
    """Return whether the data of an addPlayerResponse admit the player."""
    return bool(received.get("lobbyState") and received.get("validNick") and not received.get("fullLobby"))


def cells(data: dict[str, Any]) -> dict[Cell, Message]:
    """Return the entries of a cellMatrix by cell; raise `Failed` if it is malformed."""
    rows = data.get("cellMatrix")
    try:
        board = {(x, y): cell for x, row in enumerate(rows or ()) for y, cell in enumerate(row) if "height" in cell}
    except TypeError:
        board = {}
    if len(board) != 25:
        raise unexpected(data, "a cellMatrix of 25 cells")
    return board


def view_cells(data: dict[str, Any]) -> set[Cell]:
    """Return the cells that a workerView marks."""
    rows = data.get("workerView")
    if not isinstance(rows, list) or [len(row) for row in rows] != [5] * 5:
        raise unexpected(data, "a workerView of 25 booleans")
    return {(x, y) for x, row in enumerate(rows) for y, flag in enumerate(row) if flag}


@stage
async def visit(probe: Probe, edition: str) -> Player:
    """Open a connection; the shipped edition expects a ping at once."""
    player = Player(await probe.connect(), edition)
    if edition == SHIPPED:
        await player.wire.expect_heartbeat(show({"action": "ping"}))
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
        raise Failed(f"setWorkersPosition had the worker numbers {show(ids)}; expected two")
    return ids


async def expect_placed_workers(players: tuple[Player, ...]) -> None:
    """Check that every player gets the two boards with the placed workers."""
    for player in players:
        await player.receive_all("battlefieldUpdate", "battlefieldUpdate")


@stage
async def deploy(probe: Probe, edition: str, cards: tuple[str, str] = CARDS) -> tuple[Player, Player]:
    """Set up a match of two players, up to the announcement of the god player's turn."""
    god, other = await draft(probe, edition, cards)
    for placer, where in ((god, FIRST), (other, SECOND)):
        await placer.place(where, await worker_ids(placer))
        await expect_placed_workers((god, other))
    for player in (god, other):
        await player.expect("actualPlayer", playerNickname=god.name)
    return god, other


@stage
async def begin(player: Player, turn: ClimbTurn, basic: bool = False) -> None:
    """Start a turn and select the worker that plays it."""
    await player.start(basic)
    if turn.to not in await player.select(turn.frm):
        raise Failed(f"the view of the worker on {show(turn.frm)} lacks the cell {show(turn.to)}")


@stage
async def play_step(player: Player, others: tuple[Player, ...], cell: Cell, follows: str) -> dict[str, dict[str, Any]]:
    """Play a step that the step `follows` follows; return the data of the messages by action or player."""
    x, y = cell
    await player.say("playStep", x=x, y=y)
    view = () if follows == "END" else ("workerViewUpdate",)
    received = await player.receive_all("battlefieldUpdate", *view, "playStepResponse")
    if received["playStepResponse"].get("nextStep") != follows:
        raise unexpected({"action": "playStepResponse", "data": received["playStepResponse"]}, f"nextStep {follows}")
    for other in others:
        received[other.name] = await other.expect("battlefieldUpdate")
    return received


@stage
async def whole_turn(player: Player, other: Player, turn: ClimbTurn) -> None:
    """Move and build; the turn then passes to the other player."""
    await begin(player, turn)
    await play_step(player, (other,), turn.to, "BUILD")
    assert turn.build is not None
    await play_step(player, (other,), turn.build, "END")
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
