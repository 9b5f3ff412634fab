"""Nodes of the cluster."""

from __future__ import annotations

from enum import StrEnum

import msgspec
from starlette.requests import Request

from boardwire.api.context import ApiContext
from boardwire.api.endpoint import NoQuery


class NodeState(StrEnum):
    """State of a node. A `silent` node has missed so many heartbeats that others may take its tables; a `stopped` node
    has left the cluster."""

    UP = "up"
    SILENT = "silent"
    STOPPED = "stopped"


class NodeInfo(msgspec.Struct, frozen=True):
    """A node: whether it sent this response, seconds since its last heartbeat (None: stopped), number of tables,
    whether it has the lobby, and the version of its cluster protocol."""

    name: str
    here: bool
    state: NodeState
    heard: float | None
    tables: int
    lobby: bool
    version: int


class Nodes(msgspec.Struct, frozen=True):
    """All nodes that were up in the last day, by name; a single server is one node without a name."""

    nodes: tuple[NodeInfo, ...]


async def all_nodes(context: ApiContext, query: NoQuery, request: Request) -> Nodes:
    """Return the nodes of the cluster."""
    cluster = context.cluster
    if cluster is None:
        return Nodes((NodeInfo("", True, NodeState.UP, 0.0, sum(1 for _ in context.lobby), True, 0),))
    nodes = await context.read(cluster.nodes)
    return Nodes(
        tuple(
            NodeInfo(
                node.name,
                node.name == cluster.name,
                NodeState.UP if node.up else NodeState.STOPPED if node.heartbeat_age is None else NodeState.SILENT,
                node.heartbeat_age,
                node.tables,
                node.lobby,
                node.version,
            )
            for node in nodes
        )
    )
