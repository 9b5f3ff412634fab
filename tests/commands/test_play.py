"""`boardwire play`: which client starts, and where it connects to."""

from __future__ import annotations

import io
import subprocess
import sys
from typing import Any

import pytest

from boardwire import dialects
from boardwire.commands import play as command
from boardwire.dialects.dialect import ClientOptions, Dialect
from boardwire.errors import Malformed
from boardwire.terminal import app
from boardwire.terminal import play as line_client
from boardwire.terminal.app.app import TerminalApp
from boardwire.terminal.app.servers import Server


class Started:
    """Which client was started, and how."""

    def __init__(self) -> None:
        self.plain: tuple[str, str, str, int, ClientOptions] | None = None
        self.full: dict[str, Any] | None = None


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    found = Started()

    def run(game: str, dialect: Dialect, host: str, port: int, seating: ClientOptions) -> None:
        found.plain = game, dialect.name, host, port, seating

    class Client(TerminalApp):
        def __init__(self, server: Server, **settings: Any) -> None:
            super().__init__(server, **settings)
            found.full = {"server": server, **settings}

        def run(self, **_: Any) -> None: ...

    monkeypatch.setattr(line_client, "run", run)
    monkeypatch.setattr("boardwire.terminal.app.app.TerminalApp", Client)
    monkeypatch.setenv("USER", "ada")
    return found


@pytest.fixture
def at_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_is_terminal", lambda: True)


@pytest.mark.usefixtures("at_terminal")
def test_without_arguments_the_full_screen_client_opens_on_this_machine(started: Started) -> None:
    command.play()
    assert started.full == {
        "server": Server("127.0.0.1", 7070),
        "name": "ada",
        "dialect": "native",
        "seating": None,
        "token": "",
    }


@pytest.mark.usefixtures("at_terminal")
def test_a_game_leads_to_a_table_at_once(started: Started) -> None:
    command.play("forza", name="Bob", settings=["bots=,search:3"])
    assert started.full is not None
    assert started.full["seating"] == ClientOptions("Bob", 2, {"game": "forza", "bots": ",search:3"})


@pytest.mark.usefixtures("at_terminal")
def test_a_dialect_has_its_game_and_its_default_port(started: Started) -> None:
    command.play(dialect="eriantys-messages", settings=["mode=expert"])
    assert started.full is not None
    assert started.full["server"] == Server("127.0.0.1", 7001)
    assert started.full["seating"] == ClientOptions("ada", 2, {"mode": "expert"})


@pytest.mark.usefixtures("at_terminal")
def test_a_token_needs_no_game(started: Started) -> None:
    command.play(connect="10.0.0.1:80", settings=["token=secret"])
    assert started.full is not None
    assert (started.full["server"], started.full["token"]) == (Server("10.0.0.1", 80), "secret")
    assert started.full["seating"] is None
    with pytest.raises(Malformed, match="--set private needs a game"):
        command.play(settings=["private=yes"])


@pytest.mark.usefixtures("at_terminal")
def test_plain_is_the_line_client(started: Started) -> None:
    command.play("tris", plain=True)
    assert started.full is None
    assert started.plain == ("tris", "native", "127.0.0.1", 7070, ClientOptions("ada", 2, {"game": "tris"}))


@pytest.mark.usefixtures("at_terminal")
def test_without_textual_the_line_client_starts_and_says_how_to_get_the_other(
    started: Started, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(app, "is_available", lambda: False)
    command.play("tris")
    assert started.plain is not None
    assert started.plain[0] == "tris"
    assert "pip install 'boardwire[tui]'" in capsys.readouterr().err


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.usefixtures("at_terminal")
def test_the_line_client_asks_for_the_game(
    started: Started, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", Terminal("Forza\n"))
    command.play(plain=True)
    assert started.plain is not None
    assert started.plain[0] == "forza"
    assert "Which game:" in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", Terminal("chess\n"))
    with pytest.raises(Malformed, match="no game called 'chess'"):
        command.play(plain=True)


def test_a_pipe_is_the_line_client_and_must_name_the_game(started: Started, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("forza\n4\n"))
    with pytest.raises(Malformed, match="no game was given"):
        command.play()
    command.play("tris")
    assert started.plain is not None
    assert started.plain[0] == "tris"


def test_a_dumb_terminal_is_not_drawn_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(f"sys.{name}", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    assert command._is_terminal()
    monkeypatch.setenv("TERM", "dumb")
    assert not command._is_terminal()


def test_help_names_every_setting_of_every_dialect() -> None:
    text = command.play.__doc__ or ""
    for name in dialects.PROTOCOLS:
        settings = dialects.dialect(name).settings
        if settings:
            assert name in text, name
        for setting, values in settings.items():
            assert setting in text, (name, setting)
            for value in values:
                assert value in text, (name, setting, value)


@pytest.mark.parametrize("arguments", [["--version"], ["play", "--help"]])
def test_textual_is_imported_only_to_play(arguments: list[str]) -> None:
    code = (
        "import sys; from boardwire.cli import main\n"
        f"try: main({arguments!r})\n"
        "finally: sys.exit(any(name.partition('.')[0] == 'textual' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, check=False).returncode == 0


def test_the_client_needs_no_posix_module() -> None:
    code = (
        "import sys\n"
        "for name in ('fcntl', 'resource', 'uvloop', 'pwd', 'grp'): sys.modules[name] = None\n"
        "import boardwire.terminal.app.app, boardwire.terminal.app.replay_screen, boardwire.terminal.app.help_screen\n"
        "import boardwire.terminal.app.find_form, boardwire.terminal.app.matches_screen\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
