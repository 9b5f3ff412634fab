"""Matches over the published protocols, by their client scripts."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from boardwire import dialects
from boardwire.dialects.dialect import ClientOptions
from boardwire.terminal import bot_player
from boardwire.terminal.app.script_session import ScriptSession
from boardwire.terminal.app.session import LinkState
from boardwire.terminal.bot_player import Robot

from . import stage as on

QUICK = {"tris-lines", "forza-lines", "santorini-objects/shipped"}
"""Dialects whose matches take a few seconds; the others take up to twelve."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in dialects.DEFAULT_DIALECTS]
)
def test_a_match_is_played_over_every_dialect(name: str) -> None:
    async def scenario() -> None:
        async with on.place(listen=(f"{name}=0",)) as place, on.stage(place.server) as stage:
            port = place.ports[name]
            stage.app.play_over(name, "127.0.0.1", port, ClientOptions("Ada", 2))
            await asyncio.sleep(0.1)
            robot = Robot(bot_player.make_bot("greedy"), Random(1).randrange)
            bot = asyncio.create_task(
                bot_player.play(dialects.dialect(name), "127.0.0.1", port, ClientOptions("Bob", 2), robot)
            )
            for _ in range(600):
                await stage.until(lambda: stage.is_asked() or stage.is_over(), 30)
                if stage.is_over():
                    break
                await stage.choose_first()
            assert stage.is_over()
            assert "Esc leaves" in stage.text()
            bot.cancel()
            await stage.pilot.press("f10")
            await stage.until(lambda: len(stage.app.screen_stack) == 2)

    on.run(scenario)


def test_a_dialect_without_chat_says_so() -> None:
    async def scenario() -> None:
        async with on.place() as place, on.stage(place.server) as stage:
            stage.app.play_over("tris-lines", "127.0.0.1", place.ports["tris-lines"], ClientOptions("Ada"))
            await stage.until(lambda: "Waiting for an opponent" in stage.text())
            await stage.pilot.press(*"/say", "space", *"hi", "enter")
            await stage.until(lambda: "tris-lines has no chat" in stage.text())

    on.run(scenario)


def test_a_connection_that_is_lost_in_mid_play_is_made_again() -> None:
    async def scenario() -> None:
        first = await on.start()
        port = first.ports["tris-lines"]
        session = ScriptSession(
            "tris", dialects.dialect("tris-lines"), "127.0.0.1", port, ClientOptions("Ada"), lambda: None
        )
        session.start()
        while session.link is not LinkState.CONNECTED:
            await asyncio.sleep(0.01)
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        while session.model.ask is None:
            await asyncio.sleep(0.01)
        for connection in list(first.node.connections.connections):  # no farewell: the cable is cut
            connection.abort()
        while session.link is LinkState.CONNECTED:
            await asyncio.sleep(0.01)
        while session.link is not LinkState.CONNECTED:
            await asyncio.sleep(0.01)
        assert any("Connecting again" in line.text for line in session.model.log)
        session.leave()
        writer.close()
        await first.node.stop()

    on.run(scenario)
