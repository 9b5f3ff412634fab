"""A real server process, killed under load and stopped politely: what a player was told is never lost.

Pairs of clients play random games as fast as they can and write down what they are told.  tris-lines has no names for
matches, so the journal's matches are found again by their moves: what a pair was told must be the beginning of a match
that no other pair claims.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from boardwire.games.game import Outcome
from boardwire.store.archive import Archive
from boardwire.table.events import Acted, Event
from boardwire.table.match import Status, fold

from .. import fork_server

PAIRS = 24
SEED = 1

ON_THE_BOARD = (Outcome("line", (0,)), Outcome("line", (1,)), Outcome("full board"))
"""How a game ends that is played to its end."""


# --- the server -----------------------------------------------------------------------------------------------------


class Server:
    """A server process on a data directory."""

    def __init__(self, process: fork_server.Process, port: int) -> None:
        self.process = process
        self.port = port


@contextmanager
def serve(data: Path) -> Iterator[Server]:
    """Start a server, wait until it is ready, and make sure that it is gone in the end."""
    listen = ("--http", "off", "--listen", "tris-lines=0")
    with (data.parent / "log").open("a") as log:
        process = fork_server.Process("serve", *listen, "--data", str(data), "--log", "warning", stderr=log)
    try:
        assert process.stdout is not None
        listening = process.stdout.readline().split()
        assert listening[:2] == ["listening", "tris-lines"], (data.parent / "log").read_text()
        assert process.stdout.readline() == "ready\n"
        yield Server(process, int(listening[2].rpartition(":")[2]))
    finally:
        process.kill()
        process.wait(10)
        if process.stdout is not None:
            process.stdout.close()


def ask_boardwire(*arguments: str) -> list[dict[str, Any]]:
    """What a command prints, one JSON object a line."""
    done = fork_server.boardwire_text(*arguments)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


# --- the players ----------------------------------------------------------------------------------------------------


class Game:
    """What one pair knows of its game: moves they were told of, and the one that is on its way, if any."""

    def __init__(self) -> None:
        self.told: list[int] = []
        self.sent: int | None = None
        self.over = False

    def check(self, seat: int, cells: list[str]) -> None:
        """The board that `seat` is shown is the moves that are known."""
        wanted = ["0"] * 9
        for number, cell in enumerate(self.told):
            wanted[cell] = str(number % 2 + 1)
        assert cells == wanted, f"seat {seat} was shown {cells} after {self.told}"


class Peer:
    """One client's socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def connect(cls, port: int) -> Peer:
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def line(self) -> str:
        """The next line; empty at the end."""
        try:
            return (await self._reader.readline()).decode().strip()
        except ConnectionError:
            return ""

    def send(self, text: str) -> None:
        self._writer.write(text.encode() + b"\n")

    async def close(self) -> None:
        self._writer.close()
        with contextlib.suppress(ConnectionError):
            await self._writer.wait_closed()


