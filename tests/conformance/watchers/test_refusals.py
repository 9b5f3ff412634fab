"""Illegal moves of clients: findings with the rule, in every dialect, and unexplained refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.conformance.examined import examine
from tests.conformance.illegal import ILLEGAL, Illegal, two_rounds
from tests.conformance.illegal_move import Move

from boardwire import games
from boardwire.conformance.finding import Finding, Side
from boardwire.conformance.monitor import Monitor, Record
from boardwire.conformance.server.check import Verdict
from boardwire.conformance.watchers import refusals, watched_dialects
from boardwire.conformance.watchers.watcher import CROSSING_SECONDS, WatcherGroup
from boardwire.dialects.santorini_objects.editions import Edition
from boardwire.dialects.santorini_objects.messages import classes as objects
from boardwire.dialects.santorini_objects.messages import texts
from boardwire.errors import Objection
from boardwire.games import eriantys, forza, santorini, tris
from boardwire.games.santorini.actions import Build, PlaceWorker
from boardwire.games.santorini.actions import Move as WorkerMove
from boardwire.games.santorini.squares import parse_square
from boardwire.simulation.luck import ScriptedDealer

QUICK = {
    ("tris-lines", ""),
    ("forza-lines", ""),
    ("santorini-lobby", ""),
    ("eriantys-messages", ""),
    ("native", "tris"),
}
MOVES = [
    pytest.param(
        dialect, game, make, id=f"{dialect} {game} {name}", marks=() if (dialect, game) in QUICK else pytest.mark.slow
    )
    for (dialect, game), moves in ILLEGAL.items()
    for name, make in moves.items()
]


def test_every_watched_dialect_and_game_has_illegal_moves() -> None:
    assert {dialect for dialect, _ in ILLEGAL} == set(watched_dialects())
    assert {game for dialect, game in ILLEGAL if dialect == "native"} == set(games.NAMES)


@pytest.mark.parametrize("game", games.NAMES)
def test_every_rule_of_a_game_has_a_sentence(game: str) -> None:
    assert set(refusals.SENTENCES[game]) == set(games.game(game).Rule)
    for rule in games.game(game).Rule:
        assert refusals.explain(game, Objection(rule, card="artemis", most=3)) != refusals.UNEXPLAINED


@pytest.mark.parametrize(("dialect", "game", "make"), MOVES)
def test_an_illegal_move_is_found_with_its_rule(dialect: str, game: str, make: Callable[[], Move]) -> None:
    move = make()
    fault = Illegal(dialect, move.change)
    examined = examine(dialect, two_rounds(dialect, game), fault=fault, game=game)
    assert fault.sent, "it was played"
    assert examined.verdict.verdict is Verdict.FAIL
    assert move.says in examined.verdict.detail
    found = [one.detail for one in examined.findings]
    assert sum(move.says in one for one in found) == 1, found


# --- what is not judged here, but refused ---------------------------------------------------------------------------


def heard(dialect: str, *pieces: tuple[Side, bytes], step: float = 1.0) -> list[Finding]:
    """Return the findings of a conversation."""
    records: list[Record] = []
    monitor = Monitor(dialect, WatcherGroup(), 1, records.append)
    monitor.start(0.0)
    for number, (side, data) in enumerate(pieces):
        monitor.receive(side, data, number * step)
    assert not monitor.failed
    return [one for one in records if isinstance(one, Finding)]


C, S = Side.CLIENT, Side.SERVER

LOGGED_IN = [
    (S, b'{"type":"SIZE_SELECTED","content":{"size":2}}\n'),
    (C, b'{"type":"ADD_USER","content":{"user":{"username":"ann"}}}\n'),
    (S, b'{"type":"USER_JOINED","content":{"user":{"username":"ann"}}}\n'),
    (S, b'{"type":"RESULT","content":{"value":true}}\n'),
    (S, b'{"type":"USER_JOINED","content":{"user":{"username":"bob"}}}\n'),
    (S, b'{"type":"GODS_AVAILABLE","content":{"gods":[{"name":"Pan"},{"name":"Zeus"},{"name":"Atlas"}]}}\n'),
]
TRUE, FALSE = (
    (S, b'{"type":"RESULT","content":{"value":true}}\n'),
    (S, b'{"type":"RESULT","content":{"value":false}}\n'),
)


def select(*gods: str) -> tuple[Side, bytes]:
    names = ",".join(f'{{"name":"{god}"}}' for god in gods)
    return C, f'{{"type":"SELECT_GODS","content":{{"user":{{"username":"ann"}},"gods":[{names}]}}}}\n'.encode()


def test_a_list_of_gods_sent_with_every_god_is_no_breach() -> None:
    """The shipped terminal client of santorini-lobby sends SELECT_GODS with each god that is typed, and once more."""
    both = (S, b'{"type":"GODS_AVAILABLE","content":{"gods":[{"name":"Pan"},{"name":"Zeus"}]}}\n')
    apart = [select("Pan"), FALSE, select("Pan", "Zeus"), both, TRUE, select("Pan", "Zeus"), FALSE]
    assert heard("santorini-lobby", *LOGGED_IN, *apart) == []
    at_once = [select("Pan"), select("Pan", "Zeus"), select("Pan", "Zeus"), FALSE, both, TRUE, FALSE]
    assert heard("santorini-lobby", *LOGGED_IN, *at_once) == []


def test_gods_that_were_not_offered_are_found() -> None:
    (found,) = heard("santorini-lobby", *LOGGED_IN, select("Pan", "Hermes"), FALSE)
    assert (found.side, found.section) == (C, "docs/dialects/santorini-lobby.md, 5.4")


BEGUN = [
    *LOGGED_IN,
    *[
        (S, f'{{"type":"{kind}","content":{content}}}\n'.encode())
        for kind, content in [
            ("GOD_CHOSEN", '{"user":{"username":"ann"},"godIdentifier":{"name":"Pan"}}'),
            ("GOD_CHOSEN", '{"user":{"username":"bob"},"godIdentifier":{"name":"Nobody"}}'),
            ("PAWN_PLACED", '{"owner":{"username":"ann"},"pawnId":0,"coordinate":{"x":0,"y":0}}'),
            ("PAWN_PLACED", '{"owner":{"username":"ann"},"pawnId":1,"coordinate":{"x":1,"y":0}}'),
            ("PAWN_PLACED", '{"owner":{"username":"bob"},"pawnId":0,"coordinate":{"x":4,"y":4}}'),
            ("PAWN_PLACED", '{"owner":{"username":"bob"},"pawnId":1,"coordinate":{"x":3,"y":4}}'),
            ("TURN_CHANGE", '{"user":{"username":"ann"},"turn":0}'),
            ("ACTION_READY", '{"user":{"username":"ann"},"actionIdentifiers":[{"description":"Move"}]}'),
        ]
    ],
]


def execute(x: int, y: int) -> tuple[Side, bytes]:
    deed = f'"id":0,"actionIdentifier":{{"description":"Move"}},"coordinate":{{"x":{x},"y":{y}}}'
    return C, f'{{"type":"EXECUTE_ACTION","content":{{"user":{{"username":"ann"}},{deed}}}}}\n'.encode()


def test_a_move_is_not_judged_while_a_worker_is_hidden() -> None:
    """Where Hecate's workers stand, and so which rule refuses an action, is unknown to the other seat."""
    for foe, judged in ((santorini.God.PAN, True), (santorini.God.HECATE, False)):
        options = santorini.Options(santorini.Draft.GIVEN, (santorini.God.MORTAL, foe), bans=False)
        position = santorini.new(options, 2)
        for square in (0, 1, 23, 24):
            assert position.decision is not None
            position = santorini.apply(position, position.decision.seats[0], PlaceWorker(square))[0]
        views = [santorini.view(position, 0)]
        assert (refusals.objection("santorini", views, 0, WorkerMove(0, 14)) is not None) is judged


