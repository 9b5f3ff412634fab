"""Rules for every request: limits, headers, faults."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send
from structlog.testing import capture_logs

from boardwire.api import guard, rate_limit
from boardwire.api.app import application
from boardwire.api.guard import HEADERS, Guard
from boardwire.api.rate_limit import TokenBuckets
from boardwire.errors import Refused
from boardwire.logs import PEER_LOG_LINES
from boardwire.net.origins import site
from boardwire.table.ports import MatchFilter

from .api_fixture import ApiFixture, Client, api_fixture, problem


@pytest.mark.parametrize("path", ["/", "/api/games", "/nothing", "/healthz", "/metrics"])
def test_every_answer_has_the_headers_that_keep_a_page_safe(api: ApiFixture, path: str) -> None:
    answer = api.client.get(path, headers={"Origin": "https://elsewhere.example"})
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert not [name for name in answer.headers if name.startswith("access-control-")]


def test_the_page_may_load_only_its_own_files() -> None:
    policy = dict(part.split(" ", 1) for part in guard.POLICY.split("; "))
    assert policy["default-src"] == policy["frame-ancestors"] == "'none'"
    assert policy["script-src"] == policy["connect-src"] == "'self'"


def test_an_address_over_its_limit_waits_and_others_do_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "REQUEST_BURST", 3)
    monkeypatch.setattr(guard, "REQUESTS_PER_SECOND", 0.001)
    with api_fixture(tmp_path, limited=True) as place:
        answers = [place.client.get("/healthz") for _ in range(4)]
        assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
        assert problem(answers[-1])["type"] == "urn:boardwire:problem:too-many-requests"
        assert answers[-1].headers["retry-after"] == "1"
        other = Client(place.app, "198.51.100.7")
        assert other.get("/healthz").status_code == 200
        other.close()


def test_a_request_for_the_metrics_counts_for_ten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "REQUEST_BURST", 25)
    monkeypatch.setattr(guard, "REQUESTS_PER_SECOND", 0.001)
    with api_fixture(tmp_path, limited=True) as place:
        assert [place.client.get("/metrics").status_code for _ in range(3)] == [200, 200, 429]
        assert [place.client.get("/healthz").status_code for _ in range(6)] == [200] * 5 + [429]


def test_an_allowance_is_refilled_over_time() -> None:
    now = 0.0
    allowances = TokenBuckets(2, 10.0, lambda: now)
    assert [allowances.take("a") for _ in range(3)] == [True, True, False]
    now = 0.1
    assert [allowances.take("a") for _ in range(2)] == [True, False]
    now = 100.0
    assert [allowances.take("a") for _ in range(3)] == [True, True, False]


@pytest.mark.parametrize(
    ("rate", "words"),
    [
        (50.0, "at most 5 at once, then 50 a second"),
        (0.5, "at most 5 at once, then one every 2 seconds"),
        (1 / 600, "at most 5 at once, then one every 600 seconds"),
    ],
)
def test_a_limit_is_described_in_words(rate: float, words: str) -> None:
    assert TokenBuckets(5, rate).limit == words


def test_addresses_are_not_looked_through_at_every_request(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MAX_BUCKETS", 2)
    now = 0.0
    forgets: list[float] = []
    allowances = TokenBuckets(100, 1.0, lambda: now)
    monkeypatch.setattr(allowances, "_drop_full", forgets.append)
    for number in range(50):
        allowances.take(str(number))
    assert forgets == []
    now = 1.0
    allowances.take("a")
    assert forgets == [1.0]


def test_idle_addresses_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limit, "MAX_BUCKETS", 2)
    now = 0.0
    allowances = TokenBuckets(2, 1.0, lambda: now)
    for address in ("a", "b"):
        allowances.take(address)
    now = 5.0
    allowances.take("c")
    assert list(allowances._left) == ["c"]


SCOPE: Scope = {"type": "http", "method": "GET", "path": "/x", "headers": [], "query_string": b"", "client": None}


def ask(app: Guard) -> list[Message]:
    """Return the messages of a guarded application."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    asyncio.run(app(SCOPE, receive, send))
    return sent


def test_a_fault_in_the_middle_of_an_answer_breaks_it_off() -> None:
    async def half(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise ZeroDivisionError

    served: Counter[int] = Counter()
    with capture_logs() as logs, pytest.raises(ZeroDivisionError):
        ask(Guard(half, served))
    assert [log["event"] for log in logs] == ["exception in a request"]
    assert served == {200: 1}


def test_a_disconnect_before_the_request_is_not_an_error() -> None:
    from starlette.requests import ClientDisconnect

    async def read(scope: Scope, receive: Receive, send: Send) -> None:
        raise ClientDisconnect

    with capture_logs() as logs:
        assert ask(Guard(read, Counter())) == []
    assert [(log["event"], log["log_level"]) for log in logs] == [
        ("a client disconnected before its request was complete", "debug")
    ]


@pytest.mark.parametrize(
    ("origin", "host", "status"),
    [
        ([], "boardwire.test", 415),
        (["http://games.example"], "games.example", 415),
        (["http://127.0.0.1:7070"], "127.0.0.1:7070", 415),
        (["http://evil.example"], "games.example", 403),
        (["http://evil.example"], "evil.example", 403),
        (["http://games.example", "http://games.example"], "games.example", 403),
    ],
    ids=["a program", "our page", "by address", "another site", "a name that is not ours", "two origins"],
)
def test_only_a_program_or_a_page_of_this_server_may_change_something(
    api: ApiFixture, origin: list[str], host: str, status: int
) -> None:
    client = Client(application(api.context, Path("nowhere"), site=site(["games.example"])))
    headers = [("Host", host), ("Content-Type", "text/x"), *(("Origin", one) for one in origin)]
    answer = client.post("/api/matches/import", content=b"{}", headers=headers)
    assert answer.status_code == status
    assert client.get("/api/tables", headers=headers).status_code == 200, "reading changes nothing"
    client.close()


def test_an_unreadable_journal_is_reported_as_unavailable_and_not_as_a_fault(
    api: ApiFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreadable(wanted: MatchFilter, before: int | None, count: int) -> None:
        raise Refused("the journal cannot be read at the moment")

    monkeypatch.setattr(api.context.journal, "list_public", unreadable)
    with capture_logs() as logs:
        answer = api.client.get("/api/matches")
    assert problem(answer)["detail"] == "the journal cannot be read at the moment"
    assert (answer.status_code, [log["log_level"] for log in logs]) == (503, ["warning"])


def test_one_address_can_log_a_few_foreign_origins_and_another_still_can() -> None:
    async def post(app: Guard, address: str) -> None:
        async def receive() -> Message:
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            pass

        origin = "http://\u202eevil.example".encode()
        headers = [(b"host", b"games.example"), (b"origin", origin)]
        await app({**SCOPE, "method": "POST", "client": (address, 1), "headers": headers}, receive, send)

    async def flood() -> None:
        guarded = Guard(refuse, Counter(), site=site(["games.example"]))
        for _ in range(100):
            await post(guarded, "192.0.2.1")
        await post(guarded, "192.0.2.2")

    async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("a page of another site came through")

    with capture_logs() as logs:
        asyncio.run(flood())
    assert [log["peer"] for log in logs] == ["192.0.2.1"] * PEER_LOG_LINES + ["192.0.2.2"]
    assert {log["origin"] for log in logs} == {"http://\u202eevil.example"}, "UTF-8, not Latin-1"
