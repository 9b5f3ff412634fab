"""`python -m soak --minutes 60 --seed 1`; exit code 1 if a promise was broken."""

import argparse
import signal
import sys
from pathlib import Path

from soak.run import soak

parser = argparse.ArgumentParser(prog="python -m soak", description="A long run with everything going wrong at once.")
parser.add_argument("--minutes", type=float, default=60.0)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--keep", type=Path, default=None, help="a directory for all that is written down")
chosen = parser.parse_args()
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # so that every process is ended
sys.exit(0 if soak(chosen.minutes, chosen.seed, keep=chosen.keep) else 1)
