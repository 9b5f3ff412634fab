"""The matches of one player over HTTP: only with the token."""

from __future__ import annotations

from typing import Any

import pytest

from boardwire.lobby.held_seats import token_hash
from boardwire.lobby.requests import Enter, Seek
from boardwire.table.commands import Resign
from boardwire.table.events import Player
from boardwire.table.guest import Guest
from boardwire.table.table import Table

from .api_fixture import FRIENDLY, ApiFixture, Sitting, problem

ANN, BOB = "the-token-of-ann-who-is-first", "the-token-of-bob-who-is-second"


class Known(Sitting):
    """Two players identified by their tokens."""

    def __init__(
        self, api: ApiFixture, game: str = "tris", names: tuple[str, str] = ("Ann", "Bob"), **more: Any
    ) -> None:
        self.refused, self._server = [], api.server
        self.guests = [Guest(self._hear) for _ in range(2)]
        keys = token_hash(ANN), token_hash(BOB)
        seek = Seek(game, 2, Player(names[0], "native", key=keys[0]), None, FRIENDLY, fresh=True, **more)
        api.server.lobby.do(self.guests[0], seek)
        table = self.guests[0].table
        assert isinstance(table, Table), self.refused
        self.table = table
        player = Player(names[1], "native", key=keys[1])
        api.server.lobby.do(self.guests[1], Enter(table.match.id, player, table.match.setting.code))


def mine(api: ApiFixture, token: str, **query: Any) -> Any:
    answer = api.client.get("/api/mine", params=query, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()


def test_a_match_is_listed_for_each_of_its_players_with_the_result_for_that_one(api: ApiFixture) -> None:
    Known(api).act(0, 3, 1, 4, 2)
    (ann,), (bob,) = (mine(api, token)["matches"] for token in (ANN, BOB))
    assert (ann["id"], ann["seat"], ann["result"]) == ("match-1", 0, "won")
    assert (bob["id"], bob["seat"], bob["result"]) == ("match-1", 1, "lost")
    assert ann["changed"] > ann["at"]


def test_matches_of_others_that_go_on_or_without_a_move_are_not_listed(api: ApiFixture) -> None:
    api.tris()
    Known(api).act(0, 3)
    Known(api).do(0, Resign(0))
    assert mine(api, ANN) == {"matches": [], "next": None}


def test_a_private_match_is_listed_for_its_players(api: ApiFixture) -> None:
    Known(api, private=True).act(0, 3, 1, 4, 2)
    assert [match["id"] for match in mine(api, ANN)["matches"]] == ["match-1"]


def test_matches_are_found_by_game_result_and_part_of_an_opponents_name(api: ApiFixture) -> None:
    Known(api).act(0, 3, 1, 4, 2)
    Known(api, names=("Ann", "Cleo")).act(4, 0, 3, 1, 8, 2)
    Known(api, "forza", ("Ann", "Cleo")).act(0, 1, 0, 1, 0, 1, 0)

    def ids(**query: Any) -> list[str]:
        return [match["id"] for match in mine(api, ANN, **query)["matches"]]

    assert ids() == ["match-3", "match-2", "match-1"]
    assert ids(game="tris") == ["match-2", "match-1"]
    assert ids(result="lost") == ["match-2"]
    assert ids(opponent="cle") == ["match-3", "match-2"]
    assert ids(opponent="ann") == []
    assert ids(opponent="cleo", result="won") == ["match-3"]
    assert ids(result="drawn") == []


def test_pages_go_on_where_the_last_one_ended(api: ApiFixture) -> None:
    for _ in range(3):
        Known(api).act(0, 3, 1, 4, 2)
    first = mine(api, ANN, limit=2)
    assert [match["id"] for match in first["matches"]] == ["match-3", "match-2"]
    second = mine(api, ANN, limit=2, before=first["next"])
    assert ([match["id"] for match in second["matches"]], second["next"]) == (["match-1"], None)


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer  ", f"Basic {ANN}", "Bearer short"])
def test_without_a_token_nothing_is_disclosed(api: ApiFixture, header: str | None) -> None:
    Known(api).act(0, 3, 1, 4, 2)
    answer = api.client.get("/api/mine", headers={} if header is None else {"Authorization": header})
    assert problem(answer)["status"] == 401
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_key_from_the_journal_is_no_token(api: ApiFixture) -> None:
    Known(api).act(0, 3, 1, 4, 2)
    assert mine(api, token_hash(ANN))["matches"] == []


def test_an_unknown_result_is_refused(api: ApiFixture) -> None:
    answer = api.client.get("/api/mine", params={"result": "good"}, headers={"Authorization": f"Bearer {ANN}"})
    assert problem(answer)["status"] == 422
