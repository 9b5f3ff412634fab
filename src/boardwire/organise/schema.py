"""Tables of the component `organisers`: organiser's tables, their events, webhooks and deliveries."""

from __future__ import annotations

from typing import Final

COMPONENT: Final = "organisers"

MIGRATIONS: Final = (
    """
    CREATE TABLE organisers_tables (
        number {serial}, match TEXT NOT NULL UNIQUE, owner BIGINT NOT NULL, state TEXT NOT NULL,
        opened DOUBLE PRECISION NOT NULL, body TEXT NOT NULL);
    CREATE INDEX organisers_tables_owner ON organisers_tables (owner, number);
    CREATE INDEX organisers_tables_state ON organisers_tables (state);
    CREATE TABLE organisers_events (
        number {serial}, owner BIGINT NOT NULL, match TEXT NOT NULL, kind TEXT NOT NULL,
        at DOUBLE PRECISION NOT NULL, body TEXT NOT NULL);
    CREATE INDEX organisers_events_owner ON organisers_events (owner, number);
    CREATE TABLE organisers_webhooks (
        number {serial}, owner BIGINT NOT NULL, url TEXT NOT NULL, secret TEXT NOT NULL, kinds TEXT NOT NULL,
        created DOUBLE PRECISION NOT NULL);
    CREATE INDEX organisers_webhooks_owner ON organisers_webhooks (owner);
    CREATE TABLE organisers_deliveries (
        number {serial}, webhook BIGINT NOT NULL, owner BIGINT NOT NULL, event BIGINT NOT NULL, kind TEXT NOT NULL,
        state TEXT NOT NULL, attempts BIGINT NOT NULL, due DOUBLE PRECISION NOT NULL, at DOUBLE PRECISION NOT NULL,
        status BIGINT NOT NULL, error TEXT NOT NULL);
    CREATE INDEX organisers_deliveries_due ON organisers_deliveries (state, due);
    CREATE INDEX organisers_deliveries_owner ON organisers_deliveries (owner, number);
    """,
)
