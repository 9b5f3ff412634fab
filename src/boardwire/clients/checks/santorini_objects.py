"""What the document of santorini-objects says, and its shipped edition does, tried on a server.

Sections are the document's headings; [n] are the notes'.  Gods are the server's to draw.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeAlias

import msgspec

from boardwire.clients.checks.check import Check, Failed, Probe
from boardwire.clients.checks.climb import FIRST, TURNS, around
from boardwire.clients.checks.objects_player import (
    EDITIONS,
    Player,
    all_hear,
    asked_to_build,
    asked_to_move,
    at,
    build,
    climb,
    deploy,
    gather,
    login,
    move,
    named,
    offered,
    visit,
    whole_turn,
)
from boardwire.dialects.santorini_objects import classes as wire
from boardwire.dialects.santorini_objects.editions import Edition

Trial: TypeAlias = Callable[[Edition, Probe], Awaitable[None]]


async def two_players(edition: Edition, probe: Probe) -> None:
    await gather(probe, edition, 2)


async def three_players(edition: Edition, probe: Probe) -> None:
    await gather(probe, edition, 3)


async def sizes_apart(edition: Edition, probe: Probe) -> None:
    lonely = await visit(probe, edition)
    await lonely.say(login(edition, 3, "Lonely"))
    await gather(probe, edition, 2)
    await lonely.wire.silent()


async def leaving_the_queue(edition: Edition, probe: Probe) -> None:
    gone, *others = [await visit(probe, edition) for _ in range(3)]
    await gone.say(login(edition, 2, "Gone"))
    gone.wire.close()
    await others[0].wire.silent()  # the server needs a moment to notice
    await others[0].say(login(edition, 2, "Check 1"))
    await others[0].wire.silent()
    await others[1].say(login(edition, 2, "Check 2"))
    await named(others, ["Check 1", "Check 2"])


async def in_pieces(edition: Edition, probe: Probe) -> None:
    players = [await visit(probe, edition) for _ in range(2)]
    for number, player in enumerate(players, 1):
        data = edition.encode(login(edition, 2, f"Check {number}"))
        for start in range(0, len(data), 40):
            await player.wire.send(data[start : start + 40])
    await named(players, ["Check 1", "Check 2"])


async def set_up(edition: Edition, probe: Probe) -> None:
    await deploy(probe, edition, 2)


async def set_up_of_three(edition: Edition, probe: Probe) -> None:
    await deploy(probe, edition, 3)


async def bad_god(edition: Edition, probe: Probe) -> None:
    first, second = await gather(probe, edition)
    if edition.is_shipped:
        gods = offered((await first.one(wire.RequestInitializeGodPower)).god_powers, None, 2)
        await _rejected(first, wire.InitializeGodPower("Nobody"), wire.RequestInitializeGodPower(1, tuple(gods)))
    else:
        gods = offered((await first.one(wire.RequestInitializeGame)).god_powers, None, 2)
        wish = wire.InitializeGame("Nobody", tuple(map(at, FIRST)))
        await _rejected(first, wish, wire.RequestInitializeGame(1, tuple(gods)))
    await second.wire.silent()


async def bad_cells(edition: Edition, probe: Probe) -> None:
    first, second = await gather(probe, edition)
    if edition.is_shipped:
        for player in (first, second):
            god = (await player.one(wire.RequestInitializeGodPower)).god_powers[0]
            await player.say(wire.InitializeGodPower(god))
            await all_hear((first, second), wire.UpdateInitializeGodPower(player.number, god))
        asked: msgspec.Struct = await first.one(wire.RequestInitializeWorkerPositions)
    else:
        asked = await first.one(wire.RequestInitializeGame)
    for cells in ((at((0, 0)), at((0, 0))), (at((0, 5)), at((1, 1))), (at((1, 1)),)):
        answer = wire.InitializeWorkerPositions(cells)
        if isinstance(asked, wire.RequestInitializeGame):
            await _rejected(first, wire.InitializeGame(asked.god_powers[0], cells), asked)
        else:
            await _rejected(first, answer, asked)
    await second.wire.silent()


async def _rejected(player: Player, message: msgspec.Struct, request: msgspec.Struct) -> None:
    """What is not legal is asked for again; the shipped edition says so first [9.5]."""
    await player.say(message)
    if player.edition.is_shipped:
        await player.expect(wire.RequestError(player.number, "REJECTED"))
    await player.expect(request)


async def moves_on_offer(edition: Edition, probe: Probe) -> None:
    first, _ = await deploy(probe, edition)
    moves = await asked_to_move(first)
    if moves != {at(cell) for cell in around(FIRST[0])}:
        raise Failed(f"the moves {moves} came; expected the cells around {FIRST[0]}")


async def moving(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition)
    await move(players, players[0], TURNS[0], 0)


async def builds_on_offer(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition)
    await move(players, players[0], TURNS[0], 0)
    builds = await asked_to_build(players[0])
    around_it = {at(cell) for cell in around(TURNS[0].to)}
    if not around_it <= builds <= around_it | {at(TURNS[0].to)}:  # Zeus may build under himself
        raise Failed(f"the builds {builds} came; expected the cells around {TURNS[0].to}")


async def building(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition)
    await move(players, players[0], TURNS[0], 0)
    await build(players, players[0], TURNS[0])


async def two_turns(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition)
    await whole_turn(players, players[0], TURNS[0])
    await whole_turn(players, players[1], TURNS[1])
    await asked_to_move(players[0])


async def illegal_moves(edition: Edition, probe: Probe) -> None:
    first, second = players = await deploy(probe, edition)
    request = await first.hear("a request to move")
    for bad in (wire.ConsolidateMove(1, at((3, 3))), wire.ConsolidateMove(1, at(TURNS[0].to, 2))):
        await _rejected(first, bad, request)
    await _rejected(first, wire.ConsolidateMove(3, at(TURNS[0].to)), request)
    await second.wire.silent()
    await first.say(wire.ConsolidateMove(1, at(TURNS[0].to)))
    for player in players:
        await player.hear("the move")


async def out_of_turn(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition)
    await players[1].say(wire.ConsolidateMove(1, at((3, 3))))
    if edition.is_shipped:
        await players[1].expect(wire.RequestError(2, "REJECTED"))
    await whole_turn(players, players[0], TURNS[0])
    await whole_turn(players, players[1], TURNS[1])


async def winning(edition: Edition, probe: Probe) -> None:
    players = await climb(probe, edition)
    await all_hear(players, wire.UpdateWinner(1))
    for player in players:
        await player.wire.ends()


async def leaving(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition)
    players[0].wire.close()
    await players[1].expect(wire.UpdateDisconnection(1))
    await players[1].wire.ends()


async def leaving_off_turn(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition, 3)
    players[1].wire.close(reset=True)
    await asked_to_move(players[0])
    await all_hear((players[0], players[2]), wire.UpdateDisconnection(2))


async def several_tables(edition: Edition, probe: Probe) -> None:
    one, other = await deploy(probe, edition), await deploy(probe, edition)
    await whole_turn(other, other[0], TURNS[0])
    await whole_turn(one, one[0], TURNS[0])


async def bad_number(edition: Edition, probe: Probe) -> None:
    player = await visit(probe, edition)
    await player.say(login(edition, 4, "Check"))
    await player.expect(wire.Message("ERROR_NOT_VALID_NUM_OF_PLAYERS"))
    await player.wire.ends()


async def taken_name(edition: Edition, probe: Probe) -> None:
    first, second = await visit(probe, edition), await visit(probe, edition)
    for player in (first, second):
        await player.say(login(edition, 3, "Check"))
    try:
        await first.wire.receive("HELLO", 0.3)  # a server that asks does so now [3.2.3]
        await first.say(wire.Message("HELLO"))
    except Failed:
        pass
    await second.expect(wire.Message("ERROR_NOT_VALID_NAME"))
    await second.wire.ends()


async def declining_too_early(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition)
    request = await players[0].hear("a request to move")
    await _rejected(players[0], wire.DeclineLastAction(), request)
    await players[1].wire.silent()


_LOGIN: Final = "Inizializzazione connessione"
_SET_UP: Final = "Inizializzazione partita"
_BOTH: Final[tuple[tuple[str, str, Trial], ...]] = (
    ("two players who want to be two get numbers and names", _LOGIN, two_players),
    ("three players who want to be three get numbers and names", _LOGIN, three_players),
    ("only players who want the same number meet", _LOGIN, sizes_apart),
    ("who leaves while waiting is not waited for", _LOGIN, leaving_the_queue),
    ("an object may come in pieces", "[1]", in_pieces),
    ("two players choose gods and cells one after the other, and all see it", _SET_UP, set_up),
    ("three players choose gods and cells one after the other, and all see it", _SET_UP, set_up_of_three),
    ("a god that is not on offer is not taken", "[3.2.11], [9.5]", bad_god),
    ("cells that are not two different ones of the board are not taken", "[3.2.11], [9.5]", bad_cells),
    ("the player whose turn it is gets the moves of the workers", "Move", moves_on_offer),
    ("all see a move", "Move", moving),
    ("after the move come the builds of the worker", "Build", builds_on_offer),
    ("all see a build", "Build", building),
    ("all hear whose turn is next", "Cambio turno", two_turns),
    ("a move that is not on offer is not made", "[9.5], [9.6]", illegal_moves),
    ("a move out of turn is not made", "[3.2.11], [9.5]", out_of_turn),
    ("all hear who won, and the match is over", "Vittoria", winning),
    ("all hear who left, and the match is over", "Disconnessione", leaving),
    ("also if it was not that player's turn", "Disconnessione", leaving_off_turn),
    ("several matches at once", _LOGIN, several_tables),
)
_SHIPPED: Final[tuple[tuple[str, str, Trial], ...]] = (
    ("a table of four is refused in words", "[3.2.2]", bad_number),
    ("the name of somebody who waits is refused in words", "[3.2.4]", taken_name),
    ("a turn cannot be ended before it was played", "[9.11]", declining_too_early),
)


def checks(edition: str) -> tuple[Check, ...]:
    """The checks of an edition: the document's, its older form `d1`, or `shipped`."""
    spoken = EDITIONS[edition]
    trials = _BOTH + (_SHIPPED if spoken.is_shipped else ())
    return tuple(Check(name, section, partial(trial, spoken)) for name, section, trial in trials)
