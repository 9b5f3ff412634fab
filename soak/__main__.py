"""`python -m soak --minutes 60 --seed 1`; the exit code is 1 if a guarantee was broken."""

import argparse
import signal
import sys
from pathlib import Path

from soak.run import soak

parser = argparse.ArgumentParser(prog="python -m soak", description="Run a server under players, attacks and faults.")
parser.add_argument("--minutes", type=float, default=60.0)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--keep", type=Path, default=None, help="directory for the records (default: temporary)")
chosen = parser.parse_args()
# Exit normally, so that every process is ended.
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
sys.exit(0 if soak(chosen.minutes, chosen.seed, keep=chosen.keep) else 1)
