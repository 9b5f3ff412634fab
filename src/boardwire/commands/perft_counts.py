"""Counts lines of play from a position of Santorini, to compare rules engines: `boardwire perft`."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from boardwire.errors import Malformed
from boardwire.games.santorini.notation import format_position, parse_position
from boardwire.games.santorini.perft import divide, perft


def count(position: str, depth: int, *, by_turn: bool, json: bool) -> Iterator[str]:
    """How many lines of `depth` turns start from a position; by first turn if `by_turn`."""
    if depth < 1:
        raise Malformed("a depth is 1 or more")
    start = parse_position(position)
    if by_turn:
        for after, states in divide(start, depth).items():
            text = format_position(after)
            yield msgspec.json.encode({"position": text, "states": states}).decode() if json else f"{text}  {states}"
        return
    found = perft(start, depth)
    if json:
        yield msgspec.json.encode(found).decode()
        return
    for name, value in msgspec.to_builtins(found).items():
        yield f"{name:<14} {value}"
