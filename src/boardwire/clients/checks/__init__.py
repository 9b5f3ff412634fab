"""Conformance checks: one module per dialect, run by `boardwire check` against anybody's server.

Each module has `CHECKS`, in the order of the document.  A check plays its part with real connections and says, when it
fails, what came and what should have come.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from boardwire.clients.checks.check import Check
from boardwire.dialects import NAMES
from boardwire.games.game import Refused


def checks(dialect: str) -> tuple[Check, ...]:
    """The checks of a dialect; `Refused` if it has none."""
    package = NAMES.get(dialect)
    if package is None:
        raise Refused(f"there is no dialect called {dialect!r}; there are {', '.join(NAMES)}")
    edition = dialect.partition("/")[2]
    if find_spec(f"boardwire.clients.checks.{package}") is None:
        raise Refused(f"there are no checks for {dialect}")
    module = import_module(f"boardwire.clients.checks.{package}")
    found: tuple[Check, ...] = module.checks(edition) if hasattr(module, "checks") else module.CHECKS
    return found
