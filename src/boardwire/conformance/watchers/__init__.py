"""Watchers of conversations: one module per dialect, each with a `DialectWatcher` class.

A watcher gets both sides of one connection and reports who breaks the dialect's specification. It follows the match
with the rules of the game and, where that is simpler, with the model of the dialect's own client: it knows what the
server has asked, which replies are legal, and what must follow them. It never sends anything.

The module of a watcher also has the Italian words of its rules and details, `ITALIAN_RULES` and `ITALIAN_FORMS`
(`language.py`). A dialect without a module is judged message by message.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from boardwire import dialects
from boardwire.conformance.watchers.watcher import Watcher


def watcher(dialect: str) -> type[Watcher]:
    """Return the watcher class of a dialect; without a module for it, one that judges messages by themselves."""
    dialects.protocol(dialect)  # imported here, so that no connection waits for it
    module = _module(dialect)
    kind: type[Watcher] = import_module(module).DialectWatcher if find_spec(module) else Watcher
    return kind


def watched_dialects() -> tuple[str, ...]:
    """Return the dialects and editions that have a watcher of their own."""
    return tuple(name for name in dialects.DIALECT_PACKAGES if find_spec(_module(name)))


def _module(dialect: str) -> str:
    return f"{__name__}.{dialects.package(dialect)}"
