"""What a user could pick instead of boardwire, each with a Tris room, installed and started by itself.

Colyseus and boardgame.io come from npm, picows from PyPI, in the versions named here, into the cache outside the
repository; nothing that they bring is run while they are installed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.hotloop import cache

HERE: Final = Path(__file__).parent
PICOWS: Final = ("picows==2.3.1", "msgspec>=0.20,<1", "uvloop>=0.21,<1")
NODE: Final = {"colyseus": ("colyseus", "tris.mjs"), "boardgame.io": ("boardgame.io", "tris.cjs")}
"""The folder of each, and its program."""


class NotInstalled(Exception):
    """A rival that cannot be measured here; the words say why."""


def command(rival: str) -> list[str]:
    """What starts it, after it has been installed."""
    return _room() if rival == "room" else _node(*NODE[rival])


def _room() -> list[str]:
    """The bare room in a virtual environment of its own."""
    home = cache() / PICOWS[0]
    python = home / "bin/python"
    if not (home / "ready").exists():
        _run([sys.executable, "-m", "venv", str(home)])
        _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *PICOWS])
        (home / "ready").touch()
    return [str(python), str(HERE / "room.py")]


def _node(folder: str, program: str) -> list[str]:
    """A Node program beside what its package.json names."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise NotInstalled("node and npm are not installed")
    home = cache() / folder
    wanted = (HERE / folder / "package.json").read_text()
    installed = home / "ready"
    if not installed.exists() or installed.read_text() != wanted:
        home.mkdir(parents=True, exist_ok=True)
        (home / "package.json").write_text(wanted)
        quiet = ["--no-fund", "--no-audit", "--no-package-lock", "--loglevel=error"]
        _run([npm, "install", "--ignore-scripts", *quiet], home)
        installed.write_text(wanted)
    shutil.copy(HERE / folder / program, home / program)  # Node looks for packages beside the program
    return [node, str(home / program)]


def _run(arguments: list[str], where: Path | None = None) -> None:
    try:
        subprocess.run(arguments, cwd=where, check=True, stdout=sys.stderr, timeout=600)
    except (OSError, subprocess.SubprocessError) as problem:
        raise NotInstalled(f"could not be installed: {problem}") from problem
