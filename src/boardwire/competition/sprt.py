"""Sequential probability ratio test (SPRT): stop a comparison of two players as soon as the result is significant.

- The hypotheses are that the first player is `elo0` or `elo1` points stronger. `alpha` is the probability of accepting
  `elo1` if `elo0` is true, `beta` the probability of accepting `elo0` if `elo1` is true.
- The log-likelihood ratio (LLR) is the generalised one (GSPRT): the distribution of results is fitted by maximum
  likelihood under each hypothesis, so the frequency of draws need not be known.
- Results are counted by pairs of matches with swapped seats: five possible scores (pentanomial). Counts of single
  matches (three scores) work the same way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import msgspec

from boardwire.competition.ratings import expected_score
from boardwire.errors import Malformed

_REGULARIZER: Final = 1e-3
"""Replaces a count of 0, which would make the result impossible."""
_BISECTIONS: Final = 200


class Decision(StrEnum):
    """State of a test: undecided, or the accepted hypothesis."""

    CONTINUE = "continue"
    H0 = "elo0 accepted"
    H1 = "elo1 accepted"


class Sprt(msgspec.Struct, frozen=True):
    """Parameters of a test."""

    elo0: float = 0.0
    elo1: float = 5.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not self.elo0 < self.elo1:
            raise Malformed(f"SPRT: elo0 ({self.elo0:g}) must be less than elo1 ({self.elo1:g})")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 0.5:
                raise Malformed(f"SPRT: {name} is {value:g}; it must be between 0 and 0.5")

    @property
    def lower(self) -> float:
        """LLR at which elo0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """LLR at which elo1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[float]) -> float:
        """Return the log-likelihood ratio of `counts`, the numbers of results from the worst to the best."""
        if not sum(counts):
            return 0.0
        regularized = [count or _REGULARIZER for count in counts]
        return _log_likelihood(regularized, expected_score(self.elo1)) - _log_likelihood(
            regularized, expected_score(self.elo0)
        )

    def decide(self, counts: Sequence[float]) -> Decision:
        """Return whether the test can stop, and with which result."""
        llr = self.llr(counts)
        if llr >= self.upper:
            return Decision.H1
        return Decision.H0 if llr <= self.lower else Decision.CONTINUE


def parse_sprt(text: str) -> Sprt:
    """Parse `elo0=0,elo1=5,alpha=0.05,beta=0.05`; missing keys have their defaults."""
    values: dict[str, float] = {}
    for part in text.split(","):
        key, equals, value = part.strip().partition("=")
        if key not in Sprt.__struct_fields__:
            raise Malformed(f"SPRT: unknown key {key!r}; the keys are {', '.join(Sprt.__struct_fields__)}")
        try:
            values[key] = float(value)
        except ValueError:
            problem = f"{value.strip()!r} is not a number" if equals else "the value is missing"
            raise Malformed(f"SPRT: {key}: {problem}; write {key}=NUMBER") from None
        if not math.isfinite(values[key]):
            raise Malformed(f"SPRT: {key} is {values[key]}; it must be finite")
    return Sprt(**values)


def _log_likelihood(counts: Sequence[float], mean: float) -> float:
    """Return the largest log-likelihood of `counts` among all distributions of scores with this mean.

    The best distribution is p = f / (1 + x (score - mean)), where f is the observed frequency and x is chosen to give
    the required mean. The excess of the mean falls as x grows, so Newton's method within a bisection finds x.
    """
    number, top = sum(counts), len(counts) - 1
    scores = [score / top - mean for score in range(len(counts))]
    frequencies = [count / number for count in counts]
    low, high = -1 / scores[-1], -1 / scores[0]  # outside, a probability would be negative
    x = 0.0
    for _ in range(_BISECTIONS):
        excess = slope = 0.0
        for frequency, score in zip(frequencies, scores, strict=True):
            weight = score / (1 + x * score)
            excess += frequency * weight
            slope -= frequency * weight * weight
        if excess > 0:
            low = x
        else:
            high = x
        newton = x - excess / slope
        step = newton if low < newton < high else (low + high) / 2
        if abs(step - x) <= 1e-15 * max(1.0, abs(step)):
            break
        x = step
    return sum(count * math.log(frequency / (1 + x * score))
               for count, frequency, score in zip(counts, frequencies, scores, strict=True))  # fmt: skip
