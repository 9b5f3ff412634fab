"""The gods of the Golden Fleece that hide something: every sentence about them [2.3], and no leak."""

from __future__ import annotations

import pytest

from boardwire.errors import Malformed
from boardwire.games import santorini
from boardwire.games.santorini.events import (
    Banished,
    Cancelled,
    Eliminated,
    Event,
    Forced,
    Moved,
    PowerUsed,
    Secret,
    Termination,
    TokenPlaced,
    Won,
    show,
)
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square as sq

FLAT = "00000 00000 00000 00000 00000"


def shown(line: Line, seat: int | None) -> list[Event]:
    """What a seat learned in the last play."""
    return [event for event in (show(event, seat) for event in line.events) if event is not None]


# Hecate


def test_hecate_places_last_and_in_secret() -> None:
    line = Line(santorini.new(Options(Draft.GIVEN, gods=(God.HECATE, God.MORTAL)), 2))
    assert line.position.order == (1, 0)
    line.play("+A1 +A2 +E5 +E4")
    secret = [event for event in line.events if isinstance(event, Secret)]
    assert len(secret) == 2
    assert show(secret[0], 0) == secret[0].event
    assert show(secret[0], 1) == show(secret[0], None) == PowerUsed(0, God.HECATE)
    assert santorini.view(line.position, 1).workers == ((-1, -1), (sq("A1"), sq("A2")))
    assert santorini.view(line.position, 0).workers == line.position.workers


def test_a_move_into_a_hidden_worker_is_offered_and_cancelled_with_the_turn() -> None:
    line = Line(f"{FLAT}/1/mortal:A1,A2/hecate:B2,E4")
    assert line.can("A1>B2")
    line.play("A1>B2")
    assert line.events[0] == Cancelled(0)
    assert line.position.seat == 1
    assert line.position.workers == ((sq("A1"), sq("A2")), (sq("B2"), sq("E4")))


def test_a_build_on_a_hidden_worker_is_cancelled_but_the_move_stands() -> None:
    line = Line(f"{FLAT}/1/mortal:A1,A3/hecate:B2,E4").play("A1>A2")
    assert line.can("A2^B2")
    line.play("A2^B2")
    assert line.events[0] == Cancelled(0)
    assert line.position.workers[0][0] == sq("A2")
    assert line.position.b1 == 0


def test_silent_powers_meet_hidden_workers_only_in_the_printed_wording() -> None:
    start = f"{FLAT}/1/minotaur:A1,A5/hecate:B2,E4"
    assert Line(start).play("A1>B2").events[0] == Cancelled(0)
    printed = Line(start, printed=True).play("A1>B2")
    assert printed.position.workers == ((sq("B2"), sq("A5")), (sq("C3"), sq("E4")))


def test_hecates_own_steps_do_not_tell_where_she_is() -> None:
    line = Line(f"{FLAT}/1/hecate:B2,E4/mortal:A1,A2").play("B2>B3")
    before = santorini.view(line.position, 1)
    other = Line(f"{FLAT}/1/hecate:B2,E4/mortal:A1,A2").play("E4>E5")
    assert before == santorini.view(other.position, 1)
    line.play("B3^C3")
    assert [event.by for event in line.events if hasattr(event, "by")] == [-1]


def test_what_a_foe_did_before_running_into_her_stands() -> None:
    demeter = Line(f"{FLAT}/1/demeter:A1,A3/hecate:B2,E4").play("A1>A2 A2^A1 A2^B2")
    assert Cancelled(0) in demeter.events
    assert demeter.position.b1 == 1 << sq("A1")
    assert demeter.position.seat == 1
    early = Line(f"{FLAT}/1/prometheus:A1,A3/hecate:B2,E4").play("A1^A2 A1>B2")
    assert (early.position.seat, early.position.b1) == (1, 1 << sq("A2"))


def test_a_winning_move_into_a_hidden_worker_is_cancelled() -> None:
    line = Line("00000 00000 00000 03000 20000/1/mortal:A1,A3/hecate:B2,E4").play("A1>B2")
    assert line.winners is None
    assert line.position.seat == 1


def test_a_token_put_on_a_hidden_worker_is_cancelled() -> None:
    line = Line(f"{FLAT}/1/europa:A1,A3/hecate:B2,E4").play("A1>A2 A2^A1")
    assert line.can("*B2")
    line.play("*B2")
    assert Cancelled(0) in line.events
    assert line.position.solid == 0


