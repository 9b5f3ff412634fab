"""Tables, games and health over HTTP, and what holds for every route."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote

import msgspec
import pytest
from starlette.requests import Request
from structlog.testing import capture_logs

from boardwire import dialects, games
from boardwire.api import routes
from boardwire.api.endpoint import Endpoint, accepts_gzip
from boardwire.api.problem import TITLES
from boardwire.api.reader_threads import Readers
from boardwire.api.routes import ROUTES
from boardwire.bots.listed import NoListedBots
from boardwire.bots.server_bots import BOTS
from boardwire.dialects.native import messages as wire
from boardwire.games.eriantys import Character
from boardwire.games.santorini import CATALOGUE

from .api_fixture import ApiFixture, problem

SEARCHERS = [f"search:{level}" for level in range(1, 11)]

# --- tables ---------------------------------------------------------------------------------------------------------


def test_tables_are_those_that_the_native_dialect_lists(api: ApiFixture) -> None:
    api.tris(4)
    api.sit("santorini", private=True)
    api.sit("eriantys", 3)
    found = msgspec.convert(api.get("/api/tables")["tables"], list[wire.TableInfo])
    assert [(table.match, table.game, table.moves) for table in found] == [
        ("match-1", "tris", 1), ("match-3", "eriantys", 0),
    ]  # fmt: skip
    assert found[0].players == (wire.PlayerInfo("Ann", "native"), wire.PlayerInfo("Bob", "tris-lines"))


def test_tables_can_be_filtered_by_game(api: ApiFixture) -> None:
    api.tris(4)
    api.sit("eriantys", 3)
    assert [table["game"] for table in api.get("/api/tables", game="eriantys")["tables"]] == ["eriantys"]
    assert api.get("/api/tables", game="chess") == {"tables": []}


def test_waiting_tables_are_listed_first_if_there_are_too_many(
    api: ApiFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "TABLE_LIMIT", 2)
    api.tris(4)
    api.tris(4)
    api.server.connect("tris-lines")
    assert [table["match"] for table in api.get("/api/tables")["tables"]] == ["match-3", "match-1"]


# --- games ----------------------------------------------------------------------------------------------------------


def test_every_game_is_listed_with_its_seats_bots_and_dialects(api: ApiFixture) -> None:
    found = api.get("/api/games")["games"]
    assert [game["name"] for game in found] == list(games.NAMES)
    tris = found[0]
    assert (tris["seats"], tris["bots"], tris["usual_bot"]) == ([2], [*BOTS, *SEARCHERS], "greedy")
    ports = dict.fromkeys(dialects.of_game("tris")) | {"native": 7070}
    assert tris["dialects"] == [{"name": name, "port": port} for name, port in ports.items()]


class Listed(NoListedBots):
    """Bot for Tris."""

    def names(self, game: str | None = None) -> tuple[str, ...]:
        return ("corner",) if game in (None, "tris") else ()


def test_listed_bots_are_shown_for_their_games(api: ApiFixture) -> None:
    api.context.listed = Listed()
    assert api.get("/api/bots")["bots"][-1] == {
        "name": "corner", "names": ["corner"], "levels": {}, "engines": [], "games": ["tris"],
    }  # fmt: skip
    assert [game["name"] for game in api.get("/api/games")["games"] if "corner" in game["bots"]] == ["tris"]


def test_every_bot_is_listed_with_its_levels_by_game(api: ApiFixture) -> None:
    found = api.get("/api/bots")
    assert [bot["name"] for bot in found["bots"]] == [*BOTS, "search"]
    search = found["bots"][-1]
    assert search["names"] == SEARCHERS
    assert set(search["levels"]) == set(games.NAMES)
    assert "tris" in search["engines"]
    for levels in search["levels"].values():
        assert [level["level"] for level in levels] == list(range(1, 11))
    assert search["levels"]["tris"][0]["title"] == "Pebble"
    assert (found["usual"], found["usual_level"]) == ("greedy", 5)


def test_every_dialect_belongs_to_a_game(api: ApiFixture) -> None:
    found = {dialect["name"] for game in api.get("/api/games")["games"] for dialect in game["dialects"]}
    assert found == set(dialects.DIALECT_PACKAGES)


@pytest.mark.parametrize("game", games.NAMES)
def test_the_options_of_a_game_come_as_a_schema(api: ApiFixture, game: str) -> None:
    schema = api.get(f"/api/games/{game}")["options"]
    known = schema["$defs"]["Options"]["properties"]
    assert set(known) == {field.name for field in msgspec.structs.fields(games.game(game).Options)}


def test_santorini_comes_with_its_gods_in_our_own_words(api: ApiFixture) -> None:
    gods = {god["card"]: god for god in api.get("/api/games/santorini")["cards"]}
    assert set(gods) == set(CATALOGUE)
    assert all(god["text"] for god in gods.values())
    assert gods["europa"]["name"] == "Europa & Talus"
    assert gods["bia"]["printed"] == "You place first, anywhere."
    assert any(god["banned"] for god in gods.values())
    assert all(god in gods[other]["banned"] for god in gods for other in gods[god]["banned"])


def test_eriantys_comes_with_its_characters_in_our_own_words(api: ApiFixture) -> None:
    found = api.get("/api/games/eriantys")["cards"]
    assert [one["card"] for one in found] == list(Character)
    assert all(one["text"] for one in found)
    assert (found[0]["price"], found[0]["students"]) == (1, 4)
    assert (found[4]["price"], found[4]["no_entry"]) == (2, 4)


def test_an_unknown_game_is_not_found(api: ApiFixture) -> None:
    answer = api.client.get("/api/games/chess")
    assert answer.status_code == 404
    told = problem(answer)
    assert told["detail"] == f"there is no game called 'chess'; the games are {', '.join(games.NAMES)}"
    assert told["code"] == "no-such-game"


# --- health ---------------------------------------------------------------------------------------------------------


def test_a_server_that_runs_is_healthy_and_one_that_stops_is_not_ready(api: ApiFixture) -> None:
    assert api.get("/healthz") == {"status": "ok"}
    assert api.get("/readyz") == {"status": "ready"}
    api.reason = "the server is stopping"
    answer = api.client.get("/readyz")
    assert answer.status_code == 503
    assert problem(answer)["detail"] == "the server is stopping"
    assert api.get("/healthz") == {"status": "ok"}


# --- every route ----------------------------------------------------------------------------------------------------

VALUES = {
    "puzzles/{name}": "puzzles/today",
    "{id}": "match-1",
    "{name}": "tris",
    "{number}": "1",
    "{credential}": "key",
    "{player}": "nobody",
    "{other}": "nobody",
    "{round}": "1",
}
"""Values of the parameters of paths."""


def path_of(endpoint: Endpoint) -> str:
    """Return a path that the endpoint serves."""
    path = endpoint.path
    for parameter, value in VALUES.items():
        path = path.replace(parameter, value)
    return path


METHODS: dict[str, set[str]] = {}
for _endpoint in ROUTES:
    METHODS.setdefault(path_of(_endpoint), {"OPTIONS"}).update(
        {"GET", "HEAD"} if _endpoint.method == "GET" else {_endpoint.method}
    )
PATHS = sorted(METHODS)
READABLE = [path for path in PATHS if "GET" in METHODS[path]]
EXPECTED = {path_of(endpoint): 401 for endpoint in ROUTES if endpoint.bearer and endpoint.method == "GET"}
EXPECTED |= {path_of(endpoint): 404 for endpoint in ROUTES if "{player}" in endpoint.path and endpoint.method == "GET"}
EXPECTED["/api/matches/match-1/analysis"] = 202
EXPECTED |= {path: 404 for path in READABLE if path.startswith("/api/tournaments/")}  # there are none
"""The statuses of what is not there at once, or only with a token."""


@pytest.mark.parametrize("path", [*READABLE, "/"])
def test_every_get_route_answers_head(api: ApiFixture, path: str) -> None:
    api.tris()
    body, head = api.client.get(path), api.client.ask("HEAD", path)
    assert body.status_code == head.status_code == EXPECTED.get(path, 200)
    assert head.content == b""
    assert head.headers["content-type"] == body.headers["content-type"]
    if path != "/metrics":
        assert head.headers["content-length"] == str(len(body.content)) or "content-encoding" in body.headers


@pytest.mark.parametrize("path", [*PATHS, "/"])
def test_every_path_lists_its_methods(api: ApiFixture, path: str) -> None:
    answer = api.client.ask("OPTIONS", path)
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["allow"] == ", ".join(sorted(METHODS.get(path, {"GET", "HEAD", "OPTIONS"})))


@pytest.mark.parametrize("path", [*PATHS, "/"])
def test_other_methods_are_refused(api: ApiFixture, path: str) -> None:
    answer = api.client.ask("PATCH", path)
    assert answer.status_code == 405
    told = problem(answer)
    assert told["type"] == "urn:boardwire:problem:method-not-allowed"
    assert told["detail"] == f"{path} does not support PATCH; allowed: {answer.headers['allow']}"
    assert "OPTIONS" in answer.headers["allow"]


@pytest.mark.parametrize("path", READABLE)
def test_unknown_query_parameters_are_refused(api: ApiFixture, path: str) -> None:
    api.tris()
    answer = api.client.get(f"{path}?colour=red")
    assert answer.status_code == 422
    assert "colour" in problem(answer)["detail"]


@pytest.mark.parametrize(
    "path", ["/nothing", "/api", "/api/", "/api/games/", "/api/matches/m/x", "/..%2f..%2fetc/passwd"]
)
def test_an_unknown_path_is_not_found(api: ApiFixture, path: str) -> None:
    answer = api.client.get(path)
    assert answer.status_code == 404
    told = problem(answer)
    assert (told["title"], told["type"]) == ("Not Found", "urn:boardwire:problem:not-found")
    assert told["detail"] == f"no resource at {unquote(path)}; see /openapi.json"
    assert "code" not in told


def test_a_long_response_is_compressed_for_clients_that_accept_it(api: ApiFixture) -> None:
    plain = api.client.get("/api/games", headers={"Accept-Encoding": "identity"})
    packed = api.client.get("/api/games", headers={"Accept-Encoding": "br, gzip;q=0.5"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < len(plain.content) / 2
    assert packed.content == plain.content  # the client has unpacked it
    assert plain.headers["vary"] == packed.headers["vary"] == "Accept-Encoding"


def test_nothing_is_compressed_while_moves_wait(api: ApiFixture) -> None:
    for _ in range(20):
        api.tris(4)
    answer = api.client.get("/api/tables", headers={"Accept-Encoding": "gzip"})
    assert len(answer.json()["tables"]) == 20
    assert "content-encoding" not in answer.headers


@pytest.mark.parametrize(
    ("said", "accepted"),
    [
        ("gzip", True),
        ("GZIP", True),
        ("*", True),
        ("gzip; q=0", False),
        ("gzip;q=0.000", False),
        ("br", False),
        ("", False),
    ],
)
def test_gzip_is_used_only_if_accepted(said: str, accepted: bool) -> None:
    headers = [(b"accept-encoding", said.encode())]
    assert accepts_gzip(Request({"type": "http", "headers": headers})) is accepted


def test_an_internal_error_is_a_problem_response_and_logged(api: ApiFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any) -> Any:
        raise ZeroDivisionError("oops")

    monkeypatch.setattr(api.server.journal, "list_public", fail)
    with capture_logs() as logs:
        answer = api.client.get("/api/matches")
    assert answer.status_code == 500
    assert "oops" not in answer.text
    told = problem(answer)
    assert (told["type"], told["code"]) == ("urn:boardwire:problem:fault", "fault")
    assert [(log["event"], log["path"]) for log in logs] == [("exception in a request", "/api/matches")]


def test_requests_over_the_queue_limit_get_retry_after(api: ApiFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as full:
        full.setattr(api.context, "readers", Readers(per_address=0))
        late = api.client.get("/api/games")
    assert late.status_code == 503
    assert late.headers["retry-after"] == "1"
    assert problem(late)["detail"] == "too many requests are waiting; try again in a moment"
    assert api.client.get("/api/games").status_code == 200


def test_a_request_over_its_budget_gets_503_with_retry_after(api: ApiFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter(range(0, 10**9, 100))
    monkeypatch.setattr(api.context, "readers", Readers(lambda: float(next(times))))
    answer = api.client.get("/api/games")
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "30"
    assert problem(answer)["detail"] == "the request takes more than 10 seconds of CPU time; request less"


def test_a_stopping_server_reads_no_further_requests(api: ApiFixture) -> None:
    api.context.close()
    answer = api.client.get("/api/matches")
    assert answer.status_code == 503
    assert problem(answer)["detail"] == "the server is stopping"


def test_every_error_that_a_route_declares_has_a_title() -> None:
    assert {status for endpoint in ROUTES for status in endpoint.errors} <= set(TITLES)
