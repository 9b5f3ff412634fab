"""A fault of the rules interrupts the match in every dialect: both clients learn of it, and nothing hangs."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from boardwire import dialects, games
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Over, Result
from boardwire.games.game import Outcome
from boardwire.simulation.server import SimulatedClient, SimulatedServer, play_together
from boardwire.table.termination import Termination


@pytest.mark.parametrize("door", dialects.DIALECT_PACKAGES)
def test_a_fault_of_the_rules_interrupts_the_match_in_every_dialect(door: str, monkeypatch: pytest.MonkeyPatch) -> None:
    server = SimulatedServer(seed=1)
    overs: list[Over] = []
    luck = Random(1)
    left = 3  # a match is broken off while it is played, not only at its first step
    name = "santorini" if door == "native" else dialects.dialect(door).game
    game: Any = games.game(name)
    right = game.apply

    def breaks(position: Any, seat: int, action: Any) -> Any:
        nonlocal left
        left -= seat >= 0
        if left < 0:
            raise KeyError("no rule says what to do now")
        return right(position, seat, action)

    def receive(client: SimulatedClient, notification: Any) -> None:
        if isinstance(notification, Ask):
            client.talk.tell(Answer(luck.choice(list(notification.decision.choices))))
        elif isinstance(notification, Over):
            overs.append(notification)

    monkeypatch.setattr(game, "apply", breaks)
    pairs: list[Any] = []
    for player in ("Ann", "Bob"):
        client = SimulatedClient(door, receive, ClientOptions(player, 2, {"game": name}), server.clock)
        pairs.append((client, server.connect(door)))
        play_together(server, pairs)
    server.clock.pass_time(60.0)
    play_together(server, pairs)
    assert [over.result for over in overs] == [Result.BROKEN_OFF] * 2
    assert all(peer.closed for _, peer in pairs) or door == "native"
    monkeypatch.undo()
    (match,) = server.journal.names()
    assert server.match(match).outcome == Outcome(Termination.FAULT)
