"""Report of a soak: the table of figures and the list of broken guarantees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import Final

import msgspec

from soak.audit import (
    BYSTANDERS,
    DISK,
    ECHO,
    GETS,
    MAX_GET_SECONDS,
    MAX_MOVE_SECONDS,
    MAX_SLOWDOWN,
    NET,
    OTHERS,
    Auditor,
)
from soak.havoc import FaultInjector
from soak.records import Attacked, Fuzzed, Stormed
from soak.server import ProcessorSample, Sample, Server
from soak.windows import Phases

GROWTH: Final = 1.02
"""Largest ratio of the server's memory at the end to that in the middle."""
MEDIAN_PART: Final = 0.1
"""Part of the run over which each median of the memory is taken."""
SETTLING_SECONDS: Final = 240.0
"""Time after which the memory of a server under constant load is stable."""
MAX_LINES_PER_KIND: Final = 10
MIN_MOVES: Final = 500
"""Fewest moves without attack for a comparison of 99th percentiles."""


class Figures:
    """Figures of the report."""

    def __init__(self) -> None:
        self.fuzzed: dict[str, Fuzzed] = {}
        self.stormed = Stormed()
        self.attacked: dict[str, Attacked] = {}
        self.peak = 0
        """Peak memory of the server, in bytes."""
        self.counts: Counter[str] = Counter()
        self.stored = 0
        self.events = 0
        self.memory: tuple[float, float, float] | None = None
        """Memory in bytes at the start, in the middle and at the end; None if the run was too short."""

    def add_fuzzed(self, record: Fuzzed) -> None:
        before = self.fuzzed.setdefault(record.dialect, Fuzzed(record.dialect))
        for name in ("sessions", "messages", "refused", "dropped", "unreachable"):
            setattr(before, name, getattr(before, name) + getattr(record, name))

    def add_stormed(self, record: Stormed) -> None:
        for field in msgspec.structs.fields(Stormed):
            setattr(self.stormed, field.name, getattr(self.stormed, field.name) + getattr(record, field.name))

    def add_attacked(self, record: Attacked) -> None:
        before = self.attacked.setdefault(record.name, Attacked(record.name))
        for name in ("made", "refused", "unanswered"):
            setattr(before, name, getattr(before, name) + getattr(record, name))

    def load(self, samples: Sequence[Sample], begin: float, end: float) -> None:
        """Set the memory medians over a tenth of the run, in the middle and at the end.

        Both are taken from one process after its memory has settled: seats are held for two minutes, and memory grows
        until their number is constant.
        """
        span = end - begin
        self.peak = max((size for _, _, size in samples), default=0)
        lives = Counter(life for at, life, _ in samples if at > begin + 0.5 * span)
        if not lives:
            return
        life, _ = lives.most_common(1)[0]
        lived = [(at, size) for at, in_life, size in samples if in_life == life]
        first, last = max(begin + 0.5 * span, lived[0][0] + SETTLING_SECONDS), lived[-1][0]
        middle = [size for at, size in lived if first <= at < first + MEDIAN_PART * span]
        final = [size for at, size in lived if at > last - MEDIAN_PART * span]
        if first + 2 * MEDIAN_PART * span < last and middle:
            self.memory = (float(samples[0][2]), float(median(middle)), float(median(final)))


class Outcome:
    """Result of a run."""

    def __init__(
        self, figures: Figures, auditor: Auditor, havoc: FaultInjector, server: Server, phases: Phases
    ) -> None:
        self.figures = figures
        self.auditor = auditor
        self.havoc = havoc
        self.server = server
        self.phases = phases
        self.broken = [*self.wrong(), *self.slow()]
        """Broken guarantees, worst first."""

    def wrong(self) -> list[str]:
        """Return broken guarantees that hold on any machine."""
        auditor, violations = self.auditor, []
        violations += [f"lost: {what}" for what in auditor.lost]
        violations += [f"doubled: {what}" for what in auditor.doubled]
        violations += [f"not finished: {what}" for what in auditor.unfinished]
        violations += [f"traceback: {count} times: {what}" for what, count in self.server.tracebacks.items()]
        violations += [f"fault: {what}" for what in self.havoc.faults]
        violations += [
            f"control characters in the log: {count} times: {what}" for what, count in self.server.controls.items()
        ]
        violations += [
            f"no attack: {attacker.name} made no request"
            for attacker in self.figures.attacked.values()
            if not attacker.made
        ]
        violations += [f"bystander's GET not served: {what}" for what in self.auditor.not_served(self.havoc.windows)]
        return violations

    def slow(self) -> list[str]:
        """Return broken guarantees that need an idle machine and a run of some length."""
        violations = []
        for who, bound in ((BYSTANDERS, MAX_MOVE_SECONDS), (GETS, MAX_GET_SECONDS)):
            _, high, _, count = self.auditor.latency(self.havoc.windows, who, self.phases.attacked)
            if high > bound:
                violations.append(f"slow: the 99th percentile of {who}s under attack is {high * 1000:.1f} ms")
            if not count:
                violations.append(f"not measured: there was no {who} under attack")
        violations += self._slowed_down()
        memory = self.figures.memory
        if memory is not None and memory[2] > memory[1] * GROWTH:
            violations.append(f"memory grew by {(memory[2] / memory[1] - 1) * 100:.1f} % in the second half")
        return violations

    def _slowed_down(self) -> list[str]:
        """Compare bystanders' moves under attack with those before, if there are enough."""
        _, calm, _, count = self.auditor.latency(self.havoc.windows, BYSTANDERS, self.phases.calm)
        _, attacked, _, _ = self.auditor.latency(self.havoc.windows, BYSTANDERS, self.phases.attacked)
        if count < MIN_MOVES or attacked <= MAX_SLOWDOWN * calm:
            return []
        times = f"{attacked / calm:.1f} times that without attack: {attacked * 1000:.1f} ms, was {calm * 1000:.1f} ms"
        return [f"slowed down: the 99th percentile of bystanders' moves is {times}"]


