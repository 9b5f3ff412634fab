"""Conformance checks: one module per dialect, run by `boardwire check` against anybody's server.

Each module has `CHECKS`, or `checks(edition)`, in the order of the page, and perhaps `answering(edition)`: what is
replied at once, whatever a check is doing; `PACE`: seconds between two closes; and `look(probe)`: whether somebody else
is in the lobby.  A check plays its part with real connections and says, when it fails, what
came and what should have come.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from msgspec.structs import replace

from boardwire import dialects
from boardwire.conformance.server.check import Check, Probe, no_answer
from boardwire.errors import Refused


def checks(dialect: str) -> tuple[Check, ...]:
    """The checks of a dialect, each with the section of its page; `Refused` if there is no such dialect."""
    module, edition = _module(dialect)
    found: tuple[Check, ...] = module.checks(edition) if hasattr(module, "checks") else module.CHECKS
    page = page_of(dialect)
    return tuple(replace(check, section=f"{page}, {check.section}") for check in found)


def page_of(dialect: str) -> str:
    """The page that says what a dialect is."""
    return f"docs/dialects/{dialect.partition('/')[0]}.md"


def probe(dialect: str, host: str, port: int, wait: float, restart: str = "", *, alone: bool = False) -> Probe:
    """What connects to a server of a dialect; `alone`: nobody else uses it."""
    module, edition = _module(dialect)
    speaks = dialects.dialect(dialect)
    answering = module.answering(edition) if hasattr(module, "answering") else no_answer
    return Probe(
        host,
        port,
        speaks.replies or speaks.decoder,
        wait,
        answering=answering,
        restart=restart,
        alone=alone,
        pace=getattr(module, "PACE", 0.0),
        look=getattr(module, "look", None),
    )


def _module(dialect: str) -> tuple[ModuleType, str]:
    package = dialects.NAMES.get(dialect)
    if package is None:
        raise Refused(f"there is no dialect called {dialect!r}; there are {', '.join(dialects.NAMES)}")
    return import_module(f"boardwire.conformance.server.{package}"), dialect.partition("/")[2]
