"""Two players of every dialect who take their time: their moves are timed.

Run as `python -m soak.bystanders DIRECTORY SEED UNTIL`.  They are guests like the others, in a process that has little
to do besides, so that what they wait for is the server.
"""

from __future__ import annotations

from soak.guests import Company, run

BYSTANDERS = Company(
    "bystanders",
    {
        "tris-lines": 4,
        "native": 2,
        "santorini-objects": 2,
        "santorini-actions": 2,
        "santorini-lobby": 2,
        "forza-lines": 2,
        "eriantys-messages": 2,
        "eriantys-objects": 2,
    },
    (0.1, 0.4),
    "127.1.4",
    first=10_000_001,
    timed=True,
)

if __name__ == "__main__":
    run(BYSTANDERS)
