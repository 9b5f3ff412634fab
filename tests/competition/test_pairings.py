"""Pairings follow the published tables and the stated rules."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations, permutations
from random import Random

import pytest

from boardwire.competition.pairings import (
    Encounter,
    Entrants,
    Format,
    Played,
    bracket,
    check_format,
    gauntlet,
    knockout_order,
    knockout_round,
    ladder_order,
    ladder_round,
    neighbours,
    next_encounters,
    round_robin,
    seat_order,
    seat_orders,
    swiss_order,
    swiss_points,
    swiss_round,
)
from boardwire.errors import Malformed

BERGER_8 = """
1-8 2-7 3-6 4-5
8-5 6-4 7-3 1-2
2-8 3-1 4-7 5-6
8-6 7-5 1-4 2-3
3-8 4-2 5-1 6-7
8-7 1-6 2-5 3-4
4-8 5-3 6-2 7-1
"""
"""Berger's table for 7 or 8 players as the FIDE Handbook prints it (C.05, annex 1)."""


def pairs_of(text: str) -> list[tuple[int, ...]]:
    return [tuple(int(number) - 1 for number in pair.split("-")) for pair in text.split()]


def played(pairs: list[Entrants], winner: Callable[[int, int], int | None], number: int = 0) -> list[Played]:
    """A round in which these entrants win; None is a draw."""
    found = []
    for table, (one, other) in enumerate(pairs):
        best = winner(one, other)
        points = (1.0, 1.0) if best is None else (2.0, 0.0) if best == one else (0.0, 2.0)
        found.append(Played(Encounter(number, table, (one, other)), points))
    return found


def test_round_robin_of_eight_is_bergers_table() -> None:
    assert round_robin(8) == [pairs_of(line) for line in BERGER_8.split("\n") if line]


def test_with_seven_the_opponent_of_the_eighth_is_free() -> None:
    table = [[pair for pair in pairs_of(line) if 7 not in pair] for line in BERGER_8.split("\n") if line]
    assert round_robin(7) == table


@pytest.mark.parametrize("entrants", range(2, 12))
def test_all_meet_all_once_and_first_seats_are_shared_out(entrants: int) -> None:
    pairs = [pair for each in round_robin(entrants) for pair in each]
    assert sorted(map(sorted, pairs)) == sorted(map(list, combinations(range(entrants), 2)))
    first = Counter(pair[0] for pair in pairs)
    assert max(first.values()) - min(first[number] for number in range(entrants)) <= 1
    for each in round_robin(entrants):
        seated = [number for pair in each for number in pair]
        assert len(seated) == len(set(seated))


def test_groups_of_three_meet_in_every_combination() -> None:
    assert [group for (group,) in round_robin(5, 3)] == list(combinations(range(5), 3))


def test_a_gauntlet_is_the_first_against_all_others() -> None:
    assert gauntlet(4) == [[(0, 1)], [(0, 2)], [(0, 3)]]
    assert gauntlet(4, challengers=2) == [[(0, 2)], [(1, 2)], [(0, 3)], [(1, 3)]]
    assert gauntlet(4, sides=3) == [[(0, 1, 2)], [(0, 1, 3)], [(0, 2, 3)]]


def test_neighbours_meet_the_next_in_the_list() -> None:
    assert neighbours(4) == [[(1, 0), (2, 1), (3, 2)]]


@pytest.mark.parametrize("sides", [2, 3, 4])
def test_each_set_of_matches_gives_every_entrant_every_seat_once(sides: int) -> None:
    orders = seat_orders(sides)
    assert sorted(orders) == sorted(permutations(range(sides)))
    for start in range(0, len(orders), sides):
        for seat in range(sides):
            assert {order[seat] for order in orders[start : start + sides]} == set(range(sides))
    assert seat_order((7, 9), 0) == (7, 9)
    assert seat_order((7, 9), 1) == (9, 7)
    assert seat_order((7, 9), 2) == (7, 9)


# --- Swiss ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entrants", "pairs"),
    [
        (8, "1-5 2-6 3-7 4-8"),
        (9, "1-5 2-6 3-7 4-8"),
        (16, "1-9 2-10 3-11 4-12 5-13 6-14 7-15 8-16"),
    ],
)
def test_the_first_swiss_round_is_that_of_the_dutch_system(entrants: int, pairs: str) -> None:
    """The pairs are those of py4swiss 0.3.1 (FIDE C.04.3); later rounds there depend on colours, which we swap."""
    assert swiss_round(entrants, []) == pairs_of(pairs)


def test_winners_meet_winners_top_half_against_bottom_half() -> None:
    first = played(swiss_round(8, []), min)
    assert swiss_round(8, [first]) == pairs_of("1-3 2-4 5-7 6-8")
    second = played(swiss_round(8, [first]), min, 1)
    assert swiss_round(8, [first, second]) == pairs_of("1-2 3-5 4-6 7-8"), "3 has met 1, so it meets 5 of its group"


def test_the_entrant_left_over_in_a_score_group_meets_the_best_of_the_next() -> None:
    first = played(pairs_of("1-4 2-5 3-6"), min)  # 1, 2, 3 have a point
    assert swiss_round(6, [first]) == pairs_of("1-2 3-4 5-6")


@pytest.mark.parametrize("entrants", [5, 6, 9, 16, 33])
def test_no_swiss_pair_meets_twice_and_no_one_has_two_byes(entrants: int) -> None:
    luck = Random(entrants)
    history: list[list[Played]] = []
    for number in range(min(entrants - 1, 7)):
        pairs = swiss_round(entrants, history)
        assert len(pairs) == entrants // 2
        history.append(played(pairs, lambda one, other: luck.choice((one, other, None)), number))
    met = [frozenset(one.encounter.entrants) for each in history for one in each]
    assert len(met) == len(set(met))
    _, byes = swiss_points(entrants, history)
    assert len(byes) == (len(history) if entrants % 2 else 0)


