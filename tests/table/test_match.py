"""A match is the fold of its events, also of old journals."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardwire.errors import BoardwireError, Malformed, Refused, Unavailable
from boardwire.games import tris
from boardwire.games.game import Outcome
from boardwire.table import commands as cmd
from boardwire.table import events as ev
from boardwire.table.decide import decide
from boardwire.table.events import Event, Opened, Player, decode, encode
from boardwire.table.match import Status, fold, match_of_opening, moments, replay_events, split_opening
from boardwire.table.policy import Leaving, Policy
from boardwire.table.summary import summarize
from boardwire.table.termination import Termination, upgrade_outcome

from . import toy
from .scenes import NAMES, START, Scene, playing

EVERY_EVENT: tuple[Event, ...] = (
    Opened(1.0, "m", "tris@1", 2, {}, Policy(Leaving.HOLDS, 30.0, 60.0, 5.0, True), "native", "CODE"),
    ev.Joined(1.0, 0, Player("ann", "native", "", "key"), {"colour": "red"}, False),
    ev.Readied(1.0, 1, Player("bob")),
    ev.Left(1.0, 1, True),
    ev.Returned(1.0, 1),
    ev.Substituted(1.0, 0, Player("robot", "bot", "random")),
    ev.Started(1.0, {"goal": 3}),
    ev.Acted(1.0, 0, 4),
    ev.Dealt(1.0, [1, 2]),
    ev.Resigned(1.0, 1),
    ev.TimedOut(1.5, 0),
    ev.Skipped(1.0, 1),
    ev.UndoOffered(1.0, 0),
    ev.UndoAgreed(1.0, 1),
    ev.UndoDeclined(1.0, 1),
    ev.Undone(1.0, 0),
    ev.DrawOffered(1.0, 0),
    ev.DrawAgreed(1.0, 1),
    ev.DrawDeclined(1.0, 1),
    ev.Chatted(1.0, None, "perché no?", "zoe"),
    ev.Ended(1.0, Outcome("line", (0,))),
)


def test_every_event_survives_the_journal() -> None:
    assert {type(event) for event in EVERY_EVENT} == set(get_args(Event))
    for event in EVERY_EVENT:
        assert decode(encode(event)) == event


def test_the_journal_matches_the_output_of_the_command_line() -> None:
    acted = msgspec.json.decode(encode(ev.Acted(1.0, 0, 4)))
    assert acted == {"event": "acted", "at": 1.0, "seat": 0, "action": 4}
    tags = [msgspec.json.decode(encode(event))["event"] for event in EVERY_EVENT]
    assert len(set(tags)) == len(tags)
    assert all(tag == type(event).__name__.lower() for tag, event in zip(tags, EVERY_EVENT, strict=True))


OLD_JOURNAL = """
{"event":"opened","at":1,"match":"old","game":"tris@1","seats":2,"options":{},"policy":{}}
{"event":"joined","at":2,"seat":0,"player":{}}
{"event":"joined","at":3,"seat":1,"player":{"name":"bob"}}
{"event":"left","at":4,"seat":1}
{"event":"joined","at":4,"seat":1,"player":{"name":"cyd","of_a_later_version":1},"of_a_later_version":[2]}
{"event":"started","at":5,"options":{}}
{"event":"acted","at":6,"seat":0,"action":4}
{"event":"chatted","at":7,"seat":null,"text":"hi"}
{"event":"acted","at":8,"seat":1,"action":0}
{"event":"ended","at":9,"outcome":{"termination":"abandoned"}}
"""


def test_a_journal_of_an_older_form_still_replays() -> None:
    """Fields that were added since have defaults; fields that were taken away are passed over."""
    match = fold(decode(line) for line in OLD_JOURNAL.split("\n") if line)
    assert (match.id, match.seq, match.moves, match.status) == ("old", 10, 2, Status.OVER)
    assert match.players == (Player(), Player("cyd"))
    assert match.outcome == Outcome("abandoned")
    assert match.setting.policy == Policy()
    assert match.position.marks == (0b10000, 0b1)


@pytest.mark.parametrize(
    ("file", "outcome"),
    [
        ("lost-ping", Outcome(Termination.CONNECTION_LOST, by=1)),
        ("resigned", Outcome("forfeit", (0,))),
        ("timed-out", Outcome("forfeit", (0,))),
    ],
)
def test_a_journal_from_before_terminations_were_typed_still_folds(file: str, outcome: Outcome) -> None:
    lines = (Path(__file__).parent / "journals" / f"{file}.jsonl").read_bytes().splitlines()
    assert fold(map(decode, lines)).outcome == outcome
    assert summarize([decode(line) for line in lines]).outcome == outcome


def test_an_old_disconnect_of_an_unknown_name_has_no_seat() -> None:
    old = Outcome("the connection to player 2 was lost")
    assert upgrade_outcome(old, ["ann", ""]) == Outcome(Termination.CONNECTION_LOST)


def test_a_match_begins_with_its_opening() -> None:
    for events in ([], [ev.Left(1.0, 0)]):
        with pytest.raises(Unavailable, match="a match must begin with Opened, but it"):
            fold(events)


def test_a_match_at_which_the_rules_fail_is_refused_with_the_number_of_the_event(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    events = [decode(line) for line in OLD_JOURNAL.split("\n") if line]
    monkeypatch.setattr(tris, "apply", broken)
    with pytest.raises(Unavailable, match="the rules of this version fail at event 7") as refused:
        fold(events)
    assert isinstance(refused.value.__cause__, ZeroDivisionError)
    assert [moment.match.seq for moment in moments(events[:6])] == [2, 3, 4, 5, 6]
    match, rest = split_opening(events[:3])
    assert [moment.event for moment in replay_events(match, rest)] == events[1:3]


def test_a_match_of_newer_rules_is_refused_not_guessed_at() -> None:
    opening = Opened(1.0, "m", "tris@2", 2, {}, Policy())
    with pytest.raises(Unavailable, match="tris@2; this version has tris@1"):
        match_of_opening(opening)
    assert match_of_opening(msgspec.structs.replace(opening, game="tris")).setting.game.name == "tris"


def test_a_match_of_an_unknown_game_is_refused() -> None:
    with pytest.raises(Refused, match="no game called 'go'"):
        match_of_opening(Opened(1.0, "m", "go@1", 2, {}, Policy()))


def test_options_that_cannot_be_read_are_malformed() -> None:
    with pytest.raises(Malformed, match="goal"):
        match_of_opening(Opened(1.0, "m", "toy@1", 2, {"goal": "far"}, Policy()))


def test_plain_data_from_a_journal_gets_the_games_own_types() -> None:
    scene = Scene("toy", options={"goal": 5})
    scene.do(cmd.Join(Player(), wish=toy.Wish("red")), cmd.Join(Player(), wish=toy.Wish("blue")))
    match = scene.folded()
    assert match.setting.options == toy.Options(5, ("red", "blue"))
    assert match.chairs[0].wish == toy.Wish("red")


def test_the_policy_decides_whether_a_match_can_resume_after_a_restart() -> None:
    assert [Policy(leaving).resumes for leaving in Leaving] == [False, True, True, True]


def test_moments_have_the_events_of_the_game() -> None:
    scene = playing("toy")
    (moment,) = decide(scene.match, cmd.Act(0, (toy.STEP,)), 5.0)
    assert moment.happened == (toy.Moved(0, 1),)
    (moment,) = decide(scene.match, cmd.Chat(0, "hi"), 5.0)
    assert moment.happened == ()
    resigned, ended = decide(scene.match, cmd.Resign(0), 5.0)
    assert (resigned.happened, ended.happened) == ((toy.Dropped(0),), ())
    assert ended.match.position == resigned.match.position


COMMANDS = st.one_of(
    st.builds(cmd.Join, st.builds(Player, st.sampled_from(("", *NAMES)), key=st.sampled_from(["", "k"])), st.none()),
    st.builds(
        cmd.Join,
        st.builds(Player, st.sampled_from(NAMES), bot=st.sampled_from(["", "random"])),
        st.sampled_from([None, 0, 1, 2, 3]),
        st.sampled_from([None, toy.Wish("red"), toy.Wish("blue")]),
        st.booleans(),
    ),
    st.builds(cmd.Ready, st.integers(-1, 3), st.builds(Player, st.sampled_from(NAMES))),
    st.builds(
        cmd.Leave,
        st.integers(-1, 3),
        st.sampled_from([None, Player("robot", bot="random")]),
        st.booleans(),
        st.booleans(),
    ),
    st.builds(cmd.Return, st.integers(-1, 3), st.sampled_from(["", "k", "ANN", "BOB"])),
    st.builds(cmd.Act, st.integers(-1, 3), st.lists(st.integers(0, 3), max_size=3).map(tuple)),
    st.builds(cmd.Act, st.integers(0, 2), st.sampled_from([(1,), (2,), (3,)]), st.sampled_from([None, 4, 5, 6, 7])),
    st.builds(cmd.Deal, st.integers(10, 14)),
    st.builds(cmd.Resign, st.integers(-1, 3)),
    st.builds(cmd.OfferUndo, st.integers(-1, 3)),
    st.builds(cmd.AnswerUndo, st.integers(-1, 3), st.booleans()),
    st.builds(cmd.Chat, st.sampled_from([None, 0, 1]), st.text(max_size=5)),
    st.builds(cmd.TimeOut, st.integers(-1, 3)),
    st.builds(cmd.Close, st.just("interrupted")),
)

POLICIES = st.builds(
    Policy,
    st.sampled_from(Leaving),
    st.sampled_from([0.0, 3.0]),
    st.sampled_from([0.0, 10.0]),
    st.sampled_from([0.0, 4.0]),
    st.booleans(),
)


@settings(max_examples=150, deadline=None)
@given(POLICIES, st.booleans(), st.lists(st.tuples(st.floats(0.0, 3.0), COMMANDS), max_size=40))
def test_the_journal_of_any_commands_folds_to_the_live_match(policy: Policy, begun: bool, steps: list[Any]) -> None:
    """`Scene.do` compares them after each command; nothing but the three errors ever comes out of it."""
    scene = playing("toy", policy, seats=3) if begun else Scene("toy", 3, policy)
    for seconds, command in steps:
        scene.now += seconds
        before = scene.match
        try:
            events = scene.do(command)
        except BoardwireError:
            assert scene.match is before
            continue
        assert scene.match.seq == before.seq + len(events) == len(scene.events)
        assert (scene.match.status is Status.OVER) == (scene.match.outcome is not None)
        assert len(scene.match.chairs) == 3
    assert scene.events[0].at == START
