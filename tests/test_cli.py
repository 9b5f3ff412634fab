"""The command line run in this process: output and exit codes.  tests/process runs it as a program."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import structlog

from boardwire import __version__, cli, config, dialects, games, node
from boardwire import logs as logging
from boardwire.commands.app import app
from boardwire.commands.arguments import parse_address
from boardwire.config import Settings
from boardwire.conformance.client import examiner
from boardwire.conformance.server import runner
from boardwire.conformance.server.check import CheckResult, Verdict
from boardwire.dialects.dialect import ClientOptions
from boardwire.games.game import Outcome
from boardwire.net.connections import ConnectionLimits
from boardwire.store.sqlite import SqliteJournal
from boardwire.table.events import Ended, Event, Opened
from boardwire.table.policy import Policy
from boardwire.wire.forwarded import ProxyHeader

COMMANDS = (
    "serve", "play", "bot", "check", "check-client", "proxy", "adapt", "analyse", "rules", "perft", "matches", "replay",
    "migrate", "docs",
)  # fmt: skip

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Runs the command line; returns the exit code, standard output and standard error."""
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
    """Settings that servers would have been started with."""
    started: list[Settings] = []
    monkeypatch.setattr(node, "run", started.append)
    monkeypatch.setattr(logging, "configure", lambda level: None)
    return started


def test_help_lists_every_command(run: Run) -> None:
    code, out, _ = run("--help")
    assert code == 0
    for command in COMMANDS:
        assert f" {command} " in out
    assert run()[:2] == (code, out), "no command: the same help"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_for_every_parameter(run: Run, command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    arguments = app[command].assemble_argument_collection(parse_docstring=True)
    assert arguments
    for argument in arguments:
        assert argument.name in out
        assert argument.parameter.help


@pytest.mark.parametrize(
    ("compiled", "expected"), [("", "all"), ("bots/forza", "bots/forza/core"), ("no such package", "nothing")]
)
def test_the_version_lists_the_compiled_packages(
    run: Run, monkeypatch: pytest.MonkeyPatch, compiled: str, expected: str
) -> None:
    monkeypatch.setattr("boardwire.commands.version.is_compiled", lambda package: compiled in package)
    assert run("--version") == (0, f"{__version__} (compiled: {expected})\n", "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["frobnicate"], "frobnicate"),
        (["serve", "--frobnicate"], "frobnicate"),
        (["serve", "--messages", "many"], "messages"),
        (["serve", "--listen"], "listen"),
        (["play", "tris", "--dialect", "klingon"], "klingon"),
        (["replay"], "match"),
    ],
)
def test_wrong_usage_is_named_and_exits_with_2(run: Run, arguments: list[str], words: str) -> None:
    code, out, err = run(*arguments)
    assert code == 2
    assert words in err.lower()
    assert out == ""


