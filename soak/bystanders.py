"""Two players of every dialect who take their time: their moves are timed.

Run as `python -m soak.bystanders DIRECTORY SEED UNTIL`.  They are guests like the others, in a process that has little
to do besides, so that what they wait for is the server.
"""

from __future__ import annotations

from boardwire.dialects import PROTOCOLS
from soak.guests import Company, run

BYSTANDERS = Company(
    "bystanders",
    {name: 4 if name == "tris-lines" else 2 for name in PROTOCOLS},
    (0.1, 0.4),
    "127.1.4",
    first=10_000_001,
    timed=True,
)

if __name__ == "__main__":
    run(BYSTANDERS)
