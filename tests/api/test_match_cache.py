"""What it costs to read a long match, and what is kept of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from boardwire.api import conversations, match_cache, matches
from boardwire.api.conversations import Told
from boardwire.api.matches import MatchQuery, PartQuery
from boardwire.api.problem import Problem
from boardwire.api.reader_threads import OverBudget
from boardwire.api.replay import steps_of
from boardwire.table.events import Event

from ..endless import calls, endless  # noqa: TID252 - tests are no installed package
from .office import Client, Office

ONE = {
    "events": lambda desk, name: matches.match_events(desk, PartQuery(name, 0, 1)),
    "events at the end": lambda desk, name: matches.match_events(desk, PartQuery(name, 150, 1)),
    "steps": lambda desk, name: matches.match_steps(desk, PartQuery(name, 0, 1)),
    "steps at the end": lambda desk, name: matches.match_steps(desk, PartQuery(name, 150, 1)),
    "the match": lambda desk, name: matches.one_match(desk, MatchQuery(name)),
}


def stored(desk: Office, name: str, length: int, game: str = "santorini") -> str:
    """Store an endless match."""
    desk.house.journal.append(name, 1, endless(game, length, name=name), lambda result: None)
    return name


@pytest.mark.parametrize("ask", ONE.values(), ids=ONE)
def test_a_page_of_a_long_match_costs_no_more_than_one_of_a_short_match(
    desk: Office, ask: Callable[[Any, str], Any]
) -> None:
    short, long = stored(desk, "short", 160), stored(desk, "long", 640)
    for name in (short, long):
        ask(desk.desk, name)
    assert calls(lambda: ask(desk.desk, long)) < 1.2 * calls(lambda: ask(desk.desk, short))


@pytest.mark.parametrize("part", ["events", "steps"])
def test_a_match_that_goes_on_is_told_as_one_that_is_read_at_once(desk: Office, part: str) -> None:
    whole, path = endless("santorini", 300, "declined", "m1"), f"/api/matches/m1/{part}"
    desk.house.journal.append("m1", 1, whole[:10], lambda result: None)
    for at in range(10, 300, 29):
        desk.get(path)
        desk.house.journal.append("m1", at + 1, whole[at : at + 29], lambda result: None)
    grown = desk.get(path, limit=1000)
    desk.house.journal.append("m2", 1, whole, lambda result: None)
    assert grown == desk.get(f"/api/matches/m2/{part}", limit=1000)


def test_the_steps_of_the_longest_match_are_kept() -> None:
    told = steps_of(endless("santorini", 1000))
    assert 10 * told.size < match_cache.STEP_BYTES


@pytest.mark.parametrize("part", ["events", "steps"])
def test_a_request_over_its_budget_keeps_what_it_has_done(
    desk: Office, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    stored(desk, "m1", 500)
    left = 3

    def check() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise OverBudget

    monkeypatch.setattr(match_cache, "check", check)
    ask = matches.match_events if part == "events" else matches.match_steps
    with pytest.raises(Problem) as told:
        ask(desk.desk, PartQuery("m1"))
    assert (told.value.status, told.value.headers) == (503, {"Retry-After": "1"})
    left = 3
    assert len(getattr(ask(desk.desk, PartQuery("m1", 0, 1)), part)) == 1


class Counting:
    """A clinic that counts what it tells."""

    def __init__(self) -> None:
        self.told = 0

    def dialects(self, game: str) -> tuple[str, ...]:
        return ("native",)

    def retell(self, events: Sequence[Event], dialect: str, seat: int, to: int, check: conversations.Check) -> Told:
        self.told += 1
        return Told(tuple(msgspec.json.encode({"seq": seq, "text": "x" * 1000}) for seq in range(1, to + 1)))


def test_a_conversation_is_made_once_for_all_who_ask_and_all_its_parts(desk: Office) -> None:
    clinic = Counting()
    desk.desk.conversations = conversations.Conversations(clinic)
    path = f"/api/matches/{stored(desk, 'm1', 2000, 'tris')}/wire"
    answers = desk.client.together(*[("GET", path, {"params": {"seat": 0}})] * 5)
    assert [answer.status_code for answer in answers] == [200] * 5
    assert clinic.told == 1
    after, numbers = 0, list[int]()
    while after is not None:
        part = desk.get(path, after=after)
        numbers += [entry["seq"] for entry in part["entries"]]
        after = part["next"]
    assert numbers == list(range(1, 2001))
    assert [entry["seq"] for entry in desk.get(path, to=7)["entries"]] == [1, 2, 3, 4, 5, 6, 7]
    assert desk.get(path, to=7)["next"] is None
    assert clinic.told == 1


def test_one_address_that_asks_much_leaves_places_for_others(desk: Office) -> None:
    path = f"/api/matches/{stored(desk, 'm1', 50, 'tris')}/events"
    greedy = desk.client.together(*[("GET", path, {"params": {"after": number}}) for number in range(150)])
    assert {answer.status_code for answer in greedy} <= {200, 503}
    other = Client(desk.app, "198.51.100.7")
    try:
        assert other.get(path).status_code == 200
    finally:
        other.close()