@pytest.mark.parametrize(
    ("arguments", "most", "never"),
    [
        (["--version"], 150, {"cyclopts", "rich", "asyncio", "psycopg", "boardwire.commands.app", "boardwire.config"}),
        (["--help"], 400, {"asyncio", "psycopg", "starlette", "structlog", "boardwire.config", "boardwire.games"}),
        (["serve", "--help"], 1000, {"psycopg"}),
        (["matches", "--help"], 1000, {"psycopg"}),
    ],
)
def test_commands_import_little(arguments: list[str], most: int, never: set[str]) -> None:
    script = f"""
import atexit, sys
atexit.register(lambda: print(len(sys.modules), *sys.modules, file=sys.stderr))
from boardwire.cli import main
main({arguments})
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    count, *modules = run.stderr.split()
    assert int(count) <= most, "what takes CPU time here is imported by every command"
    assert not never & set(modules)


# --- serve ----------------------------------------------------------------------------------------------------------


def test_the_help_of_serve_describes_every_setting_with_its_default(run: Run) -> None:
    code, out, _ = run("serve", "--help")
    told = " ".join(out.replace("│", " ").split())
    assert code == 0
    for setting in config.SETTINGS.values():
        words = f"{setting.kind.shape} {setting.description}".replace("`", "").strip()
        assert f"{setting.flag} {words}{f' [default: {setting.default_text}]' if setting.default_text else ''}" in told
    assert "--messages NUMBER Messages a second" in told
    assert "0: no limit. [default: 2000]" in told


def test_every_setting_is_a_flag(run: Run, served: list[Settings]) -> None:
    flags = {
        "host": "::1", "data": ":memory:", "http": "8081", "log": "error", "per_address": 1, "messages": 2,
        "unsent": 3, "idle": 4.5, "linger": 5.5, "fill": 6.5, "leaving": "skips", "grace": 8.5, "per_move": 9.5,
        "seat_ports": "20000-20010", "matches": 7, "held": 8,
        "bot_matches": 9, "bot": "search:3", "bots": "bots.toml", "thinkers": 1, "programs": "p.toml",
         "store": "postgresql://ann@localhost/games",
        "bus": "nats://localhost:4222", "bus_ca": "ca.pem", "node": "north-1", "inspect_token": "only-for-operators",
        "tournaments": "players", "mail_server": "mail.example", "mail_tls": "tls", "mail_ca": "mail.pem",
        "mail_user": "games", "mail_password": "secret", "mail_from": "games@example.org",
        "mail_site": "https://games.example",
    }  # fmt: skip
    spelled = [word for name, value in flags.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    code, _, err = run("serve", *spelled, "--listen", "tris-lines=0", "--listen", "tris-lines=3000", "--own-tables",
                       "--inspect", "--public-host", "a.example", "--public-host", "b.example",
                       "--webhook-network", "10.0.0.0/8",
                       "--trusted-proxy", "127.0.0.1", "--trusted-proxy", "10.0.0.0/8",
                       "--proxy-header", "forwarded")  # fmt: skip
    assert (code, err) == (0, "")
    (settings,) = served
    wanted = {**flags, "listen": ("tris-lines=0", "tris-lines=3000"), "own_tables": True,
              "inspect": True, "public_host": ("a.example", "b.example"),
              "trusted_proxy": ("127.0.0.1", "10.0.0.0/8"), "webhook_network": ("10.0.0.0/8",),
              "proxy_header": ProxyHeader.FORWARDED}  # fmt: skip
    assert msgspec.structs.asdict(settings) == wanted
    assert settings.limits == ConnectionLimits(1, 2, ConnectionLimits().waiting, 3, 4.5, 5.5)


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
        (["--listen", "chess-lines=0"], "there is no dialect called 'chess-lines'; the dialects are "),
        (["--listen", "tris-lines"], "--listen 'tris-lines' is not DIALECT=PORT"),
        (["--listen", "tris-lines=x"], "'x' is not a port from 0 to 65535"),
        (["--http", "65536"], "'65536' is not a port from 0 to 65535"),
        (["--listen", "native=0"], "uses the HTTP port; use --http PORT"),
        (["--host", ""], "--host is empty"),
        (["--per-address", "-1"], "--per-address '-1' is not a whole number, 0 or more"),
        (["--config", "/nowhere.toml"], "cannot read /nowhere.toml: No such file or directory"),
    ],
)
def test_serve_with_a_wrong_flag_does_not_start(
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
    assert (code, err) == (2, "boardwire: unknown log level 'loud'; use debug, info, warning or error\n")


# --- the rest -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tris", "--dialect", "x", "--connect", "h:1"], "there is no dialect called 'x'"),
        (["chess", "--dialect", "tris-lines", "--connect", "h:1"], "there is no game called 'chess'"),
        (["tris", "--dialect", "tris-lines", "--connect", "7002"], "'7002' is not HOST:PORT"),
        (["tris", "--dialect", "tris-lines", "--connect", "h:x"], "'x' is not a port"),
        (["tris", "--dialect", "tris-lines", "--connect", "h:1", "--set", "mode"], "'mode' is not KEY=VALUE"),
        (["tris", "--dialect", "tris-lines", "--connect", "h:1", "--set", "=1"], "'=1' is not KEY=VALUE"),
    ],
)
def test_play_with_a_wrong_argument_exits_with_2(run: Run, arguments: list[str], words: str) -> None:
    code, _, err = run("play", *arguments)
    assert code == 2
    assert words in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "x", "h:1"], "there is no dialect called 'x'"),
        (["rules", "chess"], "there is no game called 'chess'"),
        (["rules", "santorini", "zeuss"], "santorini has no card called 'zeuss'; did you mean Zeus?"),
        (["rules", "tris", "zeus"], "tris has no cards"),
    ],
)
def test_an_unknown_name_exits_with_2(run: Run, arguments: list[str], words: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert words in err


def test_settings_of_a_protocol_reach_its_client(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    seated: list[object] = []
    monkeypatch.setattr("boardwire.terminal.play.run", lambda *asked: seated.append(asked[-1]))
    asked = "eriantys --dialect eriantys-messages --connect h:1 --players 3 --set mode=expert --set tower=grey"
    assert run("play", *asked.split())[0] == 0
    assert seated == [ClientOptions("player", 3, {"mode": "expert", "tower": "grey"})]


def test_a_dialect_with_several_games_gets_the_game_as_a_setting(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    played: list[object] = []
    monkeypatch.setattr("boardwire.terminal.play.run", lambda *asked: played.append((asked[0], asked[-1])))
    assert run("play", *["tris", "--dialect", "native", "--connect", "h:1", "--set", "bots=,greedy"])[0] == 0
    assert played == [("tris", ClientOptions("player", 2, {"game": "tris", "bots": ",greedy"}))]


def test_a_dialect_of_another_game_is_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "NAMES", ("tris", "santorini"))
    code, _, err = run("play", "santorini", "--dialect", "tris-lines", "--connect", "h:1")
    assert (code, err) == (2, "boardwire: tris-lines is a protocol for tris, not for santorini\n")


@pytest.mark.parametrize("host", ["127.0.0.1", ""])
def test_a_refused_connection_exits_with_1(run: Run, host: str) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        code, _, err = run("play", "tris", "--dialect", "tris-lines", "--connect", f"{host}:{port}")
    assert (code, err) == (1, f"boardwire: cannot connect to 127.0.0.1:{port}: Connection refused\n")


def test_an_unknown_host_exits_with_1(run: Run) -> None:
    code, _, err = run("play", "tris", "--dialect", "tris-lines", "--connect", "no.such.host.invalid:1")
    assert code == 1
    assert err.startswith("boardwire: cannot connect to no.such.host.invalid:1: ")


def test_an_IPv6_address_may_be_in_brackets() -> None:
    assert parse_address("[::1]:7002") == ("::1", 7002)


def test_a_directory_without_matches_exits_with_1(run: Run, tmp_path: Path) -> None:
    assert run("matches", "--data", str(tmp_path)) == (1, "", f"boardwire: there are no matches in {tmp_path}\n")
    assert run("replay", "x", "--data", str(tmp_path))[0] == 1


def test_an_in_memory_server_has_no_matches_to_list(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDWIRE_DATA", ":memory:")
    code, _, err = run("matches")
    assert code == 2
    assert "stores no matches" in err


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with one match without players."""
    journal = SqliteJournal(tmp_path, lambda *_: None)  # closing it stores everything
    events: list[Event] = [Opened(1.0, "m1", "tris@1", 2, {}, Policy()), Ended(2.0, Outcome("abandoned"))]
    journal.append("m1", 1, events, lambda stored: None)
    journal.close()
    return tmp_path