def test_a_move_that_is_refused_for_an_unknown_reason_is_found() -> None:
    """Matches with unknown gods are not followed."""
    assert heard("santorini-lobby", *BEGUN, execute(0, 1), TRUE) == []
    (found,) = heard("santorini-lobby", *BEGUN, execute(4, 0), FALSE)
    assert found.side is C
    assert "was refused" in found.detail


def asks(what: str, text: str = "?") -> tuple[Side, bytes]:
    return S, f'{{"type":"TextMessage","nickname":"ann","text":"{text}","ask":"{what}"}}\n'.encode()


STUDENT = (C, b'{"type":"StudentToHallMessage","nickname":"ann","students":["RED"]}\n')


def test_a_message_of_eriantys_that_is_refused_for_an_unknown_reason_is_found() -> None:
    (found,) = (
        one for one in heard("eriantys-messages", asks("students"), STUDENT, asks("refused", "no")) if one.side is C
    )
    assert found.section == "docs/dialects/eriantys-messages.md, 6.3"
    assert found.detail.endswith(" was refused: no")


def test_a_refused_message_of_several_that_come_together_is_found() -> None:
    found = heard("eriantys-messages", asks("students"), (C, STUDENT[1] * 2), asks("refused", "no"))
    assert [one.detail for one in found if one.side is C] == [
        "one of several messages that arrived together was refused: no"
    ]


