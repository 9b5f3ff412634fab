"""Export and import of matches over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from typing import Any

import msgspec
import pytest

from boardwire.api import body, import_export
from boardwire.api.app import application
from boardwire.api.rate_limit import TokenBuckets
from boardwire.games import tris
from boardwire.table.commands import Close, Resign
from boardwire.table.events import Event
from boardwire.table.match import Status
from boardwire.table.ports import Appended, AppendResult
from boardwire.table.termination import Termination

from .api_fixture import ApiFixture, Client, options_of, problem

HERE = "/api/matches/import"
JSON = {"Content-Type": "application/json"}


def export(api: ApiFixture, match: str = "match-1") -> bytes:
    answer = api.client.get(f"/api/matches/{match}/export")
    assert answer.status_code == 200
    return answer.content


def bring(api: ApiFixture, body: bytes) -> Any:
    return api.client.post(HERE, content=body, headers=JSON)


def changed(body: bytes, **fields: Any) -> bytes:
    return msgspec.json.encode({**msgspec.json.decode(body), **fields})


def broken(*asked: Any) -> Any:
    """Return a function of a game that raises an unexpected exception."""
    raise KeyError("no rule")


# --- out ------------------------------------------------------------------------------------------------------------


def test_a_file_has_a_name_that_says_what_it_is(api: ApiFixture) -> None:
    api.tris()
    answer = api.client.get("/api/matches/match-1/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="tris-1970-01-01-match-1.json"'
    assert answer.headers["content-type"] == "application/json"
    assert answer.text == (
        '{\n  "boardwire": "match/1",\n  "id": "match-1",\n  "game": "tris",\n  "rules": 1,\n'
        '  "opened": "1970-01-01T00:16:40Z",\n  "lasted": 6.25,\n'
        '  "players": [{"name":"Ann","dialect":"native"},{"name":"Bob","dialect":"tris-lines"}],\n'
        '  "options": {},\n  "outcome": {"termination":"line","winners":[0]},\n  "steps": [\n'
        '    {"t":1.25,"seat":0,"do":"0"},\n    {"t":2.5,"seat":1,"do":"3"},\n    {"t":3.75,"seat":0,"do":"1"},\n'
        '    {"t":5.0,"seat":1,"do":"4"},\n    {"t":6.25,"seat":0,"do":"2"}\n  ]\n}\n'
    )


def test_a_file_can_be_plain_text(api: ApiFixture) -> None:
    api.tris()
    answer = api.client.get("/api/matches/match-1/export?format=text")
    assert answer.headers["content-disposition"] == 'attachment; filename="tris-1970-01-01-match-1.txt"'
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert "   5. Ann: 2\n" in answer.text


def test_a_match_in_play_is_not_exported(api: ApiFixture) -> None:
    api.tris(4)
    answer = api.client.get("/api/matches/match-1/export")
    assert answer.status_code == 409
    assert "hidden information" in problem(answer)["detail"]


def test_a_match_that_never_began_is_not_exported(api: ApiFixture) -> None:
    sitting = api.sit("tris")
    other = api.server.connect("tris-lines")
    other.drop()
    assert sitting.id == "match-1"
    answer = api.client.get("/api/matches/match-2/export")
    assert answer.status_code == 409
    assert "never began" in problem(answer)["detail"]


# --- in -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [("tris", 2, {}), ("santorini", 3, {"draft": "random"}), ("eriantys", 4, {"mode": "expert"})],
    ids=["tris", "santorini", "eriantys"],
)
def test_an_exported_match_is_imported_unchanged(
    api: ApiFixture, game: str, seats: int, options: dict[str, Any]
) -> None:
    api.sit(game, seats, options_of(game, **options)).wander(seats)
    body = changed(export(api), id="")
    answer = bring(api, body)
    assert answer.status_code == 201
    name = answer.json()["id"]
    assert answer.headers["location"] == f"/api/matches/{name}"
    assert changed(export(api, name), id="") == body
    here, there = api.get("/api/matches/match-1"), api.get(f"/api/matches/{name}")
    for fact in ("game", "rules", "players", "dialects", "outcome", "moves", "status"):
        assert here[fact] == there[fact]
    assert (here["imported"], there["imported"]) == (False, True)
    assert api.get("/api/matches")["matches"][0]["id"] == name


def test_a_match_imported_twice_is_one_match(api: ApiFixture) -> None:
    api.tris()
    body = changed(export(api), id="elsewhere")
    first, second = bring(api, body), bring(api, body)
    assert (first.status_code, second.status_code) == (201, 200)
    assert first.json() == second.json()
    assert len(list(api.server.journal.names())) == 2


def test_simultaneous_imports_do_not_interfere(api: ApiFixture) -> None:
    api.tris()
    body = changed(export(api), id="")
    answers = api.client.together(*[("POST", HERE, {"content": body, "headers": JSON})] * 4)
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 201]


def test_an_import_of_a_match_of_this_server_refers_to_it(api: ApiFixture) -> None:
    api.tris()
    answer = bring(api, export(api))
    assert (answer.status_code, answer.json()) == (200, {"id": "match-1"})


def test_a_match_that_only_claims_to_be_of_this_server_is_stored_as_another(api: ApiFixture) -> None:
    api.tris()
    api.tris(4)
    players = [{"name": "Ann"}, {"name": "Eve"}]
    assert bring(api, changed(export(api), players=players)).status_code == 201
    assert bring(api, changed(export(api), id="match-2", lasted=99.0)).status_code == 201


def test_a_match_without_an_end_is_imported_as_adjourned(api: ApiFixture) -> None:
    api.tris(0, 3).do(0, Close(Termination.INTERRUPTED))
    body = export(api)
    told = msgspec.json.decode(body)
    del told["outcome"]
    name = bring(api, msgspec.json.encode(told)).json()["id"]
    found = api.get(f"/api/matches/{name}")
    assert (found["status"], found["outcome"]) == (Status.OVER, {"termination": "adjourned", "winners": []})
    assert list(api.server.journal.unfinished()) == []


def test_an_impossible_match_is_refused_and_not_stored(api: ApiFixture) -> None:
    api.tris().rise()
    steps = [{"t": 1.0, "seat": 0, "do": "0"}, {"t": 2.0, "seat": 1, "do": "0"}]
    answer = bring(api, changed(export(api), steps=steps))
    assert answer.status_code == 422
    assert problem(answer)["detail"] == "the match cannot be replayed: step 2 is not legal: cell 0 is taken"
    assert list(api.server.journal.names()) == ["match-1"]


@pytest.mark.parametrize(
    "body",
    [b"", b"null", b"{", b"[]", b"\xff\xfe", b'"' + b"x" * 1000 + b'"', b'{"boardwire":"match/2"}', b"[" * 5000],
    ids=lambda body: repr(body[:12]),
)
def test_a_file_that_is_not_a_match_is_refused(api: ApiFixture, body: bytes) -> None:
    answer = bring(api, body)
    assert answer.status_code == 422
    assert problem(answer)["detail"].startswith("invalid match file: ")


@pytest.mark.parametrize(
    "change",
    [
        {"opened": "1066-10-14T09:00:00Z"},
        {"opened": "2020-01-01T00:00:00"},
        {"lasted": 1e12},
        {"secret": 1},
        {"id": "x" * 65},
    ],
    ids=str,
)
def test_an_impossible_header_is_refused(api: ApiFixture, change: dict[str, Any]) -> None:
    api.tris()
    assert bring(api, changed(export(api), **change)).status_code == 422


def test_an_import_must_be_json(api: ApiFixture) -> None:
    api.tris()
    for headers in ({"Content-Type": "text/plain"}, {}):
        answer = api.client.post(HERE, content=export(api), headers=headers)
        assert answer.status_code == 415
        assert "application/json" in problem(answer)["detail"]
    answer = api.client.post(HERE, content=export(api), headers={"Content-Type": "application/JSON; charset=utf-8"})
    assert answer.status_code == 200


def test_an_import_has_at_most_a_megabyte(api: ApiFixture) -> None:
    answer = bring(api, b" " * (import_export.BODY_LIMIT + 1))
    assert answer.status_code == 413
    assert problem(answer)["type"] == "urn:boardwire:problem:too-large"


def test_an_import_that_stalls_is_refused(api: ApiFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(body, "BODY_SECONDS", 0.02)

    async def drip() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.sleep(0.2)
        yield b"}"

    answer = api.client.post(HERE, content=drip(), headers=JSON)
    assert answer.status_code == 408
    assert problem(answer)["type"] == "urn:boardwire:problem:request-timeout"


def test_imports_per_address_are_limited(api: ApiFixture) -> None:
    api.tris()
    api.context.imports = TokenBuckets(2, 0.1)
    codes = [bring(api, export(api)).status_code for _ in range(3)]
    assert codes == [200, 200, 429]


def test_the_addresses_of_one_network_share_the_limit_of_imports(api: ApiFixture) -> None:
    api.tris()
    api.context.imports = TokenBuckets(2, 0.1)
    body = export(api)
    codes = []
    for number in range(3):
        with closing(Client(application(api.context), f"2001:db8::{number}")) as neighbour:
            codes.append(neighbour.post(HERE, content=body, headers=JSON).status_code)
    assert codes == [200, 200, 429]


def test_a_match_that_cannot_be_stored_is_refused(api: ApiFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    api.tris()
    body = changed(export(api), id="")

    def fail(match: str, first: int, events: Sequence[Event], done: Appended) -> None:
        done(AppendResult.FAILED)
        done(AppendResult.FAILED)

    monkeypatch.setattr(api.server.journal, "append", fail)
    answer = bring(api, body)
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "10"


def test_a_match_stored_by_another_request_meanwhile_is_only_referenced(
    api: ApiFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.tris()
    body = changed(export(api), id="")
    append = api.server.journal.append

    def late(match: str, first: int, events: Sequence[Event], done: Appended) -> None:
        append(match, first, events, lambda result: None)
        append(match, first, events, done)

    monkeypatch.setattr(api.server.journal, "append", late)
    answer = bring(api, body)
    assert (answer.status_code, len(api.get("/api/matches")["matches"])) == (200, 2)
    assert answer.headers["location"] == f"/api/matches/{answer.json()['id']}"


def test_a_resignation_survives_export_and_import(api: ApiFixture) -> None:
    api.tris(0, 3).do(1, Resign(1))
    name = bring(api, changed(export(api), id="")).json()["id"]
    assert api.get(f"/api/matches/{name}")["outcome"] == {"termination": "resigned", "winners": [0], "by": 1}
    assert [event["event"] for event in api.get(f"/api/matches/{name}/events")["events"]][-2:] == ["resigned", "ended"]


def test_a_match_with_which_the_rules_fail_is_refused_in_words(
    api: ApiFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    api.tris()
    body = changed(export(api), id="another")
    for name in ("new", "apply"):
        with monkeypatch.context() as patch:
            patch.setattr(tris, name, broken)
            answer = bring(api, body)
        assert answer.status_code == 422
        assert problem(answer)["detail"] == "the match cannot be imported: the server's rules raised an exception"


def test_incompatible_options_are_refused(api: ApiFixture) -> None:
    api.sit("santorini", options=options_of("santorini", draft="given", gods=["atlas", "nyx"])).wander(1, 3)
    api.server.lobby.table("match-1").do(None, Close(Termination.ABANDONED))
    options = msgspec.json.decode(export(api))["options"]
    answer = bring(api, changed(export(api), options={**options, "pool": ["mortal"]}))
    assert answer.status_code == 422
    assert "mortal is not a god" in problem(answer)["detail"]


@pytest.mark.parametrize("path", ["events", "steps", "export"])
def test_a_match_at_which_the_rules_fail_cannot_be_replayed(
    api: ApiFixture, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = api.tris(4, 0, 8)
    if path == "export":
        sitting.do(0, Resign(0))
    monkeypatch.setattr(tris, "apply", broken)
    answer = api.client.get(f"/api/matches/match-1/{path}")
    assert answer.status_code == (409 if path == "export" else 503)
    assert "the rules of this version fail at event 5" in problem(answer)["detail"]
