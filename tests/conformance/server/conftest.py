"""What all tests of clients share."""

from __future__ import annotations

import pytest

from boardwire.conformance.server import santorini_lobby


@pytest.fixture(autouse=True)
def _unpaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Close connections of santorini-lobby at once: our own server does not mind, and a run takes seconds less."""
    monkeypatch.setattr(santorini_lobby, "PACE", 0.0)
