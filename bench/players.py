"""Query times of profiles, lists and leaderboards with many players and rated matches.

`python -m bench.players [--players 100000] [--results 1000000] [--store URL]`

- The rows are generated: each player has a rating and results in one of twelve categories.
- Every query runs for several players or categories, some as whole HTTP requests. Printed are the median and the worst
  wall-clock time, and the worst processor time.
- The last line is the processor time that the entrance, which ties guests to accounts, adds to a move.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Any, Final

import httpx

from boardwire.api.app import application
from boardwire.api.context import ApiContext
from boardwire.players import profiles
from boardwire.players.accounts import Accounts
from boardwire.players.directory import Directory
from boardwire.players.entrance import Entrance
from boardwire.players.profiles import CategoryCounts
from boardwire.players.ratings import Category, Pool, category_number
from boardwire.players.speed import Speed
from boardwire.records.postgres import PostgresRecords
from boardwire.records.records import Records, Transaction
from boardwire.records.sqlite import SqliteRecords
from boardwire.simulation.server import SimulatedServer
from boardwire.table.commands import Act
from boardwire.table.guest import Guest

GAMES: Final = ("tris", "forza", "santorini", "eriantys")
SPEEDS: Final = (Speed.BLITZ, Speed.RAPID, Speed.UNLIMITED)
CATEGORIES: Final = tuple(Category(Pool.ALL, game, "", speed) for game in GAMES for speed in SPEEDS)
LOPSIDED: Final = 0.5
"""Share of all players in the first category, so that one leaderboard is large."""
BATCH: Final = 20_000
"""Rows per transaction while the database is filled."""
GOAL_SECONDS: Final = 0.020


def main() -> None:
    """Fill a database, measure the queries and print the figures."""
    parser = argparse.ArgumentParser(prog="bench.players")
    parser.add_argument("--players", type=int, default=100_000, help="generated players")
    parser.add_argument("--results", type=int, default=1_000_000, help="generated results, two per match")
    parser.add_argument("--store", default="", help="URL of a PostgreSQL database (default: a temporary file)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        records: Records = PostgresRecords(arguments.store) if arguments.store else SqliteRecords(Path(folder))
        try:
            measure(records, arguments.players, arguments.results)
        finally:
            records.close()
    entrance()


def measure(records: Records, players: int, results: int) -> None:
    """Generate the rows and measure every query."""
    began = time.perf_counter()
    accounts = Accounts(records)
    categories = generate(records, players, results)
    print(f"{players} players, {results} results generated in {time.perf_counter() - began:.0f} s")
    began = time.perf_counter()
    accounts = Accounts(records)
    print(f"accounts loaded in {time.perf_counter() - began:.2f} s")
    random = Random(2)
    names = [f"player {random.randrange(players)}" for _ in range(50)]
    busy = [f"player {number}" for number in range(10)]  # player 0 has far more matches than others
    category_of = {name: categories[int(name.split()[1])] for name in (*names, *busy)}
    everyone = (*names, *busy)
    queries: dict[str, list[Callable[[Transaction], Any]]] = {
        "profile": [partial(_profile, name) for name in everyone],
        "history": [partial(_history, name, category_of[name]) for name in everyone],
        "head-to-head": [partial(_head_to_head, name, busy[0]) for name in everyone if name != busy[0]],
        "search by name": [partial(_search, name[:9]) for name in names],
        "leaderboard, top 50": [partial(_leaderboard, category, 0) for category in CATEGORIES],
        "leaderboard, rank 10,000": [partial(_leaderboard, category, 10_000) for category in CATEGORIES],
        "categories, not cached": [_categories] * 5,
        "distribution, not cached": [partial(_distribution, category) for category in CATEGORIES],
    }
    for title, calls in queries.items():
        print_times(title, [timed(partial(records.read, call)) for call in calls])
    asyncio.run(over_http(accounts, busy + names[:10]))


def _profile(name: str, db: Transaction) -> object:
    return profiles.profile(db, name)


def _history(name: str, category: Category, db: Transaction) -> object:
    return profiles.history(db, name, category)


def _head_to_head(name: str, other: str, db: Transaction) -> object:
    return profiles.head_to_head(db, name, other, 50)


def _search(begins: str, db: Transaction) -> object:
    return profiles.search(db, begins)


def _leaderboard(category: Category, after: int, db: Transaction) -> object:
    return profiles.leaderboard(db, category, 50, after)


def _categories(db: Transaction) -> object:
    return CategoryCounts(lambda: 1e9).categories(db)


def _distribution(category: Category, db: Transaction) -> object:
    return CategoryCounts(lambda: 1e9).distribution(db, category)


async def over_http(accounts: Accounts, names: list[str]) -> None:
    """Measure whole HTTP requests without a socket."""
    server = SimulatedServer()
    context = ApiContext(server.lobby, server.journal, accounts=accounts)
    transport = httpx.ASGITransport(application(context, limited=False))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        paths = {
            "GET /api/players/{player}": [f"/api/players/{name}" for name in names],
            "GET /api/leaderboard": [
                f"/api/leaderboard?pool=all&game={category.game}&speed={category.speed}" for category in CATEGORIES
            ],
        }
        for title, addresses in paths.items():
            times = []
            for address in addresses:
                began, used = time.perf_counter(), time.process_time()
                answer = await client.get(address)
                times.append((time.perf_counter() - began, time.process_time() - used))
                assert answer.status_code == 200, answer.text
            print_times(title, times[1:])
    context.close()


def timed(call: Callable[[], object]) -> tuple[float, float]:
    """Return the wall-clock time and the processor time of a call."""
    began, used = time.perf_counter(), time.thread_time()
    call()
    return time.perf_counter() - began, time.thread_time() - used


def print_times(title: str, times: list[tuple[float, float]]) -> None:
    """Print the median and the worst wall-clock time, and the worst processor time.

    The verdict is by processor time, which hardly depends on other programs.
    """
    waited, used = zip(*times, strict=True)
    verdict = "" if max(used) < GOAL_SECONDS else "  above 20 ms"
    print(f"{title:<28} median {1000 * median(waited):6.2f} ms   worst {1000 * max(waited):6.2f} ms"
          f"   worst processor time {1000 * max(used):6.2f} ms{verdict}")  # fmt: skip


def generate(records: Records, players: int, results: int) -> list[Category]:
    """Store accounts, ratings and results; return the category of each player."""
    random = Random(1)
    categories = [
        CATEGORIES[0] if random.random() < LOPSIDED else CATEGORIES[random.randrange(len(CATEGORIES))]
        for _ in range(players)
    ]
    numbers = records.write_now(lambda db: {category: category_number(db, category) for category in CATEGORIES})
    add_player = "INSERT INTO players (id, name, folded, kind, role, created, revision) VALUES (?, ?, ?, ?, ?, ?, ?)"
    add_rating = "INSERT INTO ratings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    add_result = "INSERT INTO rating_results VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"

    def player_rows() -> Iterator[tuple[Any, ...]]:
        for number in range(players):
            name = f"player {number}"
            yield number + 1, name, name, "person", "player", float(number), number + 1

    def rating_rows() -> Iterator[tuple[Any, ...]]:
        for number, category in enumerate(categories):
            mu = random.gauss(25, 5)
            yield number + 1, numbers[category], mu, 2.0, 1500 + 40 * (mu - 25), 20, 10, 2, 8, 9.0, 2 if mu > 15 else 1

    def result_rows() -> Iterator[tuple[Any, ...]]:
        players_of: dict[Category, list[int]] = {}
        for number, category in enumerate(categories):
            players_of.setdefault(category, []).append(number)
        for number in range(results // 2):
            first = number % 10 if number % 20 == 0 else random.randrange(players)  # player 0 has 5 % of the matches
            rivals = players_of[categories[first]]
            second = rivals[random.randrange(len(rivals))]
            if first == second:
                second = rivals[(rivals.index(second) + 1) % len(rivals)]
            for side, player in enumerate((first, second)):
                yield (numbers[categories[player]], player + 1, float(number), f"m{number}", side, side, 25.0, 2.0,
                       1500.0 + number % 300, 20, 10, 2, 8)  # fmt: skip

    for sql, rows in ((add_player, player_rows()), (add_rating, rating_rows()), (add_result, result_rows())):
        while batch := [row for _, row in zip(range(BATCH), rows, strict=False)]:
            records.write_now(partial(_insert, sql, batch))
    return categories


def _insert(sql: str, rows: list[tuple[Any, ...]], db: Transaction) -> None:
    db.many(sql, rows)


def entrance() -> None:
    """Measure what the entrance adds to a move."""

    class Sink:
        def do(self, guest: Guest, request: Any) -> None:
            pass

        def disconnected(self, guest: Guest) -> None:
            pass

    guest, move, sink = Guest(lambda _: None), Act(0, (4,)), Sink()
    behind = Entrance(sink, Directory())
    times = {}
    for title, handler in (("directly", sink), ("through the entrance", behind)):
        rounds = []
        for _ in range(7):
            began = time.process_time()
            for _ in range(200_000):
                handler.do(guest, move)
            rounds.append((time.process_time() - began) / 200_000)
        times[title] = min(rounds)
    added = times["through the entrance"] - times["directly"]
    print(f"the entrance adds {1e9 * added:.0f} ns of processor time to a move")


if __name__ == "__main__":
    main()