class Load:
    """Pairs that play game after game until the server is gone."""

    def __init__(self, port: int, seed: int) -> None:
        self._port = port
        self._random = random.Random(seed)
        self._pairing = asyncio.Lock()
        self._enough = asyncio.Event()
        self._moves = 0
        self._target = self._random.randint(40, 400)
        self.games: list[Game] = []

    async def run(self, server: Server, number: int) -> list[Game]:
        """Play as fast as possible, and send the server this signal at a random moment."""
        players = [asyncio.create_task(self.play()) for _ in range(PAIRS)]
        await asyncio.wait_for(self._enough.wait(), 60)
        await asyncio.sleep(self._random.uniform(0.0, 0.01))
        server.process.send_signal(number)
        await asyncio.gather(*players)
        return self.games

    async def play(self) -> None:
        """One pair, until its server is gone."""
        with contextlib.suppress(ConnectionError, OSError):
            while await self._one_game():
                pass

    async def _one_game(self) -> bool:
        async with self._pair() as peers:
            if peers is None:
                return False
            game = Game()
            self.games.append(game)
            while not game.over:
                if not await self._one_move(game, peers):
                    return False
            return True

    @asynccontextmanager
    async def _pair(self) -> AsyncIterator[tuple[Peer, Peer] | None]:
        """Two clients at one table; one pair at a time sits down, so that they meet each other."""
        peers: list[Peer] = []
        try:
            async with self._pairing:
                peers.append(await Peer.connect(self._port))
                started = await peers[0].line() == "WAIT"
                peers.append(await Peer.connect(self._port))
                started = started and [await peer.line() for peer in peers] == ["READY", "READY"]
            yield (peers[0], peers[1]) if started else None
        finally:
            for peer in peers:
                await peer.close()

    async def _one_move(self, game: Game, peers: tuple[Peer, Peer]) -> bool:
        """Whose turn it is moves, and both hear of it; False if the server went away."""
        seat = len(game.told) % 2
        game.sent = self._random.choice([cell for cell in range(9) if cell not in game.told])
        peers[seat].send(str(game.sent))
        answers = await asyncio.gather(peers[seat].line(), peers[1 - seat].line())
        verdict, board = ("" if answer == "DISCONNECTED" else answer for answer in answers)
        if not verdict and not board:
            return False
        game.told.append(game.sent)
        game.sent = None
        self._moves += 1
        if self._moves == self._target:
            self._enough.set()
        assert verdict in ("", "OK", "W", "P"), verdict
        if board:
            *cells, mark = board.split(",")
            game.check(1 - seat, cells)
            game.over = mark != ""
        game.over = game.over or verdict in ("W", "P")
        return bool(verdict and board)


def kill_under_load(server: Server, seed: int) -> list[Game]:
    """Games that were played, and cut off, on this server."""

    async def run() -> list[Game]:
        return await Load(server.port, seed).run(server, signal.SIGKILL)

    games = asyncio.run(run())
    assert server.process.wait(10) == -signal.SIGKILL
    return games


# --- the judgement --------------------------------------------------------------------------------------------------


def moves(events: list[Event]) -> list[int]:
    return [event.action for event in events if isinstance(event, Acted)]


def judge(games: list[Game], journals: list[list[Event]]) -> None:
    """Every game is the beginning of a match of its own, and the rest of that match is at most the move that was sent.

    The longest games choose first: whatever begins with a longer game begins with its shorter ones too, so no one takes
    away the only match of another.
    """
    unclaimed: dict[tuple[int, ...], int] = {}
    for events in journals:
        played = tuple(moves(events))
        unclaimed[played] = unclaimed.get(played, 0) + 1
    for game in sorted(games, key=lambda game: (-len(game.told), game.sent is not None)):
        told = tuple(game.told)
        possible = [told] if game.sent is None else [(*told, game.sent), told]
        found = next((played for played in possible if unclaimed.get(played)), None)
        assert found is not None, f"a pair was told of {told} (and had sent {game.sent}), which no match has"
        unclaimed[found] -= 1
    left_over = [played for played, count in unclaimed.items() if count and played]
    assert not left_over, f"moves that nobody made: {left_over}"


def check_journals(data: Path, known: int, games: list[Game]) -> int:
    """All journals replay and are over; those after the first `known` are these games.  Gives how many there are."""
    with Archive(data) as archive:
        journals = list(archive.matches())
    for events in journals:
        match = fold(events)
        assert match.status is Status.OVER
        assert match.seq == len(events)
        assert match.moves == len(moves(events))
        assert match.outcome is not None
        assert match.outcome in ON_THE_BOARD or match.outcome.termination in ("interrupted", "abandoned")
        decided = match.position is not None and match.setting.game.pending(match.position) is None
        assert (match.outcome in ON_THE_BOARD) == decided
    judge(games, journals[known:])
    return len(journals)


def kill_again_and_again(data: Path, times: int, seed: int) -> tuple[int, int]:
    """Kill a server under load this often, judging after each recovery; return matches and moves."""
    luck = random.Random(seed)
    known = total = 0
    games: list[Game] = []
    for number in range(times + 1):
        with serve(data) as server:
            known = recovered(data, known, games)
            if number < times:
                games = kill_under_load(server, luck.randrange(2**32))
                total += sum(len(game.told) for game in games)
    return known, total


