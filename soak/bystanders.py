"""Slow players of every dialect whose moves are timed.

Run as `python -m soak.bystanders DIRECTORY SEED UNTIL TIMES SLOWER`. Their process has little else to do, so that the
measured time is the server's.
"""

from __future__ import annotations

from boardwire.dialects import PROTOCOLS
from soak.guests import GuestGroup, run

BYSTANDERS = GuestGroup(
    "bystanders",
    {name: 4 if name == "tris-lines" else 2 for name in PROTOCOLS},
    (0.1, 0.4),
    "127.1.4",
    first=10_000_001,
    timed=True,
)

if __name__ == "__main__":
    run(BYSTANDERS)
