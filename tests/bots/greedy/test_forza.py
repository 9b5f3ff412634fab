"""The bot that plays Forza Quattro."""

from __future__ import annotations

from random import Random

import pytest

from boardwire.bots.arena import duel
from boardwire.bots.bot import BUDGET, RandomBot
from boardwire.bots.greedy import GreedyBot
from boardwire.bots.greedy import forza as bot
from boardwire.games import forza
from boardwire.games.forza.rules import BITS


def choices(columns: str, budget: int = BUDGET) -> set[str]:
    """All that the bot may choose after these discs, whatever its luck is, as they are written."""
    position = forza.new(forza.Options(), 2)
    for number, column in enumerate(columns):
        position, _ = forza.apply(position, number % 2, forza.parse_action(column))
    decision = forza.pending(position)
    assert decision is not None
    view = forza.view(position, decision.seats[0])
    luck = (lambda count, at=at: at % count for at in range(7))
    return {forza.format_action(bot.choose(view, decision, below, budget)) for below in luck}


@pytest.mark.parametrize("budget", [0, 7, 49, BUDGET])
def test_it_completes_four_in_a_row(budget: int) -> None:
    assert choices("112233", budget) == {"4"}
    assert choices("121212", budget) == {"1"}


@pytest.mark.parametrize("budget", [49, BUDGET])
def test_it_prevents_the_others_four(budget: int) -> None:
    assert choices("12121", budget) == {"1"}
    assert choices("71625", budget) == {"4"}


def test_it_wins_sooner_rather_than_later() -> None:
    assert choices("273746") == {"1", "5"}  # whatever else it does, one of the two is left to it


def test_it_begins_in_the_middle() -> None:
    assert choices("") == {"4"}


@pytest.mark.parametrize(
    "line", [(35, 36, 37, 38), (14, 22, 30, 38), (17, 23, 29, 35)], ids=["level", "falling", "rising"]
)
def test_a_cell_that_completes_a_four_is_seen_wherever_it_is_missing(line: tuple[int, ...]) -> None:
    for missing in line:
        assert bot.completing_cells(sum(BITS[cell] for cell in line if cell != missing)) & BITS[missing]
    assert not bot.completing_cells(sum(BITS[cell] for cell in line[:2]))


def test_upright_a_four_is_completed_at_its_top() -> None:
    assert bot.completing_cells(BITS[21] | BITS[28] | BITS[35]) == BITS[14]


def test_it_beats_the_random_bot() -> None:
    score = duel(forza, forza.Options(), 2, GreedyBot(), RandomBot(), Random(1).randrange, 10)
    assert score.won == 10, score
