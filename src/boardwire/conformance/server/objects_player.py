"""A santorini-objects player for checks: single objects, and whole stages of a match.

The server draws the gods. The player works with any gods: it makes the scripted move and build, and declines optional
steps.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

import msgspec

from boardwire.conformance.display import show
from boardwire.conformance.server.check import Failed, Probe, Wire, fills_table, fresh_names, stage, unexpected
from boardwire.conformance.server.climb import FIRST, SECOND, TURNS, Cell, ClimbTurn
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire

EDITIONS = {"": Edition.D2, "d1": Edition.D1, "shipped": Edition.F}
HELLO = wire.Message("HELLO")
Received = TypeVar("Received")


class Player:
    """One connection; the server assigns `number`."""

    def __init__(self, line: Wire, edition: Edition) -> None:
        self.wire = line
        self.probe = line.probe
        self.edition = edition
        self.number = 0

    async def say(self, *messages: msgspec.Struct) -> None:
        """Send objects, each as a separate stream, in one segment."""
        await self.wire.send(b"".join(map(self.edition.encode, messages)), " ".join(map(show, messages)))

    async def receive(self, what: str) -> Any:
        """Return the next object."""
        return await self.wire.receive(what)

    async def expect(self, message: msgspec.Struct) -> None:
        """Receive an object equal to this one."""
        received = await self.receive(show(message))
        if received != message:
            raise unexpected(received, message)

    async def receive_class(self, kind: type[Received]) -> Received:
        """Receive an object of this class."""
        received = await self.receive(kind.__name__)
        if not isinstance(received, kind):
            raise unexpected(received, kind.__name__)
        return received


async def expect_all(players: Iterable[Player], message: msgspec.Struct) -> None:
    """Check that all players receive this object."""
    for player in players:
        await player.expect(message)


def at(cell: Cell, z: int = 0) -> wire.Position:
    """Return the position of a cell on this level."""
    return wire.Position(*cell, z)


async def visit(probe: Probe, edition: Edition) -> Player:
    """Open a connection and send nothing."""
    return Player(await probe.connect(), edition)


def login(edition: Edition, seats: int, name: str) -> msgspec.Struct:
    """Return the first object that a client sends."""
    return wire.Connection(seats, name) if edition.is_shipped else wire.Message(f"{seats} players")


@fills_table
async def gather(probe: Probe, edition: Edition, seats: int = 2) -> list[Player]:
    """Fill a table and exchange the players' numbers and names; return the players by number."""
    names = fresh_names(seats)
    players: list[Player] = []
    probe.enter_queue()
    for name in names:
        player = await visit(probe, edition)
        await player.say(login(edition, seats, name))
        if not players:
            await player.wire.expect_no_opponent()
        players.append(player)
    return await exchange_names(players, names)


async def exchange_names(players: list[Player], names: list[str]) -> list[Player]:
    """Receive, and send, the messages of a login after a table is full; return the players by number."""
    if not players[0].edition.is_shipped:
        for player, name in zip(players, names, strict=True):
            await player.expect(wire.Message("Player's name"))
            await player.say(wire.Message(name))
    text = "PLAYER_{}" if players[0].edition.is_shipped else "You are player {}"
    number_by_text = {text.format(number): number for number in range(1, len(players) + 1)}
    for player in players:
        received = await player.receive_class(wire.Message)
        if received.message not in number_by_text:
            raise unexpected(received, " or ".join(number_by_text) if number_by_text else "each number only once")
        player.number = number_by_text.pop(received.message)
    order = sorted(zip(players, names, strict=True), key=lambda pair: pair[0].number)
    for player in players:
        await player.expect(wire.UpdateInitializeNames(tuple(name for _, name in order)))
    return [player for player, _ in order]


@stage
async def deploy(probe: Probe, edition: Edition, seats: int = 2) -> list[Player]:
    """Set up gods and workers, up to the first turn."""
    players = await gather(probe, edition, seats)
    places = (FIRST, SECOND, ((2, 0), (2, 4)))[:seats]
    cells = [tuple(map(at, where)) for where in places]
    await (_two_rounds if edition.is_shipped else _in_one_round)(players, cells)
    await expect_all(players, wire.UpdateShippedTurn(True, 1) if edition.is_shipped else wire.UpdateTurn(1))
    return players


def offered(gods: tuple[str, ...], before: list[str] | None, left: int) -> list[str]:
    """Return the gods of a request, which must be `left` different ones out of `before`."""
    if len(gods) != left or len(set(gods)) != left or (before is not None and not set(gods) <= set(before)):
        expected = f"{left} of {show(before)}" if before else f"{left} different ones"
        raise Failed(f"got the gods {show(gods)}; expected {expected}")
    return list(gods)