def test_printed_a_silent_power_that_cannot_be_applied_is_cancelled() -> None:
    line = Line(f"{FLAT}/1/minotaur:C3,A5/hecate:D2,E1", printed=True).play("C3>D2")
    assert line.events[0] == Cancelled(0)
    mortal = Line(f"{FLAT}/1/mortal:C3,A5/hecate:D2,E1", printed=True).play("C3>D2")
    assert mortal.events[0] == Cancelled(0)


def test_a_silent_power_does_not_tell_where_the_hidden_worker_went() -> None:
    one = Line(f"{FLAT}/1/minotaur:A1,A5/hecate:B2,E4", printed=True).play("A1>B2")
    other = Line(f"{FLAT}/1/minotaur:A1,A5/hecate:E5,E4", printed=True).play("A1>B2")
    assert shown(one, 0) == shown(other, 0) == [Moved(0, 0, 0, sq("A1"), sq("B2"))]
    assert shown(one, None) == shown(other, None)
    assert Forced(0, 1, 0, sq("B2"), sq("C3"), God.MINOTAUR) in shown(one, 1)
    assert santorini.view(one.position, 0) == santorini.view(other.position, 0)


def test_what_carries_a_hidden_worker_off_does_not_tell_where_it_is() -> None:
    for fen, steps, there in (
        (f"{FLAT}/1/hecate:A3,E1/harpies:A1,D5", "A3>B3", "E3"),
        (f"{FLAT}/1/hecate:A3,E1/charybdis[B3,D3]:A1,D5", "A3>B3", "D3"),
    ):
        line = Line(fen).play(steps)
        assert line.position.workers[0][0] == sq(there)
        assert shown(line, 1) == shown(line, None) == [PowerUsed(0, God.HECATE)]
        assert len(shown(line, 0)) == 2


def test_a_hidden_worker_beside_medusa_turns_to_stone() -> None:
    line = Line("00000 00000 01000 00000 00000/1/medusa:B3,E1/hecate:A4,E5").play("E1>D1 D1^E1")
    assert Banished(1, 0, sq("A4"), God.MEDUSA) in shown(line, 0)
    assert line.position.workers[1] == (-1, sq("E5"))


def test_powers_that_need_a_foes_worker_find_none_that_is_hidden() -> None:
    nemesis = Line(f"{FLAT}/1/nemesis:A5,A1/hecate:E5,E1").play("A5>B5 B5^A5")
    assert nemesis.position.seat == 1
    assert not any("=>" in step for step in Line(f"{FLAT}/1/siren[n]:A5,A1/hecate:C3,E1").steps)


def test_printed_hecate_also_plays_among_three() -> None:
    options = Options(Draft.GIVEN, gods=(God.MORTAL, God.HECATE, God.PAN), wording=Wording.PRINTED)
    line = Line(santorini.new(options, 3)).play("+E1 +E2 +A1 +A2")
    assert line.position.workers == ((sq("E1"), sq("E2")), (), (sq("A1"), sq("A2")))
    line.play("+C3 +C4")
    for seat in (0, 2, None):
        assert santorini.view(line.position, seat).workers[1] == (-1, -1)
    push = Line(f"{FLAT}/1/minotaur:A1,A5/hecate:C1,E4/mortal:B1,E5", printed=True).play("A1>B1")
    assert push.events[0] == Cancelled(0)


# Moerae


def test_moerae_have_three_workers_and_choose_four_squares_in_secret() -> None:
    line = Line(santorini.new(Options(Draft.GIVEN, gods=(God.MORTAL, God.MOERAE)), 2)).play("+A1 +A2 +E1 +E2 +E3")
    decision = line.position.decision
    assert decision is not None
    assert (decision.kind, decision.seats) == (Kind.PREPARE, (1,))
    assert line.steps == {f"*{file}{rank}" for file in "ABCD" for rank in "2345"}
    line.play("*B4")
    assert shown(line, 1)[0] == TokenPlaced(1, sq("B4"), God.MOERAE)
    assert shown(line, 0) == shown(line, None) == [PowerUsed(1, God.MOERAE), *line.events[1:]]
    assert santorini.view(line.position, 1).memos == ((), (sq("B4"),))
    assert santorini.view(line.position, 0).memos == santorini.view(line.position, None).memos == ((), ())
    assert str(line).split("/")[3] == "moerae[B4]:E1,E2,E3"


