"""Client of santorini-objects: against this server for many seeds, and against the original servers' behaviour."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Note, Over, Result, Show
from boardwire.dialects.santorini_objects.client import HANDLERS
from boardwire.dialects.santorini_objects.editions import Edition, EditionDecoder
from boardwire.dialects.santorini_objects.messages import classes as wire
from boardwire.errors import Malformed
from boardwire.games.santorini.actions import DONE, Build, Move, PickGod, PlaceWorker
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.powers.catalogue import God
from boardwire.simulation.server import SimulatedClient, play_together

from .spoken import BY_NAME, EDITION, Hall, cell, kinds, random_player

TABLES = [("D", "D"), ("F", "F"), ("D1", "D1"), ("D", "F"), ("D", "D", "D"), ("F", "F", "F"), ("D", "F", "D1")]


def play(doors: tuple[str, ...], seed: int) -> tuple[Hall, list[Over]]:
    """Play a match of random players to the end."""
    server, random = Hall(seed=seed), Random(seed)
    ends: list[list[Over]] = [[] for _ in doors]
    pairs = [
        (
            SimulatedClient(BY_NAME[door], random_player(random, end), ClientOptions(f"Name{n}", len(doors))),
            server.connect(door),
        )
        for n, (door, end) in enumerate(zip(doors, ends, strict=True))
    ]
    play_together(server, pairs)
    assert [len(end) for end in ends] == [1] * len(doors)
    return server, [end[0] for end in ends]


def check(doors: tuple[str, ...], seed: int) -> None:
    server, overs = play(doors, seed)
    match = server.match()
    assert match.outcome is not None
    truth = match.setting.game.view(match.position, None)
    for seat, over in enumerate(overs):
        assert over.result is (Result.WON if seat in match.outcome.winners else Result.LOST)
        assert (over.view.levels, over.view.domes) == (truth.levels, truth.domes)
        for side, workers in enumerate(truth.workers):
            assert side in truth.out or over.view.workers[side] == workers
        assert over.view.gods == tuple(match.position.lineup.cards) or truth.out


@pytest.mark.parametrize("doors", TABLES, ids="".join)
@pytest.mark.parametrize("seed", range(3))
def test_random_players_end_with_the_same_board(doors: tuple[str, ...], seed: int) -> None:
    check(doors, seed)


@pytest.mark.slow
@pytest.mark.parametrize("doors", TABLES, ids="".join)
def test_random_players_end_with_the_same_board_for_many_seeds(doors: tuple[str, ...]) -> None:
    for seed in range(100):
        check(doors, seed)


def test_the_client_handles_every_server_message() -> None:
    said = {
        type_
        for edition in Edition
        for type_ in edition.schema.types
        if type_.__name__.startswith(("Update", "Request", "Message"))
    }
    assert said - set(HANDLERS) == {wire.UpdateShippedMove}


# --- one client alone -----------------------------------------------------------------------------------------------


class Harness:
    """A client whose server is driven by the test."""

    def __init__(self, door: str, players: int = 2) -> None:
        self.edition = EDITION[door]
        self.notification: list[Any] = []
        self._hearing = EditionDecoder(self.edition)
        self.client = SimulatedClient(
            BY_NAME[door],
            lambda _, notification: self.notification.append(notification),
            ClientOptions("Anna", players),
        )

    def say(self, *messages: msgspec.Struct) -> None:
        for message in messages:
            self.client.receive(self.edition.encode(message))

    def heard(self) -> list[Any]:
        return [heard for heard in self._hearing.feed(self.client.take()) if not isinstance(heard, Edition)]

    def answer(self, action: Any) -> list[Any]:
        self.client.talk.tell(Answer(action))
        return self.heard()

    @property
    def asked(self) -> Ask:
        ask = [notification for notification in self.notification if isinstance(notification, Ask)][-1]
        assert isinstance(ask, Ask)
        return ask

    @property
    def over(self) -> Over:
        over = self.notification[-1]
        assert isinstance(over, Over)
        return over


def begun(door: str, god: str = "Pan") -> Harness:
    """Return a client during play: its workers on A1 and E5, the opponent's on C3 and C4."""
    harness = Harness(door)
    mine, theirs = (cell(0, 0), cell(4, 4)), (cell(2, 2), cell(2, 3))
    if door == "F":
        harness.say(wire.Message("PLAYER_1"), wire.UpdateInitializeNames(("Anna", "Bruno")))
        harness.say(wire.UpdateInitializeGodPower(1, god), wire.UpdateInitializeGodPower(2, "Apollo"))
        harness.say(wire.UpdateInitializeWorkerPositions(1, mine), wire.UpdateInitializeWorkerPositions(2, theirs))
        harness.say(wire.UpdateShippedTurn(True, 1))
    else:
        harness.say(wire.Message("You are player 1"), wire.UpdateInitializeNames(("Anna", "Bruno")))
        harness.say(wire.UpdateInitializeGame(1, god, mine), wire.UpdateInitializeGame(2, "Apollo", theirs))
        harness.say(wire.UpdateTurn(1))
    harness.heard()
    return harness


