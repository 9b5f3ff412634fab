"""Reconnecting: the server is stopped or killed and started again on the same port."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from boardwire.dialects.native import messages as wire
from boardwire.terminal.app.native_session import NativeSession
from boardwire.terminal.app.servers import Server
from boardwire.terminal.app.session import LinkState

from . import stage as on


def test_the_client_resumes_its_seat_after_a_restart_of_the_server(tmp_path: Path) -> None:
    async def scenario() -> None:
        first = await on.start(str(tmp_path))
        port = first.ports["http"]
        async with on.stage(first.server) as stage:
            await stage.connected()
            await stage.open("tris", bots=("", "greedy"))
            await stage.pilot.press("4", "enter")
            await stage.until(lambda: stage.is_asked() and stage.model.view.cells[4] == 0)
            view, token = stage.model.view, stage.session.token
            await first.node.stop()
            await stage.until(lambda: stage.session.link is LinkState.LOST)
            await stage.until(lambda: token in stage.text().replace("\n", ""))
            second = await on.start(str(tmp_path), http=str(port))
            await stage.until(stage.is_asked)
            await stage.until(lambda: "You are back at the table." in stage.text())
            assert stage.model.view == view
            await stage.choose_first()
            await stage.until(lambda: stage.is_over() or (stage.is_asked() and stage.model.view != view))
            await second.node.stop()

    on.run(scenario)


@pytest.mark.slow
def test_the_client_resumes_its_seat_after_the_server_was_killed(tmp_path: Path) -> None:
    def serve(port: int) -> tuple[subprocess.Popen[str], int]:
        command = [sys.executable, "-m", "boardwire", "serve", "--data", str(tmp_path), "--http", str(port)]
        process = subprocess.Popen([*command, "--listen", "tris-lines=0"], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        found = 0
        for line in process.stdout:
            if line.startswith("listening http"):
                found = int(line.rpartition(":")[2])
            if line.strip() == "ready":
                return process, found
        raise AssertionError("the server did not start")

    def end(process: subprocess.Popen[str]) -> None:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()

    async def scenario() -> None:
        process, port = await asyncio.to_thread(serve, 0)
        try:
            async with on.stage(Server("127.0.0.1", port)) as stage:
                await stage.connected()
                await stage.open("santorini", bots=("", "greedy"))
                await stage.pilot.press(*"c3", "enter")
                await stage.until(lambda: stage.is_asked() and stage.model.view.workers[0] == (12,))
                end(process)
                await stage.until(lambda: stage.session.link is LinkState.LOST)
                process, _ = await asyncio.to_thread(serve, port)
                await stage.until(stage.is_asked, 30)
                assert stage.model.view.workers[0] == (12,)
        finally:
            end(process)

    on.run(scenario)


def test_a_token_leads_back_to_the_held_seat() -> None:
    async def scenario() -> None:
        async with on.place() as place:
            ann = NativeSession("127.0.0.1", place.ports["http"], "ann", lambda: None)
            ann.start()
            async with on.stage(place.server) as stage:
                await stage.until(lambda: ann.token)
                ann.send(wire.Open(game="tris", bots=("", "greedy")))
                await stage.until(lambda: ann.model is not None and ann.model.ask is not None)
            assert f"--set token={ann.token}" in ann.resume_command
            ann.close()
            async with on.stage(place.server, token=ann.token) as stage:
                await stage.until(stage.is_asked)
                assert stage.session.is_playing
                assert stage.app.resume_command == ann.resume_command

    on.run(scenario)


def test_a_seat_that_is_resumed_elsewhere_is_not_taken_back() -> None:
    async def scenario() -> None:
        async with on.place() as place, on.stage(place.server) as stage:
            await stage.connected()
            await stage.open("tris", bots=("", "greedy"))
            other = NativeSession("127.0.0.1", place.ports["http"], "Ada", lambda: None, token=stage.session.token)
            other.start()
            await stage.until(lambda: other.model is not None and other.model.ask is not None)
            await stage.until(lambda: stage.session.model is None)
            await stage.until(lambda: "no longer at the table" in stage.text())
            assert other.model is not None
            other.close()

    on.run(scenario)


def test_a_server_that_is_not_there_is_named_and_the_client_waits_for_it() -> None:
    async def scenario() -> None:
        async with on.stage(Server("127.0.0.1", 1)) as stage:
            await stage.until(lambda: stage.session.link is LinkState.LOST)
            await stage.until(lambda: "boardwire serve" in stage.text())
            assert "cannot connect to 127.0.0.1:1" in stage.text()

    on.run(scenario)


def test_a_port_of_another_protocol_is_no_reason_to_crash() -> None:
    async def scenario() -> None:
        async with on.place() as place, on.stage(Server("127.0.0.1", place.ports["tris-lines"])) as stage:
            await stage.until(lambda: stage.session.link is LinkState.LOST)
            await stage.until(lambda: stage.session.problem)
            await stage.pilot.press("r")
            await stage.until(lambda: "cannot read" in stage.text() or "cannot reach" in stage.text())

    on.run(scenario)
