"""Every command on a system without POSIX: `windows/sitecustomize.py` hides what Windows does not have."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from boardwire.commands.app import app
from boardwire.store.archive import Archive

SECONDS = 180
WITHOUT = Path(__file__).parent / "windows"
ENVIRONMENT = {
    **{key: value for key, value in os.environ.items() if not key.startswith("BOARDWIRE_")},
    "PYTHONPATH": str(WITHOUT),
}
COMMAND = (sys.executable, "-m", "boardwire")
COMMANDS = sorted(name for name in app if not name.startswith("-"))

POSITION = "0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2"


END = "end of a command"
SEQUENCE = f"""
import json, sys
from boardwire.cli import main

for arguments in json.loads(sys.argv[1]):
    try:
        main(arguments)
    except SystemExit as ended:
        print("{END}", ended.code or 0, flush=True)
"""


def start(*commands: Sequence[str]) -> subprocess.Popen[str]:
    """Start commands that run one after the other, in one interpreter: each takes 0.4 s of CPU to start."""
    return subprocess.Popen(
        [sys.executable, "-c", SEQUENCE, json.dumps(commands)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT,
    )  # fmt: skip


def finish(process: subprocess.Popen[str], *commands: Sequence[str], typed: str = "") -> list[tuple[int, str]]:
    """Wait for commands; return the exit code of each and what it printed."""
    with process:
        try:
            printed, _ = process.communicate(typed, timeout=SECONDS)
        finally:
            process.kill()
    assert "Traceback" not in printed, printed
    found = [(int(code), text) for text, code in re.findall(rf"(.*?){END} (\d+)\n", printed, re.DOTALL)]
    assert len(found) == len(commands), printed
    return found


def boardwire(*commands: Sequence[str], typed: str = "") -> list[tuple[int, str]]:
    """Run commands one after the other; return the exit code of each and what it printed."""
    return finish(start(*commands), *commands, typed=typed)


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
    ports = (f"--listen={name}=0" for name in ("tris-lines", "forza-lines", "santorini-actions"))
    with running("serve", "--data", str(data), "--http", "0", *ports) as addresses:
        yield addresses


def bots(*matches: tuple[str, str, str, *tuple[str, ...]]) -> None:
    """Let two bots play matches, each of a game over a dialect at an address, with flags."""
    commands = [("bot", game, "--dialect", dialect, "--connect", to, *flags) for game, dialect, to, *flags in matches]
    processes = [start(*((*command, "--name", name) for command in commands)) for name in ("ann", "ben")]
    try:
        for process in processes:
            assert [code for code, _ in finish(process, *commands)] == [0] * len(matches)
    finally:
        for process in processes:
            process.kill()


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


def test_every_command_shows_its_help() -> None:
    found = boardwire(*((name, "--help") for name in COMMANDS))
    for name, (code, shown) in zip(COMMANDS, found, strict=True):
        assert code == 0
        assert f"Usage: boardwire {name}" in shown


def test_a_server_serves_stores_and_stops(tmp_path: Path) -> None:
    with serving(tmp_path) as addresses:
        bots(
            ("tris", "tris-lines", addresses["tris-lines"]),
            ("forza", "forza-lines", addresses["forza-lines"], "--bot", "search", "--level", "1"),
            ("tris", "native", addresses["http"]),
        )
        (again, refusal), (checked, verdict), (played, shown) = boardwire(
            ("serve", "--data", str(tmp_path), "--http", "off"),
            ("check", "tris-lines", addresses["tris-lines"], "--only", "win", "--wait", "10"),
            ("play", "tris", "--dialect", "native", "--connect", addresses["http"], "--set", "bots=,greedy"),
            typed="0\n1\n2\n3\n4\n5\n6\n7\n8\n" * 2,
        )
    assert again == 1
    assert "another boardwire process has" in refusal
    assert checked == 0
    assert "pass" in verdict
    assert played == 0, shown
    with Archive(tmp_path) as archive:
        name = archive.names()[0]
    data = ("--data", str(tmp_path))
    (_, matches), (_, events) = boardwire(("matches", *data), ("replay", name, *data, "--json"))
    assert matches.count("tris") >= 2
    assert "forza" in matches
    assert "acted" in events


def test_proxies_and_adapters_relay_a_match(tmp_path: Path) -> None:
    with serving(tmp_path) as addresses:
        proxying = ("proxy", "tris-lines", "--listen", "0", "--connect", addresses["tris-lines"])
        server = addresses["santorini-actions"]
        adapting = ("adapt", "--from", "santorini-lobby", "--listen", "0", "--to", "santorini-actions", server)
        with running(*proxying) as proxy, running(*adapting) as adapter:
            bots(
                ("tris", "tris-lines", proxy["tris-lines"]),
                ("santorini", "santorini-lobby", adapter["santorini-lobby"]),
            )


def test_clients_are_checked(tmp_path: Path) -> None:
    client = f"{sys.executable} -m boardwire bot tris --dialect tris-lines --connect {{host}}:{{port}}"
    ((code, shown),) = boardwire(("check-client", "tris-lines", "--run", client, "--only", "one byte at a time"))
    assert code == 0
    assert "pass" in shown


def test_bots_search_without_process_groups_and_alarms() -> None:
    ((code, shown),) = boardwire(("analyse", POSITION, "--json", "--nodes", "50"))
    assert code == 0
    assert '"turn"' in shown
