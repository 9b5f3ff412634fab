"""Compiled cores are used as long as they were made from the sources as they are."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from boardwire.bots import compiled

GAMES = tuple(compiled.MODULES)


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sources of a core, and what claims to have been compiled from them."""
    monkeypatch.setattr(compiled, "core_of", lambda game: tmp_path)
    monkeypatch.delenv("BOARDWIRE_INTERPRETED", raising=False)
    for name in compiled.MODULES["eriantys"]:
        (tmp_path / f"{name}.py").write_text(name)
    (tmp_path / compiled.BUILT).mkdir()
    compiled.library_file("eriantys").touch()
    (tmp_path / compiled.BUILT / compiled.STAMP).write_text(compiled.digest("eriantys"))
    return tmp_path


def test_what_was_compiled_from_these_sources_is_used(built: Path) -> None:
    assert compiled.is_compiled("eriantys")


@pytest.mark.parametrize("name", compiled.MODULES["eriantys"])
def test_what_was_compiled_from_other_sources_is_not(built: Path, name: str) -> None:
    (built / f"{name}.py").write_text("changed")
    assert not compiled.is_compiled("eriantys")


def test_what_was_compiled_for_another_python_is_not(built: Path) -> None:
    compiled.library_file("eriantys").unlink()
    assert not compiled.is_compiled("eriantys")


def test_where_nothing_was_compiled_the_sources_are_interpreted(built: Path) -> None:
    (built / compiled.BUILT / compiled.STAMP).unlink()
    path = ["here"]
    assert not compiled.prefer_compiled("eriantys", path)
    assert path == ["here"]


def test_who_wants_to_compare_gets_the_sources(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDWIRE_INTERPRETED", "1")
    assert not compiled.is_compiled("eriantys")


@pytest.mark.parametrize("game", GAMES)
def test_a_core_is_made_of_plain_values(game: str) -> None:
    for name in compiled.MODULES[game]:
        assert "msgspec" not in (compiled.core_of(game) / f"{name}.py").read_text()


@pytest.mark.parametrize("game", GAMES)
def test_a_core_runs_from_where_it_says(game: str) -> None:
    package = import_module(f"boardwire.bots.{game}.core")
    for name in compiled.MODULES[game]:
        found = import_module(f"boardwire.bots.{game}.core.{name}").__file__
        assert found is not None
        assert (compiled.BUILT in Path(found).parts) == package.COMPILED


@pytest.mark.parametrize("game", GAMES)
def test_nothing_of_a_core_is_left_to_be_interpreted(game: str) -> None:
    there = {path.stem for path in compiled.core_of(game).glob("*.py")} - {"__init__"}
    assert set(compiled.MODULES[game]) == there
