"""Matches as files: exports can be imported."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
import pytest

from boardwire import games
from boardwire.api import match_file as records
from boardwire.errors import Illegal, Malformed, Refused, Unavailable
from boardwire.games.game import Outcome
from boardwire.games.santorini.record import parse_record
from boardwire.simulation.server import SimulatedServer
from boardwire.table import events as ev
from boardwire.table.commands import AnswerUndo, Chat, Close, Draw, OfferUndo, Resign
from boardwire.table.match import fold
from boardwire.table.policy import Leaving, Policy
from boardwire.table.termination import Termination

from .api_fixture import Sitting, options_of

CASES: list[tuple[str, int, dict[str, Any]]] = [
    *((name, 2, {}) for name in games.NAMES),
    ("santorini", 2, {"draft": "random"}),
    ("santorini", 3, {"draft": "challenger"}),
    ("eriantys", 3, {"mode": "expert"}),
]


def replace(record: records.Record, **fields: Any) -> records.Record:
    return msgspec.structs.replace(record, **fields)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("game", "seats", "options"), CASES, ids=lambda part: str(part))
def test_an_exported_and_imported_match_is_the_same(game: str, seats: int, options: dict[str, Any], seed: int) -> None:
    server = SimulatedServer(seed)
    sitting = Sitting(server, game, seats, options_of(game, **options)).wander(seed)
    record = records.record_of(server.events(sitting.id))
    back = records.decode(records.write_json(record))
    assert back == record
    events = records.events_of(back)
    again = records.record_of(events)
    assert replace(again, id=record.id) == record
    before, after = server.match(sitting.id), fold(events)
    assert (after.position, after.outcome, after.moves) == (before.position, before.outcome, before.moves)
    assert records.write_text(again) == records.write_text(record)


@pytest.mark.parametrize(("game", "options"), [("santorini", {"draft": "random"}), ("eriantys", {"mode": "expert"})])
def test_skipped_turns_survive_export_and_import(game: str, options: dict[str, Any]) -> None:
    server = SimulatedServer(3)
    sitting = Sitting(server, game, 3, options_of(game, **options), policy=Policy(Leaving.SKIPS, 30.0)).wander(3, 9)
    sitting.table.leave(sitting.guests[1])
    sitting.wander(3)
    record = records.record_of(server.events(sitting.id))
    missed = [step for step in record.steps if step.absent]
    assert {step.seat for step in missed} == {1}
    back = records.decode(records.write_json(record))
    events = records.events_of(back)
    assert replace(records.record_of(events), id=record.id) == record
    before, after = server.match(sitting.id), fold(events)
    assert (after.position, after.outcome, after.moves) == (before.position, before.outcome, before.moves)
    assert records.write_text(back).decode().count("absent") == len(missed)


def test_chance_is_never_absent_and_no_one_is_skipped_out_of_turn() -> None:
    server = SimulatedServer(1)
    sitting = Sitting(server, "tris")
    sitting.act(0, 3, 1, 4, 2)
    record = records.record_of(server.events(sitting.id))
    for seat, why in ((None, "a step without a seat is a deal"), (1, "the other player's turn")):
        step = records.RecordedStep(0.0, seat, absent=True)
        with pytest.raises(Illegal, match=why):
            records.events_of(replace(record, steps=(step,), outcome=None))


# --- what goes out --------------------------------------------------------------------------------------------------


def test_a_record_has_the_valid_steps_and_nothing_of_the_table() -> None:
    server = SimulatedServer(1)
    sitting = Sitting(server, "tris")
    sitting.act(0, 3)
    sitting.do(0, Chat(0, "hello"))
    sitting.act(8)
    sitting.do(1, OfferUndo(1))
    sitting.do(0, AnswerUndo(0, True))
    sitting.act(4, 1, 5, 2)
    record = records.record_of(server.events(sitting.id))
    assert [(step.seat, step.do) for step in record.steps] == [(0, "0"), (1, "4"), (0, "1"), (1, "5"), (0, "2")]
    written = records.write_json(record)
    assert b"hello" not in written
    assert b"KEY" not in written
    assert b'    {"t":1.25,"seat":0,"do":"0"},\n' in written


def test_times_are_milliseconds_since_the_opening() -> None:
    server = SimulatedServer(1)
    server.clock.pass_time(0.12345)
    sitting = Sitting(server, "tris")
    server.clock.pass_time(0.0004)
    sitting.act(0, 3, 1, 4, 2)
    record = records.record_of(server.events(sitting.id))
    assert record.opened.isoformat() == "1970-01-01T00:16:40.123000+00:00"
    assert [step.t for step in record.steps] == [1.251, 2.501, 3.751, 5.001, 6.251]
    assert record.lasted == 6.251


def test_a_match_that_never_began_has_no_record() -> None:
    opening = ev.Opened(1.0, "m", "tris@1", 2, {}, Policy())
    with pytest.raises(Refused, match="never began"):
        records.record_of([opening, ev.Ended(2.0, Outcome("abandoned"))])


def test_plain_text_has_the_whole_match() -> None:
    server = SimulatedServer(1)
    sitting = Sitting(server, "tris")
    sitting.act(0, 3, 1)
    sitting.do(1, Resign(1))
    assert records.write_text(records.record_of(server.events(sitting.id))).decode() == (
        "tris 1\nopened: 1970-01-01 00:16:40 UTC\nplayer 1: Ann\nplayer 2: Bob\n\n"
        "   1. Ann: 0\n   2. Bob: 3\n   3. Ann: 1\n   4. Bob: resigned\n\nresult: Ann (resigned)\n"
    )


def test_plain_text_names_luck_and_players_without_a_name() -> None:
    server = SimulatedServer(1)
    sitting = Sitting(server, "eriantys").wander(1, 2)
    sitting.do(0, Close(Termination.INTERRUPTED))
    record = replace(
        records.record_of(server.events(sitting.id)), players=(records.RecordedPlayer(),) * 2, outcome=None
    )
    text = records.write_text(record).decode()
    assert "player 1: player 1\n" in text
    assert 'mode: "simplified"\n' in text
    assert "   1. luck: mother-nature " in text
    assert text.endswith("result: unfinished\n")


@pytest.mark.parametrize("game", games.NAMES)
def test_a_name_cannot_control_the_terminal(game: str) -> None:
    server = SimulatedServer(1)
    sitting = Sitting(server, game).wander(1)
    record = records.record_of(server.events(sitting.id))
    players = (records.RecordedPlayer("A\x1b[2J\x9bnn\nplayer 2: x"), *record.players[1:])
    text = records.write_text(replace(record, players=players)).decode()
    assert all(sign.isprintable() for sign in text.replace("\n", ""))
    assert "nn\nplayer 2: x" not in text


def test_the_text_of_a_santorini_match_is_its_own_notation() -> None:
    server = SimulatedServer(3)
    sitting = Sitting(server, "santorini", options=options_of("santorini", draft="random")).wander(3)
    text = records.write_text(records.record_of(server.events(sitting.id))).decode()
    assert parse_record(text).outcome == server.match(sitting.id).outcome


# --- what comes in --------------------------------------------------------------------------------------------------


def won() -> records.Record:
    """Return a match of Tris that Ann won."""
    server = SimulatedServer(1)
    sitting = Sitting(server, "tris")
    sitting.act(0, 3, 1, 4, 2)
    return records.record_of(server.events(sitting.id))


def test_a_time_loss_is_not_a_resignation() -> None:
    server = SimulatedServer(1)
    sitting = Sitting(server, "tris", policy=Policy(per_move=30.0))
    sitting.act(0)
    server.clock.pass_time(31.0)
    record = records.record_of(server.events(sitting.id))
    assert record.steps[-1].forfeit == "timed out"
    events = records.events_of(record)
    assert [type(event) for event in events[-2:]] == [ev.TimedOut, ev.Ended]
    assert replace(records.record_of(events), id=record.id) == record


def test_a_broken_off_match_stays_broken_off() -> None:
    server = SimulatedServer(1)
    sitting = Sitting(server, "tris")
    sitting.act(0)
    sitting.do(0, Close(Termination.INTERRUPTED))
    record = records.record_of(server.events(sitting.id))
    assert fold(records.events_of(record)).outcome == Outcome("interrupted")


def test_a_match_that_ended_with_a_lost_connection_can_be_imported() -> None:
    server = SimulatedServer(1)
    sitting = Sitting(server, "santorini").wander(1, 3)
    sitting.do(1, Close(Termination.CONNECTION_LOST, 1))
    record = records.record_of(server.events(sitting.id))
    lost = Outcome("connection lost", by=1)
    assert (record.outcome, fold(records.events_of(record)).outcome) == (lost, lost)
    old = replace(record, outcome=Outcome("the connection to Bob was lost"))  # as older programs wrote it
    assert fold(records.events_of(old)).outcome == lost


def test_a_match_drawn_by_agreement_can_be_imported() -> None:
    server = SimulatedServer(1)
    sitting = Sitting(server, "tris")
    sitting.act(0, 4)
    sitting.do(0, Draw(0))
    sitting.do(1, Draw(1))
    record = records.record_of(server.events(sitting.id))
    agreed = Outcome(Termination.AGREED)
    assert (record.outcome, fold(records.events_of(record)).outcome) == (agreed, agreed)
    with pytest.raises(Illegal, match="do not end the match"):
        records.events_of(replace(record, outcome=Outcome(Termination.AGREED, (0,))))


def test_absences_survive_an_export_and_import() -> None:
    server = SimulatedServer(1)
    sitting = Sitting(server, "tris")
    sitting.act(0)
    server.lobby.leave(sitting.guests[1])
    server.clock.pass_time(61.0)
    record = records.record_of(server.events(sitting.id))
    assert record.outcome == Outcome("stayed away", (0,), 1)
    assert replace(records.record_of(records.events_of(record)), id=record.id) == record


def test_a_record_from_before_resignations_were_distinguished_can_be_imported() -> None:
    server = SimulatedServer(1)
    sitting = Sitting(server, "tris")
    sitting.do(1, Resign(1))
    record = replace(records.record_of(server.events(sitting.id)), outcome=Outcome("forfeit", (0,)))
    assert fold(records.events_of(record)).outcome == Outcome("resigned", (0,), 1)


def test_a_match_without_an_end_is_adjourned() -> None:
    record = won()
    record = replace(record, steps=record.steps[:3], outcome=None)
    assert fold(records.events_of(record)).outcome == Outcome("adjourned")


def test_a_match_may_begin_at_its_end() -> None:
    over = "0000000000000000000000003/2/mortal:E1,A1/mortal:B2,C3/end=height"
    server = SimulatedServer(1)
    sitting = Sitting(server, "santorini", options=options_of("santorini", draft="position", position=over))
    record = records.record_of(server.events(sitting.id))
    assert record.steps == ()
    assert record.outcome is not None
    assert fold(records.events_of(record)).outcome == record.outcome
    assert fold(records.events_of(replace(record, outcome=None))).outcome == record.outcome


def test_a_match_of_two_bots_with_one_name_can_be_imported() -> None:
    bot = records.RecordedPlayer("greedy bot", "bot", "greedy")
    events = records.events_of(replace(won(), players=(bot, bot)))
    assert [player.bot for player in fold(events).players if player] == ["greedy", "greedy"]


def test_the_id_of_a_match_follows_from_its_record() -> None:
    record = won()
    assert records.name_of(record) == records.name_of(replace(record, id="another"))
    assert records.name_of(record) != records.name_of(replace(record, lasted=99.0))


def test_omitted_options_have_their_defaults() -> None:
    server = SimulatedServer(1)
    sitting = Sitting(server, "santorini", options=options_of("santorini", draft="none")).wander(1)
    record = records.record_of(server.events(sitting.id))
    assert records.events_of(replace(record, options={}))[0] == records.events_of(record)[0]


STEP = records.RecordedStep


@pytest.mark.parametrize(
    ("change", "kind", "why"),
    [
        ({"game": "chess"}, Malformed, "no game called 'chess'"),
        ({"rules": 99}, Unavailable, "tris@99"),
        ({"players": (records.RecordedPlayer(),) * 3}, Illegal, "tris is for 2 players, not 3"),
        ({"opened": datetime(1815, 6, 18, tzinfo=UTC)}, Malformed, "the year must be from 1970 to 2099"),
        ({"opened": datetime(2100, 1, 1, tzinfo=UTC)}, Malformed, "the year must be from 1970 to 2099"),
        ({"steps": (STEP(1.0, 0, "9"),)}, Illegal, "step 1 is not legal: '9' is not a cell"),
        ({"steps": (STEP(1.0, 0, "0"), STEP(1.0, 1, "0"))}, Illegal, "step 2 is not legal: cell 0 is taken"),
        ({"steps": (STEP(1.0, 1, "0"),)}, Illegal, "it is player .'s turn"),
        ({"steps": (STEP(1.0, 7, "0"),)}, Illegal, "it is player .'s turn"),
        ({"steps": (STEP(1.0, None, "0"),)}, Illegal, "no chance decision is pending"),
        ({"steps": (STEP(1.0, None, forfeit="resigned"),)}, Illegal, "a step without a seat is a deal"),
        ({"steps": (STEP(1.0, 7, forfeit="timed out"),)}, Illegal, "seat 7 does not exist"),
        ({"steps": (STEP(1.0, 0, "0", "resigned"),)}, Illegal, "must have only one of"),
        ({"steps": ()}, Illegal, "do not end the match"),
        ({"steps": (), "outcome": Outcome("abandoned", (0,))}, Illegal, "do not end the match"),
        ({"steps": (), "outcome": Outcome("abandoned", by=2)}, Illegal, "do not end the match"),
        ({"outcome": Outcome("line", (1,))}, Illegal, "outcome differs"),
        ({"outcome": Outcome("stayed away", (0,), 1)}, Illegal, "outcome differs"),
    ],
)
def test_an_impossible_match_is_not_imported(change: dict[str, Any], kind: type[Exception], why: str) -> None:
    with pytest.raises(kind, match=why):
        records.events_of(replace(won(), **change))


def test_a_step_after_the_end_is_refused() -> None:
    record = won()
    with pytest.raises(Illegal, match="step 6 is not legal: the match is over"):
        records.events_of(replace(record, steps=(*record.steps, STEP(9.0, 1, "8"))))


def test_unknown_options_are_refused() -> None:
    server = SimulatedServer(1)
    sitting = Sitting(server, "eriantys").wander(1)
    record = records.record_of(server.events(sitting.id))
    with pytest.raises(Malformed, match="mode"):
        records.events_of(replace(record, options={"mode": "easy"}))
    with pytest.raises(Illegal, match="tower colours"):
        records.events_of(replace(record, options={"towers": ["white", "white"]}))
