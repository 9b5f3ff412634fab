"""Cluster metrics: probes over the bus."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from boardwire.cluster import metrics as metrics
from boardwire.cluster.metrics import PROBE, PROBE_TICKS, PROBE_TIMEOUT_SECONDS, ClusterMetrics
from boardwire.cluster.transport.authentication import Authenticator

NO_DIRECTORY: Any = None
SEAL = Authenticator(bytes(32), "one")


def test_probes_are_sent_regularly_and_timed() -> None:
    said: list[tuple[str, bytes]] = []
    member: Any = SimpleNamespace(name="one")
    gauge = ClusterMetrics(member, NO_DIRECTORY, lambda node, data: said.append((node, data)), SEAL)
    for _ in range(PROBE_TICKS - 1):
        gauge.tick()
    assert said == []
    gauge.tick()
    ((node, data),) = said
    assert node == "one"
    assert gauge.handle_probe(data)
    assert sum(gauge.bus.buckets) == 1
    assert gauge.bus.seconds < 10.0
    assert gauge.handle_probe(PROBE + b"cut"), "a truncated probe is not an envelope"
    assert not gauge.handle_probe(b"\x96letters")
    assert sum(gauge.bus.buckets) == 1


def test_a_node_is_deaf_while_no_probe_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(metrics, "perf_counter", lambda: now)
    said: list[bytes] = []
    member: Any = SimpleNamespace(name="one")
    gauge = ClusterMetrics(member, NO_DIRECTORY, lambda node, data: said.append(data), SEAL)
    while now <= PROBE_TIMEOUT_SECONDS:
        assert not gauge.probe_overdue
        now += 1.0
        for _ in range(PROBE_TICKS):
            gauge.tick()
    assert gauge.probe_overdue
    gauge.handle_probe(said[-1])
    assert not gauge.probe_overdue


def test_a_replayed_probe_is_ignored() -> None:
    said: list[bytes] = []
    member: Any = SimpleNamespace(name="one")
    gauge = ClusterMetrics(member, NO_DIRECTORY, lambda node, data: said.append(data), SEAL)
    for _ in range(PROBE_TICKS):
        gauge.tick()
    for _ in range(3):
        assert gauge.handle_probe(said[0])
    assert sum(gauge.bus.buckets) == 1
