"""Conversations over HTTP: of stored matches, and live ones."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from structlog.testing import capture_logs

from boardwire.api import guard
from boardwire.bots.server_bots import BOTS
from boardwire.config import Settings
from boardwire.dialects import dialect, of_game
from boardwire.dialects.dialect import ClientOptions
from boardwire.games.santorini import Draft, God, Options
from boardwire.net.client import connect
from boardwire.net.connection import Connection
from boardwire.net.watched import WatchedConnection
from boardwire.node import Node
from boardwire.terminal.bot_player import Robot
from boardwire.terminal.bot_player import play as play_robot

from ..net.harbour import run
from .api_fixture import api_fixture

TOKEN = "a-token-that-nobody-guesses"


@asynccontextmanager
async def serving(*listen: str, **settings: Any) -> AsyncIterator[tuple[Node, httpx.AsyncClient]]:
    """Yield a node and an HTTP client."""
    names = tuple(f"{name}=0" for name in listen or ("tris-lines",))
    node = Node(Settings(data=":memory:", http="0", listen=names, **settings), asyncio.get_running_loop())
    await node.start(lambda line: None)
    try:
        shown = {"Authorization": f"Bearer {settings['inspect_token']}"} if "inspect_token" in settings else {}
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{node.ports['native']}", headers=shown) as client:
            yield node, client
    finally:
        await node.stop()


async def play(node: Node, name: str, players: int = 2) -> str:
    """Play a match of random bots; return its id."""
    await asyncio.gather(
        *(
            play_robot(
                dialect(name),
                "127.0.0.1",
                node.ports[name],
                ClientOptions(f"bot{seat}", players),
                Robot(BOTS["random"], lambda count: 0),
            )
            for seat in range(players)
        )
    )
    return str(node.journal.newest(None, 1)[0][1])


async def inspected(client: httpx.AsyncClient, match: str, players: int = 2) -> Any:
    """Return the records of a finished match, once both sides of each connection are recorded as closed."""
    while True:
        answer = (await client.get(f"/api/wire?match={match}")).json()
        if sum(one["event"] == "closed" for one in answer["entries"]) == 2 * players:
            return answer
        await asyncio.sleep(0.001)


async def begin(node: Node, name: str, players: int = 2) -> str:
    """Begin a match without moves."""

    class Idle:
        def receive(self, connection: object, notification: object) -> None: ...

    for seat in range(players):
        await connect(dialect(name), "127.0.0.1", node.ports[name], ClientOptions(f"p{seat}", players), Idle())
        while len(node.lobby) < 1 or sum(map(bool, next(iter(node.lobby)).match.players)) <= seat:
            await asyncio.sleep(0.001)
    table = next(iter(node.lobby))
    while table.match.position is None:
        await asyncio.sleep(0.001)
    return table.match.id


def test_a_finished_match_is_available_in_every_dialect_of_its_game() -> None:
    async def scenario() -> None:
        async with serving() as (node, client):
            match = await play(node, "tris-lines")
            answer = (await client.get(f"/api/matches/{match}/wire?dialect=tris-lines&seat=0")).json()
            assert answer["dialects"] == list(of_game("tris"))
            said = [one["text"] for one in answer["entries"] if one["event"] == "message"]
            assert said[:3] == ["WAIT", "READY", "0"]
            assert (answer["next"], answer["stopped"]) == (None, "")
            last = max(one["seq"] for one in answer["entries"])
            part = (await client.get(f"/api/matches/{match}/wire?dialect=tris-lines&seat=0&to=5")).json()
            assert 0 < len(part["entries"]) < len(answer["entries"])
            assert last > 5 >= max(one["seq"] for one in part["entries"])
            rest = (await client.get(f"/api/matches/{match}/wire?dialect=tris-lines&seat=0&after=4")).json()
            assert rest["entries"] == answer["entries"][4:]

    run(scenario)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("dialect=santorini-lobby&seat=0", "santorini-lobby is not a dialect of tris"),
        ("dialect=tris-lines&seat=2", "there is no seat 2 in this match; its seats are 0 to 1"),
        ("dialect=morse&seat=0", "no dialect called 'morse'"),
    ],
)
def test_a_conversation_of_an_unknown_dialect_or_seat_is_refused(query: str, words: str) -> None:
    async def scenario() -> None:
        async with serving() as (node, client):
            match = await begin(node, "tris-lines")
            answer = await client.get(f"/api/matches/{match}/wire?{query}")
            assert answer.status_code == 409
            assert words in answer.json()["detail"]

    run(scenario)


def test_a_match_in_play_is_available_without_its_secrets(tmp_path: Path) -> None:
    with api_fixture(tmp_path) as api:
        api.sit("santorini", 2, Options(Draft.GIVEN, (God.APOLLO, God.TARTARUS))).wander(1, 6)
        found = {seat: api.get("/api/matches/match-1/wire", seat=seat) for seat in range(2)}
        assert found[0]["stopped"] == ""
        assert found[1]["stop"] == "hidden"
        assert found[1]["stopped"] == "hidden information of this seat is shown when the match is over"
        assert len(found[1]["entries"]) < len(found[0]["entries"])
        api.tris(4)
        told = api.get("/api/matches/match-2/wire", seat=0, dialect="tris-lines")
        assert [one["text"] for one in told["entries"] if one["event"] == "message"] == ["WAIT", "READY", "4", "OK"]


def test_conversation_requests_per_address_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardwire.api.conversations.CONVERSATION_BURST", 1)

    async def scenario() -> None:
        async with serving() as (node, client):
            match = await play(node, "tris-lines")
            path = f"/api/matches/{match}/wire?dialect=tris-lines&seat="
            assert [(await client.get(f"{path}{seat}")).status_code for seat in (0, 0, 1)] == [200, 200, 429]

    run(scenario)


# --- what passes now ------------------------------------------------------------------------------------------------


def test_messages_are_inspected_only_on_request() -> None:
    async def scenario() -> None:
        async with serving() as (node, client):
            match = await begin(node, "tris-lines")
            assert {type(one) for one in node.connections.connections} == {Connection}
            assert (await client.get(f"/api/wire?match={match}")).json() == {
                "inspected": False, "token": False, "next": 0, "seats": [], "entries": [], "dropped": 0,
                "dropped_bytes": 0, "unseen": 0,
            }  # fmt: skip

    run(scenario)


def test_messages_at_a_table_are_listed_by_seat() -> None:
    async def scenario() -> None:
        async with serving("tris-lines", "forza-lines", inspect=True, inspect_token=TOKEN) as (node, client):
            match = await play(node, "tris-lines")
            other = await play(node, "forza-lines")
            assert {type(one) for one in node.connections.connections} <= {WatchedConnection}
            await inspected(client, other)
            answer = await inspected(client, match)
            assert [(one["dialect"], one["seat"]) for one in answer["seats"]] == [("tris-lines", 0), ("tris-lines", 1)]
            first = answer["seats"][0]["connection"]
            said = [one for one in answer["entries"] if one["event"] == "message" and one["connection"] == first]
            assert [one["text"] for one in said[:3]] == ["WAIT", "READY", "0"]
            assert [one for one in answer["entries"] if one["event"] == "finding"] == []
            closed = {one["by"] for one in answer["entries"] if one["event"] == "closed" and one["connection"] == first}
            assert closed == {"client", "server"}
            later = (await client.get(f"/api/wire?match={match}&after={answer['next']}")).json()
            assert (later["entries"], later["next"]) == ([], answer["next"])

    run(scenario)


def test_a_browser_s_conversation_is_seen_after_its_head() -> None:
    async def scenario() -> None:
        async with serving(inspect=True, inspect_token=TOKEN) as (node, client):
            seating = ClientOptions("ann", 2, {"game": "tris", "bots": ",random", "private": "yes"})
            await play_robot(
                dialect("native"), "127.0.0.1", node.ports["native"], seating, Robot(BOTS["random"], lambda count: 0)
            )
            match = str(node.journal.newest(None, 1)[0][1])
            answer = (await client.get(f"/api/wire?match={match}")).json()
            names = [one["name"] for one in answer["entries"] if one["event"] == "message"]
            assert names[:4] == ["hello", "welcome", "open", "seated"]
            assert [one for one in answer["entries"] if one["event"] == "finding"] == []

    run(scenario)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]:7070", "games.example"])
def test_the_inspector_needs_the_token_from_every_address(host: str) -> None:
    async def scenario() -> None:
        async with serving(inspect=True, inspect_token=TOKEN, public_host=("games.example",)) as (node, client):
            match = await begin(node, "tris-lines")
            for shown in ("", TOKEN, f"Basic {TOKEN}", "Bearer", "Bearer another-token-of-some-length"):
                refused = await client.get(f"/api/wire?match={match}", headers={"Host": host, "Authorization": shown})
                assert (refused.status_code, "inspect token" in refused.text) == (401, True), shown
                assert "WAIT" not in refused.text

    run(scenario)


def test_the_token_opens_the_inspector() -> None:
    async def scenario() -> None:
        async with serving(inspect=True, inspect_token=TOKEN, public_host=("games.example",)) as (node, client):
            match = await begin(node, "tris-lines")
            shown = {"Authorization": f"bearer {TOKEN}", "Host": "games.example"}
            assert (await client.get(f"/api/wire?match={match}", headers=shown)).json()["inspected"] is True

    run(scenario)


def test_without_a_token_one_is_made_and_logged_with_the_address_of_the_page() -> None:
    tokens: list[str] = []

    async def scenario() -> None:
        with capture_logs() as logs:
            async with serving(inspect=True) as (node, client):
                (line,) = [log for log in logs if "inspection is on" in log["event"]]
                assert line["address"] == f"{client.base_url}/"
                tokens.append(line["token"])
                assert (await client.get("/api/wire")).json()["token"] is True
                match = await begin(node, "tris-lines")
                path = f"/api/wire?match={match}"
                assert (await client.get(path)).status_code == 401
                shown = {"Authorization": f"Bearer {line['token']}"}
                assert (await client.get(path, headers=shown)).status_code == 200

    run(scenario)
    run(scenario)
    assert len(set(tokens)) == 2
    assert min(map(len, tokens)) >= 32


def test_a_token_that_was_given_is_not_logged() -> None:
    async def scenario() -> None:
        async with serving(inspect=True, inspect_token=TOKEN):
            pass

    with capture_logs() as logs:
        run(scenario)
    assert [log for log in logs if "inspection is on" in log["event"]]
    assert TOKEN not in str(logs)


@pytest.mark.parametrize("trusted", [True, False])
def test_behind_a_trusted_proxy_the_allowance_belongs_to_the_client(
    trusted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guard, "REQUEST_BURST", 3)
    monkeypatch.setattr(guard, "REQUESTS_PER_SECOND", 0.001)

    async def scenario() -> None:
        async with serving(trusted_proxy=("127.0.0.0/8",) if trusted else ()) as (_, client):

            async def ask(address: str) -> int:
                return (await client.get("/api/games", headers={"X-Forwarded-For": address})).status_code

            assert [await ask("203.0.113.7") for _ in range(4)] == [200, 200, 200, 429]
            assert await ask("6.6.6.6, 203.0.113.7") == 429
            assert await ask("203.0.113.8") == (200 if trusted else 429)

    run(scenario)
