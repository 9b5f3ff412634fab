"""Ratings agree with computations that are written another way, and behave as their users expect."""

import math
from decimal import Decimal, getcontext
from itertools import combinations

import pytest

from boardwire.competition.ratings import (
    Tally,
    difference,
    elo_of,
    elo_ratings,
    expected_score,
    pair_difference,
    skills,
)

getcontext().prec = 60
LN10 = Decimal(10).ln()
Z = Decimal("1.959963984540054")


def reference_difference(scores: list[Decimal]) -> tuple[Decimal, Decimal]:
    """Elo and error from a list of all scores, one by one, in 60 digits; the slope of the Elo curve is numerical."""

    def elo(score: Decimal) -> Decimal:
        return -400 * (1 / score - 1).ln() / LN10

    mean = sum(scores, Decimal(0)) / len(scores)
    error = (sum(((score - mean) ** 2 for score in scores), Decimal(0)) / len(scores) / len(scores)).sqrt()
    small = Decimal(10) ** -20
    return elo(mean), Z * error * (elo(mean + small) - elo(mean - small)) / (2 * small)


def test_a_player_who_scores_three_of_four_is_191_points_stronger() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(elo_of(0.75)) == pytest.approx(0.75, abs=1e-15)
    assert difference(Tally(3000, 0, 1000)).elo == pytest.approx(190.85, abs=0.01)


@pytest.mark.parametrize("tally", [Tally(10, 5, 7), Tally(1, 0, 2), Tally(300, 400, 250), Tally(1, 17, 1)])
def test_trinomial_elo_agrees_with_the_reference(tally: Tally) -> None:
    scores = [Decimal(1)] * int(tally.won) + [Decimal("0.5")] * int(tally.drawn) + [Decimal(0)] * int(tally.lost)
    elo, error = reference_difference(scores)
    found = difference(tally)
    assert found.elo == pytest.approx(float(elo), abs=1e-9)
    assert found.error == pytest.approx(float(error), abs=1e-9)


@pytest.mark.parametrize("pairs", [(3, 10, 25, 12, 6), (0, 1, 5, 2, 0), (100, 300, 900, 350, 130)])
def test_pentanomial_elo_agrees_with_the_reference(pairs: tuple[int, ...]) -> None:
    elo, error = reference_difference([Decimal(score) / 4 for score, count in enumerate(pairs) for _ in range(count)])
    found = pair_difference(pairs)
    assert found.elo == pytest.approx(float(elo), abs=1e-9)
    assert found.error == pytest.approx(float(error), abs=1e-9)


def test_the_likelihood_of_superiority_is_the_area_under_the_normal_curve() -> None:
    found = difference(Tally(30, 10, 20))
    mean = 35 / 60
    error = math.sqrt((30 * (1 - mean) ** 2 + 10 * (0.5 - mean) ** 2 + 20 * mean**2) / 60 / 60)
    step = error / 2000
    below = sum(math.exp(-(((number * step - mean) / error) ** 2) / 2) for number in range(int(0.5 / step)))
    assert found.los == pytest.approx(1 - below * step / error / math.sqrt(2 * math.pi), abs=1e-3)
    assert difference(Tally(5, 3, 5)).los == 0.5


def test_pairs_of_one_win_each_are_more_certain_than_single_matches() -> None:
    assert pair_difference((0, 1, 48, 1, 0)).error < 10
    assert difference(Tally(48, 2, 50)).error > 60


def test_results_that_are_all_the_same_say_nothing_about_the_error() -> None:
    assert pair_difference((0, 1, 0, 0, 0)).error == math.inf
    assert difference(Tally(0, 1, 0)) == (0.0, math.inf, 0.5)


def test_a_perfect_score_is_infinite_unless_a_prior_is_given() -> None:
    assert difference(Tally(20, 0, 0)) == (math.inf, math.inf, 1.0)
    assert 400 < difference(Tally(20, 0, 0), prior=0.5).elo < 1000
    assert difference(Tally()) == (0.0, math.inf, 0.5)


# --- any number of players ------------------------------------------------------------------------------------------

CROSS = {
    ("a", "b"): Tally(12, 3, 5),
    ("a", "c"): Tally(9, 6, 5),
    ("b", "c"): Tally(7, 4, 9),
    ("d", "a"): Tally(2, 1, 17),
}


def log_likelihood(values: dict[str, Decimal], draws: Decimal, results: dict[tuple[str, str], Tally]) -> Decimal:
    """Davidson's model, match by match as it is printed: strengths are e^value."""
    total = Decimal(0)
    for (one, other), tally in results.items():
        first, second = values[one].exp(), values[other].exp()
        draw = draws.exp() * (first * second).sqrt()
        whole = first + second + draw
        half = Decimal("0.5")  # the prior
        total += (Decimal(tally.won) + half) * (first / whole).ln()
        total += (Decimal(tally.lost) + half) * (second / whole).ln()
        total += Decimal(tally.drawn) * (draw / whole).ln()
    return total


