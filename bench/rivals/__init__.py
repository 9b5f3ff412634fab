"""Install and start the servers that boardwire is compared with, each with a Tris room.

- Colyseus and boardgame.io come from npm, picows from PyPI, in their newest releases.
- They are installed into the cache outside the repository, and again after a week.
- npm runs without install scripts, so that its packages run no code during the installation.
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
"""Folder and program of each Node server."""
NODE_PACKAGES: Final = {"colyseus": "@colyseus/core", "boardgame.io": "boardgame.io"}
"""Package whose version is reported for each Node server."""
MAX_AGE_SECONDS: Final = 7 * 24 * 3600.0
"""Age after which an installation is replaced by the newest release."""


class NotInstalledError(Exception):
    """A server cannot be installed; the message gives the reason."""


def command(rival: str) -> list[str]:
    """Install a server if necessary and return the command that starts it."""
    return _room() if rival == "room" else _node(*NODE[rival])


def version(rival: str) -> str:
    """Return the installed release and the version of its runtime."""
    if rival == "room":
        home = cache() / "room"
        found = sorted(home.glob("lib/python*/site-packages/picows-*.dist-info"))
        return f"picows {found[-1].name.split('-')[1].removesuffix('.dist')}, Python {sys.version.split()[0]}"
    package = cache() / NODE[rival][0] / "node_modules" / NODE_PACKAGES[rival] / "package.json"
    node = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return f"{rival} {json.loads(package.read_text())['version']}, Node {node.removeprefix('v')}"


def _room() -> list[str]:
    """Install the bare room into a virtual environment of the running Python."""
    home = cache() / "room"
    python = home / "bin/python"
    if not _is_fresh(home, sys.version):
        _run([sys.executable, "-m", "venv", "--clear", str(home)])
        _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PYTHON_PACKAGES])
        (home / "ready").write_text(sys.version)
    return [str(python), str(HERE / "room.py")]


def _node(folder: str, program: str) -> list[str]:
    """Install a Node program and the packages of its package.json."""
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
    shutil.copy(HERE / folder / program, home / program)  # Node resolves packages relative to the program
    return [node, str(home / program)]


def _is_fresh(home: Path, wanted: str) -> bool:
    """Return whether `home` has a recent installation of `wanted`."""
    ready = home / "ready"
    return ready.exists() and ready.read_text() == wanted and time.time() - ready.stat().st_mtime < MAX_AGE_SECONDS


def _run(arguments: list[str], directory: Path | None = None) -> None:
    try:
        subprocess.run(arguments, cwd=directory, check=True, stdout=sys.stderr, timeout=600)
    except (OSError, subprocess.SubprocessError) as problem:
        raise NotInstalledError(f"installation failed: {problem}") from problem
