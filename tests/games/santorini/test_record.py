"""A whole match as text, written and read."""

from __future__ import annotations

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardwire.errors import BoardwireError, Illegal, Malformed
from boardwire.games import santorini
from boardwire.games.game import CHANCE, Idle, Outcome
from boardwire.games.santorini.actions import Action
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God
from boardwire.games.santorini.record import Record, Taken, format_record, parse_record, record_match, replay

SHORT = """\
santorini 1
player 1: Ann
player 2: Bob
draft: position
position: 2300000000000000000000000/1/mortal:B5,A1/prometheus:E5,E1

set-up

turns
  1. 1 mortal: A1>A2 A2^A1                       ; A1>A2^A1
  2. 2 prometheus: E5^D5 E5>E4 E4^E5             ; ^D5 E5>E4^E5
  3. 1 mortal: B5>B4 B4^B5X                      ; B5>B4^B5
  4. 2 prometheus: E1>D1 1:resigns

result: 2 (forfeit)
"""

WHO = ("Ann", "Bob", "Cid", "Dora")
Steps = list[tuple[int, Action | Idle]]


def play(
    rng: random.Random, options: Options, seats: int, most: int = 10_000, resign: float = 0.0, absent: float = 0.0
) -> Steps:
    """What was done in a random match, as a journal has it."""
    p, steps = santorini.new(options, seats), Steps()
    while (decision := p.decision) is not None and len(steps) < most:
        if rng.random() < resign:
            seat = rng.choice([seat for seat in range(seats) if not p.out >> seat & 1])
            steps.append((seat, Idle.RESIGNS))
            p, _ = santorini.forfeit(p, seat)
        elif rng.random() < absent and decision.seats != (CHANCE,):
            seat = rng.choice(decision.seats)
            steps.append((seat, Idle.ABSENT))
            p, _ = santorini.skip(p, seat)
        else:
            seat, action = rng.choice(decision.seats), rng.choice(tuple(decision.choices))
            steps.append((seat, action))
            p, _ = santorini.apply(p, seat, action)
    return steps


def test_a_record_is_written_for_people() -> None:
    record = parse_record(SHORT)
    assert format_record(record) == SHORT
    assert record.players == ("Ann", "Bob")
    assert record.steps[-1] == Taken(0, Idle.RESIGNS)
    assert record.outcome == Outcome("forfeit", (1,))
    assert [played.after.ply for played in replay(record)] == [0, 1, 1, 1, 2, 2, 3, 3, 3]


@settings(max_examples=16, deadline=None, derandomize=True)
@given(
    st.integers(0, 2**32),
    st.sampled_from((2, 3, 4)),
    st.sampled_from([draft for draft in Draft if draft not in (Draft.POSITION, Draft.FLEECE, Draft.GIVEN)]),
)
def test_a_match_goes_to_text_and_back_to_the_same_actions(seed: int, seats: int, draft: Draft) -> None:
    rng = random.Random(seed)
    options = Options(draft, wording=rng.choice(list(Wording)), bans=rng.random() < 0.5, ply_cap=40)
    steps = play(rng, options, seats, rng.choice((25, 10_000)), resign=0.005, absent=0.1)
    record = record_match(WHO[:seats], options, steps)
    again = parse_record(format_record(record))
    assert again == record
    assert [(taken.seat, taken.action) for taken in again.steps] == steps
    assert format_record(again) == format_record(record)


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        (Options(Draft.GIVEN, gods=(God.TYCHE, God.CHAOS, God.GAEA), ply_cap=30), 3),
        (Options(Draft.GIVEN, gods=(God.HECATE, God.PAN)), 2),
        (Options(Draft.GIVEN, gods=(God.TARTARUS, God.NYX), wording=Wording.PRINTED, bans=False), 2),
        (Options(Draft.GIVEN, gods=(God.MOERAE, God.SIREN, God.AEOLUS)), 3),
        (Options(Draft.FLEECE, gods=(God.DIONYSUS,), ply_cap=30), 2),
        (Options(Draft.RANDOM, pool=(God.PAN, God.ATLAS, God.APOLLO, God.ARTEMIS)), 4),
        (Options(Draft.NONE), 1),
    ],
)
def test_luck_secrets_pools_and_practice_are_recorded(options: Options, seats: int) -> None:
    record = record_match(WHO[:seats], options, play(random.Random(7), options, seats))
    assert record.outcome is not None
    assert parse_record(format_record(record)) == record


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.text(max_size=12), st.text('\n\r\t "\\;:#\u2028\x00ab', max_size=8))
def test_any_name_can_be_recorded(one: str, other: str) -> None:
    record = Record((one, other), Options(Draft.NONE), ())
    assert parse_record(format_record(record)).players == (one, other)


