"""Checks of eriantys-objects: from the connection to the first display."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from boardwire.conformance.display import show
from boardwire.conformance.server.check import Failed, Probe, fresh_names, unexpected
from boardwire.conformance.server.eriantys_objects_player import (
    BEGINNER,
    BLACK,
    GREY,
    WHITE,
    Bytes,
    Player,
    asked_for_number,
    choosing,
    connect,
    enter,
    gather,
    join,
    let_in,
    open_table,
)
from boardwire.dialects.eriantys_objects import messages as wire
from boardwire.dialects.eriantys_objects.messages import GREETING, encode


async def header(probe: Probe) -> None:
    line = await probe.connect(Bytes)
    came = b""
    try:
        while len(came) < len(GREETING):
            came += await line.receive(f"the header {GREETING.hex()}, before anything is said")
    finally:
        line.close()
    if came != GREETING:
        raise Failed(f"{came.hex()} came; expected the header {GREETING.hex()} and nothing else")


async def login(probe: Probe) -> None:
    await choosing(probe)


async def no_name(probe: Probe) -> None:
    player = await connect(probe, "")
    await player.login()
    await _denied(player)
    player.name = fresh_names(1)[0]
    await let_in(player)


async def taken_name(probe: Probe) -> None:
    first = await open_table(probe, 3)
    player = await connect(probe, first.name)
    await player.login()
    await _denied(player)
    player.name = fresh_names(1)[0]
    await let_in(player)


async def _denied(player: Player) -> None:
    await player.expect(wire.GenericMessage)
    await player.expect(wire.LoginReply, nickname_accepted=False, connection_successful=True)


async def in_pieces(probe: Probe) -> None:
    player = await connect(probe, fresh_names(1)[0])
    data = encode(wire.LoginRequest(nickname=player.name))
    for start in range(0, len(data), 40):
        await player.wire.send(data[start : start + 40])
    await player.expect(wire.LoginReply, nickname_accepted=True)
    await asked_for_number(player)
    await player.say(
        wire.PlayerNumberReply(nickname=player.name, player_number=2),
        wire.ChosenTowerMessage(nickname=player.name, color_tower=WHITE),
    )
    await player.expect(wire.InitialResMessage)
    await player.expect(wire.GameModeReq)


async def without_reset(probe: Probe) -> None:
    player = await connect(probe, fresh_names(1)[0])
    await player.wire.send(encode(wire.PingMessage())[:-1] + encode(wire.LoginRequest(nickname=player.name)))
    await player.expect(wire.LoginReply, nickname_accepted=True)


async def pings(probe: Probe) -> None:
    player = await choosing(probe)
    await player.say(*[wire.PingMessage()] * 5)
    await player.wire.silent()


def towers(count: int) -> Callable[[Probe], Awaitable[None]]:
    async def offered(probe: Probe) -> None:
        await open_table(probe, count)

    return offered


async def bad_number(probe: Probe) -> None:
    first = await choosing(probe)
    for number in (1, 5, -2):
        await first.answer(wire.PlayerNumberReply, player_number=number)
        await first.expect(wire.TextMessage)
        await first.expect(wire.PlayerNumberRequest)


async def taken_tower(probe: Probe) -> None:
    await open_table(probe, 2)
    player, left = await join(probe)
    if left != [WHITE]:
        raise Failed(f"the towers {show(left)} came; expected WHITE alone")
    for tower in (BLACK, GREY):
        await player.answer(wire.ChosenTowerMessage, color_tower=tower)
        await player.expect(wire.InitialResMessage, available_towers=(WHITE,), game_mode=BEGINNER)


async def held(probe: Probe) -> None:
    first = await choosing(probe)
    late = await connect(probe, fresh_names(2)[1])
    await late.login()
    await first.answer(wire.PlayerNumberReply, player_number=2)
    await first.expect(wire.InitialResMessage)
    await first.answer(wire.ChosenTowerMessage, color_tower=BLACK)
    await first.expect(wire.GameModeReq)
    await first.answer(wire.GameModeRes, game_mode=BEGINNER)
    await late.expect(wire.LoginReply, nickname_accepted=True, connection_successful=True)
    await late.expect(wire.InitialResMessage, game_mode=BEGINNER)


async def left_while_choosing(probe: Probe) -> None:
    first = await choosing(probe)
    await first.depart()
    again = await enter(probe, first.name)
    await again.expect(wire.PlayerNumberRequest)


def start(count: int, mode: wire.GameMode) -> Callable[[Probe], Awaitable[None]]:
    async def shown(probe: Probe) -> None:
        for player in await gather(probe, count, mode):
            await player.expect(wire.DisplayIslandsMessage, nickname=player.name)
            board = await player.expect(wire.DisplayPlayerBoardMessage, nickname=player.name)
            each = 4 if count == 3 else 3
            sizes = len(player.islands), [len(cloud.students or ()) for cloud in player.clouds], len(player.entrance)
            wanted = (12, [each] * count, 9 if count == 3 else 7)
            if sizes != wanted:
                raise Failed(f"islands, clouds and entrance have {sizes}; expected {wanted}")
            if sum(len(island.students or ()) for island in player.islands) != 10:
                raise Failed(f"the islands {show(player.islands)} came; expected ten students on them")
            if board.player.nickname != player.name or len(set(board.towers)) != 1:
                raise unexpected(board, f"the board of {player.name}, with towers of one colour")

    return shown
