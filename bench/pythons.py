"""Our server under every supported and installed Python: durable Tris with tris-lines and native.

- Pythons come from the path and from pyenv, the newest patch release of each version.
- Each gets a virtual environment in the cache with this checkout and its dependencies, except the running Python, which
  uses its own.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
from training.c_library import NoCompilerError

from bench import servers
from bench.conditions import build, is_optimised
from bench.config import RunConfig
from bench.contenders import Contender, measure, print_table
from bench.hotloop import cache, load

ROOT: Final = Path(__file__).parents[1]
SUPPORTED: Final = ("3.11", "3.12", "3.13", "3.14")
DIALECTS: Final = ("tris-lines", "native")
BUILD_SCRIPT: Final = (
    "import json, platform, sysconfig; names = ('CONFIG_ARGS', 'PGO_PROF_USE_FLAG'); "
    "print(json.dumps([platform.python_version(), {name: sysconfig.get_config_var(name) for name in names}]))"
)


def candidates(version: str) -> list[Path]:
    """Return executables named for this Python version: the one on the path, then pyenv's, newest first."""
    root = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    pyenv = sorted(root.glob(f"versions/{version}.*/bin/python{version}"), key=_numbers, reverse=True)
    found = shutil.which(f"python{version}")
    return [*([Path(found)] if found else []), *pyenv]


def _numbers(path: Path) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", path.parts[-3])]


def describe(python: Path) -> tuple[str, bool] | None:
    """Return a Python's release and whether it was built with optimisation, or None if it does not run."""
    done = subprocess.run([str(python), "-c", BUILD_SCRIPT], capture_output=True, check=False)
    if done.returncode:
        return None
    release, variables = msgspec.json.decode(done.stdout, type=tuple[str, dict[str, str | int | None]])
    return release, is_optimised(variables)


def environment(version: str, python: Path) -> Path:
    """Return the Python of a virtual environment with this checkout, which is created if it is missing or outdated."""
    if version == ".".join(map(str, sys.version_info[:2])):
        return Path(sys.executable)
    home = cache() / "pythons" / version
    ready, wanted = home / "ready", f"{python}\n{(ROOT / 'pyproject.toml').read_text()}"
    if not ready.exists() or ready.read_text() != wanted:
        subprocess.run([str(python), "-m", "venv", "--clear", str(home)], check=True)
        pip = [str(home / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--editable", str(ROOT)], check=True, stdout=sys.stderr)
        ready.write_text(wanted)
    return home / "bin/python"


def installed() -> dict[str, Path]:
    """Return the Pythons to measure by release; print each, and those that are skipped."""
    found: dict[str, Path] = {}
    for version in SUPPORTED:
        for candidate in candidates(version):
            described = describe(candidate)
            if described is None:
                continue
            try:
                python = environment(version, candidate)
            except (OSError, subprocess.SubprocessError) as problem:
                print(f"{version} skipped: {problem}")
                break
            release, optimised = describe(python) or described
            print(f"{release}: {python}, {build(optimised)}")
            found[release] = python
            break
        else:
            print(f"{version} skipped: not installed")
    print(flush=True)
    return found


def run(config: RunConfig) -> None:
    """Print a table for each number of games."""
    try:
        load()
    except NoCompilerError as problem:
        print(f"Pythons skipped: {problem}\n")
        return
    pythons = installed()
    for games in config.games:
        with tempfile.TemporaryDirectory() as data:
            found = {
                f"{dialect} {release}": Contender(
                    partial(servers.boardwire, dialect, f"{data}/{dialect}{release}", str(python)),
                    ("bench.driver", dialect),
                )
                for dialect in DIALECTS
                for release, python in pythons.items()
            }
            print(f"Pythons, durable, concurrent games: {games}, rounds: {config.rounds}\n", flush=True)
            print_table(measure(found, games, config.moves_of(games), config.rounds), next(iter(found)))
