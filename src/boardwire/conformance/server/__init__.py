"""Conformance checks of servers, one module per dialect, run by `boardwire check`.

A module has `CHECKS`, or `checks(edition)`, in the order of the specification. Optional names:

- `answering(edition)`: automatic replies, such as pongs, sent at any time during a check.
- `PACE`: minimum time in seconds between closing two connections.
- `look(probe)`: detects other players in the lobby.

Checks use real connections. A failure says what was received and what was expected.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from msgspec.structs import replace

from boardwire import dialects
from boardwire.conformance.server.check import Check, Probe, no_answer
from boardwire.errors import Refused


def checks(dialect: str) -> tuple[Check, ...]:
    """Return the checks of a dialect, each with its section; raise `Refused` for an unknown dialect."""
    module, edition = _module(dialect)
    declared: tuple[Check, ...] = module.checks(edition) if hasattr(module, "checks") else module.CHECKS
    specification = dialects.specification_path(dialect)
    return tuple(replace(check, section=f"{specification}, {check.section}") for check in declared)


def checked_dialects() -> tuple[str, ...]:
    """Return the dialects and editions that have checks."""
    return tuple(name for name in dialects.DIALECT_PACKAGES if find_spec(_module_name(name)))


def probe(dialect: str, host: str, port: int, wait: float, restart: str = "", *, alone: bool = False) -> Probe:
    """Return the probe for a server of a dialect; `alone` means that no other players use the server."""
    module, edition = _module(dialect)
    spoken = dialects.dialect(dialect)
    answering = module.answering(edition) if hasattr(module, "answering") else no_answer
    return Probe(
        host,
        port,
        spoken.replies or spoken.decoder,
        wait,
        answering=answering,
        restart=restart,
        alone=alone,
        pace=getattr(module, "PACE", 0.0),
        look=getattr(module, "look", None),
    )


def _module(dialect: str) -> tuple[ModuleType, str]:
    """Return the module with the checks of a dialect, and the edition."""
    module = _module_name(dialect)
    if find_spec(module) is None:
        raise Refused(f"there are no checks of {dialect} servers; `boardwire proxy` judges conversations with one")
    return import_module(module), dialect.partition("/")[2]


def _module_name(dialect: str) -> str:
    return f"{__name__}.{dialects.package(dialect)}"
