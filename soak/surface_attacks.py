"""Attacks on accounts, tournaments, reports, organisers, positions, previews, documents, spectators and framing.

Each is a coroutine that makes one round, like those of `attackers.py`, which has their list.
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
"""Spectators of one match from one address."""
BIG_HEAD: Final = {f"X-Header-{number}": "h" * 150 for number in range(90)}
"""Headers of nearly 16 KB."""
LETTERS: Final = "0123456789abcdefghijklmnopqrstuv"
FRAGMENT: Final = bytes((0x01, 0x81))
"""Head of the first, unfinished fragment of a text message: one masked byte."""
CONTINUATION: Final = bytes((0x00, 0x81))
"""Head of a further, unfinished fragment."""
OPENINGS: Final = {"tris": 2, "forza": 2, "santorini": 2, "eriantys": 2}
"""Seats of a new match by game."""


def _token(one: Attacker) -> dict[str, str]:
    return {"Authorization": f"Bearer {''.join(one.luck.choices(LETTERS, k=32))}"}


def _json(**fields: Any) -> bytes:
    return msgspec.json.encode(fields)


async def guess_recovery_codes(one: Attacker) -> None:
    """Sign in with guessed recovery codes and invented passkeys, and claim names."""

    async def client() -> None:
        for _ in range(10):
            code = "-".join("".join(one.luck.choices(LETTERS, k=5)) for _ in range(4))
            await one.fetch("/api/account/sessions", "POST", body=_json(name="g1x", recovery=code))
            await one.fetch("/api/account/sessions", "POST", body=_json(credential={"id": code, "type": "public-key"}))
            await one.fetch("/api/account/challenge", "POST")
            await one.fetch("/api/account", "POST", body=_json(name=f"soak {one.luck.randrange(10**6)}"))
            await one.pause(0.1)

    await one.many(CONNECTIONS // 2, client)


async def flood_tournaments(one: Attacker) -> None:
    """Create tournaments, enter them with many tokens, and read them and their rounds."""
    setup = {"name": "Flood", "game": "tris", "format": "swiss", "pause": 0.0}
    await one.fetch("/api/tournaments", "POST", _token(one), _json(setup=setup, name="flooder"))
    listed = await one.fetch("/api/tournaments?limit=20")
    found = msgspec.json.decode(listed.body)["tournaments"] if listed.status == 200 else []

    async def client() -> None:
        for _ in range(10):
            name = one.luck.choice(found)["id"] if found else "none"
            path = f"/api/tournaments/{name}"
            await one.fetch(f"{path}/enter", "POST", _token(one), _json(name=f"x{one.luck.randrange(10**6)}"))
            await one.fetch(path)
            await one.fetch(f"{path}/rounds/1")
            await one.fetch(f"/api/tournaments/none{one.luck.randrange(10**6)}")

    await one.many(CONNECTIONS, client)


async def flood_reports(one: Attacker) -> None:
    """Report players, and act as a moderator or an organiser without the right."""
    names = await one.matches() or ["none"]
    for _ in range(20):
        match, token = one.luck.choice(names), _token(one)
        await one.fetch("/api/reports", "POST", token, _json(match=match, kind="chat", text="x" * 900))
        await one.fetch("/api/admin/bans", "POST", token, _json(subject="127.1.4.1", reason="x"))
        await one.fetch("/api/organise/webhooks", "POST", token, _json(url="http://127.0.0.1:1/"))
        await one.fetch("/api/organise/tables", "POST", token, _json(game="tris", seats=[{}, {}]))
        await one.fetch("/api/privacy/export", headers=token)
    await one.pause(0.5)


async def flood_positions(one: Attacker) -> None:
    """Search new positions and try puzzles."""

    async def client() -> None:
        for _ in range(10):
            game, seats = one.luck.choice(tuple(OPENINGS.items()))
            deep = one.luck.random() < 0.5
            await one.fetch("/api/positions/search", "POST", body=_json(game=game, seats=seats, deep=deep))
            await one.fetch("/api/positions", "POST", body=_json(game=game, seats=seats))
            listed = await one.fetch("/api/puzzles")
            if listed.status == 200:
                puzzle = one.luck.choice(msgspec.json.decode(listed.body)["puzzles"])
                await one.fetch(f"/api/puzzles/{puzzle['id']}/try?played=a1")

    await one.many(CONNECTIONS, client)


async def flood_pictures(one: Attacker) -> None:
    """Request previews, pictures of every position, embedded replays and exports of matches."""
    names = await one.matches()

    async def client() -> None:
        for _ in range(10):
            name = one.luck.choice(names)
            await one.fetch(f"/match/{name}/picture.png?at={one.luck.randrange(1, 60)}")
            await one.fetch(f"/match/{name}")
            await one.fetch(f"/embed/{name}")
            await one.fetch(f"/api/matches/{name}/export")

    if names:
        await one.many(CONNECTIONS, client)
    await one.pause(0.5)


async def flood_documents(one: Attacker) -> None:
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
            await one.fetch(path, headers={"Accept-Encoding": "gzip"})

    await one.many(CONNECTIONS, client)


async def watch_in_crowds(one: Attacker) -> None:
    """Watch the same match over hundreds of connections of one address."""
    names = await one.matches("playing")

    async def client() -> None:
        async with one.visit("w") as visit:
            for _ in range(3):
                await one.ask(visit, "watch", "watching", match=one.luck.choice(names))
            while not one.is_over:
                await visit.hear()

    if names:
        await one.many(SPECTATORS, client)
    await one.pause(0.5)


async def send_fragments(one: Attacker) -> None:
    """Send WebSocket messages in fragments of one byte that never end."""
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": "c29hayBzb2FrIHNvYWsgcw=="}  # fmt: skip
    head = request(one.where.ports["native"], "/ws", headers=upgrade)

    async def client() -> None:
        async with one.slow_wire() as wire:
            await one.send(wire, head + encode_text(_json(type="hello", name="x"), MASK))
            await one.send(wire, FRAGMENT + MASK + b"x")
            while not one.is_over:
                one.count.made += 1
                try:
                    await one.send(wire, (CONTINUATION + MASK + b"x") * 500)
                except OSError:
                    one.count.refused += 1
                    raise
                await one.pause(0.01)

    await one.many(CONNECTIONS, client)


async def flood_heads(one: Attacker) -> None:
    """Send heads of nearly 16 KB, pipelined, over connections whose writing side is closed at once."""
    head = request(
        one.where.ports["native"], "/api/matches?limit=100", headers={**BIG_HEAD, "Connection": "keep-alive"}
    )

    async def client() -> None:
        for _ in range(5):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", one.where.ports["native"], local_addr=one.where.local(one.address)
            )
            try:
                one.count.made += 8
                writer.write(head * 8)
                if one.luck.random() < 0.5:
                    writer.write_eof()
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(5.0):
                        one.count.refused += (await reader.read(-1)).count(b"HTTP/1.1 4")
            finally:
                writer.transport.abort()

    await one.many(CONNECTIONS, client)


async def flood_bodies(one: Attacker) -> None:
    """Post bodies of many megabytes to routes that read one, some of them in chunks of one byte."""

    async def client() -> None:
        for path in ("/api/matches/import", "/api/positions", "/api/account/sessions", "/api/reports"):
            await one.fetch(path, "POST", _token(one), b"[" * 4 * 1024 * 1024)
            await one.fetch(path, "POST", _token(one), b'{"game":"' + b"x" * 200_000 + b'"}')

    await one.many(4, client)
