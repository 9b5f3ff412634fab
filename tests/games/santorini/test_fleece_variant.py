"""The Golden Fleece variant [1.4]: the Ram, the power beside it, and who has it when."""

from __future__ import annotations

from random import Random

import pytest

from boardwire.errors import Illegal
from boardwire.games import santorini
from boardwire.games.santorini.events import PowerChanged, TokenPlaced
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.notation import format_position, parse_position
from boardwire.games.santorini.options import Draft, Options, Wording
from boardwire.games.santorini.position import FRESH, Position
from boardwire.games.santorini.powers.catalogue import CATALOGUE, God
from boardwire.games.santorini.powers.registry import POWERS
from boardwire.games.santorini.squares import parse_square as sq
from boardwire.testing import laws

FLAT = "00000 00000 00000 00000 00000"
LENDABLE = [god for god, entry in CATALOGUE.items() if entry.fleece and god in POWERS]


def lent(god: str, seat: int, first: str, second: str, heights: str = FLAT, printed: bool = False) -> Line:
    """A position with the Ram on C3."""
    return Line(f"{heights}/{seat}/mortal:{first}/mortal:{second}/ramC3={god}", printed)


def powers(line: Line) -> tuple[God, ...]:
    return line.position.lineup.gods


# Set-up


def test_the_first_player_puts_the_ram_on_a_free_square_after_the_workers() -> None:
    line = Line(santorini.new(Options(Draft.FLEECE, gods=(God.PAN,)), 2)).play("+A1 +A2 +E1 +E2")
    decision = line.position.decision
    assert decision is not None
    assert (decision.kind, decision.seats) == (Kind.PLACE_RAM, (0,))
    assert len(line.steps) == 21
    assert not {"*A1", "*E2"} & line.steps
    line.play("*C3")
    assert line.events[0] == TokenPlaced(0, sq("C3"))
    view = santorini.view(line.position, None)
    assert (view.ram, view.lent, view.closed) == (sq("C3"), God.PAN, (sq("C3"),))


def test_the_second_player_has_the_first_turn_and_then_they_take_turns() -> None:
    line = Line(santorini.new(Options(Draft.FLEECE, gods=(God.PAN,)), 2)).play("+A1 +A2 +E1 +E2 *C3")
    assert line.position.seat == 1
    line.play("E1>D1 D1^E1")
    assert line.position.seat == 0
    line.play("A1>B1 B1^A1")
    assert line.position.seat == 1


def test_no_player_has_its_own_power() -> None:
    line = Line(santorini.new(Options(Draft.FLEECE, gods=(God.PAN,)), 2)).play("+A1 +A2 +E1 +E2 *C4")
    assert line.position.lineup.cards == (God.MORTAL, God.MORTAL)
    assert powers(line) == (God.MORTAL, God.MORTAL)


def test_who_has_a_worker_beside_the_ram_in_the_first_turn_has_the_power_already() -> None:
    line = Line(santorini.new(Options(Draft.FLEECE, gods=(God.PAN,)), 2)).play("+A1 +A2 +D2 +E2 *C3")
    assert powers(line) == (God.MORTAL, God.PAN)
    assert PowerChanged(1, God.PAN) in line.events


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        (Options(Draft.FLEECE, gods=(God.PAN,)), 3),
        (Options(Draft.FLEECE, gods=(God.PAN, God.APOLLO)), 2),
        (Options(Draft.FLEECE), 2),
        (Options(Draft.FLEECE, gods=(God.MORTAL,)), 2),
        (Options(Draft.FLEECE, gods=(God.ATHENA,)), 2),
        (Options(Draft.FLEECE, gods=(God.AEOLUS,)), 2),
        (Options(Draft.FLEECE, gods=(God.MEDEA,)), 2),
    ],
)
def test_only_two_players_and_one_power_that_can_be_lent(options: Options, seats: int) -> None:
    with pytest.raises(Illegal):
        santorini.new(options, seats)


# The Ram


def test_the_ram_blocks_like_a_dome() -> None:
    line = lent("pan", 1, "B3,A1", "E5,E1")
    assert not line.can("B3>C3")
    line.play("B3>B2")
    assert not line.can("B2^C3")


