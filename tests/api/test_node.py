"""The HTTP API of a whole node: ports, readiness, metrics."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest

from boardwire.api import match_file as records
from boardwire.config import Settings
from boardwire.dialects import of_game
from boardwire.node import Node
from boardwire.simulation.server import SimulatedServer
from boardwire.store.archive import Archive
from boardwire.store.sqlite import SqliteJournal
from boardwire.table.ports import MatchFilter

from ..net.harbour import run
from ..store.harness import execute
from .api_fixture import Sitting


def _listening(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the `listening` lines without log lines."""
    return [line for line in capsys.readouterr().out.splitlines() if line.startswith("listening ")]


def test_a_node_reports_its_ports_and_readiness(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def scenario() -> None:
        settings = Settings(data=str(tmp_path), http="0", listen=("tris-lines=0",))
        node = Node(settings, asyncio.get_running_loop())
        await node.start()
        assert isinstance(node.journal, SqliteJournal)
        ports = {line.split()[1]: line.rpartition(":")[2] for line in _listening(capsys)}
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{ports['http']}") as client:

            async def told(path: str) -> tuple[int, Any]:
                answer = await client.get(path)
                return answer.status_code, answer.json()

            _, tris = await told("/api/games/tris")
            shown = {one["name"]: one["port"] for one in tris["dialects"]}
            listening = {"tris-lines": int(ports["tris-lines"]), "native": int(ports["http"])}
            assert shown == dict.fromkeys(of_game("tris")) | listening
            first = await asyncio.open_connection("127.0.0.1", int(ports["tris-lines"]))
            second = await asyncio.open_connection("127.0.0.1", int(ports["tris-lines"]))
            assert await second[0].readline() == b"READY\n"
            metrics = (await client.get("/metrics")).text
            assert 'boardwire_connections{dialect="tris-lines"} 2.0\n' in metrics
            assert 'boardwire_connections{dialect="http"} 1.0\n' in metrics
            assert "boardwire_commit_seconds_count 2.0\n" in metrics
            assert (await told("/api/matches"))[1]["matches"][0]["status"] == "playing"

            execute(node.journal, "PRAGMA query_only = 1")
            first[1].write(b"4\n")
            while not node.journal.failing:
                await asyncio.sleep(0.001)
            status, problem = await told("/readyz")
            assert (status, problem["detail"]) == (503, "the journal cannot be written")
            execute(node.journal, "PRAGMA query_only = 0")
            async with asyncio.timeout(10):
                while node.journal.failing:  # without a request
                    await asyncio.sleep(0.01)
            assert (await told("/readyz"))[0] == 200, "the first request after that"

            node._stopping = True
            assert (await told("/readyz"))[1]["detail"] == "the server is stopping"
            for _, writer in (first, second):
                writer.close()
        await node.stop()

    run(scenario)


def test_a_slow_read_delays_no_other_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    async def scenario() -> None:
        node = Node(Settings(data=str(tmp_path), http="0", listen=("tris-lines=0",)), asyncio.get_running_loop())
        await node.start()
        ports = {line.split()[1]: int(line.rpartition(":")[2]) for line in _listening(capsys)}
        listed = node.journal.list_public

        def slowly(wanted: MatchFilter, before: int | None, count: int) -> list[tuple[int, str]]:
            assert go_on.wait(10)
            return listed(wanted, before, count)

        monkeypatch.setattr(node.journal, "list_public", slowly)
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{ports['http']}") as client:
            listing = asyncio.create_task(client.get("/api/matches"))
            (ann, to_ann), (bob, to_bob) = [
                await asyncio.open_connection("127.0.0.1", ports["tris-lines"]) for _ in range(2)
            ]
            for expected in (b"WAIT\n", b"READY\n"):
                assert await ann.readline() == expected
            to_ann.write(b"4\n")
            assert await bob.readline() == b"READY\n"
            assert await bob.readline() == b"0,0,0,0,1,0,0,0,0,\n"
            assert (await client.get("/api/tables")).json()["tables"][0]["moves"] == 1
            assert not listing.done()
            go_on.set()
            assert (await listing).json()["matches"][0]["moves"] == 1
            to_ann.close()
            to_bob.close()
        await node.stop()

    run(scenario)


def test_an_imported_match_survives_a_restart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    server = SimulatedServer(1)
    sitting = Sitting(server, "tris")
    sitting.act(0, 3, 1, 4, 2)
    body = records.write_json(records.record_of(server.events(sitting.id)))

    async def scenario() -> None:
        for status in (201, 200):
            node = Node(Settings(data=str(tmp_path), http="0", listen=("tris-lines=0",)), asyncio.get_running_loop())
            await node.start()
            port = _listening(capsys)[0].rpartition(":")[2]
            async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as client:
                headers = {"Content-Type": "application/json"}
                answer = await client.post("/api/matches/import", content=body, headers=headers)
                assert answer.status_code == status
                found = (await client.get(answer.headers["location"])).json()
                assert (found["outcome"]["winners"], found["imported"]) == ([0], True)
            await node.stop()

    run(scenario)
    with Archive(tmp_path) as archive:
        assert (len(archive.names()), archive.unfinished()) == (1, [])


def test_per_address_0_disables_the_request_limit(capsys: pytest.CaptureFixture[str]) -> None:
    async def scenario() -> None:
        for limit in (0, 100):
            node = Node(Settings(data=":memory:", http="0", listen=("tris-lines=0",), per_address=limit),
                        asyncio.get_running_loop())  # fmt: skip
            await node.start()
            assert node._http is not None
            guard: Any = node._http.app
            assert (guard._allowances is None) == (limit == 0)
            await node.stop()

    run(scenario)
