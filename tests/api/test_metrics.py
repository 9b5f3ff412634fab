"""Prometheus metrics: complete, and updated by events."""

from __future__ import annotations

from pathlib import Path

from prometheus_client.parser import text_string_to_metric_families

from boardwire.api.context import ApiContext
from boardwire.api.endpoint import NoQuery
from boardwire.api.metrics import METRICS
from boardwire.api.routes import metrics
from boardwire.cluster.nodes import Node
from boardwire.net.connections import ConnectionCounters
from boardwire.simulation.server import SimulatedServer
from boardwire.store.sqlite import SqliteJournal
from boardwire.table.counters import Histogram
from boardwire.table.events import Opened
from boardwire.table.policy import Policy

from .api_fixture import ApiFixture

Numbers = dict[tuple[str, ...], float]


def parse(text: str) -> Numbers:
    """Parse metrics by name and label values, in the order of the labels' names."""
    return {
        (sample.name, *(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def numbers(api_fixture: ApiFixture) -> Numbers:
    return parse(api_fixture.client.get("/metrics").text)


def scrape(api: ApiContext) -> Numbers:
    return parse(metrics(api, NoQuery()).body.decode())


class Peer:
    dialect = "tris-lines"

    def __init__(self, unsent: int) -> None:
        self.unsent = unsent


class Crowd:
    def __init__(self) -> None:
        self.connections = [Peer(10), Peer(32)]
        self.by_address = {"192.0.2.1": 2}
        self.tally = ConnectionCounters()
        self.tally.accepted["tris-lines"] = 7
        self.tally.refusals["tris-lines", "illegal"] = 3
        self.tally.drops["tris-lines", "slow"] = 2
        self.tally.turned_away = 1


class Cluster:
    """Cluster metrics of a node."""

    name = "one"
    hosted, peers, presides, takeovers, superseded = 3, 2, True, 4, 5

    def __init__(self, *nodes: Node) -> None:
        self.replicas = {"settled": 6, "looking": 7}
        self.bus, self.lag = Histogram(), Histogram()
        self.rejected = 3
        self._nodes = nodes

    def nodes(self) -> tuple[Node, ...]:
        return self._nodes


def test_exactly_the_documented_metrics_are_reported() -> None:
    server = SimulatedServer(1)
    api = ApiContext(server.lobby, server.journal, connections=Crowd(), cluster=Cluster())
    api.served[200] += 1
    text = metrics(api, NoQuery()).body.decode()
    told = {
        family.name + ("_total" if family.type == "counter" else "")
        for family in text_string_to_metric_families(text)
        if family.name.startswith("boardwire")
    }
    assert told == set(METRICS)
    api.close()


def test_only_a_node_of_a_cluster_reports_cluster_metrics() -> None:
    server, cluster = SimulatedServer(1), Cluster()
    cluster.bus.observe(0.003)
    cluster.lag.observe(0.3)
    told = scrape(ApiContext(server.lobby, server.journal, cluster=cluster))
    assert [told[f"boardwire_node_{name}",] for name in ("tables", "peers", "lobby")] == [3, 2, 1]
    assert [told["boardwire_node_replicas", state] for state in ("settled", "looking")] == [6, 7]
    assert [told[f"boardwire_node_{name}_total",] for name in ("takeovers", "superseded")] == [4, 5]
    assert [told["boardwire_bus_seconds_bucket", bound] for bound in ("0.002", "0.005")] == [0, 1]
    assert told["boardwire_replica_seconds_sum",] == 0.3
    alone = scrape(ApiContext(server.lobby, server.journal))
    assert not [name for name, *_ in alone if "_node_" in name or "_bus_" in name or "_replica_" in name]


def test_metrics_change_when_a_match_is_played(api: ApiFixture) -> None:
    before = numbers(api)
    sitting = api.tris(0, 3)
    during = numbers(api)
    sitting.act(1, 4, 2)
    after = numbers(api)
    moves = ("boardwire_moves_total", "tris")
    assert (during[moves] - before[moves], after[moves] - before[moves]) == (2, 5)
    playing, over = ("boardwire_tables", "tris", "playing"), ("boardwire_tables", "tris", "over")
    assert [(one[playing], one[over]) for one in (before, during, after)] == [(0, 0), (1, 0), (0, 1)]


def test_requests_are_counted_by_the_status_of_their_answer(api: ApiFixture) -> None:
    for path in ("/api/games", "/nothing", "/nothing"):
        api.client.get(path)
    told = numbers(api)
    assert told["boardwire_http_requests_total", "200"] == 1
    assert told["boardwire_http_requests_total", "404"] == 2


def test_readiness_is_reported(api: ApiFixture) -> None:
    assert numbers(api)["boardwire_ready",] == 1
    api.reason = "the server is stopping"
    assert numbers(api)["boardwire_ready",] == 0


def test_network_metrics_are_by_dialect() -> None:
    server = SimulatedServer(1)
    api = ApiContext(server.lobby, server.journal, connections=Crowd())
    api.http = lambda: 5
    told = scrape(api)
    assert told["boardwire_connections", "tris-lines"] == 2
    assert told["boardwire_connections", "http"] == 5
    assert told["boardwire_connections_accepted_total", "tris-lines"] == 7
    assert told["boardwire_connections_turned_away_total",] == 1
    assert told["boardwire_refusals_total", "illegal", "tris-lines"] == 3
    assert told["boardwire_drops_total", "tris-lines", "slow"] == 2
    assert told["boardwire_outbox_bytes", "tris-lines"] == 42
    assert told["boardwire_outbox_largest_bytes",] == 32
    api.close()


def test_commits_are_reported_by_duration() -> None:
    server = SimulatedServer(1)
    tally = server.journal.tally
    for seconds in (0.0004, 0.0015, 0.0016, 7.0):
        tally.add(seconds, 10)
    tally.failures += 1
    server.journal.waiting = 4
    api = ApiContext(server.lobby, server.journal)
    told = scrape(api)
    classes = [told["boardwire_commit_seconds_bucket", le] for le in ("0.0005", "0.001", "0.002", "1.0", "+Inf")]
    assert classes == [1, 1, 3, 3, 4]
    assert told["boardwire_commit_seconds_count",] == 4
    assert round(told["boardwire_commit_seconds_sum",], 4) == 7.0035
    assert told["boardwire_commit_events_total",] == 40
    assert told["boardwire_commit_failures_total",] == 1
    assert told["boardwire_commit_queue",] == 4
    api.close()


def test_a_journal_on_disk_counts_its_commits(tmp_path: Path) -> None:
    journal = SqliteJournal(tmp_path, lambda call, *arguments: None)
    journal.append("m1", 1, [Opened(1.0, "m1", "tris@1", 2, {}, Policy())], lambda stored: None)
    journal.close()
    assert (sum(journal.tally.buckets), journal.tally.events, journal.tally.failures) == (1, 1, 0)
    assert journal.tally.seconds > 0
