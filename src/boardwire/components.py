"""All components of the records: their migrations, the personal data in their tables, and its deletion.

- Every table is in `PERSONAL` or in `NOT_PERSONAL`; a test fails for a table in neither.
- A player's export has the rows of all personal tables (`personal_rows`), without secrets and their hashes.
- A deleted account keeps its number, under which matches and ratings stay. `forget_account` removes or empties
  everything else that names the player, in the transaction of the deletion.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any, Final, NamedTuple

from boardwire.mail import addresses
from boardwire.moderation import act_log
from boardwire.moderation.subjects import subject_of
from boardwire.organise import schema as organise
from boardwire.organise.events import forget_organiser
from boardwire.players import schema as players
from boardwire.push import subscriptions
from boardwire.records.records import Records, Transaction
from boardwire.records.transfer import tables_of
from boardwire.table.events import account_key
from boardwire.tournaments import store as tournaments

COMPONENTS: Final = {
    component.COMPONENT: component.MIGRATIONS
    for component in (players, tournaments, act_log, subscriptions, addresses, organise)
}
"""Migrations by component."""


class Owner(StrEnum):
    """Kind of identifier that links a row to its player."""

    ACCOUNT = "account"
    """The number of an account."""
    KEY = "key"
    """A key of the player's seats."""
    SUBJECT = "subject"
    """A subject of moderation."""


class PersonalTable(NamedTuple):
    """A table with rows about players: `columns` identify the player, `hidden` ones are not exported."""

    columns: tuple[str, ...]
    owner: Owner
    hidden: tuple[str, ...] = ()


PERSONAL: Final = {
    "players": PersonalTable(("id",), Owner.ACCOUNT, ("folded", "skeleton", "recovery", "revision")),
    "player_tokens": PersonalTable(("player",), Owner.ACCOUNT, ("hash",)),
    "player_passkeys": PersonalTable(("player",), Owner.ACCOUNT, ("public_key",)),
    "player_relations": PersonalTable(("player",), Owner.ACCOUNT),
    "player_invitations": PersonalTable(("player", "challenger"), Owner.ACCOUNT, ("code",)),
    "ratings": PersonalTable(("player",), Owner.ACCOUNT),
    "rating_results": PersonalTable(("player",), Owner.ACCOUNT),
    "tournaments": PersonalTable(("organiser",), Owner.KEY, ("organiser",)),
    "tournament_players": PersonalTable(("player",), Owner.KEY, ("player",)),
    "push_subscriptions": PersonalTable(("player",), Owner.KEY, ("player", "auth")),
    "mail_addresses": PersonalTable(("player",), Owner.ACCOUNT, ("code", "unsubscribe")),
    "mail_codes": PersonalTable(("player",), Owner.ACCOUNT, ("address",)),
    "mail_turns": PersonalTable(("player",), Owner.ACCOUNT),
    "moderation_acts": PersonalTable(("target",), Owner.SUBJECT, ("actor",)),
    "moderation_reports": PersonalTable(("reporter",), Owner.SUBJECT, ("answered_by",)),
    "organisers_tables": PersonalTable(("owner",), Owner.ACCOUNT),
    "organisers_events": PersonalTable(("owner",), Owner.ACCOUNT),
    "organisers_webhooks": PersonalTable(("owner",), Owner.ACCOUNT, ("secret",)),
    "organisers_deliveries": PersonalTable(("owner",), Owner.ACCOUNT),
}
"""Tables with rows about players."""

NOT_PERSONAL: Final = {
    "player_challenges": "random numbers that belong to no player",
    "rating_categories": "games, modes and speeds",
    "rating_pending": "ids of matches",
    "rating_matches": "what rating_results has, by match and with numbers of accounts only",
    "tournament_events": "entries are in tournament_players, results are public; names of deleted accounts are masked",
    "push_key": "the key of the server",
}
"""Tables without rows about one player, and why."""


def migrate_all(records: Records) -> None:
    """Run the missing migrations of all components."""
    for component, migrations in COMPONENTS.items():
        records.migrate(component, migrations)


def personal_rows(db: Transaction, account: int, keys: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows about a player by table; `account` is 0 for a guest, `keys` are those of its seats."""
    owners: dict[Owner, Sequence[Any]] = {
        Owner.ACCOUNT: (account,) if account else (),
        Owner.KEY: keys,
        Owner.SUBJECT: tuple(map(subject_of, keys)),
    }
    found = {}
    for component, migrations in COMPONENTS.items():
        known = db.one("SELECT version FROM record_components WHERE name = ?", component)
        for table in tables_of(migrations[: 0 if known is None else known[0]]):
            personal = PERSONAL.get(table)
            rows = [] if personal is None else _rows(db, table, personal, owners[personal.owner])
            if rows:
                found[table] = rows
    return found


def _rows(db: Transaction, table: str, personal: PersonalTable, owners: Sequence[Any]) -> list[dict[str, Any]]:
    if not owners:
        return []
    marks = ", ".join("?" * len(owners))
    where = " OR ".join(f"{column} IN ({marks})" for column in personal.columns)
    names, rows = db.all_with_columns(f"SELECT * FROM {table} WHERE {where}", *(list(owners) * len(personal.columns)))
    shown = [place for place, name in enumerate(names) if name not in personal.hidden]
    return [{names[place]: row[place] for place in shown} for row in rows]


def forget_account(db: Transaction, account: int, name: str, keys: Sequence[str]) -> None:
    """Remove what all components store about an account that is being deleted; `keys` are the keys of its seats."""
    subscriptions.forget(db, keys)
    addresses.forget_account(db, account)
    tournaments.forget_player(db, keys)
    forget_organiser(db, account)
    act_log.forget_player(db, subject_of(account_key(account)), name, [subject_of(key) for key in keys])


def remove_old(db: Transaction, now: float) -> None:
    """Remove expired rows of all components: answered reports, e-mail codes, unconfirmed addresses, reported turns."""
    act_log.remove_old_reports(db, now)
    addresses.remove_old(db, now)