def test_d_gets_the_number_of_players_first_and_the_name_on_request() -> None:
    harness = Harness("D", 3)
    assert harness.heard() == [wire.Message("3 players")]
    harness.say(wire.Message("Player's name"))
    assert harness.heard() == [wire.Message("Anna")]
    harness.say(wire.Message("Player's name"))  # someone else failed: the server asks again [6.3]
    assert harness.heard() == [wire.Message("Anna")]


def test_f_gets_a_connection_first_and_hello_is_answered() -> None:
    harness = Harness("F", 3)
    assert harness.heard() == [wire.Connection(3, "Anna")]
    harness.say(wire.Message("HELLO"))
    assert harness.heard() == [wire.Message("HELLO")]


@pytest.mark.parametrize("text", ["ERROR_NOT_VALID_NAME", "ERROR_NOT_VALID_NUM_OF_PLAYERS"])
def test_a_refused_login_ends_the_client(text: str) -> None:
    harness = Harness("F")
    harness.say(wire.Message(text))
    assert harness.over.result is Result.BROKEN_OFF
    assert harness.client.closed


def test_other_texts_are_ignored() -> None:
    harness = Harness("F")
    before = len(harness.notification)
    harness.say(wire.Message(None), wire.Message(""), wire.Message("Welcome"), wire.Message("PLAYER_9"))
    assert len(harness.notification) == before


def test_one_request_asks_for_a_god_and_two_squares() -> None:
    harness = Harness("D")
    harness.heard()
    harness.say(wire.Message("You are player 1"), wire.RequestInitializeGame(1, ("Pan", "Zeus")))
    assert harness.asked.decision.kind == Kind.PICK_GOD
    assert harness.answer(PickGod(God.ZEUS)) == []
    assert harness.asked.decision.kind == Kind.PLACE_WORKER
    assert harness.answer(PlaceWorker(20)) == []
    assert PlaceWorker(20) not in harness.asked.decision.choices
    assert harness.answer(PlaceWorker(4)) == [wire.InitializeGame("Zeus", (cell(0, 0), cell(4, 4)))]
    assert harness.answer(PlaceWorker(4)) == []  # nothing is open any more


def test_a_single_god_is_chosen_without_asking() -> None:
    harness = Harness("F")
    harness.heard()
    harness.say(wire.Message("PLAYER_2"), wire.RequestInitializeGodPower(2, ("Zeus",)))
    assert harness.heard() == [wire.InitializeGodPower("Zeus")]


@pytest.mark.parametrize("gods", [("Cthulhu",), ()])
def test_an_unknown_god_is_chosen_without_asking(gods: tuple[str, ...]) -> None:
    name = gods[0] if gods else ""
    harness = Harness("F")
    harness.heard()
    harness.say(wire.Message("PLAYER_2"), wire.RequestInitializeGodPower(2, gods))
    assert harness.heard() == [wire.InitializeGodPower(name)]
    harness = Harness("D")
    harness.heard()
    harness.say(wire.Message("You are player 2"), wire.RequestInitializeGame(2, gods))
    harness.answer(PlaceWorker(0))
    assert harness.answer(PlaceWorker(1)) == [wire.InitializeGame(name, (cell(0, 4), cell(1, 4)))]
    harness.say(wire.UpdateInitializeGame(2, "Cthulhu", (cell(0, 4), cell(1, 4))))
    assert harness.notification[-1].view.gods == (None, God.MORTAL)


def test_workers_are_placed_only_on_offered_cells_in_f() -> None:
    harness = Harness("F")
    harness.heard()
    offered = (cell(0, 0), cell(1, 0), cell(9, 9))
    harness.say(wire.Message("PLAYER_1"), wire.RequestInitializeWorkerPositions(1, offered))
    assert set(harness.asked.decision.choices) == {PlaceWorker(20), PlaceWorker(21)}
    harness.answer(PlaceWorker(21))
    assert harness.answer(PlaceWorker(20)) == [wire.InitializeWorkerPositions((cell(1, 0), cell(0, 0)))]


def test_answers_return_the_servers_levels() -> None:
    harness = begun("D")
    harness.say(wire.RequestMove(1, frozenset({cell(0, 1, 1)}), frozenset({cell(3, 3)})))
    assert set(harness.asked.decision.choices) == {Move(20, 15), Move(4, 8)}
    assert harness.asked.decision.kind == Kind.OPEN
    assert harness.answer(Move(20, 15)) == [wire.ConsolidateMove(1, cell(0, 1, 1))]


