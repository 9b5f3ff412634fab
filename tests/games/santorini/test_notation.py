"""Positions and steps as text, read and written [6.1, 6.2]."""

from __future__ import annotations

import contextlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from boardwire.errors import Malformed, Refused
from boardwire.games import santorini
from boardwire.games.game import Outcome
from boardwire.games.santorini.actions import Action, Aim, Banish, Bind, ChooseStart, DealCard, DealGod, Done, Force
from boardwire.games.santorini.edits import heights
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.notation import format_position, parse_position
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.position import FRESH, Position
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God, allowed, compatible
from boardwire.games.santorini.squares import parse_square as sq
from boardwire.games.santorini.steps import format_action, parse_action

FLAT = "0" * 25

EXAMPLES = [
    f"{FLAT}/1/mortal:B3,D3/mortal:C4,C2",
    "4101202110011400102000100/2/mortal:A3,C3/artemis:E4,A1",
    f"{FLAT}/2/athena[^]:B3,D3/mortal:C4,C2",
    "abc4000000000000000000000/1/atlas:B3,D3/pan:C4,C2/@17",
    f"{FLAT}/3/athena[^]:B3,D3/mortal:C4,C2/minotaur:A1,A2",
    f"{FLAT}/4/athena:B3,D3/mortal:C4,C2/pan/atlas",
    f"{FLAT}/1/mortal:B3,D3",
    f"{FLAT}/2/europa[C3]:B3,D3/medea[x]:C4,C2",
    f"{FLAT}/2/mortal+pan:B3,D3/mortal:C5,E1/@3 ramC3=pan",
    f"{FLAT}/2/hydra:-,D3,B2/mortal:C4,C2",
    f"{FLAT}/1/mortal:-,-/pan:B3,D3/#atlas:C4,C2/end=climb",
    f"{FLAT}/2/eros:B5,B1/bia:A3,E3/atlas:C4,C2/@4 order=231",
    f"{FLAT}/1/tyche:B3,D3/mortal:C4,C2/@8 extra=1",
    f"{FLAT}/1/dionysus:B3,D3/mortal:C4,C2/@8 extra=1 owed=1,1",
    f"{FLAT}/1/mortal:B3,D3/pan:C4,C2/@999 end=ply_cap",
    f"{FLAT}/3/mortal:B3,D3/#pan:C4,C2/mortal/#atlas/end=stuck out=13",
    f"{FLAT}/1/mortal:B3,D3/#pan:C4,C2",
    f"{FLAT}/1/medea+mortal{{1}}:B3,D3/mortal+athena[^]:C5,E1",
    f"{FLAT}/1/pan/mortal",
    f"{FLAT}/1/pan:B3/mortal",
    f"{FLAT}/2/pan:B3,D3/mortal",
    f"{FLAT}/2/hecate/mortal",
    f"{FLAT}/1/pan/mortal/atlas",
]


@pytest.mark.parametrize("text", EXAMPLES)
def test_what_is_read_is_written_again(text: str) -> None:
    assert format_position(parse_position(text)) == text


def test_heights_are_read_from_a5_to_e1() -> None:
    p = parse_position("1000000000000000000000023/1/mortal:B3,D3/mortal:C4,C2")
    levels = heights(p)
    assert (levels[sq("A5")], levels[sq("D1")], levels[sq("E1")]) == (1, 2, 3)


def test_other_characters_among_the_heights_are_ignored_and_none_means_flat() -> None:
    spaced = parse_position("00000 00000 00100 00000 00000/1/mortal:B3,D3/mortal:C4,C2")
    assert spaced.b1 == 1 << sq("C3")
    assert parse_position("/1/mortal:B3,D3/mortal:C4,C2").b1 == 0


def test_four_is_a_complete_tower_and_letters_are_low_domes() -> None:
    p = parse_position("4abc" + "0" * 21 + "/1/mortal:B3,D3/mortal:C4,C2")
    assert p.domes == 0b1111
    assert heights(p)[:4] == (3, 0, 1, 2)


