"""Clients of every dialect of Santorini at one table play to the end, and all end with the board of the journal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, product
from random import Random
from typing import Any

import pytest

from boardwire import dialects
from boardwire.dialects.dialect import Answer, Ask, ClientOptions, Over, Result
from boardwire.dialects.santorini_actions.messages.cards import KNOWN_GODS
from boardwire.dialects.santorini_lobby.messages import OFFERED_GODS
from boardwire.dialects.santorini_objects.messages.cells import GODS
from boardwire.games.santorini import CATALOGUE, Draft, God, Options, View
from boardwire.lobby.requests import Open, Seek
from boardwire.simulation.server import SimulatedClient, SimulatedConnection, SimulatedServer, play_together
from boardwire.table.events import Player
from boardwire.table.guest import Guest
from boardwire.table.match import Match, Status

D, D1, F, A, S, L, N = DOORS = dialects.of_game("santorini")
EXPRESSES: dict[str, frozenset[God]] = {
    A: frozenset(KNOWN_GODS), S: frozenset(KNOWN_GODS), L: frozenset(OFFERED_GODS),
    D: frozenset(GODS), D1: frozenset(GODS), F: frozenset(GODS), N: frozenset(CATALOGUE),
}  # fmt: skip
PAIRS: list[tuple[str, ...]] = list(product(DOORS, repeat=2))
"""In both orders: the first to come opens the table, and its set-up is played."""
TRIPLES: list[tuple[str, ...]] = [
    (A, L, D),
    (L, F, A),
    (F, A, L),
    (D, S, N),
    (N, L, F),
    (S, N, D1),
    (L, L, A),
    (D1, F, D),
    (A, S, L),
]
DRAFTS = [Draft.RANDOM, Draft.PRINTED, Draft.FIRST_PROPOSES, Draft.TOGETHER, Draft.TWO_ROUNDS,
          Draft.ONLINE, Draft.CHALLENGER]  # fmt: skip
"""The ways in which gods come to seats."""
ONE_DIALECT = {D, D1, F}
"""Editions of one listener, which are one dialect."""


class Participant:
    """One client at the table: plays at random, or not at all without luck, and remembers how it ended."""

    def __init__(self, server: SimulatedServer, door: str, name: str, seats: int, luck: Random | None) -> None:
        self.door = door
        self.name = name
        self.overs: list[Over] = []
        self._luck = luck
        seating = ClientOptions(name, seats, {"game": "santorini"})
        self.peer: SimulatedConnection = server.connect(door)
        self.client = SimulatedClient(door, self._receive, seating, server.clock)

    def _receive(self, client: SimulatedClient, notification: Any) -> None:
        if isinstance(notification, Ask) and self._luck is not None:
            client.talk.tell(Answer(self._luck.choice(tuple(notification.decision.choices))))
        elif isinstance(notification, Over):
            self.overs.append(notification)


def play(
    doors: tuple[str, ...], seed: int, server: SimulatedServer | None = None
) -> tuple[SimulatedServer, list[Participant]]:
    """One match of a client through each of these doors, in this order."""
    return sit(
        doors, [Random(seed * 10 + number) for number in range(len(doors))], server or SimulatedServer(seed=seed)
    )


def sit(
    doors: tuple[str, ...], lucks: Sequence[Random | None], server: SimulatedServer
) -> tuple[SimulatedServer, list[Participant]]:
    table: list[Participant] = []
    for number, (door, luck) in enumerate(zip(doors, lucks, strict=True)):
        table.append(Participant(server, door, f"name{number}", len(doors), luck))
        carry(server, table)
    return server, table


def carry(server: SimulatedServer, table: Iterable[Participant]) -> None:
    play_together(server, [(one.client, one.peer) for one in table])


def seat_of(match: Match, client: Participant) -> int:
    (seat,) = (seat for seat, player in enumerate(match.players) if player is not None and player.name == client.name)
    return seat


def known(doors: Iterable[str]) -> frozenset[God]:
    """The gods that all these dialects have words for."""
    return frozenset(CATALOGUE).intersection(*(EXPRESSES[door] for door in doors))


def standing(view: View) -> dict[tuple[int, ...], God]:
    """Who stands where: the god of each player's workers, whatever order a client counts seats and workers in."""
    return {
        tuple(sorted(workers)): god or God.MORTAL
        for seat, (god, workers) in enumerate(zip(view.gods, view.workers, strict=True))
        if seat not in view.out and workers
    }


