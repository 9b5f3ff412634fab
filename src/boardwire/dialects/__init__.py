"""The dialects, by name.  Each is imported when it is first asked for."""

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
"""Every dialect and edition, with the package that speaks it."""

USUAL: Final = tuple(name for name in NAMES if name not in ("native", "santorini-objects/d1"))
"""What a server listens for unless it is told otherwise.  The native dialect comes in by the HTTP port, and d1 is for
programs that nobody can tell from d2's."""


def dialect(name: str) -> Dialect:
    """The dialect called `name`; `Refused` if there is none."""
    if name not in NAMES:
        raise Refused(f"there is no dialect called {name!r}; there are {', '.join(NAMES)}")
    found: Dialect = import_module(f"boardwire.dialects.{NAMES[name]}").DIALECTS[name]
    return found
