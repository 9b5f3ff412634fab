"""Santorini in a terminal of 80 columns and 24 lines."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from boardwire.dialects.dialect import Players
from boardwire.errors import Illegal, Malformed
from boardwire.games import santorini
from boardwire.games.game import CHANCE, Decision
from boardwire.games.santorini import God, Kind
from boardwire.games.santorini import actions as do
from boardwire.games.santorini.board import DIRECTIONS
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.squares import parse_square
from boardwire.games.santorini.steps import format_action
from boardwire.terminal.colours import Paint
from boardwire.terminal.screens import santorini as screen
from boardwire.testing.laws import playthrough

PLAIN = Paint(False)
PEOPLE = Players(("Ann", "Bob"), 0)
POSITION = parse_position("0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2")
VIEW = santorini.view(POSITION, 0)


def decision(*actions: Any, kind: Kind = Kind.GO_ON) -> Decision[Any]:
    return Decision(kind, (0,), actions)


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_of_decision_has_its_question(kind: Kind) -> None:
    assert screen.question(VIEW, decision(do.Done(), do.Use(), kind=kind), PEOPLE).endswith("? (For example: done)")


@pytest.mark.parametrize(
    ("actions", "hint"),
    [
        ([do.PickGod(God.PAN), do.PickGod(God.ATLAS)], "Pan"),
        ([do.ProposeGod(god) for god in list(God)[1:20]], "Apollo, or help Apollo"),
        ([do.PlaceWorker(12), do.PlaceWorker(13)], "C3"),
        ([do.Move(11, 7), do.Move(13, 7), do.Move(13, 14)], "D3 E3, or just E3"),
        ([do.Move(11, 7), do.Move(13, 7)], "B3 C4"),
        ([do.Build(11, 7), do.Build(11, 7, dome=True), do.Done()], "B3 builds C4"),
    ],
)
def test_the_example_fits_the_question_and_can_be_typed(actions: list[Any], hint: str) -> None:
    asked = decision(*actions)
    question = screen.question(VIEW, asked, PEOPLE)
    assert question.endswith(f"? (For example: {hint})")
    for typed in hint.replace("just ", "").split(", or "):
        if not typed.startswith("help"):
            assert screen.parse(typed, VIEW, asked, PEOPLE) in actions


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_choice_of_a_match_is_drawn_and_can_be_typed_and_all_fits_the_terminal(seats: int) -> None:
    kinds = set()
    for seed in range(3):
        below = Random(seed).randrange
        for ply in playthrough(santorini, santorini.Options(), seats, below, 120):
            if ply.seat == CHANCE:
                continue
            people = Players(tuple(f"player {letter}" for letter in "abcd"[:seats]), ply.seat)
            view = santorini.view(ply.position, ply.seat)
            drawn = screen.draw(view, ply.decision, people, PLAIN).splitlines()
            shown = [*drawn, *screen.choices(view, ply.decision, people).splitlines()]
            shown.append(screen.question(view, ply.decision, people))
            assert len(shown) <= 24
            assert max(map(len, shown)) < 80
            words = " ".join(screen._words(ply.action, people)[0])
            assert screen.parse(words, view, ply.decision, people) == ply.action
            assert screen.parse(format_action(ply.action), view, ply.decision, people) == ply.action
            kinds.add(type(ply.action))
            board = [line for line in drawn if re.match(r" [1-5 ] [│┌├└]", line)]
            assert len(board) == 11
            assert {len(line) for line in board} == {3 + 5 * 14 + 1}, "the board stays straight"
    assert {do.Move, do.Build} <= kinds


CHOICES = [
    (do.Move(0, 1), "  A5 to B5", "A5 B5"),
    (do.Build(0, 1), "  A5 builds on B5", "b5"),
    (do.Build(0, 1, dome=True), "  A5 puts a dome on B5", "dome b5"),
    (do.Force(0, 1), "  force A5 to B5", "force a5 b5"),
    (do.Swap(0, 1), "  swap A5 and B5", "swap a5 b5"),
    (do.Bind(0, 1), "  tie A5 to B5", "tie a5 b5"),
    (do.Raze(1), "  take blocks from B5", "take b5"),
    (do.Banish(1), "  remove the worker on B5", "remove b5"),
    (do.PlaceWorker(1), "  B5", "B5"),
    (do.PlaceToken(1), "  B5", "B5"),
    (do.Aim(None), "  back", "back"),
    (do.Aim(0), f"  {DIRECTIONS[0]}", DIRECTIONS[0]),
    (do.PickGod(God.MORTAL), "  no power", "no power"),
    (do.PickGod(God.PAN), "  Pan. You also win when your worker steps down two levels or more.", "pan"),
    (do.ChooseStart(1), "  Bob", "bob"),
    (do.Use(), "  power", "power"),
    (do.Done(), "  done", "done"),
]


@pytest.mark.parametrize(("action", "line", "typed"), CHOICES, ids=[line.strip() for _, line, _ in CHOICES])
def test_each_choice_is_said_in_words_is_typed_and_stands_on_its_square(action: Any, line: str, typed: str) -> None:
    asked = decision(action)
    assert screen.choices(VIEW, asked, PEOPLE) == line
    assert screen.parse(typed, VIEW, asked, PEOPLE) == action
    assert ("[+]" in screen.draw(VIEW, asked, PEOPLE, PLAIN)) == ("B5" in line)


def test_a_long_list_of_gods_is_names_in_columns() -> None:
    shown = screen.choices(VIEW, decision(*map(do.ProposeGod, list(God)[1:30])), PEOPLE).splitlines()
    assert len(shown) == 5
    assert shown[0].split() == ["Apollo", "Artemis", "Athena", "Atlas", "Demeter", "Hephaestus"]


def test_workers_levels_domes_and_names_are_seen_without_colour() -> None:
    position = parse_position("0123400000000000000000000/1/mortal:B3,D3/apollo:C4,C2")
    drawn = screen.draw(santorini.view(position, 0), None, PEOPLE, PLAIN)
    top = next(line for line in drawn.splitlines() if line.startswith(" 5 │"))
    assert [level in top for level in (" ·", "▁1", "▄2", "█3", "⌂")] == [True] * 5
    for mark in ("●1", "●2", "▲1", "▲2", " ▶ ● Ann (you): no power", "   ▲ Bob: Apollo. "):
        assert mark in drawn


def test_at_a_table_of_many_only_the_own_god_is_told_in_full() -> None:
    view = replace(VIEW, gods=(God.PAN, God.ATLAS, None), workers=((), (), ()))
    drawn = screen.draw(view, None, Players(("Ann", "Bob"), 1), PLAIN).splitlines()
    assert drawn[0].endswith("Ann: Pan")
    assert "Bob (you): Atlas. " in drawn[1]
    assert drawn[2].endswith("player 3: no god yet")


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("0", Illegal, "0 is not among your choices; one of them is "),
        ("", Malformed, "Type one of the choices, for example "),
        ("hello", Illegal, "not among your choices"),
        ("A1>E5", Illegal, "A1>E5 is not among your choices."),
        ("C3", Illegal, "C3 could be B3 C3, D3 C3; type more of it."),
    ],
)
def test_input_that_is_not_a_choice_is_explained(text: str, error: type[Exception], words: str) -> None:
    asked = santorini.pending(POSITION)
    assert asked is not None
    with pytest.raises(error) as raised:
        screen.parse(text, VIEW, asked, PEOPLE)
    assert words in str(raised.value)


# --- news -------------------------------------------------------------------------------------------------------------


def after(**changes: Any) -> Any:
    return replace(VIEW, **changes)


def levels(**built: int) -> tuple[int, ...]:
    found = [0] * 25
    for name, level in built.items():
        found[parse_square(name)] = level
    return tuple(found)


@pytest.mark.parametrize(
    ("now", "action", "told"),
    [
        ({}, None, []),
        ({"workers": ((11, 13), (7, 16)), "levels": levels(B1=1)}, None,
         ["Bob moves C2 to B2.", "Bob builds on B1 (level 1)."]),
        ({"levels": levels(B4=2)}, do.Build(11, parse_square("B4")), ["Bob builds on B4 (level 2)."]),
        ({"levels": levels(B4=1)}, do.Build(11, parse_square("B4")), []),
        ({"domes": (0,)}, None, ["Bob builds on A5 (dome)."]),
        ({"workers": ((12, 13), (7, 17))}, do.Move(11, 12), []),
        ({"workers": ((12, 13), (7, 17))}, do.Done(), ["Your worker on B3 is now on C3."]),
        ({"workers": ((11, 13), (7,))}, None, ["Bob has lost workers on C2."]),
        ({"workers": ((11, 13), (7, 17, 0))}, None, ["Bob has workers on A5."]),
    ],
)  # fmt: skip
def test_the_opponents_step_is_described(now: dict[str, Any], action: Any, told: list[str]) -> None:
    assert screen.changes(VIEW, after(**now), action, PEOPLE) == told


def test_the_others_god_is_told_when_it_is_known() -> None:
    before = after(gods=(None, None))
    assert screen.changes(before, after(gods=(God.PAN, God.ATLAS)), None, PEOPLE) == ["Bob plays Atlas."]


def test_among_three_who_built_is_not_guessed() -> None:
    three = after(gods=(God.MORTAL,) * 3, workers=((), (), ()))
    built = replace(three, levels=levels(A5=1))
    assert screen.changes(three, built, None, Players(("a", "b", "c"), 0)) == ["Built: A5 (level 1)."]
    assert screen.changes(VIEW, built, None, Players(("a", "b", "c"), 0))[-1] == "Built: A5 (level 1)."
