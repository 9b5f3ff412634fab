"""A santorini-lobby player for checks: single messages, and whole stages of a match.

All events of a request arrive before its RESULT.
"""

from __future__ import annotations

from secrets import token_hex
from typing import Any

from boardwire.conformance.display import show
from boardwire.conformance.server.check import NotExamined, Probe, Wire, fills_table, stage, unexpected
from boardwire.conformance.server.climb import FIRST, SECOND, TURNS, Cell, ClimbTurn
from boardwire.conformance.server.json_lines import JsonPlayer, Message

PING: Message = {"type": "PING", "content": {}}
GODS = ("Pan", "Apollo")


class Player(JsonPlayer):
    """One connection; `user` is the name it logs in with."""

    content = "content"

    def __init__(self, wire: Wire) -> None:
        super().__init__(wire)
        self.name = f"check{token_hex(4)}"
        self.user = {"username": self.name}

    async def expect_result(self, value: bool = True) -> None:
        """Receive a RESULT with this value."""
        await self.expect("RESULT", value=value)

    async def expect_refusal(self, kind: str, /, **content: Any) -> None:
        """Send a request that gets RESULT false and nothing else."""
        await self.say(kind, **content)
        await self.expect_result(False)

    async def receive_refusal(self) -> list[Message]:
        """Receive RESULT false and return the greeting before it.

        A lobby with waiting users sends a greeting: its size and its users. Further users may log in at any time.
        """
        greeting: list[Message] = []
        expected = show({"type": "RESULT", "content": {"value": False}})
        while is_greeting(message := await self.receive(expected)):
            greeting.append(message)
        if message.get("type") != "RESULT" or (message.get("content") or {}).get("value") is not False:
            raise unexpected(message, expected)
        return greeting

    async def expect_nothing(self) -> None:
        """Check that no message is under way: the next one is the RESULT of a request that every server refuses."""
        await self.expect_refusal("SELECT_PLAYER_NUMBER", size=99)

    async def act(self, turn: ClimbTurn, kind: str, cell: Cell, request: str = "EXECUTE_ACTION") -> None:
        """Request an action of pawn 0, which plays the script."""
        await self.say(request, user=self.user, id=0, actionIdentifier={"description": kind}, coordinate=at(cell))


def is_greeting(message: Message) -> bool:
    """Return whether a message describes a lobby: a valid size, or one of its users."""
    content = message.get("content") or {}
    return message.get("type") == "USER_JOINED" or (
        message.get("type") == "SIZE_SELECTED" and content.get("size") in (1, 2, 3)
    )


def at(cell: Cell) -> dict[str, int]:
    """Return the coordinate of a cell."""
    return {"x": cell[0], "y": cell[1]}


async def visit(probe: Probe) -> Player:
    """Open a connection and send nothing."""
    return Player(await probe.connect())


@stage
async def size(probe: Probe, players: int = 2) -> Player:
    """Open the first connection of a lobby and set the size."""
    first = await visit(probe)
    await first.say("SELECT_PLAYER_NUMBER", size=players)
    await first.expect("SIZE_SELECTED", size=players)
    await first.expect_result()
    return first


@stage
async def log_in(player: Player, *others: Player) -> None:
    """Log in; all players get the event, the sender before its RESULT."""
    await player.say("ADD_USER", user=player.user)
    for receiver in (player, *others):
        await receiver.expect("USER_JOINED", user=player.user)


@fills_table
async def gather(probe: Probe, players: int = 2) -> tuple[list[Player], list[dict[str, str]]]:
    """Fill a lobby; return the players and the gods offered."""
    present: list[Player] = []
    gods: list[dict[str, str]] = []
    for _ in range(players):
        newcomer = await visit(probe) if present else await size(probe, players)
        if present:
            await newcomer.expect("SIZE_SELECTED", size=players)
        for earlier in present:
            await newcomer.expect("USER_JOINED", user=earlier.user)
        await log_in(newcomer, *present)
        present.append(newcomer)
        if len(present) == players:
            for receiver in present:
                gods = (await receiver.expect("GODS_AVAILABLE")).get("gods", [])
        await newcomer.expect_result()
    return present, gods


def pick(gods: list[dict[str, str]], names: tuple[str, ...] = GODS) -> list[dict[str, str]]:
    """Return gods by name, as the server sent them."""
    by_name = {god.get("name"): god for god in gods}
    if missing := [name for name in names if name not in by_name]:
        raise NotExamined(f"the server does not offer the gods of this check: {', '.join(missing)}")
    return [by_name[name] for name in names]


