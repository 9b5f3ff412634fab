"""Whole matches of our client and server; every client's model equals the table."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from boardwire.dialects.dialect import Ask, Result
from boardwire.dialects.eriantys_messages.tell import _SHOW, TELL_GAME, StepReport, display
from boardwire.games.eriantys import (
    Action,
    CloudTime,
    Mode,
    Options,
    ToIsland,
    UseCharacter,
    View,
    apply,
    new,
    pending,
    view,
)
from boardwire.games.game import CHANCE, Draw
from boardwire.lobby.requests import Seek
from boardwire.simulation.server import SimulatedServer, play_together
from boardwire.table.commands import Act
from boardwire.table.events import Player
from boardwire.table.guest import Guest, Step

from .players import NAMES, RandomPlayer, open_table, play_match, seat, truth

TABLES = [(2, "simplified"), (2, "expert"), (3, "simplified"), (3, "expert"), (4, "simplified"), (4, "expert")]


def seen(table: View) -> object:
    """The parts of a table that both a client and the rules know, without the numbers of tiles."""
    islands = [(len(one.tiles), replace(one, tiles=())) for one in table.islands]
    sides = {side.tower: (side.seats, side.towers) for side in table.sides}
    boards = [(table.sides[board.side].tower, replace(board, side=0, gone=False)) for board in table.boards]
    return islands, sides, boards, table.clouds, table.professors, table.characters, table.order


class Watchful(RandomPlayer):
    """Also compares every question with the match as it is."""

    def __init__(self, server: SimulatedServer, seed: int) -> None:
        super().__init__(seed)
        self._server = server

    def check(self, ask: Ask) -> None:
        super().check(ask)
        match = self._server.lobby.table("match-1").match
        table: View = view(match.position, None)
        assert seen(ask.view) == seen(table)
        known = ("asked", "turn", "moved", "moves", "steps", "took_cloud", "round", "mode", "active")
        if table.cloud is CloudTime.EITHER and match.pending is not None and match.pending.kind != "assistant":
            assert [getattr(ask.view, key) for key in known] == [getattr(table, key) for key in known]
        assert match.pending is not None
        heads = {ours.tiles[0]: theirs.tiles[0] for ours, theirs in zip(ask.view.islands, table.islands, strict=True)}
        offered = {_renamed(action, heads) for action in ask.decision.choices}
        assert offered == {action for action in match.pending.choices if not _is_idle(action)}


def _renamed(action: Any, heads: dict[int, int]) -> Any:
    """Return a client's action with the rules' name of the island."""
    if isinstance(action, ToIsland | UseCharacter) and action.island is not None:
        return replace(action, island=heads[action.island])
    return action


def _is_idle(action: Action) -> bool:
    """Whether an action swaps equal students, which is legal and not offered."""
    return isinstance(action, UseCharacter) and action.give is not None and action.give == action.colour


@pytest.mark.parametrize(("count", "mode"), TABLES)
@pytest.mark.parametrize("seed", [1])
def test_a_match_of_our_clients_finishes(count: int, mode: str, seed: int) -> None:
    server = SimulatedServer(seed=seed)
    players: list[RandomPlayer] = [Watchful(server, seed * 10 + n) for n in range(count)]
    play_match(server, players, mode)
    outcome = server.match().outcome
    assert outcome is not None
    assert outcome.winners
    for n, player in enumerate(players):
        assert not [ask for ask in player.asked if ask.again], "nothing was refused"
        (over,) = player.over
        assert seen(over.view) == seen(truth(server)), "all have the same board"
        won = n in outcome.winners
        assert over.result is (
            Result.LOST if not won else Result.DRAWN if len(outcome.winners) == count else Result.WON
        )


@pytest.mark.slow
@pytest.mark.parametrize(("count", "mode"), TABLES)
def test_many_matches_finish(count: int, mode: str) -> None:
    for seed in range(100, 140):
        test_a_match_of_our_clients_finishes(count, mode, seed)


@pytest.mark.parametrize("cloud", [CloudTime.FIRST, CloudTime.LAST])
@pytest.mark.parametrize("mode", [Mode.SIMPLIFIED, Mode.EXPERT])
def test_a_table_of_another_dialect_keeps_its_cloud_rule(cloud: CloudTime, mode: Mode) -> None:
    server = SimulatedServer(seed=3)
    open_table(server, Options(mode, cloud), 3)
    players: list[RandomPlayer] = [Watchful(server, n) for n in range(3)]
    play_match(server, players, mode.value)
    assert server.match().setting.options.cloud is cloud
    assert not [ask for player in players for ask in player.asked if ask.again], "nothing was refused"
    assert {ask.decision.kind for ask in players[0].asked} == {"assistant", "student", "steps", "cloud"}


class Sitter:
    """A guest without a protocol, such as a bot: it acts on the notification."""

    def __init__(self, server: SimulatedServer, name: str, count: int, mode: str, seed: int) -> None:
        self._random = Random(seed)
        self._server = server
        self.wants = False
        self._guest = Guest(self._tell)
        options = Options(Mode(mode), CloudTime.LAST)
        server.lobby.do(self._guest, Seek("eriantys", count, Player(name, "bot"), options, terms=(mode,)))

    def _tell(self, notification: object) -> None:
        self.wants = self.wants or isinstance(notification, Step)

    def act(self) -> bool:
        """Make all pending moves of the seat; return whether there was one."""
        self.wants = False
        table = self._guest.table
        acted = False
        while table is not None and table.match.pending is not None:
            seats = table.match.pending.seats
            mine = [n for n in seats if n >= 0 and (table.match.players[n] or Player()).dialect == "bot"]
            if not mine or table.match.pending is None:
                break
            choice = self._random.choice(tuple(table.match.pending.choices))
            self._server.lobby.do(self._guest, Act(mine[0], (choice,)))
            acted = True
        return acted


@pytest.mark.parametrize("mode", ["simplified", "expert"])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("name", ["bot", ""])
def test_a_match_with_a_player_of_another_dialect_finishes(mode: str, first: bool, name: str) -> None:
    server = SimulatedServer(seed=4)
    players: list[RandomPlayer] = [Watchful(server, n) for n in range(2)]
    sitter = Sitter(server, name, 3, mode, 5) if first else None
    pairs = [seat(server, player, NAMES[n], 3, mode) for n, player in enumerate(players)]
    play_together(server, pairs)
    sitter = sitter or Sitter(server, name, 3, mode, 5)
    play_together(server, pairs)
    while sitter.act():
        play_together(server, pairs)
    assert server.match().outcome is not None
    for player in players:
        assert seen(player.over[0].view) == seen(truth(server))


@pytest.mark.parametrize(("count", "mode"), TABLES)
def test_events_change_only_the_parts_they_declare(count: int, mode: str) -> None:
    random = Random(count)
    position = new(Options(Mode(mode), CloudTime.EITHER), count)
    while (decision := pending(position)) is not None:
        before = view(position, None)
        choices = decision.choices
        action = choices.draw(random.randrange) if isinstance(choices, Draw) else random.choice(tuple(choices))
        seat = decision.seats[0]
        position, happened = apply(position, seat if seat >= 0 else CHANCE, action)
        telling = StepReport(before, view(position, None), happened, NAMES[:count])
        told = {part for event in happened for part in TELL_GAME[type(event)]}
        for part, show in _SHOW.items():
            assert part in told or not list(show(telling)), f"{happened} changes {part.name}"
        assert display(telling).count(b"\n") == sum(len(list(_SHOW[part](telling))) for part in told)
