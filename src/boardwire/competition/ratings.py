"""Ratings from results: Elo with error margins, likelihood of superiority, and skill for more than two sides.

- All figures are on the logistic Elo scale: a player who is `d` points stronger scores `expected_score(d)` on average.
- `error` is the half width of the 95 % confidence interval.
- `difference` rates two players from single matches (trinomial), `pair_difference` from pairs of matches with the same
  opening and swapped seats (pentanomial). The two results of a pair are correlated: only the latter's error is right
  for pairs.
- `elo_ratings` rates any number of players at once by maximum likelihood, in the model of Bradley and Terry with draws
  as Davidson (1970) added them.
- `skills` rates matches of three or more sides, or of teams with changing partners, with openskill.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

Z_95: Final = 1.959963984540054
"""Half width of a 95 % confidence interval in standard errors."""
ELO_PER_NAT: Final = 400 / math.log(10)
"""Elo points per unit of the natural logarithm of the odds."""
PRIOR: Final = 0.5
"""Virtual wins of each player against each opponent, so that a perfect score has a finite rating."""
_MAX_STEPS: Final = 200
_MAX_STEP_NATS: Final = 1.0
_CONVERGED_NATS: Final = 1e-13

Name = TypeVar("Name", bound=Hashable)


class Tally(msgspec.Struct, frozen=True):
    """Numbers of matches won, drawn and lost."""

    won: float = 0
    drawn: float = 0
    lost: float = 0

    @property
    def played(self) -> float:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """One point for a win, half a point for a draw."""
        return self.won + self.drawn / 2

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)

    @property
    def reversed(self) -> Tally:
        """The same matches, counted for the opponent."""
        return Tally(self.lost, self.drawn, self.won)


class Difference(NamedTuple):
    """Difference in Elo between two players.

    `los` is the likelihood of superiority: the probability that the first is stronger. A perfect score has an infinite
    `elo`; if all results are equal, the `error` is infinite too.
    """

    elo: float
    error: float
    los: float


class Rating(NamedTuple):
    """Elo of one player among others."""

    elo: float
    error: float


class Skill(NamedTuple):
    """Skill in openskill's model, and on an Elo scale on which a new player has 0."""

    mu: float
    sigma: float
    elo: float
    error: float


def expected_score(elo: float) -> float:
    """Return the average score of a player who is `elo` points stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """Return the difference in Elo that gives this average score; infinite for 0 and 1."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else ELO_PER_NAT * math.log(score / (1 - score))


def difference(tally: Tally, prior: float = 0.0) -> Difference:
    """Return the difference in Elo from independent matches; `prior` adds virtual wins and losses."""
    wins, draws, losses = tally.won + prior, tally.drawn, tally.lost + prior
    return _difference_from_counts((losses, draws, wins))


def pair_difference(pairs: Sequence[float]) -> Difference:
    """Return the difference in Elo from pairs of matches: the numbers of pairs with 0, 0.5, 1, 1.5 and 2 points."""
    return _difference_from_counts(pairs)


def _difference_from_counts(counts: Sequence[float]) -> Difference:
    """Return the difference from the counts of evenly spaced scores, from 0 to 1."""
    number = sum(counts)
    if not number:
        return Difference(0.0, math.inf, 0.5)
    mean, variance = moments(counts)
    error = math.sqrt(variance / number)
    if not error:
        los = 0.5 if mean == 0.5 else float(mean > 0.5)
    else:
        los = (1 + math.erf((mean - 0.5) / error / math.sqrt(2))) / 2
    if not 0 < mean < 1 or not error:
        return Difference(elo_of(mean), math.inf, los)
    return Difference(elo_of(mean), Z_95 * error * ELO_PER_NAT / (mean * (1 - mean)), los)


def moments(counts: Sequence[float]) -> tuple[float, float]:
    """Return mean and variance of evenly spaced scores, from 0 to 1, given the count of each."""
    number, top = sum(counts), len(counts) - 1
    mean = sum(count * score for score, count in enumerate(counts)) / top / number
    variance = sum(count * (score / top - mean) ** 2 for score, count in enumerate(counts)) / number
    return mean, variance


