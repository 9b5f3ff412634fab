"""A tournament is decided by its setup, its participants and the results of their matches."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from boardwire.errors import Reason, Refused
from boardwire.games.game import Outcome
from boardwire.table import commands as cmd
from boardwire.table.decide import decide as decide_match
from boardwire.table.events import Opened, Player
from boardwire.table.match import Match, match_of_opening
from boardwire.table.policy import Leaving, Policy
from boardwire.table.termination import Termination
from boardwire.tournaments import decide
from boardwire.tournaments import events as ev
from boardwire.tournaments.events import Entrant, Event
from boardwire.tournaments.setup import TournamentFormat, TournamentSetup
from boardwire.tournaments.standings import standings
from boardwire.tournaments.tournament import Tournament, TournamentStatus, created, evolve, fold

ARENA, SWISS = TournamentFormat.ARENA, TournamentFormat.SWISS
ROUND_ROBIN, KNOCKOUT = TournamentFormat.ROUND_ROBIN, TournamentFormat.KNOCKOUT


class Play:
    """A tournament with its events, and matches that end as a script says."""

    def __init__(self, form: TournamentFormat, people: int, **setup: Any) -> None:
        minutes = 10.0 if form is ARENA else 0.0
        full = TournamentSetup("Cup", "tris", form, minutes=minutes, pause=0.0, **setup)
        self.now = 1000.0
        begun = ev.Created(self.now, "t", full, "boss")
        self.events: list[Event] = [begun]
        self.tournament = created(begun)
        for number in range(people):
            self.enter(f"player {number}")

    def add(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        for event in events:
            self.events.append(event)
            self.tournament = evolve(self.tournament, event)
        return events

    def enter(self, name: str) -> None:
        self.add(decide.enter(self.tournament, Entrant(name, key=name), self.now))

    def start(self) -> None:
        self.add(decide.start(self.tournament, self.now))

    def finish_board(self, number: int, place: int, match: Match | None) -> None:
        board = self.tournament.rounds[number].boards[place]
        if not board.match:
            self.add(decide.assign(self.tournament, number, place, f"m{self.tournament.seq}", self.now))
        self.add(decide.report(self.tournament, number, place, match, self.now))

    def play_round(self, winner: Callable[[int, int], int | None]) -> None:
        """Finish the boards that are open now."""
        for number, place, board in list(self.tournament.open_boards()):
            best = winner(*board.entrants)
            seats = () if best is None else (board.entrants.index(best),)
            self.finish_board(number, place, ended(Outcome("line", seats)))

    def run(self, winner: Callable[[int, int], int | None] = min) -> Tournament:
        while self.tournament.status is TournamentStatus.RUNNING:
            assert len(self.events) < 20_000
            self.now += 1.0
            self.add(decide.advance(self.tournament, self.now))
            self.play_round(winner)
        return self.tournament


def table() -> Match:
    policy = Policy(Leaving.HOLDS, 60.0)
    match = match_of_opening(Opened(0.0, "m", "tris@1", 2, {}, policy))
    for name in "ab":
        match = decide_match(match, cmd.Join(Player(name, key=name)), 0.0)[-1].match
    return match


def ended(outcome: Outcome) -> Match:
    return replace(table(), outcome=outcome)


def no_show(*seats: int) -> Match:
    """A match whose players of these seats never came."""
    match = table()
    for seat in seats:
        match = decide_match(match, cmd.Leave(seat, restart=True), 0.0)[-1].match
    return decide_match(match, cmd.TimeOut(seats[0]), 100.0)[-1].match


def names(tournament: Tournament) -> list[int]:
    return [row.number for row in standings(tournament)]


def test_a_swiss_tournament_without_upsets_ranks_the_seeds() -> None:
    play = Play(SWISS, 8)
    play.start()
    tournament = play.run()
    assert tournament.status is TournamentStatus.OVER
    assert len(tournament.rounds) == 3
    assert [row.points for row in standings(tournament)] == [3, 2, 2, 2, 1, 1, 1, 0]
    assert names(tournament)[0] == 0


def test_a_round_robin_meets_all_and_its_second_cycle_swaps_seats() -> None:
    play = Play(ROUND_ROBIN, 4, rounds=2)
    play.start()
    tournament = play.run()
    pairs = [board.entrants for one in tournament.rounds for board in one.boards]
    assert len(tournament.rounds) == 6
    assert sorted(pairs) == sorted((one, other) for one in range(4) for other in range(4) if one != other)
    assert names(tournament) == [0, 1, 2, 3]


def test_a_knockout_of_five_is_won_by_the_best_seed() -> None:
    play = Play(KNOCKOUT, 5)
    play.start()
    assert [board.entrants for board in play.tournament.rounds[0].boards] == [(3, 4)]
    assert names(play.run()) == [0, 1, 2, 3, 4]


def test_a_level_board_of_a_knockout_is_replayed_with_swapped_seats() -> None:
    play = Play(KNOCKOUT, 2)
    play.start()
    play.play_round(lambda one, other: None)
    assert [one.boards[0].entrants for one in play.tournament.rounds] == [(0, 1), (1, 0)]


def test_an_arena_pairs_at_once_and_ends_after_its_time() -> None:
    play = Play(ARENA, 5)
    play.start()
    assert len(list(play.tournament.open_boards())) == 2
    number, place, _ = next(play.tournament.open_boards())
    play.finish_board(number, place, ended(Outcome("line", (0,))))
    assert len(list(play.tournament.open_boards())) == 2, "those who wait meet at once"
    tournament = play.run()
    assert tournament.status is TournamentStatus.OVER
    assert tournament.ended_at >= tournament.ends_at
    for one, other in zip(tournament.rounds[0].boards, tournament.rounds[0].boards[1:], strict=False):
        assert set(one.entrants) != set(other.entrants)


def test_who_does_not_check_in_is_not_paired() -> None:
    play = Play(SWISS, 3, starts_at=2000.0, check_in=100.0)
    with pytest.raises(Refused, match="opens 100 seconds before"):
        decide.check_in(play.tournament, 0, play.now)
    play.now = 1950.0
    for number in (0, 2):
        play.add(decide.check_in(play.tournament, number, play.now))
    assert decide.advance(play.tournament, 1999.0) == ()
    play.add(decide.advance(play.tournament, 2000.0))
    assert play.tournament.order == (0, 2)
    assert play.tournament.entrants[1].withdrawn


def test_fewer_than_two_participants_cancel_the_tournament() -> None:
    play = Play(SWISS, 1, starts_at=2000.0)
    play.add(decide.advance(play.tournament, 2000.0))
    assert (play.tournament.status, play.tournament.reason) == (TournamentStatus.CANCELLED, "too-few")


def test_a_late_participant_starts_without_points_and_gets_paired() -> None:
    play = Play(SWISS, 4, rounds=3)
    play.start()
    play.enter("late")
    play.play_round(min)
    round_two = play.tournament.rounds[1]
    assert 4 in {number for board in round_two.boards for number in board.entrants} | set(round_two.byes)
    play.play_round(min)
    with pytest.raises(Refused, match="admits no more"):
        play.enter("too late")


def test_a_round_robin_admits_no_one_after_its_start() -> None:
    play = Play(ROUND_ROBIN, 3)
    play.start()
    with pytest.raises(Refused, match="admits no more"):
        play.enter("late")


def test_a_withdrawn_opponent_is_a_walkover() -> None:
    play = Play(ROUND_ROBIN, 4)
    play.start()
    play.add(decide.withdraw(play.tournament, 0, play.now))
    play.play_round(min)
    boards = [board for one in play.tournament.rounds[1:] for board in one.boards if 0 in board.entrants]
    assert boards
    assert all(board.termination == decide.WALKOVER and board.points is not None for board in boards)
    assert all(board.points[board.entrants.index(0)] == 0.0 for board in boards if board.points)


def test_a_withdrawn_participant_of_a_swiss_rejoins() -> None:
    play = Play(SWISS, 6, rounds=4)
    play.start()
    play.add(decide.withdraw(play.tournament, 5, play.now))
    play.play_round(min)
    assert 5 not in {number for board in play.tournament.rounds[1].boards for number in board.entrants}
    play.enter("player 5")
    play.play_round(min)
    third = play.tournament.rounds[2]
    assert 5 in {number for board in third.boards for number in board.entrants} | set(third.byes)


def test_who_does_not_come_to_the_match_loses_and_is_withdrawn() -> None:
    play = Play(SWISS, 2, rounds=1)
    play.start()
    play.finish_board(0, 0, no_show(1))
    board = play.tournament.rounds[0].boards[0]
    assert (board.points, board.termination) == ((1.0, 0.0), decide.NO_SHOW)
    assert play.tournament.entrants[board.entrants[1]].withdrawn


def test_if_both_do_not_come_neither_gets_points() -> None:
    play = Play(SWISS, 2, rounds=1)
    play.start()
    play.finish_board(0, 0, no_show(0, 1))
    assert play.tournament.rounds[0].boards[0].points == (0.0, 0.0)


def test_a_match_that_the_server_interrupted_is_repeated_then_drawn() -> None:
    play = Play(SWISS, 2, rounds=1)
    play.start()
    interrupted = ended(Outcome(Termination.INTERRUPTED))
    for _ in range(decide.MAX_MATCHES_PER_BOARD - 1):
        play.add(decide.assign(play.tournament, 0, 0, "m", play.now))
        assert decide.report(play.tournament, 0, 0, interrupted, play.now) == ()
    play.add(decide.assign(play.tournament, 0, 0, "m", play.now))
    play.add(decide.report(play.tournament, 0, 0, interrupted, play.now))
    assert play.tournament.rounds[0].boards[0].points == (0.5, 0.5)
    assert play.tournament.status is TournamentStatus.OVER


def test_a_second_report_of_a_result_changes_nothing() -> None:
    play = Play(SWISS, 4, rounds=3)
    play.start()
    play.finish_board(0, 0, ended(Outcome("line", (0,))))
    assert decide.report(play.tournament, 0, 0, ended(Outcome("line", (1,))), play.now) == ()


def test_entering_twice_changes_nothing_and_a_name_is_taken_once() -> None:
    play = Play(SWISS, 2)
    assert decide.enter(play.tournament, Entrant("other", key="player 0"), play.now) == ()
    with pytest.raises(Refused, match="the name 'player 0' is taken"):
        decide.enter(play.tournament, Entrant("player 0", key="x"), play.now)


def test_a_full_tournament_admits_no_more() -> None:
    play = Play(SWISS, 2, max_entrants=2)
    with pytest.raises(Refused, match="it admits 2 participants"):
        play.enter("third")


def test_after_the_end_every_request_is_refused() -> None:
    play = Play(SWISS, 2)
    play.add(decide.cancel(play.tournament, play.now))
    for request in (decide.withdraw, decide.check_in):
        with pytest.raises(Refused, match="over"):
            request(play.tournament, 0, play.now)
    with pytest.raises(Refused, match="over"):
        play.enter("late")


def test_the_initial_order_is_by_rating() -> None:
    play = Play(SWISS, 0)
    for name, rating in (("a", 1.0), ("b", 3.0), ("c", 2.0)):
        play.add(decide.enter(play.tournament, Entrant(name, key=name, rating=rating), play.now))
    play.start()
    assert play.tournament.order == (1, 2, 0)


@settings(max_examples=40, deadline=None)
@given(
    form=st.sampled_from(TournamentFormat),
    people=st.integers(2, 12),
    seed=st.integers(0, 2**32),
    rounds=st.integers(0, 4),
)
def test_laws_of_every_format(form: TournamentFormat, people: int, seed: int, rounds: int) -> None:
    luck = Random(seed)
    play = Play(form, people, rounds=rounds)
    play.start()
    while play.tournament.status is TournamentStatus.RUNNING:
        assert len(play.events) < 5000
        play.now += luck.choice((1.0, 30.0))
        play.add(decide.advance(play.tournament, play.now))
        busy = [number for _, _, board in play.tournament.open_boards() for number in board.entrants]
        assert len(busy) == len(set(busy)), "no participant is paired twice at a time"
        for number, place, board in list(play.tournament.open_boards()):
            match = no_show(luck.randrange(2)) if luck.random() < 0.1 else ended(
                Outcome("line", luck.choice(((), (0,), (1,))))
            )  # fmt: skip
            play.finish_board(number, place, match)
            if luck.random() < 0.1:
                play.add(decide.withdraw(play.tournament, luck.choice(board.entrants), play.now) if
                         play.tournament.status is TournamentStatus.RUNNING else ())  # fmt: skip
    assert fold(play.events) == play.tournament
    assert fold([ev.decode(ev.encode(event)) for event in play.events]) == play.tournament
    rows = standings(play.tournament)
    assert sorted(row.number for row in rows) == sorted(play.tournament.order)
    assert [row.rank for row in rows] == list(range(1, len(rows) + 1))


def test_a_rated_tournament_admits_accounts_and_bots_alone() -> None:
    play = Play(SWISS, 0, rated=True)
    with pytest.raises(Refused) as refused:
        play.enter("guest")
    assert refused.value.reason is Reason.NO_ACCOUNT
    for entrant in (Entrant("ann", key="a", account=7), Entrant("greedy #1", bot="greedy")):
        assert play.add(decide.enter(play.tournament, entrant, play.now))
    assert play.tournament.setup.policy.rated is True
    assert Play(SWISS, 2).tournament.setup.policy == TournamentSetup("Cup", "tris", SWISS).policy, "as before"