def processor_shares(samples: Sequence[ProcessorSample], begin: float, end: float) -> tuple[float, float]:
    """Return the time of all server threads on a processor and in the run queue, as parts of a phase."""
    seconds = running = waiting = 0.0
    for before, after in pairwise(sample for sample in samples if begin <= sample[0] < end):
        if before[1] == after[1]:  # the same process
            seconds += after[0] - before[0]
            running += after[2] - before[2]
            waiting += after[3] - before[3]
    return (running / seconds, waiting / seconds) if seconds else (0.0, 0.0)


def show(outcome: Outcome, minutes: float, seed: int) -> None:
    """Print the report."""
    auditor, figures = outcome.auditor, outcome.figures
    print(f"Soak of {minutes:g} minutes, seed {seed}\n")
    _row("dialect", "matches", "finished", "moves", "fuzzed", "sessions", "refused", "dropped")
    for dialect in sorted({*auditor.matches, *figures.fuzzed}):
        fuzzed = figures.fuzzed.get(dialect, Fuzzed(dialect))
        counts = (auditor.matches[dialect], auditor.finished[dialect], auditor.moves[dialect])
        fuzz = (fuzzed.messages, fuzzed.sessions, fuzzed.refused, fuzzed.dropped)
        _row(dialect, *(f"{count:,}" for count in (*counts, *fuzz)))
    print()
    if figures.attacked:
        _row("attacker", "requests", "refused", "unanswered")
        for attacker in figures.attacked.values():
            _row(attacker.name, *(f"{count:,}" for count in (attacker.made, attacker.refused, attacker.unanswered)))
        print()
    for label, text in _lines(outcome):
        print(f"{label:<24}{text}")
    kinds: Counter[str] = Counter()
    for broken in outcome.broken:
        kind = broken.partition(":")[0]
        kinds[kind] += 1
        if kinds[kind] <= MAX_LINES_PER_KIND:
            print(f"\nBROKEN: {broken}")
    print("\nall guarantees held" if not outcome.broken else f"\n{len(outcome.broken)} guarantees broken", flush=True)


def _row(first: str, *others: str) -> None:
    print(f"{first:<28}" + "".join(f"{other:>11}" for other in others))


def _lines(outcome: Outcome) -> Iterator[tuple[str, str]]:
    """Return the lines about the whole run."""
    auditor, figures, havoc, server = outcome.auditor, outcome.figures, outcome.havoc, outcome.server
    done, stormed, jumps = havoc.done, figures.stormed, "no jumps of the clock: there is no C compiler"
    if server.can_jump:
        jumps = f"{done['jump']} jumps of the clock"
    yield "watched", f"{figures.counts['matches watched']:,} matches, {auditor.shown:,} steps compared"
    if figures.counts["arenas"]:
        seats = f"{figures.counts['arena seats played']:,} seats seen to the end"
        yield "arena", f"{figures.counts['arenas']} of 64 players, {figures.counts['arena results']:,} results, {seats}"
    yield (
        "storms",
        f"{stormed.connections:,} connections, {stormed.slow:,} slow readers, {stormed.slow_dropped:,} dropped",
    )
    yield "havoc", f"{done['kill']} kills, {done['stop']} stops, {done['disk']} full disks, {jumps}"
    for who in (BYSTANDERS, NET, GETS, OTHERS, ECHO, DISK):
        for label, phase in (("quiet", outcome.phases.calm), ("attacked", outcome.phases.attacked)):
            low, high, most, count = auditor.latency(havoc.windows, who, phase)
            times = f"p50 {low * 1000:.1f} ms, p99 {high * 1000:.1f} ms, longest {most * 1000:.0f} ms"
            yield who, f"{label:<9}{times}, of {count:,}"
    for label, phase in (("quiet", outcome.phases.calm), ("attacked", outcome.phases.attacked)):
        running, waiting = processor_shares(server.processor, *phase)
        yield "server's threads", f"{label:<9}{running:.0%} of a processor, {waiting:.0%} in the run queue"
    yield "GETs not served", f"{len(auditor.not_served(havoc.windows)):,}"
    yield "raw control characters", f"{server.controls.total():,} log lines"
    yield "peak memory", f"{figures.peak / 2**20:.1f} MB"
    if figures.memory is None:
        yield "memory", "the run was too short to compare medians"
    else:
        start, middle, end = (size / 2**20 for size in figures.memory)
        growth = (end / middle - 1) * 100
        yield "memory", f"start {start:.1f} MB, middle {middle:.1f} MB, end {end:.1f} MB ({growth:+.1f} %)"
    yield "journal", f"{figures.stored:,} matches, {figures.events:,} events"
    yield "not compared", f"{auditor.unsure:,} players with refused moves (checked only for duplicates)"
    yield "lost", f"{len(auditor.lost):,}"
    yield "doubled", f"{len(auditor.doubled):,}"
    yield "not finished", f"{len(auditor.unfinished):,}"
    yield "tracebacks", f"{server.tracebacks.total():,}"
    yield "other faults", f"{len(havoc.faults):,}"
