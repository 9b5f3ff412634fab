"""Tournaments over HTTP: permissions and views."""

from __future__ import annotations

import asyncio
import gzip
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardwire.api.app import application
from boardwire.api.context import ENTRY_BURST, TOURNAMENT_BURST, ApiContext
from boardwire.lobby.held_seats import token_hash
from boardwire.players.account import Role, Scope
from boardwire.players.accounts import Accounts
from boardwire.players.ratings import Category, Pool, category_number
from boardwire.players.speed import speed_of
from boardwire.records.sqlite import SqliteRecords
from boardwire.simulation.luck import CountedNames
from boardwire.simulation.server import SimulatedServer
from boardwire.tournaments import runner, tournament
from boardwire.tournaments.runner import Tournaments
from boardwire.tournaments.setup import TournamentFormat, TournamentSetup
from boardwire.tournaments.store import TournamentStore

from .api_fixture import Client, problem

SETUP = {"name": "Cup", "game": "tris", "format": "swiss", "pause": 0.0}
PATH = "/api/tournaments"
SWISS = TournamentFormat.SWISS


def token(name: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {name}-{'x' * 24}"}


class Place:
    """A server with tournaments, and clients with tokens."""

    def __init__(self, page: Path) -> None:
        self.server = SimulatedServer(1)
        records = SqliteRecords(None)
        self.accounts = Accounts(records)
        self.tournaments = Tournaments(
            TournamentStore(records), self.server.lobby, self.server.journal, self.server.clock, CountedNames(),
            lambda call, *rest: call(*rest),
        )  # fmt: skip
        self.context = ApiContext(
            self.server.lobby, self.server.journal, accounts=self.accounts, tournaments=self.tournaments
        )
        self.client = Client(application(self.context, page, page, limited=False))

    def post(self, what: str, who: str = "", status: int = 200, **body: Any) -> Any:
        headers = token(who) if who else {}
        fields = {"json": body} if body or what.endswith("enter") or what == PATH else {}
        answer = self.client.post(what, headers=headers, **fields)
        assert answer.status_code == status, answer.text
        return answer.json() if status < 400 else problem(answer)

    def get(self, what: str, who: str = "", **query: Any) -> Any:
        answer = self.client.get(what, headers=token(who) if who else {}, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def create(self, **setup: Any) -> str:
        created = self.post(PATH, "boss", 201, setup={**SETUP, **setup}, name="Boss")
        return f"{PATH}/{created['id']}"


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path)
    yield made
    made.client.close()
    made.context.close()


def test_a_guest_creates_a_tournament_and_others_enter_it(place: Place) -> None:
    path = place.create()
    for name in ("ann", "bob", "cid"):
        place.post(f"{path}/enter", name, name=name.title())
    told = place.get(path, "ann")
    assert (told["status"], told["entrants"], told["organiser"]) == ("open", 3, "Boss")
    assert told["me"]["number"] == 0
    assert not told["me"]["organises"]
    assert place.get(path, "boss")["me"]["organises"]
    assert place.get(path)["me"] == {**told["me"], "number": None, "standing": None}
    listed = place.get(PATH)
    assert [(one["name"], one["entrants"]) for one in listed["tournaments"]] == [("Cup", 3)]


def test_no_answer_contains_a_key(place: Place) -> None:
    path = place.create()
    place.post(f"{path}/enter", "ann", name="Ann")
    place.post(f"{path}/enter", "bob", name="Bob")
    place.post(f"{path}/start", "boss")
    for where in (path, PATH, f"{path}/rounds/1"):
        text = str(place.get(where, "ann"))
        for name in ("ann", "bob", "boss"):
            assert token_hash(f"{name}-{'x' * 24}") not in text


def test_the_organiser_starts_and_each_participant_sees_its_match(place: Place) -> None:
    path = place.create()
    for name in ("ann", "bob"):
        place.post(f"{path}/enter", name, name=name)
    told = place.post(f"{path}/start", "boss")
    assert told["status"] == "running"
    (board,) = told["boards"]
    mine = place.get(path, "bob")["me"]
    assert mine["match"] == board["match"]
    assert board["names"][mine["seat"]] == "bob"
    assert mine["opponent"] == "ann"
    assert place.get(f"{path}/rounds/1")["boards"] == told["boards"]
    assert place.client.get(f"{path}/rounds/2").status_code == 404


def test_only_the_organiser_starts_cancels_and_adds_bots(place: Place) -> None:
    path = place.create()
    for what in ("start", "cancel"):
        assert "organiser" in place.post(f"{path}/{what}", "ann", 403)["detail"]
    place.post(f"{path}/enter", "ann", 403, bots=[{"bot": "random"}])
    assert place.post(f"{path}/cancel", "boss")["status"] == "cancelled"
    assert place.post(f"{path}/enter", "ann", 409, name="Ann")["code"] == "over"


def test_a_moderator_may_cancel(place: Place) -> None:
    path = place.create()
    session = asyncio.run(place.accounts.claim("Mod"))
    headers = {"Authorization": f"Bearer {session.token}"}
    assert place.client.post(f"{path}/cancel", headers=headers).status_code == 403
    asyncio.run(place.accounts.set_role(session.account.id, Role.MODERATOR))
    assert place.client.post(f"{path}/cancel", headers=headers).status_code == 200


@pytest.mark.parametrize("what", ["enter", "withdraw", "check-in", "start", "cancel"])
def test_without_a_token_nothing_is_changed(place: Place, what: str) -> None:
    path = place.create()
    assert place.post(f"{path}/{what}", "", 401)["code"] == "bad-token"


def test_the_server_may_reserve_creation(place: Place) -> None:
    place.context.tournament_creation = "organisers"
    assert "only organisers" in place.post(PATH, "boss", 403, setup=SETUP, name="Boss")["detail"]
    session = asyncio.run(place.accounts.claim("Org"))
    asyncio.run(place.accounts.set_role(session.account.id, Role.ORGANISER))
    headers = {"Authorization": f"Bearer {session.token}"}
    answer = place.client.post(PATH, headers=headers, json={"setup": SETUP})
    assert answer.status_code == 201
    assert answer.json()["organiser"] == "Org"
    play = asyncio.run(place.accounts.add_api_token(session.account.id, "program", [Scope.PLAY]))
    refused = place.client.post(PATH, headers={"Authorization": f"Bearer {play}"}, json={"setup": SETUP})
    assert "scope organise" in problem(refused)["detail"]


def test_an_api_token_enters_for_its_player(place: Place) -> None:
    path = place.create()
    session = asyncio.run(place.accounts.claim("Deep Tris"))
    play = asyncio.run(place.accounts.add_api_token(session.account.id, "program", [Scope.PLAY]))
    told = place.client.post(f"{path}/enter", headers={"Authorization": f"Bearer {play}"}, json={}).json()
    assert [row["name"] for row in told["standings"]] == ["Deep Tris"]
    again = place.client.get(path, headers={"Authorization": f"Bearer {session.token}"}).json()
    assert again["me"]["number"] == 0, "another device of the same player"


@pytest.mark.parametrize(("setup", "words"), [
    ({"name": " "}, "1 to 60"),
    ({"game": "go"}, "go"),
    ({"format": "league"}, "Invalid enum value 'league'"),
    ({"format": "arena"}, "minutes"),
    ({"rounds": -1}, "rounds is -1"),
    ({"grace": 1}, "grace is 1"),
    ({"bank": 0}, "needs a clock"),
    ({"bank": 1}, "at least 5 seconds"),
    ({"starts_at": 1e12}, "starts_at"),
    ({"check_in": 60}, "starts_at"),
    ({"options": 3}, "Expected `object`"),
    ({"max_entrants": 1}, "from 2"),
    ({"name": "a" * 61}, "1 to 60"),
    ({"pause": "soon"}, "Expected `float`"),
])  # fmt: skip
def test_a_faulty_setup_is_named(place: Place, setup: dict[str, Any], words: str) -> None:
    answer = place.client.post(PATH, headers=token("boss"), json={"setup": {**SETUP, **setup}, "name": "Boss"})
    assert 400 <= answer.status_code < 500, answer.text
    assert words in problem(answer)["detail"]


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"setup": null}', b"\xff", b'{"name": "x", "evil": 1}'])
def test_malformed_requests_are_refused(place: Place, body: bytes) -> None:
    headers = {**token("boss"), "Content-Type": "application/json"}
    assert place.client.post(PATH, headers=headers, content=body).status_code == 422


