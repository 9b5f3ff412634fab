"""Client script against servers that refuse, stop answering or send unreadable messages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Note, Over, Result, Show
from boardwire.dialects.eriantys_messages import messages as wire
from boardwire.dialects.eriantys_messages.client import NAME_TRIES
from boardwire.dialects.eriantys_messages.model import Model
from boardwire.games.eriantys import (
    Character,
    Colour,
    MoveMotherNature,
    PlayAssistant,
    TakeCloud,
    ToHall,
    UseCharacter,
)
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.server import SimulatedClient, SimulatedServer

from .players import DIALECT, Raw


class Harness:
    """A client with the notifications to its player and its messages."""

    def __init__(self, name: str = "ann", **settings: str) -> None:
        self.told: list[Any] = []
        self.clock = ManualClock()
        self.client = SimulatedClient(
            DIALECT,
            lambda _, notification: self.told.append(notification),
            ClientOptions(name, 2, settings),
            self.clock,
        )

    def receive(self, *messages: wire.Reply | bytes) -> list[dict[str, Any]]:
        """Deliver messages from the server; return the client's replies."""
        for message in messages:
            self.client.receive(message if isinstance(message, bytes) else wire.encode(message))
        return self.sent()

    def sent(self) -> list[dict[str, Any]]:
        """Return the messages sent since the last call."""
        return [json.loads(line) for line in self.client.take().splitlines()]

    def answer(self, action: Any) -> list[dict[str, Any]]:
        """Answer the open question."""
        self.client.talk.tell(Answer(action))
        return self.sent()

    @property
    def last(self) -> Any:
        return self.told[-1]


def greeted(reply: wire.Reply) -> Harness:
    """Return a client whose login was accepted."""
    harness = Harness()
    assert [message["type"] for message in harness.sent()] == ["LoginRequest"]
    harness.receive(reply)
    return harness


ACCEPTED = wire.LoginReply(nickname="ann", nicknameAccepted=True, connectionSuccessful=True)
REFUSED = wire.LoginReply(nickname="ann", nicknameAccepted=False, connectionSuccessful=True)


def test_settings_are_sent_to_the_server() -> None:
    harness = Harness(mode="expert", tower="grey")
    harness.sent()
    (register,) = harness.receive(ACCEPTED)
    assert (register["gameMode"], register["colorTower"], register["numPlayers"]) == ("expert", "GREY", 2)
    (again,) = harness.receive(wire.InvalidTowerMessage(nickname="ann"))
    assert again["colorTower"] == "WHITE"


def test_the_client_gives_up_when_all_towers_are_taken() -> None:
    harness = Harness()
    harness.receive(ACCEPTED)
    for _ in range(3):
        harness.receive(wire.InvalidTowerMessage(nickname="ann"))
    assert harness.last == Over(None, "The server refused all tower colours; try again later.", Result.BROKEN_OFF)
    assert harness.client.closed


def test_a_taken_name_gets_a_number_until_there_are_too_many() -> None:
    harness = Harness("x" * 40)
    names = [harness.sent()[0]["nickname"]]
    while not harness.client.closed:
        names += [message["nickname"] for message in harness.receive(REFUSED)]
    assert names == ["x" * 40, *(f"{'x' * 31}{number}" for number in range(2, NAME_TRIES + 1))]
    assert harness.last.result is Result.BROKEN_OFF


def test_a_refused_login_ends_the_client() -> None:
    harness = greeted(wire.LoginReply(nickname="ann", nicknameAccepted=True, connectionSuccessful=False))
    assert harness.last == Over(None, "The server refused the login.", Result.BROKEN_OFF)


def test_the_client_pings_and_gives_up_on_a_silent_server() -> None:
    harness = Harness()
    harness.sent()
    harness.clock.pass_time(10)
    assert [message["type"] for message in harness.sent()] == ["PingMessage"] * 2
    harness.receive(wire.PingMessage())
    harness.clock.pass_time(14.9)
    assert not harness.client.closed
    harness.clock.pass_time(0.1)
    assert harness.last == Over(None, "No message from the server for 15 s.", Result.BROKEN_OFF)


def test_a_lost_connection_ends_the_match() -> None:
    harness = Harness()
    harness.client.lose()
    assert harness.last == Over(None, "The server closed the connection.", Result.BROKEN_OFF)


def test_unreadable_messages_are_shown_and_skipped() -> None:
    harness = Harness()
    for line in (b"nonsense\n", b'{"type":"Dance"}\n', b'{"type":"TextMessage","text":"\xff"}\n'):
        harness.receive(line)
        assert harness.last.text.startswith("The server sent a message that cannot be decoded")
    assert not harness.client.closed


