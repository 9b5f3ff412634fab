"""Test helpers for games and dialects, including those outside this package.

- `laws`: properties of every game, checked along random matches.
- `transcript`: conversations as text, played against a dialect.
- `scenario`: rule tests as short texts.
- `twins`: matches that differ only in hidden information.

They use the in-memory server, clock and chance of `boardwire.simulation`.
"""

__all__ = ["laws", "scenario", "transcript", "twins"]
