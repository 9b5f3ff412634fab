"""Server script: coverage of its tables, nicknames, and events without a message in the protocol."""

from __future__ import annotations

from msgspec.structs import replace

from boardwire.dialects.eriantys_messages import messages as wire
from boardwire.dialects.eriantys_messages.ask import ASK, DEFAULTS
from boardwire.dialects.eriantys_messages.model import WORDS
from boardwire.dialects.eriantys_messages.participant import nicknames
from boardwire.dialects.eriantys_messages.tell import StepReport, display
from boardwire.errors import Refused
from boardwire.games.eriantys import Kind, Mode, Options, events, view
from boardwire.simulation.server import SimulatedServer
from boardwire.table.commands import Act, AnswerUndo, Chat, Close, OfferUndo, Resign
from boardwire.table.events import Chatted, Player
from boardwire.table.guest import Refusal, Step
from boardwire.table.match import Match, Moment
from boardwire.table.policy import Leaving, Policy
from boardwire.table.table import Table
from boardwire.table.termination import Termination

from .players import NAMES, Raw, kinds, open_table, put, sit, start_from

LUCK = set(list(Kind)[:8])

TURN = "order = A B; card A = 3; card B = 5; cloud-time = either; cloud 0 = yellow 3; cloud 1 = green 3"


def test_every_decision_is_asked_or_has_a_default() -> None:
    assert {*ASK, *DEFAULTS} == set(Kind) - LUCK
    assert not set(ASK) & set(DEFAULTS)


def test_the_client_knows_every_question_keyword() -> None:
    assert set(WORDS.values()) == set(ASK) - {Kind.FINISH}  # asked like a cloud


def test_four_players_are_two_of_each_colour() -> None:
    server = SimulatedServer(seed=2)
    ann, bob, cleo, dan = (Raw(server, name) for name in NAMES)
    assert kinds(ann.join("WHITE", 4)) == ["TowerMessage", "AssignPlayerDeckResponseMessage"]
    assert kinds(bob.join("WHITE", 4)) == ["TowerMessage", "AssignPlayerDeckResponseMessage"]
    assert kinds(cleo.join("WHITE", 4)) == ["InvalidTowerMessage"]
    assert kinds(cleo.join("GREY", 4)) == ["InvalidTowerMessage"]
    cleo.join("BLACK", 4)
    dan.join("BLACK", 4)
    assert [side.seats for side in view(server.match().position, None).sides] == [(0, 1), (2, 3)]


def test_a_name_that_sounds_like_a_refusal_is_a_name() -> None:
    server = SimulatedServer(seed=2)
    Raw(server, "the white towers are taken").join("WHITE")
    assert kinds(Raw(server, "the white towers are taken").join("BLACK")) == ["InvalidNicknameMessage"]


def named(*names: str) -> Match:
    server = SimulatedServer(seed=1)
    sit(server, len(names))
    match = server.match()
    chairs = [replace(chair, player=Player(name)) for chair, name in zip(match.chairs, names, strict=True)]
    return replace(match, chairs=tuple(chairs))


def test_unnamed_players_and_duplicates_get_unique_nicknames() -> None:
    assert nicknames(named("ann", "bob")) == ("ann", "bob")
    assert nicknames(named("", "bob")) == ("player 1", "bob")
    assert nicknames(named("bot", "bot", "bot")) == ("bot", "bot 2", "bot 3")
    assert nicknames(named("", "player 1", "")) == ("player 1 1", "player 1", "player 3")


def test_any_input_is_ignored_between_the_end_and_the_confirmation() -> None:
    server, (ann, bob) = start_from(
        f"{TURN}; asked = steps; moved = 3; last-round = bag; clouds-closed = yes; order = B A"
    )
    assert kinds(ann.say("MoveMotherNatureMessage", movement=1))[-1] == "WinMessage"
    guest = bob.peer.guest
    server.lobby.do(guest, Chat(1, "well played"))
    assert not ann.peer.closed
    assert ann.line(b"nonsense") == []
    ann.say("EndGameMessage")
    assert ann.peer.closed
    bob.peer.drop()


def test_a_connection_lost_after_the_end_changes_nothing() -> None:
    server, (ann, bob) = start_from(
        f"{TURN}; asked = steps; moved = 3; last-round = bag; clouds-closed = yes; order = B A"
    )
    ann.say("MoveMotherNatureMessage", movement=1)
    before = server.events()
    ann.peer.drop()
    bob.peer.send(b"x" * 70_000)
    assert bob.peer.closed
    assert server.events() == before


NO_CLOUDS = f"{TURN}; asked = steps; moved = 3; last-round = bag; clouds-closed = yes; cloud 0 = -; cloud 1 = -"


def test_choosing_any_cloud_ends_a_turn_without_clouds() -> None:
    server, (ann, bob) = start_from(f"{NO_CLOUDS}; characters = knight thief monk; coins A = 9", "expert")
    said = ann.say("MoveMotherNatureMessage", movement=1)
    assert said[-1]["ask"] == "cloud"
    assert said[-1]["text"].startswith("There is no cloud to take")
    assert ann.say("PlayCharacterCardMessage", character="KNIGHT")[0]["type"] != "InvalidCharacterCardMessage"
    assert server.lobby.table("match-1").match.position.expert.coins[0] == 7
    assert bob.asked() == "students"  # nothing more can be used, so the turn is over


