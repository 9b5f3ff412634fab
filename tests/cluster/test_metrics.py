"""Cluster metrics: probes over the bus."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from boardwire.cluster import metrics as metrics
from boardwire.cluster.metrics import DEAF_SECONDS, PROBE, PROBE_TICKS, ClusterMetrics
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
    assert gauge.takes(data)
    assert sum(gauge.bus.classes) == 1
    assert gauge.bus.seconds < 10.0
    assert gauge.takes(PROBE + b"cut"), "a truncated probe is not an envelope"
    assert not gauge.takes(b"\x96letters")
    assert sum(gauge.bus.classes) == 1


def test_a_node_is_deaf_while_no_probe_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(metrics, "perf_counter", lambda: now)
    said: list[bytes] = []
    member: Any = SimpleNamespace(name="one")
    gauge = ClusterMetrics(member, NO_DIRECTORY, lambda node, data: said.append(data), SEAL)
    while now <= DEAF_SECONDS:
        assert not gauge.deaf
        now += 1.0
        for _ in range(PROBE_TICKS):
            gauge.tick()
    assert gauge.deaf
    gauge.takes(said[-1])
    assert not gauge.deaf


def test_a_replayed_probe_is_ignored() -> None:
    said: list[bytes] = []
    member: Any = SimpleNamespace(name="one")
    gauge = ClusterMetrics(member, NO_DIRECTORY, lambda node, data: said.append(data), SEAL)
    for _ in range(PROBE_TICKS):
        gauge.tick()
    for _ in range(3):
        assert gauge.takes(said[0])
    assert sum(gauge.bus.classes) == 1
