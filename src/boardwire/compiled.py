"""What is compiled by mypyc where that was possible: the search cores of the bots, the rules of Santorini and Eriantys,
and the writer of Java object streams.

- Packages are named by their folders.  What was compiled of one lies in a folder of its own there (`BUILT`), laid out
  like the sources.
- That folder comes before the sources on the package's path as long as it was made from the sources as they are: a
  stamp in it holds their hash.  Otherwise the sources are interpreted, and nothing is missing but speed.
- msgspec makes no structs of classes that are compiled, and an enumeration loses its docstring, which the descriptions
  of the interfaces tell: so both stand in modules that are not.
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
"""What is compiled, by package."""
BUILT: Final = "_built"
"""The folder that holds what was compiled."""
STAMP: Final = "sources"
"""The file in it that holds the hash of the sources."""


def folder_of(package: str) -> Path:
    """The folder of a package."""
    return Path(__file__).parent / package


def library(package: str) -> str:
    """The name of the module in which the compiled code of all of a package is."""
    return package.replace("/", "_") + "__mypyc"


def library_file(package: str) -> Path:
    """Where that module is, if it was compiled for this Python."""
    return folder_of(package) / BUILT / (library(package) + importlib.machinery.EXTENSION_SUFFIXES[0])


def digest(package: str) -> str:
    """A hash of the sources of a package, those too that are not compiled: what is compiled relies on them."""
    total = hashlib.sha256()
    folder = folder_of(package)
    for path in sorted(folder.rglob("*.py")):
        total.update(path.relative_to(folder).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def is_fresh(package: str) -> bool:
    """Whether a compiled package is there for this Python, and made from the sources as they are."""
    try:
        return library_file(package).exists() and (folder_of(package) / BUILT / STAMP).read_text() == digest(package)
    except OSError:
        return False


def is_compiled(package: str) -> bool:
    """Whether a package runs compiled in this process."""
    return not os.environ.get("BOARDWIRE_INTERPRETED") and is_fresh(package)


def prefer_compiled(package: str, path: MutableSequence[str], below: str = "") -> bool:
    """Put the compiled modules of a package, or of one `below` it, before its sources on its path, if they can be used
    here."""
    if not (library(package) in sys.modules if below else is_compiled(package) and _load(package)):
        return False
    path.insert(0, str(folder_of(package) / BUILT / below))
    return True


def _load(package: str) -> bool:
    """Load what all modules of a package share; they look for it by its name."""
    spec = importlib.util.spec_from_file_location(library(package), library_file(package))
    assert spec is not None
    assert spec.loader is not None
    sys.modules[library(package)] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return True
