"""The sequential test computes the likelihood ratio that theory demands, and keeps its error rates."""

import math
from collections.abc import Sequence
from decimal import Decimal, getcontext
from random import Random

import pytest

from boardwire.competition.ratings import expected_score
from boardwire.competition.sprt import Decision, Sprt, parse_sprt
from boardwire.errors import Malformed

getcontext().prec = 60


def reference_llr(counts: Sequence[int], elo0: float, elo1: float) -> float:
    """The same ratio in 60 digits by plain bisection on the multiplier of the constrained maximum."""

    def best(elo: float) -> Decimal:
        mean: Decimal = 1 / (1 + Decimal(10) ** (-Decimal(elo) / 400))
        kept = [Decimal(count) if count else Decimal("0.001") for count in counts]
        number, top = sum(kept, Decimal(0)), len(kept) - 1
        scores = [Decimal(score) / top for score in range(len(kept))]
        low, high = -1 / (1 - mean), 1 / mean
        for _ in range(250):
            x: Decimal = (low + high) / 2
            terms: list[Decimal] = [
                count / number * (score - mean) / (1 + x * (score - mean))
                for count, score in zip(kept, scores, strict=True)
            ]
            excess = sum(terms, Decimal(0))
            low, high = (x, high) if excess > 0 else (low, x)
        shares = [count / number / (1 + low * (score - mean)) for count, score in zip(kept, scores, strict=True)]
        assert abs(sum(shares, Decimal(-1))) < Decimal("1e-40")
        assert abs(sum((share * score for share, score in zip(shares, scores, strict=True)), -mean)) < Decimal("1e-40")
        return sum((count * share.ln() for count, share in zip(kept, shares, strict=True)), Decimal(0))

    return float(best(elo1) - best(elo0))


@pytest.mark.parametrize(
    "counts", [(10, 40, 100, 45, 12), (0, 0, 3, 0, 0), (0, 1, 0, 0, 9), (500, 3000, 9000, 3200, 600), (7, 2, 11)]
)
@pytest.mark.parametrize("elos", [(0, 5), (-3, 1), (0, 100)])
def test_the_likelihood_ratio_agrees_with_the_reference(counts: tuple[int, ...], elos: tuple[int, int]) -> None:
    assert Sprt(*elos).llr(counts) == pytest.approx(reference_llr(counts, *elos), abs=1e-9)


def test_the_bounds_are_those_of_wald() -> None:
    sprt = Sprt(0, 5, 0.05, 0.1)
    assert sprt.upper == pytest.approx(math.log(0.9 / 0.05))
    assert sprt.lower == pytest.approx(math.log(0.1 / 0.95))


def test_nothing_is_decided_before_a_match() -> None:
    assert Sprt().llr((0, 0, 0, 0, 0)) == 0
    assert Sprt().decide((0, 0, 0, 0, 0)) is Decision.CONTINUE


def test_a_stronger_player_is_accepted_and_an_equal_one_is_not() -> None:
    assert Sprt(0, 10).decide((10, 100, 400, 300, 90)) is Decision.H1
    assert Sprt(0, 10).decide((600, 2000, 4000, 2000, 600)) is Decision.H0


def pair_probabilities(elo: float) -> list[float]:
    """Distribution of pair scores: draws in two of five matches, the results of a pair independent."""
    score = expected_score(elo)
    draw = 0.4
    win, loss = score - draw / 2, 1 - score - draw / 2
    return [loss * loss, 2 * loss * draw, 2 * win * loss + draw * draw, 2 * win * draw, win * win]


def error_rate(sprt: Sprt, elo: float, wrong: Decision, tests: int, seed: int) -> float:
    luck = Random(seed)
    limits = pair_probabilities(elo)
    bounds = [sum(limits[: number + 1]) for number in range(4)]
    errors = 0
    for _ in range(tests):
        counts = [0] * 5
        while True:
            draw = luck.random()
            counts[sum(draw >= bound for bound in bounds)] += 1
            decision = sprt.decide(counts)
            if decision is not Decision.CONTINUE:
                break
        errors += decision is wrong
    return errors / tests


def check_error_rates(tests: int) -> None:
    """Each error rate is at most its bound, within three standard errors of that many tests."""
    sprt = Sprt(0, 100)
    for elo, wrong, rate in ((0, Decision.H1, sprt.alpha), (100, Decision.H0, sprt.beta)):
        found = error_rate(sprt, elo, wrong, tests, seed=tests)
        assert found <= rate + 3 * math.sqrt(rate * (1 - rate) / tests)
        assert found > 0.2 * rate  # a test that never errs plays too long


def test_the_error_rates_hold_in_simulated_tests() -> None:
    check_error_rates(400)


@pytest.mark.slow
def test_the_error_rates_hold_in_ten_thousand_simulated_tests() -> None:
    check_error_rates(10_000)


def test_parameters_are_parsed_and_checked() -> None:
    assert parse_sprt("elo0=0,elo1=5") == Sprt(0, 5)
    assert parse_sprt("elo0=-3, elo1=1, alpha=0.01, beta=0.02") == Sprt(-3, 1, 0.01, 0.02)
    for wrong, words in (
        ("elo2=3", "unknown key 'elo2'; the keys are elo0, elo1, alpha, beta"),
        ("elo0=five", "elo0: 'five' is not a number; write elo0=NUMBER"),
        ("elo0", "elo0: the value is missing; write elo0=NUMBER"),
        ("elo0=5,elo1=5", r"elo0 \(5\) must be less than elo1 \(5\)"),
        ("alpha=0.7", "alpha is 0.7; it must be between 0 and 0.5"),
        ("elo1=nan", "elo1 is nan; it must be finite"),
        ("", "unknown key"),
    ):
        with pytest.raises(Malformed, match=words):
            parse_sprt(wrong)
