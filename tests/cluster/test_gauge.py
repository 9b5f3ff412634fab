"""How long the bus takes, by words that a node says to itself."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from boardwire.cluster.gauge import PROBE, PROBE_TICKS, Gauge

NOBODY: Any = None


def test_a_word_to_itself_is_said_now_and_then_timed_and_no_letter() -> None:
    said: list[tuple[str, bytes]] = []
    member: Any = SimpleNamespace(name="one")
    gauge = Gauge(member, NOBODY, lambda node, data: said.append((node, data)))
    for _ in range(PROBE_TICKS - 1):
        gauge.tick()
    assert said == []
    gauge.tick()
    ((node, data),) = said
    assert node == "one"
    assert gauge.takes(data)
    assert sum(gauge.bus.classes) == 1
    assert gauge.bus.seconds < 10.0
    assert gauge.takes(PROBE + b"cut"), "whatever begins so is no letter"
    assert not gauge.takes(b"\x96letters")
    assert sum(gauge.bus.classes) == 1