def test_an_answer_outside_the_choices_is_asked_for_again() -> None:
    harness = begun("D")
    harness.say(wire.RequestMove(1, frozenset({cell(0, 1)}), frozenset()))
    assert harness.answer(Move(20, 21)) == []
    assert harness.asked.again


def test_a_forced_dome_is_a_choice_if_allowed() -> None:
    harness = begun("D", "Atlas")
    harness.say(wire.UpdateMove(1, 1, cell(0, 1)))
    harness.say(wire.RequestBuild(True, 1, frozenset({cell(0, 0), cell(0, 2, 3)}), frozenset()))
    assert harness.asked.decision.kind == Kind.GO_ON
    assert set(harness.asked.decision.choices) == {Build(15, 20), Build(15, 20, True), Build(15, 10, True)}
    assert harness.answer(Build(15, 20, True)) == [wire.ConsolidateBuild(True, 1, cell(0, 0))]
    harness.say(wire.RequestBuild(True, 1, frozenset({cell(0, 2, 3)}), frozenset()))
    assert harness.answer(Build(15, 10, True)) == [wire.ConsolidateBuild(False, 1, cell(0, 2, 3))]


def test_an_optional_build_can_be_declined() -> None:
    harness = begun("D", "Demeter")
    harness.say(wire.UpdateMove(1, 1, cell(0, 1)), wire.UpdateBuild(False, cell(0, 0)))
    none: frozenset[wire.Position] = frozenset()
    harness.say(wire.RequestOptional(True, False, False, 1, frozenset({cell(0, 2)}), none, none, none))
    assert harness.asked.decision.kind == Kind.BUILD_MORE
    assert harness.answer(DONE) == [wire.DeclineLastOptional()]


def test_a_turn_with_nothing_left_is_declined_without_asking() -> None:
    harness = begun("F")
    none: frozenset[wire.Position] = frozenset()
    harness.say(wire.RequestAction(True, False, False, False, 1, none, none, none, none))
    assert harness.heard() == [wire.DeclineLastAction()]
    harness.say(wire.RequestAction(False, False, False, False, 1, none, none, none, none))
    assert harness.heard() == []


def test_an_error_without_a_new_request_asks_again_after_a_delay() -> None:
    """The original F server does not repeat the request [13]."""
    harness = begun("F")
    move = frozenset({cell(0, 1)})
    none: frozenset[wire.Position] = frozenset()
    request = wire.RequestAction(False, False, False, False, 1, none, move, none, none)
    harness.say(request)
    assert harness.answer(Move(20, 15))
    harness.say(wire.RequestError(1, "REJECTED"))
    asked = sum(isinstance(notification, Ask) for notification in harness.notification)
    harness.client.clock.pass_time(1)
    assert sum(isinstance(notification, Ask) for notification in harness.notification) == asked + 1
    assert harness.asked.again
    assert harness.answer(Move(20, 15)) == [wire.ConsolidateMove(1, cell(0, 1))]
    # ours does: then it is not asked twice
    harness.say(wire.RequestError(1, "REJECTED"), request)
    assert harness.asked.again
    asked = sum(isinstance(notification, Ask) for notification in harness.notification)
    harness.client.clock.pass_time(1)
    assert sum(isinstance(notification, Ask) for notification in harness.notification) == asked


def test_a_repeated_request_means_that_the_answer_was_rejected() -> None:
    """D has no error message [9]."""
    harness = begun("D")
    request = wire.RequestMove(1, frozenset({cell(0, 1)}), frozenset())
    harness.say(request)
    assert not harness.asked.again
    assert harness.answer(Move(20, 15))
    harness.say(request)
    assert harness.asked.again
    assert harness.answer(Move(20, 15))
    harness.say(wire.UpdateMove(1, 1, cell(0, 1)), request)
    assert not harness.asked.again, "something has happened between them"


def test_an_error_without_an_open_request_is_ignored() -> None:
    harness = begun("F")
    harness.say(wire.RequestError(1, "REJECTED"))
    harness.client.clock.pass_time(1)
    assert isinstance(harness.notification[-1], Show)


@pytest.mark.parametrize(("god", "away"), [("Apollo", 7), ("Minotaur", 17)])
def test_quirk_the_original_d_server_does_not_say_where_displaced_workers_go(god: str, away: int) -> None:
    """The client's worker on C3 moves onto an opponent's: the client derives the displacement."""
    harness = begun("D", god)
    harness.say(wire.UpdateInitializeGame(1, god, (cell(2, 3), cell(4, 4))))
    harness.say(wire.UpdateInitializeGame(2, "Pan", (cell(2, 2), cell(0, 0))))
    harness.say(wire.UpdateMove(1, 1, cell(2, 2)))
    view = harness.notification[-1].view
    assert view.workers == ((12, 4), (away, 20))