async def _in_one_round(players: list[Player], cells: list[tuple[wire.Position, ...]]) -> None:
    gods: list[str] | None = None
    for player, where in zip(players, cells, strict=True):
        request = await player.receive_class(wire.RequestInitializeGame)
        gods = offered(request.god_powers, gods, len(players) - player.number + 1)
        god = gods.pop()
        await player.say(wire.InitializeGame(god, where))
        await expect_all(players, wire.UpdateInitializeGame(player.number, god, where))


async def _two_rounds(players: list[Player], cells: list[tuple[wire.Position, ...]]) -> None:
    gods: list[str] | None = None
    for player in players:
        request = await player.receive_class(wire.RequestInitializeGodPower)
        gods = offered(request.god_powers, gods, len(players) - player.number + 1)
        god = gods.pop()
        await player.say(wire.InitializeGodPower(god))
        await expect_all(players, wire.UpdateInitializeGodPower(player.number, god))
    for player, where in zip(players, cells, strict=True):
        free = (await player.receive_class(wire.RequestInitializeWorkerPositions)).possible_positions
        if len(free) != 25 - 2 * (player.number - 1) or not set(where) <= set(free):
            raise unexpected(free, "all free cells")
        await player.say(wire.InitializeWorkerPositions(where))
        await expect_all(players, wire.UpdateInitializeWorkerPositions(player.number, where))


async def asked_to_move(player: Player) -> frozenset[wire.Position]:
    """Receive the request that starts a turn; return the moves of worker 1."""
    received = await player.receive("a request to move")
    if not isinstance(received, wire.RequestMove | wire.RequestOptional | wire.RequestAction):
        raise unexpected(received, "a request to move")
    return received.worker1_moves


async def asked_to_build(player: Player) -> frozenset[wire.Position]:
    """Receive the request after a move; return the builds of worker 1."""
    received = await player.receive("a request to build")
    if not isinstance(received, wire.RequestBuild | wire.RequestOptional | wire.RequestAction):
        raise unexpected(received, "a request to build")
    return received.worker1_builds


@stage
async def move(player: Player, players: list[Player], turn: ClimbTurn, level: int) -> None:
    """Move worker 1, which stands on level `level`; all players get the update."""
    to = at(turn.to, turn.height)
    offer = await asked_to_move(player)
    if to not in offer:
        raise Failed(f"got the moves {show(offer)} of worker 1; expected {show(to)} among them")
    await player.say(wire.ConsolidateMove(1, to))
    moved = wire.UpdateShippedMove(player.number, 1, to, at(turn.frm, level))
    plain = wire.UpdateMove(player.number, 1, to)
    await expect_all(players, wire.UpdateActions((), (moved,)) if player.edition.is_shipped else plain)


@stage
async def build(player: Player, players: list[Player], turn: ClimbTurn) -> None:
    """Build with worker 1; all players get the update."""
    assert turn.build is not None
    slot = at(turn.build, turn.level - 1)
    offer = await asked_to_build(player)
    if slot not in offer:
        raise Failed(f"got the builds {show(offer)} of worker 1; expected {show(slot)} among them")
    await player.say(wire.ConsolidateBuild(False, 1, slot))
    built = wire.UpdateBuild(False, slot)
    await expect_all(players, wire.UpdateActions((built,), ()) if player.edition.is_shipped else built)


@stage
async def finish(player: Player, players: list[Player]) -> None:
    """Finish the turn, declining optional steps; all players get the next player's number."""
    following = player.number % len(players) + 1
    shipped = player.edition.is_shipped
    turn: msgspec.Struct = wire.UpdateShippedTurn(False, following) if shipped else wire.UpdateTurn(following)
    received = await player.receive("the end of the turn")
    if isinstance(received, wire.RequestAction | wire.RequestOptional) and received.can_decline:
        await player.say(wire.DeclineLastAction() if shipped else wire.DeclineLastOptional())
        received = await player.receive(show(turn))
    elif shipped:
        raise unexpected(received, "a request that can be declined")
    if received != turn:
        raise unexpected(received, turn)
    await expect_all([other for other in players if other is not player], turn)


async def whole_turn(player: Player, players: list[Player], turn: ClimbTurn, level: int = 0) -> None:
    """Move, build and finish the turn."""
    await move(player, players, turn, level)
    await build(player, players, turn)
    await finish(player, players)


@stage
async def climb(probe: Probe, edition: Edition) -> list[Player]:
    """Play a whole match, up to player 1's winning move and its updates."""
    players = await deploy(probe, edition)
    levels: dict[Cell, int] = {}
    for number, turn in enumerate(TURNS):
        player, level = players[number % 2], levels.get(turn.frm, 0)
        if turn.build is None:
            await move(player, players, turn, level)
        else:
            await whole_turn(player, players, turn, level)
            levels[turn.build] = turn.level
    return players