def test_a_foe_that_would_win_in_the_fate_makes_moerae_win() -> None:
    for fate, winner in (("B4", 1), ("C4", 1), ("B3", 1), ("C3", 1), ("D4", 0), ("A4", 0), ("B2", 0), ("C5", 0)):
        line = Line(f"00000 00000 02300 00000 00000/1/mortal:B3,A1/moerae[{fate}]:E5,E1,D1").play("B3>C3")
        assert line.winners == (winner,)
    line = Line("00000 00000 02300 00000 00000/1/mortal:B3,A1/moerae[C3]:E5,E1,D1").play("B3>C3")
    assert line.events[-1] == Won((1,), Termination.POWER, God.MOERAE)


def test_the_seat_of_moerae_does_not_matter() -> None:
    line = Line("00000 00000 02300 00000 00000/2/moerae[C3]:E5,E1,D1/mortal:B3,A1").play("B3>C3")
    assert line.winners == (0,)


def test_the_fate_catches_wins_of_powers_too() -> None:
    line = Line("00000 00000 02000 00000 00000/1/pan:B3,A1/moerae[C3]:E5,E1,D1").play("B3>C3")
    assert line.winners == (1,)


def test_nothing_happens_to_who_just_moves_into_the_fate() -> None:
    line = Line(f"{FLAT}/1/mortal:B3,A1/moerae[C3]:E5,E1,D1").play("B3>C3")
    assert line.winners is None
    assert line.can("C3^B3")


def test_moerae_themselves_win_anywhere() -> None:
    line = Line("00000 00000 02300 00000 00000/1/moerae[C3]:B3,E1,D1/mortal:A1,A2").play("B3>C3")
    assert line.winners == (0,)
    assert line.events[-1] == Won((0,), Termination.CLIMB)


def test_of_three_players_moerae_catch_either_foe_unless_hera_forbids_the_win() -> None:
    board = "00000 00000 02300 00000 00000"
    for seat, fen in ((1, "mortal:B3,A1/mortal:A5,A4"), (2, "mortal:A5,A4/mortal:B3,A1")):
        assert Line(f"{board}/{seat}/{fen}/moerae[C3]:E5,E1,D1").play("B3>C3").winners == (2,)
    edge = "23000 00000 00000 00000 00000/1/mortal:A5,A1/"
    assert Line(f"{edge}moerae[A5]:E5,E1,D1/mortal:E3,D3").play("A5>B5").winners == (1,)
    assert Line(f"{edge}moerae[A5]:E5,E1,D1/hera:E3,D3").play("A5>B5").winners is None
    assert Line(f"{edge}hera:E3,D3/moerae[A5]:E5,E1,D1").play("A5>B5").winners is None


def test_the_fate_leaves_with_eliminated_moerae() -> None:
    line = Line("00000 00000 02300 00000 00000/1/mortal:B3,A1/mortal:A5,A4/moerae[C3]:E5,E1,D1")
    position, _ = santorini.forfeit(line.position, 2)
    assert Line(position).play("B3>C3").winners == (0,)


@pytest.mark.parametrize("data", ["E5", "C1", "E1", "Z", "B3,C3"])
def test_a_fate_is_the_upper_left_of_four_squares(data: str) -> None:
    with pytest.raises(Malformed):
        Line(f"{FLAT}/1/mortal:B3,A1/moerae[{data}]:E5,E1,D1")


# Tartarus


def abyss(at: str, gods: str = "mortal", heights: str = FLAT) -> Line:
    return Line(f"{heights}/1/{gods}:A1,A5/tartarus[{sq(at)}]:E5,E1")


def test_tartarus_places_first_and_then_hides_an_abyss_on_a_free_square() -> None:
    line = Line(santorini.new(Options(Draft.GIVEN, gods=(God.MORTAL, God.TARTARUS)), 2))
    line.play("+E5 +E1 +A1 +A5")
    decision = santorini.pending(line.position)
    assert decision is not None
    assert (decision.kind, decision.seats) == (Kind.PREPARE, (1,))
    assert not line.can("*A1")
    line.play("*B2")
    assert show(line.events[0], 0) == show(line.events[0], None) == PowerUsed(1, God.TARTARUS)
    assert show(line.events[0], 1) == TokenPlaced(1, sq("B2"), God.TARTARUS)
    assert santorini.view(line.position, 0).memos == ((), ())
    assert santorini.view(line.position, 1).memos == ((), (sq("B2"),))
    assert line.position.seat == 1


