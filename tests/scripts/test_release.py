"""What is released: the tag, the version and the changelog agree."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from boardwire import __version__
from scripts import release

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def written(folder: Path, version: str, changelog: str) -> None:
    (folder / "src" / "boardwire").mkdir(parents=True)
    (folder / "src" / "boardwire" / "__init__.py").write_text(f'__version__ = "{version}"\n')
    (folder / "CHANGELOG.md").write_text(changelog)


@pytest.mark.parametrize(
    ("tag", "changelog", "fault"),
    [
        ("v1.2.0", "# Changelog\n\n## 1.2.0 (2026-11-18)\n\n- New.\n\n## 1.1.0\n\n- Old.\n", ""),
        ("v1.3.0", "## 1.2.0 (2026-11-18)\n", "the tag must be v1.2.0"),
        ("1.2.0", "## 1.2.0 (2026-11-18)\n", "the tag must be v1.2.0"),
        ("v1.2.0", "## 1.2.0 (unreleased)\n", "found: unreleased"),
        ("v1.2.0", "## 1.1.0\n", "found: missing"),
    ],
)
def test_a_tag_is_released_only_if_version_and_changelog_have_it(
    tag: str, changelog: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, "1.2.0", changelog)
    monkeypatch.setattr(release, "ROOT", tmp_path)
    assert fault in release.check(tag)
    assert bool(fault) == bool(release.check(tag))
    assert release.main(["check", tag]) == bool(fault)
    if not fault:
        assert release.notes(tag) == "- New."


def test_the_topmost_section_of_the_changelog_is_for_this_version() -> None:
    assert release.version() == __version__ == next(iter(release.sections()))


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_name_files_that_exist_and_ask_for_few_permissions(workflow: Path) -> None:
    text = workflow.read_text()
    found = yaml.safe_load(text)
    assert found["permissions"] == {"contents": "read"}
    for job in found["jobs"].values():
        assert job["timeout-minutes"] <= 60
        assert set(job.get("needs", []) if isinstance(job.get("needs"), list) else [job.get("needs", "")]) <= {
            "", *found["jobs"],
        }  # fmt: skip
    for name in ("scripts/check_wheel.py", "scripts/release.py", ".ci/run", "deploy/Dockerfile", "deploy/check-image"):
        assert name not in text or (ROOT / name).exists()