def test_the_common_form_writes_any_dome_as_four_and_sorts_workers() -> None:
    p = parse_position("a" + "0" * 24 + "/1/mortal:D3,B3/mortal:C2,C4/@5")
    assert format_position(p, extended=False) == "4" + "0" * 24 + "/1/mortal:B3,D3/mortal:C4,C2"


def test_a_side_without_squares_places_its_workers_in_turn_and_then_play_begins() -> None:
    line = Line(f"{FLAT}/1/pan/mortal").play("+B3 +D3")
    assert str(line) == f"{FLAT}/2/pan:B3,D3/mortal"
    line.play("+C4")
    with pytest.raises(Refused):
        str(line)
    assert str(line.play("+C2")) == f"{FLAT}/1/pan:B3,D3/mortal:C4,C2"
    assert str(Line(f"{FLAT}/1/siren/mortal").play("+A1 +A2 +B1 +B2 @ne")) == f"{FLAT}/1/siren[ne]:A1,A2/mortal:B1,B2"


def test_blanks_and_the_case_of_names_do_not_matter() -> None:
    loose = f" {FLAT} / 1 / Aeolus[NW]: B3, D3 / MEDEA[X]:c4,C2 "
    assert str(Line(loose)) == f"{FLAT}/1/aeolus[nw]:B3,D3/medea[x]:C4,C2"


def test_the_old_sign_of_a_ban_and_that_of_the_winner_come_in_either_order() -> None:
    for signs in ("#-", "-#"):
        assert str(Line(f"{FLAT}/1/{signs}pan:B3,D3/athena:C4,C2")) == f"{FLAT}/1/#pan:B3,D3/athena[^]:C4,C2"


def test_squares_may_be_names_of_any_case_or_numbers() -> None:
    p = parse_position(f"{FLAT}/1/mortal:b3,13/mortal:C4,22")
    assert p.workers == ((sq("B3"), sq("D3")), (sq("C4"), sq("C1")))


def test_a_hash_marks_the_winner() -> None:
    p = parse_position(f"{FLAT}/1/mortal:B3,D3/#mortal:C4,C2")
    assert p.outcome is not None
    assert p.outcome.winners == (1,)
    won = Line("23000 00000 00000 00000 00000/1/mortal:A5,A1/mortal:E5,E4").play("A5>B5")
    assert str(won) == "23" + "0" * 23 + "/1/#mortal:B5,A1/mortal:E5,E4/end=climb"


def test_a_minus_is_the_old_sign_of_athenas_ban() -> None:
    text = "0000000000010000000000000/2/athena:A5,A1/{}mortal:C3,E1"
    assert Line(text.format("")).can("C3>B3")
    assert not Line(text.format("-")).can("C3>B3")
    with pytest.raises(Malformed, match="may not climb"):
        parse_position(f"{FLAT}/1/mortal:B3,D3/-mortal:C4,C2")


def test_with_workers_on_the_board_a_side_without_any_is_out() -> None:
    p = parse_position(f"{FLAT}/2/mortal/pan:B3,D3/atlas:C4,C2")
    assert p.out == 0b001
    assert p.outcome is None
    assert parse_position(f"{FLAT}/1/mortal:-,-/pan:B3,D3").outcome == Outcome("no workers", (1,))


def test_the_end_says_how_and_a_draw_has_no_winner() -> None:
    assert parse_position(f"{FLAT}/1/mortal:B3,D3/pan:C4,C2/end=ply_cap").outcome == Outcome("ply cap")
    won = parse_position(f"{FLAT}/3/mortal:B3,D3/#pan:C4,C2/mortal/atlas/end=stuck out=13")
    assert won.outcome == Outcome("stuck", (1, 3))
    assert won.out == 0b101


def test_workers_keep_their_numbers_when_others_have_left() -> None:
    p = parse_position(f"{FLAT}/1/selene:-,D3/mortal:C4,C2")
    assert p.workers[0] == (-1, sq("D3"))
    assert format_position(p, extended=False) == f"{FLAT}/1/selene[D3]:D3/mortal:C4,C2"