def test_a_request_with_after_answers_when_something_changes(place: Place) -> None:
    path = place.create()
    seq = place.get(path)["seq"]
    waiting, entered = place.client.together(
        ("GET", path, {"params": {"after": seq}}),
        ("POST", f"{path}/enter", {"headers": token("ann"), "json": {"name": "Ann"}}),
    )
    assert entered.status_code == 200
    assert waiting.json()["seq"] == seq + 1
    assert place.get(path, after=seq)["entrants"] == 1, "it is behind already, so nothing waits"


def test_withdrawing_and_rejoining(place: Place) -> None:
    path = place.create()
    place.post(f"{path}/enter", "ann", name="Ann")
    assert place.post(f"{path}/withdraw", "ann")["me"]["withdrawn"]
    assert not place.post(f"{path}/enter", "ann", name="Ann")["me"]["withdrawn"]
    assert place.post(f"{path}/withdraw", "bob", 409)["detail"] == "you have not entered this tournament"
    assert place.post(f"{PATH}/nowhere/withdraw", "ann", 404)["code"] == "no-such-table"


def test_an_address_creates_few_tournaments_however_many_tokens_it_has(place: Place) -> None:
    for number in range(TOURNAMENT_BURST):
        place.post(PATH, f"organiser{number}", 201, setup=SETUP, name="Boss")
    refused = place.post(PATH, "another", 429, setup=SETUP, name="Boss")
    words = "too many new tournaments from your address: at most 5 at once, then one every 600 seconds"
    assert refused["detail"] == words