def recovered(data: Path, known: int, games: list[Game]) -> int:
    """Wait until the server has closed what was left unfinished, then check everything."""
    if games:
        end = time.monotonic() + 10
        while time.monotonic() < end:
            with Archive(data) as archive:
                if not archive.unfinished():
                    break
            time.sleep(0.01)
        return check_journals(data, known, games)
    return known


def test_no_shown_move_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    matches, told = kill_again_and_again(tmp_path / "data", 3, SEED)
    assert matches > 3 * 5
    assert told >= 3 * 40


@pytest.mark.slow
def test_no_shown_move_is_lost_when_the_server_is_killed_fifty_times(tmp_path: Path) -> None:
    matches, told = kill_again_and_again(tmp_path / "data", 50, SEED + 1)
    print(f"{matches} matches, {told} moves told")
    assert told >= 50 * 40


@pytest.mark.slow
def test_the_command_line_tells_of_interrupted_matches_while_a_server_has_them_open(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serve(data) as server:
        games = kill_under_load(server, SEED)
    with serve(data):
        recovered(data, 0, games)
        listed = ask_boardwire("matches", "--data", str(data), "--json")
        assert len(listed) >= len(games)
        assert {match["status"] for match in listed} == {"over"}
        interrupted = [match for match in listed if match["outcome"]["termination"] == "interrupted"]
        assert interrupted
        busiest = max(interrupted, key=lambda match: int(match["moves"]))
        events = ask_boardwire("replay", busiest["id"], "--data", str(data), "--json")
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    acted = [event for event in events if event["event"] == "acted"]
    assert [event["seat"] for event in acted] == [number % 2 for number in range(busiest["moves"])]
    assert any(game.told == [event["action"] for event in acted][: len(game.told)] for game in games)


# --- polite stops ---------------------------------------------------------------------------------------------------


async def stop_politely(server: Server) -> None:
    """Two in mid-play, one that waits, and SIGTERM."""
    ann, bob = await Peer.connect(server.port), await Peer.connect(server.port)
    assert [await ann.line(), await ann.line(), await bob.line()] == ["WAIT", "READY", "READY"]
    cyd = await Peer.connect(server.port)
    assert await cyd.line() == "WAIT"
    ann.send("4")
    assert await ann.line() == "OK"
    assert await bob.line() == "0,0,0,0,1,0,0,0,0,"
    server.process.send_signal(signal.SIGTERM)
    assert [await ann.line(), await ann.line()] == ["DISCONNECTED", ""]
    assert [await bob.line(), await bob.line()] == ["DISCONNECTED", ""]
    assert await cyd.line() == ""
    for peer in (ann, bob, cyd):
        await peer.close()


def test_sigterm_closes_politely_loses_nothing_and_exits_0(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serve(data) as server:
        asyncio.run(asyncio.wait_for(stop_politely(server), 10))
        assert server.process.wait(5) == 0
    with Archive(data) as archive:
        played, waiting = list(archive.matches())
    assert moves(played) == [4]
    assert [fold(events).outcome for events in (played, waiting)] == [Outcome("interrupted")] * 2


def test_sigterm_under_load_loses_nothing_and_exits_0(tmp_path: Path) -> None:
    data = tmp_path / "data"

    async def run(server: Server) -> list[Game]:
        return await Load(server.port, SEED).run(server, signal.SIGTERM)

    with serve(data) as server:
        games = asyncio.run(run(server))
        assert server.process.wait(10) == 0
    assert check_journals(data, 0, games) >= len(games)


@pytest.mark.slow
def test_a_second_signal_stops_at_once(tmp_path: Path) -> None:
    async def stubborn(server: Server) -> None:
        """A peer that neither reads nor goes keeps a polite stop waiting."""
        peer = await Peer.connect(server.port)
        assert await peer.line() == "WAIT"
        server.process.send_signal(signal.SIGTERM)
        assert await peer.line() == ""
        await asyncio.sleep(0.3)
        assert server.process.poll() is None, "it did not wait for its peer"
        server.process.send_signal(signal.SIGTERM)
        await asyncio.to_thread(server.process.wait, 10)
        await peer.close()

    with serve(tmp_path / "data") as server:
        asyncio.run(stubborn(server))
        assert server.process.returncode == 128 + signal.SIGTERM, "it ended by itself, as after one signal"
