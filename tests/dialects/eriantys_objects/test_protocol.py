"""The specification shows the diagram, and its tables are consistent."""

from __future__ import annotations

from pathlib import Path

from boardwire.dialects.eriantys_objects.answer import ANSWER, QUERIES
from boardwire.dialects.eriantys_objects.ask import Question
from boardwire.dialects.eriantys_objects.messages import TYPES
from boardwire.dialects.eriantys_objects.tell import OWN, SHARED, Part

PAGE = Path(__file__).parents[3] / "docs" / "dialects" / "eriantys-objects.md"


def test_every_part_is_sent_to_all_players_or_to_one() -> None:
    assert set(SHARED) | set(OWN) == set(Part)
    assert not set(SHARED) & set(OWN)


def test_every_question_has_an_answer_that_clients_say() -> None:
    assert {reader.question for reader in ANSWER.values()} == set(Question)
    assert set(ANSWER) | set(QUERIES) <= set(TYPES)
