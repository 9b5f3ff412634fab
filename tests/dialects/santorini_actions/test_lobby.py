"""Login: from `addPlayer` to a seat, and from the end of a match to the next."""

from __future__ import annotations

from typing import Any

import pytest

from boardwire.dialects.dialect import Dialect
from boardwire.dialects.santorini_actions import dialect
from boardwire.dialects.santorini_actions.editions import DOCUMENT as DOCUMENT_EDITION
from boardwire.dialects.santorini_actions.editions import SHIPPED as SHIPPED_EDITION
from boardwire.games.santorini import Draft, God, Options, Wish
from boardwire.lobby.requests import Seek
from boardwire.simulation.server import SimulatedServer
from boardwire.table.events import Player
from boardwire.table.guest import Guest
from boardwire.table.ports import AppendResult

from .players import (
    DOCUMENT,
    SHIPPED,
    Raw,
    actions,
    start_from,
)

WIN = "23000 00000 00000 00000 00000/1/pan:A5,E1/pan:C3,D3"


def verdict(messages: list[dict[str, Any]]) -> tuple[bool, bool, bool]:
    """Return `lobbyState`, `validNick` and `fullLobby` of the first reply that is not a ping."""
    answer = next(one for one in messages if one["action"] != "ping")
    assert answer["action"] == "addPlayerResponse"
    assert list(answer["data"]) == ["playerNickname", "lobbySize", "lobbyState", "validNick", "fullLobby"]
    return answer["data"]["lobbyState"], answer["data"]["validNick"], answer["data"]["fullLobby"]


@pytest.mark.parametrize("edition", [DOCUMENT, SHIPPED])
@pytest.mark.parametrize("size", [2, 3])
def test_a_match_begins_when_the_lobby_is_full_with_the_first_player_as_god_player(edition: Dialect, size: int) -> None:
    server = SimulatedServer(seed=0)
    players = [Raw(server, edition, name, size) for name in ("ann", "bill", "cleo")[:size]]
    for player in players[:-1]:
        assert verdict(player.join()) == (True, True, False)
        assert player.take() == []
    last = [one for one in players[-1].join() if one["action"] != "ping"]
    assert actions(last) == ["addPlayerResponse", "setPickedCards"]
    for player in players[:-1]:
        assert player.take() == [{"action": "setPickedCards", "data": {"playerNickname": "ann"}}]


@pytest.mark.parametrize(
    ("edition", "name", "size", "wanted"),
    [
        (DOCUMENT, "", 2, (True, False, False)),
        (DOCUMENT, " ", 2, (True, False, False)),
        (DOCUMENT, "a\tb", 2, (True, False, False)),
        (DOCUMENT, "x" * 65, 2, (True, False, False)),
        (DOCUMENT, "Jürgen O'Neil", 2, (True, True, False)),
        (DOCUMENT, "ann", 4, (False, True, False)),
        (DOCUMENT, "", 1, (False, False, False)),
        (SHIPPED, "", 2, (True, False, False)),
        (SHIPPED, "two words", 2, (True, False, False)),
        (SHIPPED, "x" * 16, 2, (True, False, False)),
        (SHIPPED, "Jürgen", 2, (True, False, False)),
        (SHIPPED, "A.b-C_9", 3, (True, True, False)),
        (SHIPPED, "ann", 4, (False, False, False)),
        (SHIPPED, "ann", 0, (False, False, False)),
    ],
)
def test_names_and_sizes_are_validated_by_edition(
    edition: Dialect, name: str, size: int, wanted: tuple[bool, bool, bool]
) -> None:
    client = Raw(SimulatedServer(seed=0), edition, name, size)
    assert verdict(client.join()) == wanted
    client.name, client.size = "zoe", 2
    if wanted != (True, True, False):
        assert verdict(client.join()) == (True, True, False), "a refused client may try again"


def test_the_answer_echoes_the_name_as_it_was_sent() -> None:
    for edition in (DOCUMENT, SHIPPED):
        client = Raw(SimulatedServer(seed=0), edition, "AnN", 2)
        (answer,) = [one for one in client.join() if one["action"] != "ping"]
        assert answer["data"]["playerNickname"] == "AnN"


def test_numbers_as_strings_whitespace_and_any_key_order_are_accepted() -> None:
    server = SimulatedServer(seed=0)
    for name, line in (
        ("a", '{"action":"addPlayer","data":{"playerNickname":"a","lobbySize":"2"}}'),
        ("b", ' { "data" : { "lobbySize" : 2.0, "extra": [1], "playerNickname" : "b" } , "action" : "addPlayer" } '),
    ):
        said = Raw(server, DOCUMENT, name).line(line)
        assert said[0]["data"]["validNick"] is True


@pytest.mark.parametrize("first", [DOCUMENT, SHIPPED])
@pytest.mark.parametrize("second", [DOCUMENT, SHIPPED])
def test_names_are_unique_server_wide_ignoring_case(first: Dialect, second: Dialect) -> None:
    server = SimulatedServer(seed=0)
    Raw(server, first, "Ann", 3).join()
    late = Raw(server, second, "aNN", 3)
    assert verdict(late.join())[1] is False
    late.size = 2
    late.join()
    assert verdict(late.join())[1] is False


def test_a_waiting_player_who_leaves_frees_seat_and_name() -> None:
    server = SimulatedServer(seed=0)
    ann = Raw(server, DOCUMENT, "ann")
    ann.join()
    ann.peer.drop()
    again = Raw(server, DOCUMENT, "ANN")
    assert verdict(again.join()) == (True, True, False)
    assert again.take() == []


