"""Santorini in a terminal."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from boardwire.clients.paint import Paint
from boardwire.clients.screens import santorini as screen
from boardwire.games import santorini
from boardwire.games.game import CHANCE, Decision, Illegal, Malformed
from boardwire.games.santorini import God, Kind
from boardwire.games.santorini import actions as do
from boardwire.games.santorini.board import DIRECTIONS
from boardwire.games.santorini.notation import parse_position
from boardwire.games.santorini.steps import format_step
from boardwire.testing.laws import playthrough

PLAIN = Paint(False)


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_of_decision_has_its_question(kind: Kind) -> None:
    view = santorini.view(parse_position("0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2"), 0)
    question = screen.question(view, Decision(kind, (0,), (do.Done(), do.Use(), do.Use())))
    assert question.endswith("? A number from 1 to 3:")


def test_a_question_shows_how_a_step_is_typed_by_one_of_the_choices() -> None:
    view = santorini.view(parse_position("0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2"), 0)
    turn = santorini.pending(parse_position("0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2"))
    assert turn is not None
    typed = screen.question(view, turn).rpartition("or a step like ")[2].rstrip(":")
    assert screen.parse(typed, view, turn) in turn.choices


def test_a_question_where_no_step_is_due_offers_numbers_alone() -> None:
    view = santorini.view(santorini.new(santorini.Options(), 2), 0)
    gods = (do.PickGod(God.PAN), do.PickGod(God.ATLAS))
    assert screen.question(view, Decision(Kind.PICK_GOD, (0,), gods)) == "Which god is yours? A number from 1 to 2:"
    assert screen.question(view, Decision(Kind.PICK_GOD, (0,), gods[:1])) == "Which god is yours? 1:"


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_choice_of_a_match_is_drawn_numbered_and_can_be_typed(seats: int) -> None:
    labels = set()
    for seed in range(3):
        below = Random(seed).randrange
        for ply in playthrough(santorini, santorini.Options(), seats, below, 120):
            if ply.seat == CHANCE:
                continue
            view = santorini.view(ply.position, ply.seat)
            drawn = screen.draw(view, ply.decision, PLAIN)
            choices = list(ply.decision.choices)
            for number, action in enumerate(choices, 1):
                assert f"{number:>3}) {screen.label(action)}" in drawn
            number = below(len(choices)) + 1
            assert screen.parse(str(number), view, ply.decision) == choices[number - 1]
            assert screen.parse(format_step(ply.action), view, ply.decision) == ply.action
            labels.add(screen.label(ply.action).split()[-1])
            board = [line for line in drawn.splitlines() if re.match(r"  [1-5 ] [│┌├└]", line)]
            assert len(board) == 16
            assert {len(line) for line in board} == {4 + 5 * 10 + 1}, "the board stays straight"
    assert len(labels) > 10


LABELS = [
    (do.Move(0, 1), "A5 moves to B5"),
    (do.Build(0, 1), "A5 builds on B5"),
    (do.Build(0, 1, dome=True), "A5 puts a dome on B5"),
    (do.Force(0, 1), "force A5 to B5"),
    (do.Swap(0, 1), "swap A5 and B5"),
    (do.Bind(0, 1), "tie A5 to B5"),
    (do.Raze(1), "take blocks from B5"),
    (do.Banish(1), "remove the worker on B5"),
    (do.PlaceWorker(1), "worker on B5"),
    (do.PlaceToken(1), "token on B5"),
    (do.Aim(None), "take it back"),
    (do.Aim(0), f"towards {DIRECTIONS[0]}"),
    (do.PickGod(God.MORTAL), "no power"),
    (do.ChooseStart(1), "player 2"),
    (do.Use(), "use your power"),
    (do.Done(), "no more"),
]


@pytest.mark.parametrize(("action", "words"), LABELS, ids=[words for _, words in LABELS])
def test_each_choice_is_said_in_words_and_stands_on_its_square(action: Any, words: str) -> None:
    assert screen.label(action) == words
    view = santorini.view(parse_position("0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2"), 0)
    drawn = screen.draw(view, Decision(Kind.GO_ON, (0,), (action,)), PLAIN)
    assert ("[1]" in drawn) == ("B5" in words)


def test_a_square_with_many_choices_shows_the_first_and_the_last() -> None:
    view = santorini.view(parse_position("0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2"), 0)
    many = tuple(do.Build(by, 1) for by in range(20))
    assert "[1…20]" in screen.draw(view, Decision(Kind.GO_ON, (0,), many), PLAIN)


def test_workers_levels_and_domes_are_seen_without_colour() -> None:
    position = parse_position("0123400000000000000000000/1/mortal:B3,D3/apollo:C4,C2")
    drawn = screen.draw(santorini.view(position, 0), None, PLAIN)
    top = next(line for line in drawn.splitlines() if line.startswith("  5 │"))
    assert [level in top for level in (" ·", "▁1", "▄2", "█3", "⌂")] == [True] * 5
    for mark in ("●1", "●2", "▲1", "▲2", "player 1: no power", "player 2: Apollo: "):
        assert mark in drawn


@pytest.mark.parametrize(
    ("text", "error", "words"),
    [
        ("0", Illegal, "no choice 0"),
        ("999", Illegal, "no choice 999"),
        ("", Malformed, "number of a choice"),
        ("hello", Malformed, "number of a choice"),
        ("A1>E5", Illegal, "not among your choices"),
    ],
)
def test_what_is_no_choice_is_said(text: str, error: type[Exception], words: str) -> None:
    position = parse_position("0000000000000000000000000/1/mortal:B3,D3/mortal:C4,C2")
    decision = santorini.pending(position)
    assert decision is not None
    with pytest.raises(error, match=words):
        screen.parse(text, santorini.view(position, 0), decision)
