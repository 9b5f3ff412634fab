"""Turns and forecasts of Eriantys in words."""

from __future__ import annotations

from random import Random

import pytest

from boardwire.bots.engine import SearchLimits
from boardwire.bots.eriantys import ENGINE, Forecast, IslandForecast
from boardwire.bots.eriantys.words import describe_forecast, describe_step
from boardwire.bots.levels import Level, consider
from boardwire.bots.worker_messages import decode_result, encode_result
from boardwire.games import eriantys
from boardwire.games.eriantys.diagram import parse_position
from boardwire.games.eriantys.notation import parse_action

POSITION = parse_position("mother-nature = 10; group 0 = 0 1; owner 0 = white; island 3 = red 2")
VIEW = eriantys.view(POSITION, 0)


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ("assistant 3", "play assistant 3"),
        ("hall red", "red to the dining room"),
        ("island blue 5", "blue to island 5"),
        ("steps 1", "mother nature 1 step, to island 11"),
        ("steps 3", "mother nature 3 steps, to island 2"),
        ("cloud 1", "take cloud 1"),
        ("swap red for blue", "red for blue"),
        ("done", "end the turn"),
        ("monk red 5", "use the monk: red to island 5"),
        ("herald 5", "use the herald on island 5"),
        ("mushroom red", "use the mushroom: red"),
        ("jester red for blue", "use the jester: red for blue"),
        ("knight", "use the knight"),
    ],
)
def test_a_step_is_said_in_words(step: str, words: str) -> None:
    action = parse_action(step)
    assert describe_step(action, VIEW) == words
    assert describe_step(action) == words.split(", to island")[0]


def test_a_forecast_is_told_by_side_and_by_island_that_may_change_hands() -> None:
    quiet = [IslandForecast(island.tiles[0], (0.0, 0.0), (0.0, 0.0)) for island in VIEW.islands]
    at = next(n for n, island in enumerate(VIEW.islands) if 3 in island.tiles)
    quiet[0] = IslandForecast(0, (2.0, 0.0), (1.0, 0.0))  # stays whose it is
    quiet[at] = IslandForecast(3, (2.5, 0.5), (0.04, 0.75))
    found = Forecast((0.6, 0.4), (2, 0), (2.0, 0.75), tuple(quiet))
    assert list(describe_forecast(VIEW, found)) == [
        "white: 60% to win; towers on islands 2 now, 2.0 at the end of the round",
        "black: 40% to win; towers on islands 0 now, 0.8 at the end of the round",
        "island 3: goes to black 75%; influence then white 2.5, black 0.5",
    ]


def test_a_thought_foresees_the_round_where_that_is_asked_for_and_tells_it_through_a_pipe() -> None:
    decision = eriantys.pending(POSITION)
    assert decision is not None
    plain = ENGINE.think(VIEW, decision, Random(1).randrange, SearchLimits(200), bool)
    assert plain.forecast is None
    thought = consider(ENGINE, VIEW, decision, Random(1).randrange, Level(200, samples=3), bool)
    assert len(thought.forecast["islands"]) == len(VIEW.islands)
    assert sum(thought.forecast["chances"]) == pytest.approx(1, abs=0.01)
    assert decode_result(encode_result(1, thought), "eriantys") == thought
