"""Players over HTTP: profiles, leaderboards, histories, follows, blocks, challenges, and deleted accounts."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from boardwire.lobby.requests import Enter, Seek
from boardwire.players.accounts import Accounts, Session
from boardwire.players.ratings import PROVISIONAL_MATCHES, Ratings
from boardwire.players.relations import MAX_CHALLENGES_SENT, Challenge
from boardwire.records.sqlite import SqliteRecords
from boardwire.table.commands import Act
from boardwire.table.events import Player, account_key
from boardwire.table.guest import Guest
from boardwire.table.policy import Leaving, Policy
from boardwire.table.table import Table

from .api_fixture import ApiFixture, api_fixture, problem

RATED = Policy(Leaving.HOLDS, 60.0, rated=True)


class Place:
    """A server with rated matches."""

    def __init__(self, api: ApiFixture) -> None:
        self.api = api
        self.accounts = api.context.accounts
        self.ratings = Ratings(self.accounts.records, api.server.journal)
        api.server.lobby.change_observers.append(self.ratings.observe)
        self.sessions: dict[str, Session] = {}
        self.sent: list[Challenge] = []
        api.context.on_challenge = self.sent.append

    def session(self, name: str) -> Session:
        if name not in self.sessions:
            self.sessions[name] = asyncio.run(self.accounts.claim(name))
        return self.sessions[name]

    def play(self, *names: str, private: bool = False) -> Table:
        guests = [Guest(lambda _: None) for _ in names]
        numbers = [self.session(name).account.id for name in names]
        players = [
            Player(name, "native", key=account_key(number), account=number)
            for name, number in zip(names, numbers, strict=True)
        ]
        self.api.server.lobby.do(guests[0], Seek("tris", 2, players[0], None, RATED, private=private, fresh=True))
        table = guests[0].table
        assert isinstance(table, Table)
        self.api.server.lobby.do(guests[1], Enter(table.match.id, players[1], table.match.setting.code))
        for number, cell in enumerate((0, 3, 1, 4, 2)):
            table.do(guests[number % 2], Act(number % 2, (cell,)))
        self.api.server.clock.pass_time(1.0)
        self.accounts.records.write_now(lambda db: None)
        return table

    def ask(self, method: str, path: str, name: str = "", status: int = 200, **fields: Any) -> Any:
        headers = {"Authorization": f"Bearer {self.session(name).token}"} if name else {}
        answer = self.api.client.ask(method, path, headers=headers, **fields)
        assert answer.status_code == status, answer.text
        return answer.json() if status < 400 else problem(answer)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    records = SqliteRecords(None)
    with api_fixture(tmp_path, accounts=Accounts(records)) as api:
        yield Place(api)
    records.close()


def test_a_profile_has_the_ratings_of_a_player(place: Place) -> None:
    place.play("Ann", "Bob")
    told = place.ask("GET", "/api/players/ANN")
    assert (told["name"], told["kind"], told["followers"]) == ("Ann", "person", 0)
    assert [(one["pool"], one["game"], one["speed"], one["provisional"]) for one in told["ratings"]] == [
        ("all", "tris", "unlimited", True), ("people", "tris", "unlimited", True),
    ]  # fmt: skip
    assert told["ratings"][0]["rating"] > 1500 > place.ask("GET", "/api/players/bob")["ratings"][0]["rating"]
    assert told["ratings"][0]["error"] > 0


def test_an_unknown_player_is_not_found(place: Place) -> None:
    for path in ("", "/history", "/matches", "/against/Bob"):
        assert place.ask("GET", f"/api/players/nobody{path}", status=404)["code"] == "no-such-player"


def test_the_history_of_a_rating_ends_with_the_present_one(place: Place) -> None:
    for _ in range(3):
        place.play("Ann", "Bob")
    points = place.ask("GET", "/api/players/Ann/history", params={"game": "tris"})["points"]
    assert [point["match"] for point in points] == ["match-1", "match-2", "match-3"]
    assert points == sorted(points, key=lambda point: point["rating"])
    assert points[-1]["rating"] == place.ask("GET", "/api/players/Ann")["ratings"][0]["rating"]
    assert place.ask("GET", "/api/players/Ann/history", params={"game": "forza"})["points"] == []


def test_a_leaderboard_has_the_ranked_players_best_first(place: Place) -> None:
    for _ in range(PROVISIONAL_MATCHES):
        place.play("Ann", "Bob")
    place.play("Ann", "Cid")
    first = place.ask("GET", "/api/leaderboard", params={"game": "tris", "limit": 1})
    assert [(one["rank"], one["name"]) for one in first["players"]] == [(1, "Ann")]
    rest = place.ask("GET", "/api/leaderboard", params={"game": "tris", "after": first["next"]})
    assert [(one["rank"], one["name"], one["lost"]) for one in rest["players"]] == [(2, "Bob", PROVISIONAL_MATCHES)]
    assert rest["next"] is None
    assert place.ask("GET", "/api/leaderboard", params={"game": "chess"})["players"] == []


def test_categories_and_distributions_count_the_ranked_players(place: Place) -> None:
    for _ in range(PROVISIONAL_MATCHES):
        place.play("Ann", "Bob")
    categories = place.ask("GET", "/api/leaderboard/categories")["categories"]
    assert {(one["pool"], one["ranked"]) for one in categories} == {("all", 2), ("people", 2)}
    bars = place.ask("GET", "/api/leaderboard/distribution", params={"game": "tris"})["bars"]
    assert sum(bar["count"] for bar in bars) == 2
    ratings = [one["rating"] for one in place.ask("GET", "/api/leaderboard", params={"game": "tris"})["players"]]
    assert sorted(bar["rating"] for bar in bars) == sorted(int(rating // 50 * 50) for rating in ratings)


def test_head_to_head_counts_from_the_first_players_view(place: Place) -> None:
    place.play("Ann", "Bob")
    place.play("Bob", "Ann")
    place.play("Ann", "Bob")
    place.play("Ann", "Cid")
    told = place.ask("GET", "/api/players/Ann/against/Bob")
    assert (told["won"], told["drawn"], told["lost"]) == (2, 0, 1)
    assert [one["score"] for one in told["matches"]] == [1.0, 0.0, 1.0]
    other = place.ask("GET", "/api/players/bob/against/ann")
    assert (other["won"], other["lost"]) == (1, 2)


def test_a_profile_lists_matches_at_public_tables_only_and_my_matches_all(place: Place) -> None:
    place.play("Ann", "Bob")
    place.play("Ann", "Bob", private=True)
    assert [one["id"] for one in place.ask("GET", "/api/players/Ann/matches")["matches"]] == ["match-1"]
    assert [one["id"] for one in place.ask("GET", "/api/mine", "Ann")["matches"]] == ["match-2", "match-1"]


def test_a_table_that_was_left_before_the_start_is_not_on_the_profile(place: Place) -> None:
    guest, number = Guest(lambda _: None), place.session("Ann").account.id
    ann = Player("Ann", "native", key=account_key(number), account=number)
    place.api.server.lobby.do(guest, Seek("tris", 2, ann, None, RATED, fresh=True))
    place.api.server.lobby.leave(guest)
    place.api.server.clock.pass_time(1.0)
    assert len(place.api.server.journal.of_player(account_key(number), None, 9)) == 1
    assert place.ask("GET", "/api/players/Ann/matches")["matches"] == []


def test_my_matches_are_the_same_on_every_device(place: Place) -> None:
    place.play("Ann", "Bob")
    session = place.session("Ann")
    other = asyncio.run(place.accounts.recover("Ann", session.recovery))
    answer = place.api.client.get("/api/mine", headers={"Authorization": f"Bearer {other.token}"})
    assert [one["id"] for one in answer.json()["matches"]] == ["match-1"]


def test_players_are_found_by_the_beginning_of_their_names(place: Place) -> None:
    for name in ("Anna", "Annette", "Bob"):
        place.session(name)
    assert [one["name"] for one in place.ask("GET", "/api/players?name=ANN")["players"]] == ["Anna", "Annette"]
    assert place.ask("GET", "/api/players")["players"] == []
    assert place.ask("GET", "/api/players?name=%25")["players"] == []


# --- follow, block, challenge -----------------------------------------------------------------------------------------


def test_players_are_followed_and_blocked(place: Place) -> None:
    place.session("Bob")
    assert place.ask("PUT", "/api/players/Bob/follow", "Ann") == {"follows": ["Bob"], "blocks": []}
    assert place.ask("GET", "/api/players/Bob")["followers"] == 1
    assert place.ask("PUT", "/api/players/Ann/block", "Bob") == {"follows": [], "blocks": ["Ann"]}
    assert place.ask("GET", "/api/account/relations", "Ann") == {"follows": [], "blocks": []}
    assert place.ask("DELETE", "/api/players/Ann/block", "Bob") == {"follows": [], "blocks": []}
    place.ask("PUT", "/api/players/Ann/follow", "Ann", 409)
    place.ask("PUT", "/api/players/Zoe/follow", "Ann", 404)
    place.ask("PUT", "/api/players/Bob/follow", status=401)


def test_a_challenge_is_stored_notified_and_declined(place: Place) -> None:
    place.session("Bob")
    body = {"match": "match-9", "code": "ABC", "game": "tris", "rated": True}
    place.ask("POST", "/api/players/Bob/challenge", "Ann", 201, json=body)
    (sent,) = place.sent
    assert (sent.player, sent.name, sent.match, sent.rated) == (place.session("Bob").account.id, "Ann", "match-9", True)
    (told,) = place.ask("GET", "/api/account/challenges", "Bob")["challenges"]
    assert (told["name"], told["code"]) == ("Ann", "ABC")
    place.ask("DELETE", f"/api/account/challenges/{told['number']}", "Cid", 404)
    assert place.ask("DELETE", f"/api/account/challenges/{told['number']}", "Bob")["challenges"] == []


def test_a_blocked_player_is_not_notified_that_its_challenge_was_dropped(place: Place) -> None:
    place.session("Ann")
    place.ask("PUT", "/api/players/Ann/block", "Bob")
    place.ask("POST", "/api/players/Bob/challenge", "Ann", 201, json={"match": "match-9"})
    assert place.sent == []
    assert place.ask("GET", "/api/account/challenges", "Bob")["challenges"] == []


def test_challenges_of_one_player_are_limited(place: Place) -> None:
    place.session("Bob")
    for _ in range(MAX_CHALLENGES_SENT):
        place.ask("POST", "/api/players/Bob/challenge", "Ann", 201, json={"match": "m"})
    place.ask("POST", "/api/players/Bob/challenge", "Ann", 429, json={"match": "m"})


# --- deleted accounts -------------------------------------------------------------------------------------------------


def test_a_deleted_account_is_named_by_no_reader(place: Place) -> None:
    place.play("Annabella", "Bob")
    paths = ["/api/matches", "/api/matches/match-1", "/api/matches/match-1/events", "/api/matches/match-1/steps",
             "/api/matches/match-1/export", "/api/matches/match-1/export?format=text", "/api/players/Bob/matches",
             "/api/matches/match-1/wire?seat=0"]  # fmt: skip
    for path in paths:
        assert "Annabella" in place.api.client.get(path).text, path
    place.api.server.lobby.leave(next(iter(place.api.server.lobby)).guests[0])
    asyncio.run(place.accounts.delete(place.session("Annabella").account.id))
    for path in paths:
        told = place.api.client.get(path)
        assert told.status_code == 200
        assert "Annabella" not in told.text, path
    assert "deleted player 1" in place.api.client.get("/api/matches/match-1").text
    assert place.ask("GET", "/api/matches?player=Annabella")["matches"] == []
    assert place.ask("GET", "/api/players/Annabella", status=404)["status"] == 404
    stored = place.api.server.journal.read("match-1")
    assert any(getattr(getattr(event, "player", None), "name", "") == "Annabella" for event in stored)


def test_the_matches_of_the_guest_time_lose_the_name_too(place: Place) -> None:
    guests = [Guest(lambda _: None) for _ in range(2)]
    lobby = place.api.server.lobby
    lobby.do(guests[0], Seek("tris", 2, Player("Annabella", "native", key="GUEST"), None, None, fresh=True))
    table = guests[0].table
    assert isinstance(table, Table)
    lobby.do(guests[1], Enter(table.match.id, Player("Bob", "native", key="K")))
    for number, cell in enumerate((0, 3, 1, 4, 2)):
        table.do(guests[number % 2], Act(number % 2, (cell,)))
    session = asyncio.run(place.accounts.claim("Annabella", "GUEST"))
    assert [one["id"] for one in place.ask("GET", "/api/players/Annabella/matches")["matches"]] == ["match-1"]
    asyncio.run(place.accounts.delete(session.account.id))
    assert "Annabella" not in place.api.client.get("/api/matches/match-1/events").text
