"""The client against other servers: the specified program and its predecessor."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Dialect, Over, ProtocolViolation, Result, Show
from boardwire.games.santorini import God, Kind
from boardwire.games.santorini.actions import DONE, USE, Build, Move, PickGod, PlaceWorker, ProposeGod, Raze
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.server import SimulatedClient

from .players import DOCUMENT, SHIPPED


class Server:
    """A server played by the test, and a client whose player answers as the test says."""

    def __init__(self, dialect: Dialect = SHIPPED, name: str = "ann", players: int = 2) -> None:
        self.told: list[Any] = []
        self.clock = ManualClock()
        self.client = SimulatedClient(
            dialect, lambda client, one: self.told.append(one), ClientOptions(name, players), self.clock
        )

    def said(self) -> list[Any]:
        """Return the client's messages as action and data."""
        lines = self.client.take().decode("ascii").splitlines()
        return [(one["action"], one.get("data")) for one in map(json.loads, lines)]

    def say(self, action: str, **data: Any) -> list[Any]:
        """Send a message and return the client's replies."""
        message = {"action": action, **({"data": data} if data else {})}
        return self.line(json.dumps(message))

    def line(self, text: str) -> list[Any]:
        self.client.receive(text.encode() + b"\n")
        return self.said()

    def answer(self, action: Any) -> list[Any]:
        """Answer the open question."""
        assert action in self.asked.decision.choices
        self.client.talk.tell(Answer(action))
        return self.said()

    @property
    def asked(self) -> Ask:
        """The last question."""
        return next(one for one in reversed(self.told) if isinstance(one, Ask))

    @property
    def over(self) -> Over:
        (found,) = [one for one in self.told if isinstance(one, Over)]
        return found

    def accept(self) -> list[Any]:
        """Accept the client's login."""
        return self.say(
            "addPlayerResponse", playerNickname="ann", lobbySize=2, lobbyState=True, validNick=True, fullLobby=False
        )

    def view(self, *cells: tuple[int, int]) -> list[Any]:
        """Send a view."""
        return self.say("workerViewUpdate", workerView=[[(x, y) in cells for y in range(5)] for x in range(5)])

    def board(self, action: str = "battlefieldUpdate", **at: tuple[int, int]) -> list[Any]:
        """Send a board with ann's workers a1 and a2 and bill's b1 and b2."""
        names = {"a": ("ann", "BLUE"), "b": ("bill", "GREY")}
        cells: list[list[dict[str, Any]]] = [[{"height": 0, "lastBlock": "GROUND"} for _ in range(5)] for _ in range(5)]
        cells[4][4] = {"height": 3, "lastBlock": "LEVEL_3"}
        cells[4][3] = {"height": 2, "lastBlock": "DOME"}
        for worker, (x, y) in at.items():
            player, color = names[worker[0]]
            cells[x][y] = {"player": player, "workerColor": color, **cells[x][y]}
        return self.say(action, cellMatrix=cells)


def playing(card: str, dialect: Dialect = SHIPPED) -> Server:
    """Return a server and its client at the start of the client's turn, with this card."""
    server = Server(dialect)
    server.said()
    server.accept()
    server.say("setPickedCards", playerNickname="bill")
    server.say("getDeckResponse", deck={"listOfCards": [{"cardName": card}, {"cardName": "PAN"}]})
    server.say("setPlayerCard", cards=[card, "PAN"])
    server.answer(PickGod(God[card]))
    server.say("setWorkersPosition", workersID=[552, 553])
    players = [("ann", "BLUE", card), ("bill", "GREY", "PAN")]
    server.say("getPlayersResponse", players=[{"playerNickname": n, "color": c, "card": k} for n, c, k in players])
    server.board("getBattlefieldResponse", b1=(0, 0), b2=(0, 1))
    server.answer(PlaceWorker(10))
    assert server.answer(PlaceWorker(20)) == [
        (
            "setWorkersPosition",
            {
                "playerNickname": "ann",
                "workersPosition": [{"workerID": 552, "x": 2, "y": 0}, {"workerID": 553, "x": 4, "y": 0}],
            },
        )
    ]
    server.board(a1=(2, 0), a2=(4, 0), b1=(0, 0), b2=(0, 1))
    return server


