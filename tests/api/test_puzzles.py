"""Puzzles over HTTP."""

from __future__ import annotations

import pytest

from boardwire.api import puzzles as routes
from boardwire.bots import puzzles
from boardwire.bots.puzzles import Puzzle, of_the_day, puzzles_of
from boardwire.games.santorini.line import Line

from .api_fixture import ApiFixture, problem

WON = Puzzle("one", "0000000000002300000000000/1/mortal:C3,A1/mortal:E1,E5", 1, ("C3>D3",), 1)
OTHER = Puzzle("two", "0000000000003200000000000/2/mortal:A1,A2/mortal:D3,E5", 1, ("D3>C3",), 1)


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(routes, "puzzles", lambda: (WON, OTHER))
    monkeypatch.setattr(puzzles, "puzzles_of", lambda game: (WON, OTHER) if game == "santorini" else ())


def test_the_puzzles_are_listed_with_the_puzzle_of_the_day(api: ApiFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwire.api.puzzles.time.time", lambda: 86_400.0)
    found = api.get("/api/puzzles")
    assert found["puzzles"][0] == {
        "id": "one", "game": "santorini", "turns": 1, "grade": 1, "goal": "win", "themes": [],
    }  # fmt: skip
    assert found["today"] is None  # the day of another game
    assert found["daily"] == {"santorini": "two"}
    monkeypatch.setattr("boardwire.api.puzzles.time.time", lambda: 0.0)
    assert api.get("/api/puzzles")["today"] == api.get("/api/puzzles/today")["id"] == "one"


def test_a_puzzle_has_its_board_and_the_winning_turn(api: ApiFixture) -> None:
    found = api.get("/api/puzzles/one")
    assert (found["seat"], found["seats"], found["position"]) == (0, 2, WON.position)
    assert found["view"]["levels"][13] == 3
    assert [move["text"] for move in found["solution"]] == ["C3>D3"]
    assert api.get("/api/puzzles/two")["seat"] == 1
    assert Line(WON.position).play("C3>D3").winners == (0,)


def test_an_unknown_puzzle_is_not_found(api: ApiFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    assert problem(api.client.get("/api/puzzles/three"))["status"] == 404
    assert problem(api.client.get("/api/puzzles/no%20name"))["status"] == 422
    monkeypatch.setattr(routes, "puzzles", lambda: ())
    monkeypatch.setattr(puzzles, "puzzles_of", lambda game: ())
    assert api.get("/api/puzzles") == {"puzzles": [], "today": None, "daily": {}}
    assert problem(api.client.get("/api/puzzles/today"))["status"] == 404


def test_every_day_has_another_puzzle() -> None:
    found = [of_the_day(day, "santorini") for day in range(2)]
    assert set(found) == {WON, OTHER}


def test_a_turn_is_tried_step_by_step_and_judged_by_the_rules(api: ApiFixture) -> None:
    begun = api.get("/api/puzzles/one/try")
    assert (begun["verdict"], begun["won"]) == ("open", False)
    assert "C3>D3" in [choice["text"] for choice in begun["choices"]]
    won = api.get("/api/puzzles/one/try", played="C3>D3")
    assert (won["verdict"], won["won"], won["choices"]) == ("right", True, [])
    half = api.get("/api/puzzles/one/try", played="C3>B3")
    assert half["verdict"] == "open"
    over = api.get("/api/puzzles/one/try", played=f"C3>B3;{half['choices'][0]['text']}")
    assert (over["verdict"], over["choices"]) == ("wrong", [])


@pytest.mark.parametrize("played", ["C3>E3", "rubbish", ";".join(["C3>B3"] * 25), "C3>D3;D3+C3"])
def test_impossible_steps_are_refused(api: ApiFixture, played: str) -> None:
    assert problem(api.client.get("/api/puzzles/one/try", params={"played": played}))["status"] == 422


def test_after_a_right_first_turn_the_defence_answers_and_any_other_turn_is_wrong(
    api: ApiFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    longer = next(one for one in puzzles_of("santorini") if one.turns == 2)
    monkeypatch.setattr(routes, "puzzles", lambda: (longer,))
    after = api.get(f"/api/puzzles/{longer.id}/try", played=";".join(longer.solution))
    assert (after["verdict"], after["left"]) == ("open", 1)
    assert after["reply"]
    begun = api.get(f"/api/puzzles/{longer.id}/try")
    first = next(choice["text"] for choice in begun["choices"] if choice["text"] != longer.solution[0])
    half = api.get(f"/api/puzzles/{longer.id}/try", played=first)
    other = api.get(f"/api/puzzles/{longer.id}/try", played=f"{first};{half['choices'][0]['text']}")
    assert (other["verdict"], other["reply"]) == ("wrong", [])


@pytest.mark.parametrize("game", ["forza", "eriantys"])
def test_the_other_games_have_puzzles_too(api: ApiFixture, monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    one = puzzles_of(game)[0]
    monkeypatch.setattr(routes, "puzzles", lambda: (one,))
    assert api.get(f"/api/puzzles/{one.id}")["game"] == game
    solved = api.get(f"/api/puzzles/{one.id}/try", played=";".join(one.solution))
    assert solved["verdict"] == ("right" if one.turns == 1 else "open")
    if game == "eriantys":
        assert solved["value"] == solved["best"]
