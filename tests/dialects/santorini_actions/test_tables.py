"""The dispatch tables cover every decision and event."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boardwire.dialects.dialect import Dialect
from boardwire.dialects.santorini_actions.answer import HANDLERS, QUERIES
from boardwire.dialects.santorini_actions.messages import requests
from boardwire.dialects.santorini_actions.messages.cards import CHOOSE_BASIC, KNOWN_GODS, TYPES, card
from boardwire.dialects.santorini_actions.participant import Phase
from boardwire.games.santorini import CATALOGUE, Draft, God, Options
from boardwire.games.santorini.actions import PlaceWorker
from boardwire.games.santorini.powers.catalogue import allowed
from boardwire.lobby.requests import Seek
from boardwire.simulation.server import SimulatedServer
from boardwire.table.commands import Act
from boardwire.table.events import Player
from boardwire.table.guest import Guest

from .players import DOCUMENT, SHIPPED, Raw, open_table, start_from


def test_every_query_is_answered() -> None:
    assert set(QUERIES) == set(requests.QUERIES)


def test_every_choice_has_a_handler_and_every_phase_is_listed() -> None:
    assert {kind for heard in HANDLERS.values() for kind in heard} == set(requests.CHOICES)
    assert set(HANDLERS) == set(Phase) - {Phase.LOBBY, Phase.OUT}


def test_the_deck_has_the_fourteen_cards_in_their_order() -> None:
    names = "APOLLO ARTEMIS ATHENA ATLAS DEMETER HEPHAESTUS MINOTAUR PAN PROMETHEUS ARES CHRONUS HESTIA TRITON ZEUS"
    assert [god.name for god in TYPES] == names.split()
    assert tuple(TYPES) == KNOWN_GODS
    assert {god.name for god in CHOOSE_BASIC} == {"ATLAS", "PROMETHEUS"}
    assert card(God.CHRONUS).numberOfPlayersAllowed == 2
    assert {card(god).numberOfPlayersAllowed for god in KNOWN_GODS if god is not God.CHRONUS} == {3}


def deck(client: Raw) -> Any:
    (reply,) = client.say("getDeck")
    return reply["data"]["deck"]


@pytest.mark.parametrize(("size", "count"), [(2, 14), (3, 13)])
def test_the_deck_depends_on_the_size_and_its_shape_on_the_edition(size: int, count: int) -> None:
    for edition in (DOCUMENT, SHIPPED):
        server = SimulatedServer(seed=0)
        clients = [Raw(server, edition, name, size) for name in ("ann", "bill", "cleo")[:size]]
        for client in clients:
            client.join()
        clients[0].take()
        found = deck(clients[0])
        if edition is SHIPPED:
            assert list(found) == ["listOfCards"]
            found = found["listOfCards"]
        assert len(found) == count
        fields = ["cardName", "cardType", "chooseBasic", "numberOfPlayersAllowed", "cardEffect"]
        for one in found:
            absent = one["cardName"] in ("ARES", "HESTIA", "ZEUS")
            assert list(one) == [field for field in fields if not (absent and field == "cardType")]


def test_players_are_listed_in_the_order_of_choosing_once_they_have_chosen() -> None:
    server = SimulatedServer(seed=0)
    ann, bill = Raw(server, DOCUMENT, "Ann"), Raw(server, SHIPPED, "Bill")
    ann.join()
    bill.join()
    assert ann.take() == [{"action": "setPickedCards", "data": {"playerNickname": "Ann"}}]
    bill.take()
    assert ann.say("getPlayers") == [{"action": "getPlayersResponse", "data": {"players": []}}]
    ann.say("setPickedCards", cards=["PAN", "ZEUS"])
    assert bill.take() == [{"action": "setPlayerCard", "data": {"cards": ["PAN", "ZEUS"]}}]
    bill.say("setPlayerCard", playerNickname="bill", card="ZEUS")
    assert ann.take() == [{"action": "setPlayerCard", "data": {"cards": ["PAN"]}}]
    (after,) = ann.say("setPlayerCard", playerNickname="ANN", card="PAN")
    assert after == {"action": "setWorkersPosition", "data": {"workersID": [0, 1]}}
    (players,) = ann.say("getPlayers")
    assert players["data"]["players"] == [
        {"playerNickname": "Bill".lower(), "color": "GREY", "card": "ZEUS"},
        {"playerNickname": "Ann", "color": "BROWN", "card": "PAN"},
    ]
    (players,) = bill.say("getPlayers")
    assert [one["playerNickname"] for one in players["data"]["players"]] == ["bill", "ann"], "[9] lower case here"


def test_the_board_can_be_requested_out_of_turn() -> None:
    _, clients = start_from("01230 00000 00000 00000 0000b/1/pan:A5,E5/pan:C3,D3")
    boards = []
    for client in clients:
        (reply,) = client.say("getBattlefield")
        assert reply["action"] == "getBattlefieldResponse"
        boards.append(reply["data"]["cellMatrix"])
    assert boards[0] == boards[1]
    assert boards[0][0][4] == {"player": "ann", "workerColor": "BROWN", "height": 0, "lastBlock": "GROUND"}
    assert boards[0][0][3] == {"height": 3, "lastBlock": "LEVEL_3"}
    assert boards[0][4][4] == {"height": 2, "lastBlock": "DOME"}, "a dome counts as a piece"


def test_worker_numbers_are_sent_only_to_their_player() -> None:
    _, (_, bill) = start_from("00000 00000 00000 00000 00000/1/pan:A5,E5/pan:C3,D3")
    (reply,) = bill.say("getWorkersID", playerNickname="Bill")
    assert reply == {"action": "getWorkersIDResponse", "data": {"player": "bill", "workersID": [2, 3]}}
    assert bill.say("getWorkersID", playerNickname="ann") == []


def test_quirk_the_cards_in_game_have_no_envelope_before_they_are_picked_in_the_shipped_edition() -> None:
    for edition, early in ((SHIPPED, [{"error": "invalidRequest"}]), (DOCUMENT, [])):
        server = SimulatedServer(seed=0)
        ann, bill = Raw(server, edition, "ann"), Raw(server, edition, "bill")
        ann.join()
        bill.join()
        ann.take()
        assert ann.say("getCardsInGame") == early
        ann.say("setPickedCards", cards=["PAN", "ZEUS"])
        (reply,) = ann.say("getCardsInGame")
        assert [one["cardName"] for one in reply["data"]["cards"]] == ["PAN", "ZEUS"]


def test_all_output_is_ascii() -> None:
    server = SimulatedServer(seed=0)
    ann, bill = Raw(server, DOCUMENT, "Jürgen 🏛"), Raw(server, DOCUMENT, "bill")
    ann.peer.send('{"action":"addPlayer","data":{"playerNickname":"Jürgen 🏛","lobbySize":2}}\n'.encode())
    bill.join()
    said = ann.peer.take()
    assert said.isascii()
    assert b"J\\u00fcrgen \\ud83c\\udfdb" in said


def test_a_table_without_gods_has_mortals_and_its_ram_is_shown_as_a_dome() -> None:
    server = SimulatedServer(seed=0)
    open_table(server, Options(draft=Draft.FLEECE, gods=(God.ARTEMIS,)))
    ann, bill = Raw(server, DOCUMENT, "ann"), Raw(server, DOCUMENT, "bill")
    ann.join()
    bill.join()
    for client, other, row in ((ann, "bill", 1), (bill, "ann", 3)):
        asked = [one for one in client.take() if one["action"].startswith("set")]
        if client is ann:
            assert [one["data"] for one in asked] == [{"playerNickname": other}, {"cards": ["MORTAL"]}]
        client.say("setPlayerCard", playerNickname=client.name, card="MORTAL")
        places = [{"workerID": number, "x": row, "y": number} for number in range(2)]
        client.say("setWorkersPosition", playerNickname=client.name, workersPosition=places)
    ann.take()
    (reply,) = ann.say("getBattlefield")
    assert reply["data"]["cellMatrix"][0][0] == {"height": 1, "lastBlock": "DOME"}
    (players,) = ann.say("getPlayers")
    assert [one["card"] for one in players["data"]["players"]] == ["MORTAL", "MORTAL"]


def deck_of(client: Raw) -> set[str]:
    """Return the card names in the deck, as requested by a client now."""
    (reply,) = [one for one in client.say("getDeck") if one["action"] == "getDeckResponse"]
    deck = reply["data"]["deck"]
    return {card["cardName"] for card in (deck["listOfCards"] if isinstance(deck, dict) else deck)}


def answer_set_up(client: Raw, message: dict[str, Any]) -> set[str]:
    """Answer a message of the set-up as an original client would, and return the cards it names."""
    data = message.get("data", {})
    match message["action"]:
        case "setPickedCards" if data["playerNickname"] == client.name:
            client.peer.send(b'{"action":"setPickedCards","data":{"cards":["APOLLO","PAN"]}}\n')
        case "setPlayerCard":
            card = {"playerNickname": client.name, "card": data["cards"][0]}
            client.peer.send(json.dumps({"action": "setPlayerCard", "data": card}).encode() + b"\n")
            return set(data["cards"])
        case "setWorkersPosition":
            places = [{"workerID": one, "x": one, "y": one} for one in data["workersID"]]
            answer = {"playerNickname": client.name, "workersPosition": places}
            client.peer.send(json.dumps({"action": "setWorkersPosition", "data": answer}).encode() + b"\n")
    return set()


GIVEN = [Options(draft=Draft.GIVEN, gods=(god, God.PAN), bans=False) for god in CATALOGUE if god is not God.PAN]
SET_UPS = [
    *(Options(draft=draft) for draft in Draft if draft not in (Draft.GIVEN, Draft.FLEECE, Draft.POSITION)),
    *(options for options in GIVEN if allowed(options.gods[0], 2)),
    Options(draft=Draft.FLEECE, gods=(God.ARTEMIS,)),
    Options(draft=Draft.POSITION, position="0000000000000000000000000/1/mortal:B3,D3/circe:C4,C2"),
]


@pytest.mark.parametrize("edition", [DOCUMENT, SHIPPED], ids=["document", "shipped"])
def test_the_deck_contains_every_card_named_at_a_table_of_any_set_up(edition: Dialect) -> None:
    for options in SET_UPS:
        server = SimulatedServer(seed=0)
        open_table(server, options)
        clients = [Raw(server, edition, "ann"), Raw(server, edition, "bill")]
        waiting = [(client, one) for client in clients for one in client.join()]
        named: set[str] = set()
        while waiting:
            named |= {card for client, message in waiting for card in answer_set_up(client, message)}
            waiting = [(client, one) for client in clients for one in client.take()]
        for client in clients:
            (reply,) = client.say("getPlayers")
            listed = [one["card"] for one in reply["data"]["players"]]
            assert len(listed) == 2, options
            assert named.union(listed) <= deck_of(client), options


def test_a_player_whose_god_and_workers_end_the_set_up_together_is_listed() -> None:
    server = SimulatedServer(seed=0)
    open_table(server, Options(draft=Draft.TOGETHER))
    client, notification = Raw(server, DOCUMENT, "ann"), list[Any]()
    other = Guest(notification.append)
    client.join()
    server.lobby.do(other, Seek("santorini", 2, Player("bob", "another")))
    for message in client.take():
        answer_set_up(client, message)
    for message in client.take():
        answer_set_up(client, message)
    pick = next(iter(server.match().pending.choices))
    server.lobby.do(other, Act(1, (pick, PlaceWorker(20), PlaceWorker(21))))
    client.take()
    (reply,) = client.say("getPlayers")
    assert [one["playerNickname"] for one in reply["data"]["players"]] == ["ann", "bob"]
