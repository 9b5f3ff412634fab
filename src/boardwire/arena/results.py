"""Results of stored matches, and standings computed from them.

- A result is derived from a match's events alone, so a running tournament, a resumed one and `boardwire rate` agree.
- A side is a seat, or the seats of a team. A participant that plays a whole team has the names `NAME` and `NAME (2)`.
- A side that wins alone scores one point; in a draw or shared win the point is divided. Aborted matches do not count.
- Matches of an arena that share an opening form a set (`Result.set`); a set of two matches of two sides is a pair.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import msgspec

from boardwire.competition.ratings import (
    Difference,
    Rating,
    Skill,
    Tally,
    difference,
    elo_ratings,
    pair_difference,
    skills,
)
from boardwire.competition.sprt import Sprt
from boardwire.errors import Unavailable
from boardwire.games.game import Seat
from boardwire.table import events as ev
from boardwire.table.commands import OUT_OF_TIME
from boardwire.table.events import Event, Player, bot_name
from boardwire.table.result import starting_sides
from boardwire.table.summary import summarize
from boardwire.table.termination import Termination, is_aborted

ARENA: Final = "arena"
"""Dialect name of a match that an arena played."""
_MATCH_ID: Final = re.compile(r"(\w+-\d+-\d+)-(\d+)")
ParticipantRating: TypeAlias = Rating | Skill
"""An Elo rating or, with teams or more than two sides, one of openskill."""
_PARTNER: Final = re.compile(r"(.+) \(\d\)")


class Result(msgspec.Struct, frozen=True):
    """Result of one match. `names` are the participants by side; `points` add up to 1.

    `faults` are the participants that forfeited, with the cause.
    """

    match: str
    game: str
    names: tuple[tuple[str, ...], ...]
    points: tuple[float, ...]
    termination: str
    moves: int = 0
    faults: tuple[tuple[str, str], ...] = ()
    set: str = ""

    @property
    def is_duel(self) -> bool:
        """Whether the match was between two participants, each as one side."""
        return len(self.names) == 2 and all(len(side) == 1 for side in self.names)


def match_id(tag: str, round_number: int, table: int, number: int) -> str:
    """Return the ID of an arena match. The arguments count from 0, the numbers in the ID from 1."""
    return f"{tag}-{round_number + 1:03}-{table + 1:03}-{number + 1:04}"


def seat_name(name: str, partner: int) -> str:
    """Return the name of a participant at its first seat (`partner` 0), second seat (1), and so on."""
    return name if not partner else f"{name} ({partner + 1})"


def result_of(events: Sequence[Event]) -> Result | None:
    """Return the result of a match, or None if it is unfinished or was aborted."""
    summary = summarize(events)
    outcome = summary.outcome
    if outcome is None or (is_aborted(outcome) and outcome.termination != Termination.ADJUDICATED):
        return None
    opening = events[0]
    assert isinstance(opening, ev.Opened), "summarize has checked it"
    started = next((event for event in events if isinstance(event, ev.Started)), None)
    if started is None:
        return None
    options = msgspec.json.encode(msgspec.to_builtins(started.options), order="sorted")
    sides = starting_sides(summary.game, options, opening.seats)
    by_seat = [_name(player, seat) for seat, player in enumerate(summary.chairs)]
    names = tuple(_participants([by_seat[seat] for seat in side]) for side in sides)
    has_won = [not outcome.winners or any(seat in outcome.winners for seat in side) for side in sides]
    points = tuple(won / sum(has_won) for won in has_won)
    faults = []
    for event in events:
        if isinstance(event, ev.Resigned | ev.TimedOut):
            cause = OUT_OF_TIME if isinstance(event, ev.TimedOut) else event.cause or "resigned"
            faults.append((_participants([by_seat[event.seat]])[0], cause))
    id_match = _MATCH_ID.fullmatch(summary.id) if opening.dialect == ARENA else None
    key = f"{id_match[1]}-{(int(id_match[2]) - 1) // len(sides)}" if id_match else ""
    return Result(summary.id, summary.game, names, points, str(outcome.termination), summary.moves, tuple(faults), key)


def _name(player: Player | None, seat: Seat) -> str:
    if player is None:
        return f"player {seat + 1}"
    return player.name or (bot_name(player.bot) if player.bot else f"player {seat + 1}")


def _participants(names: Sequence[str]) -> tuple[str, ...]:
    """Return the participants of a side without the numbers of their seats."""
    participants = [partner[1] if (partner := _PARTNER.fullmatch(name)) else name for name in names]
    return tuple(dict.fromkeys(participants))


# --- the table ------------------------------------------------------------------------------------------------------


class Standing(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of the standings.

    `losses` counts forfeits by cause. `mu` and `sigma` are openskill's, if that computed the rating.
    """

    name: str
    played: int
    won: int
    drawn: int
    lost: int
    points: float
    elo: float
    error: float
    losses: dict[str, int] = {}
    mu: float | None = None
    sigma: float | None = None


