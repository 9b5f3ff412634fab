"""The engines, by game."""

from __future__ import annotations

from random import Random

import pytest

from boardwire import games
from boardwire.bots.bot import decision_for
from boardwire.bots.engine import Engine, SearchLimits
from boardwire.bots.engines import engine, game_of, new_engine
from boardwire.bots.search import LevelBot
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
        thought = engine(name).think(view, decision_for(decision, seat), below, SearchLimits(50), lambda: False)
        assert -1 <= thought.value <= 1
        assert thought.turn
        for action in thought.turn:
            asked = game.pending(position)
            assert asked is not None
            assert seat in asked.seats
            position, _ = game.apply(position, seat, action)


@pytest.mark.parametrize("game", games.NAMES)
def test_a_new_engine_shares_nothing_with_the_usual_one(game: str) -> None:
    assert type(new_engine(game)) is type(engine(game))
    assert new_engine(game) is not engine(game)


def test_a_level_has_a_new_engine_for_every_match(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def noted(game: str) -> Engine:
        made.append(game)
        return new_engine(game)

    monkeypatch.setattr("boardwire.bots.search.new_engine", noted)
    bot = LevelBot("forza", 5)
    bot.reset()
    assert made == ["forza", "forza"]
