"""Prometheus metrics.

Connections, tables, the network and the journal keep plain counters; they are read when metrics are requested.
`METRICS` describes every family.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, Protocol, TypeAlias

from prometheus_client import CollectorRegistry, PlatformCollector, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, InfoMetricFamily
from prometheus_client.registry import Collector

from boardwire import __version__, games
from boardwire.lobby.lobby import Lobby
from boardwire.table.counters import BUCKET_BOUNDS_SECONDS, counters_of
from boardwire.table.match import Status
from boardwire.table.ports import Journal

METRICS: Final = {
    "boardwire_connections": "open connections, by dialect; `http`: the HTTP interface",
    "boardwire_connections_accepted_total": "accepted connections, by dialect",
    "boardwire_connections_turned_away_total": "connections refused because their address has too many or is banned",
    "boardwire_drops_total": "dropped connections, by dialect and reason: slow, idle or silent",
    "boardwire_outbox_bytes": "bytes queued for clients, by dialect",
    "boardwire_outbox_largest_bytes": "most bytes queued for one client",
    "boardwire_refusals_total": "refused requests and unreadable input, by dialect and code",
    "boardwire_tables": "open tables, by game and status",
    "boardwire_moves_total": "steps by players, by game",
    "boardwire_commit_seconds": "duration of the journal's commits (a histogram)",
    "boardwire_commit_events_total": "stored events",
    "boardwire_commit_failures_total": "failed commits",
    "boardwire_commit_queue": "steps waiting for the next commit",
    "boardwire_node_tables": "tables hosted by this node of a cluster",
    "boardwire_node_replicas": "tables of other nodes with guests of this one, by state: settled or looking for a host",
    "boardwire_node_peers": "other live nodes",
    "boardwire_node_lobby": "1 if this node has the lobby of the cluster",
    "boardwire_node_takeovers_total": "tables taken over by this node",
    "boardwire_node_superseded_total": "appends that lost to another node's",
    "boardwire_bus_seconds": "round-trip time of this node's probes over the bus (a histogram)",
    "boardwire_bus_rejected_total": "bus messages dropped because they are not authentic",
    "boardwire_replica_seconds": "age of another node's steps when shown here (a histogram)",
    "boardwire_http_requests_total": "HTTP requests, by the status of the answer",
    "boardwire_readers_waiting": "HTTP requests waiting for or using a reader thread",
    "boardwire_ready": "1 if the server accepts players",
    "boardwire_info": "1, with the version as a label",
}


class MeasuredConnection(Protocol):
    """A connection with its metrics."""

    @property
    def dialect(self) -> str: ...
    @property
    def unsent(self) -> int: ...


class ConnectionCounts(Protocol):
    """Counters of connections."""

    @property
    def accepted(self) -> Mapping[str, int]: ...
    @property
    def refusals(self) -> Mapping[tuple[str, str], int]: ...
    @property
    def drops(self) -> Mapping[tuple[str, str], int]: ...
    @property
    def turned_away(self) -> int: ...


class ConnectionMetrics(Protocol):
    """The connections of a node."""

    @property
    def connections(self) -> Collection[MeasuredConnection]: ...
    @property
    def by_address(self) -> Mapping[str, int]: ...
    @property
    def tally(self) -> ConnectionCounts: ...


class Durations(Protocol):
    """A histogram of durations, with the buckets of commits."""

    @property
    def buckets(self) -> Sequence[int]: ...
    @property
    def seconds(self) -> float: ...


class NodeMetrics(Protocol):
    """Cluster metrics of a node."""

    @property
    def hosted(self) -> int: ...
    @property
    def replicas(self) -> Mapping[str, int]: ...
    @property
    def peers(self) -> int: ...
    @property
    def presides(self) -> bool: ...
    @property
    def takeovers(self) -> int: ...
    @property
    def superseded(self) -> int: ...
    @property
    def rejected(self) -> int: ...
    @property
    def bus(self) -> Durations: ...
    @property
    def lag(self) -> Durations: ...


CountsByLabels: TypeAlias = Mapping[Any, int]
"""Counts by label values, each key a tuple."""
Family: TypeAlias = CounterMetricFamily | GaugeMetricFamily | HistogramMetricFamily | InfoMetricFamily


class MetricsCollector(Collector):
    """Collector that reads all counters."""

    def __init__(
        self,
        lobby: Lobby,
        journal: Journal,
        served: Counter[int],
        ready: Callable[[], str],
        waiting: Callable[[], int],
        http: Callable[[], int],
        connections: ConnectionMetrics | None,
        node: NodeMetrics | None = None,
    ) -> None:
        self._lobby = lobby
        self._journal = journal
        self._served = served
        self._ready = ready
        self._waiting = waiting
        self._http = http
        self._connections = connections
        self._node = node

    def collect(self) -> Iterator[Family]:
        """Yield every metric family."""
        yield InfoMetricFamily("boardwire", _help_text("boardwire_info"), {"version": __version__})
        yield _gauge_family("boardwire_ready", (), {(): 0 if self._ready() else 1})
        yield from self._play_families()
        yield from self._network_families()
        yield from self._commit_families()
        if self._node is not None:
            yield from _cluster_families(self._node)
        yield _counter_family("boardwire_http_requests_total", ("status",), _label_keys(self._served))
        yield _gauge_family("boardwire_readers_waiting", (), {(): self._waiting()})

    def _play_families(self) -> Iterator[Family]:
        tables: Counter[tuple[str, ...]] = Counter({(game, status): 0 for game in games.NAMES for status in Status})
        tables.update((table.match.setting.game.name, table.match.status) for table in self._lobby)
        yield _gauge_family("boardwire_tables", ("game", "status"), tables)
        yield _counter_family(
            "boardwire_moves_total", ("game",), {(game,): counters_of(game).moves for game in games.NAMES}
        )

    def _network_families(self) -> Iterator[Family]:
        """Yield the metrics of connections, unsent bytes and refused clients."""
        connections = () if self._connections is None else tuple(self._connections.connections)
        open_connections: Counter[tuple[str, ...]] = Counter((connection.dialect,) for connection in connections)
        open_connections["http",] = self._http()
        yield _gauge_family("boardwire_connections", ("dialect",), open_connections)
        outbox: Counter[tuple[str, ...]] = Counter()
        for connection in connections:
            outbox[connection.dialect,] += connection.unsent
        yield _gauge_family("boardwire_outbox_bytes", ("dialect",), outbox)
        yield _gauge_family(
            "boardwire_outbox_largest_bytes",
            (),
            {(): max((connection.unsent for connection in connections), default=0)},
        )
        if self._connections is not None:
            tally = self._connections.tally
            yield _counter_family("boardwire_connections_accepted_total", ("dialect",), _label_keys(tally.accepted))
            yield _counter_family("boardwire_connections_turned_away_total", (), {(): tally.turned_away})
            yield _counter_family("boardwire_refusals_total", ("dialect", "code"), tally.refusals)
            yield _counter_family("boardwire_drops_total", ("dialect", "reason"), tally.drops)

    def _commit_families(self) -> Iterator[Family]:
        tally = self._journal.tally
        yield _histogram_family("boardwire_commit_seconds", tally)
        yield _counter_family("boardwire_commit_events_total", (), {(): tally.events})
        yield _counter_family("boardwire_commit_failures_total", (), {(): tally.failures})
        yield _gauge_family("boardwire_commit_queue", (), {(): self._journal.waiting})


def _cluster_families(node: NodeMetrics) -> Iterator[Family]:
    yield _gauge_family("boardwire_node_tables", (), {(): node.hosted})
    yield _gauge_family("boardwire_node_replicas", ("state",), _label_keys(node.replicas))
    yield _gauge_family("boardwire_node_peers", (), {(): node.peers})
    yield _gauge_family("boardwire_node_lobby", (), {(): int(node.presides)})
    yield _counter_family("boardwire_node_takeovers_total", (), {(): node.takeovers})
    yield _counter_family("boardwire_node_superseded_total", (), {(): node.superseded})
    yield _histogram_family("boardwire_bus_seconds", node.bus)
    yield _counter_family("boardwire_bus_rejected_total", (), {(): node.rejected})
    yield _histogram_family("boardwire_replica_seconds", node.lag)


def _help_text(name: str) -> str:
    return METRICS[name].replace("`", "")


def _label_keys(counts: Mapping[str, int] | Mapping[int, int]) -> dict[tuple[str, ...], int]:
    return {(str(key),): count for key, count in counts.items()}


def _counter_family(name: str, labels: Iterable[str], counts: CountsByLabels) -> CounterMetricFamily:
    family = CounterMetricFamily(name.removesuffix("_total"), _help_text(name), labels=tuple(labels))
    for key, count in counts.items():
        family.add_metric(key, count)
    return family


def _gauge_family(name: str, labels: Iterable[str], counts: CountsByLabels) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, _help_text(name), labels=tuple(labels))
    for key, count in counts.items():
        family.add_metric(key, count)
    return family


def _histogram_family(name: str, times: Durations) -> HistogramMetricFamily:
    family = HistogramMetricFamily(name, _help_text(name))
    counts = zip([*map(str, BUCKET_BOUNDS_SECONDS), "+Inf"], accumulate(list(times.buckets)), strict=True)
    family.add_metric((), [(bound, float(count)) for bound, count in counts], times.seconds)
    return family


def registry(collector: MetricsCollector) -> CollectorRegistry:
    """Return a registry of these metrics and those of the process (CPU, memory, open files)."""
    collectors = CollectorRegistry(auto_describe=False)
    ProcessCollector(registry=collectors)
    PlatformCollector(registry=collectors)
    collectors.register(collector)
    return collectors
