"""Check your own game against the laws that every game must keep: `python check_my_game.py`.

A game is a module or object with the names of `boardwire.games.Game`. This one is misère Tris: a player that completes
a line loses. Everything except the outcome is taken from Tris. CONTRIBUTING describes how to add a game to the server.
"""

from random import Random
from types import SimpleNamespace

from boardwire.games import Outcome, tris
from boardwire.testing import laws


def outcome(position: tris.Position) -> Outcome | None:
    """Return the outcome of Tris with winner and loser of a line swapped."""
    found = tris.outcome(position)
    if found is None or found.termination is not tris.Termination.LINE:
        return found
    (winner,) = found.winners
    return Outcome(tris.Termination.LINE, (1 - winner,))


RULES = {name: getattr(tris, name) for name in tris.__all__}
misere = SimpleNamespace(**{**RULES, "name": "misere-tris", "outcome": outcome})

if __name__ == "__main__":
    ends = set()
    for seed in range(50):
        below = Random(seed).randrange
        position = laws.check(misere, tris.Options(), 2, below)
        laws.play_with_absences(misere, tris.Options(), 2, below)
        ends.add(misere.outcome(position))
    print(f"all laws hold; {len(ends)} different outcomes")
