"""Fixtures of the server checks' tests."""

from __future__ import annotations

import pytest

from boardwire.conformance.server import santorini_lobby


@pytest.fixture(autouse=True)
def _unpaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Close connections of santorini-lobby without a pause, which our own server does not need."""
    monkeypatch.setattr(santorini_lobby, "PACE", 0.0)
