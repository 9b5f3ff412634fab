"""Dependency groups of pyproject.toml, read without pip."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import hatch_build
import pytest
from scripts.environment import boardwire, requirements

from scripts import environment


def project(**groups: list[Any]) -> dict[str, Any]:
    return {"dependency-groups": groups}


def test_a_group_has_its_own_requirements_and_those_of_included_groups_once() -> None:
    groups = project(dev=[{"include-group": "test"}, "ruff>=1", "pytest>=8"], test=["pytest>=8", "httpx>=0.28"])
    assert requirements("dev", groups) == ["pytest>=8", "httpx>=0.28", "ruff>=1"]


@pytest.mark.parametrize(
    ("groups", "words"),
    [
        (project(test=[]), "unknown dependency group 'dev'; the groups are test"),
        (project(dev=[{"include-group": "test"}], test=[{"include-group": "dev"}]), "dev -> test -> dev"),
    ],
)
def test_a_group_that_cannot_be_resolved_is_named(groups: dict[str, Any], words: str) -> None:
    with pytest.raises(SystemExit, match=words):
        requirements("dev", groups)


def test_the_groups_of_this_project_can_be_resolved() -> None:
    assert {one.partition(">")[0] for one in requirements("dev")} >= {"mypy", "pytest", "ruff"}
    assert requirements("compile") == hatch_build.compiler_requirements()[:-1]


def test_boardwire_is_installed_again_only_if_it_changed_or_an_extra_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    monkeypatch.setattr(environment, "VENV", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    assert boardwire(("docs",)) == ["--editable", "."]
    environment.stamp().touch()
    assert boardwire(("docs", "package")) == []
    assert boardwire(()) == ["--editable", ".[tui]"]
    assert boardwire(("dev",)) == ["--editable", ".[cluster,mail,research,tui]"]
    os.utime(environment.stamp(), (0, 0))
    assert boardwire(("docs",)) == ["--editable", "."]
