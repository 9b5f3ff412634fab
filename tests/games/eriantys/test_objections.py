"""Why something cannot be done: the rule, by example."""

from __future__ import annotations

from typing import Any

import pytest

from boardwire.errors import Objection, Refused
from boardwire.games import eriantys
from boardwire.games.eriantys import (
    Character,
    Colour,
    Done,
    MoveMotherNature,
    PlayAssistant,
    Restock,
    Swap,
    TakeCloud,
    ToHall,
    ToIsland,
    UseCharacter,
)
from boardwire.games.eriantys.diagram import build_position

STUDENTS: list[tuple[str, str]] = [("entrance A", "red 7")]


@pytest.mark.parametrize(
    ("placed", "action", "objection"),
    [
        (STUDENTS, PlayAssistant(1), Objection("not now")),
        (STUDENTS, MoveMotherNature(1), Objection("not now")),
        (STUDENTS, TakeCloud(0), Objection("not now")),
        (STUDENTS, Done(), Objection("not now")),
        (STUDENTS, Swap(Colour.RED, Colour.RED), Objection("not now")),
        (STUDENTS, Restock(Colour.RED), Objection("not now")),
        (STUDENTS, ToHall(Colour.GREEN), Objection("no student")),
        (STUDENTS, ToIsland(Colour.GREEN, 1), Objection("no student")),
        (STUDENTS, ToIsland(Colour.RED, 99), Objection("nowhere")),
        ([("hall A", "red 10"), *STUDENTS], ToHall(Colour.RED), Objection("table full", most=10)),
        (STUDENTS, UseCharacter(Character.MONK), Objection("not on table", "monk")),
    ],
)
def test_each_rule_has_a_code(placed: list[tuple[str, str]], action: Any, objection: Objection) -> None:
    position = build_position(placed)
    assert eriantys.objection(position, 0, action) == objection


def walked(text: str) -> Any:
    position = build_position(STUDENTS)
    for step in text.split(", "):
        position, _ = eriantys.apply(position, position.seat, eriantys.parse_action(step))
    return position


def test_mother_nature_goes_no_further_than_the_assistant_allows() -> None:
    position = walked("hall red, hall red, island red 3")
    far = eriantys.objection(position, 0, MoveMotherNature(9))
    assert far is not None
    assert (far.rule, far.most) == ("far", len(tuple(eriantys.pending(position).choices)))
    assert eriantys.objection(position, 0, MoveMotherNature(1)) is None
    with pytest.raises(Refused):
        eriantys.objection(position, 1, MoveMotherNature(1))


PLANNING = [("asked", "assistant"), ("turn", "B"), ("card A", "3"), ("hand B", "3 4")]
EXPERT = [("characters", "monk herald grandma"), ("coins A", "1"), *STUDENTS]


@pytest.mark.parametrize(
    ("placed", "action", "objection"),
    [
        (PLANNING, PlayAssistant(3), Objection("played")),
        (PLANNING, PlayAssistant(5), Objection("spent")),
        (PLANNING, PlayAssistant(11), Objection("nowhere")),
        ([("asked", "cloud"), ("cloud 0", "-")], TakeCloud(0), Objection("cloud taken")),
        ([("asked", "cloud")], TakeCloud(7), Objection("nowhere")),
        (EXPERT, UseCharacter(Character.HERALD, island=0), Objection("too dear", "herald", most=1)),
        (EXPERT, UseCharacter(Character.MONK), Objection("not so", "monk")),
        ([("on grandma", "0"), ("coins A", "9"), *EXPERT[:1]], UseCharacter(Character.GRANDMA, island=0),
         Objection("useless", "grandma")),
        ([("effect", "herald"), ("coins A", "9"), *EXPERT[:1]], UseCharacter(Character.MONK),
         Objection("one a turn", "herald")),
    ],
)  # fmt: skip
def test_each_rule_of_planning_clouds_and_characters_has_a_code(
    placed: list[tuple[str, str]], action: Any, objection: Objection
) -> None:
    position = build_position(placed)
    assert eriantys.objection(position, position.seat, action) == objection