def test_other_gods_displace_no_workers() -> None:
    harness = begun("D", "Pan")
    harness.say(wire.UpdateMove(1, 1, cell(2, 2)))
    assert harness.notification[-1].view.workers[1] == (12, 7)


def test_a_worker_that_is_not_there_moves_nothing() -> None:
    harness = begun("D")
    harness.say(wire.UpdateMove(1, 3, cell(0, 1)))
    assert harness.notification[-1].view.workers[0] == (20, 4)


@pytest.mark.parametrize("door", ["D", "F"])
def test_messages_about_unknown_players_or_cells_are_ignored(door: str) -> None:
    harness = begun(door)
    view = harness.notification[-1].view
    if door == "D":
        for player in (0, 3, 7):
            harness.say(wire.UpdateMove(player, 1, cell(0, 1)))
        harness.say(wire.UpdateMove(1, 1, cell(9, 9)), wire.UpdateTurn(0))
        harness.say(wire.UpdateBuild(False, cell(-1, 0)))
    else:
        moves = (
            wire.UpdateShippedMove(7, 1, cell(0, 1), cell(0, 0)),
            wire.UpdateShippedMove(1, 1, cell(9, 9), cell(0, 0)),
        )
        harness.say(
            wire.UpdateActions((wire.UpdateBuild(False, cell(-1, 0)),), moves), wire.UpdateShippedTurn(False, 9)
        )
        harness.say(wire.UpdateShippedMove(1, 1, cell(0, 1), cell(0, 0)))  # counts only inside UpdateActions
    assert harness.notification[-1].view == view


def test_there_may_be_more_names_than_requested_players() -> None:
    harness = Harness("D")
    harness.say(wire.UpdateInitializeNames(("Anna", None, "Carla")))
    assert harness.notification[-1].view.gods == (None, None, None)
    assert "Player 2" in harness.notification[-1].text


@pytest.mark.parametrize("door", ["D", "F"])
def test_wins_and_losses_are_reported(door: str) -> None:
    for winner, result in ((1, Result.WON), (2, Result.LOST)):
        harness = begun(door)
        harness.say(wire.UpdateWinner(winner))
        assert harness.over.result is result
        assert harness.over.view.outcome.winners == (winner - 1,)
        assert harness.client.closed


@pytest.mark.parametrize("door", ["D", "F"])
def test_a_loser_stays_connected_to_the_end(door: str) -> None:
    harness = begun(door)
    harness.say(wire.UpdateLoser(1))
    assert not harness.client.closed
    assert harness.notification[-1].view.workers[0] == ()
    harness.client.lose()
    assert harness.over.result is Result.LOST


@pytest.mark.parametrize("door", ["D", "F"])
def test_a_player_who_left_or_a_closed_connection_interrupts_the_match(door: str) -> None:
    harness = begun(door)
    harness.say(wire.UpdateDisconnection(2))
    assert harness.over.result is Result.BROKEN_OFF
    assert "Bruno" in harness.over.text
    harness = begun(door)
    harness.client.lose()
    assert harness.over.result is Result.BROKEN_OFF
    harness = begun(door)
    harness.client.talk.tell(Malformed("noise"))
    assert harness.over.result is Result.BROKEN_OFF


def test_an_open_question_is_void_when_the_turn_changes() -> None:
    harness = begun("D")
    harness.say(wire.RequestMove(1, frozenset({cell(0, 1)}), frozenset()), wire.UpdateTurn(2))
    assert harness.answer(Move(20, 15)) == []
    assert harness.notification[-1].text == "Bruno plays."


def test_an_assigned_god_is_not_asked_for() -> None:
    harness = begun("F")
    asked = wire.RequestInitializeGodPower(1, ("Artemis", "Atlas"))
    harness.say(asked, wire.UpdateInitializeGodPower(1, "Artemis"))
    assert harness.answer(PickGod(God.ATLAS)) == []
    harness.say(asked, wire.UpdateInitializeGodPower(2, "Artemis"))
    assert harness.answer(PickGod(God.ATLAS)) == [wire.InitializeGodPower("Atlas")]


def test_the_player_gets_descriptions() -> None:
    harness = begun("F")
    texts = [notification.text for notification in harness.notification if isinstance(notification, Show | Note)]
    assert texts[:3] == ["Waiting for a table of 2.", "You have seat 1.", "The match begins: Anna, Bruno."]
    harness.say(
        wire.UpdateActions(
            (wire.UpdateBuild(True, cell(0, 1)),), (wire.UpdateShippedMove(2, 1, cell(3, 3), cell(2, 2)),)
        )
    )
    assert harness.notification[-1].text == "A dome is built on A2. Bruno's worker 1 is on D4."
    assert kinds(harness.notification)[-1] == "Show"
