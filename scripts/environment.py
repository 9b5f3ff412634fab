"""Create or complete the virtual environment `.venv`: `python scripts/environment.py [GROUP ...]`.

- Without groups it installs boardwire, editable, with only the requirements of serving and playing (including the
  terminal client).
- Groups are the dependency groups of pyproject.toml (PEP 735). They are read here, because pip before 25.1 cannot.
- `dev` also installs the extras `cluster`, `mail`, `research` and `tui`, which tests and the type checker need.
- It prints each step. A stamp in `.venv` for each group tells make that the group is up to date.

It runs before any package is installed, so it imports the standard library only.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
VENV: Final = ROOT / ".venv"
PYTHON: Final = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
PROGRAM: Final = "program"
"""Stamp of the environment without groups."""
EXTRAS: Final = {PROGRAM: "[tui]", "dev": "[cluster,mail,research,tui]"}
"""Extras of boardwire that a group, or the environment without groups, needs."""


def requirements(group: str, project: dict[str, Any] | None = None) -> list[str]:
    """Return the requirements of a dependency group, including those of included groups."""
    groups = (project or tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8")))["dependency-groups"]

    def members(name: str, path: tuple[str, ...]) -> Iterator[str]:
        if name not in groups:
            raise SystemExit(f"unknown dependency group {name!r}; the groups are {', '.join(sorted(groups))}")
        if name in path:
            raise SystemExit(f"dependency groups include each other: {' -> '.join((*path, name))}")
        for entry in groups[name]:
            if isinstance(entry, str):
                yield entry
            else:
                yield from members(entry["include-group"], (*path, name))

    return list(dict.fromkeys(members(group, ())))


def stamp(group: str = PROGRAM) -> Path:
    """Return the stamp file of a group, whose modification time is that of the installation."""
    return VENV / f".{group}"


def pip(*arguments: str) -> None:
    """Run `pip install` in the environment; exit with its exit code if it fails."""
    command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments]
    done = subprocess.run(command, cwd=ROOT, check=False)
    if done.returncode != 0:
        raise SystemExit(done.returncode)


def boardwire(groups: tuple[str, ...]) -> list[str]:
    """Return pip's arguments that install boardwire, or none if it is up to date and the groups need no extra.

    A reinstallation takes 3 s of CPU, for an isolated environment in which the metadata is built.
    """
    extras = "".join(EXTRAS.get(group, "") for group in groups or (PROGRAM,))
    done, project = stamp(), ROOT / "pyproject.toml"
    is_installed = done.exists() and done.stat().st_mtime >= project.stat().st_mtime
    return [] if is_installed and not extras else ["--editable", f".{extras}"]


def install(*groups: str) -> None:
    """Create the environment if it does not exist, and install boardwire and groups."""
    started = monotonic()
    wanted = [requirement for group in groups for requirement in requirements(group)]
    if not PYTHON.exists():
        _say(f"creating a virtual environment in {VENV.name} ...")
        if subprocess.run([sys.executable, "-m", "venv", str(VENV)], check=False).returncode != 0:
            raise SystemExit(f"cannot create {VENV.name}; on Debian and Ubuntu: apt install python3-venv")
    _say(f"installing {' and '.join(groups) + ' packages' if groups else 'boardwire'} into {VENV.name} (once) ...")
    pip(*boardwire(groups), *wanted)
    for group in (PROGRAM, *groups):
        stamp(group).touch()
    _say(f"installed in {monotonic() - started:.0f} s")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    install(*sys.argv[1:])