def test_who_moves_into_the_abyss_loses() -> None:
    line = abyss("B2").play("A1>B2")
    assert line.winners == (1,)
    assert Eliminated(0, Termination.ABYSS, God.TARTARUS) in line.events


def test_a_worker_that_climbs_into_the_abyss_loses_instead_of_winning() -> None:
    line = abyss("B2", heights="00000 00000 00000 03000 20000").play("A1>B2")
    assert line.winners == (1,)


def test_wins_elsewhere_are_wins() -> None:
    for at in ("A5", "E1"):
        line = Line(f"00000 00000 00000 03000 20000/1/mortal:A1,A4/tartarus[{at}]:E5,D1").play("A1>B2")
        assert line.winners == (0,)


def test_tartarus_own_worker_falls_too() -> None:
    line = Line(f"{FLAT}/2/mortal:A1,A5/tartarus[{sq('E2')}]:E5,E1").play("E1>E2")
    assert line.winners == (0,)


def test_who_is_forced_into_the_abyss_loses_as_well() -> None:
    line = Line(f"{FLAT}/1/minotaur:C1,A5/tartarus[{sq('E1')}]:D1,E5").play("C1>D1")
    assert line.winners == (0,)


def test_who_is_carried_into_the_abyss_loses() -> None:
    line = Line(f"{FLAT}/1/mortal:A3,A1/tartarus[E5]:E1,D1/charybdis[B3,E5]:C1,C2").play("A3>B3")
    assert Eliminated(0, Termination.ABYSS, God.TARTARUS) in line.events
    assert line.winners is None
    drawn = Line("00003 00000 00000 00000 00000/1/charybdis[B3,E5]:A3,A1/tartarus[E5]:E1,D1").play("A3>B3")
    assert drawn.winners == (1,)  # no one wins there


def test_a_build_or_a_token_does_not_fall_into_the_abyss() -> None:
    line = abyss("B2").play("A1>A2 A2^B2")
    assert line.winners is None
    assert line.position.b1 == 1 << sq("B2")


# No leak

HIDDEN = [
    (f"{FLAT}/1/pan:A1,A5/tartarus[C3]:E5,E1", f"{FLAT}/1/pan:A1,A5/tartarus[D2]:E5,E1", "A1>B1 B1^A1 E5>D5 D5^E5"),
    (f"{FLAT}/1/pan:A1,A5/moerae[C3]:E5,E1,E3", f"{FLAT}/1/pan:A1,A5/moerae[A4]:E5,E1,E3", "A1>B1 B1^A1 E5>D5 D5^E5"),
    (f"{FLAT}/1/hecate:A1,A5/pan:E5,E1", f"{FLAT}/1/hecate:A1,A3/pan:E5,E1", "A1>B1 B1^A1 E5>D5 D5^E5"),
    (f"{FLAT}/2/hecate:A1,A5/charybdis[C3]:E5,E1", f"{FLAT}/2/hecate:A1,A3/charybdis[C3]:E5,E1", "E5>D5 D5^E5 *C2"),
    (f"{FLAT}/2/hecate:A1,A5/nemesis:E5,E1", f"{FLAT}/2/hecate:A1,D3/nemesis:E5,E1", "E5>D5 D5^E5"),
]


@pytest.mark.parametrize(("one", "other", "steps"), HIDDEN)
def test_what_is_hidden_changes_nothing_others_see_hear_or_may_choose(one: str, other: str, steps: str) -> None:
    first, second = Line(one), Line(other)
    owner = 0 if "/hecate" in one else 1
    assert first.position != second.position
    for step in steps.split():
        for seat in (1 - owner, None):
            assert santorini.view(first.position, seat) == santorini.view(second.position, seat)
            assert shown(first, seat) == shown(second, seat)
        assert santorini.view(first.position, owner) != santorini.view(second.position, owner)
        if first.position.seat != owner:
            assert first.steps == second.steps
        first.play(step)
        second.play(step)
