"""An api_fixture for every test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .api_fixture import ApiFixture, api_fixture


@pytest.fixture
def api(tmp_path: Path) -> Iterator[ApiFixture]:
    """A separate server, whose page has not been built."""
    with api_fixture(tmp_path / "page") as place:
        yield place
