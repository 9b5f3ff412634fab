"""How long the bus takes, by words that a node says to itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from boardwire.cluster import metrics as gauge_module
from boardwire.cluster.metrics import DEAF_SECONDS, PROBE, PROBE_TICKS, Gauge
from boardwire.cluster.transport.authentication import Seal

NOBODY: Any = None
SEAL = Seal(bytes(32), "one")


def test_a_word_to_itself_is_said_now_and_then_timed_and_no_letter() -> None:
    said: list[tuple[str, bytes]] = []
    member: Any = SimpleNamespace(name="one")
    gauge = Gauge(member, NOBODY, lambda node, data: said.append((node, data)), SEAL)
    for _ in range(PROBE_TICKS - 1):
        gauge.tick()
    assert said == []
    gauge.tick()
    ((node, data),) = said
    assert node == "one"
    assert gauge.takes(data)
    assert sum(gauge.bus.classes) == 1
    assert gauge.bus.seconds < 10.0
    assert gauge.takes(PROBE + b"cut"), "whatever begins so is no message"
    assert not gauge.takes(b"\x96letters")
    assert sum(gauge.bus.classes) == 1


def test_a_node_whose_probes_do_not_come_back_is_deaf_until_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(gauge_module, "perf_counter", lambda: now)
    said: list[bytes] = []
    member: Any = SimpleNamespace(name="one")
    gauge = Gauge(member, NOBODY, lambda node, data: said.append(data), SEAL)
    while now <= DEAF_SECONDS:
        assert not gauge.deaf
        now += 1.0
        for _ in range(PROBE_TICKS):
            gauge.tick()
    assert gauge.deaf
    gauge.takes(said[-1])
    assert not gauge.deaf


def test_a_probe_that_is_replayed_does_not_count() -> None:
    said: list[bytes] = []
    member: Any = SimpleNamespace(name="one")
    gauge = Gauge(member, NOBODY, lambda node, data: said.append(data), SEAL)
    for _ in range(PROBE_TICKS):
        gauge.tick()
    for _ in range(3):
        assert gauge.takes(said[0])
    assert sum(gauge.bus.classes) == 1
