"""Watchers of conversations: one module per dialect, each with a `DialectWatcher` class.

A watcher gets both sides of one connection and reports who breaks the dialect's specification. It follows the match
with the rules of the game and, where that is simpler, with the model of the dialect's own client: it knows what the
server has asked, which replies are legal, and what must follow them. It never sends anything.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from boardwire import dialects
from boardwire.conformance.watchers.watcher import Watcher


def watcher(dialect: str) -> type[Watcher]:
    """Return the watcher class of a dialect; without a module for it, one that judges messages by themselves."""
    dialects.protocol(dialect)  # imported here, so that no connection waits for it
    module = f"{__name__}.{dialects.package(dialect)}"
    found: type[Watcher] = import_module(module).DialectWatcher if find_spec(module) else Watcher
    return found
