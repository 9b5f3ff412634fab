"""Thirty attackers, each with its own loopback address, that try to exhaust shared resources.

Run as `python -m soak.attackers DIRECTORY SEED UNTIL`.

- An attack (`ATTACKS`) is a coroutine that makes one round; rounds are repeated until the time is up, even after a lost
  connection.
- The attacks on accounts, tournaments and other parts of the API are in `surface_attacks.py`.
- Every request and refusal is counted (`records.Attacked`), so that the report shows that each attack took place.
- The attack on a cluster's bus is a separate process (`forger.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any, Final, TypeAlias
from urllib.parse import quote

import msgspec
import uvloop

from boardwire import games
from boardwire.dialects import dialect as dialect_called
from boardwire.dialects.dialect import ClientOptions, PlayerMessage
from boardwire.net.client import ClientConnection
from boardwire.net.client_upgrade import with_upgrade
from soak import surface_attacks
from soak.ports import DIALECTS, Place, place
from soak.records import Attacked, Book
from soak.visitors import Gone, Visit
from soak.web import NO_ANSWER, Reply, fetch, request

NETWORK: Final = "127.5.0"
"""First three numbers of the attackers' addresses."""
VICTIM: Final = "127.5.1.1"
"""Address of the player whose private table is attacked."""
REPORT_SECONDS: Final = 2.0
ROUND_SECONDS: Final = 20.0
"""Longest round."""

BOT_MATCHES: Final = 300
"""Matches against search bots."""
SLOW_READERS: Final = 24
SLOW_SENDERS: Final = 24
CONNECTIONS: Final = 20
"""Connections of an attack that uses many."""
UNDO_ROUNDS: Final = 400
"""Undos in an undo loop before the match is read."""
PADDING: Final = "x" * 63 * 1024
"""Padding of a ping of 63 KB."""
ESCAPES: Final = ("\x1b[2J\x1b]0;owned\x07", "\x07", "\x9b31m", "\u202e", "\x1b[31mred\x9b0m\u202e\x07")
"""Text that would control a terminal: ESC, BEL, U+009B (CSI) and U+202E (right-to-left override)."""
CODE_LETTERS: Final = "0123456789abcdefghijklmnopqrstuv"