def test_the_order_of_play_can_be_another() -> None:
    line = Line(f"{FLAT}/1/mortal:A5/mortal:E5/mortal:E1/order=132").play("A5>A4 A4^A5")
    assert line.position.seat == 2


def test_an_additional_turn_is_one_and_those_owed_follow() -> None:
    line = Line(f"{FLAT}/1/tyche:A5,A1/mortal:E5,E1/extra=1 owed=1").play("A5>A4 A4^A5")
    assert (line.position.seat, line.position.turn.extra, line.position.owed) == (0, 1, ())
    assert line.play("A4>B4 B4^A4").position.seat == 1


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "a position has"),
        (f"{FLAT}/1", "a position has"),
        (f"{FLAT}0/1/mortal:A1/mortal:B1", "25 heights, not 26"),
        (f"{FLAT}/3/mortal:A1/mortal:B1", "not the number of a player"),
        (f"{FLAT}/x/mortal:A1/mortal:B1", "not the number of a player"),
        (f"{FLAT}/1/zorro:A1/mortal:B1", "no god 'zorro'"),
        (f"{FLAT}/1/mortal:A1/mortal:A1", "two workers stand on"),
        (f"{FLAT}/1/mortal:A9/mortal:A1", "'A9' is not a square"),
        (f"{FLAT}/1/mortal A1/mortal:A1", "is not a section"),
        (f"{FLAT}/1/mortal:25/mortal:A1", "not a square"),
        ("4" * 25 + "/1/mortal:A1/mortal:B1", "on the dome on"),
        (f"{FLAT}/1/athena[x]:A1/mortal:B1", "'x' is not a valid memo of a power in play"),
        (f"{FLAT}/1/mortal:A1/mortal:B1/@x", "not an item of a position"),
        (f"{FLAT}/1/mortal:A1/mortal:B1/ramC3", "not an item of a position"),
        (f"{FLAT}/1/mortal:A1/mortal:B1/ramA1=pan", "the Ram is on"),
        ("a" + FLAT[1:] + "/1/mortal:A1/mortal:B1/ramA5=pan", "the Ram is on"),
        (f"{FLAT}/1/mortal:A1/mortal:B1/order=11", "every player once"),
        (f"{FLAT}/1/mortal:A1/mortal:B1/order=213", "every player once"),
        (f"{FLAT}/1/mortal:A1/mortal:B1/extra=0", "not an item of a position"),
        (f"{FLAT}/1/mortal:A1/mortal:B1/owed=1,", "not an item of a position"),
        (f"{FLAT}/1/mortal:A1/mortal:B1/end=", "not an item of a position"),
        (f"{FLAT}/1/mortal/mortal:B1,B2", "places later already has workers"),
        (f"{FLAT}/1/mortal:B1,B2/mortal", "player 2 must place"),
        (f"{FLAT}/1/europa[B1]:A1,A2/mortal:B1,B2", "a worker stands on B1, which is closed"),
        (f"{FLAT}/1/mortal:A1/mortal:B1/out=1", "has no workers while others play"),
        (f"{FLAT}/1/mortal:A1/mortal:B1/end=stuck out=3", "not in the match"),
        (f"{FLAT}/1/#mortal:A1/#mortal:B1", "marked as winners"),
        (f"{FLAT}/1/mortal:-/mortal:B1/mortal:C1", "the player to move has no workers"),
        (f"{FLAT}/1/mortal:A1/mortal:B1/mortal:C1/mortal:D1", "first section"),
    ],
)
def test_what_cannot_be_read_is_malformed_with_a_reason(text: str, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        parse_position(text)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.one_of(st.text(max_size=60), st.text("01234abc/12:,-#[]^@xABCDEmortalpnr", max_size=60)))
def test_any_text_is_read_or_malformed(text: str) -> None:
    with contextlib.suppress(Malformed):
        parse_position(text)


def test_a_position_in_the_middle_of_a_turn_cannot_be_written() -> None:
    with pytest.raises(Refused):
        str(Line(f"{FLAT}/1/mortal:B3,D3/mortal:C4,C2").play("B3>B2"))


