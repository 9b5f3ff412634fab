"""A tournament on three real nodes: one of them runs it, and another continues when that one is killed."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from scripts.nats import nats
from scripts.postgres import Postgres

from .. import fork_server

pytestmark = pytest.mark.cluster

BOTS, ROUNDS = 24, 5
TOKEN = {"Authorization": "Bearer " + "o" * 24}


class Node:
    """One node, and its HTTP address."""

    def __init__(self, store: str, bus: str, name: str) -> None:
        self.name = name
        listen = ("--http", "0", "--listen", "tris-lines=0")
        settings = ("--log", "error", "--store", store, "--bus", bus, "--node", name)
        self.process = fork_server.Process("serve", *listen, *settings)
        assert self.process.stdout is not None
        self.client = httpx.Client(base_url=f"http://{self.process.stdout.readline().split()[2]}", timeout=30.0)
        while self.process.stdout.readline() != "ready\n":
            assert self.process.poll() is None

    def close(self) -> None:
        self.client.close()
        self.process.kill()
        self.process.wait(10)
        if self.process.stdout is not None:
            self.process.stdout.close()


def presiding(node: Node) -> str:
    """The node that has the lobby."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        for one in node.client.get("/api/nodes").json()["nodes"]:
            if one["lobby"]:
                name: str = one["name"]
                return name
        time.sleep(0.1)
    raise AssertionError("no node hosts the lobby")


def over(node: Node, name: str, seconds: float) -> dict[str, Any]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        told: dict[str, Any] = node.client.get(f"/api/tournaments/{name}").json()
        if told["status"] == "over":
            return told
        time.sleep(0.2)
    raise AssertionError(f"not over after {seconds} seconds")


def test_a_tournament_continues_on_another_node_when_its_node_is_killed(database: Postgres) -> None:
    with ExitStack() as stack:
        store, bus = database.url, stack.enter_context(nats()).url
        nodes = [Node(store, bus, f"node-{number}") for number in range(3)]
        for node in nodes:
            stack.callback(node.close)
        setup = {"name": "Cup", "game": "forza", "format": "swiss", "rounds": ROUNDS, "pause": 0.0}
        body = {"setup": setup, "name": "Boss", "bots": [{"bot": "random", "count": BOTS - 4}]}
        first = nodes[0].client
        name = first.post("/api/tournaments", headers=TOKEN, json=body).json()["id"]
        more = {"bots": [{"bot": "random", "count": 4}]}
        assert nodes[1].client.post(f"/api/tournaments/{name}/enter", headers=TOKEN, json=more).status_code == 200
        assert nodes[2].client.post(f"/api/tournaments/{name}/start", headers=TOKEN).status_code == 200
        leader = presiding(nodes[0])
        killed = next(node for node in nodes if node.name == leader)
        rest = [node for node in nodes if node is not killed]
        while killed.client.get(f"/api/tournaments/{name}").json()["rounds"] < 2:
            time.sleep(0.02)
        killed.process.kill()
        killed.process.wait(10)
        for node in rest:
            assert over(node, name, 120.0)["rounds"] == ROUNDS
        boards = [
            board
            for number in range(1, ROUNDS + 1)
            for board in rest[1].client.get(f"/api/tournaments/{name}/rounds/{number}").json()["boards"]
        ]
        assert len(boards) == ROUNDS * BOTS // 2
        assert len({frozenset(board["names"]) for board in boards}) == len(boards), "two met twice"
        for board in boards:
            match = rest[1].client.get(f"/api/matches/{board['match']}").json()
            assert match["status"] == "over"
            winners = match["outcome"]["winners"]
            wanted = [0.5, 0.5] if len(winners) != 1 else [float(0 in winners), float(1 in winners)]
            assert board["points"] == wanted
