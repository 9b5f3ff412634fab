"""SimulatedClient script against servers that refuse, stop answering or send unreadable messages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Note, Over, Result, Show
from boardwire.dialects.eriantys_messages import messages as say
from boardwire.dialects.eriantys_messages.client import NAME_TRIES
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


class Desk:
    """A client, what it tells its player, and what it sends."""

    def __init__(self, name: str = "ann", **settings: str) -> None:
        self.told: list[Any] = []
        self.clock = ManualClock()
        self.client = SimulatedClient(
            DIALECT, lambda _, news: self.told.append(news), ClientOptions(name, 2, settings), self.clock
        )

    def hear(self, *messages: say.Reply | bytes) -> list[dict[str, Any]]:
        """Let the server say something; what the client sends then."""
        for message in messages:
            self.client.receive(message if isinstance(message, bytes) else say.encode(message))
        return self.sent()

    def sent(self) -> list[dict[str, Any]]:
        """What the client has sent since the last time."""
        return [json.loads(line) for line in self.client.take().splitlines()]

    def answer(self, action: Any) -> list[dict[str, Any]]:
        """Let the player choose."""
        self.client.talk.tell(Answer(action))
        return self.sent()

    @property
    def last(self) -> Any:
        return self.told[-1]


def greeted(reply: say.Reply) -> Desk:
    """A client that has heard the answer to its login."""
    desk = Desk()
    assert [message["type"] for message in desk.sent()] == ["LoginRequest"]
    desk.hear(reply)
    return desk


ACCEPTED = say.LoginReply(nickname="ann", nicknameAccepted=True, connectionSuccessful=True)
REFUSED = say.LoginReply(nickname="ann", nicknameAccepted=False, connectionSuccessful=True)


def test_settings_are_sent_to_the_server() -> None:
    desk = Desk(mode="expert", tower="grey")
    desk.sent()
    (register,) = desk.hear(ACCEPTED)
    assert (register["gameMode"], register["colorTower"], register["numPlayers"]) == ("expert", "GREY", 2)
    (again,) = desk.hear(say.InvalidTowerMessage(nickname="ann"))
    assert again["colorTower"] == "WHITE"


def test_it_gives_up_when_all_towers_are_taken() -> None:
    desk = Desk()
    desk.hear(ACCEPTED)
    for _ in range(3):
        desk.hear(say.InvalidTowerMessage(nickname="ann"))
    assert desk.last == Over(None, "All towers are taken.", Result.BROKEN_OFF)
    assert desk.client.closed


def test_a_taken_name_gets_a_number_until_there_are_too_many() -> None:
    desk = Desk("x" * 40)
    names = [desk.sent()[0]["nickname"]]
    while not desk.client.closed:
        names += [message["nickname"] for message in desk.hear(REFUSED)]
    assert names == ["x" * 40, *(f"{'x' * 31}{number}" for number in range(2, NAME_TRIES + 1))]
    assert desk.last.result is Result.BROKEN_OFF


def test_a_refused_login_ends_the_client() -> None:
    desk = greeted(say.LoginReply(nickname="ann", nicknameAccepted=True, connectionSuccessful=False))
    assert desk.last == Over(None, "The server refused the login.", Result.BROKEN_OFF)


def test_it_pings_and_gives_up_on_a_silent_server() -> None:
    desk = Desk()
    desk.sent()
    desk.clock.pass_time(10)
    assert [message["type"] for message in desk.sent()] == ["PingMessage"] * 2
    desk.hear(say.PingMessage())
    desk.clock.pass_time(14.9)
    assert not desk.client.closed
    desk.clock.pass_time(0.1)
    assert desk.last == Over(None, "No message from the server for 15 s.", Result.BROKEN_OFF)


def test_a_lost_connection_ends_the_match() -> None:
    desk = Desk()
    desk.client.lose()
    assert desk.last == Over(None, "The connection is gone.", Result.BROKEN_OFF)


def test_unreadable_messages_are_shown_and_skipped() -> None:
    desk = Desk()
    for line in (b"nonsense\n", b'{"type":"Dance"}\n', b'{"type":"TextMessage","text":"\xff"}\n'):
        desk.hear(line)
        assert desk.last.text.startswith("The server sent a message that cannot be read")
    assert not desk.client.closed


@pytest.fixture
def table() -> tuple[Desk, Raw, SimulatedServer]:
    """A client in the middle of its turn, on our own server, with another player."""
    house = SimulatedServer(seed=5)
    desk = Desk(mode="expert")
    peer = house.connect(DIALECT)
    peer.send(desk.client.take())
    desk.client.receive(peer.take())
    peer.send(desk.client.take())
    bob = Raw(house, "bob")
    bob.join("BLACK", 2, "expert")
    desk.client.receive(peer.take())
    return desk, bob, house


def test_a_refused_answer_is_asked_again_with_the_reason(table: tuple[Desk, Raw, SimulatedServer]) -> None:
    desk, _, _ = table
    knight = say.CharacterCardsMessage(characters=(say.CharacterModel("KNIGHT", 2),), coins={"ann": 9, "bob": 1})
    desk.hear(knight, say.TextMessage(text="?", ask="students"))
    assert UseCharacter(Character.KNIGHT) in desk.last.decision.choices
    for refusal, why in (
        (say.InvalidNumberStudentsMovedMessage(), "That is not the number of students to be moved now."),
        (say.InvalidMovementMessage(movementAllowed=3, movementInserted=9), "Mother nature can go 1 to 3 islands."),
        (say.ErrorMessage(error="what?"), "what?"),
        (say.TextMessage(text="not like that", ask="refused"), "not like that"),
        (say.InvalidCharacterCardMessage(reason="too dear"), "too dear"),
    ):
        assert desk.answer(desk.last.decision.choices[0])
        desk.hear(refusal)
        assert isinstance(desk.last, Ask)
        assert desk.last.again == why
    assert not [use for use in desk.last.decision.choices if isinstance(use, UseCharacter)], "no character for ever"


def test_information_texts_do_not_refuse_a_pending_answer(table: tuple[Desk, Raw, SimulatedServer]) -> None:
    desk, _, _ = table
    desk.hear(say.TextMessage(text="?", ask="students"))
    action = desk.last.decision.choices[0]
    assert len(desk.answer(action)) == 1
    desk.hear(say.TextMessage(text="bob is away: their turns pass"))
    assert desk.last == Note("bob is away: their turns pass")
    assert desk.answer(action) == [], "the first answer still stands"


@pytest.mark.parametrize(("suffix", "closed"), [("", False), ("; nobody takes a cloud", True)])
def test_the_view_shows_whether_clouds_are_taken_in_the_last_round(
    table: tuple[Desk, Raw, SimulatedServer], suffix: str, closed: bool
) -> None:
    desk, _, _ = table
    desk.hear(say.TextMessage(text=f"This is the last round (bag){suffix}"), say.TextMessage(text="?", ask="students"))
    assert (desk.last.view.last_round, desk.last.view.clouds_closed) == ("bag", closed)


def test_an_answer_without_a_question_is_not_sent(table: tuple[Desk, Raw, SimulatedServer]) -> None:
    desk, _, _ = table
    desk.hear(say.TextMessage(text="?", ask="students"))
    action = desk.last.decision.choices[0]
    assert len(desk.answer(action)) == 1
    assert desk.answer(action) == [], "its fate is not known yet"
    desk.hear(say.TextMessage(text="Your turn is over"))
    assert isinstance(desk.last, Show)
    assert desk.answer(action) == []
    desk.hear(say.ErrorMessage(error="what?"))
    assert isinstance(desk.last, Show), "there is nothing to ask again"


def test_other_players_and_the_last_round_are_noted(table: tuple[Desk, Raw, SimulatedServer]) -> None:
    desk, _, _ = table
    desk.hear(say.TextMessage(text="This is the last round (bag)"), say.TextMessage(text="?", ask="cloud"))
    assert desk.last.view.last_round == "bag"
    halls = {colour.name: 1 for colour in Colour}
    for message, text in (
        (say.DisplayHallMessage(nickname="bob", hall=halls, professors=("RED",)), "bob has the professors of red."),
        (say.TowerMessage(nickname="bob", colorTower="BLACK", towerNumber=7), "bob has 7 towers left."),
        (say.DisplayCemeteryMessage(cemetery=(say.PlayedCard("bob", 4, 2),)), "bob plays assistant 4."),
        (say.CharacterCardsMessage(characters=(), coins={"ann": 0, "bob": 0}), "bob uses a character."),
        (say.TextMessage(text="Joining islands"), "Joining islands"),
    ):
        desk.hear(message)
        assert desk.last == Note(text)


def test_a_character_is_sent_with_its_arguments(table: tuple[Desk, Raw, SimulatedServer]) -> None:
    desk, _, _ = table
    desk.hear(say.TextMessage(text="?", ask="students"))
    expected: list[tuple[UseCharacter, dict[str, Any]]] = [
        (UseCharacter(Character.KNIGHT), {}),
        (UseCharacter(Character.THIEF, Colour.RED), {"student": "RED"}),
        (UseCharacter(Character.MONK, Colour.RED, 3), {"student": "RED", "indexIsland": 3}),
        (UseCharacter(Character.JESTER, Colour.RED, give=Colour.BLUE), {"students": ["RED"], "entrance": ["BLUE"]}),
    ]
    for use, fields in expected:
        (sent,) = desk.answer(use)
        empty: dict[str, Any] = {"student": "", "indexIsland": None, "students": [], "entrance": []}
        name = {"type": "PlayCharacterCardMessage", "nickname": "ann", "character": use.character.name}
        assert sent == {**name, **empty, **fields}
        desk.hear(say.ErrorMessage(error="try another"))


def test_grandma_and_the_minstrel_are_offered_as_the_rules_allow(table: tuple[Desk, Raw, SimulatedServer]) -> None:
    desk, _, _ = table
    cards = (
        say.CharacterModel("GRANDMA", 2, (), 0),
        say.CharacterModel("MINSTREL", 1),
        say.CharacterModel("HERALD", 3),
    )
    hall = {"RED": 10, "BLUE": 1}
    desk.hear(
        say.CharacterCardsMessage(characters=cards, coins={"ann": 9, "bob": 1}),
        say.DisplayHallMessage(nickname="ann", hall=hall),
        say.DisplayEntranceMessage(nickname="ann", entrance=("RED", "BLUE")),
        say.TextMessage(text="?", ask="motherNature"),
    )
    uses = [use for use in desk.last.decision.choices if isinstance(use, UseCharacter)]
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
    table: tuple[Desk, Raw, SimulatedServer], winner: tuple[str, ...], text: str, result: Result
) -> None:
    desk, _, _ = table
    desk.sent()
    sent = desk.hear(say.WinMessage(nickname="ann", winner=winner))
    assert [message["type"] for message in sent] == ["EndGameMessage"]
    assert (desk.last.text, desk.last.result) == (text, result)
    assert desk.client.closed


@pytest.mark.parametrize(("gone", "text"), [("bob", "bob has left"), ("", "A player has left")])
def test_a_disconnection_ends_the_match(table: tuple[Desk, Raw, SimulatedServer], gone: str, text: str) -> None:
    desk, _, _ = table
    desk.hear(say.DisconnectionMessage(nicknameDisconnected=gone))
    assert (desk.last.text, desk.last.result) == (f"{text}; the match is over.", Result.BROKEN_OFF)


def test_every_answer_has_its_message(table: tuple[Desk, Raw, SimulatedServer]) -> None:
    desk, _, _ = table
    desk.hear(say.TextMessage(text="?", ask="students"))
    for action, kind in (
        (PlayAssistant(3), "PlayAssistantCardMessage"),
        (ToHall(Colour.RED), "StudentToHallMessage"),
        (MoveMotherNature(1), "MoveMotherNatureMessage"),
        (TakeCloud(0), "AddStudentFromCloudToWaitingMessage"),
    ):
        assert [message["type"] for message in desk.answer(action)] == [kind]
        desk.hear(say.ErrorMessage(error="try another"))


def test_a_nickname_taken_at_the_table_gets_a_number() -> None:
    house = SimulatedServer(seed=6)
    Raw(house, "ann").join("WHITE")
    desk = Desk()
    peer = house.connect(DIALECT)
    for _ in range(6):
        peer.send(desk.client.take())
        desk.client.receive(peer.take())
    players = [player.name for player in house.match().players if player is not None]
    assert players == ["ann", "ann2"]
    assert desk.last.view is not None
