"""Several nodes as real processes: a killed one costs no one a move, and everything ends with one signal."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from scripts.cluster import cluster
from soak.cluster import ClusterRun
from soak.ports import Place
from soak.visitors import Visit

from boardwire.store.postgres import PostgresArchive
from boardwire.table.events import Acted

pytestmark = pytest.mark.cluster

ROOT = Path(__file__).parents[2]
DOORS = ("--http=0", "--listen=tris-lines=0", "--log=warning")
LEFT = "a node stopped or missed its heartbeats"


class Player:
    """A native player, who may come by one node after the other."""

    def __init__(self, name: str, ports: Sequence[int]) -> None:
        self._name = name
        self._ports = ports
        self._token = ""
        self.match = ""
        self.seat = -1
        self.shown: list[int] = []

    async def come(self, node: int, kind: str, **request: Any) -> None:
        """Connect to that node, and ask for a seat there."""
        self._visit = await Visit.open(Place({"native": self._ports[node]}), "127.0.0.1", Random(0))
        token = {"token": self._token} if self._token else {}
        self._token = (await self._visit.ask("hello", "welcome", name=self._name, **token))["token"]
        seated = await self._visit.ask(kind, "seated", **request)
        self.match, self.seat = seated["state"]["match"], seated["seat"]
        self._seq = seated["state"]["seq"]

    def play(self, cell: int) -> None:
        self._visit.send("act", seq=self._seq, action=cell)

    async def see_start(self) -> None:
        """Wait until the match is played."""
        while (state := (await self._visit.receive_reply()).get("state")) is None or state["status"] != "playing":
            pass
        self._seq = state["seq"]

    async def see(self, moves: int) -> None:
        """Wait until this many moves were shown, in this or a former connection."""
        async with asyncio.timeout(20):
            while len(self.shown) < moves:
                reply = await self._visit.receive_reply()
                self._seq = reply.get("state", {}).get("seq", self._seq)
                for event in reply.get("events", ()):
                    self.shown += [one["cell"] for one in event.get("happened", ())]

    def close(self) -> None:
        self._visit.close()


async def play_on(ports: Sequence[int], kill: Any) -> tuple[str, Player, Player]:
    """Ann opens a table at the first node and goes to the second, Bob comes by the third; then the first is killed."""
    ann, bob = Player("ann", ports), Player("bob", ports)
    await ann.come(0, "open", game="tris", private=False, grace=60)
    await bob.come(2, "join", match=ann.match)
    await ann.see_start()
    ann.play(0)
    await asyncio.gather(ann.see(1), bob.see(1))
    ann.close()
    await ann.come(1, "resume", match=ann.match, seat=ann.seat)
    kill()
    for moves, (player, cell) in enumerate(((bob, 3), (ann, 1), (bob, 4), (ann, 2)), 2):
        player.play(cell)
        await asyncio.gather(ann.see(moves), bob.see(moves))
    ann.close()
    bob.close()
    return ann.match, ann, bob


def test_a_match_is_played_on_when_the_node_that_hosts_it_is_killed(capfd: pytest.CaptureFixture[str]) -> None:
    with cluster(3, DOORS) as found:
        ports = [node.ports()["http"] for node in found.nodes]
        match, ann, bob = asyncio.run(play_on(ports, found.nodes[0].kill))
        assert ann.shown == bob.shown == [0, 3, 1, 4, 2]
        log = ""
        end = time.monotonic() + 20  # each survivor notices at a heartbeat of its own, up to a second apart
        while log.count(LEFT) < 2 and time.monotonic() < end:
            time.sleep(0.05)
            log += capfd.readouterr().err
        left = [line for line in log.splitlines() if LEFT in line]
        assert len(left) == 2
        assert all('"node1"' in line for line in left)
        assert [found.nodes[number].stop() for number in (1, 2)] == [0, 0]
        with PostgresArchive(found.database.url) as archive:
            assert [one.action for one in archive.events(match) if isinstance(one, Acted)] == [0, 3, 1, 4, 2]
            assert archive.unfinished() == []


def test_one_signal_ends_a_cluster_of_this_machine() -> None:
    command = [sys.executable, "-m", "scripts.cluster", "--nodes", "2", "--log", "error"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        told = list(takewhile(lambda line: line != "ready\n", process.stdout))  # or all, if it ends before
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
    assert {line.split()[0] for line in told} == {"node1", "node2"}
    assert {line.split()[1] for line in told} == {"listening"}
    assert len(told) == 2 * 10


@pytest.mark.slow
def test_nodes_that_are_killed_halted_and_cut_off_lose_and_double_no_move(tmp_path: Path) -> None:
    chaos = ClusterRun(tmp_path, seed=1, seconds=90.0)
    chaos.run()
    assert chaos.violations() == []
    assert chaos.injector.done["kill"] >= 5
    assert chaos.auditor.shown > 1000