def test_the_client_answers_a_ping_at_once_even_while_its_player_thinks() -> None:
    server = playing("PAN")
    server.client.receive(b'{"action":"ping"}\r\n')
    assert server.client.take() == b'{"action":"pong"}\n'


def test_the_action_comes_first_on_every_line() -> None:
    client = SimulatedClient(SHIPPED, lambda client, one: None, ClientOptions("Ann", 2))
    assert client.take() == b'{"action":"addPlayer","data":{"playerNickname":"ann","lobbySize":2}}\n'


def test_the_god_player_picks_a_card_for_each() -> None:
    server = Server(DOCUMENT, "Ann")
    server.said()
    server.accept()
    assert server.say("setPickedCards", playerNickname="ann") == [("getDeck", None)]
    server.say("getDeckResponse", deck=[{"cardName": "PAN"}, {"cardName": "ATLAS"}, {"cardName": "HUNGER"}])
    assert server.asked.decision.kind is Kind.PROPOSE_GOD
    assert server.asked.decision.choices == (ProposeGod(God.PAN), ProposeGod(God.ATLAS))
    assert server.answer(ProposeGod(God.ATLAS)) == []
    assert server.answer(ProposeGod(God.PAN)) == [("setPickedCards", {"cards": ["ATLAS", "PAN"]})]


def test_a_question_that_comes_while_the_deck_is_awaited_is_not_lost() -> None:
    server = Server()
    server.said()
    server.accept()
    server.say("setPickedCards", playerNickname="bill")
    server.say("setPlayerCard", cards=["PAN", "ATLAS"])
    server.say("getDeckResponse", deck={"listOfCards": []})
    assert server.asked.decision.kind is Kind.PICK_GOD


def test_a_newer_offer_of_cards_replaces_the_one_before() -> None:
    server = Server()
    server.said()
    server.accept()
    server.say("setPlayerCard", cards=["PAN", "ATLAS"])
    server.say("setPlayerCard", cards=["ATLAS"])
    assert server.answer(PickGod(God.PAN)) == []
    assert server.answer(PickGod(God.ATLAS)) == [("setPlayerCard", {"playerNickname": "ann", "card": "ATLAS"})]


def test_a_turn_is_played_with_the_view_of_both_workers_known() -> None:
    server = playing("PAN")
    assert server.say("actualPlayer", playerNickname="bill") == []
    assert server.say("actualPlayer", playerNickname="ann") == [
        ("setStartTurn", {"playerNickname": "ann", "basicTurn": False})
    ]
    select = server.say("setStartTurnResponse", playerNickname="ann", basicTurn=False, currentStep="MOVE")
    assert select == [("selectWorker", {"playerNickname": "ann", "x": 2, "y": 0})]
    assert server.view((1, 0), (1, 1)) == [("selectWorker", {"playerNickname": "ann", "x": 4, "y": 0})]
    server.view((3, 0))
    assert server.asked.decision.choices == (Move(10, 5), Move(10, 6), Move(20, 15))
    assert server.answer(Move(10, 6)) == [("selectWorker", {"playerNickname": "ann", "x": 2, "y": 0})]
    assert server.view((1, 0), (1, 1)) == [("playStep", {"x": 1, "y": 1})]
    server.board(a1=(1, 1), a2=(4, 0), b1=(0, 0), b2=(0, 1))
    server.say("playStepResponse", x=1, y=1, nextStep="BUILD")
    server.view((0, 2), (1, 2))
    assert server.asked.decision.kind is Kind.GO_ON
    later: Any = server.asked.decision.choices
    assert later == (Build(6, 2), Build(6, 7))
    assert server.asked.view.acting == 6
    assert server.answer(Build(6, 7)) == [("playStep", {"x": 1, "y": 2})]
    assert server.say("playStepResponse", x=1, y=1, nextStep="END") == []


def first_step(server: Server, step: str, *cells: tuple[int, int], basic: bool = False) -> None:
    """Bring the client to its first step, possible only for the worker on (2, 0)."""
    server.say("setStartTurnResponse", playerNickname="ann", basicTurn=basic, currentStep=step)
    server.view(*cells)
    server.view()


