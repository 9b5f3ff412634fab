"""Packages of boardwire that need an extra which may not be installed here."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Final

OPTIONAL: Final = {"boardwire.research": ("gymnasium", "numpy", "pettingzoo", "pyspiel")}
"""Packages, and what they import beside the program's own dependencies."""


def imported(name: str) -> ModuleType | None:
    """Return a module, or None if it belongs to an extra that is not installed."""
    try:
        return import_module(name)
    except ImportError as error:
        for package, needs in OPTIONAL.items():
            if (name == package or name.startswith(f"{package}.")) and (error.name or "").partition(".")[0] in needs:
                return None
        raise
