"""Checks of eriantys-objects: ends of connections and matches."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from boardwire.conformance.display import show
from boardwire.conformance.server.check import Failed, Probe, unexpected
from boardwire.conformance.server.eriantys_objects_player import (
    QUESTIONS,
    Player,
    asked_first,
    choosing,
    enter,
    gather,
    landing,
    reply,
)
from boardwire.dialects.eriantys_objects import messages as wire


def rubbish(data: bytes) -> Callable[[Probe], Awaitable[None]]:
    async def ended(probe: Probe) -> None:
        player = await choosing(probe)
        await player.wire.send(data)
        await player.wire.ends()
        again = await enter(probe, player.name)
        await again.expect(wire.PlayerNumberRequest)

    return ended


async def no_stream(probe: Probe) -> None:
    line = await probe.connect()
    await line.send(b"GET / HTTP/1.1\r\n\r\n")
    await line.ends()


async def wrong_type(probe: Probe) -> None:
    first = await choosing(probe)
    number = wire.PlayerNumberReply(nickname=first.name, player_number=3)
    await first.say(msgspec.structs.replace(number, message_type=wire.MessageType.PING))
    await first.answer(wire.PlayerNumberReply, player_number=2)
    towers = await first.until(wire.InitialResMessage)
    if len(towers.available_towers) != 2:
        raise unexpected(towers, "the towers of two: a message whose type is not that of its class is not taken")


async def leaving(probe: Probe) -> None:
    first, second = await landing(probe)
    first.leave()
    await _expect_disconnection(second, first.name)


async def leaving_off_turn(probe: Probe) -> None:
    players = await asked_first(await gather(probe, 3), wire.DisplayDeckAndAskCardMessage)
    players[2].leave()
    for player in players[:2]:
        await _expect_disconnection(player, players[2].name)


async def _expect_disconnection(player: Player, gone: str) -> None:
    message: Any = await player.until(wire.DisconnectionMessage)
    if message.nickname_disconnected != gone:
        raise unexpected(message, f"the name {gone}")
    await player.wire.ends()


async def several_tables(probe: Probe) -> None:
    one, other = await gather(probe), await gather(probe)
    first, _ = await asked_first(one, wire.DisplayDeckAndAskCardMessage)
    second, _ = await asked_first(other, wire.DisplayDeckAndAskCardMessage)
    for player in (second, first):
        await reply(player, wire.DisplayDeckAndAskCardMessage(nickname=player.name, deck=()))
        await player.until(wire.DisplayCemeteryMessage)


def match_of(count: int, mode: wire.GameMode) -> Callable[[Probe], Awaitable[None]]:
    async def played(probe: Probe) -> None:
        players = await gather(probe, count, mode)
        names = [player.name for player in players]
        ends = await asyncio.gather(*map(_to_the_end, players))
        for player, end in zip(players, ends, strict=True):
            if isinstance(end, wire.WinMessage) and end.winner.nickname not in names:
                raise unexpected(end, "the name of a player")
            await player.wire.ends()
        _judge_winner(players, ends)

    return played


def _judge_winner(players: list[Player], ends: list[wire.WinMessage | wire.DisconnectionMessage]) -> None:
    """Check that the winner has the fewest towers left.

    Team members share towers, so only matches of two and three are judged.  Every player has seen its own board after
    the last change.
    """
    left = {player.name: len(player.board.towers) for player in players if player.board is not None}
    fewest = [name for name, towers in left.items() if towers == min(left.values())]
    for end in ends:
        if isinstance(end, wire.WinMessage) and len(players) < 4 and end.winner.nickname not in fewest:
            raise Failed(
                f"{show(end.winner.nickname)} is told as the winner; "
                f"expected {show(fewest)}, with the fewest towers left of {show(left)}"
            )


async def _to_the_end(player: Player) -> wire.WinMessage | wire.DisconnectionMessage:
    while True:
        message: Any = await player.next("a question, or the end")
        if type(message) in QUESTIONS:
            await reply(player, message)
        elif isinstance(message, wire.WinMessage):
            return message
        elif isinstance(message, wire.DisconnectionMessage) and not message.nickname_disconnected:
            return message  # the protocol has no message for a draw
        elif isinstance(message, wire.DisconnectionMessage | wire.ErrorMessage):
            raise unexpected(message, "a question, or WinMessage")