@pytest.mark.parametrize("card", ["ATLAS", "PROMETHEUS"])
@pytest.mark.parametrize(("choice", "basic"), [(USE, False), (DONE, True)])
def test_a_player_who_chooses_the_kind_of_turn_is_asked_first(card: str, choice: Any, basic: bool) -> None:
    server = playing(card)
    assert server.say("actualPlayer", playerNickname="ann") == []
    assert server.asked.decision.choices == (USE, DONE)
    assert server.answer(choice) == [("setStartTurn", {"playerNickname": "ann", "basicTurn": basic})]


def test_atlas_with_his_power_is_asked_for_domes() -> None:
    server = playing("ATLAS")
    server.say("actualPlayer", playerNickname="ann")
    server.answer(USE)
    first_step(server, "MOVE", (1, 0))
    server.answer(Move(10, 5))
    server.view((1, 0))
    server.view((2, 0))
    server.say("playStepResponse", x=1, y=0, nextStep="BUILD")
    assert server.asked.decision.choices == (Build(5, 10, True),)


def test_prometheus_builds_then_moves_and_a_dome_is_known_from_the_level() -> None:
    server = playing("PROMETHEUS")
    server.board(a1=(3, 4), a2=(4, 0), b1=(0, 0), b2=(0, 1))
    server.say("actualPlayer", playerNickname="ann")
    server.answer(USE)
    first_step(server, "BUILD", (4, 4), (3, 3))
    assert set(server.asked.decision.choices) == {Build(19, 24, True), Build(19, 18)}
    assert server.asked.decision.kind is Kind.OPEN
    assert server.answer(Build(19, 18)) == [("selectWorker", {"playerNickname": "ann", "x": 3, "y": 4})]
    assert server.view((4, 4), (3, 3)) == [("playStep", {"x": 3, "y": 3})]
    server.say("playStepResponse", x=3, y=4, nextStep="MOVE")
    server.view((2, 4))
    assert server.asked.decision.kind is Kind.OPEN
    assert server.asked.decision.choices == (Move(19, 14),)


@pytest.mark.parametrize(
    ("step", "kind", "choice"),
    [
        ("MOVE_SPECIAL", Kind.GO_ON, Move(5, 11)),
        ("MOVE_UNTIL", Kind.GO_ON, Move(5, 11)),
        ("BUILD_SPECIAL", Kind.BUILD_MORE, Build(5, 11)),
        ("REMOVE", Kind.CLOSE, Raze(11)),
    ],
)
def test_an_optional_step_can_be_skipped(step: str, kind: Kind, choice: Any) -> None:
    server = playing("PAN")
    server.say("actualPlayer", playerNickname="ann")
    first_step(server, "MOVE", (1, 0))
    server.answer(Move(10, 5))
    server.view((1, 0))
    server.view((2, 1))
    server.say("playStepResponse", x=1, y=0, nextStep=step)
    assert server.asked.decision.kind is kind
    assert server.asked.decision.choices == (choice, DONE)
    assert server.answer(DONE) == [("skipStep", None)]
    server.say("skipStepResponse", currentStep="END")
    assert server.say("actualPlayer", playerNickname="ann")[0][0] == "setStartTurn"


def test_waiting_for_a_missing_view_times_out() -> None:
    """Two programs announce an optional step and forget its view [10]."""
    server = playing("PAN")
    server.say("actualPlayer", playerNickname="ann")
    first_step(server, "MOVE", (1, 0))
    server.answer(Move(10, 5))
    server.view((1, 0))
    server.say("playStepResponse", x=1, y=0, nextStep="MOVE_UNTIL")
    server.clock.pass_time(2.9)
    assert server.said() == []
    server.clock.pass_time(0.2)
    assert server.said() == [("skipStep", None)]
    server.say("skipStepResponse", currentStep="BUILD")
    server.view((2, 0))
    assert server.asked.decision.choices == (Build(5, 10),)


def test_a_refused_step_is_asked_for_again() -> None:
    server = playing("PAN")
    server.say("actualPlayer", playerNickname="ann")
    first_step(server, "MOVE", (1, 0))
    server.answer(Move(10, 5))
    server.view((1, 0))
    server.say("invalidRequest", error="no")
    assert server.asked.again
    server.answer(Move(10, 5))
    server.view((2, 0))
    server.say("playStepResponse", x=1, y=0, nextStep="BUILD")
    server.answer(Build(5, 10))
    server.say("invalidRequest")
    assert server.asked.again


