"""The arithmetic of measurements."""

import pytest
from bench.figures import Quartiles, Sample, percentile, quartiles, ratios


def test_the_spread_of_five_numbers_is_the_second_third_and_fourth_of_them_in_order() -> None:
    assert quartiles([50, 10, 30, 20, 40]) == Quartiles(20, 30, 40)


def test_quartiles_between_two_numbers_lie_between_them() -> None:
    assert quartiles([1, 2, 3, 4]) == Quartiles(1.75, 2.5, 3.25)


def test_one_number_is_its_own_spread() -> None:
    assert quartiles([7.5]) == Quartiles(7.5, 7.5, 7.5)


def test_a_ratio_is_of_the_same_round_and_not_of_the_medians() -> None:
    """The machine was twice as slow in every second round, for both."""
    base, ours = [100.0, 50.0, 100.0, 50.0, 90.0], [150.0, 75.0, 150.0, 75.0, 180.0]
    assert ratios(ours, base) == Quartiles(1.5, 1.5, 1.5)
    assert quartiles(ours).median / quartiles(base).median != 1.5


def test_rounds_that_do_not_belong_together_have_no_ratio() -> None:
    with pytest.raises(ValueError):
        ratios([1.0], [1.0, 2.0])


def test_a_rank_is_the_time_that_a_share_of_all_is_not_above() -> None:
    times = [0.5, 0.1, 0.2, 0.3, 0.4]
    assert percentile(times, 0.5) == 0.3
    assert percentile(times, 0.99) == 0.5
    assert percentile(times, 1.0) == 0.5
    assert percentile([], 0.5) == 0.0


def test_a_rate_is_moves_by_the_cpu_time_of_the_server_and_not_by_the_time_that_passed() -> None:
    assert Sample(moves=3000, seconds=4.0, cpu=1.5).rate == 2000.0
