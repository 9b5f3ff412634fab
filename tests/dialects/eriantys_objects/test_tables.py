"""Every decision and every event of the game, and every event of a match, has its place in this dialect."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from boardwire.dialects.diagram import drawn, mermaid
from boardwire.dialects.eriantys_objects.ask import ANSWERS, ASK, DEFAULTS, Asked
from boardwire.dialects.eriantys_objects.classes import from_client
from boardwire.dialects.eriantys_objects.conversation import REQUESTS, arcs
from boardwire.dialects.eriantys_objects.line import TYPES
from boardwire.dialects.eriantys_objects.server import ANSWER, MATCH_EVENTS
from boardwire.dialects.eriantys_objects.tell import OWN, SHARED, TELL, Part
from boardwire.games.eriantys import Event, Kind
from boardwire.table import events as told

LUCK = {
    Kind.MOTHER_NATURE,
    Kind.ISLANDS,
    Kind.ENTRANCES,
    Kind.CHARACTERS,
    Kind.STOCK,
    Kind.FIRST,
    Kind.REFILL,
    Kind.RESTOCK,
}
PAGE = Path(__file__).parents[3] / "docs" / "dialects" / "eriantys-objects.md"


def test_every_decision_of_a_player_is_asked_or_has_a_default() -> None:
    assert set(ASK) | set(DEFAULTS) == set(Kind) - LUCK
    assert not set(ASK) & set(DEFAULTS)


def test_every_event_of_the_game_is_told() -> None:
    assert set(TELL) == set(get_args(Event))
    assert set(SHARED) | set(OWN) == set(Part)
    assert not set(SHARED) & set(OWN)


def test_every_event_of_a_match_is_heard() -> None:
    assert set(MATCH_EVENTS) == set(get_args(told.Event))


def test_every_question_has_an_answer_and_a_request() -> None:
    assert set(ANSWERS.values()) == set(Asked) == set(REQUESTS)
    assert set(ANSWERS) | set(ANSWER) <= set(TYPES)
    assert all(kind.__module__ == from_client.__name__ for kind in TYPES)


def test_the_diagram_on_the_page_is_that_of_the_tables() -> None:
    assert drawn(PAGE.read_text()) == mermaid(arcs())
