"""The matches of one player over HTTP: for whoever shows the token, and for nobody else."""

from __future__ import annotations

from typing import Any

import pytest

from boardwire.lobby.held_seats import token_hash
from boardwire.lobby.requests import Enter, Seek
from boardwire.table.commands import Resign
from boardwire.table.events import Player
from boardwire.table.guest import Guest
from boardwire.table.table import Table

from .office import FRIENDLY, Office, Sitting, problem

ANN, BOB = "the-token-of-ann-who-is-first", "the-token-of-bob-who-is-second"


class Known(Sitting):
    """Two players whom their tokens tell apart."""

    def __init__(self, desk: Office, game: str = "tris", names: tuple[str, str] = ("Ann", "Bob"), **more: Any) -> None:
        self.refused, self._house = [], desk.house
        self.guests = [Guest(self._hear) for _ in range(2)]
        keys = token_hash(ANN), token_hash(BOB)
        seek = Seek(game, 2, Player(names[0], "native", key=keys[0]), None, FRIENDLY, fresh=True, **more)
        desk.house.lobby.do(self.guests[0], seek)
        table = self.guests[0].table
        assert isinstance(table, Table), self.refused
        self.table = table
        player = Player(names[1], "native", key=keys[1])
        desk.house.lobby.do(self.guests[1], Enter(table.match.id, player, table.match.setting.code))


def mine(desk: Office, token: str, **query: Any) -> Any:
    answer = desk.client.get("/api/mine", params=query, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return answer.json()


def test_a_match_is_listed_for_each_of_its_players_with_the_result_for_that_one(desk: Office) -> None:
    Known(desk).act(0, 3, 1, 4, 2)
    (ann,), (bob,) = (mine(desk, token)["matches"] for token in (ANN, BOB))
    assert (ann["id"], ann["seat"], ann["result"]) == ("match-1", 0, "won")
    assert (bob["id"], bob["seat"], bob["result"]) == ("match-1", 1, "lost")
    assert ann["changed"] > ann["at"]


def test_matches_of_others_that_go_on_or_without_a_move_are_not_listed(desk: Office) -> None:
    desk.tris()
    Known(desk).act(0, 3)
    Known(desk).do(0, Resign(0))
    assert mine(desk, ANN) == {"matches": [], "next": None}


def test_a_private_match_is_listed_for_its_players(desk: Office) -> None:
    Known(desk, private=True).act(0, 3, 1, 4, 2)
    assert [match["id"] for match in mine(desk, ANN)["matches"]] == ["match-1"]


def test_they_are_found_by_game_by_result_and_by_a_part_of_an_opponents_name(desk: Office) -> None:
    Known(desk).act(0, 3, 1, 4, 2)
    Known(desk, names=("Ann", "Cleo")).act(4, 0, 3, 1, 8, 2)
    Known(desk, "forza", ("Ann", "Cleo")).act(0, 1, 0, 1, 0, 1, 0)

    def ids(**query: Any) -> list[str]:
        return [match["id"] for match in mine(desk, ANN, **query)["matches"]]

    assert ids() == ["match-3", "match-2", "match-1"]
    assert ids(game="tris") == ["match-2", "match-1"]
    assert ids(result="lost") == ["match-2"]
    assert ids(opponent="cle") == ["match-3", "match-2"]
    assert ids(opponent="ann") == []
    assert ids(opponent="cleo", result="won") == ["match-3"]
    assert ids(result="drawn") == []


def test_pages_go_on_where_the_last_one_ended(desk: Office) -> None:
    for _ in range(3):
        Known(desk).act(0, 3, 1, 4, 2)
    first = mine(desk, ANN, limit=2)
    assert [match["id"] for match in first["matches"]] == ["match-3", "match-2"]
    second = mine(desk, ANN, limit=2, before=first["next"])
    assert ([match["id"] for match in second["matches"]], second["next"]) == (["match-1"], None)


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer  ", f"Basic {ANN}", "Bearer short"])
def test_whoever_shows_no_token_is_told_nothing(desk: Office, header: str | None) -> None:
    Known(desk).act(0, 3, 1, 4, 2)
    answer = desk.client.get("/api/mine", headers={} if header is None else {"Authorization": header})
    assert problem(answer)["status"] == 401
    assert answer.headers["www-authenticate"] == "Bearer"


def test_a_key_from_the_journal_is_no_token(desk: Office) -> None:
    Known(desk).act(0, 3, 1, 4, 2)
    assert mine(desk, token_hash(ANN))["matches"] == []


def test_a_result_that_there_is_not_is_refused(desk: Office) -> None:
    answer = desk.client.get("/api/mine", params={"result": "good"}, headers={"Authorization": f"Bearer {ANN}"})
    assert problem(answer)["status"] == 422
