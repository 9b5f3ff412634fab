"""Whole matches of this project's clients and server."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle, islice

import pytest

from boardwire.dialects.dialect import Ask, Dialect, Over, Result, Show
from boardwire.games.santorini import Draft, God, Kind, Options, view
from boardwire.simulation.server import SimulatedServer

from .players import DOCUMENT, SHIPPED, Raw, actions, open_table, play_match, results


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("editions", [[DOCUMENT], [SHIPPED], [DOCUMENT, SHIPPED]])
def test_random_clients_play_to_the_end_and_agree_with_the_table(editions: list[Dialect], seats: int) -> None:
    check_matches(editions, seats, range(2))


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3])
def test_many_random_matches_end_and_agree_with_the_table(seats: int) -> None:
    check_matches([DOCUMENT, SHIPPED], seats, range(100, 300))


def check_matches(editions: list[Dialect], seats: int, seeds: Iterable[int]) -> None:
    """Play matches and check that the table, the winner and the losers agree."""
    for seed in seeds:
        dialects = list(islice(cycle(editions), seats))
        server, players = play_match(dialects, seed)
        match = server.match()
        assert match.outcome is not None
        assert sorted(results(players)) == sorted([Result.WON, *[Result.LOST] * (seats - 1)])
        (winner,) = match.outcome.winners
        assert results(players)[winner] is Result.WON
        final = view(match.position, None)
        assert players[winner].over[0].view.levels == final.levels
        assert players[winner].over[0].view.domes == final.domes


def test_every_kind_of_question_comes_up_in_some_match() -> None:
    asked = set()
    for seed in range(8):
        _, players = play_match([DOCUMENT, SHIPPED], seed + 100)
        asked |= {kind for player in players for kind in player.asked}
    turn = {Kind.OPEN, Kind.GO_ON, Kind.BUILD_MORE, Kind.CLOSE}
    assert asked == {Kind.PROPOSE_GOD, Kind.PICK_GOD, Kind.PLACE_WORKER, *turn}


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(draft=Draft.GIVEN, gods=(God.APOLLO, God.PROMETHEUS)),
        Options(draft=Draft.RANDOM),
        Options(draft=Draft.CHALLENGER),
        Options(draft=Draft.PRINTED),
        Options(draft=Draft.FIRST_PROPOSES),
        Options(draft=Draft.TOGETHER),
        Options(draft=Draft.TWO_ROUNDS),
        Options(draft=Draft.ONLINE),
        Options(draft=Draft.FLEECE, gods=(God.ARTEMIS,)),
        Options(draft=Draft.POSITION, position="0000000000000000000000000/1/zeus:B3,D3/ares:C4,C2"),
    ],
    ids=lambda options: str(options.draft),
)
def test_a_table_with_any_set_up_can_be_joined_and_played_out(options: Options) -> None:
    for seed in range(2):
        server = SimulatedServer(seed=seed)
        open_table(server, options)
        _, players = play_match([DOCUMENT, SHIPPED], seed, server)
        assert server.match("match-1").outcome is not None
        assert sorted(results(players)) == [Result.LOST, Result.WON]


@pytest.mark.slow  # tests/dialects/test_mixed_tables.py tries the set-ups with three dialects
@pytest.mark.parametrize(
    "draft", [Draft.NONE, Draft.RANDOM, Draft.CHALLENGER, Draft.PRINTED, Draft.TOGETHER, Draft.TWO_ROUNDS, Draft.ONLINE]
)
def test_three_can_play_at_a_table_with_any_set_up(draft: Draft) -> None:
    server = SimulatedServer(seed=5)
    open_table(server, Options(draft=draft), 3)
    play_match([SHIPPED, DOCUMENT, DOCUMENT], 5, server)
    assert server.match("match-1").outcome is not None


FOREIGN = ("BIA", "CHARON", "DIONYSUS", "EUROPA", "GRAEAE", "HECATE", "HERMES", "MEDUSA", "SIREN")


@pytest.mark.parametrize("god", [God[name] for name in FOREIGN])
def test_an_assigned_god_outside_the_protocol_does_not_stop_the_match(god: God) -> None:
    """Its actions without a name are answered by defaults."""
    for seed in range(2):
        server = SimulatedServer(seed=seed)
        open_table(server, Options(draft=Draft.GIVEN, gods=(god, God.PAN), bans=False))
        play_match([DOCUMENT, SHIPPED], seed, server)
        assert server.match("match-1").outcome is not None


def test_gods_outside_the_protocol_are_never_proposed_or_dealt() -> None:
    for seed in range(3):
        server = SimulatedServer(seed=seed)
        open_table(server, Options(draft=Draft.RANDOM))
        play_match([DOCUMENT, DOCUMENT], seed, server)
        assert set(server.match("match-1").position.lineup.cards) <= set(server.match("match-1").setting.options.pool)
        assert God.HERMES not in server.match("match-1").setting.options.pool


def test_a_client_sees_its_board_and_every_question_with_a_view() -> None:
    _, players = play_match([DOCUMENT, DOCUMENT], 3)
    for player in players:
        assert any(isinstance(one, Show) for one in player.told)
        for one in player.told:
            if isinstance(one, Ask | Show | Over):
                assert len(one.view.levels) == 25
                assert len(one.view.workers) == 2


def test_the_last_board_of_a_step_equals_the_position_of_the_table() -> None:
    """Applying the events of a moment one by one gives the position after it."""
    from boardwire.dialects.santorini_actions.messages.battlefield import board_encoder
    from boardwire.dialects.santorini_actions.participant import cells
    from boardwire.dialects.santorini_actions.tell import CHANGES, boards_of
    from boardwire.table.match import replay_events, split_opening

    several = 0
    for seed in range(5):
        server, _ = play_match([DOCUMENT] * (2 + seed % 2), seed)
        match, rest = split_opening(server.events())
        seats = board_encoder(("a", "b", "c"))
        for moment in replay_events(match, rest):
            if any(type(one) in CHANGES for one in moment.happened):
                boards = boards_of(match.position, moment, seats)
                several += len(boards) > 1
                assert boards[-1] == cells(moment.match.position, seats)
            match = moment.match
    assert several > 5


def test_a_god_with_restricted_placement_gets_legal_cells_if_the_client_names_others() -> None:
    """Bia places only on the border, which no message says. An occupied cell is refused all the same."""
    server = SimulatedServer(seed=0)
    open_table(server, Options(draft=Draft.GIVEN, gods=(God.BIA, God.PAN)))
    ann, bill = Raw(server, DOCUMENT, "ann"), Raw(server, DOCUMENT, "bill")
    for client in (ann, bill):
        client.join()
    ann.say("setPlayerCard", playerNickname="ann", card="BIA")
    places = [{"workerID": number, "x": 2, "y": 2 + number} for number in range(2)]
    ann.say("setWorkersPosition", playerNickname="ann", workersPosition=places)
    assert server.match().position.workers[0] == (0, 1)
    bill.say("setPlayerCard", playerNickname="bill", card="PAN")
    places = [{"workerID": number, "x": 0, "y": number} for number in range(2)]
    assert actions(bill.say("setWorkersPosition", playerNickname="bill", workersPosition=places)) == ["serverError"]