class Standings(msgspec.Struct, frozen=True):
    """Standings, best first, and the cross table.

    With exactly two participants, `difference` compares the first with the second. It is computed from `pairs`, the
    numbers of pairs with 0, 0.5, 1, 1.5 and 2 points, if there are any.
    """

    standings: tuple[Standing, ...]
    cross: dict[tuple[str, str], Tally]
    matches: int
    difference: Difference | None = None
    compared: tuple[str, ...] = ()
    pairs: tuple[int, ...] = ()
    terminations: dict[str, int] = {}


def table_of(results: Iterable[Result], names: Sequence[str] = (), anchor: str = "") -> Standings:
    """Return the standings for all results; `names` are the participants, including those without a match yet."""
    results = list(results)
    order = list(dict.fromkeys([*names, *(name for result in results for side in result.names for name in side)]))
    tallies = {name: Tally() for name in order}
    losses: dict[str, Counter[str]] = {name: Counter() for name in order}
    cross: dict[tuple[str, str], Tally] = {}
    for result in results:
        tally_of = [_tally(points) for points in result.points]
        for side, tally in zip(result.names, tally_of, strict=True):
            for name in side:
                tallies[name] += tally
        for number, side in enumerate(result.names):
            for other, rivals in enumerate(result.names):
                if number != other:
                    outcome = _versus(result.points[number], result.points[other])
                    for pair in ((name, rival) for name in side for rival in rivals if name != rival):
                        cross[pair] = cross.get(pair, Tally()) + outcome
        for name, cause in result.faults:
            losses[name][cause] += 1
    ratings = _ratings(results, order, cross, anchor)
    points = dict.fromkeys(order, 0.0)
    for result in results:
        for side, score in zip(result.names, result.points, strict=True):
            for name in side:
                points[name] += score
    standings = [_standing(name, tallies[name], points[name], ratings[name], dict(losses[name])) for name in order]
    standings.sort(key=lambda row: (-row.elo, -row.points, order.index(row.name)))
    duel = len(order) == 2 and bool(results) and all(result.is_duel for result in results)
    pairs = pair_counts(results, order[0]) if duel else ()
    duel_difference = None
    if duel:
        duel_difference = pair_difference(pairs) if pairs else difference(cross[order[0], order[1]])
    ends = Counter(result.termination for result in results)
    names = tuple(order) if duel else ()
    return Standings(tuple(standings), cross, len(results), duel_difference, names, pairs, dict(ends.most_common()))


def _standing(name: str, tally: Tally, points: float, rating: ParticipantRating, losses: dict[str, int]) -> Standing:
    return Standing(
        name, int(tally.played), int(tally.won), int(tally.drawn), int(tally.lost), points, rating.elo, rating.error,
        losses, *((rating.mu, rating.sigma) if isinstance(rating, Skill) else ()),
    )  # fmt: skip


def _tally(points: float) -> Tally:
    return Tally(float(points == 1), float(0 < points < 1), float(points == 0))


def _versus(own: float, other: float) -> Tally:
    """Return the result between two sides of a match, which may have further sides."""
    return Tally(float(own > other), float(own == other), float(own < other))


def _ratings(
    results: Sequence[Result], names: Sequence[str], cross: dict[tuple[str, str], Tally], anchor: str
) -> dict[str, ParticipantRating]:
    """Return the ratings of all participants, by Elo or, if a match had teams or more than two sides, by openskill."""
    if all(result.is_duel for result in results):
        one_way = {pair: tally for pair, tally in cross.items() if names.index(pair[0]) < names.index(pair[1])}
        unplayed: dict[tuple[str, str], Tally] = {(name, name): Tally() for name in names}
        return dict(elo_ratings({**unplayed, **one_way}, anchor if anchor in names else None))
    ranked_matches = [
        [(side, int(points < max(result.points))) for side, points in zip(result.names, result.points, strict=True)]
        for result in results
    ]
    skill_by_name: dict[str, Skill] = skills(ranked_matches)
    zero = skill_by_name[anchor].elo if anchor in skill_by_name else 0.0
    return {
        name: skill._replace(elo=skill.elo - zero) if (skill := skill_by_name.get(name)) else Rating(0.0, 0.0)
        for name in names
    }


def pair_counts(results: Iterable[Result], name: str) -> tuple[int, ...]:
    """Return the numbers of complete pairs in which `name` scored 0, 0.5, 1, 1.5 and 2 points; empty without pairs."""
    sets: dict[str, list[float]] = {}
    for result in results:
        if result.set:
            sets.setdefault(result.set, []).append(result.points[result.names.index((name,))])
    counts = [0] * 5
    for points in sets.values():
        if len(points) == 2:
            counts[round(2 * sum(points))] += 1
    return tuple(counts) if any(counts) else ()


def sprt_line(sprt: Sprt, pairs: Sequence[int]) -> str:
    """Return the state of a sequential test as one line."""
    return (
        f"SPRT elo0={sprt.elo0:g} elo1={sprt.elo1:g}: LLR {sprt.llr(pairs or (0,) * 5):+.2f} "
        f"({sprt.lower:.2f} to {sprt.upper:.2f}), {sum(pairs)} pairs"
    )


def read_results(matches: Iterable[Sequence[Event]]) -> list[Result]:
    """Return the results of stored matches, without those that have none or cannot be read."""
    results = []
    for events in matches:
        try:
            result = result_of(events)
        except Unavailable:
            continue
        if result is not None:
            results.append(result)
    return results
