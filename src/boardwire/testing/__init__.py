"""For tests of games and dialects, ours and yours: laws, transcripts, scripted luck and time.

- `laws`: properties that hold for every game.
- `house`: a whole server without sockets, for tests that play matches in microseconds.
- `transcript`: conversations written down as text and played against a dialect.
- `luck` and `time`: a Dealer and a Clock that do what the test says.
"""
