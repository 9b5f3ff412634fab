"""For tests of games and dialects, ours and yours: laws, transcripts, scripted luck and time.

- `laws`: properties that hold for every game.
- `house`: a whole server without sockets, for tests that play matches in microseconds.
- `transcript`: conversations written down as text and played against a dialect.
- `scenario`: Eriantys by example, in text.
- `twins`: matches that differ only in what a seat cannot see.
- `luck` and `time`: a Dealer and a Clock that do what the test says.
"""

__all__ = ["house", "laws", "luck", "scenario", "time", "transcript", "twins"]
