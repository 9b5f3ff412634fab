"""Bots that play each other, and what a bot is told about whose decision it is."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from boardwire.bots.arena import Score, duel, play
from boardwire.bots.bot import BUDGET, RandomBot
from boardwire.bots.server_bots import BOTS, ServerBots
from boardwire.games import santorini, tris
from boardwire.games.game import Below, Decision
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import Seek
from boardwire.simulation.clock import ManualClock
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.store.memory import MemoryJournal
from boardwire.table.events import Player
from boardwire.table.guest import Guest
from boardwire.table.policy import Policy

from .test_server_bots import Soon

RACE = santorini.Options(draft=santorini.Draft.CHALLENGER)
"""The first to propose gods is the challenger: all are asked."""


class Witness(RandomBot):
    """Remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Decision[Any]] = []
        self.budgets: set[int] = set()

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int) -> Any:
        self.asked.append(decision)
        self.budgets.add(budget)
        return super().choose(view, decision, below, budget)


class Row:
    """Marks the first free cell."""

    name = "row"

    def choose(self, view: Any, decision: Decision[Any], below: Below, budget: int) -> Any:
        return next(iter(decision.choices))


def test_a_match_is_played_to_its_end() -> None:
    outcome = play(tris, tris.Options(), [Row(), Row()], Random(0).randrange)
    assert (outcome.termination, outcome.winners) == ("line", (0,))


def test_the_side_changes_from_match_to_match_and_results_are_the_bots_own() -> None:
    score = duel(tris, tris.Options(), 2, Row(), Row(), Random(0).randrange, 5)
    assert score == Score(won=3, drawn=0, lost=2, choices=3 * 4 + 2 * 3)


def test_in_a_team_both_seats_are_the_bots() -> None:
    witness = Witness()
    duel(santorini, santorini.Options(), 4, witness, RandomBot(), Random(0).randrange, 1)
    assert {decision.seats for decision in witness.asked} == {(0,), (2,)}
    assert witness.budgets == {BUDGET}


def test_where_several_may_answer_a_bot_is_asked_for_its_seat_only() -> None:
    bots = [Witness(), Witness()]
    for seed in range(5):
        play(santorini, RACE, bots, Random(seed).randrange)
    for seat, bot in enumerate(bots):
        assert {decision.seats for decision in bot.asked} == {(seat,)}


def test_at_a_table_too(monkeypatch: pytest.MonkeyPatch) -> None:
    witness, soon, clock = Witness(), Soon(), ManualClock()
    monkeypatch.setitem(BOTS, "witness", witness)
    bots = ServerBots(Random(1).randrange, soon, clock.later)
    lobby = Lobby(MemoryJournal(), clock, ScriptedDealer(seed=1), CountedNames(), bots)
    bob = Player("bob", "bot", "witness")
    seek = Seek("santorini", 2, Player("ann"), RACE, Policy(per_move=20), seat=0, bots=((1, bob),))
    lobby.do(Guest(lambda notification: None), seek)
    clock.pass_time(10)  # so long it leaves the decision to her
    soon.run()
    assert {decision.seats for decision in witness.asked} == {(1,)}
