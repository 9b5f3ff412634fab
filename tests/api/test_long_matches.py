"""Requests for a long match: work in short slices that others can interrupt, and that ends when its client goes."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from boardwire.api import conversations, import_export, match_cache, matches, reader_threads
from boardwire.api.conversations import WireQuery
from boardwire.api.import_export import ExportQuery
from boardwire.api.matches import MatchesQuery, MatchQuery, PartQuery
from boardwire.api.reader_threads import Cancelled, Readers
from boardwire.games.game import Outcome
from boardwire.proxy.stored_match import StoredConversations
from boardwire.table import events as ev

from ..endless import LOOPS, endless
from .api_fixture import ApiFixture

LONG = 9000
"""Events of the longest match that was ever made on purpose."""

MAX_STRETCH_CALLS = 10_000
"""Calls between two checks: some milliseconds, of which the event loop loses at most half a millisecond at a time."""

REQUESTS: dict[str, Callable[[Any, str], Any]] = {
    "the list": lambda api, name: matches.list_matches(api, MatchesQuery()),
    "the match": lambda api, name: matches.one_match(api, MatchQuery(name)),
    "events": lambda api, name: matches.match_events(api, PartQuery(name, 0, 500)),
    "steps": lambda api, name: matches.match_steps(api, PartQuery(name, 0, 500)),
    "the wire, seat 0": lambda api, name: conversations._reconstruct(
        api, StoredConversations(), WireQuery(name, seat=0)
    ),
    "the wire, seat 1": lambda api, name: conversations._reconstruct(
        api, StoredConversations(), WireQuery(name, seat=1)
    ),
}


def stored(api: ApiFixture, length: int, loop: str = "undo", *, over: bool = False) -> str:
    """Store a match of this length, as its players would have made it."""
    name = f"m{length}"
    events: list[ev.Event] = list(endless("tris", length, loop, name))
    if over:
        events.append(ev.Ended(float(length), Outcome("adjourned")))
    api.server.journal.append(name, 1, events, lambda result: None)
    return name


class Stretches:
    """Counts the calls between two checks."""

    def __init__(self) -> None:
        self.longest = self.checks = self._calls = 0

    def check(self) -> None:
        self.longest, self._calls = max(self.longest, self._calls), 0
        self.checks += 1

    def profile(self, frame: object, event: str, argument: object) -> None:
        self._calls += event in ("call", "c_call")


@contextmanager
def watched(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stretches]:
    """Count the calls between checks."""
    found = Stretches()
    for module in (match_cache, conversations, reader_threads):
        monkeypatch.setattr(module, "check", found.check)
    before = sys.getprofile()
    sys.setprofile(found.profile)
    try:
        yield found
    finally:
        sys.setprofile(before)
        found.check()
        monkeypatch.undo()


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("ask", REQUESTS.values(), ids=REQUESTS)
def test_no_stretch_of_work_grows_with_the_match(
    api: ApiFixture, monkeypatch: pytest.MonkeyPatch, ask: Callable[[Any, str], Any], loop: str
) -> None:
    longest = []
    for length in (400, 1200):
        name = stored(api, length, loop)
        with watched(monkeypatch) as work:
            ask(api.context, name)
        assert work.checks >= length / 100
        longest.append(work.longest)
    assert longest[1] < 1.6 * longest[0], "a part of the work has no check"
    assert longest[1] < MAX_STRETCH_CALLS


def test_an_export_has_no_long_stretch_either(api: ApiFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    name = stored(api, 2100, over=True)
    with watched(monkeypatch) as work:
        import_export.export_match(api.context, ExportQuery(name))
    assert work.longest < MAX_STRETCH_CALLS


@pytest.mark.parametrize("ask", REQUESTS.values(), ids=REQUESTS)
def test_work_ends_wherever_it_is_checked(
    api: ApiFixture, monkeypatch: pytest.MonkeyPatch, ask: Callable[[Any, str], Any]
) -> None:
    name = stored(api, 400)
    with watched(monkeypatch) as work:
        ask(api.context, name)
    for at in range(1, work.checks, max(1, work.checks // 7)):
        left = at

        def check() -> None:
            nonlocal left
            left -= 1
            if not left:
                raise Cancelled

        api.context.reader = match_cache.MatchReader(api.context.journal)
        for module in (match_cache, conversations, reader_threads):
            monkeypatch.setattr(module, "check", check)
        with pytest.raises(Cancelled):
            ask(api.context, name)
        monkeypatch.undo()


class Ticking:
    """CPU clock that advances by a millisecond at every reading."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        self.time += 0.001
        return self.time


class CountingReaders(Readers):
    """Readers that count the pauses of their work."""

    pauses = 0

    def pause(self, job: Any) -> None:
        self.pauses += 1
        super().pause(job)


def test_others_are_served_while_a_match_of_9000_events_is_read(
    api: ApiFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader_threads, "MAX_RUNNING", 1)
    monkeypatch.setattr(reader_threads, "BUDGET_SECONDS", 1e9)
    api.context.readers.close()
    readers = api.context.readers = CountingReaders(Ticking())
    long, short = stored(api, LONG), stored(api, 20)

    async def scenario() -> None:
        async with client("192.0.2.1") as greedy, client("192.0.2.2") as bystander:
            slow = asyncio.create_task(greedy.get(f"/api/matches/{long}/wire", params={"seat": 0}))
            async with asyncio.timeout(30):
                while not readers.pauses:
                    await asyncio.sleep(0.001)
            for number in range(20):
                answer = await bystander.get(f"/api/matches/{short}/events", params={"after": number})
                assert answer.status_code == 200
                assert not slow.done(), f"request {number} waited for the whole match"
            assert (await slow).status_code == 200
        assert readers.pauses > LONG / 100

    def client(address: str) -> httpx.AsyncClient:
        return httpx.AsyncClient(
            transport=httpx.ASGITransport(api.app, client=(address, 4711)), base_url="http://boardwire.test"
        )

    asyncio.run(scenario())