def reference_ratings(results: dict[tuple[str, str], Tally]) -> dict[str, tuple[float, float]]:
    """Climb the likelihood one coordinate at a time with numerical derivatives, then invert its numerical Hessian."""
    names = sorted({name for pair in results for name in pair})
    point = [Decimal(0)] * len(names)  # strengths of all but the first, and of draws at the end
    small = Decimal(10) ** -18

    def height(at: list[Decimal]) -> Decimal:
        return log_likelihood(dict(zip(names, [Decimal(0), *at[:-1]], strict=True)), at[-1], results)

    def moved(at: list[Decimal], *places: tuple[int, int]) -> list[Decimal]:
        new = list(at)
        for place, sign in places:
            new[place] += sign * small
        return new

    for _ in range(60):
        for place in range(len(point)):
            here, up, down = height(point), height(moved(point, (place, 1))), height(moved(point, (place, -1)))
            point[place] -= (up - down) / 2 * small / (up - 2 * here + down)
    size = len(point)
    hessian = [
        [
            (height(moved(point, (row, 1), (column, 1))) - height(moved(point, (row, 1), (column, -1)))
             - height(moved(point, (row, -1), (column, 1))) + height(moved(point, (row, -1), (column, -1))))
            / (4 * small * small)
            for column in range(size)
        ]
        for row in range(size)
    ]  # fmt: skip
    inverse = gauss_jordan([[-value for value in row] for row in hessian])
    count = len(names)
    strengths = [Decimal(0), *point[:-1]]
    mean = sum(strengths, Decimal(0)) / count
    found = {}
    for number, name in enumerate(names):
        weights = [(1 if other == number else 0) - Decimal(1) / count for other in range(count)][1:]
        variance = sum(
            weights[row] * weights[column] * inverse[row][column]
            for row in range(size - 1)
            for column in range(size - 1)
        )
        found[name] = (
            float(400 / LN10 * (strengths[number] - mean)),
            float(400 / LN10 * Z * Decimal(variance).sqrt()),
        )
    return found


def gauss_jordan(rows: list[list[Decimal]]) -> list[list[Decimal]]:
    size = len(rows)
    work = [[*row, *(Decimal(int(number == place)) for place in range(size))] for number, row in enumerate(rows)]
    for pivot in range(size):
        work[pivot] = [value / work[pivot][pivot] for value in work[pivot]]
        for row in range(size):
            if row != pivot:
                work[row] = [value - work[row][pivot] * by for value, by in zip(work[row], work[pivot], strict=True)]
    return [row[size:] for row in work]


def test_the_maximum_likelihood_ratings_agree_with_the_reference() -> None:
    found = elo_ratings(CROSS)
    for name, (elo, error) in reference_ratings(CROSS).items():
        assert found[name].elo == pytest.approx(elo, abs=1e-9)
        assert found[name].error == pytest.approx(error, abs=1e-9)


def test_the_order_of_a_pair_makes_no_difference() -> None:
    swapped = {(other, one): tally.reversed for (one, other), tally in CROSS.items()}
    halves = {pair: Tally(tally.won / 2, tally.drawn / 2, tally.lost / 2) for pair, tally in CROSS.items()}
    both = halves | {(other, one): tally.reversed for (one, other), tally in halves.items()}
    for name, rating in elo_ratings(CROSS).items():
        assert elo_ratings(swapped)[name].elo == pytest.approx(rating.elo, abs=1e-9)
        assert elo_ratings(both)[name].elo == pytest.approx(rating.elo, abs=1e-9)


def test_an_anchor_is_the_zero_of_the_scale() -> None:
    mean, anchored = elo_ratings(CROSS), elo_ratings(CROSS, anchor="b")
    assert sum(rating.elo for rating in mean.values()) == pytest.approx(0, abs=1e-9)
    assert anchored["b"] == (0, 0)
    assert anchored["a"].elo == pytest.approx(mean["a"].elo - mean["b"].elo, abs=1e-9)


def test_points_add_up_along_a_chain_and_doubt_grows() -> None:
    found = elo_ratings({("b", "a"): Tally(7500, 0, 2500), ("c", "b"): Tally(7500, 0, 2500)}, anchor="a")
    assert found["b"].elo == pytest.approx(191, abs=1)
    assert found["c"].elo == pytest.approx(382, abs=1)
    assert found["c"].error > found["b"].error > 0


def test_a_pair_that_closes_a_ring_reduces_the_error() -> None:
    chain = {("b", "a"): Tally(60, 0, 40), ("c", "b"): Tally(60, 0, 40)}
    assert elo_ratings({**chain, ("c", "a"): Tally(70, 0, 30)}, "a")["c"].error < elo_ratings(chain, "a")["c"].error


def test_players_who_always_win_draw_or_never_played_have_finite_ratings() -> None:
    found = elo_ratings({("a", "b"): Tally(50, 0, 0), ("c", "d"): Tally(0, 20, 0), ("e", "f"): Tally()})
    assert all(math.isfinite(rating.elo) and math.isfinite(rating.error) for rating in found.values())
    assert found["a"].elo > 200 > 0 > found["b"].elo
    assert found["c"].elo == pytest.approx(0, abs=1e-9)
    assert found["e"] == (0, 0)


def test_ratings_recover_the_strengths_that_made_the_results() -> None:
    true = {"a": 120.0, "b": 40.0, "c": -20.0, "d": -140.0}
    results = {}
    for one, other in combinations(true, 2):
        share = expected_score(true[one] - true[other])
        results[one, other] = Tally(10_000_000 * share, 0, 10_000_000 * (1 - share))
    for name, rating in elo_ratings(results).items():
        assert rating.elo == pytest.approx(true[name], abs=1e-3)


# --- three and more sides -------------------------------------------------------------------------------------------


def test_skill_of_three_players_follows_their_results() -> None:
    a_wins, b_wins = [(["a"], 0), (["b"], 1), (["c"], 1)], [(["b"], 0), (["a"], 1), (["c"], 1)]
    found = skills([a_wins, a_wins, b_wins] * 10)
    assert found["a"].elo > found["b"].elo > found["c"].elo
    assert all(skill.error > 0 for skill in found.values())


def test_partners_of_a_team_rise_together() -> None:
    found = skills([[(["a", "b"], 0), (["c", "d"], 1)]] * 3)
    assert found["a"].elo == pytest.approx(found["b"].elo)
    assert found["a"].elo > 0 > found["d"].elo
