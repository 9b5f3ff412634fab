"""`boardwire perft`: count lines of play from a Santorini position."""

from __future__ import annotations

import msgspec

from boardwire.errors import Malformed


def perft(position: str, depth: int, *, divide: bool = False, json: bool = False) -> None:
    """Count the lines of DEPTH turns from a Santorini position, to compare rules engines.

    Parameters
    ----------
    position
        For example "0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2" (docs/games/santorini.md).
    depth
        Number of turns.
    divide
        Print the positions after the first turn, with the number of states below each.
    json
        Print JSON.
    """
    from boardwire.games.santorini import perft as engine
    from boardwire.games.santorini.notation import format_position, parse_position

    if depth < 1:
        raise Malformed(f"depth {depth}: must be at least 1")
    start = parse_position(position)
    if divide:
        for after, states in engine.divide(start, depth).items():
            text = format_position(after)
            print(msgspec.json.encode({"position": text, "states": states}).decode() if json else f"{text}  {states}")
        return
    counts = engine.perft(start, depth)
    if json:
        print(msgspec.json.encode(counts).decode())
        return
    for name, value in msgspec.to_builtins(counts).items():
        print(f"{name:<14} {value}")
