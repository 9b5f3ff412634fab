"""Actions as text and back; positions as text and back."""

from __future__ import annotations

import random
from typing import Any

import pytest

from boardwire.errors import Malformed, Refused
from boardwire.games import eriantys
from boardwire.games.eriantys import Action, Kind, Mode, Options
from boardwire.games.eriantys.diagram import build_position, format_position, parse_position, value_of
from boardwire.games.eriantys.notation import format_action, parse_action
from boardwire.games.game import Draw


def test_every_action_of_whole_games_is_written_and_read_back() -> None:
    luck = random.Random(3)
    for seats in (2, 3, 4):
        position = eriantys.new(Options(mode=Mode.EXPERT), seats)
        while (decision := eriantys.pending(position)) is not None:
            choices: Any = decision.choices
            drawn = hasattr(choices, "draw")
            actions: tuple[Action, ...] = (choices.draw(luck.randrange),) if drawn else tuple(choices)
            for action in actions:
                assert parse_action(format_action(action)) == action
            position, _ = eriantys.apply(position, decision.seats[0], luck.choice(actions))


@pytest.mark.parametrize(
    "text",
    [
        "monk red 5",
        "herald 11",
        "mushroom pink",
        "jester red for blue",
        "minstrel green for green",
        "knight",
        "swap red for blue",
        "done",
        "restock yellow",
        "refill red 3 | - | green 1 blue 3",
    ],
)
def test_an_action_is_written_as_it_is_read(text: str) -> None:
    assert format_action(parse_action(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "dance",
        "hall",
        "hall purple",
        "island red",
        "island red x",
        "steps many",
        "swap red blue",
        "first E",
        "first AB",
        "refill red",
        "refill red x | blue 1",
        "characters monk elvis",
        "monk red five",
        "done now",
    ],
)
def test_what_is_no_action_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        parse_action(text)


def test_what_is_no_action_cannot_be_written() -> None:
    with pytest.raises(Malformed):
        format_action("hall red")  # type: ignore[arg-type]  # the mistake under test


@pytest.mark.parametrize(
    "statements",
    [
        [("players", "many")],
        [("asked", "swap")],
        [("weather", "fine")],
        [("asked", "mother-nature"), ("round", "3")],
        [("on monk", "red 4")],
        [("entrance A", "red")],
    ],
)
def test_what_cannot_be_placed_is_malformed(statements: list[tuple[str, str]]) -> None:
    with pytest.raises(Malformed):
        build_position(statements)


@pytest.mark.parametrize("subject", ["weather", "on monk", "entrance", "round 3", "hall E", "island x", "professor"])
def test_what_is_not_there_cannot_be_looked_at(subject: str) -> None:
    with pytest.raises(Malformed):
        value_of(build_position([]), subject)


def test_what_is_placed_can_be_looked_at() -> None:
    said = {
        "players": "3",
        "mode": "expert",
        "cloud-time": "either",
        "towers": "grey white black",
        "characters": "monk grandma mushroom",
        "round": "4",
        "first": "B",
        "order": "B C A",
        "turn": "B",
        "asked": "steps",
        "moved": "4",
        "took": "yes",
        "mother-nature": "7",
        "bag": "red 3",
        "last-round": "bag",
        "clouds-closed": "no",
        "effect": "mushroom",
        "ignored": "pink",
        "supply": "11",
        "entrance A": "green 9",
        "hall B": "yellow 2",
        "hand C": "2 5",
        "card B": "3",
        "coins A": "4",
        "gone C": "no",
        "professor yellow": "B",
        "island 3": "pink 2",
        "group 4": "4 5",
        "owner 4": "white",
        "no-entry 3": "2",
        "cloud 2": "-",
        "on monk": "red 4",
        "on grandma": "2",
        "used grandma": "yes",
    }
    position = build_position(said.items())
    assert {subject: value_of(position, subject) for subject in said} == said
    assert value_of(position, "left white") == "4"
    assert value_of(position, "left purple") == "-"
    assert value_of(position, "price grandma") == "3"


@pytest.mark.parametrize(
    "statement",
    [
        ("mother-nature", "-1"),
        ("round", "-3"),
        ("bag", "green -3"),
        ("bag", "green 27"),
        ("card A", "17"),
        ("hand A", "11"),
    ],
)
def test_a_position_is_not_placed_by_numbers_that_there_are_not(statement: tuple[str, str]) -> None:
    with pytest.raises(Malformed, match="must be a number from"):
        build_position([statement])


def test_a_position_of_a_random_match_is_written_and_read_back() -> None:
    luck = random.Random(5)
    for seats, mode in ((2, Mode.EXPERT), (3, Mode.SIMPLIFIED), (4, Mode.EXPERT)):
        position, written = eriantys.new(Options(mode=mode), seats), 0
        while (decision := eriantys.pending(position)) is not None:
            choices = decision.choices
            action = choices.draw(luck.randrange) if isinstance(choices, Draw) else luck.choice(tuple(choices))
            try:
                again = parse_position(format_position(position))
            except Refused:
                assert decision.kind not in (Kind.ASSISTANT, Kind.STUDENT, Kind.STEPS, Kind.CLOUD, Kind.REFILL)
            else:
                written += 1
                assert eriantys.view(again, None) == eriantys.view(position, None)
            position, _ = eriantys.apply(position, decision.seats[0], action)
        assert written > 50
        with pytest.raises(Refused):
            format_position(position)
