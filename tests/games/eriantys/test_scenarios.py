"""The rules of Eriantys, by example: every scenario of the folder is a test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from boardwire.games.eriantys import Event, Position, apply, forfeit, skip
from boardwire.games.eriantys.diagram import build_position, value_of
from boardwire.games.eriantys.notation import format_event, parse_action, seat_of
from boardwire.games.game import CHANCE
from boardwire.testing.scenario import Scenario, load, run

SCENARIOS = tuple(load(Path(__file__).parent / "scenarios"))


class Words:
    """Eriantys for scenarios: `luck` is a player, and `forfeit` and `skip` can be done too."""

    def start(self, statements: Sequence[tuple[str, str]]) -> Position:
        return build_position(statements)

    def do(self, position: Position, who: str, what: str) -> tuple[Position, Sequence[Event]]:
        seat = CHANCE if who == "luck" else seat_of(who)
        if what == "forfeit":
            return forfeit(position, seat)
        if what == "skip":
            return skip(position, seat)
        return apply(position, seat, parse_action(what))

    def look(self, position: Position, subject: str) -> str:
        return value_of(position, subject)

    def tell(self, position: Position, event: Event) -> str:
        return format_event(position.terms, event)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: f"{scenario.file}: {scenario.title}")
def test_the_scenario_holds(scenario: Scenario) -> None:
    run(scenario, Words())


def test_every_character_and_rule_section_has_a_file() -> None:
    files = {scenario.file.removesuffix(".scenario") for scenario in SCENARIOS}
    characters = "monk farmer herald postman grandma centaur jester knight mushroom minstrel princess thief"
    sections = "setup assistants students nature clouds four-players coins ending leaving rulings"
    assert set(f"{characters} {sections}".split()) <= files


def test_no_two_scenarios_of_a_file_have_the_same_title() -> None:
    titles = [(scenario.file, scenario.title) for scenario in SCENARIOS]
    assert len(set(titles)) == len(titles)