def test_a_guest_does_not_get_a_name_that_belongs_to_an_account(place: Place) -> None:
    dora = asyncio.run(place.accounts.claim("Dora"))
    created = place.post(PATH, "boss", 201, setup=SETUP, name="dora")
    assert created["organiser"] == "dora (guest)"
    path = f"{PATH}/{created['id']}"
    entered = place.post(f"{path}/enter", "ann", name="Dora")
    assert [one["name"] for one in entered["standings"]] == ["Dora (guest)"]
    own = {"Authorization": f"Bearer {dora.token}"}
    answer = place.client.post(f"{path}/enter", headers=own, json={})
    assert [one["name"] for one in answer.json()["standings"]] == ["Dora (guest)", "Dora"]


def test_a_deleted_account_is_not_named_in_its_tournament_and_its_matches(place: Place) -> None:
    dora = asyncio.run(place.accounts.claim("Dora"))
    own = {"Authorization": f"Bearer {dora.token}"}
    created = place.client.post(PATH, headers=own, json={"setup": SETUP}).json()
    path = f"{PATH}/{created['id']}"
    place.client.post(f"{path}/enter", headers=own, json={})
    place.post(f"{path}/enter", "ann", name="Ann")
    started = place.client.post(f"{path}/start", headers=own).json()
    (board,) = started["boards"]
    assert sorted(board["names"]) == ["Ann", "Dora"]
    table = place.server.lobby.find_table(board["match"])
    assert table is not None
    assert {player.account for player in table.match.players if player} == {0, dora.account.id}
    asyncio.run(place.accounts.delete(dora.account.id))
    for what in (path, f"{path}/rounds/1"):
        answer = place.client.get(what)
        assert answer.status_code == 200
        assert "Dora" not in answer.text
        assert "deleted player" in answer.text
    assert place.get(path)["organiser"] == "deleted player"
    answer = place.client.get(f"/api/matches/{board['match']}")
    assert answer.status_code == 200, answer.text
    assert "Dora" not in answer.text
    assert place.get("/api/matches", player="Dora")["matches"] == []


