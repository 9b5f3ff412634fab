"""Predictable clients are led to a draw, in both seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests.conformance.examined import PATIENCE, ExaminedInSequence
from tests.conformance.faulty import Flawless

from boardwire.conformance.client.cases import cases
from boardwire.conformance.client.examiner import Examiner
from boardwire.conformance.client.habits import MIN_EVIDENCE, Habits
from boardwire.conformance.server.check import CheckResult, Verdict
from boardwire.dialects.dialect import Answer, Ask
from boardwire.simulation.server import SimulatedClient

Choose = Callable[[Sequence[int]], int]


def by_order(*order: int) -> Choose:
    """Return a choice of the first free cell of `order`."""
    return lambda choices: next(one for one in order if one in choices)


POLICIES: dict[str, Choose] = {
    "the lowest": min,
    "the highest": max,
    "the centre, then corners": by_order(4, 0, 2, 6, 8, 1, 3, 5, 7),
    "edges first": by_order(1, 3, 5, 7, 4, 8, 6, 2, 0),
    "the middle of what is free": lambda choices: sorted(choices)[len(choices) // 2],
}


def draws(dialect: str, choose: Choose, names: Sequence[str], game: str = "") -> list[CheckResult]:
    """Examine a client that chooses by `choose` in these cases only."""

    class Steady(ExaminedInSequence):
        def _hear(self, client: SimulatedClient, notification: Any) -> None:
            if isinstance(notification, Ask):
                client.talk.tell(Answer(choose(tuple(notification.decision.choices))))

    chosen = [case for case in cases(dialect, game) if case.name in names]
    examiner = Examiner(dialect, chosen, PATIENCE, PATIENCE, json=True, game=game)
    while not examiner.is_done:
        Steady(examiner, dialect, Flawless(dialect), game).run()
    return examiner.results()


@pytest.mark.parametrize("name", ["draws", "draws, coming last"])
@pytest.mark.parametrize("policy", POLICIES)
def test_a_client_that_always_takes_the_same_cell_is_led_to_a_draw(policy: str, name: str) -> None:
    (found,) = draws("tris-lines", POLICIES[policy], [name])
    assert (found.verdict, found.detail) == (Verdict.PASS, "")


@pytest.mark.parametrize("name", ["draws", "draws, coming last"])
@pytest.mark.parametrize("choose", [min, max])
@pytest.mark.parametrize(("dialect", "game"), [("forza-lines", ""), ("native", "forza")])
def test_a_client_that_fills_columns_in_order_is_led_to_a_draw(
    dialect: str, game: str, choose: Choose, name: str
) -> None:
    (found,) = draws(dialect, choose, [name], game)
    assert (found.verdict, found.detail) == (Verdict.PASS, "")


def test_the_reply_to_a_known_position_is_predicted() -> None:
    habits = Habits()
    assert habits.predict("start", (0, 1, 2)) is None
    habits.note("start", (0, 1, 2), 1)
    assert habits.predict("start", (0, 1, 2)) == 1
    assert habits.predict("elsewhere", (0, 2)) is None


def test_a_client_is_not_expected_to_take_a_choice_it_has_passed_over() -> None:
    habits = Habits()
    habits.note("start", (0, 1, 2), 1)
    assert habits.likely("elsewhere", (0, 1, 3)) == (1, 3)
    habits.note("next", (0, 1, 3), 0)
    assert habits.likely("elsewhere", (0, 1, 3)) == (0, 1, 3)


def test_a_client_that_gives_two_replies_to_one_position_is_never_predicted() -> None:
    habits = Habits()
    for reply in (1, 2, 1, 1):
        habits.note("start", (0, 1, 2), reply)
    assert not habits.is_known
    assert habits.predict("start", (0, 1, 2)) is None


def test_a_client_that_always_takes_the_first_choice_is_predicted_everywhere() -> None:
    habits = Habits()
    for number in range(MIN_EVIDENCE):
        habits.note(number, (2, 5, 7), 2)
    assert habits.predict("elsewhere", (3, 4)) == 3
    habits.note("another", (2, 5, 7), 5)
    assert habits.predict("elsewhere", (3, 4)) is None


def test_a_forced_reply_is_no_evidence() -> None:
    habits = Habits()
    for number in range(MIN_EVIDENCE):
        habits.note(number, (8,), 8)
    assert not habits.has_pattern
    assert habits.predict("elsewhere", (8,)) == 8
