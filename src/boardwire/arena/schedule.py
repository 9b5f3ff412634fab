"""The schedule of a tournament: its matches in a fixed order, with fixed ids and seeds.

- A job is one match. Its id, seats, seeds and opening follow from its place in the tournament alone, so a stopped
  tournament knows which matches are missing, and the number of processes changes no result.
- `Schedule` is a pure state machine: it takes results and returns the jobs that can be played.
- A sequential test counts pairs in the order of the schedule and stops at the first one that decides, even if later
  ones have finished earlier.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256

import msgspec

from boardwire.arena.config import ArenaTournament
from boardwire.arena.results import Result, match_id, pair_counts, seat_name
from boardwire.competition.pairings import ORDERS, Encounter, Played, next_encounters, seat_order
from boardwire.competition.sprt import Decision


class Job(msgspec.Struct, frozen=True):
    """One match to be played. `participants` and `names` are by seat."""

    match: str
    participants: tuple[int, ...]
    names: tuple[str, ...]
    seed: int
    deal_seed: int
    opening: int


class Schedule:
    """The jobs of a tournament, given the results so far."""

    def __init__(self, tournament: ArenaTournament, results: Iterable[Result] = ()) -> None:
        self._tournament = tournament
        self._results: dict[str, Result] = {}
        self._history: list[list[Played]] = []
        self._encounters: list[Encounter] = []
        self.jobs: dict[str, Job] = {}
        """All jobs known so far, in order."""
        self._missing: set[str] = set()
        self.decision = Decision.CONTINUE
        """The result of the sequential test."""
        self._counts = [0] * 5
        """Number of pairs of matches with 0, 0.5, 1, 1.5 and 2 points for the first participant."""
        self._tested = 0
        """Number of matches that the sequential test has counted."""
        self._order: list[str] = []
        results_by_match = {result.match: result for result in results}
        self._advance(results_by_match)
        self._test()

    def add(self, result: Result) -> list[Job]:
        """Add a result and return the jobs that become playable."""
        return self.add_all([result])

    def add_all(self, results: Iterable[Result]) -> list[Job]:
        """Add results and return the jobs that become playable."""
        before = len(self._order)
        self._advance({result.match: result for result in results})
        self._test()
        return [self.jobs[match] for match in self._order[before:]]

    def missing(self) -> list[Job]:
        """Return the known jobs without a result, in order; none if a sequential test has decided."""
        if self.decision is not Decision.CONTINUE:
            return []
        return [job for job in self.jobs.values() if job.match in self._missing]

    @property
    def is_over(self) -> bool:
        """Whether all matches have a result, or a sequential test has decided."""
        return self.decision is not Decision.CONTINUE or not self._missing

    @property
    def played(self) -> int:
        """Number of matches with a result."""
        return len(self._results)

    @property
    def results(self) -> list[Result]:
        """The results that count, in the order of the schedule."""
        counted = [self._results[match] for match in self._order if match in self._results]
        return counted if self.decision is Decision.CONTINUE else counted[: self._tested]

    @property
    def order(self) -> list[str]:
        """The participants in the final order of a Swiss tournament, knockout or ladder; empty for other formats."""
        tournament = self._tournament
        if tournament.format not in ORDERS:
            return []
        return [
            tournament.names[number]
            for number in ORDERS[tournament.format](len(tournament.participants), self._history)
        ]

    @property
    def pairs(self) -> tuple[int, ...]:
        """The pentanomial counts for the first participant."""
        return pair_counts(self.results, self._tournament.names[0])

    def _advance(self, results_by_match: Mapping[str, Result]) -> None:
        """Add results, and pair the next round when the current one is complete."""
        pending = dict(results_by_match)
        while True:
            self._results |= {match: pending.pop(match) for match in list(pending) if match in self.jobs}
            self._missing -= self._results.keys()
            if self._missing:
                return
            if self._encounters:
                self._history.append([self._results_of(encounter) for encounter in self._encounters])
            tournament = self._tournament
            self._encounters = next_encounters(
                tournament.format, len(tournament.participants), len(tournament.sides), tournament.rounds, self._history
            )  # fmt: skip
            if not self._encounters:
                return
            new_jobs = [job for encounter in self._encounters for job in jobs_of(tournament, encounter)]
            self.jobs |= {job.match: job for job in new_jobs}
            self._order += [job.match for job in new_jobs]
            self._missing |= {job.match for job in new_jobs}

    def _results_of(self, encounter: Encounter) -> Played:
        names = self._tournament.names
        points = dict.fromkeys(encounter.entrants, 0.0)
        for job in jobs_of(self._tournament, encounter):
            result = self._results[job.match]
            for entrant in points:
                points[entrant] += sum(
                    got for side, got in zip(result.names, result.points, strict=True) if names[entrant] in side
                )
        return Played(encounter, tuple(points[entrant] for entrant in encounter.entrants))

    def _test(self) -> None:
        """Continue the sequential test with the next complete pairs."""
        sprt = self._tournament.sprt
        while sprt is not None and self.decision is Decision.CONTINUE and self._tested + 2 <= len(self._order):
            pair = self._order[self._tested : self._tested + 2]
            if any(match not in self._results for match in pair):
                return
            self._tested += 2
            first = (self._tournament.names[0],)
            points = sum(result.points[result.names.index(first)] for result in map(self._results.__getitem__, pair))
            self._counts[round(2 * points)] += 1
            self.decision = sprt.decide(self._counts)


def jobs_of(tournament: ArenaTournament, encounter: Encounter) -> list[Job]:
    """Return the matches of an encounter."""
    sides, tag = len(tournament.sides), tournament.fingerprint
    jobs = []
    for number in range(tournament.games):
        order = seat_order(encounter.entrants, number)
        by_seat: dict[int, tuple[int, str]] = {}
        for entrant, seats in zip(order, tournament.sides, strict=True):
            for partner, seat in enumerate(seats):
                by_seat[seat] = (entrant, seat_name(tournament.names[entrant], partner))
        opening_set = number // sides
        place = f"{tournament.seed} {encounter.round} {encounter.table}"
        index = (encounter.round * len(tournament.participants) + encounter.table) * (tournament.games // sides)
        jobs.append(
            Job(
                match_id(tag, encounter.round, encounter.table, number),
                tuple(by_seat[seat][0] for seat in range(tournament.seats)),
                tuple(by_seat[seat][1] for seat in range(tournament.seats)),
                _seed(f"{place} match {number}"),
                _seed(f"{place} set {opening_set}"),
                (index + opening_set) % len(tournament.openings),
            )
        )
    return jobs


def _seed(text: str) -> int:
    return int.from_bytes(sha256(text.encode()).digest()[:6])
