"""Analyses of finished matches over HTTP."""

from __future__ import annotations

from typing import Any

import pytest

from boardwire.api import studies
from boardwire.api.rate_limit import TokenBuckets
from boardwire.api.studies import Studies
from boardwire.bots.engine import SearchResult
from boardwire.bots.pool import NoAnswer, Rank
from boardwire.errors import Refused
from boardwire.store.analyses import MemoryAnalysisStore

from .api_fixture import ApiFixture, problem


class Thinkers:
    """Search workers that answer on demand."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []
        self.full = False

    def ask(self, *asked: Any) -> Any:
        if self.full:
            raise Refused("too many bots are thinking")
        self.asked.append(asked)
        return self

    def answer(self, count: int = 1) -> None:
        """Answer a number of questions with the first choice."""
        for _ in range(count):
            asked = self.asked[-1]
            asked[5](SearchResult((next(iter(asked[2].choices)),), 0.25, 2, 9))


@pytest.fixture
def thinkers(api: ApiFixture) -> Thinkers:
    found = Thinkers()
    api.context.studies = Studies(found, MemoryAnalysisStore(), lambda work: work())
    return found


def test_a_match_is_analysed_once_turn_by_turn_at_lower_priority_than_moves_and_kept(
    api: ApiFixture, thinkers: Thinkers
) -> None:
    match = api.tris().id
    path = f"/api/matches/{match}/analysis"
    first = api.client.get(path)
    assert first.status_code == 202
    assert first.json() == {"state": "running", "match": match, "done": 0, "turns": 5}
    assert thinkers.asked[0][6] is Rank.STUDY
    thinkers.answer(2)
    assert api.client.get(path).json()["done"] == 2
    assert len(thinkers.asked) == 3, "one question at a time"
    thinkers.answer(3)
    study = api.get(path)
    assert (study["state"], study["game"], study["sides"]) == ("done", "tris", [[0], [1]])
    assert [remark["seat"] for remark in study["remarks"]] == [0, 1, 0, 1, 0]
    assert study["remarks"][0]["played"] == [{"text": "0", "action": 0}]
    assert api.get(path) == study
    assert len(thinkers.asked) == 5


def test_an_unfinished_or_unknown_match_is_not_analysed(api: ApiFixture, thinkers: Thinkers) -> None:
    playing = api.tris(4)
    assert problem(api.client.get(f"/api/matches/{playing.id}/analysis"))["status"] == 409
    assert problem(api.client.get("/api/matches/nothing/analysis"))["status"] == 404
    assert thinkers.asked == []


def test_a_failed_analysis_is_discarded_and_can_be_requested_again(api: ApiFixture, thinkers: Thinkers) -> None:
    path = f"/api/matches/{api.tris().id}/analysis"
    api.client.get(path)
    thinkers.asked[-1][5](NoAnswer("it died"))
    assert api.client.get(path).json()["done"] == 0
    assert len(thinkers.asked) == 2
    thinkers.full = True
    thinkers.answer()
    thinkers.full = False
    api.client.get(path)
    assert len(thinkers.asked) == 3


def test_a_fault_in_an_analysis_frees_its_slot(
    api: ApiFixture, thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/api/matches/{api.tris().id}/analysis"
    with monkeypatch.context() as patch:
        patch.setattr(studies, "study_of", lambda *given: 1 / 0)
        api.client.get(path)
        thinkers.answer(5)
    assert api.client.get(path).json()["done"] == 0
    assert len(thinkers.asked) == 6, "it was begun again"


def test_analyses_at_once_and_per_address_are_limited(
    api: ApiFixture, thinkers: Thinkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studies, "MAX_ANALYSES", 2)
    monkeypatch.setattr(studies, "MAX_ANALYSES_PER_ADDRESS", 9)
    paths = [f"/api/matches/{api.tris().id}/analysis" for _ in range(4)]
    assert [api.client.get(path).status_code for path in paths] == [202, 202, 503, 503]
    thinkers.asked[0][5](NoAnswer("it died"))
    api.context.studies.allowances = TokenBuckets(1, 1e-6)
    assert [api.client.get(path).status_code for path in (paths[2], paths[0], paths[1])] == [202, 503, 202]
    thinkers.asked[1][5](NoAnswer("it died"))
    assert api.client.get(paths[0]).status_code == 429


def test_one_address_does_not_get_all_slots(api: ApiFixture, thinkers: Thinkers) -> None:
    paths = [f"/api/matches/{api.tris().id}/analysis" for _ in range(3)]
    assert [api.client.get(path).status_code for path in paths] == [202, 202, 503]
    assert "for your address" in problem(api.client.get(paths[2]))["detail"]
    assert api.context.studies.refusal("192.0.2.7") == "", "another one has room"
    assert api.client.get(paths[0]).status_code == 202, "what is under way is told to everybody"
    thinkers.asked[0][5](NoAnswer("it died"))
    assert api.client.get(paths[2]).status_code == 202


def test_a_server_without_thinkers_says_so(api: ApiFixture) -> None:
    api.context.studies = Studies(None, MemoryAnalysisStore(), lambda work: work())
    told = problem(api.client.get(f"/api/matches/{api.tris().id}/analysis"))
    assert told["status"] == 503
    assert "no bot workers" in told["detail"]
