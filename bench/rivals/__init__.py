"""What a user could pick instead of boardwire, each with a Tris room, installed and started by itself.

Colyseus and boardgame.io come from npm, picows from PyPI, each in its newest release, into the cache outside the
repository; nothing that they bring is run while they are installed.  What was installed a week ago is installed again.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

from bench.hotloop import cache

HERE: Final = Path(__file__).parent
PYTHON_PACKAGES: Final = ("picows", "msgspec", "uvloop")
NODE: Final = {"colyseus": ("colyseus", "tris.mjs"), "boardgame.io": ("boardgame.io", "tris.cjs")}
"""The folder of each, and its program."""
NODE_PACKAGES: Final = {"colyseus": "@colyseus/core", "boardgame.io": "boardgame.io"}
"""The package whose version is each rival's."""
FRESH_SECONDS: Final = 7 * 24 * 3600.0
"""Age up to which an installation counts as the newest release."""


class NotInstalledError(Exception):
    """A rival that cannot be measured here; the words say why."""


def command(rival: str) -> list[str]:
    """What starts it, after it has been installed."""
    return _room() if rival == "room" else _node(*NODE[rival])


def version(rival: str) -> str:
    """The release that is installed, and what it runs on."""
    if rival == "room":
        home = cache() / "room"
        found = sorted(home.glob("lib/python*/site-packages/picows-*.dist-info"))
        return f"picows {found[-1].name.split('-')[1].removesuffix('.dist')}, Python {sys.version.split()[0]}"
    package = cache() / NODE[rival][0] / "node_modules" / NODE_PACKAGES[rival] / "package.json"
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return f"{rival} {json.loads(package.read_text())['version']}, Node {node.removeprefix('v')}"


def _room() -> list[str]:
    """The bare room in a virtual environment of its own, of the Python that measures."""
    home = cache() / "room"
    python = home / "bin/python"
    if not _is_fresh(home, sys.version):
        _run([sys.executable, "-m", "venv", "--clear", str(home)])
        _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PYTHON_PACKAGES])
        (home / "ready").write_text(sys.version)
    return [str(python), str(HERE / "room.py")]


def _node(folder: str, program: str) -> list[str]:
    """A Node program beside what its package.json names."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise NotInstalledError("node and npm are not installed")
    home = cache() / folder
    wanted = (HERE / folder / "package.json").read_text()
    if not _is_fresh(home, wanted):
        home.mkdir(parents=True, exist_ok=True)
        (home / "package.json").write_text(wanted)
        quiet = ["--no-fund", "--no-audit", "--no-package-lock", "--loglevel=error"]
        shutil.rmtree(home / "node_modules", ignore_errors=True)
        _run([npm, "install", "--ignore-scripts", *quiet], home)
        (home / "ready").write_text(wanted)
    shutil.copy(HERE / folder / program, home / program)  # Node looks for packages beside the program
    return [node, str(home / program)]


def _is_fresh(home: Path, wanted: str) -> bool:
    """Whether this was installed there not long ago."""
    ready = home / "ready"
    return ready.exists() and ready.read_text() == wanted and time.time() - ready.stat().st_mtime < FRESH_SECONDS


def _run(arguments: list[str], where: Path | None = None) -> None:
    try:
        subprocess.run(arguments, cwd=where, check=True, stdout=sys.stderr, timeout=600)
    except (OSError, subprocess.SubprocessError) as problem:
        raise NotInstalledError(f"could not be installed: {problem}") from problem