@pytest.fixture
def table() -> tuple[Harness, Raw, SimulatedServer]:
    """Return a client in the middle of its turn, on our own server, with another player."""
    server = SimulatedServer(seed=5)
    harness = Harness(mode="expert")
    peer = server.connect(DIALECT)
    peer.send(harness.client.take())
    harness.client.receive(peer.take())
    peer.send(harness.client.take())
    bob = Raw(server, "bob")
    bob.join("BLACK", 2, "expert")
    harness.client.receive(peer.take())
    return harness, bob, server


def test_a_refused_answer_is_asked_again_with_the_reason(table: tuple[Harness, Raw, SimulatedServer]) -> None:
    harness, _, _ = table
    knight = wire.CharacterCardsMessage(characters=(wire.CharacterModel("KNIGHT", 2),), coins={"ann": 9, "bob": 1})
    harness.receive(knight, wire.TextMessage(text="?", ask="students"))
    assert UseCharacter(Character.KNIGHT) in harness.last.decision.choices
    for refusal, why in (
        (wire.InvalidNumberStudentsMovedMessage(), "The server refused the students of this move."),
        (wire.InvalidMovementMessage(movementAllowed=3, movementInserted=9), "Mother nature can move 1 to 3 islands."),
        (wire.ErrorMessage(error="what?"), "what?"),
        (wire.TextMessage(text="not like that", ask="refused"), "not like that"),
        (wire.InvalidCharacterCardMessage(reason="too dear"), "too dear"),
    ):
        assert harness.answer(harness.last.decision.choices[0])
        harness.receive(refusal)
        assert isinstance(harness.last, Ask)
        assert harness.last.again == why
    assert not [use for use in harness.last.decision.choices if isinstance(use, UseCharacter)], "no character for ever"


def test_information_texts_do_not_refuse_a_pending_answer(table: tuple[Harness, Raw, SimulatedServer]) -> None:
    harness, _, _ = table
    harness.receive(wire.TextMessage(text="?", ask="students"))
    action = harness.last.decision.choices[0]
    assert len(harness.answer(action)) == 1
    harness.receive(wire.TextMessage(text="bob is away: their turns are skipped"))
    assert harness.last == Note("bob is away: their turns are skipped")
    assert harness.answer(action) == [], "the first answer still stands"


@pytest.mark.parametrize(("suffix", "closed"), [("", False), ("; nobody takes a cloud", True)])
def test_the_view_shows_whether_clouds_are_taken_in_the_last_round(
    table: tuple[Harness, Raw, SimulatedServer], suffix: str, closed: bool
) -> None:
    harness, _, _ = table
    harness.receive(
        wire.TextMessage(text=f"This is the last round (bag){suffix}"), wire.TextMessage(text="?", ask="students")
    )
    assert (harness.last.view.last_round, harness.last.view.clouds_closed) == ("bag", closed)


def test_an_answer_without_a_question_is_not_sent(table: tuple[Harness, Raw, SimulatedServer]) -> None:
    harness, _, _ = table
    harness.receive(wire.TextMessage(text="?", ask="students"))
    action = harness.last.decision.choices[0]
    assert len(harness.answer(action)) == 1
    assert harness.answer(action) == [], "its fate is not known yet"
    harness.receive(wire.TextMessage(text="Your turn is over"))
    assert isinstance(harness.last, Show)
    assert harness.answer(action) == []
    harness.receive(wire.ErrorMessage(error="what?"))
    assert isinstance(harness.last, Show), "there is nothing to ask again"


def test_other_players_and_the_last_round_are_noted(table: tuple[Harness, Raw, SimulatedServer]) -> None:
    harness, _, _ = table
    harness.receive(wire.TextMessage(text="This is the last round (bag)"), wire.TextMessage(text="?", ask="cloud"))
    assert harness.last.view.last_round == "bag"
    halls = {colour.name: 1 for colour in Colour}
    for message, text in (
        (wire.DisplayHallMessage(nickname="bob", hall=halls, professors=("RED",)), "bob has the professors of red."),
        (wire.TowerMessage(nickname="bob", colorTower="BLACK", towerNumber=7), "bob has 7 remaining towers."),
        (wire.DisplayCemeteryMessage(cemetery=(wire.PlayedCard("bob", 4, 2),)), "bob plays assistant 4."),
        (wire.CharacterCardsMessage(characters=(), coins={"ann": 0, "bob": 0}), "bob uses a character."),
        (wire.TextMessage(text="Joining islands"), "Joining islands"),
    ):
        harness.receive(message)
        assert harness.last == Note(text)


