"""The files for containers, clusters and workflows, read by the linters of those who run them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.install

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
SCHEMAS = {
    "vendor.github-workflows": ".github/workflows/*.yml",
    "vendor.github-issue-forms": ".github/ISSUE_TEMPLATE/[!c]*.yml",
    "vendor.github-issue-config": ".github/ISSUE_TEMPLATE/config.yml",
    "vendor.dependabot": ".github/dependabot.yml",
    "vendor.compose-spec": "deploy/compose/*.yaml",
}


def run(program: str, *arguments: str | Path) -> None:
    done = subprocess.run([BIN / program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_hadolint_accepts_the_dockerfile() -> None:
    run("hadolint", "deploy/Dockerfile")


@pytest.mark.parametrize("schema", SCHEMAS)
def test_files_follow_their_schema(schema: str) -> None:
    files = sorted(ROOT.glob(SCHEMAS[schema]))
    assert files
    run("check-jsonschema", "--builtin-schema", schema, *files)


def test_kubernetes_accepts_the_manifests() -> None:
    run("kubernetes-validate", "--strict", "deploy/kubernetes/boardwire.yaml")


def test_zizmor_finds_no_hole_in_the_workflows() -> None:
    run("zizmor", "--offline", "--no-progress", "--config", ".github/zizmor.yml", ".github/workflows")


def test_pre_commit_can_read_its_hooks() -> None:
    run("pre-commit", "validate-config")
