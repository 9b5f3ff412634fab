"""Turns: the specified steps of every god of the deck, from prepared positions."""

from __future__ import annotations

from typing import Any

import pytest

from boardwire.dialects.dialect import Dialect
from boardwire.dialects.santorini_actions.editions import DOCUMENT as DOCUMENT_EDITION
from boardwire.dialects.santorini_actions.editions import SHIPPED as SHIPPED_EDITION
from boardwire.table.commands import Resign

from .players import DOCUMENT, SHIPPED, Raw, actions, cells, start_from

FLAT = "00000 00000 00000 00000 00000"


def answer(messages: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the data of the only response among messages."""
    (found,) = [one["data"] for one in messages if one["action"].endswith("Response")]
    return dict(found)


def board(message: dict[str, Any], x: int, y: int) -> dict[str, Any]:
    """Return a cell of a board update."""
    assert message["action"] == "battlefieldUpdate"
    return dict(message["data"]["cellMatrix"][x][y])


def test_a_plain_turn_is_move_build_end() -> None:
    server, (ann, bill) = start_from(f"{FLAT}/1/pan:A5,E1/pan:C3,D3")
    assert ann.start(True) == [
        {
            "action": "setStartTurnResponse",
            "data": {"playerNickname": "ann", "basicTurn": True, "currentStep": "MOVE"},
        }
    ]
    assert ann.select(0, 0) == {(0, 1), (1, 0), (1, 1)}
    assert ann.select(4, 4) == {(3, 3), (3, 4), (4, 3)}
    moved = ann.step(3, 4)
    assert actions(moved) == ["battlefieldUpdate", "workerViewUpdate", "playStepResponse"]
    assert board(moved[0], 3, 4) == {"player": "ann", "workerColor": "BROWN", "height": 0, "lastBlock": "GROUND"}
    assert cells(moved[1]) == {(4, 4), (4, 3), (3, 3), (2, 4)}
    assert answer(moved) == {"x": 3, "y": 4, "nextStep": "BUILD"}
    built = ann.step(4, 4)
    assert actions(built) == ["battlefieldUpdate", "playStepResponse", "actualPlayer"]
    assert board(built[0], 4, 4) == {"height": 1, "lastBlock": "LEVEL_1"}
    assert answer(built) == {"x": 4, "y": 4, "nextStep": "END"}
    assert actions(bill.take()) == ["battlefieldUpdate", "battlefieldUpdate", "actualPlayer"]
    assert server.match().moves == 2


def test_the_shipped_edition_answers_last_and_names_the_selected_worker() -> None:
    _, (ann, bill) = start_from(f"{FLAT}/1/pan:A5,E1/pan:C3,D3", SHIPPED)
    ann.start()
    ann.select(4, 4)
    moved = ann.step(3, 4)
    assert actions(moved) == ["battlefieldUpdate", "workerViewUpdate", "playStepResponse"]
    assert answer(moved) == {"x": 3, "y": 4, "nextStep": "BUILD"}
    built = ann.step(4, 4)
    assert actions(built) == ["battlefieldUpdate", "playStepResponse"]
    assert answer(built) == {"x": 3, "y": 4, "nextStep": "END"}
    assert actions(bill.take()) == ["battlefieldUpdate", "battlefieldUpdate", "actualPlayer"]


def test_quirk_the_shipped_edition_announces_the_first_turn_to_all_and_the_others_to_their_player() -> None:
    _, (ann, bill, cleo) = start_from(f"{FLAT}/1/pan:A5,E1/pan:C3,D3/pan:A1,E5", SHIPPED, 3)
    ann.start()
    ann.select(0, 0)
    ann.step(0, 1)
    ann.step(0, 0)
    assert actions(bill.take()) == ["battlefieldUpdate", "battlefieldUpdate", "actualPlayer"]
    assert actions(cleo.take()) == ["battlefieldUpdate", "battlefieldUpdate"]


def test_the_document_edition_announces_every_turn_to_all() -> None:
    _, (ann, bill, cleo) = start_from(f"{FLAT}/1/pan:A5,E1/pan:C3,D3/pan:A1,E5", DOCUMENT, 3)
    ann.start()
    ann.select(0, 0)
    ann.step(0, 1)
    ann.step(0, 0)
    for other in (bill, cleo):
        said = other.take()
        assert actions(said) == ["battlefieldUpdate", "battlefieldUpdate", "actualPlayer"]
        assert said[-1]["data"] == {"playerNickname": "bill"}


def test_a_worker_without_a_move_has_an_empty_view_and_the_other_can_be_selected() -> None:
    _, (ann, _) = start_from("02000 22000 00000 00000 00000/1/pan:A5,E1/pan:C3,D3")
    ann.start()
    assert ann.select(0, 0) == set()
    assert actions(ann.step(0, 1)) == ["serverError"]
    assert ann.select(4, 4) == {(3, 3), (3, 4), (4, 3)}


def test_the_worker_cannot_be_changed_after_the_first_step() -> None:
    server, (ann, _) = start_from(f"{FLAT}/1/pan:A5,E1/pan:C3,D3")
    ann.start()
    ann.select(0, 0)
    ann.step(0, 1)
    assert actions(ann.say("selectWorker", playerNickname="ann", x=4, y=4)) == ["serverError"]
    assert server.match().moves == 1


@pytest.mark.parametrize("edition", [DOCUMENT, SHIPPED])
def test_quirk_a_swap_is_two_boards_and_the_first_lacks_the_other_worker(edition: Dialect) -> None:
    _, (ann, bill) = start_from(f"{FLAT}/1/apollo:C3,E1/pan:C4,A1", edition)
    ann.start()
    assert (1, 2) in ann.select(2, 2)
    moved = ann.step(1, 2)
    assert actions(moved) == ["battlefieldUpdate", "battlefieldUpdate", "workerViewUpdate", "playStepResponse"]
    assert board(moved[0], 1, 2)["player"] == "ann"
    assert "player" not in board(moved[0], 2, 2)
    assert board(moved[1], 2, 2)["player"] == "bill"
    assert bill.take() == moved[:2]


def test_a_push_is_two_boards() -> None:
    _, (ann, _) = start_from(f"{FLAT}/1/minotaur:C2,E1/pan:C3,A1")
    ann.start()
    ann.select(3, 2)
    moved = ann.step(2, 2)
    assert actions(moved)[:2] == ["battlefieldUpdate"] * 2
    assert "player" not in board(moved[0], 1, 2)
    assert board(moved[1], 1, 2)["player"] == "bill"


def test_a_plain_turn_neither_swaps_nor_pushes() -> None:
    for god in ("apollo", "minotaur"):
        _, (ann, _) = start_from(f"{FLAT}/1/{god}:C2,E1/pan:C3,A1")
        ann.start(True)
        assert (2, 2) not in ann.select(3, 2)


def test_artemis_may_move_again_or_skip_to_the_build() -> None:
    _, (ann, _) = start_from(f"{FLAT}/1/artemis:A5,E1/pan:C3,D3")
    ann.start()
    ann.select(0, 0)
    moved = ann.step(0, 1)
    assert answer(moved)["nextStep"] == "MOVE_SPECIAL"
    assert (0, 0) not in cells(moved[1])
    skipped = ann.say("skipStep")
    assert actions(skipped) == ["workerViewUpdate", "skipStepResponse"]
    assert (0, 0) in cells(skipped[0])
    assert answer(skipped) == {"currentStep": "BUILD"}
    assert actions(ann.say("skipStep")) == ["serverError"]
    assert answer(ann.step(0, 0))["nextStep"] == "END"


def test_artemis_builds_after_her_second_move() -> None:
    _, (ann, _) = start_from(f"{FLAT}/1/artemis:A5,E1/pan:C3,D3")
    ann.start()
    ann.select(0, 0)
    ann.step(0, 1)
    assert answer(ann.step(0, 2))["nextStep"] == "BUILD"


def test_triton_moves_on_as_long_as_he_is_on_the_border() -> None:
    _, (ann, _) = start_from(f"{FLAT}/1/triton:A5,E1/pan:C3,D3")
    ann.start()
    ann.select(0, 0)
    assert answer(ann.step(0, 1))["nextStep"] == "MOVE_UNTIL"
    assert answer(ann.step(0, 2))["nextStep"] == "MOVE_UNTIL"
    assert answer(ann.step(1, 2))["nextStep"] == "BUILD"


def test_atlas_with_his_power_builds_a_dome_and_without_it_a_block() -> None:
    for basic, piece in ((False, {"height": 1, "lastBlock": "DOME"}), (True, {"height": 1, "lastBlock": "LEVEL_1"})):
        _, (ann, _) = start_from(f"{FLAT}/1/atlas:A5,E1/pan:C3,D3")
        ann.start(basic)
        ann.select(0, 0)
        ann.step(0, 1)
        assert board(ann.step(0, 0)[0], 0, 0) == piece


def test_atlas_without_his_power_still_completes_a_tower() -> None:
    _, (ann, _) = start_from("30000 00000 00000 00000 00000/1/atlas:A3,E1/pan:C3,D3")
    ann.start(True)
    ann.select(2, 0)
    assert (0, 0) in cells(ann.step(1, 0)[1])
    assert board(ann.step(0, 0)[0], 0, 0) == {"height": 4, "lastBlock": "DOME"}


def test_prometheus_with_his_power_builds_moves_level_and_builds() -> None:
    _, (ann, _) = start_from(f"{FLAT}/1/prometheus:A5,E1/pan:C3,D3")
    assert answer(ann.start())["currentStep"] == "BUILD"
    ann.select(0, 0)
    built = ann.step(0, 1)
    assert actions(built) == ["battlefieldUpdate", "workerViewUpdate", "playStepResponse"]
    assert answer(built)["nextStep"] == "MOVE"
    assert cells(built[1]) == {(1, 0), (1, 1)}
    assert answer(ann.step(1, 0))["nextStep"] == "BUILD"


def test_prometheus_without_his_power_moves_and_builds() -> None:
    _, (ann, _) = start_from(f"{FLAT}/1/prometheus:A5,E1/pan:C3,D3")
    assert answer(ann.start(True))["currentStep"] == "MOVE"
    ann.select(0, 0)
    assert answer(ann.step(0, 1))["nextStep"] == "BUILD"


def test_prometheus_who_cannot_build_first_is_given_a_plain_turn() -> None:
    """A player loses only if no kind of turn is possible; the response announces the kind [4.4.2]."""
    _, (ann, _) = start_from("01444 11444 44444 44411 44410/1/prometheus:A5,E1/pan:B4,D2")
    started = answer(ann.start())
    assert started["basicTurn"] is True
    assert started["currentStep"] == "MOVE"


def test_apollo_who_can_only_swap_is_not_given_a_plain_turn() -> None:
    only_swaps = start_from("02444 00444 44444 44444 44444/1/apollo:A5/pan:A4,B4")[1][0]
    assert answer(only_swaps.start(True))["basicTurn"] is False
    walks_too = start_from("02444 00444 44444 00444 00444/1/apollo:A5,A1/pan:A4,B4")[1][0]
    assert answer(walks_too.start(True))["basicTurn"] is True


@pytest.mark.parametrize(
    ("god", "more"),
    [("demeter", {(0, 2), (1, 0), (1, 1), (1, 2)}), ("hephaestus", {(0, 0)}), ("hestia", {(1, 1), (1, 2)})],
)
def test_a_second_build_is_an_optional_special_step(god: str, more: set[tuple[int, int]]) -> None:
    _, (ann, _) = start_from(f"{FLAT}/1/{god}:A5,E1/pan:C3,D3")
    ann.start()
    ann.select(0, 0)
    ann.step(0, 1)
    built = ann.step(0, 0)
    assert answer(built)["nextStep"] == "BUILD_SPECIAL"
    assert cells(built[1]) == more
    skipped = ann.say("skipStep")
    assert answer(skipped) == {"currentStep": "END"}


def test_a_plain_turn_of_demeter_has_one_build() -> None:
    server, (ann, _) = start_from(f"{FLAT}/1/demeter:A5,E1/pan:C3,D3")
    ann.start(True)
    ann.select(0, 0)
    ann.step(0, 1)
    assert answer(ann.step(0, 0))["nextStep"] == "END"
    assert server.match().pending.seats == (1,)


def test_quirk_remove_names_the_unmoved_worker_in_the_shipped_edition() -> None:
    _, (ann, _) = start_from("00000 00000 00000 00010 00000/1/ares:E1,E2/pan:A5,B5", SHIPPED)
    ann.start()
    ann.select(4, 4)
    ann.step(4, 3)
    built = ann.step(4, 4)
    assert answer(built) == {"x": 3, "y": 4, "nextStep": "REMOVE"}
    assert cells(built[1]) == {(3, 3), (4, 4)}
    removed = ann.step(3, 3)
    assert board(removed[0], 3, 3) == {"height": 0, "lastBlock": "GROUND"}
    assert answer(removed)["nextStep"] == "END"


def test_zeus_builds_under_himself_but_not_in_a_plain_turn() -> None:
    for basic in (False, True):
        _, (ann, _) = start_from(f"{FLAT}/1/zeus:A5,E1/pan:C3,D3")
        ann.start(basic)
        ann.select(0, 0)
        assert ((0, 1) in cells(ann.step(0, 1)[1])) is not basic


def test_an_optional_step_without_targets_is_not_offered() -> None:
    _, (ann, _) = start_from("20000 00000 00000 00000 00000/1/hephaestus:A4,E1/pan:C3,D3")
    ann.start()
    ann.select(1, 0)
    ann.step(0, 1)
    assert answer(ann.step(0, 0))["nextStep"] == "END"


def test_the_kind_of_turn_can_be_changed_until_the_first_step() -> None:
    _, (ann, _) = start_from(f"{FLAT}/1/prometheus:A5,E1/pan:C3,D3")
    ann.start()
    ann.select(0, 0)
    assert answer(ann.start(True))["currentStep"] == "MOVE"
    assert actions(ann.step(0, 1)) == ["serverError"], "a worker must be selected anew"
    ann.select(0, 0)
    ann.step(0, 1)
    assert actions(ann.start()) == ["serverError"]


def test_the_winner_gets_youwin_without_a_response_and_the_loser_youlose() -> None:
    for edition in (DOCUMENT, SHIPPED):
        server, (ann, bill) = start_from("23000 00000 00000 00000 00000/1/pan:A5,E1/pan:C3,D3", edition)
        ann.start()
        ann.select(0, 0)
        assert actions(ann.step(0, 1)) == ["battlefieldUpdate", "youWin"]
        assert actions(bill.take()) == ["battlefieldUpdate", "youLose"]
        assert server.match().outcome.winners == (0,)


def test_chronus_wins_by_the_fifth_tower_whichever_player_builds_it() -> None:
    _, (ann, bill) = start_from("44443 00000 00000 00000 00000/1/pan:E3,A1/chronus:C3,B1")
    ann.start()
    ann.select(2, 4)
    ann.step(1, 4)
    assert actions(ann.step(0, 4)) == ["battlefieldUpdate", "youLose"]
    assert actions(bill.take())[-1] == "youWin"


STUCK = "02000 22000 00000 00022 00010/1/athena:C2,C3/pan:A5,E1"
"""Bill cannot move once the cell (4, 3) is built on."""


def build_bill_in(ann: Raw) -> list[dict[str, Any]]:
    """Play a turn of Ann that leaves Bill without a move, and return the messages of its last step."""
    ann.start()
    ann.select(3, 2)
    ann.step(4, 2)
    return ann.step(4, 3)


@pytest.mark.parametrize("edition", [DOCUMENT, SHIPPED])
def test_with_two_players_a_stuck_one_loses_when_its_turn_begins(edition: Dialect) -> None:
    server, (ann, bill) = start_from(STUCK, edition)
    said = build_bill_in(ann)
    assert [one for one in actions(said) if one != "actualPlayer"] == ["battlefieldUpdate"] * 2 + ["youWin"]
    assert "player" not in board(said[-2], 0, 0)
    heard = actions(bill.take())
    assert heard == ["battlefieldUpdate"] * 2 + ["actualPlayer", "battlefieldUpdate", "youLose"]
    assert bill.start() == [], "its turn is over before it can begin"
    assert server.match().outcome.winners == (0,)


def test_with_three_players_only_the_stuck_one_gets_youlose_and_play_continues() -> None:
    server, (ann, bill, cleo) = start_from(f"{STUCK}/pan:A1,B1", SHIPPED, 3)
    assert actions(build_bill_in(ann)) == ["battlefieldUpdate", "playStepResponse", "battlefieldUpdate"]
    assert actions(bill.take()) == ["battlefieldUpdate"] * 2 + ["actualPlayer", "battlefieldUpdate", "youLose"]
    heard = cleo.take()
    assert actions(heard) == ["battlefieldUpdate"] * 3 + ["actualPlayer"]
    assert heard[-1]["data"] == {"playerNickname": "cleo"}
    assert "player" not in board(heard[2], 0, 0)
    assert server.match().outcome is None
    assert bill.say("getPlayers") == [], "nothing more is said to who is out"
    bill.peer.drop()
    assert server.match().outcome is None
    assert cleo.take() == []
    assert answer(cleo.start())["currentStep"] == "MOVE"


def test_an_eliminated_player_may_join_another_match_while_the_old_one_continues() -> None:
    server, (ann, bill, cleo) = start_from(f"{STUCK}/pan:A1,B1", DOCUMENT, 3)
    build_bill_in(ann)
    bill.take()
    (again,) = bill.join()
    assert again["data"]["validNick"] is True
    assert server.match("match-1").outcome is None
    assert server.match("match-2").players[0].name == "bill"
    assert answer(cleo.start())["currentStep"] == "MOVE"


def test_an_eliminated_player_is_not_sent_the_end() -> None:
    server, (ann, bill, cleo) = start_from(f"{STUCK}/pan:A1,B1", DOCUMENT, 3)
    build_bill_in(ann)
    bill.take()
    cleo.peer.drop()
    assert bill.take() == []
    assert not bill.peer.closed
    assert server.match().outcome.termination == "abandoned"
    assert actions(ann.take())[-1] == "serverError"
    assert actions(bill.join()) == ["addPlayerResponse"]


def test_the_editions_differ_only_in_what_the_specification_lists() -> None:
    differing = [
        field
        for field in DOCUMENT_EDITION.__struct_fields__
        if getattr(DOCUMENT_EDITION, field) != getattr(SHIPPED_EDITION, field)
    ]
    assert differing == [
        "name", "port", "pings", "lower", "nick_is_verdict", "reports_other_size", "bare_deck", "turns_to_all",
        "echoes", "complaint",
    ]  # fmt: skip


def test_a_turn_that_no_step_expresses_is_played_by_default_and_not_announced() -> None:
    """Dionysus may take another turn with an opponent's worker after completing a tower."""
    server, (ann, bill) = start_from("30000 00000 00000 00000 00000/1/dionysus:B4,E1/pan:C2,D2")
    ann.start()
    ann.select(1, 1)
    ann.step(1, 0)
    assert actions(ann.step(0, 0)) == ["battlefieldUpdate", "playStepResponse", "actualPlayer"]
    assert server.match().position.seat == 1
    assert answer(bill.start())["currentStep"] == "MOVE"


def test_a_player_sees_its_own_hidden_workers() -> None:
    _, (ann, bill) = start_from(f"{FLAT}/1/hecate:A5,E1/pan:C3,D3")
    for client, seen in ((ann, "ann"), (bill, None)):
        (reply,) = client.say("getBattlefield")
        assert reply["data"]["cellMatrix"][0][0].get("player") == seen
    ann.start()
    ann.select(0, 0)
    assert board(ann.step(0, 1)[0], 0, 1)["player"] == "ann"
    assert all("player" not in board(one, 0, 1) for one in bill.take() if one["action"] == "battlefieldUpdate")


def test_a_turn_begun_by_default_is_ended_by_default() -> None:
    """Jason cannot move, but may bring in a worker, which no step expresses."""
    _, (ann, bill) = start_from("02000 22000 00000 00022 00020/1/jason:A5,E1/pan:C3,C2")
    assert actions(bill.take()) == []
    assert answer(bill.start())["currentStep"] == "MOVE"
    assert ann.take() == []


@pytest.mark.parametrize("edition", [DOCUMENT, SHIPPED])
def test_a_turn_continues_after_another_player_is_eliminated(edition: Dialect) -> None:
    position = f"{FLAT}/1/pan:A5,E1/pan:C3,D3/pan:A1,D1"
    for begun in range(4):
        server, (ann, *_) = start_from(position, edition, 3)
        said: list[tuple[str, dict[str, Any]]] = [
            ("setStartTurn", {"playerNickname": "ann", "basicTurn": False}),
            ("selectWorker", {"playerNickname": "ann", "x": 0, "y": 0}),
            ("playStep", {"x": 0, "y": 1}),
            ("playStep", {"x": 0, "y": 0}),
        ]
        for number, (action, data) in enumerate(said):
            if number == begun:
                next(iter(server.lobby)).do(None, Resign(1))
                assert actions(ann.take()) == ["battlefieldUpdate"]
            ann.say(action, **data)
        assert server.match().moves == 2, begun


def test_a_worker_may_move_to_a_cell_freed_by_an_elimination() -> None:
    server, (ann, *_) = start_from(f"{FLAT}/1/pan:A5,E1/pan:B4,D3/pan:A1,D1", DOCUMENT, 3)
    ann.start()
    assert (1, 1) not in ann.select(0, 0)
    next(iter(server.lobby)).do(None, Resign(1))
    ann.take()
    assert answer(ann.step(1, 1))["nextStep"] == "BUILD"
