"""The engines, by game."""

from __future__ import annotations

from random import Random

import pytest

from boardwire import games
from boardwire.bots.bot import decision_for
from boardwire.bots.engine import Limits
from boardwire.bots.engines import engine, game_of
from boardwire.games.game import CHANCE, Draw


@pytest.mark.parametrize("name", games.NAMES)
def test_the_engine_of_every_game_makes_a_choice_that_is_legal_and_a_turn_that_can_be_played(name: str) -> None:
    game, below = games.game(name), Random(7).randrange
    position = game.new(game.Options(), 2)
    for _ in range(24):
        decision = game.pending(position)
        if decision is None:
            break
        seat = decision.seats[0]
        if seat == CHANCE:
            choices = decision.choices
            dealt = choices.draw(below) if isinstance(choices, Draw) else tuple(choices)[below(len(choices))]
            position, _ = game.apply(position, seat, dealt)
            continue
        view = game.view(position, seat)
        assert game_of(view) == name
        thought = engine(name).think(view, decision_for(decision, seat), below, Limits(50), lambda: False)
        assert -1 <= thought.value <= 1
        assert thought.turn
        for action in thought.turn:
            asked = game.pending(position)
            assert asked is not None
            assert seat in asked.seats
            position, _ = game.apply(position, seat, action)
