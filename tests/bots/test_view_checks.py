"""Views that no match can show: each is named, and the greedy bot chooses instead of the engine."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from boardwire.bots.bot import decision_for
from boardwire.bots.engine import Past, SearchLimits, SearchResult, Stop
from boardwire.bots.levels import Level, consider
from boardwire.bots.view_checks import flaw
from boardwire.games import eriantys, forza, santorini, tris
from boardwire.games.game import CHANCE, AnyGame, Below, Decision, Draw


class Engine:
    """An engine that says what it was told to, and counts how often it is asked."""

    name = "told"

    def __init__(self, *turn: Any) -> None:
        self._turn = turn
        self.asked = 0

    def think(
        self, view: Any, decision: Decision[Any], below: Below, limits: SearchLimits, stop: Stop, past: Past = ()
    ) -> SearchResult:
        self.asked += 1
        return SearchResult(self._turn, 0.0, 1, 1)


def begun(game: AnyGame, options: Any, seats: int = 2, steps: int = 12) -> tuple[Any, Decision[Any]]:
    """A view some steps into a random match, and what is asked there."""
    luck, position = Random(7), game.new(options, seats)
    while True:
        decision = game.pending(position)
        assert decision is not None
        seat, choices = decision.seats[0], decision.choices
        if seat != CHANCE and steps <= 0 and len(choices) > 1:
            return game.view(position, seat), decision_for(decision, seat)
        action = choices.draw(luck.randrange) if isinstance(choices, Draw) else luck.choice(tuple(choices))
        position, _ = game.apply(position, seat, action)
        steps -= 1


TRIS = begun(tris, tris.Options(), steps=2)
FORZA = begun(forza, forza.Options(), steps=5)
SANTORINI = begun(santorini, santorini.Options())
ERIANTYS = begun(eriantys, eriantys.Options(eriantys.Mode.EXPERT))


def islands(count: int) -> dict[str, Any]:
    """Fewer islands than there are tiles for."""
    return {"islands": ERIANTYS[0].islands[:count]}


def board(**changes: Any) -> dict[str, Any]:
    first, *rest = ERIANTYS[0].boards
    return {"boards": (replace(first, **changes), *rest)}


def side(towers: int) -> dict[str, Any]:
    first, *rest = ERIANTYS[0].sides
    return {"sides": (replace(first, towers=towers), *rest)}


@pytest.mark.parametrize(
    ("known", "changes", "words"),
    [
        (TRIS, {"cells": (None,) * 8}, "8 cells"),
        (TRIS, {"cells": (2, *[None] * 8)}, "a seat that does not exist"),
        (TRIS, {"cells": (0,) * 9}, "but not free"),
        (FORZA, {"cells": (None,) * 41}, "41 cells"),
        (FORZA, {"cells": (*[None] * 14, 0, *[None] * 27)}, "a disc of column 0 has a free cell below it"),
        (FORZA, {"cells": (0,) * 42}, "offered but full"),
        (SANTORINI, {"levels": (0,) * 24}, "24 squares"),
        (SANTORINI, {"levels": (5, *[0] * 24)}, "higher than 3"),
        (SANTORINI, {"domes": (25,)}, "not on the board"),
        (SANTORINI, {"acting": 25}, "not on the board"),
        (SANTORINI, {"workers": ((3, 4), (4, 5))}, "two workers on one square"),
        (SANTORINI, {"workers": ((3, 4),)}, "workers of 1 sides"),
        (SANTORINI, {"workers": ((3, 4), (7, 31))}, "a worker that is not on the board"),
        (SANTORINI, {"workers": ((3, 4), (7, 8)), "acting": 9}, "the acting worker"),
        (SANTORINI, {"memos": ()}, "0 memos"),
        (SANTORINI, {"order": (0, 2)}, "a seat that does not exist"),
        (SANTORINI, {"powers": ()}, "0 seats"),
        (ERIANTYS, islands(11), "islands of 11 tiles"),
        (ERIANTYS, islands(0), "islands of 0 tiles"),
        (ERIANTYS, {"islands": ERIANTYS[0].islands[::-1]}, "the order of the ring"),
        (ERIANTYS, {"mother_nature": 12}, "mother nature"),
        (ERIANTYS, {"boards": ERIANTYS[0].boards[:1]}, "1 boards"),
        (ERIANTYS, {"order": (0, 0)}, "twice"),
        (ERIANTYS, {"first": 2}, "a seat that does not exist"),
        (ERIANTYS, {"clouds": ((0,) * 5,) * 3}, "3 clouds"),
        (ERIANTYS, {"moves": 0}, "of 0 students"),
        (ERIANTYS, {"moved": 9}, "students moved"),
        (ERIANTYS, {"bag": (0, 0, 0, 0)}, "5 colours"),
        (ERIANTYS, {"steps": -1}, "negative number"),
        (ERIANTYS, board(entrance=(-1, 0, 0, 0, 0)), "impossible number of students"),
        (ERIANTYS, board(side=2), "a side that does not exist"),
        (ERIANTYS, board(hand=(11,)), "outside 1 to 10"),
        (ERIANTYS, side(9), "more than 8"),
        (ERIANTYS, {"characters": ERIANTYS[0].characters[:1] * 2}, "a repeated character"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_view_is_named_and_the_engine_is_not_asked(
    known: tuple[Any, Decision[Any]], changes: dict[str, Any], words: str
) -> None:
    view, decision = known
    assert flaw(view, decision) == ""
    wrong, engine = replace(view, **changes), Engine()
    assert words in flaw(wrong, decision)
    thought = consider(engine, wrong, decision, Random(1).randrange, Level(10), bool)
    assert thought.turn[0] in decision.choices
    assert words in thought.fallback_reason
    assert engine.asked == 0


@pytest.mark.parametrize("turn", [(), (99,)])
def test_an_engine_that_chooses_what_is_not_on_offer_is_not_believed(turn: tuple[int, ...]) -> None:
    view, decision = TRIS
    thought = consider(Engine(*turn), view, decision, Random(1).randrange, Level(10), bool)
    assert thought.turn[0] in decision.choices
    assert "is not a legal choice" in thought.fallback_reason


def test_an_engine_that_chooses_from_the_offer_is_believed() -> None:
    view, decision = TRIS
    choice = tuple(decision.choices)[-1]
    thought = consider(Engine(choice), view, decision, Random(1).randrange, Level(10), bool)
    assert (thought.turn, thought.fallback_reason) == ((choice,), "")


def test_a_game_without_a_module_has_no_checks() -> None:
    assert flaw(object(), TRIS[1]) == ""
