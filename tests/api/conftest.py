"""An office for every test that asks for one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from .office import Office, office


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Office]:
    """A house of its own, whose page has not been built."""
    with office(tmp_path / "page") as place:
        yield place
