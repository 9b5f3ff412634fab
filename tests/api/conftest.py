"""Fixtures of the HTTP API's tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .api_fixture import ApiFixture, api_fixture


@pytest.fixture
def api(tmp_path: Path) -> Iterator[ApiFixture]:
    """Separate server, without a built page."""
    with api_fixture(tmp_path / "page") as place:
        yield place
