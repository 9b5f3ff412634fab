"""Training of the net that evaluates Santorini without powers: `make train`, or `python -m training.santorini`.

- A round plays matches of the search against itself, fits a net to the search's values and the results of the most
  recent rounds, and compares it with the best net so far by SPRT at equal nodes. The new net is kept if it is stronger.
- Everything is kept in one folder, so that the next call continues where the last one stopped. Randomness comes from
  the seed and the number of the round.
- Self-play and fit are C (`selfplay.c`, `fit.c`), which is compiled when needed; numpy is not required.
"""

from __future__ import annotations

import argparse
import ctypes
import shutil
from math import log, log10, sqrt
from pathlib import Path
from typing import Final, NamedTuple

from boardwire.bots.santorini.core.net import NET_BYTES
from training import c_library

HERE: Final = Path(__file__).parent
CORE: Final = HERE.parent / "src" / "boardwire" / "bots" / "santorini" / "core" / "mortal.c"
SAMPLE_BYTES: Final = 24
RECENT_ROUNDS: Final = 4
"""Rounds whose samples a net is fitted to."""
VALUE_SHARE: Final = 0.7
"""Share of the search's value in a target; the rest is the result."""
RATE: Final = 0.003
FAST_SUMS: Final = (
    "-fassociative-math",
    "-freciprocal-math",
    "-fno-signed-zeros",
    "-fno-trapping-math",
    "-fno-math-errno",
)
"""Compiler flags for vectorised sums.  -ffast-math would make the whole process flush small numbers to zero."""
PAIRS_AT_ONCE: Final = 10
SPRT_ELO: Final = (0.0, 20.0)
"""Hypotheses of the comparison: as strong, and stronger by this much."""
SPRT_BOUND: Final = log(0.95 / 0.05)


class Comparison(NamedTuple):
    """Pairs of matches of which the first player won none, one and both."""

    none: int
    one: int
    both: int

    @property
    def matches(self) -> int:
        """Matches played."""
        return 2 * sum(self)

    @property
    def won(self) -> int:
        """Matches that the first player won."""
        return self.one + 2 * self.both

    def ratio(self) -> float:
        """Return the logarithm of the likelihood ratio of the two hypotheses (normal approximation over pairs)."""
        pairs = sum(self)
        mean, variance = self._moments()
        low, high = (1 / (1 + 10 ** (-elo / 400)) for elo in SPRT_ELO)
        return pairs * (high - low) * (2 * mean - low - high) / (2 * variance)

    def elo(self) -> tuple[float, float]:
        """Return the difference in Elo and its error at 95 %."""
        mean, variance = self._moments()
        error = 1.96 * sqrt(variance / max(1, sum(self)))
        return -400 * log10(1 / mean - 1), error * 400 / log(10) / (mean * (1 - mean))

    def _moments(self) -> tuple[float, float]:
        """Return mean and variance of a pair's score, with half a pair of each kind added against zeros."""
        counts = [count + 0.5 for count in self]
        total = sum(counts)
        mean = (counts[1] / 2 + counts[2]) / total
        return mean, sum(count * (score / 2 - mean) ** 2 for score, count in enumerate(counts)) / total


def compared(
    one: bytes | None, other: bytes | None, nodes: int, most: int, seed: int, seconds: float = 0.0
) -> Comparison:
    """Play pairs of matches of two nets (None: the plain evaluation) until SPRT decides, at most `most` matches."""
    library = c_library.load(HERE / "selfplay.c", CORE)
    counts = (ctypes.c_int * 3)()
    result = Comparison(0, 0, 0)
    while result.matches < most and (result.matches < 60 or abs(result.ratio()) < SPRT_BOUND):
        failed = library.play_pairs(
            one, other, ctypes.c_int64(nodes), ctypes.c_double(seconds), PAIRS_AT_ONCE,
            ctypes.c_uint64(seed * 100_003 + result.matches), counts,
        )  # fmt: skip
        if failed:
            raise ValueError("cannot compare the nets: invalid weights")
        result = Comparison(*counts)
    return result


def play(net: bytes | None, nodes: int, seconds: float, seed: int, path: Path) -> int:
    """Play matches for some seconds of processor time and append samples to a file; return their number."""
    library = c_library.load(HERE / "selfplay.c", CORE)
    library.play_samples.restype = ctypes.c_long
    count: int = library.play_samples(
        net, nodes, ctypes.c_double(seconds), ctypes.c_uint64(seed), str(path).encode()
    )  # fmt: skip
    if count < 0:
        raise OSError(f"cannot write samples to {path}")
    return count


def fitted(files: list[Path], epochs: int, seed: int) -> bytes:
    """Return the weights of a net fitted to samples, and print its losses."""
    library = c_library.load(HERE / "fit.c", flags=("-O3", "-march=native", *FAST_SUMS))
    samples = b"".join(file.read_bytes() for file in files)
    weights, figures = ctypes.create_string_buffer(NET_BYTES), (ctypes.c_double * 4)()
    count = len(samples) // SAMPLE_BYTES
    library.fit(
        samples, ctypes.c_long(count), epochs, ctypes.c_double(VALUE_SHARE), ctypes.c_double(RATE),
        ctypes.c_uint64(seed), weights, figures,
    )  # fmt: skip
    scale, loss, held, results = figures
    print(
        f"  {count:,} samples, scale {scale:.0f}, loss {loss:.4f}; of samples held back {held:.4f}, "
        f"against results {results:.4f}",
        flush=True,
    )
    return weights.raw


def report(against: str, result: Comparison) -> None:
    """Print a comparison."""
    elo, error = result.elo()
    verdict = "stronger" if result.ratio() > SPRT_BOUND else "not stronger" if result.ratio() < 0 else "undecided"
    print(f"  {result.won} of {result.matches} against {against}: {elo:+.0f} +- {error:.0f} Elo, {verdict}", flush=True)


def main() -> None:
    """Train."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("data/training"))
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=300, help="processor time for the matches of a round")
    parser.add_argument("--nodes", type=int, default=1000, help="nodes of a turn in these matches, on average")
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--matches", type=int, default=1000, help="most matches of a comparison")
    parser.add_argument("--compare-nodes", type=int, default=5000, help="nodes of a turn in a comparison")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    best = asked.folder / "best.bin"
    for _ in range(asked.rounds):
        number = len(list(asked.folder.glob("net-*.bin"))) + 1
        print(f"round {number}", flush=True)
        seed = asked.seed * 1000 + number
        before = best.read_bytes() if best.exists() else None
        samples = asked.folder / f"samples-{number:03}.bin"
        samples.unlink(missing_ok=True)
        play(before, asked.nodes, asked.seconds, seed, samples)
        new = fitted(sorted(asked.folder.glob("samples-*.bin"))[-RECENT_ROUNDS:], asked.epochs, asked.seed)
        result = compared(new, before, asked.compare_nodes, asked.matches, seed)
        report("the best net" if before else "the plain evaluation", result)
        if before:
            report("the plain evaluation", compared(new, None, asked.compare_nodes, 100, seed))
        path = asked.folder / f"net-{number:03}.bin"
        path.write_bytes(new)
        if result.ratio() > 0:
            shutil.copy(path, best)
            print("  kept", flush=True)


if __name__ == "__main__":
    main()
