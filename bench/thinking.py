"""Effect of search bots on other players: latency of Tris moves to the opponent, with and without bots at work.

`python -m bench thinking`. A server hosts matches of tris-lines at a moderate rate; in every other round `BOTS` strong
bots search Santorini positions at the same time. Rounds alternate, so that other load on the machine affects both
equally; the result is the ratio of the 99th percentiles.
"""

from __future__ import annotations

import asyncio
import sys
import time
from contextlib import suppress
from random import Random
from typing import Any, Final

from bench.config import RunConfig
from bench.figures import percentile
from boardwire import dialects
from boardwire.bots.bot import RandomBot
from boardwire.dialects.dialect import ClientOptions
from boardwire.terminal.bot_player import Robot, play

BOTS: Final = 20
TABLES: Final = 10
PAUSE: Final = 0.02
"""Seconds between two moves at a table."""
SECONDS: Final = 8.0
"""Duration of a round."""
ROUNDS: Final = 3
CELLS: Final = (4, 0, 8, 2, 1, 7, 6, 3)
"""Eight moves without a line; the ninth would end the match."""


async def run_all(rounds: int) -> tuple[list[float], list[float]]:
    """Return the milliseconds of every move without bots and with them."""
    server = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "boardwire", "serve", "--http", "0", "--listen", "tris-lines=0", "--data", ":memory:",
        "--log", "error", stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert server.stdout is not None
    ports: dict[str, int] = {}
    while (line := (await server.stdout.readline()).decode()) != "ready\n":
        _, name, address = line.split()
        ports[name] = int(address.rpartition(":")[2])
    calm: list[float] = []
    busy: list[float] = []
    try:
        for number in range(rounds):
            calm += await moves(ports["tris-lines"])
            robots = [asyncio.create_task(keep_busy(ports["http"], number * BOTS + seat)) for seat in range(BOTS)]
            await asyncio.sleep(3)
            busy += await moves(ports["tris-lines"])
            for robot in robots:
                robot.cancel()
            await asyncio.gather(*robots, return_exceptions=True)
            await asyncio.sleep(1)
    finally:
        server.terminate()
        await server.wait()
    return calm, busy


async def keep_busy(port: int, seed: int) -> None:
    """Play match after match against a strong bot, so that it keeps searching."""
    native, rng = dialects.dialect("native"), Random(seed)
    while True:
        seating = ClientOptions(f"one {seed}", 2, {"game": "santorini", "bots": ",search:10"})
        with suppress(OSError):
            await play(native, "127.0.0.1", port, seating, Robot(RandomBot(), rng.randrange))


async def moves(port: int) -> list[float]:
    """Play at all tables for a round and return the milliseconds of the moves."""
    end, seating = time.perf_counter() + SECONDS, asyncio.Lock()
    tables = await asyncio.gather(*(table(port, end, seating) for _ in range(TABLES)))
    return [milliseconds for took in tables for milliseconds in took]


async def table(port: int, end: float, seating: asyncio.Lock) -> list[float]:
    """Play match after match with two clients; return the milliseconds of each move from one to the other."""
    took: list[float] = []
    while time.perf_counter() < end:
        async with seating:  # one pair at a time, or the server would pair clients of two tables
            ends = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
            for reader, _ in ends:
                while (await reader.readline()) not in (b"READY\n", b""):
                    pass
        try:
            took += await match(ends, end)
        finally:
            for _, writer in ends:
                writer.close()
    return took


async def match(ends: list[Any], end: float) -> list[float]:
    """Play one match until its end or the end of the round."""
    took: list[float] = []
    for number, cell in enumerate(CELLS):
        (own, say), (other, _) = ends[number % 2], ends[1 - number % 2]
        start = time.perf_counter()
        say.write(b"%d\n" % cell)
        if not await other.readline():
            break
        took.append((time.perf_counter() - start) * 1000)
        await own.readline()
        if time.perf_counter() >= end:
            break
        await asyncio.sleep(PAUSE)
    return took


def run(config: RunConfig | None = None) -> None:
    """Print the table."""
    calm, busy = asyncio.run(run_all(ROUNDS))
    print(f"Latency of Tris moves at {TABLES} tables, alone and with {BOTS} searching bots, {ROUNDS} rounds each\n")
    print(f"{'':<14}{'moves':>8}{'p50 ms':>9}{'p99 ms':>9}")
    for label, took in (("alone", calm), ("with bots", busy)):
        print(f"{label:<14}{len(took):>8,}{percentile(took, 0.5):>9.2f}{percentile(took, 0.99):>9.2f}")
    ratio = percentile(busy, 0.99) / max(percentile(calm, 0.99), 1e-9)
    print(f"\np99 with bots is {ratio:.2f} times the p99 without\n")


if __name__ == "__main__":
    run()
