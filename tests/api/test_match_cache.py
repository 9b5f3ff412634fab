"""Cost and cache of reading long matches."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from boardwire.api import conversations, match_cache, matches
from boardwire.api.conversations import EncodedConversation
from boardwire.api.matches import MatchQuery, PartQuery
from boardwire.api.problem import Problem
from boardwire.api.reader_threads import OverBudget
from boardwire.api.replay import steps_of
from boardwire.table.events import Event
from boardwire.table.ports import Check

from ..endless import calls, endless
from .api_fixture import ApiFixture, Client

ONE = {
    "events": lambda api, name: matches.match_events(api, PartQuery(name, 0, 1)),
    "events at the end": lambda api, name: matches.match_events(api, PartQuery(name, 150, 1)),
    "steps": lambda api, name: matches.match_steps(api, PartQuery(name, 0, 1)),
    "steps at the end": lambda api, name: matches.match_steps(api, PartQuery(name, 150, 1)),
    "the match": lambda api, name: matches.one_match(api, MatchQuery(name)),
}


def stored(api: ApiFixture, name: str, length: int, game: str = "santorini") -> str:
    """Store an endless match."""
    api.server.journal.append(name, 1, endless(game, length, name=name), lambda result: None)
    return name


@pytest.mark.parametrize("ask", ONE.values(), ids=ONE)
def test_a_page_of_a_long_match_costs_no_more_than_one_of_a_short_match(
    api: ApiFixture, ask: Callable[[Any, str], Any]
) -> None:
    short, long = stored(api, "short", 160), stored(api, "long", 640)
    for name in (short, long):
        ask(api.context, name)
    assert calls(lambda: ask(api.context, long)) < 1.2 * calls(lambda: ask(api.context, short))


@pytest.mark.parametrize("part", ["events", "steps"])
def test_a_growing_match_is_read_like_a_finished_one(api: ApiFixture, part: str) -> None:
    whole, path = endless("santorini", 300, "declined", "m1"), f"/api/matches/m1/{part}"
    api.server.journal.append("m1", 1, whole[:10], lambda result: None)
    for at in range(10, 300, 29):
        api.get(path)
        api.server.journal.append("m1", at + 1, whole[at : at + 29], lambda result: None)
    grown = api.get(path, limit=1000)
    api.server.journal.append("m2", 1, whole, lambda result: None)
    assert grown == api.get(f"/api/matches/m2/{part}", limit=1000)


def test_the_steps_of_the_longest_match_are_kept() -> None:
    told = steps_of(endless("santorini", 1000))
    assert 10 * told.size < match_cache.STEP_BYTES


@pytest.mark.parametrize("part", ["events", "steps"])
def test_a_request_over_its_budget_keeps_what_it_has_done(
    api: ApiFixture, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    stored(api, "m1", 500)
    left = 28  # reading, the summary and reading again take 25 checks

    def check() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OverBudget

    monkeypatch.setattr(match_cache, "check", check)
    ask = matches.match_events if part == "events" else matches.match_steps
    with pytest.raises(Problem) as told:
        ask(api.context, PartQuery("m1"))
    assert (told.value.status, told.value.headers) == (503, {"Retry-After": "1"})
    left = 11
    assert len(getattr(ask(api.context, PartQuery("m1", 0, 1)), part)) == 1


class Counting:
    """Source of conversations that counts its calls."""

    def __init__(self) -> None:
        self.told = 0

    def dialects(self, game: str) -> tuple[str, ...]:
        return ("native",)

    def reconstruct(
        self, events: Sequence[Event], dialect: str, seat: int, to: int, check: Check
    ) -> EncodedConversation:
        self.told += 1
        return EncodedConversation(
            tuple(msgspec.json.encode({"seq": seq, "text": "x" * 1000}) for seq in range(1, to + 1))
        )


def test_a_conversation_is_made_once_for_all_who_ask_and_all_its_parts(api: ApiFixture) -> None:
    clinic = Counting()
    api.context.conversations = conversations.Conversations(clinic)
    path = f"/api/matches/{stored(api, 'm1', 2000, 'tris')}/wire"
    answers = api.client.together(*[("GET", path, {"params": {"seat": 0}})] * 5)
    assert [answer.status_code for answer in answers] == [200] * 5
    assert clinic.told == 1
    after, numbers = 0, list[int]()
    while after is not None:
        part = api.get(path, after=after)
        numbers += [entry["seq"] for entry in part["entries"]]
        after = part["next"]
    assert numbers == list(range(1, 2001))
    assert [entry["seq"] for entry in api.get(path, to=7)["entries"]] == [1, 2, 3, 4, 5, 6, 7]
    assert api.get(path, to=7)["next"] is None
    assert clinic.told == 1


def test_one_address_that_asks_much_leaves_places_for_others(api: ApiFixture) -> None:
    path = f"/api/matches/{stored(api, 'm1', 50, 'tris')}/events"
    greedy = api.client.together(*[("GET", path, {"params": {"after": number}}) for number in range(150)])
    assert {answer.status_code for answer in greedy} <= {200, 503}
    other = Client(api.app, "198.51.100.7")
    try:
        assert other.get(path).status_code == 200
    finally:
        other.close()
