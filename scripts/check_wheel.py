"""Test wheels as users run them: `python scripts/check_wheel.py WHEEL ...`.

Each wheel is installed into a new environment without other programs such as Node or a compiler. There it must serve
the page, play a match over three dialects, pass `check`, print its documents and stop. This script imports the standard
library only, and runs on Linux, macOS and Windows.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any, Final
from urllib.request import urlopen

SECONDS: Final = 120
"""Time limit of each step, for a slow and busy machine."""
MAX_WHEEL_BYTES: Final = 6_000_000
MAX_INSTALLED_BYTES: Final = 25_000_000
"""Limit of the installed size of boardwire with its bytecode, without its requirements."""
THREE_DIALECTS: Final = ("santorini-objects", "santorini-actions", "santorini-lobby")
IS_WINDOWS: Final = os.name == "nt"


class Environment:
    """A virtual environment with boardwire from a wheel, and its requirements."""

    def __init__(self, wheel: Path, folder: Path) -> None:
        self.folder = folder / "venv"
        self._programs = self.folder / ("Scripts" if IS_WINDOWS else "bin")
        subprocess.run([sys.executable, "-m", "venv", str(self.folder)], check=True)
        pip = (str(self._programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        subprocess.run([*pip, str(wheel.resolve())], check=True)
        self.command = [str(self._programs / "boardwire")]
        ours = ("BOARDWIRE_", "PYTHON", "VIRTUAL_ENV", "PATH")
        self.variables = {key: value for key, value in os.environ.items() if not key.upper().startswith(ours)}
        self.variables["PATH"] = str(folder / "nothing")

    def size(self, *packages: str) -> int:
        """Return the size of packages with their bytecode, by default of all except pip and setuptools."""
        (folder,) = self.folder.rglob("site-packages")
        tools = ("pip", "setuptools", "pkg_resources", "_distutils_hack", "distutils-precedence.pth")
        installed = [path for path in folder.iterdir() if not path.name.startswith(tools)]
        if packages:
            installed = [path for path in installed if path.name in packages]
        files = [
            file for path in installed for file in (path.rglob("*") if path.is_dir() else [path]) if file.is_file()
        ]
        return sum(file.stat().st_size for file in files)

    def run(self, *arguments: str) -> str:
        """Run a command, which must succeed, and return its output."""
        process = self.start(*arguments)
        try:
            printed, errors = process.communicate(timeout=SECONDS)
        finally:
            process.kill()
        _require(process.returncode == 0, f"boardwire {' '.join(arguments)}: {printed}{errors}")
        return printed

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start a command; on Windows in a new process group, so that it can be interrupted alone."""
        return subprocess.Popen(
            [*self.command, *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8", env=self.variables,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )  # fmt: skip

    @contextmanager
    def serving(self, *arguments: str) -> Iterator[dict[str, str]]:
        """Run a server and yield its addresses; when interrupted at the end, it must stop without logging an error."""
        with self.start("serve", *arguments) as process:
            try:
                addresses: dict[str, str] = {}
                assert process.stdout is not None
                for line in process.stdout:
                    if line == "ready\n":
                        break
                    _, name, addresses[name] = line.split()
                yield addresses
                process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", signal.SIGTERM))
                _, log = process.communicate(timeout=SECONDS)
                _require(process.returncode == 0, f"the server ended with exit code {process.returncode}: {log}")
                _require('"error"' not in log, log)
            finally:
                process.kill()


def check_sizes(wheel: Path, installed: Environment) -> str:
    """Check the sizes of the wheel and of the installation."""
    bytes_, own, all_ = wheel.stat().st_size, installed.size("boardwire"), installed.size()
    _require(bytes_ < MAX_WHEEL_BYTES, f"the wheel has {bytes_} bytes; the limit is {MAX_WHEEL_BYTES}")
    _require(own < MAX_INSTALLED_BYTES, f"boardwire has {own} bytes; the limit is {MAX_INSTALLED_BYTES}")
    return f"{bytes_ / 1e6:.1f} MB, installed {own / 1e6:.1f} MB, with requirements {all_ / 1e6:.1f} MB"


def check_commands(installed: Environment) -> str:
    """Check that the installed program prints its version, help and documents; return the version."""
    version = installed.run("--version").strip()
    _require("boardwire serve" in installed.run(), "the help without arguments does not name `boardwire serve`")
    _require(installed.run("docs", "tris-lines").startswith("# tris-lines"), "the specifications are missing")
    return version


def check_page(address: str) -> str:
    """Check that the page and the files that it loads first are served."""
    text = _fetch(f"http://{address}/").decode()
    parts = re.findall(r'(?:src|href)="([^"]+\.(?:js|css))"', text)
    _require(bool(parts), "the page loads no script")
    total = len(text) + sum(len(_fetch(f"http://{address}/{part.lstrip('./')}")) for part in parts)
    return f"{1 + len(parts)} files, {total / 1e3:.0f} kB"


def check_match(installed: Environment, addresses: dict[str, str]) -> str:
    """Play a match between bots over three dialects at one table."""
    bots = [
        installed.start("bot", "santorini", "--dialect", name, "--connect", addresses[name], "--players", "3")
        for name in THREE_DIALECTS
    ]
    try:
        for name, bot in zip(THREE_DIALECTS, bots, strict=True):
            _, errors = bot.communicate(timeout=SECONDS)
            _require(bot.returncode == 0, f"the bot over {name} ended with {bot.returncode}: {errors}")
    finally:
        for bot in bots:
            bot.kill()
    return ", ".join(THREE_DIALECTS)


def check_server(installed: Environment, address: str) -> str:
    """Let `boardwire check` examine the server."""
    lines = installed.run("check", "tris-lines", address, "--json", "--wait", "10").splitlines()
    findings: list[dict[str, Any]] = [json.loads(line) for line in lines]
    failed = [finding for finding in findings if finding["verdict"] != "pass"]
    _require(bool(findings) and not failed, f"check: {failed}")
    return f"{len(findings)} checks passed"


def check_journal(installed: Environment, data: tuple[str, ...]) -> str:
    """Check that the match over three dialects was stored."""
    matches = [json.loads(line) for line in installed.run("matches", *data, "--json").splitlines()]
    matching = [match for match in matches if set(match["dialects"]) == set(THREE_DIALECTS)]
    _require(len(matching) == 1 and matching[0]["status"] == "over", f"matches: {matches}")
    return f"{len(matches)} matches"


def check(wheel: Path) -> None:
    """Check a wheel and print a line for every step; exit with code 1 if a step fails."""
    print(wheel.name, flush=True)
    started = monotonic()

    def report(step: str, result: str) -> None:
        print(f"  {step:9} {result} ({monotonic() - started:.0f} s)", flush=True)

    with tempfile.TemporaryDirectory() as scratch:
        installed = Environment(wheel, Path(scratch))
        report("commands", check_commands(installed))
        report("sizes", check_sizes(wheel, installed))
        data = ("--data", str(Path(scratch, "data")))
        listen = (f"--listen={name}=0" for name in ("tris-lines", *THREE_DIALECTS))
        with installed.serving(*data, "--http", "0", *listen) as addresses:
            report("page", check_page(addresses["http"]))
            report("match", check_match(installed, addresses))
            report("check", check_server(installed, addresses["tris-lines"]))
        report("journal", check_journal(installed, data))


def _fetch(url: str) -> bytes:
    with urlopen(url, timeout=SECONDS) as answer:
        body: bytes = answer.read()
        return body


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise SystemExit(otherwise)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    for name in sys.argv[1:]:
        check(Path(name))
