"""Swiss rounds with seats follow FIDE's Dutch system, and arenas pair those who wait."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from boardwire.competition.pairings import SwissEntrant, arena_pairs, dutch_round


def field(count: int) -> dict[int, SwissEntrant]:
    return {number: SwissEntrant(number) for number in range(count)}


def play(
    entrants: dict[int, SwissEntrant], result: Callable[[int, int], float]
) -> tuple[list[tuple[int, ...]], int | None]:
    """Pair a round, enter its results (`result` gives the points of the first seat) and return the pairs."""
    pairs, bye = dutch_round(list(entrants.values()))
    for one, other in pairs:
        got = result(one, other)
        for number, opponent, seat, points in ((one, other, 0, got), (other, one, 1, 1 - got)):
            before = entrants[number]
            entrants[number] = replace(
                before,
                points=before.points + points,
                opponents=before.opponents | {opponent},
                seats=(*before.seats, seat),
            )
    if bye is not None:
        entrants[bye] = replace(entrants[bye], points=entrants[bye].points + 1, had_bye=True)
    return pairs, bye


def better_wins(one: int, other: int) -> float:
    return float(one < other)


PUBLISHED = {
    6: "1-4 5-2 3-6 | 2-1 4-3 6-5 | 1-3 6-2 5-4",
    8: "1-5 6-2 3-7 8-4 | 4-1 2-3 5-8 7-6 | 1-2 3-5 6-4 8-7",
    16: "1-9 10-2 3-11 12-4 5-13 14-6 7-15 16-8 | 6-1 2-5 8-3 4-7 9-14 13-10 11-16 15-12"
    " | 1-4 3-2 5-9 10-6 7-11 12-8 16-13 14-15",
}
"""Rounds without upsets by FIDE's Dutch system (C.04.3), the first seat before the dash; checked with py4swiss 0.3.1.

With 8, the winners of the first round are 1, 2, 3 and 4.  1 and 3 both had the first seat, so 1-3 would clash, and the
next order of the lower half is 4-1, 2-3.  With 6, the group of three sends its lowest, 3, down to meet 4.
"""


@pytest.mark.parametrize("count", PUBLISHED)
def test_rounds_without_upsets_are_those_of_the_dutch_system(count: int) -> None:
    entrants = field(count)
    for line in PUBLISHED[count].split("|"):
        pairs, bye = play(entrants, better_wins)
        assert [f"{one + 1}-{other + 1}" for one, other in pairs] == line.split()
        assert bye is None


def test_the_lowest_without_a_bye_gets_it_once() -> None:
    entrants = field(5)
    byes = [play(entrants, better_wins)[1] for _ in range(4)]
    assert byes[0] == 4
    assert len(set(byes)) == 4


def test_six_entrants_can_play_all_five_rounds() -> None:
    entrants = field(6)
    for _ in range(5):
        play(entrants, better_wins)
    assert all(len(one.opponents) == 5 for one in entrants.values())


def test_when_all_have_met_encounters_are_repeated() -> None:
    entrants = field(4)
    for _ in range(4):
        pairs, _ = play(entrants, better_wins)
        assert sorted(number for pair in pairs for number in pair) == [0, 1, 2, 3]


@pytest.mark.parametrize(("seats", "due", "must_have"), [
    ((), None, False), ((0,), 1, False), ((0, 1), 0, False), ((0, 0), 1, True), ((1, 0, 0), 1, True),
    ((1, 1, 0, 1), 0, True),
])  # fmt: skip
def test_the_due_seat_evens_out_and_two_in_a_row_make_it_mandatory(
    seats: tuple[int, ...], due: int | None, must_have: bool
) -> None:
    one = SwissEntrant(0, seats=seats)
    assert (one.due_seat, one.must_have_due_seat) == (due, must_have)


@settings(max_examples=60, deadline=None)
@given(count=st.integers(2, 40), rounds=st.integers(1, 9), seed=st.integers(0, 2**32), draws=st.floats(0, 0.5))
def test_laws_of_a_swiss_tournament(count: int, rounds: int, seed: int, draws: float) -> None:
    luck, entrants = Random(seed), field(count)
    rounds = min(rounds, max(1, count // 2))
    for _ in range(rounds):
        before = dict(entrants)
        pairs, bye = play(entrants, lambda one, other: 0.5 if luck.random() < draws else float(luck.random() < 0.5))
        numbers = [number for pair in pairs for number in pair] + ([] if bye is None else [bye])
        assert sorted(numbers) == list(range(count)), "everyone is paired or has the bye"
        assert (bye is not None) == bool(count % 2)
        assert bye is None or not before[bye].had_bye
        assert not any(other in before[one].opponents for one, other in pairs), "no two meet again"
    assert dutch_round(list(entrants.values())) == dutch_round(list(entrants.values())[::-1])


@settings(max_examples=20, deadline=None)
@given(count=st.integers(40, 120), seed=st.integers(0, 2**32))
def test_seats_stay_balanced_in_large_fields(count: int, seed: int) -> None:
    luck, entrants = Random(seed), field(count)
    for _ in range(7):
        play(entrants, lambda one, other: luck.choice((0.0, 0.5, 1.0)))
        for one in entrants.values():
            assert abs(one.seats.count(0) - one.seats.count(1)) <= 2
            assert one.seats[-3:] not in ((0, 0, 0), (1, 1, 1))


def test_opponents_have_the_same_points_where_groups_are_large() -> None:
    luck, entrants = Random(5), field(1000)
    for _ in range(9):
        before = dict(entrants)
        pairs, _ = play(entrants, lambda one, other: float(luck.random() < 0.5))
        apart = sum(before[one].points != before[other].points for one, other in pairs)
        assert apart <= 20


def test_an_arena_pairs_neighbours_but_not_the_same_twice_in_a_row() -> None:
    waiting = [SwissEntrant(number, points=3.0 - number) for number in range(4)]
    assert {frozenset(pair) for pair in arena_pairs(waiting, {})} == {frozenset({0, 1}), frozenset({2, 3})}
    last = {0: 1, 1: 0, 2: 3, 3: 2}
    assert {frozenset(pair) for pair in arena_pairs(waiting, last)} == {frozenset({0, 2}), frozenset({1, 3})}


def test_two_who_are_alone_in_an_arena_meet_again() -> None:
    waiting = [SwissEntrant(0, seats=(0,)), SwissEntrant(1, seats=(1,))]
    assert arena_pairs(waiting, {0: 1, 1: 0}) == [(1, 0)]
