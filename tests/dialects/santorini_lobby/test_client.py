"""Client of santorini-lobby, also against servers that behave like the original program."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Note, Over, ProtocolViolation, Result, Show
from boardwire.dialects.santorini_lobby import DIALECTS
from boardwire.dialects.santorini_lobby import messages as wire
from boardwire.dialects.santorini_lobby.client import MAX_NAME_ATTEMPTS, RETRY_SECONDS, shorten_name
from boardwire.dialects.santorini_lobby.messages import encode
from boardwire.dialects.santorini_lobby.model import Model, candidate_actions, to_request
from boardwire.errors import Malformed
from boardwire.games.santorini.actions import DONE, Action, ChooseStart, Force, PickGod, ProposeGod, Use
from boardwire.games.santorini.interned import BLOCKS, DOMES, MOVES, PLACES
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.powers.catalogue import God
from boardwire.simulation.server import SimulatedClient

LOBBY = DIALECTS["santorini-lobby"]


class Bench:
    """A client whose player and server are driven by the test."""

    def __init__(self, name: str = "ann", players: int = 2) -> None:
        self.notification: list[Any] = []
        self.client = SimulatedClient(
            LOBBY, lambda client, notification: self.notification.append(notification), ClientOptions(name, players)
        )

    def receive(self, *messages: wire.Event | wire.Ping) -> None:
        for message in messages:
            self.client.receive(encode(message))

    def said(self) -> list[Any]:
        return [wire.parse_request(line) for line in self.client.take().splitlines()]

    def answer(self, action: Action) -> None:
        self.client.talk.tell(Answer(action))

    def ask(self) -> Ask:
        last = [one for one in self.notification if isinstance(one, Ask)][-1]
        assert isinstance(last, Ask)
        return last

    @property
    def over(self) -> Over:
        last = self.notification[-1]
        assert isinstance(last, Over)
        return last

    def in_lobby(self, users: tuple[str, ...] = ("ann", "bob")) -> None:
        self.receive(wire.SizeSelected(len(users)), YES)
        self.receive(*(joined(user) for user in users), offer("Pan", "Atlas", "Apollo", "Demeter"), YES)
        self.said()

    def in_play(self, god: str = "Pan", users: tuple[str, ...] = ("ann", "bob")) -> None:
        self.in_lobby(users)
        self.receive(chosen("ann", god), chosen("bob", "Atlas"))
        self.receive(placed("ann", 0, 0, 0), placed("ann", 1, 4, 4), placed("bob", 0, 1, 1), placed("bob", 1, 3, 3))
        self.receive(wire.TurnChange(wire.User("ann"), 0))


YES, NO = (wire.Result(value) for value in (True, False))


def joined(name: str) -> wire.UserJoined:
    return wire.UserJoined(wire.User(name))


def offer(*names: str) -> wire.GodsAvailable:
    return wire.GodsAvailable(tuple(wire.GodName(name, f"about {name}") for name in names))


def chosen(name: str, god: str) -> wire.GodChosen:
    return wire.GodChosen(wire.User(name), wire.GodName(god))


def placed(name: str, pawn: int, x: int, y: int) -> wire.PawnPlaced:
    return wire.PawnPlaced(wire.User(name), pawn, wire.Coordinate(x, y))


def ready(name: str, *kinds: str) -> wire.ActionReady:
    return wire.ActionReady(wire.User(name), tuple(map(wire.ActionName, kinds)))


def moved(x: int, y: int, to_x: int, to_y: int) -> wire.Move:
    return wire.Move(wire.Coordinate(x, y), wire.Coordinate(to_x, to_y))


def request(name: str) -> wire.RequestPlacePawns:
    return wire.RequestPlacePawns(wire.User(name))


# --- logging in -----------------------------------------------------------------------------------------------------


def test_size_and_login_are_sent_at_once() -> None:
    bench = Bench("ann", 3)
    assert [type(one) for one in bench.said()] == [wire.SelectPlayerNumber, wire.AddUser]


def test_a_name_that_is_taken_gets_a_number() -> None:
    bench = Bench("a very long name indeed")
    assert bench.said()[1].user.username == "a very long nam"
    bench.receive(wire.SizeSelected(2), NO, NO)
    assert bench.said()[0].user.username == "a very long na2"
    bench.receive(YES)
    assert bench.said() == []


def test_names_are_cut_by_utf_16_units() -> None:
    assert shorten_name("😀" * 10) == "😀" * 7
    assert shorten_name("") == "player"


def test_a_full_lobby_ends_the_client() -> None:
    bench = Bench()
    bench.receive(wire.SizeSelected(1), NO, joined("bob"), NO)
    assert bench.over.result is Result.BROKEN_OFF
    assert bench.client.closed


def test_the_number_of_name_attempts_is_limited() -> None:
    bench = Bench()
    bench.receive(NO, *[NO] * MAX_NAME_ATTEMPTS)
    assert bench.over.result is Result.BROKEN_OFF


# --- the draft ------------------------------------------------------------------------------------------------------


def test_the_challenger_echoes_the_gods_of_the_first_list() -> None:
    bench = Bench()
    bench.in_lobby()
    assert bench.ask().decision.kind is Kind.PROPOSE_GOD
    bench.answer(ProposeGod(God.PAN))
    assert ProposeGod(God.PAN) not in bench.ask().decision.choices
    bench.answer(ProposeGod(God.ATLAS))
    gods = (wire.GodName("Pan", "about Pan"), wire.GodName("Atlas", "about Atlas"))
    assert bench.said() == [wire.SelectGods(wire.User("ann"), gods)]
    asked = bench.ask()
    bench.receive(wire.GodsAvailable((wire.GodName("Pan", None), wire.GodName("Atlas", None))), YES)
    assert bench.ask() is asked, "the challenger picks nothing"
    bench.receive(chosen("bob", "Pan"), chosen("ann", "Atlas"), offer())
    assert bench.said() == [wire.ChooseFirstPlayer(wire.User("ann"), wire.User("bob"))], "nobody else can"
    bench.receive(request("bob"), YES)
    assert isinstance(bench.notification[-1], Show)


def test_users_other_than_the_challenger_pick() -> None:
    bench = Bench()
    bench.in_lobby()
    bench.answer(ProposeGod(God.APOLLO))
    bench.receive(offer("Pan", "Atlas"))
    assert bench.ask().decision.choices == (PickGod(God.PAN), PickGod(God.ATLAS))
    bench.answer(ProposeGod(God.PAN))
    assert bench.said() == [], "that question is no longer open"
    bench.answer(PickGod(God.PAN))
    assert bench.said() == [wire.ChooseGod(wire.User("ann"), wire.GodName("Pan", "about Pan"))]
    bench.receive(NO)
    assert bench.ask().decision.choices == (PickGod(God.ATLAS),)
    assert bench.ask().again
    bench.answer(PickGod(God.ATLAS))
    asked = len(bench.notification)
    bench.receive(NO)
    assert len(bench.notification) == asked, "all were refused: the server may ask again"
    bench.receive(offer("Pan"))
    assert bench.ask().decision.choices == (PickGod(God.PAN),)
    bench.client.clock.pass_time(2)
    assert bench.ask().decision.choices == (PickGod(God.PAN),)


def test_all_answers_are_offered_again_after_all_were_refused() -> None:
    """The server may have failed to store them, which it cannot say [13]."""
    bench = Bench()
    bench.in_lobby()
    bench.answer(ProposeGod(God.APOLLO))
    bench.receive(offer("Pan", "Atlas"))
    for _ in range(2):
        bench.answer(PickGod(God.PAN))
        bench.receive(NO)
        bench.answer(PickGod(God.ATLAS))
        bench.receive(NO)
        bench.client.clock.pass_time(2)
        assert bench.ask().decision.choices == (PickGod(God.PAN), PickGod(God.ATLAS))
        assert bench.ask().again


def test_a_user_whose_gods_come_second_picks_too() -> None:
    bench = Bench()
    bench.in_lobby()
    bench.answer(ProposeGod(God.APOLLO))
    bench.answer(ProposeGod(God.PAN))
    bench.receive(offer("Pan", "Atlas"))
    assert bench.ask().decision.kind is Kind.PROPOSE_GOD
    bench.receive(NO)
    assert bench.ask().decision.kind is Kind.PICK_GOD


def test_a_list_of_as_many_gods_as_players_is_an_offer_from_the_start() -> None:
    bench = Bench()
    bench.receive(wire.SizeSelected(2), YES, joined("ann"), joined("bob"), offer("Pan", "Atlas"), YES)
    assert [one.decision.kind for one in bench.notification if isinstance(one, Ask)] == [Kind.PICK_GOD]


def test_refused_gods_are_asked_for_again_after_a_delay() -> None:
    """At other tables another player may have to propose, and a bot would repeat its proposal endlessly."""
    bench = Bench()
    bench.in_lobby()
    bench.answer(ProposeGod(God.APOLLO))
    bench.answer(ProposeGod(God.PAN))
    bench.receive(NO)
    assert not bench.ask().again
    bench.client.clock.pass_time(RETRY_SECONDS)
    assert bench.ask().decision.kind is Kind.PROPOSE_GOD
    assert bench.ask().again
    assert len(bench.ask().decision.choices) == 4


def test_gods_proposed_by_another_user_meanwhile_are_not_asked_for_again() -> None:
    bench = Bench()
    bench.in_lobby()
    bench.answer(ProposeGod(God.APOLLO))
    bench.answer(ProposeGod(God.PAN))
    bench.receive(NO, offer("Pan", "Atlas"))
    bench.client.clock.pass_time(RETRY_SECONDS)
    assert bench.ask().decision.kind is Kind.PICK_GOD


def test_with_three_players_the_challenger_chooses_the_first_player() -> None:
    bench = Bench(players=3)
    bench.in_lobby(("ann", "bob", "cat"))
    for god in (God.PAN, God.ATLAS, God.APOLLO):
        bench.answer(ProposeGod(god))
    bench.receive(offer("Pan", "Atlas", "Apollo"), YES, chosen("bob", "Pan"), offer("Atlas", "Apollo"))
    bench.receive(chosen("cat", "Atlas"), chosen("ann", "Apollo"), offer())
    assert bench.ask().decision.choices == (ChooseStart(1), ChooseStart(2))
    bench.said()
    bench.answer(ChooseStart(2))
    assert bench.said()[0].first.username == "cat"


def test_a_lone_challenger_picks_the_proposed_god() -> None:
    bench = Bench(players=1)
    bench.in_lobby(("ann",))
    bench.answer(ProposeGod(God.PAN))
    bench.receive(offer("Pan"), YES)
    assert bench.ask().decision.choices == (PickGod(God.PAN),)
    bench.answer(PickGod(God.PAN))
    bench.said()
    bench.receive(chosen("ann", "Pan"), offer(), YES)
    assert bench.said() == [wire.ChooseFirstPlayer(wire.User("ann"), wire.User("ann"))]


def test_pawns_are_placed_together() -> None:
    bench = Bench()
    bench.in_lobby()
    bench.receive(placed("bob", 0, 0, 0), request("ann"))
    assert len(bench.ask().decision.choices) == 24
    bench.answer(PLACES[0])
    bench.answer(PLACES[24])
    assert bench.said() == [wire.PlacePawns(wire.User("ann"), wire.Coordinate(0, 4), wire.Coordinate(4, 0))]
    bench.receive(NO)
    assert bench.ask().decision.kind is Kind.PLACE_WORKER
    assert bench.ask().again


# --- turns ----------------------------------------------------------------------------------------------------------


def test_the_server_decides_what_is_legal() -> None:
    bench = Bench()
    bench.in_play()
    bench.receive(ready("ann", "Move"))
    checks = bench.said()
    assert {type(check) for check in checks} == {wire.CheckAction}
    legal = [check for check in checks if check.coordinate == wire.Coordinate(0, 1)]
    for check in checks:
        bench.receive(wire.Ping(), YES if check in legal else NO)
    assert bench.ask().decision.choices == (MOVES[20][15],)
    assert bench.ask().decision.kind is Kind.OPEN
    bench.said()
    bench.answer(MOVES[20][15])
    assert bench.said() == [wire.ExecuteAction(**msgspec.structs.asdict(legal[0]))]
    bench.receive(moved(0, 0, 0, 1), ready("ann", "Build_Block", "Pass_turn"), YES)
    assert {check.id for check in bench.said()} == {0}, "the pawn is fixed"


def test_a_build_before_the_move_fixes_the_pawn() -> None:
    bench = Bench()
    bench.in_play("Prometheus")
    bench.receive(ready("ann", "Move", "Build_Block"))
    bench.receive(*[YES] * len(bench.said()))
    bench.answer(BLOCKS[4][9])
    bench.receive(wire.Build(wire.Building("LEVEL1"), wire.Coordinate(4, 3)), ready("ann", "Move"), YES)
    checks = [one for one in bench.said() if isinstance(one, wire.CheckAction)]
    assert {check.id for check in checks} == {1}


def test_all_cells_are_tried_if_no_adjacent_one_is_legal() -> None:
    bench = Bench()
    bench.in_play()
    bench.receive(ready("ann", "Move"))
    near = bench.said()
    bench.receive(*[NO] * len(near))
    far = bench.said()
    assert len(far) > len(near)
    bench.receive(*[NO] * len(far))
    assert len(bench.ask().decision.choices) == len(far), "then the player may try"


def test_unknown_kinds_of_action_are_reported() -> None:
    bench = Bench()
    bench.in_play()
    bench.receive(ready("ann", "Sing"))
    assert isinstance(bench.notification[-1], Note)
    assert bench.said() == []


def test_a_move_onto_a_pawn_is_a_swap() -> None:
    bench = Bench("bob")
    bench.in_play("Apollo")
    bench.receive(moved(0, 0, 1, 1), ready("ann", "Build_Block"))
    bench.receive(wire.Build(wire.Building("LEVEL0", True), wire.Coordinate(2, 2)))
    bench.receive(wire.Elimination(wire.User("ann")))
    view = bench.notification[-1].view
    assert view.workers == ((-1, -1), (20, 8))
    assert view.domes == (12,)
    assert view.out == (0,)


def test_the_clients_own_elimination_is_reported() -> None:
    bench = Bench()
    bench.in_play()
    bench.receive(wire.Elimination(wire.User("ann")))
    assert bench.notification[-1].text == "You are out."


@pytest.mark.parametrize(
    ("message", "result"),
    [
        (wire.Win(wire.User("ann")), Result.WON),
        (wire.Win(wire.User("bob")), Result.LOST),
        (wire.ServerError("Connection to user ", "gone"), Result.BROKEN_OFF),
    ],
    ids=["won", "lost", "error"],
)
def test_the_client_closes_the_connection_after_the_end(message: wire.Event, result: Result) -> None:
    bench = Bench()
    bench.in_play()
    bench.receive(message, ready("bob", "Move"), wire.TurnChange(wire.User("bob"), 3))
    assert bench.over.result is result
    assert bench.client.closed


def test_a_lost_connection_ends_the_match() -> None:
    bench = Bench()
    bench.client.lose()
    assert bench.over.result is Result.BROKEN_OFF


def test_pings_are_answered_at_once() -> None:
    bench = Bench()
    bench.said()
    bench.receive(wire.Ping())
    assert bench.client.take() == wire.PING


def test_unreadable_lines_are_reported_and_skipped() -> None:
    bench = Bench()
    bench.client.receive(b'{"type":"NEWS","content":{}}\n\xff\n')
    assert [type(one) for one in bench.notification] == [ProtocolViolation, ProtocolViolation]
    bench.in_play()
    bench.receive(placed("bob", 99, 0, 0), placed("bob", 0, 9, 0), moved(9, 0, 0, 0), YES, YES)
    bench.receive(wire.Build(wire.Building("LEVEL9"), wire.Coordinate()))
    bench.receive(wire.Elimination(wire.User("bob")))
    assert bench.notification[-1].view.workers[0] == (20, 4)


# --- candidates -----------------------------------------------------------------------------------------------------


def model(god: God | None, turn: Callable[[Model], None] = lambda model: None) -> Model:
    found = Model()
    found.seat_of("ann")
    found.gods[0] = god
    found.place_pawn("ann", 0, 0)
    found.place_pawn("ann", 1, 24)
    found.begin_turn("ann", 0)
    turn(found)
    return found


def test_an_unknown_god_may_act_on_any_cell() -> None:
    assert MOVES[0][23] in candidate_actions(model(None), 0, ("Move",))
    assert MOVES[0][23] not in candidate_actions(model(God.PAN), 0, ("Move",))


def test_guesses_include_wrapped_cells_own_cells_and_ferries() -> None:
    assert MOVES[0][24] in candidate_actions(model(God.URANIA), 0, ("Move",))
    assert BLOCKS[0][0] in candidate_actions(model(God.ZEUS), 0, ("Build_Block",))
    ferry = model(God.CHARON, lambda found: found.place_pawn("ann", 0, 12))
    assert Force(6, 18) in candidate_actions(ferry, 0, ("Ferry",))


def test_actions_are_encoded_as_requests() -> None:
    found = model(God.PAN)
    deeds = [to_request(wire.CheckAction, found, 0, action) for action in (DOMES[0][1], BLOCKS[0][1], DONE)]
    assert [deed.action.description for deed in deeds] == ["Build_Dome", "Build_Block", "Pass_turn"]
    with pytest.raises(ValueError, match="cannot express"):
        to_request(wire.CheckAction, found, 0, Use())


def test_a_pawn_removed_while_the_server_asks_about_it_is_reported() -> None:
    found = model(God.PAN)
    found.move_pawn(0, 6)
    with pytest.raises(Malformed, match="the pawn is no longer on A5"):
        to_request(wire.ExecuteAction, found, 0, BLOCKS[0][1])


def test_a_removed_pawn_has_no_actions() -> None:
    found = model(God.PAN)
    found.workers[0][0] = -1
    assert {action.frm for action in candidate_actions(found, 0, ("Move",)) if hasattr(action, "frm")} == {24}


def test_a_build_fixes_the_pawn_that_acted() -> None:
    found = model(God.PROMETHEUS)
    found.hand = 1
    found.build(23, 1, False)
    assert found.pawn == 1
    kinds = [found.kind]
    found.move_pawn(24, 19)
    assert [*kinds, found.kind] == [Kind.OPEN, Kind.BUILD_MORE]
