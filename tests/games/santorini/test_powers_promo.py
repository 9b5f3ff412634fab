"""The promo gods: a case for every sentence of the rules page (1.7, numbers 56 to 67)."""

from __future__ import annotations

from boardwire.games import santorini
from boardwire.games.game import CHANCE
from boardwire.games.santorini.events import CardDealt, TurnStarted, Won
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.powers.catalogue import God
from boardwire.games.santorini.squares import parse_square as sq

FLAT = "00000 00000 00000 00000 00000"


# Eris


def test_eris_may_move_and_build_with_a_foes_worker() -> None:
    line = Line(f"{FLAT}/1/eris:A5,E1/mortal:A1,C3").play("C3>C4")
    assert all(step.startswith("C4^") for step in line.steps)
    line.play("C4^C3")
    assert line.position.seat == 1
    assert line.position.workers == ((sq("A5"), sq("E1")), (sq("A1"), sq("C4")))


def test_eris_may_not_use_the_worker_its_owner_moved_last() -> None:
    line = Line(f"{FLAT}/2/eris:A5,E1/mortal:A1,C3").play("C3>C4 C4^C3")
    assert line.can("A1>A2")
    assert not line.can("C4>C5")


def test_what_eris_moves_does_not_count_as_moved_by_its_owner() -> None:
    line = Line(f"{FLAT}/2/eris:A5,E1/mortal:A1,C3").play("C3>C4 C4^C3 A1>A2 A2^A1")
    line.play("C4>C5 C5^C4")
    assert line.can("A2>A3")


def test_a_foes_worker_moved_up_to_level_three_by_eris_wins_for_nobody() -> None:
    line = Line("00000 00000 00230 00000 00000/1/eris:A5,E1/mortal:A1,C3").play("C3>D3")
    assert line.winners is None


def test_if_eris_moves_pans_worker_down_pan_wins() -> None:
    line = Line("00000 00000 00200 00000 00000/1/eris:A5,E1/pan:A1,C3").play("C3>D3")
    assert line.events[-1] == Won((1,), "power", God.PAN)


# Tyche


def test_tyche_draws_one_of_six_cards_at_the_end_of_her_turn() -> None:
    line = Line(f"{FLAT}/1/tyche:A5,E1/mortal:A1,C3").play("A5>B5 B5^A5")
    decision = santorini.pending(line.position)
    assert decision is not None
    assert (decision.kind, decision.seats) == (Kind.CHANCE, (CHANCE,))
    assert line.steps == {f"luck={card}" for card in range(6)}
    line.play("luck=3")
    assert line.events[0] == CardDealt(0, 3, God.TYCHE)
    assert line.position.seat == 1
    assert line.position.memos[0] == (5,)


def test_the_lucky_card_gives_another_turn_and_a_new_deck_and_no_draw_after_it() -> None:
    line = Line(f"{FLAT}/1/tyche[2]:A5,E1/mortal:A1,C3").play("A5>B5 B5^A5")
    assert line.steps == {"luck=0", "luck=1"}
    line.play("luck=0")
    assert line.position.memos[0] == (6,)
    assert line.events[-1] == TurnStarted(0, 1, extra=True)
    line.play("B5>C5 C5^B5")
    assert line.position.seat == 1


def test_foes_draw_nothing() -> None:
    assert Line(f"{FLAT}/2/tyche:A5,E1/mortal:A1,C3").play("A1>A2 A2^A1").position.seat == 0
