"""The table of a soak, and the list of promises that were broken."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import Final

import msgspec

from soak.audit import BOUND, Auditor
from soak.havoc import Havoc
from soak.server import Server
from soak.told import Fuzzed, Stormed

GROWTH: Final = 1.02
"""How much more memory the server may have at the end than in the middle."""
SETTLED: Final = 0.1
"""Parts of the run over which memory is looked at."""
ENOUGH_SAMPLES: Final = 30
SHOWN: Final = 10


class Figures:
    """What is printed."""

    def __init__(self) -> None:
        self.fuzzed: dict[str, Fuzzed] = {}
        self.stormed = Stormed()
        self.counts: Counter[str] = Counter()
        self.stored = 0
        self.events = 0
        self.memory: tuple[float, float, float] | None = None
        """Bytes at the start, in the middle and at the end; None: the run was too short to say."""

    def add_fuzzed(self, record: Fuzzed) -> None:
        before = self.fuzzed.setdefault(record.dialect, Fuzzed(record.dialect))
        for name in ("sessions", "messages", "refused", "dropped", "unreachable"):
            setattr(before, name, getattr(before, name) + getattr(record, name))

    def add_stormed(self, record: Stormed) -> None:
        for field in msgspec.structs.fields(Stormed):
            setattr(self.stormed, field.name, getattr(self.stormed, field.name) + getattr(record, field.name))

    def load(self, auditor: Auditor, havoc: Havoc, server: Server, begin: float, end: float) -> None:
        """Memory: the median over a tenth of the run, in the middle and at the end, if one process lived so long."""
        span = end - begin
        lives = Counter(life for at, life, _ in server.memory if at > begin + 0.5 * span)
        if not lives or not server.memory:
            return
        life, _ = lives.most_common(1)[0]
        samples = [(at, size) for at, in_life, size in server.memory if in_life == life]
        first, last = max(begin + 0.5 * span, samples[0][0]), samples[-1][0]
        middle = [size for at, size in samples if first <= at < first + SETTLED * span]
        final = [size for at, size in samples if at > last - SETTLED * span]
        if len(middle) + len(final) >= ENOUGH_SAMPLES:
            self.memory = (float(server.memory[0][2]), float(median(middle)), float(median(final)))


class Outcome:
    """Everything that came of a run."""

    def __init__(self, figures: Figures, auditor: Auditor, havoc: Havoc, server: Server) -> None:
        self.figures = figures
        self.auditor = auditor
        self.havoc = havoc
        self.server = server
        self.broken = self._broken()

    def _broken(self) -> list[str]:
        """The promises that were not kept, worst first."""
        auditor, found = self.auditor, []
        found += [f"lost: {what}" for what in auditor.lost]
        found += [f"doubled: {what}" for what in auditor.doubled]
        found += [f"not finished: {what}" for what in auditor.unfinished]
        found += [f"traceback: {what}" for what in self.server.tracebacks]
        found += [f"fault: {what}" for what in self.havoc.faults]
        _, high, _, count = auditor.latency()
        if high > BOUND:
            found.append(f"slow: one bystander's move in a hundred took longer than {high * 1000:.1f} ms")
        if not count:
            found.append("nothing was measured: no bystander made a move")
        memory = self.figures.memory
        if memory is not None and memory[2] > memory[1] * GROWTH:
            found.append(f"memory grew by {(memory[2] / memory[1] - 1) * 100:.1f} % in the second half")
        return found


def show(outcome: Outcome, minutes: float, seed: int) -> None:
    """Print it."""
    auditor, figures, havoc, server = outcome.auditor, outcome.figures, outcome.havoc, outcome.server
    print(f"Soak of {minutes:g} minutes, seed {seed}\n")
    print(
        f"{'dialect':<28}{'matches':>9}{'finished':>10}{'moves':>10}{'fuzzed':>12}{'sessions':>10}{'refused':>10}{'dropped':>10}"
    )
    for dialect in sorted({*auditor.matches, *figures.fuzzed}):
        fuzzed = figures.fuzzed.get(dialect, Fuzzed(dialect))
        print(
            f"{dialect:<28}{auditor.matches[dialect]:>9,}{auditor.finished[dialect]:>10,}{auditor.moves[dialect]:>10,}"
            f"{fuzzed.messages:>12,}{fuzzed.sessions:>10,}{fuzzed.refused:>10,}{fuzzed.dropped:>10,}"
        )
    low, high, most, count = auditor.latency()
    done = havoc.done
    rows = [
        ("others", ", ".join(f"{count:,} {what}" for what, count in sorted(figures.counts.items())) or "none"),
        ("storms", f"{figures.stormed.connections:,} connections, {figures.stormed.slow:,} slow readers"
                   f" ({figures.stormed.slow_dropped:,} dropped)"),
        ("havoc", f"{done['kill']} kills, {done['stop']} stops, {done['disk']} full disks, "
                  + (f"{done['jump']} jumps of the clock" if server.can_jump else "no jumps: there is no C compiler")),
        ("bystander's move", f"p50 {low * 1000:.1f} ms, p99 {high * 1000:.1f} ms, longest {most * 1000:.0f} ms, of {count:,}"),
        ("memory", "too short to say" if figures.memory is None else
         "start {:.1f} MB, middle {:.1f} MB, end {:.1f} MB".format(*(size / 2**20 for size in figures.memory))),
        ("journal", f"{figures.stored:,} matches, {figures.events:,} events; {auditor.shown:,} shown steps compared,"
                    f" {auditor.unsure:,} matches with refused moves not compared"),
        ("lost", f"{len(auditor.lost):,}"),
        ("doubled", f"{len(auditor.doubled):,}"),
        ("not finished", f"{len(auditor.unfinished):,}"),
        ("tracebacks", f"{server.traceback_count:,}"),
        ("other faults", f"{len(havoc.faults):,}"),
    ]  # fmt: skip
    print()
    rows += [("windows", " ".join(f"{w.why}:{w.begin:.1f}-{w.end:.1f}" for w in havoc.windows))]
    for label, text in rows:
        print(f"{label:<28}{text}")
    kinds: Counter[str] = Counter()
    for broken in outcome.broken:
        kind = broken.partition(":")[0]
        kinds[kind] += 1
        if kinds[kind] <= SHOWN:
            print(f"\nBROKEN: {broken}")
    print("\nevery promise was kept" if not outcome.broken else f"\n{len(outcome.broken)} promises broken", flush=True)