class Attacker:
    """One attacking client address, with counts of its requests."""

    def __init__(self, name: str, where: Place, address: str, luck: Random, until: float) -> None:
        self.name = name
        self.where = where
        self.address = address
        self.luck = luck
        self.until = until
        self.count = Attacked(name)

    @property
    def is_over(self) -> bool:
        return monotonic() >= self.until

    def take_count(self) -> Attacked:
        """Return the counts since the last call."""
        count, self.count = self.count, Attacked(self.name)
        return count

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(max(0.0, min(seconds, self.until - monotonic())))

    async def run(self, attack: Attack) -> None:
        """Repeat the rounds of an attack until the time is up."""
        while not self.is_over:
            with contextlib.suppress(Gone, OSError):
                await attack(self)
            await self.pause(0.2)

    async def many(self, size: int, client: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run clients concurrently for one round; one that fails does not end the others."""

        async def guarded() -> None:
            with contextlib.suppress(Gone, OSError):
                await client()

        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(max(0.1, min(ROUND_SECONDS, self.until - monotonic()))):
                async with asyncio.TaskGroup() as group:
                    for _ in range(size):
                        group.create_task(guarded())

    # --- HTTP -------------------------------------------------------------------------------------------------------

    async def fetch(
        self, path: str, method: str = "GET", headers: Mapping[str, str] | None = None, body: bytes = b""
    ) -> Reply:
        """Send a request and count it."""
        self.count.made += 1
        reply = await fetch(self.where, self.address, path, method, headers, body)
        self.count.refused += reply.is_refusal
        if reply.status == NO_ANSWER:
            self.count.unanswered += 1
            await self.pause(0.2)  # the server may be down
        return reply

    async def matches(self, status: str = "") -> list[str]:
        """Return the names of some matches."""
        reply = await self.fetch(f"/api/matches?limit=50{f'&status={status}' if status else ''}")
        if reply.status != 200:
            await self.pause(1.0)
            return []
        with contextlib.suppress(msgspec.DecodeError):
            return [match["id"] for match in msgspec.json.decode(reply.body)["matches"]]
        return []

    @contextlib.asynccontextmanager
    async def slow_wire(self) -> AsyncIterator[socket.socket]:
        """Open a connection with a small receive window, so that the server's writes soon block."""
        with socket.socket() as wire:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            wire.setblocking(False)
            if (local := self.where.local(self.address)) is not None:
                wire.bind(local)
            await self._send(asyncio.get_running_loop().sock_connect(wire, ("127.0.0.1", self.where.ports["native"])))
            yield wire

    async def send(self, wire: socket.socket, data: bytes) -> None:
        await self._send(asyncio.get_running_loop().sock_sendall(wire, data))

    async def _send(self, sending: Awaitable[None]) -> None:
        async with asyncio.timeout(5.0):
            await sending

    # --- native -----------------------------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def visit(self, name: str = "x", address: str = "", **fields: Any) -> AsyncIterator[Visit]:
        """Open a native connection and send `hello`."""
        visit = await Visit.open(self.where, address or self.address, self.luck)
        try:
            self.count.made += 1
            await visit.ask("hello", "welcome", "refused", name=name, **fields)
            yield visit
        except Gone:
            self.count.refused += 1  # the server ended the connection
            raise
        finally:
            visit.close()

    async def ask(self, visit: Visit, kind: str, *wanted: str, **fields: Any) -> Any:
        """Send a native request and count it and its refusal."""
        self.count.made += 1
        reply = await visit.ask(kind, "refused", *wanted, **fields)
        self.count.refused += reply["type"] == "refused"
        return reply


Attack: TypeAlias = Callable[[Attacker], Awaitable[None]]


# --- slow clients of the API ----------------------------------------------------------------------------------------


async def read_slowly(attacker: Attacker) -> None:
    """Request long responses and read them a few bytes at a time."""
    names = await attacker.matches()

    async def client() -> None:
        path = "/api/matches?limit=100"
        if names and attacker.luck.random() < 0.7:
            path = f"/api/matches/{attacker.luck.choice(names)}/{attacker.luck.choice(('events', 'steps', 'wire'))}"
        async with attacker.slow_wire() as wire:
            attacker.count.made += 1
            await attacker.send(wire, request(attacker.where.ports["native"], path))
            while not attacker.is_over:
                async with asyncio.timeout(15.0):
                    data = await asyncio.get_running_loop().sock_recv(wire, 64)
                if not data:
                    return
                await attacker.pause(0.3)

    await attacker.many(SLOW_READERS, client)


async def send_head_slowly(attacker: Attacker) -> None:
    """Send the head of a request a byte at a time."""
    head = request(attacker.where.ports["native"], "/api/matches", headers={"X-Padding": "x" * 200})

    async def client() -> None:
        async with attacker.slow_wire() as wire:
            attacker.count.made += 1
            try:
                for byte in head:
                    await attacker.send(wire, bytes((byte,)))
                    await attacker.pause(0.2)
            except OSError:
                attacker.count.refused += 1
                raise

    await attacker.many(SLOW_SENDERS, client)


async def send_body_slowly(attacker: Attacker) -> None:
    """Announce an import of a megabyte and send a byte of it at a time."""
    headers = {"Content-Length": str(1024 * 1024), "Content-Type": "application/json"}
    head = request(attacker.where.ports["native"], "/api/matches/import", "POST", headers)

    async def client() -> None:
        async with attacker.slow_wire() as wire:
            attacker.count.made += 1
            try:
                await attacker.send(wire, head)
                while not attacker.is_over:
                    await attacker.send(wire, b"[")
                    await attacker.pause(0.2)
            except OSError:
                attacker.count.refused += 1
                raise

    await attacker.many(SLOW_SENDERS, client)


# --- costly requests of the API -------------------------------------------------------------------------------------


async def flood_lists(attacker: Attacker) -> None:
    """Request filtered lists of matches over many connections."""

    async def client() -> None:
        for _ in range(20):
            player = attacker.luck.choice(("x", "nobody", "g1x", "\u00e9"))
            await attacker.fetch(
                f"/api/matches?limit=100&player={quote(player)}&before={attacker.luck.randrange(10**9)}"
            )

    await attacker.many(CONNECTIONS, client)


async def flood_analyses(attacker: Attacker) -> None:
    """Request the analysis of every finished match."""
    for name in await attacker.matches("over"):
        if not attacker.is_over:
            await attacker.fetch(f"/api/matches/{name}/analysis")
    await attacker.pause(1.0)


async def flood_imports(attacker: Attacker) -> None:
    """Import matches repeatedly, each with a changed byte."""
    for name in attacker.luck.sample(matches := await attacker.matches("over"), min(5, len(matches))):
        exported = await attacker.fetch(f"/api/matches/{name}/export")
        for _ in range(10):
            if exported.status == 200 and not attacker.is_over:
                body = bytearray(exported.body)
                body[attacker.luck.randrange(len(body))] = attacker.luck.randrange(32, 127)
                await attacker.fetch("/api/matches/import", "POST", body=bytes(body))
    await attacker.pause(0.5)


async def _undo_loop(attacker: Attacker) -> str:
    """Lengthen a match by repeated moves and agreed undos; return its name."""
    async with attacker.visit("undoer") as first, attacker.visit("agreer") as second:
        opened = await attacker.ask(first, "open", "seated", game="forza", bank=900.0, grace=1.0)
        if opened["type"] == "refused":
            await attacker.pause(1.0)
            raise Gone(opened["reason"])
        match = str(opened["state"]["match"])
        joined = await attacker.ask(second, "join", "seated", match=match)
        if joined["type"] == "refused":
            raise Gone(joined["reason"])
        state = joined["state"]
        while not state.get("asked"):
            state = (await second.receive_reply()).get("state", state)
        seat = joined["seat"]
        mover, other = (second, first) if seat in state["asked"]["seats"] else (first, second)
        for number in range(UNDO_ROUNDS):
            seq = state["seq"]
            attacker.count.made += 3
            mover.send("act", seq=seq, action=number % 7)
            mover.send("undo")
            await _receive_until(attacker, other, seq + 2)
            other.send("agree", agree=True)
            state = await _receive_until(attacker, mover, seq + 4)
            await _receive_until(attacker, other, seq + 4)
            if attacker.is_over:
                break
        return match


async def _receive_until(attacker: Attacker, visit: Visit, seq: int) -> Any:
    """Read steps until the match reaches `seq`; return its state."""
    while True:
        reply = await visit.receive_reply()
        if reply["type"] == "refused":
            attacker.count.refused += 1
            raise Gone(reply["reason"])
        if reply.get("state", {}).get("seq", 0) >= seq:
            return reply["state"]


async def undo_then_wire(attacker: Attacker) -> None:
    """Read the conversation of a match lengthened by undos."""
    match = await _undo_loop(attacker)
    for dialect in ("native", "forza-lines"):
        for seat in (0, 1):
            await attacker.fetch(f"/api/matches/{match}/wire?dialect={dialect}&seat={seat}")


async def undo_then_events(attacker: Attacker) -> None:
    """Read the events of a match lengthened by undos, one at a time."""
    match = await _undo_loop(attacker)
    for number in range(60):
        await attacker.fetch(f"/api/matches/{match}/events?limit=1&after={number * 10}")


async def undo_then_steps(attacker: Attacker) -> None:
    """Read the steps of a match lengthened by undos, one at a time."""
    match = await _undo_loop(attacker)
    for number in range(60):
        await attacker.fetch(f"/api/matches/{match}/steps?limit=1&after={number * 10}")


# --- bot workers ----------------------------------------------------------------------------------------------------


async def farm_bots(attacker: Attacker) -> None:
    """Play `BOT_MATCHES` matches against search bots at the same time, without thinking time."""

    async def client() -> None:
        async with attacker.visit("farmer") as visit:
            game = attacker.luck.choice(("santorini", "forza", "eriantys"))
            bot = f"search:{attacker.luck.choice((5, 8, 10))}"
            reply = await attacker.ask(visit, "open", "seated", game=game, private=True, bots=["", bot], grace=1.0)
            if reply["type"] == "refused":
                return
            seat = reply["seat"]
            while not attacker.is_over:
                state = reply.get("state") or {}
                asked = state.get("asked") or {}
                if state.get("outcome"):
                    return
                if seat in asked.get("seats", ()) and asked.get("choices"):
                    attacker.count.made += 1
                    visit.send("act", seq=state["seq"], action=attacker.luck.choice(asked["choices"]))
                reply = await visit.receive_reply()
                attacker.count.refused += reply["type"] == "refused"

    await attacker.many(BOT_MATCHES, client)


async def flood_hints(attacker: Attacker) -> None:
    """Request hints at many tables without a pause."""

    async def client() -> None:
        async with attacker.visit("asker") as visit:
            opened = await attacker.ask(
                visit, "open", "seated", game="santorini", private=True, bots=["", "greedy"], grace=1.0
            )
            while opened["type"] == "seated" and not attacker.is_over:
                await attacker.ask(visit, "hint", "advice")
                await attacker.pause(0.05)

    await attacker.many(CONNECTIONS, client)


# --- the inspector --------------------------------------------------------------------------------------------------


async def fill_inspector(attacker: Attacker) -> None:
    """Send pings of 63 KB at tables of an inspected server."""

    async def client() -> None:
        async with attacker.visit("pinger") as visit:
            await attacker.ask(visit, "open", "seated", game="tris", private=True, grace=1.0)
            while not attacker.is_over:
                await attacker.ask(visit, "ping", "pong", padding=PADDING)

    await attacker.many(4, client)


async def guess_inspect_token(attacker: Attacker) -> None:
    """Request the inspector's records with wrong tokens."""
    for name in [*await attacker.matches("playing"), "none"]:
        token = "".join(attacker.luck.choices(CODE_LETTERS, k=attacker.luck.choice((0, 1, 24, 43))))
        await attacker.fetch(f"/api/wire?match={name}", headers={"Authorization": f"Bearer {token}"})
    await attacker.pause(0.2)


# --- guesses --------------------------------------------------------------------------------------------------------


async def guess_codes(attacker: Attacker) -> None:
    """Guess the code of a private table that was opened from another address, over many connections."""
    async with attacker.visit("victim", VICTIM) as victim:
        opened = await victim.ask("open", "seated", "refused", game="tris", private=True, grace=1.0)
        if opened["type"] == "refused":
            raise Gone(opened["reason"])
        match, length = opened["state"]["match"], len(opened["code"])

        async def client() -> None:
            async with attacker.visit("guesser") as visit:
                for _ in range(60):
                    code = "".join(attacker.luck.choices(CODE_LETTERS, k=length))
                    kind = attacker.luck.choice(("join", "watch"))
                    reply = await attacker.ask(visit, kind, "seated", "watching", match=match, code=code)
                    if reply["type"] != "refused":
                        raise RuntimeError("a wrong code opened a private table")
                    await attacker.pause(0.02)

        await attacker.many(CONNECTIONS, client)


async def guess_seats(attacker: Attacker) -> None:
    """Try to resume other players' seats with invented tokens."""
    names = await attacker.matches("playing")
    if not names:
        await attacker.pause(0.5)
        return

    async def client() -> None:
        async with attacker.visit("g1x", token="".join(attacker.luck.choices(CODE_LETTERS, k=32))) as visit:
            for _ in range(40):
                await attacker.ask(
                    visit, "resume", "seated", match=attacker.luck.choice(names), seat=attacker.luck.randrange(2)
                )
                await attacker.pause(0.02)

    await attacker.many(CONNECTIONS, client)


# --- terminal escapes -----------------------------------------------------------------------------------------------


class _Silent:
    """Player that never answers."""

    def receive(self, connection: ClientConnection, notification: PlayerMessage) -> None:
        """Ignore a message from the server."""


async def escape_in_names(attacker: Attacker) -> None:
    """Log in with terminal escapes as names in every dialect, and send them as raw lines."""
    for dialect in (*DIALECTS, "native"):
        port, text = attacker.where.ports[dialect], attacker.luck.choice(ESCAPES)
        spoken = dialect_called(dialect)
        game = spoken.game or attacker.luck.choice(games.NAMES)
        if not spoken.game:
            spoken = with_upgrade(spoken, "127.0.0.1", port)
        local = attacker.where.local(attacker.address)
        loop = asyncio.get_running_loop()
        attacker.count.made += 1
        options = ClientOptions(text, 2, {"game": game})
        _, wire = await loop.create_connection(
            lambda spoken=spoken, options=options: ClientConnection(spoken, options, _Silent()),
            "127.0.0.1", port, local_addr=local,
        )  # fmt: skip
        await asyncio.wait([wire.finished], timeout=0.3)
        if wire.finished.done():
            wire.finished.exception()
            attacker.count.refused += 1
        wire.hang_up()
        attacker.count.made += 1
        reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=local)
        writer.write(f'{text}\n{text}\r\n{{"type": "{text}"}}\n'.encode())
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.3):
                attacker.count.refused += not await reader.read(4096)
        writer.transport.abort()