def test_a_name_held_by_another_dialect_at_the_table_is_refused() -> None:
    server = SimulatedServer(seed=0)
    server.lobby.do(Guest(lambda notification: None), Seek("santorini", 2, Player("ann", "another")))
    client = Raw(server, DOCUMENT, "ann")
    assert verdict(client.join()) == (True, False, False)
    client.name = "bill"
    assert verdict(client.join()) == (True, True, False)


def test_players_of_other_dialects_get_unique_names() -> None:
    """A missing name, or one that differs only in case, gets the number of its seat."""
    server = SimulatedServer(seed=0)
    for name in ("Cleo", ""):
        server.lobby.do(
            Guest(lambda notification: None),
            Seek("santorini", 3, Player(name, "another"), Options(draft=Draft.GIVEN, gods=(God.PAN,) * 3, bans=False)),
        )
    client = Raw(server, SHIPPED, "cleo", 3)
    client.join()
    (players,) = client.say("getPlayers")
    assert [one["playerNickname"] for one in players["data"]["players"]] == ["cleo-1", "player2", "cleo"]


def test_a_table_with_too_few_common_gods_is_skipped() -> None:
    server = SimulatedServer(seed=0)
    other = Seek("santorini", 2, Player("zed", "another"), wish=Wish((God.HERMES, God.HERA)))
    server.lobby.do(Guest(lambda notification: None), other)
    assert verdict(Raw(server, DOCUMENT, "ann").join()) == (True, True, False)
    assert server.match("match-2").players[0].name == "ann"


def test_players_of_different_sizes_never_meet() -> None:
    server = SimulatedServer(seed=0)
    ann, bill = Raw(server, SHIPPED, "ann", 2), Raw(server, SHIPPED, "bill", 3)
    assert verdict(ann.join()) == verdict(bill.join()) == (True, True, False)
    assert server.match("match-1").position is None


def test_the_document_edition_names_the_other_open_lobby_and_yields_to_a_repeated_request() -> None:
    server = SimulatedServer(seed=0)
    Raw(server, DOCUMENT, "ann", 2).join()
    bill = Raw(server, DOCUMENT, "bill", 3)
    assert verdict(bill.join()) == (False, True, False)
    assert verdict(bill.join()) == (True, True, False)
    cleo = Raw(server, DOCUMENT, "cleo", 3)
    assert verdict(cleo.join()) == (True, True, False), "now both are open"


def test_a_client_referred_to_another_lobby_can_join_it() -> None:
    server = SimulatedServer(seed=0)
    Raw(server, DOCUMENT, "ann", 2).join()
    bill = Raw(server, DOCUMENT, "bill", 3)
    bill.join()
    bill.size = 2
    assert actions(bill.join()) == ["addPlayerResponse", "setPickedCards"]


@pytest.mark.parametrize("edition", [DOCUMENT_EDITION, SHIPPED_EDITION])
def test_a_server_with_a_limit_is_full_when_it_is_reached(edition: Any) -> None:
    server = SimulatedServer(seed=0, limit=1)
    spoken = dialect(edition)
    for name in ("ann", "bill"):
        assert verdict(Raw(server, spoken, name).join()) == (True, True, False)
    valid = not edition.nick_is_verdict
    assert verdict(Raw(server, spoken, "cleo").join()) == (True, valid, True)
    assert verdict(Raw(server, spoken, "cleo", 7).join()) == (False, valid, True)


def test_a_server_that_cannot_store_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    server = SimulatedServer(seed=0)
    monkeypatch.setattr(server.journal, "append", lambda match, first, events, done: done(AppendResult.FAILED))
    client = Raw(server, DOCUMENT, "ann")
    assert verdict(client.join()) == (True, True, True)
    assert verdict(Raw(server, DOCUMENT, "Ann").join()) == (True, True, True), "the name was given back"


@pytest.mark.parametrize("edition", [DOCUMENT, SHIPPED])
def test_other_requests_are_ignored_before_the_match(edition: Dialect) -> None:
    client = Raw(SimulatedServer(seed=0), edition, "ann")
    client.take()
    requests = ["getDeck", "getPlayers", "getBattlefield", "skipStep", "getCardsInGame", "pong", "dance"]
    for _ in range(2):
        assert [client.say(action) for action in requests] == [[]] * len(requests)
        assert client.start() == client.step(0, 0) == []
        client.join()


@pytest.mark.parametrize("edition", [DOCUMENT, SHIPPED])
def test_a_waiting_client_cannot_request_a_second_seat(edition: Dialect) -> None:
    server = SimulatedServer(seed=0)
    client = Raw(server, edition, "ann")
    client.join()
    client.name = "ann2"
    assert actions(client.join()) in (["serverError"], ["invalidRequest"])
    assert len(server.events()) == 2


@pytest.mark.parametrize("edition", [DOCUMENT, SHIPPED])
def test_after_the_end_the_connection_stays_open_for_another_match(edition: Dialect) -> None:
    server, (ann, bill) = start_from(WIN, edition)
    ann.start()
    ann.select(0, 0)
    ann.step(0, 1)
    bill.take()
    assert not ann.peer.closed
    assert bill.start() == []
    assert verdict(bill.join()) == (True, True, False)
    assert verdict(ann.join()) == (True, True, False)
    assert actions(bill.take()) == ["setPickedCards"]
    assert server.match("match-2").players[0].name == "bill"


def test_after_the_end_the_name_is_free_for_others() -> None:
    server, (ann, bill) = start_from(WIN)
    late = Raw(server, DOCUMENT, "Ann")
    assert verdict(late.join()) == (True, False, False)
    ann.start()
    ann.select(0, 0)
    ann.step(0, 1)
    assert verdict(late.join()) == (True, True, False)
    assert actions(bill.take())[-1] == "youLose"
