"""Registry of dialects by name. A dialect's package is imported on first use."""

from importlib import import_module
from typing import Final

from boardwire.dialects.dialect import Answer, Ask, Dialect, Over, Result, Seating
from boardwire.errors import Refused

__all__ = ["NAMES", "USUAL", "Answer", "Ask", "Dialect", "Over", "Result", "Seating", "dialect"]

NAMES: Final = {
    "santorini-objects": "santorini_objects",
    "santorini-objects/d1": "santorini_objects",
    "santorini-objects/shipped": "santorini_objects",
    "eriantys-messages": "eriantys_messages",
    "eriantys-objects": "eriantys_objects",
    "tris-lines": "tris_lines",
    "forza-lines": "forza_lines",
    "santorini-actions": "santorini_actions",
    "santorini-actions/shipped": "santorini_actions",
    "santorini-lobby": "santorini_lobby",
    "native": "native",
}
"""Package of every dialect and edition."""

USUAL: Final = tuple(name for name in NAMES if name not in ("native", "santorini-objects/d1"))
"""Dialects that a server listens for by default.

The native dialect shares the HTTP port. d1 cannot be told from d2 on the wire and needs a separate listener.
"""


def dialect(name: str) -> Dialect:
    """Return the dialect called `name`, or raise `Refused`."""
    if name not in NAMES:
        raise Refused(f"there is no dialect called {name!r}; there are {', '.join(NAMES)}")
    found: Dialect = import_module(f"boardwire.dialects.{NAMES[name]}").DIALECTS[name]
    return found