# --- any number of players ------------------------------------------------------------------------------------------


def elo_ratings(
    results: Mapping[tuple[Name, Name], Tally], anchor: Name | None = None, prior: float = PRIOR
) -> dict[Name, Rating]:
    """Return the Elo of all players from the results of each pair.

    The mean is 0 or, with an `anchor`, the anchor is 0. Players that no chain of matches connects cannot be compared:
    each connected group has its own zero.
    """
    tallies: dict[tuple[Name, Name], Tally] = {}
    for (first, second), tally in results.items():
        if first == second or not tally.played:
            continue
        if (second, first) in tallies:
            tallies[second, first] += tally.reversed
        else:
            tallies[first, second] = tallies.get((first, second), Tally()) + tally
    names = list(dict.fromkeys(name for pair in results for name in pair))
    ratings: dict[Name, Rating] = {}
    for group in _components(names, tallies):
        ratings |= _rate(group, {pair: tally for pair, tally in tallies.items() if pair[0] in group}, anchor, prior)
    return {name: ratings[name] for name in names}


def _components(names: Sequence[Name], pairs: Iterable[tuple[Name, Name]]) -> list[list[Name]]:
    """Return the connected components of a graph of names."""
    group = {name: number for number, name in enumerate(names)}
    for first, second in pairs:
        first_group, second_group = group[first], group[second]
        group = {name: first_group if number == second_group else number for name, number in group.items()}
    return [[name for name in names if group[name] == number] for number in dict.fromkeys(group.values())]


def _rate(
    names: list[Name], tallies: Mapping[tuple[Name, Name], Tally], anchor: Name | None, prior: float
) -> dict[Name, Rating]:
    """Maximise the likelihood by Newton's method.

    The parameters are the strengths of all names but the first, which is 0, and the logarithm of the draw factor.
    """
    count = len(names)
    at = {name: number for number, name in enumerate(names)}
    played = [(at[first], at[second], tally.won + prior, tally.drawn, tally.lost + prior)
              for (first, second), tally in tallies.items()]  # fmt: skip
    has_draws = any(drawn for _, _, _, drawn, _ in played)
    size = count + has_draws
    values = [0.0] * size
    information = [[0.0] * size for _ in range(size)]
    for _ in range(_MAX_STEPS):
        slope, information = _derivatives(played, values, count)
        steps = [0.0, *_solve([row[1:] for row in information[1:]], slope[1:])]
        largest = max(map(abs, steps), default=0.0)
        shrink = min(1.0, _MAX_STEP_NATS / largest) if largest else 1.0
        values = [value + shrink * step for value, step in zip(values, steps, strict=True)]
        if largest < _CONVERGED_NATS:
            break
    covariance = _covariance(information, count)
    zero = [float(name == anchor) for name in names] if anchor in at else [1 / count] * count
    ratings = {}
    for number, name in enumerate(names):
        weights = [float(place == number) - share for place, share in enumerate(zero)]
        elo = sum(weight * value for weight, value in zip(weights, values, strict=False))
        variance = sum(
            weights[row] * weights[column] * covariance[row][column] for row in range(count) for column in range(count)
        )
        ratings[name] = Rating(ELO_PER_NAT * elo, ELO_PER_NAT * Z_95 * math.sqrt(max(0.0, variance)))
    return ratings


