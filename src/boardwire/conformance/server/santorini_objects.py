"""Checks of santorini-objects. The server draws the gods."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeAlias

import msgspec

from boardwire.conformance.display import show
from boardwire.conformance.server.check import Answering, Check, Failed, Probe, baseline, fresh_names, unexpected
from boardwire.conformance.server.climb import FIRST, HIGH, TOO_HIGH, TURNS, Cell, around
from boardwire.conformance.server.objects_player import (
    EDITIONS,
    HELLO,
    Player,
    asked_to_build,
    asked_to_move,
    at,
    build,
    climb,
    deploy,
    exchange_names,
    expect_all,
    gather,
    login,
    move,
    offered,
    visit,
    whole_turn,
)
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as wire

EditionCheck: TypeAlias = Callable[[Edition, Probe], Awaitable[None]]


async def two_players(edition: Edition, probe: Probe) -> None:
    await gather(probe, edition, 2)


async def three_players(edition: Edition, probe: Probe) -> None:
    await gather(probe, edition, 3)


async def sizes_apart(edition: Edition, probe: Probe) -> None:
    probe.enter_queue()
    waiting = await visit(probe, edition)
    await waiting.say(login(edition, 3, fresh_names(1)[0]))
    await waiting.wire.expect_no_opponent()
    await gather(probe, edition, 2)
    probe.ours = False  # other players may join the table of three
    await waiting.wire.expect_silence()


async def leaving_the_queue(edition: Edition, probe: Probe) -> None:
    """Check that a client that leaves the queue does not count as a player."""
    probe.enter_queue()
    leaver = await visit(probe, edition)
    await leaver.say(login(edition, 2, "Gone"))
    await leaver.wire.expect_no_opponent()
    await leaver.wire.expect_silence()
    leaver.wire.close()
    names = fresh_names(2)
    others = []
    for name in names:
        other = await visit(probe, edition)
        others.append(other)
        await other.say(login(edition, 2, name))
        if name == names[0]:
            await other.wire.expect_silence()
    await exchange_names(others, names)


async def in_pieces(edition: Edition, probe: Probe) -> None:
    probe.enter_queue()
    names = fresh_names(2)
    players: list[Player] = []
    for name in names:
        player = await visit(probe, edition)
        data = edition.encode(login(edition, 2, name))
        for start in range(0, len(data), 40):
            await player.wire.send(data[start : start + 40])
        if not players:
            await player.wire.expect_no_opponent()
        players.append(player)
    await exchange_names(players, names)


async def set_up(edition: Edition, probe: Probe) -> None:
    await deploy(probe, edition, 2)


async def set_up_of_three(edition: Edition, probe: Probe) -> None:
    await deploy(probe, edition, 3)


async def bad_god(edition: Edition, probe: Probe) -> None:
    first, second = await gather(probe, edition)
    if edition.is_shipped:
        gods = offered((await first.receive_class(wire.RequestInitializeGodPower)).god_powers, None, 2)
        await _send_illegal(first, wire.InitializeGodPower("Nobody"), wire.RequestInitializeGodPower(1, tuple(gods)))
        await second.wire.expect_silence()
        await first.say(wire.InitializeGodPower(gods[0]))
        await expect_all((first, second), wire.UpdateInitializeGodPower(1, gods[0]))
    else:
        gods = offered((await first.receive_class(wire.RequestInitializeGame)).god_powers, None, 2)
        cells = tuple(map(at, FIRST))
        await _send_illegal(first, wire.InitializeGame("Nobody", cells), wire.RequestInitializeGame(1, tuple(gods)))
        await second.wire.expect_silence()
        await first.say(wire.InitializeGame(gods[0], cells))
        await expect_all((first, second), wire.UpdateInitializeGame(1, gods[0], cells))


async def bad_cells(edition: Edition, probe: Probe) -> None:
    """Check that illegal cells for the workers are refused, and legal ones accepted afterwards."""
    first, second = await gather(probe, edition)
    if edition.is_shipped:
        for player in (first, second):
            god = (await player.receive_class(wire.RequestInitializeGodPower)).god_powers[0]
            await player.say(wire.InitializeGodPower(god))
            await expect_all((first, second), wire.UpdateInitializeGodPower(player.number, god))
        request: msgspec.Struct = await first.receive_class(wire.RequestInitializeWorkerPositions)
    else:
        request = await first.receive_class(wire.RequestInitializeGame)
    for cells in ((at((0, 0)), at((0, 0))), (at((0, 5)), at((1, 1))), (at((1, 1)),)):
        answer = wire.InitializeWorkerPositions(cells)
        if isinstance(request, wire.RequestInitializeGame):
            await _send_illegal(first, wire.InitializeGame(request.god_powers[0], cells), request)
        else:
            await _send_illegal(first, answer, request)
    await second.wire.expect_silence()
    legal = tuple(map(at, FIRST))
    if isinstance(request, wire.RequestInitializeGame):
        await first.say(wire.InitializeGame(request.god_powers[0], legal))
        await expect_all((first, second), wire.UpdateInitializeGame(1, request.god_powers[0], legal))
    else:
        await first.say(wire.InitializeWorkerPositions(legal))
        await expect_all((first, second), wire.UpdateInitializeWorkerPositions(1, legal))


REPEAT_SECONDS: Final = 0.3
"""Time limit for a server to repeat a request."""


async def _send_illegal(player: Player, message: msgspec.Struct, request: msgspec.Struct) -> None:
    """Send an illegal answer, which the shipped edition rejects explicitly, and allow the server to repeat the request.

    `asked_again` checks the repetition: the original program of the shipped edition rejects and waits.
    """
    await player.say(message)
    if player.edition.is_shipped:
        await player.expect(wire.RequestError(player.number, "REJECTED"))
    received = await player.wire.next_within(REPEAT_SECONDS)
    if received is not None and received != request:
        raise unexpected(received, f"{show(request)}, or nothing")


async def asked_again(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition)
    request = await players[0].receive("a request to move")
    await players[0].say(wire.ConsolidateMove(1, at((3, 3))))
    if edition.is_shipped:
        async with baseline("RequestError after a move that is not on offer"):
            await players[0].expect(wire.RequestError(1, "REJECTED"))
    await players[0].expect(request)


async def moves_on_offer(edition: Edition, probe: Probe) -> None:
    first, _ = await deploy(probe, edition)
    moves = await asked_to_move(first)
    if moves != {at(cell) for cell in around(FIRST[0])}:
        raise Failed(f"got the moves {show(moves)}; expected the cells around {show(FIRST[0])}")


async def moving(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition)
    await move(players[0], players, TURNS[0], 0)


async def builds_on_offer(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition)
    await move(players[0], players, TURNS[0], 0)
    builds = await asked_to_build(players[0])
    around_it = {at(cell) for cell in around(TURNS[0].to)}
    if not around_it <= builds <= around_it | {at(TURNS[0].to)}:  # Zeus may build under himself
        raise Failed(f"got the builds {show(builds)}; expected the cells around {show(TURNS[0].to)}")


async def building(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition)
    await move(players[0], players, TURNS[0], 0)
    await build(players[0], players, TURNS[0])


async def two_turns(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition)
    await whole_turn(players[0], players, TURNS[0])
    await whole_turn(players[1], players, TURNS[1])
    await asked_to_move(players[0])


async def illegal_moves(edition: Edition, probe: Probe) -> None:
    first, second = players = await deploy(probe, edition)
    request = await first.receive("a request to move")
    for bad in (wire.ConsolidateMove(1, at((3, 3))), wire.ConsolidateMove(1, at(TURNS[0].to, 2))):
        await _send_illegal(first, bad, request)
    await _send_illegal(first, wire.ConsolidateMove(3, at(TURNS[0].to)), request)
    await second.wire.expect_silence()
    await first.say(wire.ConsolidateMove(1, at(TURNS[0].to)))
    for player in players:
        await player.receive("the move")


async def too_high(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition)
    levels: dict[Cell, int] = {}
    for number, turn in enumerate(TURNS[:HIGH]):
        await whole_turn(players[number % 2], players, turn, levels.get(turn.frm, 0))
        if turn.build is not None:
            levels[turn.build] = turn.level
    request = await players[0].receive("a request to move")
    offer = request.worker1_moves
    if any((cell.x, cell.y) == TOO_HIGH for cell in offer):
        raise Failed(f"got the moves {show(offer)}; expected none to {show(TOO_HIGH)}, which is two levels up")
    await _send_illegal(players[0], wire.ConsolidateMove(1, at(TOO_HIGH, levels[TOO_HIGH])), request)
    await players[1].wire.expect_silence()


async def out_of_turn(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition)
    await players[1].say(wire.ConsolidateMove(1, at((3, 3))))
    if edition.is_shipped:
        await players[1].expect(wire.RequestError(2, "REJECTED"))
    await whole_turn(players[0], players, TURNS[0])
    await whole_turn(players[1], players, TURNS[1])


async def winning(edition: Edition, probe: Probe) -> None:
    players = await climb(probe, edition)
    await expect_all(players, wire.UpdateWinner(1))
    for player in players:
        await player.wire.expect_close()


async def leaving(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition)
    players[0].wire.close()
    await players[1].expect(wire.UpdateDisconnection(1))
    await players[1].wire.expect_close()


async def leaving_off_turn(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition, 3)
    players[1].wire.close(reset=True)
    await asked_to_move(players[0])
    await expect_all((players[0], players[2]), wire.UpdateDisconnection(2))


async def several_tables(edition: Edition, probe: Probe) -> None:
    first_table, second_table = await deploy(probe, edition), await deploy(probe, edition)
    await whole_turn(second_table[0], second_table, TURNS[0])
    await whole_turn(first_table[0], first_table, TURNS[0])


async def bad_number(edition: Edition, probe: Probe) -> None:
    player = await visit(probe, edition)
    await player.say(login(edition, 4, fresh_names(1)[0]))
    await player.expect(wire.Message("ERROR_NOT_VALID_NUM_OF_PLAYERS"))
    await player.wire.expect_close()


async def taken_name(edition: Edition, probe: Probe) -> None:
    probe.enter_queue()
    first, second = await visit(probe, edition), await visit(probe, edition)
    (name,) = fresh_names(1)
    for player in (first, second):
        await player.say(login(edition, 3, name))
        if player is first:
            await first.wire.expect_no_opponent()
        await first.wire.expect_silence()
    await second.expect(wire.Message("ERROR_NOT_VALID_NAME"))
    await second.wire.expect_close()


async def declining_too_early(edition: Edition, probe: Probe) -> None:
    players = await deploy(probe, edition)
    request = await players[0].receive("a request to move")
    await _send_illegal(players[0], wire.DeclineLastAction(), request)
    await players[1].wire.expect_silence()
    await players[0].say(wire.ConsolidateMove(1, at(TURNS[0].to)))
    for player in players:
        await player.receive("the move")


_Case: TypeAlias = tuple[str, str, str, EditionCheck]
"""Name, section of the document's edition, section of the shipped edition, and the conversation."""

