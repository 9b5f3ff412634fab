"""Watchers of conversations: one module per dialect, each with a `DialectWatcher` class.

A watcher gets both sides of one connection and reports who breaks the dialect's specification.  It follows the match
with the rules of the game and, where that is simpler, with the model of the dialect's own client: it knows what the
server has asked, which replies are legal, and what must follow them.  It never sends anything.
"""

from __future__ import annotations

from importlib import import_module

from boardwire import dialects
from boardwire.conformance.watchers.watcher import Watcher


def watcher(dialect: str) -> type[Watcher]:
    """Return the watcher class of a dialect."""
    dialects.dialect(dialect)
    found: type[Watcher] = import_module(
        f"boardwire.conformance.watchers.{dialects.DIALECT_PACKAGES[dialect]}"
    ).DialectWatcher
    return found