def test_matches_are_listed_and_replayed(run: Run, data: Path) -> None:
    code, out, err = run("matches", "--data", str(data))
    assert (code, out, err) == (0, "m1  tris       over        0 moves  player 1 - player 2  abandoned\n", "")
    code, out, err = run("matches", "--data", str(data), "--json")
    assert (code, json.loads(out)["id"], err) == (0, "m1", "")
    code, out, err = run("replay", "m1", "--data", str(data), "--json")
    assert [json.loads(line)["event"] for line in out.splitlines()] == ["opened", "ended"]
    assert run("replay", "m2", "--data", str(data))[::2] == (1, f"boardwire: there is no match 'm2' in {data}\n")


def test_a_match_is_replayed_as_a_clients_conversation(run: Run, data: Path) -> None:
    place = ("--data", str(data))
    code, out, err = run("replay", "m1", "--as", "tris-lines", "--seat", "0", *place)
    assert (code, out, err) == (0, "# boardwire transcript: tris-lines\n", "")  # the seat was never taken
    needs = "boardwire: --as needs --seat: 0 is the first seat\n"
    assert run("replay", "m1", "--as", "tris-lines", *place)[::2] == (2, needs)
    assert run("replay", "m1", "--seat", "0", *place)[::2] == (2, "boardwire: --seat and --to need --as DIALECT\n")
    known = ", ".join(dialects.of_game("tris"))
    other = f"boardwire: forza-lines is not a dialect of tris; the dialects are {known}\n"
    assert run("replay", "m1", "--as", "forza-lines", "--seat", "0", *place)[::2] == (1, other)


