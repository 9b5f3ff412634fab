"""`boardwire --version`: the version and the compiled packages."""

from __future__ import annotations

from boardwire import __version__
from boardwire.compiled import MODULES, is_compiled


def version() -> str:
    """Return the version and the packages that run compiled."""
    compiled = [package for package in MODULES if is_compiled(package)]
    return f"{__version__} (compiled: {'all' if len(compiled) == len(MODULES) else ', '.join(compiled) or 'nothing'})"
