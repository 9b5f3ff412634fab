"""Modules compiled by mypyc: the bots' search cores, the rules of Santorini and Eriantys, the writer of Java streams.

- Packages are named by their folders. The compiled modules of a package are in its folder `BUILT`, laid out like the
  sources.
- If that folder was built from the current sources, it precedes them on the package's path: a stamp file holds their
  hash. Otherwise the sources are interpreted, with the same results.
- Structs and enums stay in modules that are not compiled: msgspec does not support compiled structs, and compiled enums
  lose their docstrings, which the API documents use.
- `BOARDWIRE_INTERPRETED=1` selects the sources, for comparison.
- A process keeps what it has loaded. `PendingBuilds` counts the packages compiled since its start (`make play` compiles
  in the background), so that it can start new workers.

This module imports nothing of boardwire: the build (`hatch_build.py`) runs it before boardwire is installed.
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
    "bots/santorini/core": ("tables", "state", "symmetry", "turns", "evaluation", "net", "search", "alphabeta"),
    "bots/eriantys/core": ("slots", "steps", "evaluation", "search"),
    "bots/forza/core": ("search",),
    "games/eriantys": (
        "piles", "places", "bags", "terms", "ring", "professors", "plans", "phases", "position", "characters", "turns",
        "planning", "clouds", "students", "nature", "effects", "chance", "rules", "views",
    ),
    "games/santorini": (
        "board", "interned", "edits", "lineup", "offers", "effects", "ending", "step", "lookahead", "turn",
        "fast_steps", "setup", "rules", "powers/power", "powers/marked", "powers/simple", "powers/advanced",
        "powers/fleece", "powers/heroes", "powers/promo",
    ),
    "wire/javastream": ("plan", "writer"),
}  # fmt: skip
"""Compiled modules by package."""
NATIVE: Final = {"bots/santorini/core": ("_native", "native.c"), "bots/forza/core": ("_native", "native.c")}
"""Extension modules in C by package: name and source file. They are optional: Python modules do the same."""
BUILT: Final = "_built"
"""Folder of the compiled modules."""
STAMP: Final = "sources"
"""File in that folder with the hash of the sources."""


def folder_of(package: str) -> Path:
    """Return the folder of a package."""
    return Path(__file__).parent / package


def library(package: str) -> str:
    """Return the name of mypyc's shared extension module, which holds the compiled code of a package."""
    return package.replace("/", "_") + "__mypyc"


def library_file(package: str) -> Path:
    """Return the path that this module has if it is compiled for this Python."""
    return folder_of(package) / BUILT / (library(package) + importlib.machinery.EXTENSION_SUFFIXES[0])


def digest(package: str) -> str:
    """Return a hash of all sources of a package, including those that are not compiled, which compiled code imports."""
    combined = hashlib.sha256()
    folder = folder_of(package)
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.c")]):
        combined.update(path.relative_to(folder).as_posix().encode() + b"\0")
        combined.update(hashlib.sha256(path.read_bytes()).digest())
    return combined.hexdigest()


def is_fresh(package: str) -> bool:
    """Return whether a package is compiled for this Python, from the current sources."""
    return library_file(package).exists() and _is_stamped(package, digest(package))


def is_compiled(package: str) -> bool:
    """Return whether a package runs compiled in this process."""
    return not os.environ.get("BOARDWIRE_INTERPRETED") and is_fresh(package)


class PendingBuilds:
    """Packages that run interpreted in this process, because they were not compiled at its start."""

    def __init__(self) -> None:
        wanted = () if os.environ.get("BOARDWIRE_INTERPRETED") else MODULES
        self._digests = {package: digest(package) for package in wanted if not is_fresh(package)}

    def finished(self) -> int:
        """Return how many of these packages have been compiled since, from the sources that this process runs."""
        return sum(_is_stamped(package, sources) for package, sources in self._digests.items())


def _is_stamped(package: str, sources: str) -> bool:
    """Return whether a package is compiled for this Python, from the sources with the hash `sources`."""
    try:
        return library_file(package).exists() and (folder_of(package) / BUILT / STAMP).read_text() == sources
    except OSError:
        return False


def prefer_compiled(package: str, path: MutableSequence[str], below: str = "") -> bool:
    """Put the compiled modules of a package before its sources on its path; return whether there are any.

    `below` is the folder of a subpackage, which is part of the same extension module.
    """
    if not (library(package) in sys.modules if below else is_compiled(package) and _load(package)):
        return False
    path.insert(0, str(folder_of(package) / BUILT / below))
    return True


def _load(package: str) -> bool:
    """Load the shared extension module of a package, which the compiled modules look up by its name."""
    spec = importlib.util.spec_from_file_location(library(package), library_file(package))
    assert spec is not None
    assert spec.loader is not None
    sys.modules[library(package)] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return True