def test_a_rated_tournament_is_for_accounts_and_seeds_them_by_their_ratings(place: Place) -> None:
    made = place.post(PATH, "ann", 201, name="Ann", setup={**SETUP, "rated": True})
    assert made["setup"]["rated"] is True
    refused = place.post(f"{PATH}/{made['id']}/enter", "bob", 409, name="Bob")
    assert refused["code"] == "no-account"
    sessions = [asyncio.run(place.accounts.claim(name)) for name in ("Cid", "Dee")]
    category = Category(Pool.ALL, "tris", "", speed_of(TournamentSetup("Cup", "tris", SWISS).policy))
    put = "INSERT INTO ratings VALUES (?, ?, 30.0, 4.0, 1700.0, 12, 12, 0, 0, 1.0, 2)"
    dee = sessions[1].account.id
    place.accounts.records.write_now(lambda db: db.run(put, dee, category_number(db, category)))
    for session in sessions:
        bearer = {"Authorization": f"Bearer {session.token}"}
        assert place.client.post(f"{PATH}/{made['id']}/enter", headers=bearer, json={}).status_code == 200
    started = place.post(f"{PATH}/{made['id']}/start", "ann")
    assert started["boards"][0]["names"] in (["Cid", "Dee"], ["Dee", "Cid"])
    state = asyncio.run(place.tournaments.get(made["id"]))
    assert [state.entrants[number].entrant.name for number in state.order] == ["Dee", "Cid"]
    assert [round(one.entrant.rating) for one in state.entrants] == [0, 1700]
    (board,) = state.rounds[0].boards
    table = place.server.lobby.find_table(board.match)
    assert table is not None
    assert table.match.setting.policy.rated is True


def test_an_address_enters_few_guests_at_once_however_many_tokens_it_has(place: Place) -> None:
    path = place.create()
    for number in range(ENTRY_BURST):
        place.post(f"{path}/enter", f"guest{number}", name=f"Guest {number}")
    told = place.post(f"{path}/enter", "late", 429, name="Late")
    words = "too many requests of this kind from your address: at most 100 at once, then one every 2 seconds"
    assert told["detail"] == words
    place.post(f"{path}/withdraw", "guest0", 429)
    assert place.get(path)["entrants"] == ENTRY_BURST


def test_a_stored_tournament_is_loaded_and_folded_away_from_the_event_loop(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = place.create()
    place.post(f"{path}/cancel", "boss")
    threads: list[str] = []
    fold = tournament.fold

    def noting(events: Any) -> Any:
        threads.append(threading.current_thread().name)
        return fold(events)

    monkeypatch.setattr(runner, "fold", noting)
    monkeypatch.setattr(runner, "MAX_REMEMBERED", 0)
    other = place.create()
    place.post(f"{other}/cancel", "boss")  # forgets the first one
    place.get(path)
    assert threads == ["reader"]


def test_a_long_answer_of_a_coroutine_is_compressed_on_a_reader_thread(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = place.create()
    for number in range(ENTRY_BURST):
        place.post(f"{path}/enter", f"guest{number}", name=f"Guest {number}")
    threads: list[str] = []
    compress = gzip.compress

    def noting(*arguments: Any, **options: Any) -> bytes:
        threads.append(threading.current_thread().name)
        return compress(*arguments, **options)

    monkeypatch.setattr("boardwire.api.endpoint.gzip.compress", noting)
    answer = place.client.get(path, headers={"Accept-Encoding": "gzip"})
    assert len(answer.json()["standings"]) == ENTRY_BURST
    assert threads == ["reader"]