def same_board(seen: View, truth: View) -> None:
    """A protocol may be late to tell a god, but never wrong."""
    assert seen.levels == truth.levels
    assert {*seen.domes, *seen.closed} == {*truth.domes, *truth.closed}
    told, true = standing(seen), standing(truth)
    assert told.keys() == true.keys()
    assert all(god in (God.MORTAL, true[workers]) for workers, god in told.items())


def ended_well(server: SimulatedServer, table: list[Participant]) -> None:
    """Everyone was told once how it ended, and who was there at the end saw the board of the journal."""
    match = server.match()
    assert match.outcome is not None
    assert match.outcome.winners
    truth = match.setting.game.view(match.position, None)
    assert {god for god in truth.gods if god is not None} <= known(client.door for client in table) | {God.MORTAL}
    for client in table:
        seat = seat_of(match, client)
        assert len(client.overs) == 1, client.door
        over = client.overs[0]
        assert over.result is (Result.WON if seat in match.outcome.winners else Result.LOST), (client.door, over.text)
        if seat not in truth.out:
            same_board(over.view, truth)


def label(doors: tuple[str, ...]) -> str:
    return " ".join(doors)


@pytest.mark.parametrize("doors", PAIRS + TRIPLES, ids=label)
def test_a_mixed_table_plays_to_the_end_and_all_clients_agree_with_the_journal(doors: tuple[str, ...]) -> None:
    ended_well(*play(doors, seed=0))


@pytest.mark.slow
@pytest.mark.parametrize("doors", [*PAIRS, *product(DOORS, repeat=3)], ids=label)
def test_many_mixed_tables_play_to_the_end(doors: tuple[str, ...]) -> None:
    for seed in range(1, 21 if len(doors) == 2 else 5):
        ended_well(*play(doors, seed))


@pytest.mark.parametrize("draft", DRAFTS)
@pytest.mark.parametrize("doors", [(F, S), (L, N, F), (S, D, L)], ids=label)
def test_any_dialect_plays_at_a_table_with_any_set_up(doors: tuple[str, ...], draft: Draft) -> None:
    server = SimulatedServer(seed=4)
    opener = Guest(lambda notification: None)
    server.lobby.do(opener, Open(Seek("santorini", len(doors), Player(dialect="native"), Options(draft))))
    ended_well(*play(doors, 4, server))
    assert server.match().position.options.draft is draft


@pytest.mark.parametrize("options", [Options(), Options(Draft.FLEECE, gods=(God.ARTEMIS,))], ids=["none", "fleece"])
@pytest.mark.parametrize("doors", [(F, S), (L, D), (D1, N), (A, F)], ids=label)
def test_any_dialect_plays_at_a_table_without_gods(doors: tuple[str, ...], options: Options) -> None:
    server = SimulatedServer(seed=6)
    opener = Guest(lambda notification: None)
    server.lobby.do(opener, Open(Seek("santorini", len(doors), Player(dialect="native"), options)))
    ended_well(*play(doors, 6, server))
    assert server.match().position.options.draft is options.draft


@pytest.mark.parametrize(
    "doors", [pair for pair in PAIRS if pair[0] != pair[1] and not ONE_DIALECT.issuperset(pair)], ids=label
)
def test_dialects_with_separate_tables_never_meet(doors: tuple[str, ...]) -> None:
    server, _ = sit(doors, (None, None), SimulatedServer(seed=1, own_tables=True))
    assert [match.status for match in server.lobby.survey()] == [Status.WAITING] * 2


@pytest.mark.parametrize("doors", [*((door, door) for door in DOORS), (D, F), (F, D1)], ids=label)
def test_clients_of_one_dialect_meet_at_separate_tables(doors: tuple[str, ...]) -> None:
    server, _ = sit(doors, (None, None), SimulatedServer(seed=1, own_tables=True))
    assert [match.status for match in server.lobby.survey()] == [Status.PLAYING]


@pytest.mark.parametrize("doors", [*combinations(DOORS, 2), *TRIPLES], ids=label)
def test_the_pool_of_a_table_is_what_all_its_dialects_can_express(doors: tuple[str, ...]) -> None:
    server, _ = sit(doors, [None] * len(doors), SimulatedServer(seed=3))
    assert set(server.match().position.options.pool) == known(doors)