def _derivatives(
    played: Iterable[tuple[int, int, float, float, float]], values: Sequence[float], count: int
) -> tuple[list[float], list[list[float]]]:
    """Return the gradient and the Fisher information of the log-likelihood; the draw factor, if any, comes last."""
    size = len(values)
    has_draws = size > count
    slope = [0.0] * size
    information = [[0.0] * size for _ in range(size)]
    for first, second, won, drawn, lost in played:
        number = won + drawn + lost
        half = (values[first] - values[second]) / 2
        weights = math.exp(half), math.exp(values[-1]) if has_draws else 0.0, math.exp(-half)
        win, draw, _ = (weight / sum(weights) for weight in weights)
        score = win + draw / 2
        surplus = won + drawn / 2 - number * score
        spread = number * (win + draw / 4 - score * score)
        slope[first] += surplus
        slope[second] -= surplus
        information[first][first] += spread
        information[second][second] += spread
        information[first][second] -= spread
        information[second][first] -= spread
        if has_draws:
            slope[-1] += drawn - number * draw
            information[-1][-1] += number * draw * (1 - draw)
            joint = number * draw * (0.5 - score)
            for player, sign in ((first, 1), (second, -1)):
                information[player][-1] += sign * joint
                information[-1][player] += sign * joint
    return slope, information


def _covariance(information: Sequence[Sequence[float]], count: int) -> list[list[float]]:
    """Return the covariance of the strengths; the first strength is fixed at 0."""
    inner = [row[1:] for row in information[1:]]
    columns = [_solve(inner, [float(row == column) for row in range(len(inner))]) for column in range(count - 1)]
    return [[0.0] * count, *([0.0, *(columns[column][row] for column in range(count - 1))] for row in range(count - 1))]


def _solve(rows: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve a system of linear equations by Gauss-Jordan elimination."""
    work = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for pivot in range(len(work)):
        best = max(range(pivot, len(work)), key=lambda row: abs(work[row][pivot]))
        work[pivot], work[best] = work[best], work[pivot]
        for row in range(len(work)):
            if row != pivot and work[row][pivot]:
                factor = work[row][pivot] / work[pivot][pivot]
                work[row] = [one - factor * other for one, other in zip(work[row], work[pivot], strict=True)]
    return [row[-1] / row[number] for number, row in enumerate(work)]


# --- three and more sides, teams ------------------------------------------------------------------------------------


def skills(matches: Iterable[Sequence[tuple[Sequence[Name], int]]]) -> dict[Name, Skill]:
    """Return the skill of all players; a match has the players and the rank of each side, 0 for a winner.

    The model, openskill's Plackett-Luce, updates after every match: matches must be in chronological order.
    """
    rated: dict[Name, tuple[float, float]] = {}
    for sides in matches:
        before = [[rated.get(name) or new_skill() for name in names] for names, _ in sides]
        after = skills_after(before, [rank for _, rank in sides])
        for (names, _), team in zip(sides, after, strict=True):
            rated.update(zip(names, team, strict=True))
    return {name: skill_of(mu, sigma) for name, (mu, sigma) in rated.items()}


def skills_after(
    sides: Sequence[Sequence[tuple[float, float]]], ranks: Sequence[int]
) -> list[list[tuple[float, float]]]:
    """Return the skills (mu, sigma) of all sides after a match, from those before it and the ranks, 0 for a winner."""
    model = _model()
    teams = [[model.create_rating([mu, sigma]) for mu, sigma in side] for side in sides]
    return [
        [(rating.mu, rating.sigma) for rating in team]
        for team in model.rate(teams, ranks=[float(rank) for rank in ranks])
    ]


def new_skill() -> tuple[float, float]:
    """Return the skill (mu, sigma) of a new player."""
    model = _model()
    return model.mu, model.sigma


def skill_of(mu: float, sigma: float) -> Skill:
    """Return a skill with its figures on the Elo scale."""
    model = _model()
    # Chosen so that the win probability has the same slope at equal skill on both scales.
    scale = (1 / math.sqrt(2 * math.pi)) / (math.sqrt(2) * model.beta) * 4 * ELO_PER_NAT
    return Skill(mu, sigma, scale * (mu - model.mu), scale * Z_95 * sigma)


@lru_cache(maxsize=1)
def _model() -> Any:
    """Return the model, imported with the first rated match: the import would slow every start by a tenth."""
    from openskill.models import PlackettLuce

    return PlackettLuce()
