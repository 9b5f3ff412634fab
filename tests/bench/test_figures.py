"""The arithmetic of measurements."""

import pytest
from bench.figures import Sample, Spread, ranked, ratios, spread


def test_the_spread_of_five_numbers_is_the_second_third_and_fourth_of_them_in_order() -> None:
    assert spread([50, 10, 30, 20, 40]) == Spread(20, 30, 40)


def test_quartiles_between_two_numbers_lie_between_them() -> None:
    assert spread([1, 2, 3, 4]) == Spread(1.75, 2.5, 3.25)


def test_one_number_is_its_own_spread() -> None:
    assert spread([7.5]) == Spread(7.5, 7.5, 7.5)


def test_a_ratio_is_of_the_same_round_and_not_of_the_medians() -> None:
    """The machine was twice as slow in every second round, for both."""
    base, ours = [100.0, 50.0, 100.0, 50.0, 90.0], [150.0, 75.0, 150.0, 75.0, 180.0]
    assert ratios(ours, base) == Spread(1.5, 1.5, 1.5)
    assert spread(ours).middle / spread(base).middle != 1.5


def test_rounds_that_do_not_belong_together_have_no_ratio() -> None:
    with pytest.raises(ValueError):
        ratios([1.0], [1.0, 2.0])


def test_a_rank_is_the_time_that_a_share_of_all_is_not_above() -> None:
    times = [0.5, 0.1, 0.2, 0.3, 0.4]
    assert ranked(times, 0.5) == 0.3
    assert ranked(times, 0.99) == 0.5
    assert ranked(times, 1.0) == 0.5
    assert ranked([], 0.5) == 0.0


def test_a_rate_is_moves_by_the_cpu_time_of_the_server_and_not_by_the_time_that_passed() -> None:
    assert Sample(moves=3000, seconds=4.0, cpu=1.5).rate == 2000.0
