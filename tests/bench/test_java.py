"""Measuring an original server; a shell script stands for Java and a listening Python program for the jar."""

import sys
from pathlib import Path

import pytest
from bench.config import RunConfig
from bench.java import listening, original, run


@pytest.fixture
def jar(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A program that a fake `java` on the path runs with Python."""
    java = tmp_path / "java"
    java.write_text(f'#!/bin/sh\nshift\nexec {sys.executable} "$@"\n')
    java.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    program = tmp_path / "server.jar"
    program.write_text(
        "import socket, sys, time\nserver = socket.create_server(('127.0.0.1', int(sys.argv[1])))\ntime.sleep(60)\n"
    )
    return str(program)


def test_an_original_server_is_ready_when_it_listens_and_stops_after_the_measurement(jar: str) -> None:
    with original(jar, 0, "{port}") as (_, port):
        assert port in listening()
    assert port not in listening()


def test_an_original_server_that_ends_is_reported(jar: str) -> None:
    with pytest.raises(SystemExit, match="exit code 1"), original(jar, 0, "no-port"):
        pass


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        (RunConfig(), "--jar PATH"),
        (RunConfig(jar="none.jar"), "no such file: none.jar"),
        (RunConfig(jar=__file__), "--port PORT"),
        (RunConfig(jar=__file__, dialect="chess"), "no driver for chess"),
    ],
)
def test_missing_settings_of_an_original_server_are_reported(
    config: RunConfig, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run(config)
    assert problem in capsys.readouterr().out