def test_the_environment_names_the_data_directory(run: Run, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDWIRE_DATA", str(data))
    assert run("matches")[1].startswith("m1 ")


@pytest.mark.parametrize(("passes", "code"), [(True, 0), (False, 1)])
def test_a_failed_check_exits_with_1(run: Run, monkeypatch: pytest.MonkeyPatch, passes: bool, code: int) -> None:
    asked: list[object] = []

    def check(*arguments: object, **more: object) -> list[CheckResult]:
        asked.append((arguments, more))
        return [CheckResult("a", "A", Verdict.PASS if passes else Verdict.FAIL)]

    monkeypatch.setattr(runner, "check", check)
    assert run("check", "tris-lines", "[::1]:3000", "--wait", "0.5") == (code, "", "")
    options = {"json": False, "wait": 0.5, "restart": "", "only": "", "alone": False}
    assert asked == [(("tris-lines", "::1", 3000), options)]


@pytest.mark.parametrize(("command", "think"), [((), 60.0), (("--run", "client"), 0.5)])
def test_a_client_without_run_has_a_minute_to_answer(
    run: Run, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], think: float
) -> None:
    asked: list[Any] = []

    def check(*arguments: object, **more: object) -> list[CheckResult]:
        asked.append((arguments, more["think"]))
        return [CheckResult("a", "A", Verdict.NOT_EXAMINED)]

    monkeypatch.setattr(examiner, "check", check)
    assert run("check-client", "tris-lines", "--listen", "3000", "--wait", "0.5", *command) == (1, "", "")
    assert asked == [(("tris-lines", "127.0.0.1", 3000), think)]


