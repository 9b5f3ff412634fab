"""The bot that plays Santorini: what it does with one position."""

from __future__ import annotations

from functools import partial
from operator import mod

import pytest

from boardwire.bots.bot import BUDGET
from boardwire.bots.greedy import santorini as bot
from boardwire.bots.greedy.santorini_board import after, height, meets, simple_board
from boardwire.games import santorini
from boardwire.games.game import Decision
from boardwire.games.santorini.actions import DONE, Aim, Banish, ChooseStart, Force, Move, PlaceWorker, Raze, Swap
from boardwire.games.santorini.interned import MOVES
from boardwire.games.santorini.kinds import Kind
from boardwire.games.santorini.line import Line
from boardwire.games.santorini.squares import parse_square
from boardwire.games.santorini.steps import format_action

EMPTY = "0000000000000000000000000/1/mortal:A1,A2/mortal:E4,E5"


def chosen(position: str, steps: str = "", budget: int = BUDGET) -> set[str]:
    """What the bot does in a position, whatever its luck is."""
    line = Line(position).play(steps)
    decision = line.position.decision
    assert decision is not None
    view = santorini.view(line.position, decision.seats[0])
    picks = [bot.choose(view, decision, partial(mod, luck), budget) for luck in range(12)]
    return {format_action(action) for action in picks}


def board(**levels: int) -> str:
    """Heights, where they are not 0."""
    found = ["0"] * 25
    for name, level in levels.items():
        found[parse_square(name)] = str(level)
    return "".join(found)


@pytest.mark.parametrize("budget", [0, BUDGET])
def test_it_steps_up_to_the_third_level(budget: int) -> None:
    position = f"{board(B2=2, C3=3, B1=2)}/1/mortal:B2,E1/mortal:E4,E5"
    assert chosen(position, budget=budget) == {"B2>C3"}


def test_a_step_from_the_third_level_to_the_third_is_no_win() -> None:
    line = Line(f"{board(B2=3, C3=3)}/1/mortal:B2,E1/mortal:E4,E5")
    view = santorini.view(line.position, 0)
    move = next(one for one in line.position.decision.choices if format_action(one) == "B2>C3")
    assert isinstance(move, Move)
    assert not bot.wins(view, simple_board(view), 0, move)


def test_pan_jumps_down_to_win() -> None:
    assert chosen(f"{board(B2=2, B1=2, A1=2, C1=2, A2=2)}/1/pan:B2,E1/mortal:E4,E5") <= {
        "B2>A3",
        "B2>B3",
        "B2>C3",
        "B2>C2",
    }


def test_against_hera_the_edge_does_not_win() -> None:
    position = f"{board(B2=2, A1=3, C3=3)}/1/mortal:B2,E1/hera:E4,E5"
    assert chosen(position) == {"B2>C3"}


def test_eros_wins_by_meeting() -> None:
    position = f"{board(A1=1, B2=1, C3=1)}/1/eros:A1,C3/mortal:E4,E5"
    assert chosen(position) <= {"A1>B2", "C3>B2"}


def test_it_caps_the_tower_that_a_foe_would_step_up_to() -> None:
    position = f"{board(D4=2, D3=3)}/1/mortal:C2,A1/mortal:D4,E5"
    for step in chosen(position):
        assert chosen(position, step) == {f"{step.partition('>')[2]}^D3X"}, "and the move before allows it"


def test_it_stays_where_it_can_stop_a_foe_rather_than_climb() -> None:
    position = f"{board(D4=2, D3=3, C2=1, B1=2)}/1/mortal:C2,A5/mortal:D4,E5"
    assert chosen(position) <= {"C2>C3", "C2>D2"}


def test_lovers_meet_on_the_first_level_and_among_three_on_any() -> None:
    a1, b2 = parse_square("A1"), parse_square("B2")
    for level, two, three in ((0, False, True), (1, True, True), (2, False, True)):
        heights = board(A1=level, B2=level, C3=level)
        pair = simple_board(santorini.view(Line(f"{heights}/1/eros:A1,C3/mortal:E4,E5").position, 0))
        trio = simple_board(santorini.view(Line(f"{heights}/1/eros:A1,C3/mortal:E4,E5/mortal:D1,E1").position, 0))
        assert meets(pair, 0, a1, b2) is two
        assert meets(trio, 0, a1, b2) is three
        assert not meets(pair, 1, a1, b2)


def test_it_climbs_rather_than_walks() -> None:
    position = f"{board(B3=1)}/1/mortal:A2,A1/mortal:E4,E5"
    assert chosen(position) == {"A2>B3"}


def test_workers_are_placed_near_the_middle() -> None:
    position = santorini.new(santorini.Options(), 2)
    decision = santorini.pending(position)
    assert decision is not None
    assert bot.choose(santorini.view(position, 0), decision, lambda count: 0, BUDGET) == PlaceWorker(12)


def test_the_player_who_may_choose_begins() -> None:
    view = santorini.view(Line(EMPTY).position, 1)
    decision = Decision(Kind.CHOOSE_START, (1,), (ChooseStart(0), ChooseStart(1)))
    assert bot.choose(view, decision, lambda count: 0, BUDGET) == ChooseStart(1)


def test_what_powers_do_is_drawn() -> None:
    one = simple_board(santorini.view(Line(f"{board(C3=2)}/1/mortal:A1,A2/mortal:E4,E5").position, 0))
    a1, a2, c3, e5 = (parse_square(name) for name in ("A1", "A2", "C3", "E5"))
    assert after(one, Force(e5, c3), 0).workers[1][1] == c3
    assert after(one, Swap(a2, e5), 0).workers == ((a1, e5), (parse_square("E4"), a2))
    assert after(one, Banish(e5), 0).workers[1] == (parse_square("E4"),)
    assert height(after(one, Raze(c3), 0), c3) == 1
    assert after(one, DONE, 0) == after(one, Aim(None), 0) == one


def test_who_stands_in_the_way_is_pushed_on_or_changes_places() -> None:
    one = simple_board(santorini.view(Line("0000000000000000000000000/1/minotaur:A1,A2/mortal:B1,E5").position, 0))
    push = MOVES[parse_square("A1")][parse_square("B1")]
    assert after(one, push, 0).workers == (
        (parse_square("B1"), parse_square("A2")),
        (parse_square("C1"), parse_square("E5")),
    )
    cornered = simple_board(santorini.view(Line("0000000000000000000000000/1/apollo:B1,A2/mortal:A1,E5").position, 0))
    swap = MOVES[parse_square("B1")][parse_square("A1")]
    assert after(cornered, swap, 0).workers[1][0] == parse_square("B1")