async def escape_in_origins(attacker: Attacker) -> None:
    """Send terminal escapes in Origin and Host headers and in paths."""
    text = attacker.luck.choice(ESCAPES)
    upgrade = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
               "Sec-WebSocket-Key": "c29hayBzb2FrIHNvYWsgcw=="}  # fmt: skip
    await attacker.fetch("/ws", headers={**upgrade, "Origin": f"http://evil{text}.example"})
    await attacker.fetch("/api/matches", "POST", {"Origin": f"http://evil{text}.example"}, b"{}")
    await attacker.fetch("/ws", headers={**upgrade, "Origin": "http://evil.example", "Host": f"evil{text}.example"})
    await attacker.fetch(f"/api/matches/{text.encode().hex()}?{text}")
    await attacker.pause(0.1)


async def escape_in_talk(attacker: Attacker) -> None:
    """Send terminal escapes as chat and in other fields of native messages."""
    async with attacker.visit(attacker.luck.choice(ESCAPES)) as visit:
        await attacker.ask(visit, "open", "seated", game="tris", private=True, grace=1.0)
        for text in ESCAPES:
            await attacker.ask(visit, "say", "step", text=text)
            await attacker.ask(visit, "join", "seated", match=text, code=text)
            await attacker.ask(visit, "open", "seated", game=text)
            await attacker.ask(visit, text)
            await attacker.pause(0.1)