def test_check_client_listens_on_a_free_port_by_default(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def check(*arguments: object, **more: object) -> list[CheckResult]:
        asked.append(arguments)
        return []

    monkeypatch.setattr(examiner, "check", check)
    assert run("check-client", "tris-lines") == (0, "", "")
    assert asked == [("tris-lines", "127.0.0.1", 0)]


@pytest.mark.parametrize("command", [("check", "tris-lines", "127.0.0.1:1"), ("check-client", "tris-lines")])
def test_an_unknown_check_exits_with_2(run: Run, command: tuple[str, ...]) -> None:
    code, out, err = run(*command, "--only", "zzz")
    assert (code, out) == (2, "")
    assert err.startswith("boardwire: --only 'zzz': no check has this in its name; the closest are: ")


def test_inspect_without_an_http_port_exits_with_2(run: Run) -> None:
    code, out, err = run("serve", "--http", "off", "--inspect")
    assert (code, out) == (2, "")
    assert err.startswith("boardwire: --inspect needs the HTTP port; remove --http off")


@pytest.mark.parametrize("wait", ["0", "-1", "nan"])
def test_a_wait_of_zero_or_less_exits_with_2(run: Run, wait: str) -> None:
    code, out, err = run("check", "tris-lines", "127.0.0.1:1", "--wait", wait)
    assert (code, out, err) == (2, "", f"boardwire: --wait {wait}: must be more than 0 seconds\n")


@pytest.mark.parametrize("game", games.NAMES)
def test_rules_fit_in_80_columns(run: Run, game: str) -> None:
    code, out, err = run("rules", game)
    assert (code, err) == (0, "")
    assert len(out.split()) > 10
    assert max(map(len, out.splitlines())) < 80


def test_the_games_are_listed(run: Run) -> None:
    code, out, err = run("rules")
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == list(games.NAMES)
    assert "Tris, for 2 players." in out


def test_perft_counts_positions(run: Run) -> None:
    code, out, err = run("perft", "0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2", "1", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["states"] > 0
    assert run("perft", "nonsense", "1")[0] == 2


def test_an_interrupt_exits_with_130(run: Run, monkeypatch: pytest.MonkeyPatch, served: list[Settings]) -> None:
    def interrupted(settings: Settings) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(node, "run", interrupted)
    assert run("serve") == (130, "", "")


# --- logs -----------------------------------------------------------------------------------------------------------


@pytest.fixture
def restored_logs() -> Iterator[None]:
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.mark.usefixtures("restored_logs")
def test_logs_are_JSON_in_a_file_and_text_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    logging.configure("info")
    structlog.get_logger("test").debug("unheard")
    structlog.get_logger("test").info("happened", connection=3)
    (line,) = capsys.readouterr().err.splitlines()
    assert json.loads(line).items() >= {"event": "happened", "level": "info", "connection": 3}.items()
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    logging.configure("DEBUG")
    structlog.get_logger("test").debug("happened", connection=3)
    out, err = capsys.readouterr()
    assert out == ""
    assert "happened" in err
    assert not err.startswith("{")


@pytest.mark.usefixtures("restored_logs")
def test_an_exception_is_logged_with_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    logging.configure("error")
    structlog.get_logger("test").error("fault", exc_info=ZeroDivisionError("a fault"))
    assert "ZeroDivisionError: a fault" in json.loads(capsys.readouterr().err)["exception"]


# --- migrate --------------------------------------------------------------------------------------------------------


def test_a_store_is_copied_and_the_copy_has_the_same_matches(run: Run, tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path / "one", lambda *_: None)
    journal.append("m1", 1, [Opened(1.0, "m1", "tris@1", 2, {}, Policy())], lambda result: None)
    journal.close()
    places = ("--from", str(tmp_path / "one"), "--to", str(tmp_path / "two"))
    assert run("migrate", *places) == (0, "copied 1 match with 1 event, and 0 analyses\n", "")
    assert run("matches", "--data", str(tmp_path / "one")) == run("matches", "--data", str(tmp_path / "two"))
    code, out, err = run("migrate", *places)
    assert (code, out) == (1, "")
    assert "two already has matches; copying needs an empty directory" in err


def test_an_unsupported_database_address_is_refused_without_printing_its_password(run: Run, tmp_path: Path) -> None:
    code, out, err = run("migrate", "--from", str(tmp_path), "--to", "mysql://ann:secret@host/games")
    assert (code, out) == (2, "")
    assert err == "boardwire: --to is not an address like postgresql://USER@HOST/NAME\n"


def test_output_that_could_not_be_printed_is_no_success() -> None:
    program = [sys.executable, "-m", "boardwire", "docs", "native"]  # more than a pipe holds
    with subprocess.Popen(program, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 1
