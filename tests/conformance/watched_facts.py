"""Facts about the dialects that have a watcher, from `tests/dialects/NAME/watched_facts.py`.

- `QUESTIONS`: by dialect, messages that ask a question, each with the rule that a second one breaks.
- `ILLEGAL`: by dialect and game, illegal moves (`illegal_move.py`).
- `ENCODERS`: by dialect, the encoder of a client's message; by default it is a JSON line.
- `AFTER_END`: by dialect, the rule that a question after the end breaks; by default `any.question-after-end`.
- `SUCCESSIVE`: by dialect, pairs of questions of which the second must wait for the answer to the first.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from boardwire import dialects
from boardwire.conformance.watchers import watched_dialects


def facts(name: str) -> dict[Any, Any]:
    """Return the facts of all watched dialects with this name; only `ILLEGAL` and `QUESTIONS` are required."""
    found: dict[Any, Any] = {}
    for package in dict.fromkeys(map(dialects.package, watched_dialects())):
        found |= getattr(import_module(f"tests.dialects.{package}.watched_facts"), name, {})
    return found
