"""What holds for all tests."""

import gc
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("suite", max_examples=25, deadline=None)
settings.load_profile("suite")


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Whatever is freed is freed by itself."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()
