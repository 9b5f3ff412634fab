"""The heroes: a case for every sentence of the rules page (1.7, numbers 46 to 55)."""

from __future__ import annotations

from boardwire.games.santorini.events import PowerUsed, Razed
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square as sq

# Medea

HIGH = "00000 00000 00020 00000 00000"


def test_medea_may_take_all_blocks_from_under_a_worker_beside_hers() -> None:
    line = Line(f"{HIGH}/1/medea:B3,E1/mortal:D3,A5").play("B3>C3 C3^B3")
    assert line.steps == {"~D3", "."}
    line.play("~D3")
    assert line.position.b1 == 1 << sq("B3")
    assert line.events[:2] == (PowerUsed(0, God.MEDEA), Razed(0, sq("D3"), 0, God.MEDEA))
    assert line.position.seat == 1


def test_medea_may_do_so_once() -> None:
    line = Line(f"{HIGH}/1/medea[x]:B3,E1/mortal:D3,A5").play("B3>C3 C3^B3")
    assert line.position.seat == 1


def test_medea_keeps_her_power_when_she_declines() -> None:
    line = Line(f"{HIGH}/1/medea:B3,E1/mortal:D3,A5").play("B3>C3 C3^B3 .")
    assert line.position.memos[0] == ()


def test_medea_may_lower_her_own_worker_too() -> None:
    line = Line("00000 00000 00020 00000 00000/1/medea:B3,D3/mortal:A1,A5").play("B3>C3 C3^B3")
    assert line.can("~D3")


def test_a_worker_on_the_ground_or_further_away_cannot_be_lowered() -> None:
    line = Line("00000 00000 00000 00000 00002/1/medea:B3,A1/mortal:D3,E1").play("B3>C3 C3^B3")
    assert line.position.seat == 1


def test_printed_medea_takes_one_block_under_any_workers_beside_her_resting_one() -> None:
    start = "00000 00000 20020 00000 00000/1/medea:B5,C3/mortal:D3,B2"
    line = Line("00000 00000 00020 01000 00000/1/medea:B5,C3/mortal:D3,B2", printed=True).play("B5>A5 A5^B5")
    assert line.steps == {"~D3", "~B2", "."}
    line.play("~D3")
    assert line.position.b2 == 0
    assert line.steps == {"~B2", "."}
    line.play("~B2")
    assert line.position.b1 == 1 << sq("D3") | 1 << sq("B5")
    assert line.position.seat == 1
    moved = Line(start, printed=True).play("C3>C4 C4^C5")
    assert moved.position.seat == 1  # the resting one has nobody beside it