def test_numbers_gods_comments_and_blank_lines_are_for_people() -> None:
    bare = "\n".join(
        ["santorini 1", "player 1: Ann", "player 2: Bob", "draft: position", "; a line of talk"]
        + [line for line in SHORT.split("\n") if line.startswith(("position", "set-up", "turns"))]
        + ["1: A1>A2  A2^A1", "2: E5^D5 E5>E4 E4^E5 1:B5>B4 1:B4^B5X", "2: E1>D1", "1: resigns", "result: 2 (forfeit)"]
    )
    assert parse_record(bare) == parse_record(SHORT)


@pytest.mark.parametrize(
    ("old", "new", "error", "why"),
    [
        ("santorini 1", "santorini 2", Malformed, "must be 'santorini 1'"),
        ("santorini 1", "", Malformed, "the first line"),
        ("set-up", "", Malformed, "one line 'set-up'"),
        ("turns", "turns\nturns", Malformed, "one line 'set-up'"),
        ("result: 2 (forfeit)", "", Malformed, "one line 'set-up'"),
        ("result: 2 (forfeit)", "result: two", Malformed, "is not a result"),
        ("result: 2 (forfeit)", "result: 1 (forfeit)", Illegal, r"is 2 \(forfeit\)"),
        ("result: 2 (forfeit)", "result: unfinished", Illegal, "not unfinished"),
        (" 1:resigns", "", Illegal, "is unfinished"),
        ("A1>A2 ", "A1>A4 ", Illegal, "cannot be played as recorded: this action is not among"),
        ("A1>A2 ", "2:A1>A2 ", Illegal, "not your turn"),
        ("A1>A2 ", "A1=A2 ", Malformed, "'A1=A2' is not a step"),
        ("A1>A2 ", "luck=3 ", Illegal, "not your turn"),
        ("1. 1 mortal:", "1. mortal:", Malformed, "is not a line of steps"),
        ("player 2: Bob\n", "", Illegal, "for 2 players, not 1"),
        ("player 2: Bob", "player 2: \"Bob", Malformed, "is not a player's name"),
        ("player 2: Bob", "player 1: Bob", Malformed, "is repeated"),
        ("player 2: Bob", "player 2: Bob\nweather: fine", Malformed, "'weather' is not a header"),
        ("player 2: Bob", "player 2: Bob\nbans: perhaps", Malformed, "a header has an invalid value"),
        ("player 2: Bob", "player 2: Bob\nply cap: many", Malformed, "a header has an invalid value"),
        ("player 2: Bob", "player 2: Bob\ngods: zorro", Malformed, "a header has an invalid value"),
        ("draft: position", "draft: lots", Malformed, "a header has an invalid value"),
        ("mortal:B5,A1/", "mortal:B9,A1/", Illegal, "cannot be played as recorded: 'B9' is not a square"),
    ],
)  # fmt: skip
def test_a_record_that_does_not_hold_is_refused_with_a_reason(
    old: str, new: str, error: type[BoardwireError], why: str
) -> None:
    assert old in SHORT
    with pytest.raises(error, match=why):
        parse_record(SHORT.replace(old, new, 1))


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.integers(0, len(SHORT)), st.integers(0, 12), st.text("santorini 1:;>^AB5\n.=+", max_size=6))
def test_a_damaged_record_is_read_or_refused(at: int, cut: int, patch: str) -> None:
    try:
        record = parse_record(SHORT[:at] + patch + SHORT[at + cut :])
    except BoardwireError as reason:
        assert str(reason)  # noqa: PT017 - what the damage does depends on where it is
    else:
        assert parse_record(format_record(record)) == record


def test_steps_of_a_journal_come_back_as_they_were() -> None:
    options = Options(Draft.GIVEN, gods=(God.CHAOS, God.NEMESIS), ply_cap=60)
    journal = [(seat, msgspec.json.encode(action)) for seat, action in play(random.Random(1), options, 2)]
    decode = msgspec.json.Decoder(santorini.Action).decode
    record = record_match(WHO[:2], options, ((seat, decode(line)) for seat, line in journal))
    again = parse_record(format_record(record))
    assert [(taken.seat, msgspec.json.encode(taken.action)) for taken in again.steps] == journal


def test_every_god_has_a_match_in_text() -> None:
    for god in CATALOGUE:
        options = Options(Draft.GIVEN, gods=(god, God.ATLAS), ply_cap=8, bans=False)
        record = record_match(WHO[:2], options, play(random.Random(god), options, 2))
        assert parse_record(format_record(record)) == record
