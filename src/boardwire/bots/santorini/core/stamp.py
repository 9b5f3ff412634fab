"""Which sources a compiled core was made from.

The build (`hatch_build.py`) writes the stamp beside what it compiled; `core` compares it when it is imported, so that a
changed source is never shadowed by what was compiled from an older one.  Nothing of boardwire is imported here, because
the build runs before boardwire is installed.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

MODULES: Final = ("tables", "state", "turns", "judgement", "net", "search", "plain")
"""What is compiled."""
LIBRARY: Final = "santorini_core__mypyc"
"""The name of the module in which the compiled code of all of them is."""
BUILT: Final = "_built"
"""The folder that holds what was compiled."""
STAMP: Final = "sources"
"""The file in it that holds the hash of the sources."""


def digest(core: Path) -> str:
    """A hash of the sources in the core's folder."""
    total = hashlib.sha256()
    for name in MODULES:
        total.update(hashlib.sha256((core / f"{name}.py").read_bytes()).digest())
    return total.hexdigest()


def is_fresh(core: Path) -> bool:
    """Whether a compiled core is there, and made from the sources as they are."""
    try:
        return (core / BUILT / STAMP).read_text() == digest(core)
    except OSError:
        return False
