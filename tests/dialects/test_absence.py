"""Tables whose policy skips absent players: the others play on to the end."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import pytest

from boardwire import dialects
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Over, Result
from boardwire.simulation.server import SimulatedClient, SimulatedConnection, SimulatedServer, play_together
from boardwire.table import events as ev
from boardwire.table.match import Status
from boardwire.table.policy import Leaving, Policy
from boardwire.table.termination import Termination

SKIPS: Final = Policy(Leaving.SKIPS, grace=30.0)
DIALECTS: Final = tuple(
    name for game in ("santorini", "eriantys") for name in dialects.of_game(game) if name in dialects.DEFAULT_DIALECTS
)


class Someone:
    """Play at random; stop answering at question number `leaves`."""

    def __init__(self, seed: int, leaves: int = 0) -> None:
        self._luck = Random(seed)
        self._left = leaves
        self._answer: Answer | None = None
        self.asked = 0
        self.result: Result | None = None

    @property
    def is_gone(self) -> bool:
        return 0 < self._left <= self.asked

    def wake(self, client: SimulatedClient) -> None:
        """Resume, if the question is still open."""
        self._left = 0
        client.talk.tell(self._answer)

    def __call__(self, client: SimulatedClient, notification: Any) -> None:
        match notification:
            case Ask(decision=decision):
                self.asked += 1
                self._answer = Answer(self._luck.choice(list(decision.choices)))
                if not self.is_gone:
                    client.talk.tell(self._answer)
            case Over(result=result):
                self.result = result


def sit_down(
    server: SimulatedServer, dialect: str, people: list[Someone]
) -> list[tuple[SimulatedClient, SimulatedConnection]]:
    pairs: list[tuple[SimulatedClient, SimulatedConnection]] = []
    for seat, someone in enumerate(people):
        seating = ClientOptions(f"p{seat}", len(people), {"mode": "expert"} if dialect.startswith("eriantys") else {})
        pairs.append((SimulatedClient(dialect, someone, seating, server.clock), server.connect(dialect)))
        play_together(server, pairs)
    return pairs


def drop(
    pairs: list[tuple[SimulatedClient, SimulatedConnection]], seat: int
) -> list[tuple[SimulatedClient, SimulatedConnection]]:
    pairs[seat][1].drop()
    return [pair for number, pair in enumerate(pairs) if number != seat]


@pytest.mark.parametrize("leaves", [4, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 9))])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_two_players_continue_after_the_third_left(dialect: str, leaves: int) -> None:
    server = SimulatedServer(seed=leaves, policy=SKIPS)
    people = [Someone(10), Someone(11, leaves), Someone(12)]
    pairs = sit_down(server, dialect, people)
    (name,) = server.journal.names()
    if server.match(name).status is Status.PLAYING:
        assert people[1].is_gone
        play_together(server, drop(pairs, 1))
    match = server.match(name)
    assert match.outcome is not None, match.pending
    assert match.outcome.termination not in Termination.__members__.values()
    assert people[0].result in (Result.WON, Result.LOST, Result.DRAWN)
    assert people[2].result in (Result.WON, Result.LOST, Result.DRAWN)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_last_player_wins_when_the_countdown_ends(dialect: str) -> None:
    server = SimulatedServer(seed=1, policy=SKIPS)
    people = [Someone(10), Someone(11, 4)]
    pairs = drop(sit_down(server, dialect, people), 1)
    play_together(server, pairs)
    (name,) = server.journal.names()
    assert server.match(name).status is Status.PLAYING
    for _ in range(31):  # clients that ping must be heard meanwhile
        server.clock.pass_time(1.0)
        play_together(server, pairs)
    assert server.match(name).outcome is not None
    assert server.match(name).outcome.winners == (0,)
    assert not any(isinstance(event, ev.Skipped) for event in server.events(name))
    assert people[0].result is Result.WON


@pytest.mark.parametrize("dialect", ["eriantys-messages", "eriantys-objects"])
@pytest.mark.parametrize("leaves", [3, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 7))])
def test_a_player_who_left_returns_by_name_and_plays_on(dialect: str, leaves: int) -> None:
    server = SimulatedServer(seed=leaves, policy=SKIPS)
    people = [Someone(10, 20), Someone(11, leaves), Someone(12)]
    pairs = sit_down(server, dialect, people)
    (name,) = server.journal.names()
    pairs = drop(pairs, 1)
    play_together(server, pairs)  # until the first stops to think
    again = Someone(13)
    back = (
        SimulatedClient(dialect, again, ClientOptions("p1", 3, {"mode": "expert"}), server.clock),
        server.connect(dialect),
    )
    play_together(server, [*pairs, back])
    assert [event.seat for event in server.events(name) if isinstance(event, ev.Returned)] == [1]
    assert list(server.journal.names()) == [name]
    people[0].wake(pairs[0][0])
    play_together(server, [*pairs, back])
    match = server.match(name)
    assert match.outcome is not None, match.pending
    assert again.asked > 1
    assert again.result in (Result.WON, Result.LOST, Result.DRAWN)


@pytest.mark.parametrize("dialect", ["eriantys-messages", "eriantys-objects"])
def test_the_seat_of_a_connected_player_cannot_be_taken(dialect: str) -> None:
    server = SimulatedServer(seed=1, policy=SKIPS)
    people = [Someone(10, 1), Someone(11, 1), Someone(12, 1)]
    sit_down(server, dialect, people)
    (name,) = server.journal.names()
    thief = (
        SimulatedClient(dialect, Someone(13), ClientOptions("p1", 3, {"mode": "expert"}), server.clock),
        server.connect(dialect),
    )
    play_together(server, [thief])
    assert not any(isinstance(event, ev.Returned) for event in server.events(name))
