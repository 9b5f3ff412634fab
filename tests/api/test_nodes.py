"""Nodes of a cluster over HTTP."""

from __future__ import annotations

from boardwire.cluster.nodes import Node
from boardwire.errors import Reason, Refused

from .api_fixture import ApiFixture
from .test_metrics import Cluster


def test_a_single_server_is_one_node_without_a_name(api: ApiFixture) -> None:
    api.tris(0, 3)
    answer = api.client.get("/api/nodes")
    assert answer.status_code == 200
    alone = {"name": "", "here": True, "state": "up", "heard": 0.0, "tables": 1, "lobby": True, "version": 0}
    assert answer.json() == {"nodes": [alone]}


def test_nodes_are_listed_by_their_heartbeats_in_the_database(api: ApiFixture) -> None:
    api.context.cluster = Cluster(
        Node("one", 1, 0.25, 12, True), Node("two", 1, 7.5, 3, False), Node("zwei", 2, None, 0, False)
    )
    told = api.client.get("/api/nodes").json()["nodes"]
    assert [(node["name"], node["state"], node["here"]) for node in told] == [
        ("one", "up", True), ("two", "silent", False), ("zwei", "stopped", False),
    ]  # fmt: skip
    assert told[0] == {
        "name": "one", "here": True, "state": "up", "heard": 0.25, "tables": 12, "lobby": True, "version": 1,
    }  # fmt: skip


def test_an_unreachable_database_is_reported_without_its_address(api: ApiFixture) -> None:
    class Away(Cluster):
        def nodes(self) -> tuple[Node, ...]:
            raise Refused("the nodes cannot be read at the moment", reason=Reason.UNAVAILABLE)

    api.context.cluster = Away()
    answer = api.client.get("/api/nodes")
    assert (answer.status_code, answer.json()["detail"]) == (503, "the nodes cannot be read at the moment")