def test_a_character_is_sent_with_its_arguments(table: tuple[Harness, Raw, SimulatedServer]) -> None:
    harness, _, _ = table
    harness.receive(wire.TextMessage(text="?", ask="students"))
    expected: list[tuple[UseCharacter, dict[str, Any]]] = [
        (UseCharacter(Character.KNIGHT), {}),
        (UseCharacter(Character.THIEF, Colour.RED), {"student": "RED"}),
        (UseCharacter(Character.MONK, Colour.RED, 3), {"student": "RED", "indexIsland": 3}),
        (UseCharacter(Character.JESTER, Colour.RED, give=Colour.BLUE), {"students": ["RED"], "entrance": ["BLUE"]}),
    ]
    for use, fields in expected:
        (sent,) = harness.answer(use)
        empty: dict[str, Any] = {"student": "", "indexIsland": None, "students": [], "entrance": []}
        name = {"type": "PlayCharacterCardMessage", "nickname": "ann", "character": use.character.name}
        assert sent == {**name, **empty, **fields}
        harness.receive(wire.ErrorMessage(error="try another"))


def test_grandma_and_the_minstrel_are_offered_as_the_rules_allow(table: tuple[Harness, Raw, SimulatedServer]) -> None:
    harness, _, _ = table
    cards = (
        wire.CharacterModel("GRANDMA", 2, (), 0),
        wire.CharacterModel("MINSTREL", 1),
        wire.CharacterModel("HERALD", 3),
    )
    hall = {"RED": 10, "BLUE": 1}
    harness.receive(
        wire.CharacterCardsMessage(characters=cards, coins={"ann": 9, "bob": 1}),
        wire.DisplayHallMessage(nickname="ann", hall=hall),
        wire.DisplayEntranceMessage(nickname="ann", entrance=("RED", "BLUE")),
        wire.TextMessage(text="?", ask="motherNature"),
    )
    uses = [use for use in harness.last.decision.choices if isinstance(use, UseCharacter)]
    swaps = [use for use in uses if use.character is Character.MINSTREL]
    assert swaps == [UseCharacter(Character.MINSTREL, Colour.RED, give=Colour.BLUE)], "the red table is full"
    assert {use.character for use in uses} == {Character.MINSTREL, Character.HERALD}


@pytest.mark.parametrize(
    ("winner", "text", "result"),
    [
        (("ann",), "You win!", Result.WON),
        (("bob",), "You lose: bob wins.", Result.LOST),
        (("bob", "dan"), "You lose: bob and dan win.", Result.LOST),
        (("ann", "bob"), "All share the win.", Result.DRAWN),
        ((), "The match has no winner.", Result.DRAWN),
        (("ann", "cleo", "dan"), "You win, with cleo and dan!", Result.WON),
    ],
)
def test_the_end_is_reported_and_confirmed(
    table: tuple[Harness, Raw, SimulatedServer], winner: tuple[str, ...], text: str, result: Result
) -> None:
    harness, _, _ = table
    harness.sent()
    sent = harness.receive(wire.WinMessage(nickname="ann", winner=winner))
    assert [message["type"] for message in sent] == ["EndGameMessage"]
    assert (harness.last.text, harness.last.result) == (text, result)
    assert harness.client.closed


@pytest.mark.parametrize(("gone", "text"), [("bob", "bob has left"), ("", "A player has left")])
def test_a_disconnection_ends_the_match(table: tuple[Harness, Raw, SimulatedServer], gone: str, text: str) -> None:
    harness, _, _ = table
    harness.receive(wire.DisconnectionMessage(nicknameDisconnected=gone))
    assert (harness.last.text, harness.last.result) == (f"{text}; the match is over.", Result.BROKEN_OFF)


def test_every_answer_has_its_message(table: tuple[Harness, Raw, SimulatedServer]) -> None:
    harness, _, _ = table
    harness.receive(wire.TextMessage(text="?", ask="students"))
    for action, kind in (
        (PlayAssistant(3), "PlayAssistantCardMessage"),
        (ToHall(Colour.RED), "StudentToHallMessage"),
        (MoveMotherNature(1), "MoveMotherNatureMessage"),
        (TakeCloud(0), "AddStudentFromCloudToWaitingMessage"),
    ):
        assert [message["type"] for message in harness.answer(action)] == [kind]
        harness.receive(wire.ErrorMessage(error="try another"))


def test_a_nickname_taken_at_the_table_gets_a_number() -> None:
    server = SimulatedServer(seed=6)
    Raw(server, "ann").join("WHITE")
    harness = Harness()
    peer = server.connect(DIALECT)
    for _ in range(6):
        peer.send(harness.client.take())
        harness.client.receive(peer.take())
    players = [player.name for player in server.match().players if player is not None]
    assert players == ["ann", "ann2"]
    assert harness.last.view is not None


@pytest.mark.parametrize(("index", "count"), [(1, 1), (-1, 12), (0, 10**9), (0, 0)])
def test_an_impossible_island_is_ignored(index: int, count: int) -> None:
    model = Model("ann")
    island = wire.IslandModel(tiles=1, students=())
    assert model.apply_display(wire.DisplayIslandMessage(islandModel=island, islandIndex=index, numIslands=count)) == ""
    assert model.islands == []
