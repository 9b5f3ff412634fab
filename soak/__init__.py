"""A long run against a real server, with everything that can go wrong going on at once: `make soak`.

It stands beside `bench`, not among the tests: it is a program that people run for an hour and that prints figures.  The
long suite runs a short form of it.

Processes, all on the loopback, all ended by `run.py`:

- the server, which `havoc.py` kills, stops, starves of disk and moves in time;
- `guests.py`: players of every dialect, who meet each other and the fuzzers at the tables; `bystanders.py`: a few more,
  whose moves are timed;
- `visitors.py`: native players who come back after a kill, matches against bots, and spectators;
- `fuzz.py`: mutated conversations of every dialect;
- `crowd.py`: storms of connections, and peers that do not read;
- `attackers.py`: twenty attacks at once, each from its own address, on the shares that addresses have;
- `ledger.py`: reads the journal beside the server.

The run begins with a quiet part: only players, no attack and no havoc.  Then `fuzz.py`, `crowd.py`, `attackers.py` and
the havoc start.  The report compares bystanders' moves and GET requests in both parts.  The server is inspected
(`--inspect`) all the time.

`cluster.py` does the same to several nodes at once: `make soak-cluster`.  There `forger.py` publishes forged messages
on the bus.

Each writes down what it was told (`told.py`); `audit.py` compares that with the journal.
Equal seeds give equal plans and equal mutations; who meets whom is up to the machine.
"""
