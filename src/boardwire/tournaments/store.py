"""Storage of tournaments: their events, and a row for each in the list.

Events of a tournament are numbered from 1 without gaps. An append whose first number is taken stores nothing, so two
nodes never continue the same tournament differently.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec

from boardwire.players.pseudonyms import deleted_keys
from boardwire.records.records import Records, Row, Transaction
from boardwire.tournaments.events import Created, Entered, Event, decode, encode
from boardwire.tournaments.tournament import Tournament, TournamentStatus

COMPONENT: Final = "tournaments"
MIGRATIONS: Final = (
    # 1: events, and the list
    """
    CREATE TABLE tournaments (
        number {serial}, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, game TEXT NOT NULL, format TEXT NOT NULL,
        status TEXT NOT NULL, created DOUBLE PRECISION NOT NULL, starts DOUBLE PRECISION NOT NULL,
        entrants BIGINT NOT NULL, rounds BIGINT NOT NULL, seq BIGINT NOT NULL, organiser TEXT NOT NULL
    );
    CREATE INDEX tournaments_by_status ON tournaments (status, number);
    CREATE TABLE tournament_events (
        tournament TEXT NOT NULL, seq BIGINT NOT NULL, event TEXT NOT NULL, PRIMARY KEY (tournament, seq)
    );
    """,
    # 2: organisers and participants, by the key of their seats
    """
    CREATE TABLE tournament_players (
        player TEXT NOT NULL, tournament TEXT NOT NULL, part TEXT NOT NULL, name TEXT NOT NULL,
        at DOUBLE PRECISION NOT NULL, PRIMARY KEY (player, tournament, part)
    );
    """,
)
"""Released migrations never change; new ones are appended."""

LIVE: Final = (TournamentStatus.OPEN.value, TournamentStatus.RUNNING.value)
"""Statuses of tournaments that are not over."""
_COLUMNS: Final = "number, id, name, game, format, status, created, starts, entrants, rounds"


class TournamentRow(msgspec.Struct, frozen=True):
    """A tournament in a list."""

    number: int
    id: str
    name: str
    game: str
    format: str
    status: str
    created_at: float
    starts_at: float
    entrants: int
    rounds: int


class TournamentStore:
    """Tournaments in the records. `read` methods run on reader threads."""

    def __init__(self, records: Records) -> None:
        self.records = records
        if records.migrate(COMPONENT, MIGRATIONS) or not records.read(_has_players):
            records.write_now(_add_all_players)  # of tournaments from before migration 2

    async def append(self, after: Tournament, events: Sequence[Event]) -> bool:
        """Store the events that lead to `after`; return False if another node has stored events meanwhile."""
        first = after.seq - len(events) + 1
        rows = [(after.id, first + place, encode(event).decode()) for place, event in enumerate(events)]

        def work(db: Transaction) -> bool:
            (last,) = db.one("SELECT coalesce(max(seq), 0) FROM tournament_events WHERE tournament = ?", after.id) or (
                0,
            )
            if last != first - 1:
                return False
            db.many("INSERT INTO tournament_events (tournament, seq, event) VALUES (?, ?, ?)", rows)
            _add_players(db, after.id, events)
            setup = after.setup
            db.run(
                "INSERT INTO tournaments"
                " (id, name, game, format, status, created, starts, entrants, rounds, seq, organiser)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                " ON CONFLICT (id) DO UPDATE SET status = excluded.status, starts = excluded.starts,"
                " entrants = excluded.entrants, rounds = excluded.rounds, seq = excluded.seq",
                after.id, setup.name, setup.game, setup.format.value, after.status.value, after.created_at,
                after.started_at or setup.starts_at, len(after.active()), len(after.rounds), after.seq,
                after.organiser,
            )  # fmt: skip
            return True

        return await self.records.write(work)

    def read(self, tournament: str, after: int = 0) -> list[Event]:
        """Return the events of a tournament after number `after`, in order."""
        sql = "SELECT event FROM tournament_events WHERE tournament = ? AND seq > ? ORDER BY seq"
        return [decode(row[0]) for row in self.records.read(lambda db: db.all(sql, tournament, after))]

    def unfinished(self) -> dict[str, int]:
        """Return the tournaments that are not over, with the number of their last event."""
        sql = "SELECT id, seq FROM tournaments WHERE status IN (?, ?) ORDER BY number"
        return {row[0]: row[1] for row in self.records.read(lambda db: db.all(sql, *LIVE))}

    def newest(self, before: int | None, count: int) -> list[TournamentRow]:
        """Return up to `count` tournaments before number `before`, newest first."""
        sql = f"SELECT {_COLUMNS} FROM tournaments WHERE number < ? ORDER BY number DESC LIMIT ?"
        return _rows(self.records.read(lambda db: db.all(sql, 2**62 if before is None else before, count)))


def _rows(rows: Sequence[Row]) -> list[TournamentRow]:
    return [TournamentRow(*row) for row in rows]


def _players(events: Iterable[Event]) -> Iterator[tuple[str, str, str, float]]:
    """Yield key, part, name and time of each organiser and each participant except bots."""
    for event in events:
        if isinstance(event, Created) and event.organiser:
            yield event.organiser, "organiser", event.organiser_name, event.at
        elif isinstance(event, Entered) and event.entrant.key:
            yield event.entrant.key, "participant", event.entrant.name, event.at


def _add_players(
    db: Transaction, tournament: str, events: Iterable[Event], deleted: frozenset[str] = frozenset()
) -> None:
    """Add the tournament to the lists of its organiser and participants, except those with a `deleted` key."""
    rows = [(key, tournament, part, name, at) for key, part, name, at in _players(events) if key not in deleted]
    if rows:
        add = "INSERT INTO tournament_players (player, tournament, part, name, at) VALUES (?, ?, ?, ?, ?)"
        db.many(f"{add} ON CONFLICT DO NOTHING", rows)


def _has_players(db: Transaction) -> bool:
    return db.one("SELECT 1 FROM tournament_players LIMIT 1") is not None


def _add_all_players(db: Transaction) -> None:
    if _has_players(db):
        return
    deleted = deleted_keys(db)
    for (tournament,) in db.all("SELECT id FROM tournaments"):
        rows = db.all("SELECT event FROM tournament_events WHERE tournament = ?", tournament)
        _add_players(db, tournament, (decode(event) for (event,) in rows), deleted)


def forget_player(db: Transaction, keys: Sequence[str]) -> None:
    """Remove a player's list of tournaments; their events stay, and are shown without the player's name."""
    db.many("DELETE FROM tournament_players WHERE player = ?", [(key,) for key in keys])
