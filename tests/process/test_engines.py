"""Engines with a real server and the real command line."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.engines.scripts import FIRST, write

from .. import fork_server

LISTING = """
[[bots]]
name = "first"
command = "{first}"

[[bots]]
name = "broken"
command = "{broken}"
"""


@pytest.fixture
def tmp_path(readable_path: Path) -> Path:
    """A directory that engines, which run as another user, can read."""
    return readable_path


@contextmanager
def serve(directory: Path, *flags: str) -> Iterator[str]:
    """A server; its HTTP port."""
    listen = ("--http", "0", "--listen", "tris-lines=0")
    with (directory / "log").open("w") as log:
        process = fork_server.Process("serve", *listen, "--data", ":memory:", *flags, stderr=log)
    assert process.stdout is not None
    try:
        listening = process.stdout.readline().split()
        assert listening[:2] == ["listening", "http"], (directory / "log").read_text()
        yield listening[2].rpartition(":")[2]
    finally:
        process.terminate()
        process.wait(10)
        process.stdout.close()


def bot(*flags: str, directory: Path) -> subprocess.CompletedProcess[str]:
    return fork_server.boardwire_text("bot", "tris", *flags, directory=directory)


def test_listed_bots_play_against_an_engine_of_the_command_line(tmp_path: Path) -> None:
    first = write(tmp_path / "first", FIRST)
    broken = write(tmp_path / "broken", "print('on purpose', file=sys.stderr)\nexit(3)")
    (tmp_path / "bots.toml").write_text(LISTING.format(first=first, broken=broken))
    with serve(tmp_path, "--bots", str(tmp_path / "bots.toml"), "--bot", "first") as port:
        connect = ("--dialect", "native", "--connect", f"127.0.0.1:{port}")
        for opponent in ("first", "broken"):
            played = bot(*connect, "--set", f"bots=,{opponent}", "--engine", first, directory=tmp_path)
            assert played.returncode == 0, played
            assert played.stdout.startswith("match 1: ")
    log = (tmp_path / "log").read_text()
    assert '"bot": "broken", "reason": "start failed"' in log
    assert "on purpose" in log
    assert '"bot": "first", "reason"' not in log


@pytest.mark.parametrize(
    ("flags", "code", "words"),
    [
        (("--engine", "no-such-program-here"), 2, "there is no program"),
        (("--engine", "false"), 1, "start failed: it exited with code 1"),
        (("--bot", "no_such_module:Bot"), 1, "there is no module 'no_such_module'"),
        (("--engine", "true", "--level", "3"), 2, "have no levels"),
        (("--engine", "true", "--text"), 2, "--text supports santorini and forza, not tris"),
        (("--text",), 2, "--engine COMMAND"),
    ],
)
def test_an_engine_that_cannot_play_ends_the_command_before_it_connects(
    flags: tuple[str, ...], code: int, words: str, tmp_path: Path
) -> None:
    played = bot("--dialect", "tris-lines", "--connect", "127.0.0.1:1", *flags, directory=tmp_path)
    assert (played.returncode, words in played.stderr) == (code, True), played.stderr
    assert "Traceback" not in played.stderr


def test_an_unknown_default_bot_is_a_usage_error(tmp_path: Path) -> None:
    flags = ("--http", "off", "--data", ":memory:", "--bot", "nobody")
    served = fork_server.boardwire_text("serve", *flags)
    assert served.returncode == 2
    assert "--bots FILE" in served.stderr
