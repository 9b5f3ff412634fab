"""Clients of both Eriantys dialects at one table play to the end and see the same board."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Over
from boardwire.games import eriantys
from boardwire.games.eriantys import View
from boardwire.simulation.server import SimulatedClient, SimulatedServer, play_together

MESSAGES, OBJECTS = "eriantys-messages", "eriantys-objects"


class Player:
    """Play at random and record the last board."""

    def __init__(self, seed: int) -> None:
        self._luck = Random(seed)
        self.view: View | None = None

    def __call__(self, client: SimulatedClient, notification: Any) -> None:
        match notification:
            case Ask(decision=decision):
                client.talk.tell(Answer(self._luck.choice(list(decision.choices))))
            case Over(view=view):
                self.view = view


def play(dialects: tuple[str, ...], mode: str, seed: int) -> None:
    """Play one match; every client that sees the whole table must end with the journal's board."""
    server = SimulatedServer(seed=seed)
    players = [Player(seed * 10 + seat) for seat in range(len(dialects))]
    pairs: list[Any] = []
    for seat, (dialect, player) in enumerate(zip(dialects, players, strict=True)):
        client = SimulatedClient(
            dialect, player, ClientOptions(f"p{seat}", len(dialects), {"mode": mode}), server.clock
        )
        pairs.append((client, server.connect(dialect)))
        play_together(server, pairs)
    (name,) = server.journal.names()
    match = server.match(name)
    assert match.outcome is not None, match.pending
    assert match.outcome.termination != "abandoned"
    assert {player.dialect for player in match.players if player is not None} == set(dialects)
    board = eriantys.view(match.position, None)
    for dialect, player in zip(dialects, players, strict=True):
        if dialect == MESSAGES:
            assert player.view is not None
            assert [island.students for island in player.view.islands] == [one.students for one in board.islands]
            assert [island.side for island in player.view.islands] == [one.side for one in board.islands]
            assert [one.hall for one in player.view.boards] == [one.hall for one in board.boards]


@pytest.mark.parametrize("mode", ["simplified", "expert"])
@pytest.mark.parametrize("dialects", [(MESSAGES, OBJECTS), (OBJECTS, MESSAGES, OBJECTS)])
def test_clients_of_both_dialects_play_a_match_to_its_end(dialects: tuple[str, ...], mode: str) -> None:
    play(dialects, mode, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["simplified", "expert"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_many_mixed_matches_play_to_the_end(seats: int, mode: str) -> None:
    for seed in range(20):
        luck = Random(seed)
        dialects = (MESSAGES, OBJECTS, *(luck.choice((MESSAGES, OBJECTS)) for _ in range(seats - 2)))
        play(tuple(luck.sample(dialects, seats)), mode, seed)
