"""Statistics of measurements."""

import pytest
from bench.figures import Quartiles, Sample, percentile, quartiles, ratios


def test_the_quartiles_of_five_numbers_are_the_second_third_and_fourth_in_order() -> None:
    assert quartiles([50, 10, 30, 20, 40]) == Quartiles(20, 30, 40)


def test_quartiles_between_two_numbers_are_interpolated() -> None:
    assert quartiles([1, 2, 3, 4]) == Quartiles(1.75, 2.5, 3.25)


def test_the_quartiles_of_one_number_are_that_number() -> None:
    assert quartiles([7.5]) == Quartiles(7.5, 7.5, 7.5)


def test_ratios_are_taken_round_by_round_and_not_from_the_medians() -> None:
    """Every second round ran on a machine at half speed, for both contenders."""
    base, ours = [100.0, 50.0, 100.0, 50.0, 90.0], [150.0, 75.0, 150.0, 75.0, 180.0]
    assert ratios(ours, base) == Quartiles(1.5, 1.5, 1.5)
    assert quartiles(ours).median / quartiles(base).median != 1.5


def test_different_numbers_of_rounds_have_no_ratio() -> None:
    with pytest.raises(ValueError):
        ratios([1.0], [1.0, 2.0])


def test_a_percentile_is_the_time_that_a_share_does_not_exceed() -> None:
    times = [0.5, 0.1, 0.2, 0.3, 0.4]
    assert percentile(times, 0.5) == 0.3
    assert percentile(times, 0.99) == 0.5
    assert percentile(times, 1.0) == 0.5
    assert percentile([], 0.5) == 0.0


def test_a_rate_is_moves_per_cpu_second_and_not_per_wall_clock_second() -> None:
    assert Sample(moves=3000, seconds=4.0, cpu=1.5).rate == 2000.0
