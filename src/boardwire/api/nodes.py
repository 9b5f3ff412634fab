"""The nodes that serve together, over HTTP: who is there, and who hosts how many tables."""

from __future__ import annotations

from enum import StrEnum

import msgspec
from starlette.requests import Request

from boardwire.api.context import Desk
from boardwire.api.endpoint import NoQuery


class NodeState(StrEnum):
    """How a node is, to the others: `silent` has not been heard of for so long that others may have its tables,
    `stopped` has said so."""

    UP = "up"
    SILENT = "silent"
    STOPPED = "stopped"


class NodeInfo(msgspec.Struct, frozen=True):
    """A node: whether it is the one that answers, the seconds since it was last heard of (None: it has stopped), how
    many tables it has, whether the lobby is there, and the version of what it says to other nodes."""

    name: str
    here: bool
    state: NodeState
    heard: float | None
    tables: int
    lobby: bool
    version: int


class Nodes(msgspec.Struct, frozen=True):
    """All nodes that were there since yesterday, by name; a server alone is one without a name."""

    nodes: tuple[NodeInfo, ...]


async def all_nodes(desk: Desk, query: NoQuery, request: Request) -> Nodes:
    """The nodes that serve together."""
    cluster = desk.cluster
    if cluster is None:
        return Nodes((NodeInfo("", True, NodeState.UP, 0.0, sum(1 for _ in desk.lobby), True, 0),))
    found = await desk.read(cluster.nodes)
    return Nodes(
        tuple(
            NodeInfo(
                node.name,
                node.name == cluster.name,
                NodeState.UP if node.up else NodeState.STOPPED if node.heard is None else NodeState.SILENT,
                node.heard,
                node.tables,
                node.lobby,
                node.version,
            )
            for node in found
        )
    )
