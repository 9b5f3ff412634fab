"""What a conversation of each dialect must be like: one module per dialect, with a `Watcher` class.

A watcher hears both sides of one connection and says who breaks the dialect's page.  It runs the model that our own
client has of the match in the shadow of the real one: it knows what the server has asked, which answers would be right,
and what must follow them.  It never speaks.
"""

from __future__ import annotations

from importlib import import_module

from boardwire import dialects
from boardwire.conformance.watchers.watcher import Watcher


def watcher(dialect: str) -> type[Watcher]:
    """What watches conversations of a dialect."""
    dialects.dialect(dialect)
    found: type[Watcher] = import_module(f"boardwire.conformance.watchers.{dialects.NAMES[dialect]}").Watching
    return found
