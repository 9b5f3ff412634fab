"""For tests of games and dialects, ours and yours: laws, scenarios and transcripts.

- `laws`: properties that hold for every game.
- `transcript`: conversations written down as text and played against a dialect.
- `scenario`: Eriantys by example, in text.
- `twins`: matches that differ only in what a seat cannot see.

`boardwire.simulation` has the in-memory server, the scripted luck and the scripted clock that they use.
"""

__all__ = ["laws", "scenario", "transcript", "twins"]