# --- what crosses on the wire ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("step", "blamed"), [(0.1, []), (CROSSING_SECONDS * 2, [C])])
def test_a_reply_that_crosses_the_end_of_a_turn_is_no_breach(step: float, blamed: list[Side]) -> None:
    over = asks("", "Your turn is over")
    found = heard("eriantys-messages", asks("students"), over, STUDENT, asks("refused", "no"), step=step)
    assert [one.side for one in found if one.side is C] == blamed


def sent(side: Side, message: Any, edition: Edition = Edition.F) -> tuple[Side, bytes]:
    return side, edition.encode(message)


PICKING = [
    sent(C, objects.Connection(2, "ann")),
    sent(S, objects.Message("PLAYER_1")),
    sent(S, objects.UpdateInitializeNames(("ann", "bob"))),
    sent(S, objects.RequestInitializeGodPower(1, ("Demeter", "Pan"))),
]
"""A santorini-objects table where both players pick at the same time: bob takes Pan."""
BOB_TAKES_PAN = sent(S, objects.UpdateInitializeGodPower(2, "Pan"))
WHAT_IS_LEFT = sent(S, objects.RequestInitializeGodPower(1, ("Demeter",)))
ANN_TAKES_PAN = sent(C, objects.InitializeGodPower("Pan"))
REJECTED = sent(S, objects.RequestError(1, texts.REJECTED))


@pytest.mark.parametrize(("step", "blamed"), [(0.1, []), (CROSSING_SECONDS, [C])])
@pytest.mark.parametrize("pieces", [(BOB_TAKES_PAN,), (BOB_TAKES_PAN, WHAT_IS_LEFT), (WHAT_IS_LEFT,)])
def test_a_god_picked_while_another_player_takes_it_is_no_breach(
    pieces: tuple[tuple[Side, bytes], ...], step: float, blamed: list[Side]
) -> None:
    after = [REJECTED, WHAT_IS_LEFT, sent(C, objects.InitializeGodPower("Demeter"))]
    found = heard("santorini-objects/shipped", *PICKING, *pieces, ANN_TAKES_PAN, *after, step=step)
    assert [one.side for one in found] == (blamed if WHAT_IS_LEFT in pieces else [])


def test_a_god_that_was_never_offered_is_a_breach_while_another_player_picks() -> None:
    zeus = sent(C, objects.InitializeGodPower("Zeus"))
    found = heard("santorini-objects/shipped", *PICKING, BOB_TAKES_PAN, WHAT_IS_LEFT, zeus, REJECTED, step=0.01)
    assert [one.side for one in found] == [C]


