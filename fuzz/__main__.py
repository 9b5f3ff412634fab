"""Run fuzz targets under atheris: `python -m fuzz [TARGET ...] --seconds 60`, or `make fuzz SECONDS=60`.

Every target runs for that long in its own process, as many at a time as there are cores.  Inputs that reach new code
are kept in `data/fuzz/TARGET/` and used by the next run.  Dialects also start from one message of every declared type,
with their words as a dictionary (`grammar.py`).  An input that fails is written to `data/fuzz/failures/`, and
the exit code is 1.  `--minimize` replaces the corpus of a target by the smallest set of inputs, old and new, that
reaches the same code.

With `--runs N` every target gets the same N inputs in every run, for CI, where results must be reproducible.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from fuzz import grammar
from fuzz.seeds import CORPUS
from fuzz.targets import TARGETS

FOUND: Final = Path("data") / "fuzz"
FAILURES: Final = FOUND / "failures"
MAX_BYTES: Final = 4096
SLOW_SECONDS: Final = 5
"""An input that takes longer is a failure."""
START_SECONDS: Final = 120
"""Time allowed to import and instrument the program, and to run the corpus."""


class Outcome(NamedTuple):
    """Result of one target's run."""

    target: str
    runs: str
    failed: bool
    output: str


def run(target: str, seconds: int, runs: int = 0) -> Outcome:
    """Fuzz one target for some seconds, or with `runs` reproducible inputs."""
    found = FOUND / (f"{target}.repeated" if runs else target)
    if runs:
        shutil.rmtree(found, ignore_errors=True)
    found.mkdir(parents=True, exist_ok=True)
    FAILURES.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(grammar.inputs(target)):
        (found / f"declared-{number}").write_bytes(data)
    words = FOUND / f"{target}.words"
    words.write_text("".join(f'"{_quoted(word)}"\n' for word in grammar.tokens(target)), "ascii")
    arguments = (
        *((f"-runs={runs}", "-seed=1") if runs else (f"-max_total_time={seconds}",)),
        f"-max_len={MAX_BYTES}", f"-timeout={SLOW_SECONDS}", "-rss_limit_mb=2048",
        f"-artifact_prefix={FAILURES}/{target}-", "-print_final_stats=1", "-verbosity=0",
        f"-dict={words}",
        str(found), str(CORPUS / target),
    )  # fmt: skip
    return _atheris(target, arguments, seconds)


def _quoted(word: bytes) -> str:
    """Return a word as libFuzzer's dictionaries write it."""
    return "".join(chr(byte) if chr(byte).isalnum() else f"\\x{byte:02x}" for byte in word)


def minimize(target: str) -> Outcome:
    """Replace the corpus of a target by the smallest set of inputs that reaches the same code."""
    merged = FOUND / f"{target}.merged"
    shutil.rmtree(merged, ignore_errors=True)
    merged.mkdir(parents=True)
    (FOUND / target).mkdir(parents=True, exist_ok=True)
    places = (str(merged), str(CORPUS / target), str(FOUND / target))
    outcome = _atheris(target, ("-merge=1", f"-max_len={MAX_BYTES}", *places), START_SECONDS)
    if not outcome.failed:
        shutil.rmtree(CORPUS / target)
        shutil.move(merged, CORPUS / target)
    return outcome


def _atheris(target: str, arguments: tuple[str, ...], seconds: int) -> Outcome:
    environment = os.environ | {"BOARDWIRE_INTERPRETED": "1", "PYTHONHASHSEED": "0"}  # no instrumentation of C code
    command = (sys.executable, "-m", "fuzz.guided", target, *arguments)
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, errors="replace", timeout=seconds + START_SECONDS,
            check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as late:
        return Outcome(target, "?", True, f"still running after {late.timeout:g} s")
    output = done.stdout + done.stderr
    counted = [line.rpartition(":")[2].strip() for line in output.splitlines() if "number_of_executed_units" in line]
    return Outcome(target, counted[0] if counted else "?", done.returncode != 0, output)


def main() -> int:
    """Run the named targets, or all."""
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__, allow_abbrev=False)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help="one of " + ", ".join(TARGETS))
    parser.add_argument("--seconds", type=int, default=60, help="time for each target (default 60)")
    parser.add_argument("--runs", type=int, default=0, help="number of inputs, the same in every run")
    parser.add_argument("--minimize", action="store_true", help="replace the corpus by the smallest set of inputs")
    asked = parser.parse_args()
    if unknown := set(asked.targets) - TARGETS.keys():
        parser.error(f"unknown target {', '.join(sorted(unknown))}; choose from {', '.join(TARGETS)}")
    names = asked.targets or list(TARGETS)
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as workers:
        for outcome in workers.map(
            minimize if asked.minimize else lambda name: run(name, asked.seconds, asked.runs), names
        ):
            print(f"{outcome.target}: {'FAILED' if outcome.failed else 'passed'}, {outcome.runs} inputs", flush=True)
            if outcome.failed:
                failed += 1
                print(outcome.output, file=sys.stderr)
    print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