@stage
async def challenge(probe: Probe) -> tuple[Player, Player, list[dict[str, str]]]:
    """Return the challenger, the other player, and the two gods that the challenger selected."""
    (first, second), gods = await gather(probe)
    chosen = pick(gods)
    await first.say("SELECT_GODS", user=first.user, gods=chosen)
    for receiver in (first, second):
        received = (await receiver.expect("GODS_AVAILABLE")).get("gods", [])
        if [god.get("name") for god in received] != list(GODS):
            raise unexpected({"type": "GODS_AVAILABLE", "content": {"gods": received}}, f"the gods {show(GODS)}")
    await first.expect_result()
    return first, second, chosen


@stage
async def choose(probe: Probe) -> tuple[Player, Player]:
    """Return the challenger and the other player, both with a god."""
    first, second, chosen = await challenge(probe)
    await second.say("CHOOSE_GOD", user=second.user, god=chosen[0])
    for receiver in (first, second):
        await receiver.expect("GOD_CHOSEN", user=second.user)
        await receiver.expect("GOD_CHOSEN", user=first.user)
        await receiver.expect("GODS_AVAILABLE", gods=[])
    await second.expect_result()
    return first, second


@stage
async def start(probe: Probe) -> tuple[Player, Player]:
    """Return the first player and the challenger, up to the request for pawns."""
    challenger, starter = await choose(probe)
    await challenger.say("CHOOSE_FIRST_PLAYER", self=challenger.user, firstPlayer=starter.user)
    for receiver in (challenger, starter):
        await receiver.expect("REQUEST_PLACE_PAWNS", user=starter.user)
    await challenger.expect_result()
    return starter, challenger


@stage
async def place(player: Player, other: Player, squares: tuple[Cell, Cell]) -> None:
    """Place both pawns; all players get the events, then the next request."""
    await player.say("PLACE_PAWNS", user=player.user, c1=at(squares[0]), c2=at(squares[1]))
    for receiver in (player, other):
        for number, cell in enumerate(squares):
            await receiver.expect("PAWN_PLACED", owner=player.user, pawnId=number, coordinate=at(cell))


@stage
async def deploy(probe: Probe) -> tuple[Player, Player]:
    """Return two players with gods and pawns, the first to move."""
    first, second = await start(probe)
    await place(first, second, FIRST)
    for receiver in (first, second):
        await receiver.expect("REQUEST_PLACE_PAWNS", user=second.user)
    await first.expect_result()
    await place(second, first, SECOND)
    for receiver in (first, second):
        await receiver.expect("TURN_CHANGE", user=first.user, turn=0)
        await expect_ready(receiver, first, "Move")
    await second.expect_result()
    return first, second


async def expect_ready(receiver: Player, player: Player, kind: str) -> None:
    """Receive the ACTION_READY for `player`, with an action of this kind."""
    received = await receiver.expect("ACTION_READY", user=player.user)
    if {"description": kind} not in received.get("actionIdentifiers", ()):
        raise unexpected({"type": "ACTION_READY", "content": received}, f"{kind} among its actions")


@stage
async def move(player: Player, other: Player, turn: ClimbTurn) -> None:
    """Move pawn 0; all players get the event."""
    await player.act(turn, "Move", turn.to)
    for receiver in (player, other):
        await receiver.expect("MOVE", **{"from": at(turn.frm), "to": at(turn.to)})


@stage
async def whole_turn(player: Player, other: Player, turn: ClimbTurn, number: int) -> None:
    """Move and build; the turn then passes to the other player."""
    await move(player, other, turn)
    for receiver in (player, other):
        await expect_ready(receiver, player, "Build_Block")
    await player.expect_result()
    assert turn.build is not None
    await player.act(turn, "Build_Block", turn.build)
    building = {"level": f"LEVEL{turn.level}", "dome": False}
    for receiver in (player, other):
        await receiver.expect("BUILD", building=building, coordinate=at(turn.build))
        await receiver.expect("TURN_CHANGE", user=other.user, turn=number + 1)
        await expect_ready(receiver, other, "Move")
    await player.expect_result()


@stage
async def climb(probe: Probe) -> tuple[Player, Player]:
    """Play a whole match, up to the first player's winning move and its events."""
    first, second = await deploy(probe)
    mover, waiter = first, second
    for number, turn in enumerate(TURNS[:-1]):
        await whole_turn(mover, waiter, turn, number)
        mover, waiter = waiter, mover
    await move(first, second, TURNS[-1])
    return first, second
