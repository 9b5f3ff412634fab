"""How programs of teams are started."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from boardwire.course.config import Course, ProgramConfig, check
from boardwire.course.hints import FindingKind, hint
from boardwire.course.plan import plan
from boardwire.course.programs import (
    ProgramFault,
    Programs,
    container_argv,
    exit_description,
    free_port,
    home_command,
    is_listening,
)
from boardwire.course.tasks import cells_of, needs_host_network
from boardwire.engines import CageLimits

EXAMPLE = Path(__file__).parents[2] / "src" / "boardwire" / "course" / "example" / "teams"
DOCKER = """#!/bin/sh
echo "$@" >> {log}
[ "$1" = run ] || exit 0
while [ "$1" != team/server ]; do shift; done
shift
exec {python} {server} "$@"
"""


class KnownProgram(NamedTuple):
    """A program of which the end is known."""

    exit_status: int | None
    excess: str
    has_ended: bool = True

    def stop(self) -> None:
        """It has ended."""

    def log(self) -> str:
        return ""


def course(directory: Path, **server: object) -> Course:
    raw = {
        "name": "c", "game": "tris", "protocol": "tris-lines", "timing": {"start": 10},
        "team": [{"name": "one", "server": server, "client": {"listen": 7301}}],
    }  # fmt: skip
    return check(raw, directory)


def test_a_container_is_bounded_and_its_server_is_published_on_this_machine_only() -> None:
    argv = container_argv("docker", "team/server", "x", CageLimits(memory_bytes=1000), ["7"], 7, is_server=True)
    assert argv[:5] == ["docker", "run", "--rm", "--name", "x"]
    assert argv[5:7] == ["--publish", "127.0.0.1:7:7"]
    assert {"--read-only", "--cap-drop", "--pids-limit"} < set(argv)
    assert argv[argv.index("--memory") + 1] == "1000"
    assert argv[-2:] == ["team/server", "7"]
    client = container_argv("docker", "c", "x", CageLimits(), [], 7, is_server=False)
    assert client[5:7] == ["--network", "host"]


def test_a_server_in_a_container_is_started_and_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    docker, log = tmp_path / "docker", tmp_path / "log"
    shutil.copy(EXAMPLE / "verdi" / "server.py", tmp_path)
    docker.write_text(DOCKER.format(log=log, python=sys.executable, server=tmp_path / "server.py"))
    docker.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    one = course(tmp_path, image="team/server", arguments="{port}")

    async def scenario() -> int:
        server = await Programs(one, one.teams[0], tmp_path).start_server()
        assert is_listening(server.port)
        await server.stop()
        return server.port

    port = asyncio.run(scenario())
    assert not is_listening(port)
    started, killed = log.read_text().splitlines()
    name = started.split()[3]
    assert killed == f"kill {name}"


def test_a_program_that_does_not_exist_is_a_finding(tmp_path: Path) -> None:
    (tmp_path / "team").mkdir()
    raw = {"name": "one", "directory": "team", "server": {"run": "./nothing {port}"}}
    one = check({"name": "c", "game": "tris", "protocol": "tris-lines", "team": [raw]}, tmp_path)
    with pytest.raises(ProgramFault, match=r"cannot find the program: .*nothing") as found:
        asyncio.run(Programs(one, one.teams[0], tmp_path / "team").start_server())
    assert found.value.kind is FindingKind.NOT_FOUND


@pytest.mark.parametrize(
    ("program", "command"),
    [
        (ProgramConfig(run="./a {host} {port} {name}"), "./a 127.0.0.1 7002 client"),
        (ProgramConfig(jar="my team.jar", arguments="{port}"), "java -jar 'my team.jar' 7002"),
        (ProgramConfig(image="team/a", arguments="{port}"), "docker run --rm --network host team/a 7002"),
        (ProgramConfig(address="h:1"), ""),
    ],
)
def test_a_program_is_started_by_hand_on_one_port(program: ProgramConfig, command: str) -> None:
    assert home_command(program) == command


def test_programs_that_teams_run_need_the_network_of_the_machine(tmp_path: Path) -> None:
    one = course(tmp_path, address="127.0.0.1:7002")
    assert plan(one) == ("server/one", "client/one", "server-resilience/one")
    assert all(needs_host_network(one, key) for key in plan(one))


@pytest.mark.parametrize(
    ("status", "excess", "words"),
    [
        (None, "", "it is still running"),
        (0, "", "exit code 0"),
        (3, "", "exit code 3"),
        (-9, "", "signal 9"),
        (-9, "memory", "over the limit of memory"),
    ],
)
def test_the_end_of_a_program_is_described(status: int | None, excess: str, words: str) -> None:
    assert exit_description(KnownProgram(status, excess)) == words


def test_a_match_has_a_cell_for_each_team() -> None:
    assert cells_of("match/a/b") == (("a", "client-matches", "b"), ("b", "server-matches", "a"))
    assert cells_of("tournament/a/b", "b") == (("b", "tournament", "a"),)
    assert cells_of("client-resilience/a") == (("a", "client-resilience", ""),)


@pytest.mark.parametrize("kind", FindingKind)
def test_every_kind_of_finding_has_a_hint_in_both_languages(kind: FindingKind) -> None:
    assert len({hint(kind, "en"), hint(kind, "it")}) == 2


def test_a_free_port_is_not_listening() -> None:
    assert not is_listening(free_port())
