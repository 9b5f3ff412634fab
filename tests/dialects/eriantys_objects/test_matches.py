"""Whole matches of many seeds, alone and with eriantys-messages clients."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from boardwire.bots.greedy import GreedyBot
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Dialect, Over, Result
from boardwire.dialects.eriantys_objects.model import Model
from boardwire.games.eriantys import View
from boardwire.simulation.server import SimulatedClient, play_together

from .spoken import OBJECTS, Hall, random_player


def play(seed: int, mode: str, doors: list[str | Dialect]) -> tuple[Hall, list[Over]]:
    server = Hall(seed=seed)
    overs: list[Over] = []
    pairs = []
    for number, door in enumerate(doors):
        seating = ClientOptions(f"p{number}", len(doors), {"mode": mode})
        client = SimulatedClient(door, random_player(Random(seed * 10 + number), overs), seating, server.clock)
        pairs.append((client, server.connect(door)))
    play_together(server, pairs)
    return server, overs


FOUR = pytest.param(4, 3, "simplified", marks=pytest.mark.slow)


@pytest.mark.parametrize(("seats", "seed", "mode"), [(2, 1, "expert"), (3, 2, "expert"), FOUR])
def test_clients_play_to_the_end_and_agree_who_won(seats: int, seed: int, mode: str) -> None:
    server, overs = play(seed, mode, [OBJECTS] * seats)
    outcome = server.match().outcome
    assert outcome is not None
    assert len(overs) == seats
    won = [over for over in overs if over.result is Result.WON]
    assert len(won) == len(outcome.winners)
    assert all(over.result in (Result.WON, Result.LOST) for over in overs)
    assert all(isinstance(over.view, View) and len(over.view.boards) == seats for over in overs)


@pytest.mark.parametrize(("first", "mode"), [("eriantys-messages", "expert"), ("eriantys-objects", "simplified")])
def test_a_client_plays_with_one_of_the_document(first: str, mode: str) -> None:
    doors: list[str | Dialect] = ["eriantys-messages", OBJECTS]
    server, overs = play(4, mode, doors if first == "eriantys-messages" else doors[::-1])
    outcome = server.match().outcome
    assert outcome is not None
    assert sorted(over.result for over in overs) == [Result.LOST, Result.WON]
    assert {player.dialect for player in server.match().players if player} == {"eriantys-messages", "eriantys-objects"}


def test_at_the_end_the_islands_are_those_of_the_match() -> None:
    server, overs = play(5, "simplified", [OBJECTS, OBJECTS])
    match = server.match()
    final: View = match.setting.game.view(match.position, None)
    for over in overs:
        assert [one.students for one in over.view.islands] == [one.students for one in final.islands]
        assert [len(one.tiles) for one in over.view.islands] == [len(one.tiles) for one in final.islands]
        assert [one.towers for one in over.view.islands] == [one.towers for one in final.islands]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 130))
def test_many_matches_of_every_kind_end(seed: int) -> None:
    for mode in ("simplified", "expert"):
        for seats in (2, 3, 4):
            doors: list[str | Dialect] = ["eriantys-messages"] * (seed % seats)
            doors += [OBJECTS] * (seats - len(doors))
            server, overs = play(seed, mode, doors)
            assert server.match().outcome is not None
            assert len(overs) == seats


@pytest.mark.parametrize(("seats", "mode", "seed"), [(2, "simplified", 1), (3, "simplified", 2), (2, "expert", 3)])
def test_sizes_of_groups_are_inferred_without_the_texts_of_our_server(
    seats: int, mode: str, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        Model, "_note_group_size", lambda model, text: False
    )  # as on the shipped server, which has no such texts
    server = Hall(seed=seed)
    luck = Random(seed)
    asked: list[list[int]] = []

    def player(client: SimulatedClient, notification: Any) -> None:
        if isinstance(notification, Ask):
            match = server.lobby.table("match-1").match
            truth: View = match.setting.game.view(match.position, None)
            asked.append([len(island.tiles) for island in notification.view.islands])
            assert asked[-1] == [len(island.tiles) for island in truth.islands]
            choices = tuple(notification.decision.choices)
            client.talk.tell(Answer(GreedyBot().choose(notification.view, notification.decision, luck.randrange, 100)
                                    if luck.randrange(3) else luck.choice(choices)))  # fmt: skip

    pairs = [
        (
            SimulatedClient(OBJECTS, player, ClientOptions(f"p{number}", seats, {"mode": mode}), server.clock),
            server.connect(OBJECTS),
        )
        for number in range(seats)
    ]
    play_together(server, pairs)
    assert max(max(sizes) for sizes in asked) > 2, "a group of three or more"
