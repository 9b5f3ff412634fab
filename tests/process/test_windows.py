"""Every command on a system without POSIX: `windows/sitecustomize.py` hides what Windows does not have."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from boardwire.commands.app import app

SECONDS = 60
WITHOUT = Path(__file__).parent / "windows"
ENVIRONMENT = {
    **{key: value for key, value in os.environ.items() if not key.startswith("BOARDWIRE_")},
    "PYTHONPATH": str(WITHOUT),
}
COMMAND = (sys.executable, "-m", "boardwire")
COMMANDS = sorted(name for name in app if not name.startswith("-"))

POSITION = "0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2"


def boardwire(*arguments: str, code: int = 0) -> str:
    """Run a command; return what it printed."""
    done = subprocess.run(
        [*COMMAND, *arguments], capture_output=True, text=True, timeout=SECONDS, env=ENVIRONMENT, check=False
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


@contextmanager
def running(*arguments: str) -> Iterator[dict[str, str]]:
    """Run a command that listens until it is interrupted; yield the addresses that it prints."""
    with subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    ) as process:
        try:
            addresses: dict[str, str] = {}
            assert process.stdout is not None
            for line in process.stdout:
                if line.startswith("ready"):
                    break
                _, name, address = line.split()[:3]
                addresses[name] = address
            else:
                raise AssertionError(process.communicate()[1])
            yield addresses
            process.send_signal(signal.SIGINT)
            _, log = process.communicate(timeout=SECONDS)
            assert process.returncode == 0
            assert "Traceback" not in log
        finally:
            process.kill()


@contextmanager
def serving(data: Path) -> Iterator[dict[str, str]]:
    ports = (f"--listen={name}=0" for name in ("tris-lines", "forza-lines", "eriantys-messages", "eriantys-objects"))
    with running("serve", "--data", str(data), "--http", "0", *ports) as addresses:
        yield addresses


def bots(game: str, dialect: str, address: str, *flags: str) -> None:
    """Let two bots play a match."""
    command = (*COMMAND, "bot", game, "--dialect", dialect, "--connect", address, *flags)
    with subprocess.Popen([*command, "--name", "ann"], env=ENVIRONMENT, stdout=subprocess.PIPE) as first:
        try:
            boardwire(*command[3:], "--name", "ben")
            assert first.wait(SECONDS) == 0
        finally:
            first.kill()


def test_hidden_modules_cannot_be_imported() -> None:
    done = subprocess.run([sys.executable, "-c", "import fcntl"], capture_output=True, env=ENVIRONMENT, check=False)
    assert b"ModuleNotFoundError" in done.stderr


IMPORT_ALL = """
import importlib, pkgutil, boardwire

for module in pkgutil.walk_packages(boardwire.__path__, "boardwire.", onerror=lambda name: None):
    parts = set(module.name.split("."))
    if not parts & {"__main__", "_built", "app"}:
        importlib.import_module(module.name)
"""


def test_every_module_can_be_imported() -> None:
    # But for the full-screen client: textual chooses its own modules by `sys.platform`, which stays Linux here.
    command = [sys.executable, "-c", IMPORT_ALL]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, env=ENVIRONMENT, check=False)
    assert done.returncode == 0, done.stderr


HELP_ALL = """
import sys
from boardwire.cli import main

for command in sys.argv[1:]:
    try:
        main([command, "--help"])
    except SystemExit as ended:
        if ended.code:
            raise SystemExit(f"{command} ends with {ended.code}")
"""


def test_every_command_shows_its_help() -> None:
    command = [sys.executable, "-c", HELP_ALL, *COMMANDS]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, env=ENVIRONMENT, check=False)
    assert done.returncode == 0, done.stderr
    for name in COMMANDS:
        assert f"Usage: boardwire {name}" in done.stdout


def test_a_server_serves_stores_and_stops(tmp_path: Path) -> None:
    with serving(tmp_path) as addresses:
        assert "another boardwire process has" in boardwire("serve", "--data", str(tmp_path), "--http", "off", code=1)
        bots("tris", "tris-lines", addresses["tris-lines"])
        bots("forza", "forza-lines", addresses["forza-lines"], "--bot", "search", "--level", "1")
        bots("tris", "native", addresses["http"])
        checked = boardwire("check", "tris-lines", addresses["tris-lines"], "--only", "win", "--wait", "10")
        assert "pass" in checked
        typed = subprocess.run(
            [*COMMAND, "play", "tris", "--dialect", "native", "--connect", addresses["http"], "--set", "bots=,greedy"],
            input="0\n1\n2\n3\n4\n5\n6\n7\n8\n" * 2, capture_output=True, text=True, timeout=SECONDS, env=ENVIRONMENT,
            check=False,
        )  # fmt: skip
        assert typed.returncode == 0, typed.stderr
    matches = boardwire("matches", "--data", str(tmp_path))
    assert matches.count("tris") >= 2
    assert "forza" in matches
    assert "acted" in boardwire("replay", matches.split()[0], "--data", str(tmp_path), "--json")


def test_proxies_and_adapters_relay_a_match(tmp_path: Path) -> None:
    with serving(tmp_path) as addresses:
        with running("proxy", "tris-lines", "--listen", "0", "--connect", addresses["tris-lines"]) as proxy:
            bots("tris", "tris-lines", proxy["tris-lines"])
        server = addresses["eriantys-objects"]
        adapting = ("adapt", "--from", "eriantys-messages", "--listen", "0", "--to", "eriantys-objects", server)
        with running(*adapting) as adapter:
            bots("eriantys", "eriantys-messages", adapter["eriantys-messages"])


def test_clients_are_checked(tmp_path: Path) -> None:
    client = f"{sys.executable} -m boardwire bot tris --dialect tris-lines --connect {{host}}:{{port}}"
    assert "pass" in boardwire("check-client", "tris-lines", "--run", client, "--only", "one byte at a time")


def test_bots_search_without_process_groups_and_alarms() -> None:
    assert '"turn"' in boardwire("analyse", POSITION, "--json", "--nodes", "50")