def test_a_player_who_uses_no_character_ends_a_turn_without_clouds_with_any_cloud() -> None:
    _, (ann, bob) = start_from(f"{NO_CLOUDS}; characters = knight thief monk; coins A = 9", "expert")
    ann.say("MoveMotherNatureMessage", movement=1)
    said = ann.say("AddStudentFromCloudToWaitingMessage", cloudIndex=1)
    assert "Your turn is over" in [message.get("text") for message in said]
    assert bob.asked() == "students"


def test_an_exchange_is_simultaneous_in_any_order_of_its_pairs() -> None:
    given = (
        f"{TURN}; characters = minstrel thief monk; coins A = 9; hall A = green 10 red 1; entrance A = green 1 blue 6"
    )
    for students, entrance in ((["RED", "GREEN"], ["GREEN", "BLUE"]), (["GREEN", "RED"], ["BLUE", "GREEN"])):
        server, (ann, _) = start_from(given, "expert")
        said = ann.say("PlayCharacterCardMessage", character="MINSTREL", students=students, entrance=entrance)
        assert "InvalidCharacterCardMessage" not in kinds(said)
        assert view(server.lobby.table("match-1").match.position, 0).boards[0].hall == (10, 0, 0, 0, 1)
    server, (ann, _) = start_from(given, "expert")
    passing = {"students": ["RED", "BLUE"], "entrance": ["BLUE", "GREEN"]}  # no blue student sits there beforehand
    said = ann.say("PlayCharacterCardMessage", character="MINSTREL", **passing)
    assert kinds(said) == ["InvalidCharacterCardMessage"]


def test_a_refused_default_answer_is_not_reported_to_the_player() -> None:
    _, (ann, _) = start_from(TURN)
    for command in (Act(0, (DEFAULTS[Kind.SWAP],)), AnswerUndo(0, agree=False)):
        ann.peer.talk.tell(Refusal(command, Refused("too late")))
        assert ann.take() == []


def test_an_undo_is_declined_because_the_protocol_has_no_message_for_it() -> None:
    server = SimulatedServer(seed=1)
    open_table(server, Options(Mode.SIMPLIFIED), 2, Policy(undo=True))
    ann, bob = sit(server)
    put(server, [ann.peer, bob.peer], "asked = assistant; turn = A; first = A")
    ann.say("PlayAssistantCardMessage", assistantCard=1)
    bob.take()
    server.lobby.do(ann.peer.guest, OfferUndo(0))
    assert [type(event).__name__ for event in server.events()][-2:] == ["UndoOffered", "UndoDeclined"]
    assert (ann.take(), bob.take()) == ([], [])


def test_a_resignation_is_reported_and_the_others_play_on() -> None:
    server = SimulatedServer(seed=1)
    ann, bob, cleo = sit(server, 3)
    for client in (ann, bob, cleo):
        client.take()
    server.lobby.do(bob.peer.guest, Resign(1))
    said = [message for message in ann.take() if message["type"] == "TextMessage"]
    assert said[0] == {"type": "TextMessage", "nickname": "bob", "text": "bob has given up", "ask": ""}
    assert server.match().outcome is None


def test_a_held_seat_is_not_reported_as_a_disconnection() -> None:
    server = SimulatedServer(seed=1)
    open_table(server, Options(Mode.SIMPLIFIED), 2, Policy(Leaving.HOLDS, 60.0))
    ann, bob = sit(server)
    ann.take()
    bob.peer.drop()
    assert [message for message in ann.take() if message["type"] == "DisconnectionMessage"] == []
    assert not ann.peer.closed


def test_a_substitute_bot_keeps_the_players_name() -> None:
    server, (ann, bob) = start_from(TURN)
    table = server.lobby.table("match-1")
    assert isinstance(table, Table)
    chair = replace(table.match.chairs[0], player=Player("random bot", "bot", "random"))
    table.match = replace(table.match, chairs=(chair, table.match.chairs[1]))
    bob.peer.talk.tell(Step((Moment(Chatted(0.0, None, "hm"), table.match),)))
    put(server, [ann.peer, bob.peer], f"{TURN}; asked = cloud; moved = 3; entrance A = red 4")
    ann.say("AddStudentFromCloudToWaitingMessage", cloudIndex=0)
    assert {message["nickname"] for message in bob.take()} == {"ann", "bob"}


def test_an_interrupted_match_ends_without_a_name() -> None:
    server, (ann, bob) = start_from(TURN)
    server.lobby.table("match-1").do(ann.peer.guest, Close(Termination.INTERRUPTED))
    assert ann.take() == [{"type": "DisconnectionMessage", "nickname": "ann", "nicknameDisconnected": ""}]
    assert ann.peer.closed
    assert bob.peer.closed


def test_a_skipped_turn_is_reported() -> None:
    server = SimulatedServer(seed=1)
    sit(server)
    table = view(server.match().position, None)
    lines = display(StepReport(table, table, (events.TurnSkipped(1),), ("ann", "bob")))
    assert wire.decode_reply(lines.strip()) == wire.TextMessage(nickname="bob", text="bob is absent")
