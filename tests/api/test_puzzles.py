"""Puzzles over HTTP."""

from __future__ import annotations

import pytest

from boardwire.api import puzzles as api
from boardwire.bots import puzzles
from boardwire.bots.puzzles import Puzzle, of_the_day
from boardwire.games.santorini.line import Line

from .office import Office, problem

WON = Puzzle("one", "0000000000002300000000000/1/mortal:C3,A1/mortal:E1,E5", 1, ("C3>D3",), 1)
OTHER = Puzzle("two", "0000000000003200000000000/2/mortal:A1,A2/mortal:D3,E5", 1, ("D3>C3",), 1)


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (api, puzzles):
        monkeypatch.setattr(module, "puzzles", lambda: (WON, OTHER))


def test_the_puzzles_are_listed_with_that_of_the_day(desk: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwire.api.puzzles.time.time", lambda: 86_400.0)
    found = desk.get("/api/puzzles")
    assert found["puzzles"][0] == {"id": "one", "game": "santorini", "turns": 1, "grade": 1}
    assert found["today"] == "two"
    assert desk.get("/api/puzzles/today")["id"] == "two"


def test_a_puzzle_is_told_with_its_board_and_the_turn_that_wins(desk: Office) -> None:
    found = desk.get("/api/puzzles/one")
    assert (found["seat"], found["seats"], found["position"]) == (0, 2, WON.position)
    assert found["view"]["levels"][13] == 3
    assert [move["text"] for move in found["solution"]] == ["C3>D3"]
    assert desk.get("/api/puzzles/two")["seat"] == 1
    assert Line(WON.position).play("C3>D3").winners == (0,)


def test_a_puzzle_that_is_not_there_is_not_found(desk: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    assert problem(desk.client.get("/api/puzzles/three"))["status"] == 404
    assert problem(desk.client.get("/api/puzzles/no%20name"))["status"] == 422
    monkeypatch.setattr(api, "puzzles", lambda: ())
    monkeypatch.setattr(puzzles, "puzzles", lambda: ())
    assert desk.get("/api/puzzles") == {"puzzles": [], "today": None}
    assert problem(desk.client.get("/api/puzzles/today"))["status"] == 404


def test_every_day_has_another_puzzle() -> None:
    found = [of_the_day(day) for day in range(2)]
    assert set(found) == {WON, OTHER}