def test_a_surplus_view_before_the_turn_is_dropped() -> None:
    """The program of the document's date sends one from the second turn on [10]."""
    server = playing("PAN")
    server.say("actualPlayer", playerNickname="ann")
    server.view((4, 4))
    first_step(server, "MOVE", (1, 0))
    assert server.asked.decision.choices == (Move(10, 5),)


def test_a_turn_that_cannot_begin_ends_with_youlose() -> None:
    server = playing("PAN")
    server.say("actualPlayer", playerNickname="ann")
    first_step(server, "MOVE")
    server.say("youLose")
    assert server.over.result is Result.LOST
    assert server.client.closed


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ('{"action":"youWin"}', Result.WON),
        ('{"action":"youLose"}', Result.LOST),
        ('{"action":"serverError","data":{"error":"One Client Disconnected"}}', Result.BROKEN_OFF),
        ("quit", Result.BROKEN_OFF),
    ],
)
def test_the_end_may_come_at_any_time_and_is_reported_once(line: str, result: Result) -> None:
    server = playing("PAN")
    server.say("actualPlayer", playerNickname="ann")
    server.line(line)
    assert server.over.result is result
    assert server.client.closed


def test_a_closed_connection_ends_the_match() -> None:
    server = playing("PAN")
    server.client.lose()
    assert server.over.result is Result.BROKEN_OFF


def test_unreadable_lines_are_reported_and_skipped() -> None:
    server = playing("PAN")
    assert server.line("garbage") == []
    assert server.line('{"action":"actualPlayer"}') == []
    assert server.line('{"action":"battlefieldUpdate","data":{"cellMatrix":[]}}') == []
    assert server.line('{"action":"somethingNew","data":{}}') == []
    assert sum(isinstance(one, ProtocolViolation) and "Unexpected message" in one.text for one in server.told) == 3
    assert server.say("actualPlayer", playerNickname="ann")[0][0] == "setStartTurn"


def test_other_names_are_tried_until_the_server_is_full() -> None:
    server = Server(SHIPPED, "Ann Smith of Rome", 2)
    (first,) = server.said()
    assert first == ("addPlayer", {"playerNickname": "ann_smith_of_ro", "lobbySize": 2})
    refused = {"playerNickname": "x", "lobbySize": 2, "lobbyState": True, "validNick": False}
    (second,) = server.say("addPlayerResponse", **refused, fullLobby=False)
    assert second == ("addPlayer", {"playerNickname": "ann_smith_of_r2", "lobbySize": 2})
    server.say("addPlayerResponse", **refused, fullLobby=True)
    assert server.over.result is Result.BROKEN_OFF


def test_the_client_joins_the_other_size_if_the_server_says_so() -> None:
    server = Server(DOCUMENT, "", 3)
    assert server.said() == [("addPlayer", {"playerNickname": "player", "lobbySize": 3})]
    verdict = {"playerNickname": "x", "lobbySize": 3, "lobbyState": False, "validNick": True, "fullLobby": False}
    assert server.say("addPlayerResponse", **verdict) == [("addPlayer", {"playerNickname": "player", "lobbySize": 2})]


def test_the_client_gives_up_when_every_name_is_refused() -> None:
    server = Server(DOCUMENT)
    server.said()
    verdict = {"playerNickname": "x", "lobbySize": 2, "lobbyState": True, "validNick": False, "fullLobby": False}
    for _ in range(30):
        server.say("addPlayerResponse", **verdict)
    assert server.over.result is Result.BROKEN_OFF


def test_the_view_counts_seats_from_the_god_player() -> None:
    server = playing("ZEUS")
    shown = [one for one in server.told if isinstance(one, Show)][-1].view
    assert shown.gods == (God.PAN, God.ZEUS)
    assert shown.workers == ((0, 1), (10, 20))
    assert shown.levels[24] == 3
    assert shown.levels[23] == 1
    assert shown.domes == (23,)
    assert server.asked.decision.seats == (1,)
