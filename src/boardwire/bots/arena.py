"""Matches between bots without tables, for tests and training.

There is no clock and no record; a bot gets the view of its seat and the decision, as at a table. `boardwire.arena`
plays matches that are stored and rated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from boardwire.bots.bot import BUDGET, Bot, decision_for
from boardwire.games.game import CHANCE, AnyGame, Below, Decision, Outcome


class Score(msgspec.Struct, frozen=True):
    """Matches won, shared or drawn, and lost by one bot, and the number of its choices."""

    won: int = 0
    drawn: int = 0
    lost: int = 0
    choices: int = 0


def play(game: AnyGame, options: Any, bots: Sequence[Bot], below: Below, budget: int = BUDGET) -> Outcome:
    """Play a match with a bot in each seat and return its outcome; `below` is the random source of game and bots."""
    position = game.new(options, len(bots))
    while (decision := game.pending(position)) is not None:
        seat = decision.seats[below(len(decision.seats))]
        if seat != CHANCE:
            action = bots[seat].choose(game.view(position, seat), decision_for(decision, seat), below, budget)
        else:
            action = draw_choice(decision, below)
        position, _ = game.apply(position, seat, action)
    outcome = game.outcome(position)
    assert outcome is not None, "nothing pending means that the match is over"
    return outcome


def draw_choice(decision: Decision[Any], below: Below) -> Any:
    """Return a random choice, with the probabilities that the rules define."""
    draw = getattr(decision.choices, "draw", None)  # `isinstance` with the protocol `Draw` takes twenty times as long
    if draw is not None:
        return draw(below)
    choices = tuple(decision.choices)
    return choices[below(len(choices))]


def duel(
    game: AnyGame, options: Any, seats: int, bot: Bot, rival: Bot, below: Below, matches: int, budget: int = BUDGET
) -> Score:
    """Play matches of `bot` against `rival` and return the score of `bot`.

    The sides are swapped after each match; with four seats, each side is a team of two that sit opposite.
    """
    sides = 2 if seats == 4 else seats
    won = drawn = lost = 0
    counting_bot = _Counted(bot)
    for number in range(matches):
        own = number % sides
        players = [counting_bot if seat % sides == own else rival for seat in range(seats)]
        winners = {seat % sides for seat in play(game, options, players, below, budget).winners}
        won += winners == {own}
        lost += bool(winners) and own not in winners
        drawn += not winners or (own in winners and len(winners) > 1)
    return Score(won, drawn, lost, counting_bot.choices)


class _Counted:
    """A bot that counts its choices."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.name = bot.name
        self.choices = 0

    def choose(self, view: Any, decision: Any, below: Below, budget: int) -> Any:
        self.choices += 1
        return self._bot.choose(view, decision, below, budget)
