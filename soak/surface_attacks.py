"""Attacks on accounts, tournaments, reports, organisers, positions, previews, documents, spectators and framing.

Each is a coroutine that makes one round; `ATTACKS` in `attackers.py` lists them.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Any, Final

import msgspec

from boardwire.wire.websocket import encode_text
from soak.visitors import MASK
from soak.web import request

if TYPE_CHECKING:
    from soak.attackers import Attacker

CONNECTIONS: Final = 20
SPECTATORS: Final = 300
"""Spectators from one address."""
BIG_HEAD: Final = {f"X-Header-{number}": "h" * 150 for number in range(90)}
"""Headers of nearly 16 KB."""
CODE_LETTERS: Final = "0123456789abcdefghijklmnopqrstuv"
FRAGMENT: Final = bytes((0x01, 0x81))
"""Head of the first, unfinished fragment of a text message: one masked byte."""
CONTINUATION: Final = bytes((0x00, 0x81))
"""Head of a further, unfinished fragment."""
OPENINGS: Final = {"tris": 2, "forza": 2, "santorini": 2, "eriantys": 2}
"""Seats of a new match by game."""


def _token(attacker: Attacker) -> dict[str, str]:
    return {"Authorization": f"Bearer {''.join(attacker.luck.choices(CODE_LETTERS, k=32))}"}


def _json(**fields: Any) -> bytes:
    return msgspec.json.encode(fields)


async def guess_recovery_codes(attacker: Attacker) -> None:
    """Sign in with guessed recovery codes and invented passkeys, and claim names."""

    async def client() -> None:
        for _ in range(10):
            code = "-".join("".join(attacker.luck.choices(CODE_LETTERS, k=5)) for _ in range(4))
            await attacker.fetch("/api/account/sessions", "POST", body=_json(name="g1x", recovery=code))
            await attacker.fetch(
                "/api/account/sessions", "POST", body=_json(credential={"id": code, "type": "public-key"})
            )
            await attacker.fetch("/api/account/challenge", "POST")
            await attacker.fetch("/api/account", "POST", body=_json(name=f"soak {attacker.luck.randrange(10**6)}"))
            await attacker.pause(0.1)

    await attacker.many(CONNECTIONS // 2, client)


async def flood_tournaments(attacker: Attacker) -> None:
    """Create tournaments, enter them with many tokens, and read them and their rounds."""
    setup = {"name": "Flood", "game": "tris", "format": "swiss", "pause": 0.0}
    await attacker.fetch("/api/tournaments", "POST", _token(attacker), _json(setup=setup, name="flooder"))
    listed = await attacker.fetch("/api/tournaments?limit=20")
    tournaments = msgspec.json.decode(listed.body)["tournaments"] if listed.status == 200 else []

    async def client() -> None:
        for _ in range(10):
            name = attacker.luck.choice(tournaments)["id"] if tournaments else "none"
            path = f"/api/tournaments/{name}"
            await attacker.fetch(
                f"{path}/enter", "POST", _token(attacker), _json(name=f"x{attacker.luck.randrange(10**6)}")
            )
            await attacker.fetch(path)
            await attacker.fetch(f"{path}/rounds/1")
            await attacker.fetch(f"/api/tournaments/none{attacker.luck.randrange(10**6)}")

    await attacker.many(CONNECTIONS, client)


async def flood_reports(attacker: Attacker) -> None:
    """Report players, and send requests that need the role of a moderator or an organiser."""
    names = await attacker.matches() or ["none"]
    for _ in range(20):
        match, token = attacker.luck.choice(names), _token(attacker)
        await attacker.fetch("/api/reports", "POST", token, _json(match=match, kind="chat", text="x" * 900))
        await attacker.fetch("/api/admin/bans", "POST", token, _json(subject="127.1.4.1", reason="x"))
        await attacker.fetch("/api/organise/webhooks", "POST", token, _json(url="http://127.0.0.1:1/"))
        await attacker.fetch("/api/organise/tables", "POST", token, _json(game="tris", seats=[{}, {}]))
        await attacker.fetch("/api/privacy/export", headers=token)
    await attacker.pause(0.5)


async def flood_positions(attacker: Attacker) -> None:
    """Search new positions and try puzzles."""

    async def client() -> None:
        for _ in range(10):
            game, seats = attacker.luck.choice(tuple(OPENINGS.items()))
            deep = attacker.luck.random() < 0.5
            await attacker.fetch("/api/positions/search", "POST", body=_json(game=game, seats=seats, deep=deep))
            await attacker.fetch("/api/positions", "POST", body=_json(game=game, seats=seats))
            listed = await attacker.fetch("/api/puzzles")
            if listed.status == 200:
                puzzle = attacker.luck.choice(msgspec.json.decode(listed.body)["puzzles"])
                await attacker.fetch(f"/api/puzzles/{puzzle['id']}/try?played=a1")

    await attacker.many(CONNECTIONS, client)


async def flood_pictures(attacker: Attacker) -> None:
    """Request previews, pictures of every position, embedded replays and exports of matches."""
    names = await attacker.matches()

    async def client() -> None:
        for _ in range(10):
            name = attacker.luck.choice(names)
            await attacker.fetch(f"/match/{name}/picture.png?at={attacker.luck.randrange(1, 60)}")
            await attacker.fetch(f"/match/{name}")
            await attacker.fetch(f"/embed/{name}")
            await attacker.fetch(f"/api/matches/{name}/export")

    if names:
        await attacker.many(CONNECTIONS, client)
    await attacker.pause(0.5)


async def flood_documents(attacker: Attacker) -> None:
    """Request documents, the page and the descriptions of the API, compressed."""
    paths = (
        "/",
        "/docs/",
        "/openapi.json",
        "/asyncapi.json",
        "/metrics",
        "/api/games",
        "/api/bots",
        "/api/leaderboard",
    )

    async def client() -> None:
        for path in paths * 5:
            await attacker.fetch(path, headers={"Accept-Encoding": "gzip"})

    await attacker.many(CONNECTIONS, client)


async def watch_in_crowds(attacker: Attacker) -> None:
    """Watch matches over hundreds of connections from one address."""
    names = await attacker.matches("playing")

    async def client() -> None:
        async with attacker.visit("w") as visit:
            for _ in range(3):
                await attacker.ask(visit, "watch", "watching", match=attacker.luck.choice(names))
            while not attacker.is_over:
                await visit.receive_reply()

    if names:
        await attacker.many(SPECTATORS, client)
    await attacker.pause(0.5)


async def send_fragments(attacker: Attacker) -> None:
    """Send WebSocket messages in fragments of one byte that never end."""
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": "c29hayBzb2FrIHNvYWsgcw=="}  # fmt: skip
    head = request(attacker.where.ports["native"], "/ws", headers=upgrade)

    async def client() -> None:
        async with attacker.slow_wire() as wire:
            await attacker.send(wire, head + encode_text(_json(type="hello", name="x"), MASK))
            await attacker.send(wire, FRAGMENT + MASK + b"x")
            while not attacker.is_over:
                attacker.count.made += 1
                try:
                    await attacker.send(wire, (CONTINUATION + MASK + b"x") * 500)
                except OSError:
                    attacker.count.refused += 1
                    raise
                await attacker.pause(0.01)

    await attacker.many(CONNECTIONS, client)


async def flood_heads(attacker: Attacker) -> None:
    """Send heads of nearly 16 KB, pipelined, over connections whose writing side is closed at once."""
    head = request(
        attacker.where.ports["native"], "/api/matches?limit=100", headers={**BIG_HEAD, "Connection": "keep-alive"}
    )

    async def client() -> None:
        for _ in range(5):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", attacker.where.ports["native"], local_addr=attacker.where.local(attacker.address)
            )
            try:
                attacker.count.made += 8
                writer.write(head * 8)
                if attacker.luck.random() < 0.5:
                    writer.write_eof()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(5.0):
                        attacker.count.refused += (await reader.read(-1)).count(b"HTTP/1.1 4")
            finally:
                writer.transport.abort()

    await attacker.many(CONNECTIONS, client)


async def flood_bodies(attacker: Attacker) -> None:
    """Post bodies that are too large or invalid to routes that read one."""

    async def client() -> None:
        for path in ("/api/matches/import", "/api/positions", "/api/account/sessions", "/api/reports"):
            await attacker.fetch(path, "POST", _token(attacker), b"[" * 4 * 1024 * 1024)
            await attacker.fetch(path, "POST", _token(attacker), b'{"game":"' + b"x" * 200_000 + b'"}')

    await attacker.many(4, client)
