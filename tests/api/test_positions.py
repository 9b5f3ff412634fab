"""Positions of the analysis board over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from boardwire.api import positions, studies
from boardwire.bots.engine import SearchResult
from boardwire.bots.pool import Rank
from boardwire.errors import Refused

from .api_fixture import ApiFixture, api_fixture, problem

WON = "0000000000002300000000000/1/mortal:C3,A1/mortal:E1,E5"


def stand(api: ApiFixture, **asked: Any) -> Any:
    """Return a valid position."""
    answer = api.client.post("/api/positions", json=asked)
    assert answer.status_code == 200, answer.text
    return answer.json()


class Thinkers:
    """Search workers that answer at once with the first choice."""

    def __init__(self, answer: Any = None) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.answer = answer

    def ask(
        self, game: str, view: Any, decision: Any, level: Any, seed: int, done: Any, rank: Rank, address: str
    ) -> Any:
        self.asked.append((game, decision, level, rank, address))
        done(self.answer or SearchResult((next(iter(decision.choices)),), 0.25, 3, 99, (), 0))
        return self


@pytest.mark.parametrize("game", ["tris", "forza", "santorini", "eriantys"])
def test_every_game_has_a_first_position(api: ApiFixture, game: str) -> None:
    found = stand(api, game=game)
    assert (found["game"], found["seats"]) == (game, 2)
    assert found["choices"]
    assert found["seat"] in range(found["seats"])


def test_a_position_in_notation_is_played_on_step_by_step(api: ApiFixture) -> None:
    found = stand(api, game="santorini", position=WON)
    assert (found["seat"], found["seats"], found["notation"]) == (0, 2, WON)
    assert found["sides"] == [[0], [1]]
    assert found["options"]["position"] == WON
    half = stand(api, game="santorini", position=WON, steps=[{"do": "C3>B3"}])
    assert (half["notation"], half["kind"]) == (None, "go_on")
    assert half["steps"] == [{"do": "C3>B3", "seat": 0}]
    after = stand(api, game="santorini", position=WON, steps=[{"do": "C3>B3"}, {"do": "B3^B4"}])
    assert after["seat"] == 1
    assert after["notation"].split("/")[1] == "2"
    over = stand(api, game="santorini", position=WON, steps=[{"do": "C3>D3"}])
    assert (over["seat"], over["choices"], over["outcome"]["winners"]) == (None, [], [0])


def test_chance_is_drawn_where_it_is_open_and_always_in_the_same_way(api: ApiFixture) -> None:
    begun = stand(api, game="eriantys", seats=3)
    assert begun["kind"] == "assistant"
    assert len(begun["steps"]) > 3  # the set-up
    assert "seat" not in begun["steps"][0]
    assert stand(api, game="eriantys", seats=3) == begun
    again = stand(api, game="eriantys", seats=3, steps=begun["steps"])
    assert (again["view"], again["steps"]) == (begun["view"], begun["steps"])
    one = stand(api, game="eriantys", seats=3, steps=[{"do": "assistant 4"}])  # pasted without the draws
    assert one["steps"] == [*begun["steps"], {"do": "assistant 4", "seat": begun["seat"]}]
    assert stand(api, game="eriantys", position=one["notation"])["view"] == one["view"]


def test_every_position_of_an_exported_match_can_be_asked_for(api: ApiFixture) -> None:
    match = api.sit("eriantys").wander(3)
    record = api.get(f"/api/matches/{match.id}/export")
    steps = [{key: value for key, value in step.items() if key != "t"} for step in record["steps"]]
    for count in range(0, len(steps), 25):
        found = stand(api, game="eriantys", options=record["options"], seats=2, steps=steps[:count])
        assert found["steps"][:count] == steps[:count]
    over = stand(api, game="eriantys", options=record["options"], seats=2, steps=steps)
    assert over["outcome"]["winners"] == record["outcome"]["winners"]


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"game": "chess"}, 422),
        ({"game": "tris", "position": "rubbish"}, 422),
        ({"game": "tris", "position": "xxx/ooo/... x"}, 422),
        ({"game": "tris", "steps": [{"do": "9"}]}, 422),
        ({"game": "tris", "steps": [{"do": "1", "seat": 1}]}, 422),
        ({"game": "tris", "steps": [{"do": "1"}, {"do": "1"}]}, 422),
        ({"game": "tris", "seats": 5}, 422),
        ({"game": "tris", "options": {"start": 7}}, 422),
        ({"game": "tris", "unknown": 1}, 422),
        ({"game": "tris", "steps": [{"do": "1"}] * 2001}, 422),
        ({"game": "tris", "position": "x" * 5000}, 422),
        ({"game": "eriantys", "position": "mode = rubbish"}, 422),
        ({"game": "eriantys", "position": "players = 9"}, 422),
        ({"game": "eriantys", "position": "owner 0 = pink"}, 422),
        ({"game": "eriantys", "position": "turn = Z"}, 422),
        ({"game": "santorini", "position": "0/1/zorro:A1"}, 422),
        ({"game": "forza", "position": "x....../......./......./......./......./....... o"}, 422),
    ],
)
def test_an_impossible_record_is_refused_with_a_reason(api: ApiFixture, asked: Any, status: int) -> None:
    told = problem(api.client.post("/api/positions", json=asked))
    assert told["status"] == status
    assert told["detail"]


def test_only_json_of_some_size_is_read(api: ApiFixture) -> None:
    assert problem(api.client.post("/api/positions", content=b"game=tris"))["status"] == 415
    large = b'{"game":"' + b"x" * positions.POSITION_BODY_LIMIT + b'"}'
    answer = api.client.post("/api/positions", content=large, headers={"Content-Type": "application/json"})
    assert problem(answer)["status"] == 413
    answer = api.client.post("/api/positions", content=b"{", headers={"Content-Type": "application/json"})
    assert problem(answer)["status"] == 422


@contextmanager
def thinking(tmp_path: Path, thinkers: Any) -> Iterator[ApiFixture]:
    """Yield a server with these search workers."""
    with api_fixture(tmp_path / "page", thinkers=thinkers) as api:
        yield api


def test_a_search_runs_as_an_analysis_for_the_address_that_asks(tmp_path: Path) -> None:
    thinkers = Thinkers()
    asked = {"game": "forza", "steps": [{"do": "4"}], "without": ["1"]}
    with thinking(tmp_path, thinkers) as api:
        found = api.client.post("/api/positions/search", json=asked).json()
        deep = api.client.post("/api/positions/search", json={"game": "forza", "deep": True})
    assert (found["seat"], found["value"], found["engine"]) == (1, 0.25, "forza")
    assert found["best"] == [{"text": "2", "action": 1}]
    assert deep.status_code == 200
    (_, decision, level, rank, address), (_, _, more, _, _) = thinkers.asked
    assert (decision.seats, rank, address) == ((1,), Rank.STUDY, "192.0.2.1")
    assert more.nodes > level.nodes
    assert more.seconds == positions.DEEP_SECONDS


def test_there_is_nothing_to_search_at_the_end_or_without_a_choice(tmp_path: Path) -> None:
    over = {"game": "santorini", "position": WON, "steps": [{"do": "C3>D3"}]}
    full = {"game": "tris", "position": "xox/xox/ox. x", "without": ["8"]}
    unreadable = {"game": "tris", "position": "?"}
    with thinking(tmp_path, Thinkers()) as api:
        for asked, status in ((over, 409), (full, 409), (unreadable, 422)):
            assert problem(api.client.post("/api/positions/search", json=asked))["status"] == status


def test_searches_are_limited_per_address(tmp_path: Path) -> None:
    with thinking(tmp_path, Thinkers(Refused("the queue for bots is full"))) as api:
        assert problem(api.client.post("/api/positions/search", json={"game": "tris"}))["status"] == 503
        for _ in range(studies.SEARCH_BURST - 1):
            api.context.studies.search_allowances.take("192.0.2.1")
        assert problem(api.client.post("/api/positions/search", json={"game": "tris"}))["status"] == 429


def test_only_some_searches_of_an_address_wait_or_run_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with thinking(tmp_path, Thinkers()) as api:
        monkeypatch.setattr(studies, "MAX_SEARCHES_PER_ADDRESS", 1)
        for _ in range(2):  # one after the other
            assert api.client.post("/api/positions/search", json={"game": "tris"}).status_code == 200
        monkeypatch.setattr(studies, "MAX_SEARCHES_PER_ADDRESS", 0)
        told = problem(api.client.post("/api/positions/search", json={"game": "tris"}))
        assert (told["status"], told["detail"][:12]) == (503, "0 positions ")


def test_without_thinkers_no_position_is_searched(tmp_path: Path) -> None:
    with thinking(tmp_path, None) as api:
        assert problem(api.client.post("/api/positions/search", json={"game": "tris"}))["status"] == 503


@pytest.mark.parametrize(("path", "place"), [("/analysis", "./#/analysis"), ("/analysis/forza", "../#/analysis/forza")])
def test_the_plain_address_of_the_analysis_board_leads_to_the_page(api: ApiFixture, path: str, place: str) -> None:
    answer = api.client.get(path)
    assert (answer.status_code, answer.headers["location"]) == (307, place)
    assert api.client.get("/analysis/chess").status_code == 404
