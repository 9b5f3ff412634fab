"""Every table of the records is personal or not; what is personal is exported to its player and deleted with it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from boardwire.components import COMPONENTS, NOT_PERSONAL, PERSONAL, Owner, forget_account, migrate_all, personal_rows
from boardwire.players.accounts import Accounts
from boardwire.records.records import Records, Transaction
from boardwire.records.sqlite import SqliteRecords
from boardwire.records.transfer import tables_of
from boardwire.table.events import account_key
from boardwire.tournaments.events import Created, Entered, Entrant, encode
from boardwire.tournaments.setup import TournamentFormat, TournamentSetup
from boardwire.tournaments.store import TournamentStore

GUEST_KEY = "hash-of-the-token-of-the-guest-time"
OWNING = {"player", "players", "other", "challenger", "owner", "reporter", "actor", "organiser", "organiser_name"}
"""Names of columns that name a player."""
STAY = {
    "players": "its number stays, for matches and ratings; the name goes",
    "ratings": "hidden, under the number",
    "rating_results": "under the number",
    "tournaments": "a public list of tournaments; the organiser is a key",
    "moderation_acts": "the audit log is kept; the author's name goes",
    "moderation_reports": "kept for 180 days after the answer; name and address go",
}
"""Tables that keep rows of a deleted account, and why."""


@pytest.fixture
def records() -> Iterator[Records]:
    made = SqliteRecords(None)
    migrate_all(made)
    yield made
    made.close()


@pytest.fixture
def accounts(records: Records) -> Accounts:
    made = Accounts(records, lambda: 1000.0)
    made.forget = forget_account
    return made


def columns(table: str, db: Transaction) -> list[tuple[str, str]]:
    return [(name, kind) for name, kind in db.all("SELECT name, type FROM pragma_table_info(?)", table)]


def tables(records: Records) -> set[str]:
    find = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    return {name for (name,) in records.read(lambda db: db.all(find))} - {"record_components"}


def test_every_table_is_personal_or_says_why_it_is_not(records: Records) -> None:
    found = tables(records)
    assert found == {table for migrations in COMPONENTS.values() for table in tables_of(migrations)}
    assert found == PERSONAL.keys() | NOT_PERSONAL.keys(), "add a new table to components.PERSONAL or NOT_PERSONAL"
    assert PERSONAL.keys() & NOT_PERSONAL.keys() == set()


def test_a_table_with_a_column_that_names_a_player_is_personal(records: Records) -> None:
    named = {table for table in tables(records) if OWNING & {name for name, _ in records.read(partial(columns, table))}}
    assert named - PERSONAL.keys() == {"rating_matches"}, "its rows are those of rating_results"
    for table, personal in PERSONAL.items():
        known = {name for name, _ in records.read(partial(columns, table))}
        assert {*personal.columns, *personal.hidden} <= known, table


def fill(records: Records, account: int, key: str, word: str) -> None:
    """Put a row about a player into every personal table, with a word in every text and in every binary column."""

    def row(table: str, db: Transaction) -> None:
        personal = PERSONAL[table]
        owner: Any = {Owner.ACCOUNT: account, Owner.KEY: key, Owner.SUBJECT: f"player:{account}"}[personal.owner]
        values: dict[str, Any] = {}
        for name, kind in columns(table, db):
            text = f"{word} {table} {name}"
            number = account * 1000 + len(values)
            values[name] = text if kind == "TEXT" else text.encode() if kind == "BLOB" else number
        values |= dict.fromkeys(personal.columns, owner)
        if table == "moderation_acts":
            values["actor"] = f"{word} (player:{account})"
        if table == "moderation_reports":
            values |= {"name": word, "answered_by": f"{word} (player:{account})", "text": "", "answer": "", "kind": ""}
            values["match_id"] = ""
        names = ", ".join(values)
        db.run(f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(values))})", *values.values())

    for table in PERSONAL:
        if table not in ("players", "player_tokens"):
            records.write_now(partial(row, table))


def test_the_export_has_the_rows_of_every_table_and_no_secrets_or_rows_of_others(
    accounts: Accounts, records: Records
) -> None:
    ann = asyncio.run(accounts.claim("Ann Sentinel", GUEST_KEY)).account.id
    bob = asyncio.run(accounts.claim("Bob Stranger")).account.id
    fill(records, ann, GUEST_KEY, "Ann Sentinel")
    fill(records, bob, account_key(bob), "Bob Stranger")
    keys = accounts.directory.keys(ann)
    found = records.read(lambda db: personal_rows(db, ann, keys))
    assert found.keys() == PERSONAL.keys()
    assert "Bob Stranger" not in str(found)
    for table, personal in PERSONAL.items():
        known = {name for name, _ in records.read(partial(columns, table))}
        for row in found[table]:
            assert row.keys() == known - set(personal.hidden), table
    assert GUEST_KEY not in str(found)


def test_a_guest_exports_what_is_stored_under_its_key(records: Records) -> None:
    fill(records, 7, GUEST_KEY, "Ann Sentinel")
    found = records.read(lambda db: personal_rows(db, 0, (GUEST_KEY,)))
    assert found.keys() == {table for table, personal in PERSONAL.items() if personal.owner is Owner.KEY}


def test_a_deleted_account_leaves_no_word_and_no_row_but_those_that_must_stay(
    accounts: Accounts, records: Records
) -> None:
    ann = asyncio.run(accounts.claim("Ann Sentinel", GUEST_KEY, label="Ann Sentinel's phone")).account.id
    bob = asyncio.run(accounts.claim("Bob Stranger")).account.id
    fill(records, ann, GUEST_KEY, "Ann Sentinel")
    fill(records, bob, account_key(bob), "Bob Stranger")
    others = records.read(lambda db: personal_rows(db, bob, (account_key(bob),)))
    keys = (*accounts.directory.keys(ann),)
    asyncio.run(accounts.delete(ann))
    left = records.read(lambda db: personal_rows(db, ann, keys))
    assert left.keys() == STAY.keys() | {"player_tokens"}
    assert {row["kind"] for row in left["player_tokens"]} == {"guest"}, "so that its matches are shown without its name"
    texts = {table: str(records.read(partial(_all, table))) for table in PERSONAL}
    named = {table for table, text in texts.items() if "Ann Sentinel" in text}
    assert named == {"tournaments", "moderation_acts", "rating_results", "mail_codes"}, "names, reasons, ids, a hash"
    assert "Ann Sentinel (player" not in texts["moderation_acts"]
    assert records.read(lambda db: personal_rows(db, bob, (account_key(bob),))) == others


def _all(table: str, db: Transaction) -> list[Any]:
    return db.all(f"SELECT * FROM {table}")


def test_a_failed_deletion_deletes_nothing(accounts: Accounts, records: Records) -> None:
    ann = asyncio.run(accounts.claim("Ann")).account.id
    fill(records, ann, account_key(ann), "Ann")
    before = records.read(lambda db: personal_rows(db, ann, (account_key(ann),)))

    def fail(*arguments: Any) -> None:
        forget_account(*arguments)
        raise LookupError("no")

    accounts.forget = fail
    with pytest.raises(LookupError):
        asyncio.run(accounts.delete(ann))
    assert records.read(lambda db: personal_rows(db, ann, (account_key(ann),))) == before


def store_old_tournament(records: Records, *keys: str) -> None:
    """Store a tournament without the list of its players, as servers did before migration 2."""
    setup = TournamentSetup("Cup", "tris", TournamentFormat.SWISS)
    events = (
        Created(1.0, "t", setup, "boss", "Boss"),
        *(Entered(2.0, Entrant("Ann", key)) for key in keys),
        Entered(3.0, Entrant("greedy #1", bot="greedy")),
    )
    rows = [("t", place, encode(event).decode()) for place, event in enumerate(events, 1)]
    records.write_now(lambda db: db.many("INSERT INTO tournament_events VALUES (?, ?, ?)", rows))
    add = (
        "INSERT INTO tournaments (id, name, game, format, status, created, starts, entrants, rounds, seq, organiser)"
        " VALUES ('t', 'Cup', 'tris', 'swiss', 'open', 1.0, 0.0, 2, 0, 3, 'boss')"
    )
    records.write_now(lambda db: db.run(add))


def test_participants_of_tournaments_before_the_list_of_them_are_found(records: Records) -> None:
    store_old_tournament(records, GUEST_KEY)
    for _ in range(2):
        TournamentStore(records)
    found = records.read(lambda db: db.all("SELECT player, part, name, at FROM tournament_players ORDER BY at"))
    assert found == [("boss", "organiser", "Boss", 1.0), (GUEST_KEY, "participant", "Ann", 2.0)]


def test_deleted_participants_of_old_tournaments_are_not_listed_again(accounts: Accounts, records: Records) -> None:
    ann = asyncio.run(accounts.claim("Ann")).account.id
    store_old_tournament(records, account_key(ann))
    asyncio.run(accounts.delete(ann))
    TournamentStore(records)
    found = records.read(lambda db: db.all("SELECT player FROM tournament_players"))
    assert found == [("boss",)]


def test_the_address_of_reports_in_guest_time_is_removed(records: Records) -> None:
    add = (
        "INSERT INTO moderation_reports (at, kind, match_id, seat, name, text, reporter, address, answered_by, answer)"
        " VALUES (1.0, 'chat', 'm', 0, 'Eve', 'rude', ?, '203.0.113.7', '', '')"
    )
    records.write_now(lambda db: db.run(add, f"guest:{GUEST_KEY}"))
    records.write_now(lambda db: forget_account(db, 1, "Ann", (account_key(1), GUEST_KEY)))
    assert records.read(lambda db: db.all("SELECT address FROM moderation_reports")) == [("",)]