FIELDS = tuple(field for field in santorini.Position.__struct_fields__ if field != "turn")


def writable(p: Position) -> bool:
    return p.setup is None and (p.outcome is not None or replace(p.turn, extra=0) == FRESH)


def drawn(rng: random.Random, seats: int) -> Options:
    """A match of any gods that may meet."""
    while True:
        gods = tuple(rng.sample(tuple(CATALOGUE), seats))
        if compatible(gods) and all(allowed(god, seats) for god in gods):
            return Options(Draft.GIVEN, gods=gods, wording=rng.choice(list(Wording)), ply_cap=60)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(0, 2**32), st.sampled_from((2, 2, 3, 4)))
def test_positions_of_random_matches_with_all_gods_are_read_as_they_were(seed: int, seats: int) -> None:
    rng = random.Random(seed)
    p = santorini.new(drawn(rng, seats), seats)
    while True:
        if writable(p):
            again = parse_position(format_position(p), p.options)
            assert [getattr(again, field) for field in FIELDS] == [getattr(p, field) for field in FIELDS]
            assert p.outcome is not None or again == p
        if p.decision is None:
            break
        p, _ = santorini.apply(p, rng.choice(p.decision.seats), rng.choice(tuple(p.decision.choices)))


@pytest.mark.parametrize("god", [god for god in CATALOGUE if CATALOGUE[god].fleece][::6])
def test_positions_with_the_ram_are_read_as_they_were(god: God) -> None:
    rng = random.Random(god)
    p = santorini.new(Options(Draft.FLEECE, gods=(god,), ply_cap=40), 2)
    written = 0
    while (decision := p.decision) is not None:
        if writable(p):
            assert parse_position(format_position(p), p.options) == p
            written += 1
        p, _ = santorini.apply(p, rng.choice(decision.seats), rng.choice(tuple(decision.choices)))
    assert written > 0


DATA = st.one_of(
    st.lists(st.sampled_from((-7, -1, 0, 1, 2, 5, 24, 25, 63, 2**25, 10**9)), min_size=1, max_size=4).map(
        lambda numbers: ",".join(map(str, numbers))
    ),
    st.text("0123456789,-|xABCDE^nesw", max_size=8),
)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.sampled_from(God), DATA, st.sampled_from(God), DATA, st.sampled_from((1, 2)))
def test_whatever_a_power_is_said_to_remember_is_read_or_malformed(
    god: God, data: str, other: God, kept: str, seat: int
) -> None:
    text = f"{FLAT}/{seat}/{god}[{data}]:B3,D3/{other}{{{kept}}}:C4,C2"
    try:
        p = parse_position(text)
    except Malformed:
        return
    if writable(p):
        assert parse_position(format_position(p), p.options) == p


# Steps


STEPS = "B3>C3 B3^C2 B3^C2X . ! B3=>C3 B3<>C3 ~C3 xC3 B3&C3 +A1 *A1 @ne @- ?pan =pan 1st=pan 1st=2 luck=pan luck=3"


@pytest.mark.parametrize("text", STEPS.split())
def test_a_step_that_is_read_is_written_again(text: str) -> None:
    assert format_action(parse_action(text)) == text


def test_steps_name_what_they_say() -> None:
    steps: dict[str, Action] = {
        "B3=>C3": Force(sq("B3"), sq("C3")),
        "xC3": Banish(sq("C3")),
        "B3&C3": Bind(sq("B3"), sq("C3")),
        "@n": Aim(0),
        "@-": Aim(None),
        "1st=1": ChooseStart(0),
        "luck=pan": DealGod(God.PAN),
        "luck=0": DealCard(0),
        ".": Done(),
    }
    assert {text: parse_action(text) for text in steps} == steps


@pytest.mark.parametrize(
    "text", ["", "B3", "B3>", "B3>F1", "B3>C3X", "@nn", "?zorro", "1st=", "luck=", "+9", "b3 > c3"]
)
def test_what_is_not_a_step_is_malformed(text: str) -> None:
    with pytest.raises(Malformed, match="not a step"):
        parse_action(text)