def test_a_second_god_that_is_taken_is_a_breach() -> None:
    again = [REJECTED, WHAT_IS_LEFT, ANN_TAKES_PAN, REJECTED]
    found = heard("santorini-objects/shipped", *PICKING, BOB_TAKES_PAN, WHAT_IS_LEFT, ANN_TAKES_PAN, *again, step=0.01)
    assert [one.side for one in found] == [C]


@pytest.mark.parametrize(("step", "blamed"), [(0.1, []), (CROSSING_SECONDS, [C])])
def test_a_square_taken_by_another_player_at_the_same_time_is_no_breach(step: float, blamed: list[Side]) -> None:
    corners = objects.Position(0, 0, 0), objects.Position(4, 4, 0)
    found = heard(
        "santorini-objects",
        sent(C, objects.Message("2"), Edition.D2),
        sent(S, objects.Message("You are player 1"), Edition.D2),
        sent(S, objects.UpdateInitializeNames(("ann", "bob")), Edition.D2),
        sent(S, objects.RequestInitializeGame(1, ("Demeter",)), Edition.D2),
        sent(S, objects.UpdateInitializeGame(2, "Pan", corners), Edition.D2),
        sent(C, objects.InitializeGame("Demeter", corners), Edition.D2),
        step=step,
    )
    assert [one.side for one in found if one.side is C] == blamed


def test_a_second_reply_at_once_is_a_breach() -> None:
    over = asks("", "Your turn is over")
    found = heard("eriantys-messages", asks("students"), STUDENT, over, STUDENT, step=0.01)
    assert [one.section for one in found if one.side is C] == ["docs/dialects/eriantys-messages.md, 4"]


# --- rules by views -------------------------------------------------------------------------------------------------


def played(game: Any, options: Any, seats: int, moves: int, seed: int = 1) -> tuple[Any, Any]:
    """Return a position after some moves, and its decision."""
    dealer = ScriptedDealer((), seed)
    position = game.new(options, seats)
    for _ in range(moves):
        pending = game.pending(position)
        choice = dealer.deal(pending) if pending.seats[0] < 0 else sorted(pending.choices, key=repr)[0]
        position, _ = game.apply(position, pending.seats[0], choice)
    return position, game.pending(position)


@pytest.mark.parametrize(
    ("game", "action", "rule"),
    [
        (tris, 0, tris.Rule.TAKEN),
        (tris, 9, tris.Rule.NOWHERE),
        (forza, 7, forza.Rule.NOWHERE),
    ],
)
def test_the_rule_is_found_from_a_view(game: Any, action: int, rule: str) -> None:
    position, pending = played(game, game.Options(), 2, 2)
    view = game.view(position, pending.seats[0])
    found = refusals.objection(game.name, [view], pending.seats[0], action)
    assert found == game.objection(position, pending.seats[0], action)
    assert found is not None
    assert found.rule == rule


def test_the_rule_of_a_santorini_build_is_found_from_the_views_of_a_turn() -> None:
    text = "0" * 25 + "/1/mortal:a1,a2/mortal:e4,e5"
    position = santorini.new(santorini.Options(santorini.Draft.POSITION, position=text), 2)
    first = santorini.view(position, 0)
    position, _ = santorini.apply(position, 0, santorini.parse_action("A1>B1"))
    second = santorini.view(position, 0)
    far = Build(parse_square("B1"), 24)
    found = refusals.objection("santorini", [first, second], 0, far)
    assert found == santorini.objection(position, 0, far)
    assert found is not None
    assert found.rule == santorini.Rule.FAR


def test_no_rule_is_found_from_an_invalid_view() -> None:
    assert refusals.objection("santorini", [None], 0, None) is None
    assert refusals.objection("eriantys", [], 0, eriantys.MoveMotherNature(3)) is None
    assert refusals.explain("tris", None) == refusals.UNEXPLAINED
