"""Fixtures of the tests of courses."""

from pathlib import Path

import pytest


@pytest.fixture
def tmp_path(readable_path: Path) -> Path:
    """A directory that engines, which run as another user, can read."""
    return readable_path
