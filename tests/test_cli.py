"""The command line in this process: words, exit codes, and never a traceback.  tests/process runs the real thing."""

from __future__ import annotations

import inspect
import socket
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from boardwire import __version__, cli, games, node
from boardwire import logs as logging
from boardwire.config import Settings
from boardwire.net.limits import Limits

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs the command line; gives the exit code and what it printed."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("BOARDWIRE_CONFIG", raising=False)

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as ended:
            cli.main(list(arguments))
        out, err = capsys.readouterr()
        assert isinstance(ended.value.code, int)
        return ended.value.code, out, err

    return call


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[Settings]:
    """What servers would have been started with."""
    started: list[Settings] = []
    monkeypatch.setattr(node, "run", started.append)
    monkeypatch.setattr(logging, "configure", lambda level: None)
    return started


def test_help_names_every_command(run: Run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    for command in ("serve", "play", "check", "matches", "replay"):
        assert f" {command} " in out
    assert run()[:2] == (code, out), "no command asks for help"


@pytest.mark.parametrize("command", ["serve", "play", "check", "matches", "replay"])
def test_every_command_has_help_for_all_it_takes(run: Run, command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    for name in inspect.signature(getattr(cli, command)).parameters:
        flag = "--config" if name == "config_file" else name.replace("_", "-")
        assert flag.lower() in out.lower()


def test_the_version_is_printed(run: Run) -> None:
    assert run("--version") == (0, f"{__version__}\n", "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["frobnicate"], "frobnicate"),
        (["serve", "--frobnicate"], "frobnicate"),
        (["serve", "--messages", "many"], "messages"),
        (["serve", "--listen"], "listen"),
        (["play", "tris"], "dialect"),
        (["replay"], "match"),
    ],
)
def test_what_cannot_be_understood_is_named_and_the_exit_code_is_2(run: Run, arguments: list[str], words: str) -> None:
    code, out, err = run(*arguments)
    assert code == 2
    assert words in err.lower()
    assert out == ""


# --- serve ----------------------------------------------------------------------------------------------------------


def test_every_setting_is_a_flag(run: Run, served: list[Settings]) -> None:
    flags = {
        "host": "::1", "data": ":memory:", "http": "off", "log": "error", "per_address": 1, "messages": 2,
        "unsent": 3, "idle": 4.5, "linger": 5.5,
    }  # fmt: skip
    spelled = [word for name, value in flags.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    code, _, err = run("serve", *spelled, "--listen", "tris-lines=0", "--listen", "tris-lines=3000", "--own-tables")
    assert (code, err) == (0, "")
    (settings,) = served
    wanted = {**flags, "listen": ("tris-lines=0", "tris-lines=3000"), "own_tables": True}
    assert msgspec.structs.asdict(settings) == wanted
    assert settings.limits == Limits(1, 2, Limits().waiting, 3, 4.5, 5.5)


def test_settings_come_from_the_environment_and_a_file(
    run: Run, served: list[Settings], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "some.toml"
    file.write_text('host = "file"\nmessages = 7\n')
    monkeypatch.setenv("BOARDWIRE_MESSAGES", "8")
    run("serve", "--config", str(file))
    monkeypatch.setenv("BOARDWIRE_CONFIG", str(file))
    run("serve", "--messages", "9")
    assert [(settings.host, settings.messages) for settings in served] == [("file", 8), ("file", 9)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--listen", "chess-lines=0"], "there is no dialect called 'chess-lines'; there are tris-lines"),
        (["--listen", "tris-lines"], "--listen 'tris-lines' is not DIALECT=PORT"),
        (["--listen", "tris-lines=x"], "'x' is not a port from 0 to 65535"),
        (["--http", "65536"], "'65536' is not a port from 0 to 65535"),
        (["--per-address", "-1"], "per_address"),
        (["--config", "/nowhere.toml"], "cannot read /nowhere.toml: No such file or directory"),
    ],
)
def test_a_server_that_is_asked_wrongly_does_not_start(
    run: Run, served: list[Settings], arguments: list[str], words: str
) -> None:
    code, _, err = run("serve", *arguments)
    assert code == 2
    assert err.startswith("boardwire: ")
    assert words in err
    assert err.count("\n") == 1
    assert served == []


def test_an_unknown_log_level_is_refused(run: Run) -> None:
    code, _, err = run("serve", "--log", "loud", "--data", ":memory:")
    assert (code, err) == (2, "boardwire: there is no log level 'loud'; there are debug, info, warning, error\n")


# --- the rest -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tris", "--dialect", "x", "--connect", "h:1"], "there is no dialect called 'x'"),
        (["chess", "--dialect", "tris-lines", "--connect", "h:1"], "there is no game called 'chess'"),
        (["tris", "--dialect", "tris-lines", "--connect", "7002"], "'7002' is not HOST:PORT"),
        (["tris", "--dialect", "tris-lines", "--connect", "h:x"], "'x' is not a port"),
    ],
)
def test_a_match_that_is_asked_for_wrongly_is_not_played(run: Run, arguments: list[str], words: str) -> None:
    code, _, err = run("play", *arguments)
    assert code == 2
    assert words in err


def test_a_dialect_of_another_game_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "NAMES", ("tris", "santorini"))
    code, _, err = run("play", "santorini", "--dialect", "tris-lines", "--connect", "h:1")
    assert (code, err) == (2, "boardwire: tris-lines is a protocol for tris, not for santorini\n")


@pytest.mark.parametrize("host", ["127.0.0.1", ""])
def test_a_server_that_is_not_there_is_said(run: Run, host: str) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        code, _, err = run("play", "tris", "--dialect", "tris-lines", "--connect", f"{host}:{port}")
    assert (code, err) == (1, f"boardwire: cannot connect to 127.0.0.1:{port}: Connection refused\n")


def test_a_host_that_nobody_knows_is_said(run: Run) -> None:
    code, _, err = run("play", "tris", "--dialect", "tris-lines", "--connect", "no.such.host.invalid:1")
    assert code == 1
    assert err.startswith("boardwire: cannot connect to no.such.host.invalid:1: ")


def test_an_IPv6_address_stands_in_brackets() -> None:
    assert cli._address("[::1]:7002") == ("::1", 7002)


def test_matches_of_a_directory_without_any_are_refused(run: Run, tmp_path: Path) -> None:
    assert run("matches", "--data", str(tmp_path)) == (1, "", f"boardwire: there are no matches in {tmp_path}\n")
    assert run("replay", "x", "--data", str(tmp_path))[0] == 1


def test_a_server_in_memory_has_no_matches_to_list(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDWIRE_DATA", ":memory:")
    code, _, err = run("matches")
    assert code == 2
    assert "keeps no matches" in err


def test_an_interrupt_is_130(run: Run, monkeypatch: pytest.MonkeyPatch, served: list[Settings]) -> None:
    def interrupted(settings: Settings) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(node, "run", interrupted)
    assert run("serve") == (130, "", "")
