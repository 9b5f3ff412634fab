"""Bots that the operator lists, at tables and in the API."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from boardwire.bots.engine import SearchResult
from boardwire.bots.listed import Answered, EngineQuestion
from boardwire.bots.server_bots import ServerBots
from boardwire.engines.process import EngineFault, FaultReason
from boardwire.errors import Refused
from boardwire.games import tris
from boardwire.games.game import Outcome, Seat
from boardwire.lobby.lobby import Lobby
from boardwire.lobby.requests import Seek
from boardwire.simulation.luck import CountedNames, ScriptedDealer
from boardwire.simulation.server import SimulatedServer
from boardwire.table.commands import Act
from boardwire.table.events import Player
from boardwire.table.guest import Guest, Refusal
from boardwire.table.policy import Policy

from .test_server_bots import Soon

CORNER = Player("corner bot", "bot", "corner")


class Ticket:
    """A question that nothing cancels."""

    def cancel(self) -> None:
        """Do nothing."""


class Corner:
    """A listed bot for Tris that answers when the test says so."""

    def __init__(self) -> None:
        self.asked: list[tuple[EngineQuestion, Answered]] = []
        self.ended: list[Outcome | None] = []

    def names(self, game: str | None = None) -> tuple[str, ...]:
        return ("corner",) if game in (None, "tris") else ()

    def ask(self, bot: str, question: EngineQuestion, done: Answered, address: str) -> Ticket:
        assert bot == "corner"
        self.asked.append((question, done))
        return Ticket()

    def over(self, bot: str, match: str, seat: Seat, outcome: Outcome | None) -> None:
        self.ended.append(outcome)


class Place(SimulatedServer):
    """A server with the listed bot."""

    def __init__(self, default_bot: str = "greedy") -> None:
        super().__init__(seed=1)
        self.corner = Corner()
        self.soon = Soon()
        self.faults: list[Exception] = []
        self.bots = ServerBots(
            Random(1).randrange, self.soon, self.clock.later, lambda match, error: self.faults.append(error),
            default_bot=default_bot, listed=self.corner,
        )  # fmt: skip
        self.lobby = Lobby(self.journal, self.clock, ScriptedDealer(seed=1), CountedNames(), self.bots)
        self.heard: list[Any] = []

    def open(self, game: str = "tris", policy: Policy | None = None) -> Guest:
        guest = Guest(self.heard.append)
        self.lobby.do(guest, Seek(game, 2, Player("ann"), policy=policy or Policy(), bots=((0, CORNER),)))
        self.soon.run()
        return guest

    @property
    def cells(self) -> tuple[Seat | None, ...]:
        return tris.view(self.match().position, None).cells


def test_a_listed_bot_gets_the_view_of_its_seat_and_plays_its_answer() -> None:
    place = Place()
    place.open()
    [(question, done)] = place.corner.asked
    assert (question.match, question.game, question.seat, question.seats) == ("match-1", "tris", 0, 2)
    assert tuple(question.decision.choices) == tuple(range(9))
    assert question.remaining is None
    done(SearchResult((6,), 0.0, 0, 0))
    assert place.cells[6] == 0


def test_it_is_told_how_much_time_is_left() -> None:
    place = Place()
    place.open(policy=Policy(bank=60.0))
    assert place.corner.asked[0][0].remaining == pytest.approx(60.0)


@pytest.mark.parametrize("reason", list(FaultReason))
def test_the_greedy_bot_replaces_the_choice_of_an_engine_that_fails_and_the_reason_is_reported(
    reason: FaultReason,
) -> None:
    place = Place()
    place.open()
    fault = EngineFault(reason, "why", "its standard error", "corner")
    place.corner.asked[0][1](fault)
    place.soon.run()
    assert place.cells.count(0) == 1
    assert place.faults == [fault]


def test_it_hears_how_the_match_ended() -> None:
    place = Place()
    guest = place.open()
    for own, foe in ((0, 3), (1, 4), (2, None)):
        place.corner.asked[-1][1](SearchResult((own,), 0.0, 0, 0))
        if foe is not None:
            place.lobby.do(guest, Act(1, (foe,)))
            place.soon.run()
    assert place.corner.ended == [Outcome("line", (0,))]


def test_a_bot_is_refused_for_a_game_that_it_does_not_play() -> None:
    place = Place()
    place.open("forza")
    assert any(isinstance(one, Refusal) and isinstance(one.reason, Refused) for one in place.heard)
    assert not place.bots.knows("corner", "forza")
    assert place.bots.knows("corner", "tris")


def test_a_listed_default_bot_takes_the_seats_of_its_games_alone() -> None:
    place = Place("corner")
    bots: Callable[[str], Player | None] = place.bots.substitute
    assert [player.bot for player in map(bots, ("tris", "forza")) if player is not None] == ["corner", "greedy"]