# --- floods of connections and messages -----------------------------------------------------------------------------


async def flood_tables(attacker: Attacker) -> None:
    """Request the list of tables over many connections, and read every response."""

    async def client() -> None:
        async with attacker.visit("lister") as visit:
            while not attacker.is_over:
                await attacker.ask(visit, "list", "tables")
                await attacker.pause(0.01)

    await attacker.many(CONNECTIONS, client)


async def churn(attacker: Attacker) -> None:
    """Open and leave tables repeatedly."""
    async with attacker.visit("churner") as visit:
        for _ in range(50):
            await attacker.ask(visit, "open", "seated", game="tris", private=True, grace=1.0)
            visit.send("leave")
            await attacker.pause(0.02)


ATTACKS: Final[dict[str, Attack]] = {
    "slow readers": read_slowly,
    "slow heads": send_head_slowly,
    "slow bodies": send_body_slowly,
    "list floods": flood_lists,
    "analysis floods": flood_analyses,
    "import floods": flood_imports,
    "undo loops, wire": undo_then_wire,
    "undo loops, events": undo_then_events,
    "undo loops, steps": undo_then_steps,
    "bot farms": farm_bots,
    "hint floods": flood_hints,
    "inspector pings": fill_inspector,
    "inspect tokens": guess_inspect_token,
    "code guessers": guess_codes,
    "seat guessers": guess_seats,
    "escapes in names": escape_in_names,
    "escapes in origins": escape_in_origins,
    "escapes in talk": escape_in_talk,
    "table list floods": flood_tables,
    "churners": churn,
    "recovery guessers": surface_attacks.guess_recovery_codes,
    "tournament floods": surface_attacks.flood_tournaments,
    "report floods": surface_attacks.flood_reports,
    "position searches": surface_attacks.flood_positions,
    "picture floods": surface_attacks.flood_pictures,
    "document floods": surface_attacks.flood_documents,
    "spectator crowds": surface_attacks.watch_in_crowds,
    "endless fragments": surface_attacks.send_fragments,
    "large heads": surface_attacks.flood_heads,
    "large bodies": surface_attacks.flood_bodies,
}
"""Attacks by name; each has its own address."""


def attackers(where: Place, seed: int, until: float) -> list[Attacker]:
    """Return one attacker for each attack; equal seeds give equal attackers."""
    return [
        Attacker(name, where, f"{NETWORK}.{number}", Random(f"{seed} {name}"), until)
        for number, name in enumerate(ATTACKS, 1)
    ]


async def attack(where: Place, book: Book, seed: int, until: float) -> None:
    """Run all attackers and record their counts."""
    running = attackers(where, seed, until)

    async def report() -> None:
        while monotonic() < until:
            await asyncio.sleep(REPORT_SECONDS)
            for attacker in running:
                book.write(attacker.take_count())

    async with asyncio.TaskGroup() as group:
        for attacker in running:
            group.create_task(attacker.run(ATTACKS[attacker.name]))
        group.create_task(report())
    for attacker in running:
        book.write(attacker.take_count())


def main() -> None:
    """Run the attackers' process."""
    directory, seed, until = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    with contextlib.suppress(KeyboardInterrupt):
        uvloop.run(attack(place(directory), Book(directory / "attackers.told"), seed, until))


if __name__ == "__main__":
    main()
