"""The node list for operators, from a real database."""

from __future__ import annotations

import psycopg
import pytest
from scripts.postgres import postgres

from boardwire.cluster import nodes
from boardwire.cluster.nodes import Node, NodeDirectory
from boardwire.cluster.ports import LEASE_SECONDS
from boardwire.errors import Reason, Unavailable
from boardwire.store.postgres import PostgresLog


@pytest.mark.parametrize(
    ("heard", "up"), [(None, False), (0.0, True), (LEASE_SECONDS - 0.1, True), (LEASE_SECONDS, False)]
)
def test_a_node_is_up_until_its_lease_ends_or_it_shuts_down(heard: float | None, up: bool) -> None:
    assert Node("n", 1, heard, 0, False).up is up


@pytest.mark.cluster
def test_nodes_are_listed_with_their_tables_and_cached_for_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(nodes, "monotonic", lambda: now)
    with postgres() as database:
        PostgresLog(database.url).close()
        with psycopg.connect(database.url, autocommit=True) as connection:
            connection.execute(
                "INSERT INTO boardwire.nodes (name, life, beat, steady, version) VALUES"
                " ('one', 2, now(), '-infinity', 1), ('two', 1, now() - interval '9 s', '-infinity', 1),"
                " ('off', 1, '-infinity', '-infinity', 1)"
            )
            connection.execute(
                "INSERT INTO boardwire.leases (match, node, life) VALUES"
                " ('', 'one', 2), ('a', 'one', 2), ('b', 'one', 2), ('of its former life', 'one', 1), ('c', 'two', 1)"
            )
        found = NodeDirectory(database.url)
        told = {node.name: node for node in found.nodes()}
        assert {name: (node.up, node.tables, node.lobby) for name, node in told.items()} == {
            "off": (False, 0, False), "one": (True, 2, True), "two": (False, 1, False),
        }  # fmt: skip
        assert told["off"].heartbeat_age is None
        assert told["two"].heartbeat_age == pytest.approx(9.0, abs=5.0)
        with psycopg.connect(database.url, autocommit=True) as connection:
            connection.execute("DELETE FROM boardwire.nodes WHERE name = 'off'")
        assert len(found.nodes()) == 3
        now += 1.0
        assert len(found.nodes()) == 2
    now += 1.0
    with pytest.raises(Unavailable, match="cannot read the cluster's nodes") as refused:
        found.nodes()
    assert refused.value.reason is Reason.UNAVAILABLE
