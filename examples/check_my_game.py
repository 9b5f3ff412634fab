"""A game of your own against the laws that every game keeps: `python check_my_game.py`.

A game is a module, or anything else, with the names of `boardwire.games.Game`.  This one is Tris upside down: whoever
makes a line has lost.  Everything but the outcome is as in Tris, so the rest is taken from there; CONTRIBUTING says how
a game gets into the server.
"""

from random import Random
from types import SimpleNamespace

from boardwire.games import Outcome, tris
from boardwire.testing import laws


def outcome(position: tris.Position) -> Outcome | None:
    """As in Tris, but a line is lost."""
    found = tris.outcome(position)
    if found is None or found.termination is not tris.Termination.LINE:
        return found
    (winner,) = found.winners
    return Outcome(tris.Termination.LINE, (1 - winner,))


RULES = {name: getattr(tris, name) for name in tris.__all__}
upside_down = SimpleNamespace(**{**RULES, "name": "upside-down-tris", "outcome": outcome})

if __name__ == "__main__":
    ends = set()
    for seed in range(50):
        luck = Random(seed).randrange
        position = laws.check(upside_down, tris.Options(), 2, luck)
        laws.play_with_absences(upside_down, tris.Options(), 2, luck)
        ends.add(upside_down.outcome(position))
    print(f"the laws are kept, and a match ends in {len(ends)} ways")
