"""The search cores: plain typed Python that knows nothing but numbers, compiled by mypyc where that was possible.

- A core is the package `bots/GAME/core`; what was compiled of it lies in a folder of its own there (`BUILT`).
- That folder comes before the sources on the package's path as long as it was made from the sources as they are: a
  stamp in it holds their hash.  Otherwise the sources are interpreted, and nothing is missing but speed.
- `BOARDWIRE_INTERPRETED=1` asks for the sources, to compare.

Nothing of boardwire is imported here, because the build (`hatch_build.py`) runs this before boardwire is installed.
"""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import MutableSequence
from pathlib import Path
from typing import Final

MODULES: Final = {
    "santorini": ("tables", "state", "symmetry", "turns", "judgement", "net", "search", "plain"),
    "eriantys": ("slots", "steps", "worth", "search"),
    "forza": ("search",),
}
"""What is compiled, by game."""
BUILT: Final = "_built"
"""The folder that holds what was compiled."""
STAMP: Final = "sources"
"""The file in it that holds the hash of the sources."""


def core_of(game: str) -> Path:
    """The folder of a core."""
    return Path(__file__).parent / game / "core"


def library(game: str) -> str:
    """The name of the module in which the compiled code of all of a core is."""
    return f"{game}_core__mypyc"


def library_file(game: str) -> Path:
    """Where that module is, if it was compiled for this Python."""
    return core_of(game) / BUILT / (library(game) + importlib.machinery.EXTENSION_SUFFIXES[0])


def digest(game: str) -> str:
    """A hash of the sources of a core."""
    total = hashlib.sha256()
    for name in MODULES[game]:
        total.update(hashlib.sha256((core_of(game) / f"{name}.py").read_bytes()).digest())
    return total.hexdigest()


def is_fresh(game: str) -> bool:
    """Whether a compiled core is there for this Python, and made from the sources as they are."""
    try:
        return library_file(game).exists() and (core_of(game) / BUILT / STAMP).read_text() == digest(game)
    except OSError:
        return False


def is_compiled(game: str) -> bool:
    """Whether a core runs compiled in this process."""
    return not os.environ.get("BOARDWIRE_INTERPRETED") and is_fresh(game)


def prefer_compiled(game: str, path: MutableSequence[str]) -> bool:
    """Put the compiled modules of a core before its sources on its package's path, if they can be used here."""
    if not is_compiled(game):
        return False
    spec = importlib.util.spec_from_file_location(library(game), library_file(game))
    assert spec is not None
    assert spec.loader is not None
    # the modules look for their shared library by this name
    sys.modules[library(game)] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path.insert(0, str(core_of(game) / BUILT))
    return True
