"""The dialects, by name.  Each is imported when it is first asked for."""

from importlib import import_module
from typing import Final

from boardwire.dialects.dialect import Dialect
from boardwire.games.game import Refused

NAMES: Final = {"tris-lines": "tris_lines", "native": "native"}
"""Every dialect, with the package that speaks it."""


def dialect(name: str) -> Dialect:
    """The dialect called `name`; `Refused` if there is none."""
    if name not in NAMES:
        raise Refused(f"there is no dialect called {name!r}; there are {', '.join(NAMES)}")
    found: Dialect = import_module(f"boardwire.dialects.{NAMES[name]}").DIALECTS[name]
    return found
