"""A real server process that runs a tournament of bots and is killed again and again."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from boardwire.records.sqlite import SqliteRecords
from boardwire.store.archive import Archive
from boardwire.table.match import Status, fold
from boardwire.tournaments.decide import points_of
from boardwire.tournaments.store import TournamentStore
from boardwire.tournaments.tournament import Tournament
from boardwire.tournaments.tournament import fold as fold_tournament

from .. import fork_server

TOKEN = {"Authorization": "Bearer " + "o" * 24}


@contextmanager
def serve(data: Path) -> Iterator[tuple[fork_server.Process, httpx.Client]]:
    """Start a server on a data directory, and make sure that it is gone in the end."""
    listen = ("--http", "0", "--listen", "tris-lines=0")
    with (data.parent / "log").open("a") as log:
        process = fork_server.Process("serve", *listen, "--data", str(data), "--log", "warning", stderr=log)
    try:
        assert process.stdout is not None
        listening = process.stdout.readline().split()
        assert listening[:2] == ["listening", "http"], (data.parent / "log").read_text()
        while process.stdout.readline() != "ready\n":
            assert process.poll() is None
        with httpx.Client(base_url=f"http://{listening[2]}", timeout=20.0) as client:
            yield process, client
    finally:
        process.kill()
        process.wait(10)
        if process.stdout is not None:
            process.stdout.close()


def create(client: httpx.Client, bots: int, rounds: int, game: str = "tris") -> str:
    setup = {"name": "Cup", "game": game, "format": "swiss", "rounds": rounds, "pause": 0.0}
    body = {"setup": setup, "name": "Boss", "bots": [{"bot": "random", "count": bots}]}
    created = client.post("/api/tournaments", headers=TOKEN, json=body)
    assert created.status_code == 201, created.text
    name: str = created.json()["id"]
    assert client.post(f"/api/tournaments/{name}/start", headers=TOKEN).status_code == 200
    return name


def run_to_end(client: httpx.Client, name: str, seconds: float) -> dict[str, Any]:
    end, seq = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        told: dict[str, Any] = client.get(f"/api/tournaments/{name}", params={"after": seq, "limit": 0}).json()
        if told["status"] == "over":
            return told
        seq = told["seq"]
    raise AssertionError(f"not over after {seconds} seconds")


def stored(data: Path, name: str) -> Tournament:
    records = SqliteRecords(data)
    try:
        return fold_tournament(TournamentStore(records).read(name))
    finally:
        records.close()


def judge(data: Path, name: str, bots: int, rounds: int) -> None:
    """Every board has one finished match, its points are the match's, and no two meet twice."""
    state = stored(data, name)
    assert len(state.rounds) == rounds
    boards = [board for one in state.rounds for board in one.boards]
    assert len(boards) == rounds * (bots // 2)
    assert len({frozenset(board.entrants) for board in boards}) == len(boards), "two met twice"
    with Archive(data) as archive:
        matches = {match.id: match for match in map(fold, archive.matches())}
    for board in boards:
        match = matches.pop(board.match)
        assert match.status is Status.OVER
        assert match.outcome is not None
        assert board.points == points_of(match.outcome)
        assert [player and player.name for player in match.players] == [
            state.entrants[number].entrant.name for number in board.entrants
        ]
    left = [match.outcome and str(match.outcome.termination) for match in matches.values()]
    assert all(one in ("interrupted", "abandoned") for one in left), f"matches of no board: {left}"


def kill_and_go_on(data: Path, bots: int, rounds: int, times: int, seed: int) -> list[int]:
    """Run a tournament over `times` kills; return the number of stored events at each."""
    luck, seqs = random.Random(seed), [0]
    name = ""
    for _ in range(times):
        with serve(data) as (process, client):
            if not name:
                name = create(client, bots, rounds)
            seen = client.get(f"/api/tournaments/{name}", params={"limit": 0}).json()["seq"]
            time.sleep(luck.uniform(0.0, 0.4))  # a random moment is what this is about
            process.kill()
            process.wait(10)
        assert stored(data, name).seq >= seen >= seqs[-1], "what was shown is lost"
        seqs.append(seen)
    with serve(data) as (_, client):
        run_to_end(client, name, 300.0)
    judge(data, name, bots, rounds)
    return seqs


def test_a_tournament_of_bots_survives_three_kills(tmp_path: Path) -> None:
    kill_and_go_on(tmp_path / "data", 16, 4, 3, 1)


@pytest.mark.slow
def test_a_tournament_of_1000_bots_survives_ten_kills(tmp_path: Path) -> None:
    seqs = kill_and_go_on(tmp_path / "data", 1000, 12, 10, 2)
    print(f"events at each kill: {seqs[1:]}")
    assert 1000 < seqs[1] < seqs[-1] < 1000 + 12 * 1000, "all kills were in mid-play"