def test_a_bye_is_worth_a_point_and_goes_to_the_last_who_had_none() -> None:
    first = played(swiss_round(5, []), min)  # 5 has a bye
    points, byes = swiss_points(5, [first])
    assert points == [1, 1, 0, 0, 1]
    assert byes == {4}
    assert 3 not in {number for pair in swiss_round(5, [first]) for number in pair}


def test_equal_points_are_ordered_by_those_of_the_opponents() -> None:
    history = [played(pairs_of("1-3 2-4"), lambda one, other: None if 0 in (one, other) else one)]
    history.append(played(pairs_of("2-1 3-4"), lambda one, other: one, 1))
    assert swiss_points(4, history)[0] == [0.5, 2, 1.5, 0]
    assert swiss_order(4, history) == [1, 2, 0, 3]
    level = [played(pairs_of("1-2 3-4"), lambda one, other: one), played(pairs_of("3-1 2-4"), lambda one, other: None)]
    assert swiss_points(4, level)[0] == [1.5, 0.5, 1.5, 0.5]
    assert swiss_order(4, level) == [0, 2, 1, 3]


def test_repeats_are_allowed_only_when_there_is_no_other_way() -> None:
    history = [played(pairs_of(text), min) for text in ("1-3 2-4", "1-2 3-4", "1-4 2-3")]
    assert len(swiss_round(4, history)) == 2


# --- knockout -------------------------------------------------------------------------------------------------------


def test_the_draw_keeps_the_best_seeds_apart() -> None:
    assert bracket(8) == [0, 7, 3, 4, 1, 6, 2, 5]
    assert bracket(5) == [0, None, 3, 4, 1, None, 2, None]


def test_a_knockout_without_upsets_ends_with_the_best_two() -> None:
    history: list[list[Played]] = []
    expected = ["1-8 4-5 2-7 3-6", "1-4 2-3", "1-2"]
    for number, text in enumerate(expected):
        assert knockout_round(8, history) == pairs_of(text)
        history.append(played(knockout_round(8, history), min, number))
    assert knockout_round(8, history) == []
    assert knockout_order(8, history) == [0, 1, 2, 3, 4, 5, 6, 7]


def test_an_upset_takes_the_place_in_the_draw() -> None:
    assert knockout_round(4, []) == pairs_of("1-4 2-3")
    assert knockout_round(4, [played(pairs_of("1-4 2-3"), max)]) == pairs_of("4-3")
    final = [played(pairs_of("1-4 2-3"), max), played(pairs_of("4-3"), max)]
    assert knockout_round(4, final) == []
    assert knockout_order(4, final) == [3, 2, 0, 1]


def test_a_level_encounter_is_repeated_with_swapped_seats_and_then_the_better_seed_advances() -> None:
    history = [played(pairs_of("1-4 2-3"), lambda one, other: None if 0 in (one, other) else one)]
    assert knockout_round(4, history) == pairs_of("4-1")
    history.append(played(pairs_of("4-1"), lambda one, other: None))
    assert knockout_round(4, history) == pairs_of("1-4")
    history.append(played(pairs_of("1-4"), lambda one, other: None))
    assert knockout_round(4, history) == pairs_of("1-2")


# --- ladder ---------------------------------------------------------------------------------------------------------


def test_a_challenger_that_wins_takes_the_higher_rung() -> None:
    assert ladder_round(4, []) == [(1, 0), (3, 2)]
    history = [played(ladder_round(4, []), max)]
    assert ladder_order(4, history) == [1, 0, 3, 2]
    assert ladder_round(4, history) == [(3, 0)]
    history.append(played(ladder_round(4, history), lambda one, other: None))
    assert ladder_order(4, history) == [1, 0, 3, 2]


def test_the_strongest_climbs_from_the_lowest_rung_to_the_top() -> None:
    history: list[list[Played]] = []
    for number in range(6):
        history.append(played(ladder_round(6, history), max, number))
    assert ladder_order(6, history)[0] == 5


# --- by format ------------------------------------------------------------------------------------------------------


def test_a_static_format_is_known_at_once_and_seats_change_with_each_cycle() -> None:
    found = next_encounters(Format.ROUND_ROBIN, 3, 2, 2, [])
    assert [one.entrants for one in found[:3]] == [one.entrants[::-1] for one in found[3:]]
    assert [one.round for one in found] == [0, 1, 2, 3, 4, 5]
    assert next_encounters(Format.ROUND_ROBIN, 3, 2, 2, [[]]) == []


@pytest.mark.parametrize("form", [Format.SWISS, Format.LADDER])
def test_a_dynamic_format_ends_after_its_rounds(form: Format) -> None:
    history: list[list[Played]] = []
    while encounters := next_encounters(form, 4, 2, 3, history):
        history.append(played([one.entrants for one in encounters], min, len(history)))
    assert len(history) == 3


def test_formats_that_cannot_be_played_are_refused() -> None:
    for form, entrants, sides, rounds, words in (
        (Format.SWISS, 4, 3, 1, "use gauntlet or round-robin"),
        (Format.ROUND_ROBIN, 2, 3, 1, "3 sides, but there are only 2 participants"),
        (Format.SWISS, 4, 2, 4, "4 participants have at most 3 rounds"),
    ):
        with pytest.raises(Malformed, match=words):
            check_format(form, entrants, sides, rounds)
