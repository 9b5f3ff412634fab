"""Soak test: a long run against a real server under players, attacks and faults at once (`make soak`).

It is a program that runs for an hour and prints a report; the slow test suite runs a short form of it.

Processes, all on the loopback interface, all started and ended by `run.py`:

- the server, which `havoc.py` kills, stops, deprives of disk space and moves in time;
- `guests.py`: players of every dialect; `bystanders.py`: a few more, whose moves are timed;
- `visitors.py`: native players who return after a kill, matches against bots, and spectators;
- `arena.py`: an arena tournament of 64 native players, and its audit;
- `fuzz.py`: mutated conversations of every dialect;
- `crowd.py`: bursts of connections, and clients that do not read;
- `attackers.py`: thirty attacks at once, each from its own address, on the limits per address;
- `ledger.py`: reads the journal while the server runs.

The run begins with a quiet part: only players, no attack and no fault. Then `fuzz.py`, `crowd.py`, `attackers.py` and
`havoc.py` start. The report compares bystanders' moves and GET requests in both parts. The server runs with
`--inspect`.

`cluster.py` does the same to several nodes (`make soak-cluster`), where `forger.py` publishes forged messages on the
bus.

Each process records what it received (`records.py`), and `audit.py` compares the records with the journal. Equal seeds
give equal plans and equal mutations; which players share a table depends on timing.
"""
