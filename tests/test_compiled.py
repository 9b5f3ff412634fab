"""What was compiled is used as long as it was made from the sources as they are."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from boardwire import compiled

PACKAGES = tuple(compiled.MODULES)
CORES = tuple(package for package in PACKAGES if package.startswith("bots/"))
CORE = "bots/eriantys/core"


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The sources of a package, and what claims to have been compiled from them."""
    monkeypatch.setattr(compiled, "folder_of", lambda package: tmp_path)
    monkeypatch.delenv("BOARDWIRE_INTERPRETED", raising=False)
    for name in (*compiled.MODULES[CORE], "__init__"):
        (tmp_path / f"{name}.py").write_text(name)
    (tmp_path / compiled.BUILT).mkdir()
    compiled.library_file(CORE).touch()
    (tmp_path / compiled.BUILT / compiled.STAMP).write_text(compiled.digest(CORE))
    return tmp_path


def test_modules_compiled_from_these_sources_are_used(built: Path) -> None:
    assert compiled.is_compiled(CORE)


@pytest.mark.parametrize("name", [*compiled.MODULES[CORE], "__init__"])
def test_modules_compiled_from_other_sources_are_not_used(built: Path, name: str) -> None:
    (built / f"{name}.py").write_text("changed")
    assert not compiled.is_compiled(CORE)


def test_modules_compiled_for_another_python_are_not_used(built: Path) -> None:
    compiled.library_file(CORE).unlink()
    assert not compiled.is_compiled(CORE)


def test_arrivals_are_packages_compiled_from_the_sources_of_the_start(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiled, "MODULES", {CORE: compiled.MODULES[CORE]})
    stamp = built / compiled.BUILT / compiled.STAMP
    assert compiled.PendingBuilds().finished() == 0, "nothing is awaited if all is compiled"
    sources = stamp.read_text()
    stamp.unlink()
    pending = compiled.PendingBuilds()
    assert pending.finished() == 0
    stamp.write_text("of other sources")
    assert pending.finished() == 0
    stamp.write_text(sources)
    assert pending.finished() == 1
    stamp.unlink()
    monkeypatch.setenv("BOARDWIRE_INTERPRETED", "1")
    pending = compiled.PendingBuilds()
    stamp.write_text(sources)
    assert pending.finished() == 0, "the sources are to be interpreted"


def test_where_nothing_was_compiled_the_sources_are_interpreted(built: Path) -> None:
    (built / compiled.BUILT / compiled.STAMP).unlink()
    path = ["here"]
    assert not compiled.prefer_compiled(CORE, path)
    assert not compiled.prefer_compiled("games/tris", path, "below")
    assert path == ["here"]


def test_who_wants_to_compare_gets_the_sources(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDWIRE_INTERPRETED", "1")
    assert not compiled.is_compiled(CORE)


@pytest.mark.parametrize("core", CORES)
def test_a_core_is_made_of_plain_values(core: str) -> None:
    for name in compiled.MODULES[core]:
        assert "msgspec" not in (compiled.folder_of(core) / f"{name}.py").read_text()


@pytest.mark.parametrize("package", PACKAGES)
def test_no_struct_is_compiled(package: str) -> None:
    for name in compiled.MODULES[package]:
        assert "msgspec.Struct" not in (compiled.folder_of(package) / f"{name}.py").read_text()


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_runs_from_where_it_says(package: str) -> None:
    name = "boardwire." + package.replace("/", ".")
    for module in compiled.MODULES[package]:
        found = import_module(f"{name}.{module.replace('/', '.')}").__file__
        assert found is not None
        assert (compiled.BUILT in Path(found).parts) == import_module(name).COMPILED


@pytest.mark.parametrize("core", CORES)
def test_every_module_of_a_core_is_compiled(core: str) -> None:
    there = {path.stem for path in compiled.folder_of(core).glob("*.py")} - {"__init__"}
    assert set(compiled.MODULES[core]) == there


SANTORINI = """
from random import Random
from boardwire.games.santorini import COMPILED, Draft, Options, apply, new

told = []
for gods in (("hermes", "aphrodite"), ("apollo", "limus"), ("pan", "charybdis"), ("castor", "persephone")):
    luck, position = Random(4), new(Options(Draft.GIVEN, gods=gods), 2)
    while (decision := position.decision) is not None:
        told.append((decision.seats, choices := tuple(decision.choices)))
        position, events = apply(position, decision.seats[0], luck.choice(choices))
        told.append(events)
    told.append(position.outcome)
print(repr(told))
"""


ERIANTYS = """
from random import Random
from boardwire.games.eriantys import COMPILED, CloudTime, Mode, Options, apply, new, pending

told = []
for seats, cloud in zip((2, 3, 4, 2), (*CloudTime, CloudTime.LAST)):
    luck, position = Random(4), new(Options(Mode.EXPERT, cloud), seats)
    while (decision := pending(position)) is not None:
        choices = decision.choices
        action = choices.draw(luck.randrange) if hasattr(choices, "draw") else luck.choice(tuple(choices))
        told.append((decision.seats, action, len(choices) if decision.seats[0] >= 0 else 0))
        position, events = apply(position, decision.seats[0], action)
        told.append((events, position.students, position.stage, position.seat, position.expert))
    told.append(position.ending)
print(repr(told))
"""


@pytest.mark.parametrize(("package", "play"), [("games/santorini", SANTORINI), ("games/eriantys", ERIANTYS)])
def test_compiled_rules_play_as_interpreted_ones_do(package: str, play: str) -> None:
    if not compiled.is_compiled(package):
        pytest.skip("the rules are not compiled here")

    def played(**settings: str) -> str:
        run = [sys.executable, "-c", play]
        return subprocess.run(run, env={**os.environ, **settings}, capture_output=True, text=True, check=True).stdout

    assert played() == played(BOARDWIRE_INTERPRETED="1")