_BOTH: Final[tuple[_Case, ...]] = (
    ("two players who want to be two get numbers and names", "6.4", "7.2", two_players),
    ("three players who want to be three get numbers and names", "6.4", "7.2", three_players),
    ("only players who want the same number meet", "6.2", "7.2", sizes_apart),
    ("a waiting player who leaves is replaced", "6.2", "7.2", leaving_the_queue),
    ("an object may come in pieces", "2", "2", in_pieces),
    ("two players choose gods and cells one after the other, and all see it", "6.5", "7.3", set_up),
    ("three players choose gods and cells one after the other, and all see it", "6.5", "7.3", set_up_of_three),
    ("a god that is not on offer is not taken", "9", "9", bad_god),
    ("cells that are not two different ones of the board are not taken", "9", "9", bad_cells),
    ("the player whose turn it is gets the moves of the workers", "6.7", "7.6", moves_on_offer),
    ("all see a move", "6.9", "7.7", moving),
    ("after the move come the builds of the worker", "6.7", "7.6", builds_on_offer),
    ("all see a build", "6.9", "7.7", building),
    ("all hear whose turn is next", "6.6", "7.8", two_turns),
    ("a move that is not on offer is not made", "9", "9", illegal_moves),
    ("after what is not taken the request comes again", "9", "12.9", asked_again),
    ("a move two levels up is neither offered nor made", "9", "9", too_high),
    ("a move out of turn is not made", "9", "9", out_of_turn),
    ("all hear who won, and the match is over", "6", "7", winning),
    ("all hear who left, and the match is over", "9", "9", leaving),
    ("also if it was not that player's turn", "9", "9", leaving_off_turn),
    ("several matches at once", "6.2", "7.2", several_tables),
)
_SHIPPED: Final[tuple[_Case, ...]] = (
    ("a table of four is refused in words", "", "7.1", bad_number),
    ("the name of a waiting player is refused in words", "", "7.1", taken_name),
    ("a turn cannot end before it is played", "", "9", declining_too_early),
)


def checks(edition: str) -> tuple[Check, ...]:
    """Return the checks of an edition: the document's, its older form `d1`, or `shipped`."""
    spoken = EDITIONS[edition]
    cases = _BOTH + (_SHIPPED if spoken.is_shipped else ())
    return tuple(
        Check(name, f if spoken.is_shipped else d, partial(conversation, spoken)) for name, d, f, conversation in cases
    )


def answering(edition: str) -> Answering:
    """Return the function that answers HELLO, which detects waiting players, and hides the decoder's edition."""
    reply = EDITIONS[edition].encode(HELLO)

    def answer(message: object) -> bytes | None:
        return reply if message == HELLO else b"" if isinstance(message, Edition) else None

    return answer
