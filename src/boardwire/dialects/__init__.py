"""Registry of dialects.

Each dialect package is imported on first use. A new dialect needs its package, its specification, its tests, and one
line in `DIALECT_PACKAGES`:

- Lists of dialects in the program, tests/, soak/ and fuzz/ are derived from this module.
- Lists in documents, deploy/ and fuzz/corpus/ are written by `make specifications ports limits seeds`.
- A watcher (`boardwire.conformance.watchers`) and checks (`boardwire.conformance.server`) are optional.

CONTRIBUTING.md has the details under "Add a dialect".
"""

from importlib import import_module
from typing import Final

from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Dialect, Encoding, Over, Result
from boardwire.dialects.protocol import Protocol
from boardwire.errors import Refused

__all__ = [
    "DEFAULT_DIALECTS",
    "DIALECT_PACKAGES",
    "PROTOCOLS",
    "Answer",
    "Ask",
    "ClientOptions",
    "Dialect",
    "Encoding",
    "Over",
    "Protocol",
    "Result",
    "dialect",
    "of_game",
    "package",
    "protocol",
    "specification_path",
]  # fmt: skip

DIALECT_PACKAGES: Final = {
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

PROTOCOLS: Final = tuple(name for name in DIALECT_PACKAGES if "/" not in name)
"""Dialects in their default edition."""

DEFAULT_DIALECTS: Final = tuple(name for name in DIALECT_PACKAGES if name not in ("native", "santorini-objects/d1"))
"""Dialects with a TCP listener by default.

native is served on the HTTP port. Clients of d1 cannot be distinguished from those of d2, so d1 needs a separate port.
"""


def dialect(name: str) -> Dialect:
    """Return the dialect called `name`, or raise `Refused`."""
    registered: Dialect = import_module(f"boardwire.dialects.{package(name)}").DIALECTS[name]
    return registered


def protocol(name: str) -> Protocol:
    """Return the declaration of a dialect's protocol, or raise `Refused`."""
    declaration: Protocol = import_module(f"boardwire.dialects.{package(name)}.protocol").PROTOCOLS[name]
    return declaration


def package(name: str) -> str:
    """Return the package of a dialect, or raise `Refused`."""
    if name not in DIALECT_PACKAGES:
        raise Refused(f"there is no dialect called {name!r}; the dialects are {', '.join(DIALECT_PACKAGES)}")
    return DIALECT_PACKAGES[name]


def specification_path(name: str) -> str:
    """Return the path of a dialect's specification."""
    return f"docs/dialects/{name.partition('/')[0]}.md"


def of_game(game: str) -> tuple[str, ...]:
    """Return the dialects and editions that can play `game`; native plays every game."""
    return tuple(name for name in DIALECT_PACKAGES if dialect(name).game in ("", game))
