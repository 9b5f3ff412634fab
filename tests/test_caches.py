"""Whatever is remembered has a bound: a peer chooses names, options and moves, and a server runs for years."""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from typing import Final

from tests.extras import imported

import boardwire

FINITE: Final = {
    "boardwire.api.games._options_schema": "one for each game",
    "boardwire.api.routes._asyncapi_response": "one",
    "boardwire.api.routes._openapi_response": "one",
    "boardwire.bots.engines.engine": "one for each game",
    "boardwire.bots.puzzles.puzzles_of": "those of the files, one per game",
    "boardwire.bots.tris._value": "the 5,478 boards of Tris",
    "boardwire.bots.worker_messages._actions_decoder": "one for each game",
    "boardwire.conformance.language.italian_forms": "one",
    "boardwire.conformance.language.italian_rules": "one",
    "boardwire.dialects.santorini_objects.messages.texts.texts": "one for each edition",
    "boardwire.dialects.tris_lines.messages.format_board": "the boards of Tris, with one of three marks",
    "boardwire.engines.cage._can_disable_userns": "one",
    "boardwire.engines.cage.best_cage_tool": "one",
    "boardwire.engines.cage.has_landlock": "one",
    "boardwire.games.eriantys.professors.professors_of": "who has which of five professors",
    "boardwire.games.eriantys.ring.ring_of": "the 4,096 sets of twelve islands",
    "boardwire.players.skeleton._table": "one",
}
"""Caches that never forget, and what they can hold at most."""


def caches() -> Iterator[tuple[str, int | None]]:
    """All there are, with their bounds."""
    for found in pkgutil.walk_packages(boardwire.__path__, "boardwire."):
        if not found.name.endswith("__main__"):
            imported(found.name)
    for name, module in sorted(sys.modules.items()):
        for label, value in sorted(vars(module).items()) if name.startswith("boardwire") else ():
            if isinstance(value, _lru_cache_wrapper) and value.__module__ == name:
                yield f"{name}.{label}", value.cache_parameters()["maxsize"]


def test_every_cache_forgets_unless_little_can_be_asked_of_it() -> None:
    assert [name for name, bound in caches() if bound is None] == list(FINITE)


def test_no_cache_is_so_large_that_a_server_takes_hours_to_fill_it() -> None:
    assert [name for name, bound in caches() if bound is not None and bound > 4096] == []
