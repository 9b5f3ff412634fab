"""Puzzles of Santorini: the verdict on a turn and the reply that resists longest, by proofs that try every turn."""

from __future__ import annotations

from boardwire.bots.santorini.core.turns import Turns
from boardwire.bots.santorini.proof import ends, is_lost_within, wins_within
from boardwire.bots.santorini.views import action_of, powers_of, state_of
from boardwire.games import santorini
from boardwire.games.game import Seat
from boardwire.games.santorini.actions import Action
from boardwire.games.santorini.position import Position


def is_right(position: Position, mover: Seat, left: int) -> bool:
    """Return whether the mover still wins within `left` turns after its turn."""
    if position.outcome is not None:
        return mover in position.outcome.winners
    view = santorini.view(position, position.seat)
    return is_lost_within(Turns(*powers_of(view)), state_of(view, position.seat), left)


def reply(position: Position, left: int) -> tuple[Action, ...]:
    """Return the turn that delays the loss of the side to move longest; the winner needs at most `left` turns."""
    view = santorini.view(position, position.seat)
    turns = Turns(*powers_of(view))
    turns.note_steps = True
    states = ends(turns, state_of(view, position.seat))
    steps = [tuple(path) for path in turns.steps]
    turns.note_steps = False

    def resistance(number: int) -> int:
        after = states[number]
        if after.won:
            return 0 if after.won == -1 else left + 2
        return next((count for count in range(1, left + 1) if wins_within(turns, after, count)), left + 1)

    best = max(range(len(states)), key=resistance)
    return tuple(map(action_of, steps[best]))
