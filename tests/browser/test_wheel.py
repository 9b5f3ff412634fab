"""The page of an installed wheel."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.installed import built, environment

from .conftest import Open
from .person import Person, play_out
from .site import Site


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server of the wheel alone, which finds neither Node nor a compiler."""
    wheel = built().compiled or built().pure
    installed = environment(wheel)
    site = Site(tmp_path / "data", installed.command, installed.variables)
    yield site
    site.kill()
    assert '"level":"error"' not in site.complaints().replace(" ", ""), site.complaints()


def test_a_match_against_the_computer_is_played_to_its_end(visit: Open, site: Site) -> None:
    person = Person(visit(), "Tris").quick_play()
    play_out(person)
    person.expect_over()
