"""Registry of dialects.

Each dialect package is imported on first use.  Every list of dialects in tests/, soak/, fuzz/ and bench/ is taken
from here, so that a new dialect is one line in `NAMES`.
"""

from importlib import import_module
from typing import Final

from boardwire.dialects.dialect import Answer, Ask, Dialect, Encoding, Over, Result, Seating
from boardwire.errors import Refused

__all__ = [
    "NAMES", "PROTOCOLS", "USUAL", "Answer", "Ask", "Dialect", "Encoding", "Over", "Result", "Seating", "dialect",
    "of_game",
]  # fmt: skip

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
"""Dialects and editions (`PROTOCOL/EDITION`), with the package that implements each."""

PROTOCOLS: Final = tuple(name for name in NAMES if "/" not in name)
"""Dialects in their default edition."""

USUAL: Final = tuple(name for name in NAMES if name not in ("native", "santorini-objects/d1"))
"""Dialects with a TCP listener by default.  native is served on the HTTP port; d1 clients cannot be distinguished from
d2 clients, so d1 needs a port of its own."""


def dialect(name: str) -> Dialect:
    """Return the dialect called `name`, or raise `Refused`."""
    if name not in NAMES:
        raise Refused(f"there is no dialect called {name!r}; there are {', '.join(NAMES)}")
    found: Dialect = import_module(f"boardwire.dialects.{NAMES[name]}").DIALECTS[name]
    return found


def of_game(game: str) -> tuple[str, ...]:
    """Return the dialects and editions that can play `game`; native plays every game."""
    return tuple(name for name in NAMES if dialect(name).game in ("", game))
