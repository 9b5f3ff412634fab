"""Moderation and administration: bans, mutes, closed tables, announcements, reports and the audit log.

- Every measure is an `Act` (`acts.py`): a ban, a mute, a closed table, an announcement. Acts are numbered, stored
  before they take effect and never changed: they are the audit log.
- The sanctions in force are the fold of all acts (`sanctions.py`), as a match is the fold of its events. Every node
  follows the log, so a ban holds everywhere within seconds and after every restart.
- `gate.py` checks the requests of guests, `net` the addresses of connections. Tables, games and dialects do not depend
  on moderation.
"""

__all__: list[str] = []