def test_no_one_is_pushed_onto_the_ram_or_blown_over_it() -> None:
    assert not lent("minotaur", 1, "A3,B4", "B3,E1").can("A3>B3")
    blown = lent("harpies", 1, "A3,A1", "D3,E1").play("A3>A4")
    assert blown.position.workers[0][0] == sq("A5")
    stopped = lent("harpies", 1, "A5,A1", "D3,E1").play("A5>B4")
    assert stopped.position.workers[0][0] == sq("B4")


def test_the_ram_is_not_next_to_a_worker_across_the_edge() -> None:
    line = Line(f"{FLAT}/1/mortal:A3,A1/mortal:B5,B1/ramE3=urania")
    assert powers(line) == (God.MORTAL, God.MORTAL)
    assert not line.can("A3>E4")


# Who has the power


def test_a_player_beside_the_ram_when_a_turn_begins_has_the_power_for_that_turn() -> None:
    line = lent("artemis", 1, "B3,A1", "E5,E1")
    assert powers(line) == (God.ARTEMIS, God.MORTAL)
    line.play("B3>A3")  # leaving the Ram does not end it
    assert line.can("A3>A4")
    line.play("A3>A4 A4^A3")
    assert powers(line) == (God.MORTAL, God.MORTAL)
    assert PowerChanged(0, God.MORTAL) in line.events


def test_coming_beside_the_ram_gives_the_power_from_the_next_turn_on() -> None:
    line = lent("demeter", 1, "A3,A1", "E5,E1").play("A3>B3")
    line.play("B3^A3")
    assert line.position.seat == 1  # no second build yet
    assert powers(line) == (God.DEMETER, God.MORTAL)
    line.play("E5>D5 D5^E5 B3>B2 B2^B3")
    assert line.can("B2^A3")


def test_both_players_may_have_the_power_at_once() -> None:
    line = lent("apollo", 1, "B3,A1", "B2,E1")
    assert powers(line) == (God.APOLLO, God.APOLLO)
    line.play("B3>B2")
    assert line.position.workers == ((sq("B2"), sq("A1")), (sq("B3"), sq("E1")))
    line.play("B2^A2")
    assert line.can("B3>B2")


def test_who_is_forced_beside_the_ram_has_the_power_too() -> None:
    line = lent("minotaur", 1, "D5,D2", "C5,E1")
    assert powers(line) == (God.MINOTAUR, God.MORTAL)
    line = lent("minotaur", 1, "B2,A5", "B3,E1").play("B2>B3 B3^A3")
    assert line.position.workers[1][0] == sq("B4")
    assert powers(line) == (God.MINOTAUR, God.MINOTAUR)


def test_a_player_without_the_power_has_none_of_it() -> None:
    assert not lent("minotaur", 2, "B3,E3", "A3,E1").can("A3>B3")
    assert lent("minotaur", 2, "B5,E3", "B4,E1").can("B4>B5") is False  # off the board


# Powers that bind the other


def test_a_power_that_binds_foes_does_so_while_its_holder_is_beside_the_ram() -> None:
    heights = "10000 00000 00000 00000 00000"
    assert not lent("hades", 1, "A5,A1", "B3,E1", heights).can("A5>A4")
    assert lent("hades", 1, "A5,A1", "E3,E1", heights).can("A5>A4")
    line = lent("hades", 2, "A5,A1", "B3,E1", heights).play("B3>A3 A3^B3")
    assert line.can("A5>A4")


def test_hera_limus_and_persephone_work_beside_the_ram() -> None:
    climb = "23000 00000 00000 00000 00000"
    assert lent("hera", 1, "A5,A1", "D2,E1", climb).play("A5>B5").winners is None
    assert lent("hera", 1, "A5,A1", "E2,E1", climb).play("A5>B5").winners == (0,)
    limus = lent("limus", 1, "E3,A1", "D2,A5").play("E3>E4")
    assert limus.steps == {"E4^E5", "E4^D5", "E4^D4"}
    assert lent("persephone", 1, "A5,A1", "D2,E1", "01000 00000 00000 00000 00000").steps == {"A5>B5"}


