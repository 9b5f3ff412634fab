"""A native player for checks: single messages, and private tables that other players cannot join."""

from __future__ import annotations

import json
from typing import Any

from boardwire import dialects
from boardwire.conformance.display import show
from boardwire.conformance.server.check import Probe, Wire, fills_table, fresh_names, stage, unexpected
from boardwire.conformance.server.json_lines import JsonPlayer, Message
from boardwire.net.client_upgrade import mask, with_upgrade
from boardwire.wire.websocket import Ping, encode_pong, encode_text


def answering(message: Any) -> bytes | None:
    """Return the pong for a ping, or None for another message."""
    return encode_pong(message.payload, mask()) if isinstance(message, Ping) else None


class Player(JsonPlayer):
    """One WebSocket. `state` is the match state that was received last."""

    def __init__(self, wire: Wire) -> None:
        super().__init__(wire)
        self.token = ""
        self.state: Message = {}
        self.seat = 0
        self.code = ""

    async def say(self, kind: str, /, **fields: Any) -> None:
        await self.write(self.message(kind, fields))

    async def write(self, value: Any) -> None:
        """Send a JSON value, or text unchanged."""
        text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
        await self.wire.send(encode_text(text.encode(), mask()), text)

    async def receive(self, what: str, wait: float | None = None) -> Message:
        message = await super().receive(what, wait)
        if isinstance(message.get("state"), dict):
            self.state = message["state"]
        return message

    async def expect_refusal(self, code: str, request: str, /, **fields: Any) -> None:
        """Send a request that is refused with this code and nothing else."""
        await self.say(request, **fields)
        await self.expect("refused", code=code)

    async def expect_step(self, *events: str, wait: float | None = None) -> list[Message]:
        """Receive a step with exactly these events, in this order."""
        expected = f"a step with the events {show(events)}"
        message = await self.receive(expected, wait)
        if message.get("type") != "step" or [event.get("event") for event in message["events"]] != list(events):
            raise unexpected(message, expected)
        happened: list[Message] = message["events"]
        return happened

    async def expect_seat(self) -> Message:
        """Receive the seat, but not the step that follows it; return the message."""
        message = await self.expect("seated")
        self.seat, self.code = message["seat"], message.get("code", "")
        return message

    async def act(self, action: Any) -> None:
        """Send an action for the current decision."""
        await self.say("act", seq=self.state["seq"], action=action)

    @property
    def asked(self) -> Message:
        """The open decision; empty if there is none."""
        return self.state.get("asked") or {}


async def connect(probe: Probe) -> Player:
    """Open a WebSocket and send nothing."""
    dialect = with_upgrade(dialects.dialect("native"), probe.host, probe.port)
    wire = await probe.connect(dialect.replies)
    await wire.ping(dialect.greeting)
    return Player(wire)


@stage
async def visit(probe: Probe) -> Player:
    """Open a WebSocket and send hello."""
    player = await connect(probe)
    player.token = (await player.ask("hello", "welcome", name=fresh_names(1)[0]))["token"]
    return player


@stage
async def open_table(probe: Probe, game: str = "tris", **settings: Any) -> Player:
    """Open a private table and take a seat there.

    By default the match ends when a player leaves: a server limits the held seats of one address, and checks whose
    seats stay held would exhaust the limit.
    """
    player = await visit(probe)
    leaving = {} if settings.keys() & {"grace", "leaving"} else {"leaving": "ends"}
    await player.say("open", game=game, private=True, **leaving, **settings)
    await player.expect_seat()
    await player.expect_step("joined")
    return player


async def join(probe: Probe, host: Player) -> Player:
    """Join a private table."""
    player = await visit(probe)
    await player.say("join", match=host.state["match"], code=host.code)
    await player.expect_seat()
    return player


@fills_table
async def gather(probe: Probe, game: str = "tris", **settings: Any) -> tuple[Player, Player]:
    """Start a match of two players at a private table."""
    first = await open_table(probe, game, **settings)
    second = await join(probe, first)
    for player in (second, first):
        message = await player.expect("step")
        if [event.get("event") for event in message["events"]][:2] != ["joined", "started"]:
            raise unexpected(message, "a step with joined and started")
    return first, second


@stage
async def mark(player: Player, other: Player, cell: int) -> None:
    """Play a move of Tris that does not end the match."""
    await player.act(cell)
    for receiver in (player, other):
        await receiver.expect_step("acted")
