"""Elo of matches, and the scale that they make together."""

import pytest
from bench.elo import difference, expected, rated


def test_who_gets_three_of_four_has_191_points_more() -> None:
    assert expected(0) == 0.5
    assert expected(191) == pytest.approx(0.75, abs=0.001)
    assert difference(3000, 4000).points == pytest.approx(191, abs=1)


def test_who_never_lost_has_finite_points() -> None:
    assert 400 < difference(20, 20).points < 1000
    assert rated({("a", "b"): (20, 20)}, "b")["a"].points == pytest.approx(difference(20, 20).points, abs=1)


def test_more_matches_leave_less_doubt() -> None:
    few, many = difference(6, 10), difference(600, 1000)
    assert few.error == pytest.approx(10 * many.error, rel=0.1)
    assert many.error == pytest.approx(22, abs=1)


def test_points_add_up_along_a_chain() -> None:
    found = rated({("b", "a"): (7500, 10_000), ("c", "b"): (7500, 10_000)}, "a")
    assert found["a"].points == 0
    assert found["b"].points == pytest.approx(191, abs=1)
    assert found["c"].points == pytest.approx(382, abs=2)
    assert found["c"].error > found["b"].error > 0


def test_a_pair_that_closes_a_ring_makes_all_surer() -> None:
    chain = {("b", "a"): (60.0, 100), ("c", "b"): (60.0, 100)}
    assert rated({**chain, ("c", "a"): (70.0, 100)}, "a")["c"].error < rated(chain, "a")["c"].error