def test_medusa_turns_to_stone_at_the_end_of_the_turn_even_after_leaving_the_ram() -> None:
    line = lent("medusa", 1, "B3,E5", "A4,E1", "00000 00000 11000 00000 00000").play("B3>A3 A3^B3")
    assert line.position.workers[1] == (-1, sq("E1"))


def test_pan_wins_only_beside_the_ram() -> None:
    heights = "20000 00000 02000 00000 00000"
    assert lent("pan", 1, "B3,A5", "E5,E1", heights).play("B3>A3").winners == (0,)
    assert lent("pan", 1, "A5,A1", "E5,E1", heights).play("A5>A4").winners is None


def test_an_additional_turn_of_dionysus_is_played_with_the_power_that_gave_it() -> None:
    line = lent("dionysus", 1, "B3,E5", "D1,E1", "00000 00000 00000 00000 33000").play("B3>A2 A2^A1X")
    assert line.position.turn.extra
    assert line.can("D1>D2")
    line.play("D1>D2 D2^D1")
    assert line.position.seat == 1
    assert powers(line) == (God.MORTAL, God.DIONYSUS)


def test_terpsichore_moves_and_builds_with_all_workers() -> None:
    line = lent("terpsichore", 1, "B3,A5", "E5,E1").play("B3>A3")
    assert {step[:3] for step in line.steps} == {"A5>"}
    line.play("A5>A4 A4^A5 A3^B3")
    assert line.position.seat == 1


def test_eris_lent_knows_which_worker_the_foe_moved_last() -> None:
    line = lent("eris", 2, "B3,A1", "D5,E1").play("D5>E5 E5^D5")
    assert line.can("E1>D1")
    assert not line.can("E5>E4")
    late = lent("eris", 1, "A3,A1", "D5,E1").play("A3>B3 B3^A3 E1>E2 E2^E1")
    assert late.can("D5>D4")
    assert not late.can("E2>E3")


def test_the_female_worker_is_the_second_placed() -> None:
    line = lent("selene", 1, "B3,A1", "E5,E1").play("B3>A3")
    assert line.can("A1^A2X")
    assert not line.can("A3^A2X")


def test_printed_aeolus_can_be_lent_and_has_one_wind() -> None:
    options = Options(Draft.FLEECE, gods=(God.AEOLUS,), wording=Wording.PRINTED)
    assert santorini.new(options, 2).decision is not None
    line = lent("aeolus", 1, "B3,A1", "D3,E1", printed=True).play("B3>B2 B2^B3")
    assert len(line.steps) == 9
    line.play("@n")
    assert not line.can("D3>D4")
    line.play("D3>D2 D2^D3")
    assert not line.can("@n")  # it faults already
    line.play("@s")
    assert not line.can("B2>B1")
    assert line.can("A1>A2")
    line.play("A1>A2 A2^A1 . D2>E2 E2^D3 . B2>A3 A3^A4 .")
    assert powers(line) == (God.MORTAL, God.MORTAL)
    assert line.can("E2>E3")


# All of them


@pytest.mark.parametrize("god", LENDABLE)
def test_every_power_that_can_be_lent_keeps_the_laws_beside_the_ram(god: God) -> None:
    rng = Random(god)
    last: Position = laws.check(santorini, Options(Draft.FLEECE, gods=(god,), ply_cap=40), 2, rng.randrange, every=9)
    assert last.outcome is not None
    assert last.solid >> last.ram & 1


@pytest.mark.parametrize("god", LENDABLE)
def test_a_match_with_the_ram_is_written_and_read(god: God) -> None:
    rng, written = Random(god), 0
    for ply in laws.playthrough(santorini, Options(Draft.FLEECE, gods=(god,), ply_cap=30), 2, rng.randrange):
        p: Position = ply.position
        if p.setup is None and p.turn == FRESH:
            written += 1
            again = parse_position(format_position(p), p.options)
            assert (again.lineup, again.memos, again.decision) == (p.lineup, p.memos, p.decision)
    assert written
